package prompt

import (
	"slices"

	"askpg/catalog"
)

// maxHits bounds the values of the database that a prompt lists.
const maxHits = 20

// maxColumns bounds the columns that are named for one value.
const maxColumns = 3

// valueLines tells which columns hold values that the question mentions. What the schema's description
// lists is not repeated, nor a value of a key in the columns that refer to it.
func valueLines(in *Input) []string {
	var out []string
	n := newNames(in)
	columns := map[string][]*catalog.Column{} // by value
	for _, h := range in.Hits {
		if h.Column != nil && !in.refers(h.Column) {
			columns[h.Value] = append(columns[h.Value], h.Column)
		}
	}
	seen, named := map[string]bool{}, map[string]int{}
	for _, h := range in.Hits {
		c := h.Column
		if c == nil || !in.shows(c.Relation) || !in.visible([]*catalog.Column{c}) || in.lists(c, h.Value) || in.refers(c) && len(columns[h.Value]) > 0 {
			continue
		}
		l := n.relation(c.Relation) + "." + ident(c.Name) + " holds " + literal(h.Value)
		if text := in.Question + "\n" + in.Hint; !h.Exact && h.Start < h.End && h.End <= len(text) {
			l += " (near " + literal(text[h.Start:h.End]) + ")"
		}
		if !seen[l] && len(out) < maxHits && named[h.Value] < maxColumns {
			seen[l] = true
			named[h.Value]++
			out = append(out, l)
		}
	}
	return out
}

// lists says whether the description of a column has the value.
func (in *Input) lists(c *catalog.Column, value string) bool {
	if in.Paper || !in.detailed[c.Relation] && !slices.Contains(in.named, c.Relation) {
		return false
	}
	l := literal(unpadded(c, value))
	return slices.Contains(in.list(c), l) || c.Comment != "" && told(c.Comment, []string{l})
}
