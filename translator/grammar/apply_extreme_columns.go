// Columns that hold an extreme themselves, such as highest_point.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// resolveExtreme handles columns that name an extreme of each row, such as highest_point. Of several rows, the one is kept whose measure
// column, such as highest_elevation, is the extreme.
func (p *parser) resolveExtreme(n *phrase) *phrase {
	if n.set == nil || n.set.superlative != nil || len(n.items) != 1 || len(n.group) > 0 || len(n.order) > 0 || n.items[0].aggregate != "" {
		return n
	}
	it := n.items[0]
	if it.column == nil || !isText(it.column) {
		return n
	}
	if p.isPlural(n) {
		return n // "the highest points": one for each
	}
	owner := n.set.find(it.setID)
	if owner == nil || p.namesOneRow(owner) {
		return n
	}
	for _, c := range owner.conditions {
		if c.kind == compare && c.op == "=" {
			return n // rows that hold a value: few enough to be listed
		}
	}
	measure, descending := p.measureOf(it.column)
	if measure == nil {
		return n
	}
	x := n.clone()
	s := *n.set
	s.superlative = &superlative{by: item{column: measure, setID: it.setID}, descending: descending, count: "1"}
	x.set = &s
	return x
}

// measureOf returns the number column that belongs to an extreme column (highest_elevation of highest_point), and whether the extreme is
// the highest.
func (p *parser) measureOf(c *catalog.Column) (measure *catalog.Column, descending bool) {
	word := ""
	for _, w := range p.lexicon.relationInfo[c.Relation].names[c] {
		if p.extremeSign(w) != 0 {
			word, descending = w, p.extremeSign(w) > 0
		}
	}
	if word == "" {
		return nil, false
	}
	for _, o := range c.Relation.Columns {
		if o != c && o.Class == catalog.Number && slices.Contains(p.lexicon.relationInfo[c.Relation].names[o], word) {
			return o, descending
		}
	}
	return nil, false
}

// extremeSign is 1 for stems of words for the most, -1 for the least, or 0.
func (p *parser) extremeSign(stem string) int {
	for _, form := range []struct {
		words []string
		sign  int
	}{{[]string{"highest", "largest", "maximum", "longest", "biggest", "greatest"}, 1}, {[]string{"lowest", "smallest", "minimum", "shortest", "least"}, -1}} {
		for _, w := range form.words {
			if p.language.stem(w) == stem {
				return form.sign
			}
		}
	}
	return 0
}
