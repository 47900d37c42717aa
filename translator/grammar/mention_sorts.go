// Words that say of which sort a column or a thing is, behind its name: the "licence number" of licence, the "opening date" of opened_on,
// the "staff members" of staff.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// sorts are the sorts of columns and relations that a word may be of.
var sorts = map[string]func(p *parser, lb *label) bool{
	"number": ofColumn(func(x *lexicon, c *catalog.Column) bool { return isText(c) || x.graph.isForeign(c) }),
	"date":   ofColumn(func(_ *lexicon, c *catalog.Column) bool { return isTime(c) }),
	"time": ofColumn(func(_ *lexicon, c *catalog.Column) bool {
		return c.Class == catalog.Timestamp || c.Class == catalog.Time
	}),
	"kind": ofColumn(func(_ *lexicon, c *catalog.Column) bool { return isText(c) && len(valuesOf(c)) > 0 }),
	"amount": ofColumn(func(x *lexicon, c *catalog.Column) bool {
		names := x.relationInfo[c.Relation].names[c]
		return c.Class == catalog.Number && slices.ContainsFunc(names, func(s string) bool { return x.language.moneyNames[s] || currency[s] })
	}),
	"person": func(p *parser, lb *label) bool { return lb.column == nil && p.isPeople(lb.relation) },
}

// ofColumn makes of what is asked of a column what is asked of a name.
func ofColumn(is func(*lexicon, *catalog.Column) bool) func(*parser, *label) bool {
	return func(p *parser, lb *label) bool { return lb.column != nil && is(p.lexicon, lb.column) }
}

// labelsOfSort returns the columns and relations that the words before token j name whole, where that token says no more than of which sort
// they are. found is what the words name with it.
func (p *parser) labelsOfSort(before []match, j int, found []match) (out []match) {
	isOf := p.language.sorts[p.tokens[j].lower]
	if isOf == nil {
		return nil
	}
	for _, m := range before {
		column := m.label.column != nil
		if m.score < namedScore || !isOf(p, m.label) || slices.ContainsFunc(found, func(o match) bool { return (o.label.column != nil) == column && o.score >= namedScore }) {
			continue
		}
		out = append(out, m)
	}
	return out
}
