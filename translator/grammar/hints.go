// Hints: what an asker says that words of the question mean.

package grammar

import (
	"regexp"
	"strings"

	"askpg/catalog"
)

// definition is a line of a hint: "eligible means tier = 'gold'", "VIPs means customers with at least 5 orders".
var definition = regexp.MustCompile(`(?i)^["'“]?([\pL\pN][\pL\pN _-]{0,60}?)["'”]?\s*(?:(\s(?:means?|stands? for|is short for))\s|\s(?:is|are)\s|=|:\s)\s*(\S.*)$`)

// maxDefinitions bounds the lines of a hint that are looked up in the schema.
const maxDefinitions = 20

// onlyWords is what may stand in the place of words of the question.
var onlyWords = regexp.MustCompile(`^[\pL\pN][\pL\pN '%_-]*$`)

// readHint returns the definitions of a hint, the question with words in place of those that the hint explains by others, and
// the lines that define nothing.
func (x *lexicon) readHint(hint, question string) (defined []named, asked string, unread []string) {
	tried := 0
	for line := range strings.FieldsFuncSeq(hint, func(r rune) bool { return r == '\n' || r == ';' }) {
		line = strings.TrimRight(strings.TrimSpace(line), ".")
		if line == "" {
			continue
		}
		said := definition.FindStringSubmatch(line)
		if said == nil || tried >= maxDefinitions {
			unread = append(unread, line)
			continue
		}
		tried++
		list, err := x.snapshot.Define(said[1], said[3])
		switch stems := x.stems(catalog.Words(said[1])); {
		case err == nil && len(stems) > 0:
			for _, m := range list {
				defined = append(defined, named{m, stems})
			}
		case said[2] != "" && onlyWords.MatchString(said[3]):
			name := regexp.MustCompile(`(?i)(^|\PL)` + regexp.QuoteMeta(said[1]) + `(\PL|$)`)
			question = name.ReplaceAllString(question, "${1}"+said[3]+"${2}")
		default:
			unread = append(unread, line)
		}
	}
	return defined, question, unread
}

// Unread returns the lines of a hint that define nothing for the engine.
func Unread(hint string, s *catalog.Snapshot) []string {
	_, _, unread := lexiconOf(s).readHint(hint, "")
	return unread
}
