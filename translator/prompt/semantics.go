package prompt

import (
	"strings"

	"askpg/catalog"
)

// maxMeasures bounds the measures that a prompt lists.
const maxMeasures = 30

// measureLines writes the aggregates that an administrator has defined, those
// that the question names first.
func measureLines(in *Input) []string {
	n := newNames(in)
	alias := func(r *catalog.Relation) string { return n.relation(r) }
	var named, others []string
	for _, m := range in.Snapshot.Measures {
		hidden := false
		for _, r := range m.Relations {
			hidden = hidden || !in.shows(r)
		}
		if hidden {
			continue
		}
		l := line(m.Name)
		if len(m.Synonyms) > 0 {
			l += " (" + line(strings.Join(m.Synonyms, ", ")) + ")"
		}
		l += " is " + line(m.Expression(alias))
		if f := m.Filter(alias); f != "" {
			l += " over rows where " + line(f)
		}
		if m.Description != "" {
			l += ": " + remark(m.Description)
		}
		if in.names(m) {
			named = append(named, l)
		} else {
			others = append(others, l)
		}
	}
	all := append(named, others...)
	return all[:min(len(all), maxMeasures)]
}

// names reports whether the question has a name of the measure.
func (in *Input) names(m *catalog.Measure) bool {
	question := " " + strings.Join(catalog.Words(in.Question+" "+in.Hint), " ") + " "
	for _, name := range append([]string{m.Name}, m.Synonyms...) {
		if words := catalog.Words(name); len(words) > 0 && strings.Contains(question, " "+strings.Join(words, " ")+" ") {
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
	return out
}
