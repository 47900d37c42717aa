// Hints: what an asker says that words of the question mean.

package grammar

import (
	"regexp"
	"slices"
	"strings"

	"askpg/ask"
	"askpg/catalog"
)

// definition is a line of a hint: "eligible means tier = 'gold'", "VIPs means customers with at least 5 orders". A quotation mark
// before the name has one behind it: what a value holds names nothing.
var definition = regexp.MustCompile(`(?is)^(?:"(` + definedName + `)"|'(` + definedName + `)'|“(` + definedName + `)”|(` + definedName + `))\s*(?:(\s(?:means?|stands? for|is short for))\s|\s(?:is|are)\s|=|:\s)\s*(\S.*)$`)

const definedName = `[\pL\pN][\pL\pN _-]{0,60}?`

const (
	maxDefinitions = 20      // lines of a hint that are looked up in the schema
	maxReplaced    = 4 << 10 // bytes of a question with the words of a hint in it: else 20 lines that each double it fill all memory
)

// onlyWords is what may stand in the place of words of the question.
var onlyWords = regexp.MustCompile(`^[\pL\pN][\pL\pN '%_-]*$`)

// readHint returns the definitions of a hint, the question with words in place of those that the hint explains by others, and
// the lines that define nothing. The first line that defines a name for a relation counts.
func (x *lexicon) readHint(hint, question string) (defined []measureName, asked string, unread []string) {
	tried := 0
	for _, line := range ask.Lines(hint, "\n;") {
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
		name, verb, text := said[1]+said[2]+said[3]+said[4], said[5], said[6]
		list, err := x.snapshot.Define(name, text)
		switch stems := x.stems(catalog.Words(name)); {
		case err == nil && len(stems) > 0:
			for _, m := range list {
				if !slices.ContainsFunc(defined, func(d measureName) bool { return d.m.Relation == m.Relation && slices.Equal(d.stems, stems) }) {
					defined = append(defined, measureName{m, stems})
				}
			}
		case slices.ContainsFunc(defined, func(d measureName) bool { return slices.Equal(d.stems, stems) }): // in a line before
		case verb != "" && onlyWords.MatchString(text):
			named := regexp.MustCompile(`(?i)(^|\PL)` + regexp.QuoteMeta(name) + `(\PL|$)`)
			if len(question)+len(named.FindAllStringIndex(question, -1))*len(text) > max(maxReplaced, len(question)) {
				unread = append(unread, line)
				continue
			}
			question = named.ReplaceAllString(question, "${1}"+text+"${2}")
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
