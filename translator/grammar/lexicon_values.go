// The values that the statistics of a snapshot name.

package grammar

import (
	"slices"
	"strings"
	"unicode"

	"askpg/catalog"
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
		x.addAlternatives(c, l)
	}
	if c.Class != catalog.Text && c.Class != catalog.Enum {
		return
	}
	if len(labels) == 0 {
		x.addCountries(c)
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

// countryNames are pieces of the names of columns that hold countries.
var countryNames = []string{"country", "ctry", "cntry", "nation"}

// addCountries indexes a column of countries that holds their codes of two letters by their names.
func (x *lexicon) addCountries(c *catalog.Column) {
	name := strings.ToLower(c.Name)
	if !slices.ContainsFunc(countryNames, func(piece string) bool { return strings.Contains(name, piece) }) {
		return
	}
	for _, v := range x.snapshot.Values.Of(c) {
		for _, country := range x.language.countries[v] {
			x.addValue(c, country, v)
		}
	}
}

// addAlternatives indexes a value by each of several names: "on hold, blocked". Of "delivered, not invoiced" neither part is one.
func (x *lexicon) addAlternatives(c *catalog.Column, l catalog.Label) {
	names := strings.FieldsFunc(l.Text, func(r rune) bool { return r == ',' || r == ';' })
	if len(names) < 2 || slices.ContainsFunc(wordsOf(l.Text), func(w string) bool { return w == "not" || w == "no" || w == "but" || w == "without" }) {
		return
	}
	for _, name := range names {
		x.addValue(c, strings.TrimSpace(name), l.Value)
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
