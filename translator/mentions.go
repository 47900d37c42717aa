package translator

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"askpg/ask"
	"askpg/catalog"
	"askpg/catalog/words"
)

// exemplary precedes a value that a hint gives as an example of how values
// look, not as one that is asked for.
var exemplary = regexp.MustCompile(`(?i)\b(e\.?\s?g\.?|such as|for example|for instance|like)[\s,:(]*["'“‘]?$`)

// mentionedValues returns the values of the database that a question and its hint mention.
func mentionedValues(v *catalog.Values, q *ask.Question) []catalog.Hit {
	text := q.Text + "\n" + q.Hint
	return withoutExamples(v, v.Find(text), text, len(q.Text))
}

// quantity precedes a number that counts or bounds, and names no value.
var quantity = regexp.MustCompile(`(?i)\b(top|bottom|first|last|past|next|previous|within|above|below|over|under|than|least|most|exactly|about)\W+$`)

var digits = regexp.MustCompile(`^[0-9.,]+$`)

// withoutExamples drops numbers that count, and words that name the column itself
// and are only part of a value: "the model of a car" does not mean a Model 3. It drops most hits of the hint, which
// begins at an offset of the text. A hint speaks mostly of columns and conventions, so of its words only those
// elect that a column holds as they stand, and that are no examples.
func withoutExamples(v *catalog.Values, hits []catalog.Hit, text string, hint int) []catalog.Hit {
	return slices.DeleteFunc(hits, func(h catalog.Hit) bool {
		if digits.MatchString(text[h.Start:h.End]) && quantity.MatchString(text[:h.Start]) {
			return true
		}
		if h.Column != nil && !strings.EqualFold(text[h.Start:h.End], h.Value) && (namesOnly(text[h.Start:h.End], h.Column) || misleads(v, h, text[h.Start:h.End])) {
			return true
		}
		return h.Start >= hint && (!h.Exact || exemplary.MatchString(text[:h.Start]))
	})
}

// sameForm is the score of a hit from which on only the form of a word differs from the value's, or the punctuation.
const (
	samePunctuation = 0.95
	sameStem        = 0.9
)

// misleads reports whether a value is only near words that mean something else: names of the schema, or, if they
// are no form of the value, ordinary words.
func misleads(v *catalog.Values, h catalog.Hit, text string) bool {
	return h.Score < samePunctuation && !slices.ContainsFunc(catalog.Words(text), func(w string) bool {
		return !v.NamesColumn(w) && (h.Score >= sameStem || !words.IsFrequent(w))
	})
}

// namesOnly reports whether all words of a text are words of the column's name
// or its relation's.
func namesOnly(text string, c *catalog.Column) bool {
	named := map[string]bool{}
	for _, w := range append(catalog.Words(c.Name), catalog.Words(c.Relation.Name.Name)...) {
		named[words.EnglishStem(w)] = true
	}
	said := catalog.Words(text)
	return len(said) > 0 && !slices.ContainsFunc(said, func(w string) bool { return !named[words.EnglishStem(w)] })
}

// quotation is a text that a question puts in quotation marks.
var quotation = regexp.MustCompile(`"([^"\n]{2,80})"|“([^”\n]{2,80})”|‘([^’\n]{2,80})’|(?:^|[\s(])'([^'\n]{2,80})'`)

// partial precedes a quotation that is part of a value.
var partial = regexp.MustCompile(`(?i)\b(start\w*|begin\w*|end\w*|contain\w*|includ\w*|has|have|having|prefix\w*|suffix\w*|like)\W+((with|in|by|the|a|an|word|words|string|letters?|its|their|names?|titles?)\W+)*$`)

// unknownQuotations says which quoted texts of the question no column is known to hold:
// a model should then look for part of it, or in another spelling.
func unknownQuotations(question string, hits []catalog.Hit) []string {
	var notes []string
	for _, m := range quotation.FindAllStringSubmatchIndex(question, -1) {
		for g := 2; g < len(m); g += 2 {
			start, end := m[g], m[g+1]
			if start >= 0 { // American punctuation stands within the marks
				end = start + len(strings.TrimRight(question[start:end], ".,;:!? "))
			}
			if start < 0 || start == end || mentioned(hits, start, end) || partial.MatchString(question[:start]) {
				continue
			}
			notes = append(notes, fmt.Sprintf("No indexed column holds %s as a whole value.", quote(question[start:end])))
		}
	}
	return notes
}

func mentioned(hits []catalog.Hit, start, end int) bool {
	return slices.ContainsFunc(hits, func(h catalog.Hit) bool { return h.Start < end && start < h.End })
}
