// The values that the statistics of a snapshot name, and those that stand for none.

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
	for _, l := range x.meanings(c) {
		x.addValue(c, l.Text, l.Value)
		if short := initials(l.Text); short != "" {
			x.initials[short] = append(x.initials[short], valueMention{column: c, value: l.Value, score: initialsScore})
		}
		x.addAlternatives(c, l)
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

// countryNames are pieces of the names of columns that hold countries.
var countryNames = []string{"country", "ctry", "cntry", "nation"}

// addCountries indexes the codes of two letters in columns of countries by the names of the countries.
func (x *lexicon) addCountries() {
	held := map[*catalog.Column][]string{}
	for c, v := range x.snapshot.Values.All() {
		info := x.relationInfo[c.Relation]
		if x.language.countries[v] != nil && info != nil && !info.leftover && areCountries(c) && len(x.meanings(c)) == 0 {
			held[c] = append(held[c], v)
		}
	}
	for _, r := range x.snapshot.Relations {
		for _, c := range r.Columns {
			slices.Sort(held[c])
			for _, v := range held[c] {
				for _, country := range x.language.countries[v] {
					x.addValue(c, country, v)
				}
			}
		}
	}
}

// areCountries reports whether the texts of a column are countries, by its name.
func areCountries(c *catalog.Column) bool {
	name := strings.ToLower(c.Name)
	return !c.Private && isText(c) && slices.ContainsFunc(countryNames, func(piece string) bool { return strings.Contains(name, piece) })
}

// meanings returns what the values of a column mean: as an admin, a view or a code table says, or its comment.
func (x *lexicon) meanings(c *catalog.Column) []catalog.Label {
	if len(c.Labels) > 0 {
		return c.Labels
	}
	return x.legends[c].labels
}

// initialsScore is the score of a value that its initials stand for: DNA for what did not attend.
const initialsScore = 0.95

// initials returns the first letters of a text of three words or more, "" of a shorter one.
func initials(text string) string {
	words := wordsOf(text)
	if len(words) < 3 || len(words) > maxMeaning+1 {
		return ""
	}
	var b strings.Builder
	for _, w := range words {
		b.WriteByte(w[0])
	}
	return strings.ToLower(b.String())
}

// annotateInitials finds the values that initials in capitals stand for.
func (p *parser) annotateInitials(i int) {
	text := p.tokens[i].text
	if len(text) > 3 {
		text = strings.TrimSuffix(text, "s")
	}
	if p.tokens[i].kind != wordToken || p.question == strings.ToUpper(p.question) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsUpper(r) }) {
		return
	}
	for _, h := range p.lexicon.initials[strings.ToLower(text)] {
		p.addValue(i, i+1, h)
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

// isOpenEnded reports whether a time that each row has is one in the far future where nothing has happened yet: 9999-12-31.
func isOpenEnded(c *catalog.Column) bool {
	return c.NotNull && isTime(c) && c.Profile != nil && c.Profile.Max >= farFuture && len(c.Profile.Max) >= len(farFuture)
}

// mayLack reports whether rows need not have a value of a column: it may be null, or a day that stands for none.
func mayLack(c *catalog.Column) bool { return !c.NotNull || isOpenEnded(c) }

// farFuture is a day that stands for none.
const farFuture = "2900-01-01"
