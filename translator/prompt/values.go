package prompt

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// maxHits bounds the values of the database that a prompt lists.
const maxHits = 20

// maxColumns bounds the columns that are named for one value.
const maxColumns = 6

// valueLines tells which columns hold values that the question mentions, a value a line. What the schema's
// description lists for all of its columns is not repeated, nor a value of a key in the columns that refer to it.
func valueLines(in *Input) []string {
	n := newNames(in)
	keyed := map[string]bool{} // values of columns that refer to no key
	for _, h := range in.Hits {
		if h.Column != nil && !in.refers(h.Column) {
			keyed[h.Value] = true
		}
	}
	var values []string // in the order of the hits
	columns, unlisted := map[string][]string{}, map[string]bool{}
	for _, h := range in.Hits {
		c := h.Column
		if c == nil || !in.shows(c.Relation) || in.hides(c) || in.refers(c) && keyed[h.Value] {
			continue
		}
		v := Literal(h.Value)
		if text := in.Question + "\n" + in.Hint; !h.Exact && h.Start < h.End && h.End <= len(text) {
			v += " (near " + Literal(text[h.Start:h.End]) + ")"
		}
		if columns[v] == nil {
			values = append(values, v)
		}
		unlisted[v] = unlisted[v] || !in.lists(c, h.Value)
		if name := n.relation(c.Relation) + "." + ident(c.Name); !slices.Contains(columns[v], name) && len(columns[v]) < maxColumns {
			columns[v] = append(columns[v], name)
		}
	}
	values = slices.DeleteFunc(values, func(v string) bool { return !unlisted[v] })
	values = values[:min(len(values), maxHits)]
	for i, v := range values {
		values[i] = v + " in " + strings.Join(columns[v], ", ")
	}
	return values
}

// lists says whether the description of a column has the value.
func (in *Input) lists(c *catalog.Column, value string) bool {
	if in.Paper || !in.detailed[c.Relation] && !slices.Contains(in.named, c.Relation) {
		return false
	}
	return slices.Contains(in.list(c), Literal(unpadded(c, value)))
}
