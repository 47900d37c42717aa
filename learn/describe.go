package learn

import (
	"strings"
	"unicode/utf8"

	"askpg/ask"
	"askpg/catalog"
)

// maxDescription is how long a description may be, in characters; a longer one is no plain sentence.
const maxDescription = 200

// Describe proposes what a model says of a relation and its columns, where nobody has said anything yet. Of private columns nothing is
// proposed.
func (r *Report) Describe(snap *catalog.Snapshot, of *catalog.Relation, model, table string, columns map[string]string) {
	n := newNames(snap, nil)
	add := func(kind, name, comment, text string) {
		text = strings.Join(strings.Fields(ask.Visible(text)), " ")
		if comment == "" && text != "" && utf8.RuneCountInString(text) <= maxDescription {
			r.Proposals = append(r.Proposals, &Proposal{Kind: kindDescription, Name: name, model: model, table: kind, fields: []field{{"name", name}, {"description", text}}})
		}
	}
	add("table", n.of(of), of.Comment, table)
	for _, c := range of.Columns {
		if !c.Private {
			add("column", n.column(c), c.Comment, columns[c.Name])
		}
	}
}
