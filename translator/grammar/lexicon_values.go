// The values that the statistics of a snapshot name.

package grammar

import (
	"askpg/catalog"
	"strings"
	"unicode"
)

// addValues indexes the values of a column that the statistics, an enum type and
// an administrator name.
func (x *lexicon) addValues(c *catalog.Column) {
	if c.Private {
		return
	}
	labels := c.Labels
	if len(labels) == 0 {
		labels = x.legends[c].labels
	}
	for _, l := range labels {
		x.addValue(c, l.Text, l.Value)
	}
	if c.Class != catalog.Text && c.Class != catalog.Enum {
		return
	}
	for _, v := range c.Enum {
		x.addValue(c, v, v)
	}
	if c.Profile != nil {
		for _, v := range c.Profile.Common {
			x.addValue(c, v, v)
		}
	}
}

// maxValueWords bounds the words of a value that a question can mention.
const maxValueWords = 8

// addValue indexes a value by the text that stands for it: itself, or what an
// administrator says that it means.
func (x *lexicon) addValue(c *catalog.Column, text, v string) {
	key := x.valueKey(wordsOf(text))
	if key == "" || len(text) > 100 {
		return
	}
	columns := x.valueTexts[key]
	if columns == nil {
		columns = map[*catalog.Column]string{}
		x.valueTexts[key] = columns
	}
	if _, ok := columns[c]; !ok {
		columns[c] = v
		if few := len(c.Enum) > 0 || c.Profile != nil && c.Profile.Distinct <= 50; few && len(text) >= 5 && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
			x.words = append(x.words, strings.ToLower(text))
		}
		x.values[key] = append(x.values[key], c)
	}
}

// valueKey folds case and inflection: "cats" finds "cat".
func (x *lexicon) valueKey(words []string) string {
	if len(words) > maxValueWords {
		return ""
	}
	stems := make([]string, 0, len(words))
	for _, w := range words {
		stems = append(stems, x.language.stem(w))
	}
	return strings.Join(stems, " ")
}
