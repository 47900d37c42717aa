package prompt

import (
	"cmp"
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
		if in.names(m) {
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

// Limits of the definitions that a prompt lists.
const (
	fewDefinitions = 8  // are listed whatever the question is
	maxDefinitions = 14 // that the question touches
)

// definitionLines writes the measures and terms that an administrator has
// defined: those that the question names, then those that share a word with it,
// then, up to fewDefinitions, those of relations near the question.
func definitionLines(in *Input) []string {
	n := newNames(in)
	type scored struct {
		line  string
		score int
	}
	var all []scored
	for _, m := range slices.Concat(in.Snapshot.Measures, in.Snapshot.Terms) {
		if !slices.ContainsFunc(m.Relations, func(r *catalog.Relation) bool { return !in.shows(r) }) {
			all = append(all, scored{definitionLine(m, n), in.touches(m)})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var out []string
	for _, d := range all {
		if len(out) < fewDefinitions || len(out) < maxDefinitions && d.score > near {
			out = append(out, d.line)
		}
	}
	return out
}

// definitionLine says what a measure or term is.
func definitionLine(m *catalog.Measure, n *names) string {
	alias := func(r *catalog.Relation) string { return n.relation(r) }
	l := line(m.Name)
	if len(m.Synonyms) > 0 {
		l += " (" + line(strings.Join(m.Synonyms, ", ")) + ")"
	}
	value, condition := m.Expression(alias), m.Filter(alias)
	switch {
	case value == "":
		l += " are rows of " + n.relation(m.Relation) + " where " + line(condition)
	case condition == "":
		l += " is " + line(value)
	default:
		l += " is " + line(value) + " over rows where " + line(condition)
	}
	if m.Time != nil && !m.Time.Private {
		l += ", its dates are " + n.relation(m.Relation) + "." + ident(m.Time.Name)
	}
	if m.Description != "" {
		l += ": " + remark(m.Description)
	}
	return l
}

// Scores of definitions for a question.
const (
	near   = 1   // of a relation near the question
	shared = 10  // a word of a name is in the question
	whole  = 100 // a name is
)

// touches scores how much a question is about a measure or term.
func (in *Input) touches(m *catalog.Measure) (score int) {
	if in.names(m) {
		return whole
	}
	question := catalog.Stems(in.Question + " " + in.Hint)
	for _, name := range append([]string{m.Name}, m.Synonyms...) {
		n := 0
		for i, w := range catalog.Words(name) {
			if !catalog.IsFrequent(w) && slices.Contains(question, catalog.Stems(name)[i]) {
				n += shared
			}
		}
		score = max(score, n)
	}
	if score == 0 && slices.Contains(in.Near, m.Relation) {
		return near
	}
	return score
}

// names reports whether the question has a name of the measure or term.
func (in *Input) names(m *catalog.Measure) bool {
	question := " " + strings.Join(catalog.Stems(in.Question+" "+in.Hint), " ") + " "
	for _, name := range append([]string{m.Name}, m.Synonyms...) {
		if stems := catalog.Stems(name); len(stems) > 0 && strings.Contains(question, " "+strings.Join(stems, " ")+" ") {
			return true
		}
	}
	return false
}

// rules says what an administrator wants of a relation's rows.
func (in *Input) rules(r *catalog.Relation, n *names) []string {
	var out []string
	if f := r.Filter(func(r *catalog.Relation) string { return n.relation(r) }); f != "" {
		out = append(out, "only rows where "+line(f)+" unless the question says otherwise")
	}
	if c := r.Time; c != nil && in.visible([]*catalog.Column{c}) {
		out = append(out, "its dates are "+ident(c.Name))
	}
	if len(r.Synonyms) > 0 {
		out = append(out, "also called "+line(strings.Join(r.Synonyms, ", ")))
	}
	return out
}

// extras says what an administrator adds to a column.
func extras(c *catalog.Column) []string {
	var out []string
	if c.Unit != "" {
		out = append(out, "in "+line(c.Unit))
	}
	if len(c.Synonyms) > 0 {
		out = append(out, "also called "+line(strings.Join(c.Synonyms, ", ")))
	}
	if len(c.Labels) > 0 {
		labels := make([]string, len(c.Labels))
		for i, l := range c.Labels {
			labels[i] = line(l.Value) + " = " + line(l.Text)
		}
		out = append(out, "codes: "+strings.Join(labels, ", "))
	}
	return out
}
