// Words that say of which sort a column is, behind its name: the "licence number" of licence, the "opening date" of opened_on.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// sortsOfColumns are the sorts of columns that a word may be of.
var sortsOfColumns = map[string]func(x *lexicon, c *catalog.Column) bool{
	"number": func(x *lexicon, c *catalog.Column) bool { return isText(c) || x.graph.isForeign(c) },
	"date":   func(_ *lexicon, c *catalog.Column) bool { return isTime(c) },
	"time": func(_ *lexicon, c *catalog.Column) bool {
		return c.Class == catalog.Timestamp || c.Class == catalog.Time
	},
	"kind": func(_ *lexicon, c *catalog.Column) bool { return isText(c) && len(valuesOf(c)) > 0 },
	"amount": func(x *lexicon, c *catalog.Column) bool {
		names := x.relationInfo[c.Relation].names[c]
		return c.Class == catalog.Number && slices.ContainsFunc(names, func(s string) bool { return x.language.moneyNames[s] || currency[s] })
	},
}

// columnsOfSort returns the columns that the words before token j name whole, where that token says no more than of which sort they are.
// found is what the words name with it.
func (p *parser) columnsOfSort(before []match, j int, found []match) []match {
	isOf := p.language.sorts[p.tokens[j].lower]
	if isOf == nil {
		return nil
	}
	var out []match
	for _, m := range before {
		c := m.label.column
		if c == nil || m.score < namedScore || !isOf(p.lexicon, c) || slices.ContainsFunc(found, func(o match) bool { return o.label.column != nil && o.score >= namedScore }) {
			continue
		}
		out = append(out, m)
	}
	return out
}
