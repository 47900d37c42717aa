// Codes that a comment explains: "1 = open, 2 = closed".

package grammar

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"askpg/catalog"
)

// legend is what the comment of a column says of its values.
type legend struct {
	labels []catalog.Label // what codes mean: "1 = open, 2 = paid", "P phone, W web"
	null   []string        // what it means that there is no value: "NULL = still open", "empty for current members", "empty until refunded"
}

var (
	legendEntry = regexp.MustCompile(`^([^\s=]+)\s*=\s*(.+)$`)
	legendCode  = regexp.MustCompile(`^([A-Z0-9]{1,4})\s+([a-z].*)$`)
	legendWord  = regexp.MustCompile(`^[A-Z0-9]+$`)
	legendNull  = regexp.MustCompile(`(?i)^(?:null|empty|blank)\s*(?:=|for|means|:)\s*(.+)$`)
	legendUntil = regexp.MustCompile(`(?i)^(?:null|empty|blank|not set|unset) until\s+(\S+)$`)
	inBrackets  = regexp.MustCompile(`\([^()]*\)`)
	yesOrNo     = regexp.MustCompile(`[\s,;:]+\(?(?:Y/N|yes/no|J/N|true/false)\)?$`)
)

// Bounds of a legend: a longer text is no name of a state, a longer word no code.
const (
	maxMeaning = 4 // words
	maxCode    = 4 // bytes
)

// legendOf reads the legend in a column's comment. Codes count if the column is
// known to hold two of them, or one that the comment equates with its meaning.
func legendOf(c *catalog.Column) (out legend) {
	text, _, _ := strings.Cut(c.Comment, "askpg:")
	text = inBrackets.ReplaceAllString(text, "")
	known, equated := 0, false
	parts := runOn(c, text)
	if parts == nil {
		parts = strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' })
	}
	for k, part := range parts {
		if _, after, found := strings.Cut(part, ": "); found && k == 0 {
			part = after // "how it was booked: P phone, W web"
		}
		part = strings.TrimRight(strings.TrimSpace(part), ". ")
		if m := legendNull.FindStringSubmatch(part); m != nil {
			if words := stateWords(m[1]); words != nil {
				out.null = append(out.null, strings.Join(words, " "))
			}
			continue
		}
		if m := legendUntil.FindStringSubmatch(part); m != nil {
			out.null = append(out.null, "not "+strings.ToLower(m[1]), "not yet "+strings.ToLower(m[1]))
			continue
		}
		m := legendEntry.FindStringSubmatch(part)
		equals := m != nil
		if m == nil {
			m = legendCode.FindStringSubmatch(part)
		}
		if m == nil || len(m[1]) > maxCode {
			continue
		}
		words := stateWords(m[2])
		if words == nil {
			continue
		}
		if isKnownToHold(c, m[1]) {
			known++
			equated = equated || equals
		}
		out.labels = append(out.labels, catalog.Label{Value: m[1], Text: strings.Join(words, " ")})
	}
	if known < 2 && !equated {
		out.labels = nil
	}
	return out
}

// ignoredValues returns the literals of the values by which a column says that a row does not count: those of test records, of
// duplicates and of what is deleted. A column of which all values say so says it of none.
func (x *lexicon) ignoredValues(c *catalog.Column) (out []string) {
	if c.Private {
		return nil
	}
	for _, l := range x.legends[c].labels {
		if x.language.isIgnoredComment(l.Text) || strings.HasPrefix(l.Text, "merged into ") || strings.HasPrefix(l.Text, "deleted") {
			out = append(out, literal(l.Value))
		}
	}
	if all := max(len(x.legends[c].labels), len(valuesOf(c))); len(out) == all {
		return nil
	}
	return out
}

// runOn cuts a legend without marks before each code: "0 free 1 on hold 2 blocked". It returns nil if the text
// does not begin with a code, or has but one.
func runOn(c *catalog.Column, text string) (parts []string) {
	if strings.ContainsAny(text, ",;=:") {
		return nil
	}
	last := ""
	for k, w := range strings.Fields(text) {
		switch {
		case len(w) <= maxCode && legendWord.MatchString(w) && (k == 0 || isKnownToHold(c, w) || nextCode(last, w)):
			parts, last = append(parts, w), w
		case k == 0:
			return nil
		default:
			parts[len(parts)-1] += " " + w
		}
	}
	if len(parts) < 2 {
		return nil
	}
	return parts
}

// nextCode reports whether a code follows the last one of a legend: the next number, or another capital letter.
func nextCode(last, w string) bool {
	a, err := strconv.Atoi(last)
	b, err2 := strconv.Atoi(w)
	return err == nil && err2 == nil && b == a+1 || err != nil && err2 != nil && len(last) == 1 && len(w) == 1
}

// stateWords returns the words of a short description of a state, nil if it is
// none: "still with us" is with us, and what still holds holds.
func stateWords(text string) []string {
	words := slices.DeleteFunc(wordsOf(text), func(w string) bool { return w == "still" || w == "yet" })
	if len(words) == 0 || len(words) > maxMeaning || slices.ContainsFunc(words, isMark) || !slices.ContainsFunc(words, func(w string) bool { return len(w) >= 3 }) {
		return nil
	}
	return words
}

// isKnownToHold reports whether a column is known to hold a value.
func isKnownToHold(c *catalog.Column, v string) bool {
	return slices.Contains(valuesOf(c), v)
}

// valuesOf returns the values that a column is known to hold.
func valuesOf(c *catalog.Column) []string {
	out := append(slices.Clone(c.Enum), c.Allowed...)
	if c.Profile != nil {
		out = append(out, c.Profile.Common...)
	}
	return out
}
