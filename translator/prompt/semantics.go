package prompt

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// defining returns the relations of definitions that the question names, as far
// as they are not among the tables.
func (in *Input) defining() (out []*catalog.Relation) {
	add := func(relations []*catalog.Relation) {
		for _, r := range relations {
			if !slices.Contains(in.Tables, r) && !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	for _, m := range slices.Concat(in.Snapshot.Measures, in.Snapshot.Terms) {
		if named(m, in.Question+" "+in.Hint) {
			add(m.Relations)
		}
	}
	for _, q := range in.Snapshot.Queries {
		if in.asks(q) {
			add(q.Relations)
		}
	}
	return out
}

// maxQueries bounds the queries of an administrator that a prompt has.
const maxQueries = 2

// queries returns the queries that say how what the question names is computed.
func (in *Input) queries() []Demo {
	var out []Demo
	for _, q := range in.Snapshot.Queries {
		if in.asks(q) && len(out) < maxQueries && !slices.ContainsFunc(q.Relations, func(r *catalog.Relation) bool { return !in.shows(r) }) {
			out = append(out, Demo{Question: strings.Join(q.Names, ", "), SQL: q.SQL})
		}
	}
	return out
}

// asks reports whether the question has all the words of a name of a query.
func (in *Input) asks(q *catalog.Query) bool {
	question := catalog.Stems(in.Question + " " + in.Hint)
	return slices.ContainsFunc(q.Names, func(name string) bool {
		return !slices.ContainsFunc(catalog.Stems(name), func(s string) bool { return !slices.Contains(question, s) })
	})
}

// rules says what an administrator wants of a relation's rows.
func (in *Input) rules(r *catalog.Relation, n names) []string {
	var out []string
	if f := r.Condition.With(n.column); f != "" && !r.Condition.Private() {
		out = append(out, "only rows where "+line(f)+" unless the question or a definition says otherwise")
	}
	if c := r.Time; c != nil && !in.hides(c) {
		out = append(out, "its dates are "+ident(c.Name))
	}
	if len(r.Synonyms) > 0 {
		out = append(out, "also called "+line(strings.Join(r.Synonyms, ", ")))
	}
	return out
}
