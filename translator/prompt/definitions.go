package prompt

import (
	"cmp"
	"slices"
	"strings"

	"askpg/catalog"
)

// Limits of the definitions that a prompt lists.
const (
	fewDefinitions = 7  // are listed of relations near the question, even if it does not touch them
	maxDefinitions = 12 // that the question touches
	maxAlong       = 4  // that these speak of
)

// definitionLines writes the measures and terms that an administrator has defined over no private column, as far as they matter for the question:
// those that it touches, the most of them first, or else a few of the relations that are nearest, and those whose names they
// use.
func definitionLines(in *Input) []string {
	type scored struct {
		*catalog.Measure
		score float64
	}
	var all []scored
	asked := catalog.Asked(in.Question + " " + in.Hint)
	for _, m := range slices.Concat(in.Snapshot.Measures, in.Snapshot.Terms) {
		if !m.Aggregate.Private() && !m.Condition.Private() && !slices.ContainsFunc(m.Relations, func(r *catalog.Relation) bool { return !in.shows(r) }) {
			all = append(all, scored{m, in.touches(m, asked)})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var chosen, others []*catalog.Measure
	for _, d := range all {
		switch n := len(chosen); {
		case n < maxDefinitions && d.score >= touched, n < fewDefinitions && (d.score > 0 || in.Near == nil):
			chosen = append(chosen, d.Measure)
		default:
			others = append(others, d.Measure)
		}
	}
	chosen = append(chosen, spokenOf(chosen, others)...)
	n := newNames(in)
	lines := make([]string, len(chosen))
	for i, m := range chosen {
		lines[i] = definitionLine(m, n)
	}
	return lines
}

// spokenOf returns the definitions among others whose names stand in the names and descriptions of those that were chosen: "lost customers" takes
// what a customer is.
func spokenOf(chosen, others []*catalog.Measure) (out []*catalog.Measure) {
	for at := 0; at < len(chosen)+len(out); at++ {
		m := slices.Concat(chosen, out)[at]
		text := strings.Join(append(slices.Clone(m.Synonyms), m.Name, m.Description), " / ")
		for _, o := range others {
			if len(out) < maxAlong && !slices.Contains(out, o) && named(o, text) {
				out = append(out, o)
			}
		}
	}
	return out
}

// definitionLine says what a measure or term is.
func definitionLine(m *catalog.Measure, n names) string {
	l := line(m.Name)
	if len(m.Synonyms) > 0 {
		l += " (" + line(strings.Join(m.Synonyms, ", ")) + ")"
	}
	value, condition := m.Aggregate.With(n.column), m.Condition.With(n.column)
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

// Scores of how much a definition matters for a question.
const (
	whole   = 100. // the question has a name of it
	touched = 10.  // a word of a name
	covered = 5.   // all words of a name, a part of them for less
	reading = 3.   // it reads a column that the question names or mentions a value of
	told    = 2.   // a word of its description
	nearest = 2.   // it is of the relation that is nearest to the question
	near    = 1.   // it is of another one near it
)

// touches scores how much a question that asks for these stems is about a measure or term.
func (in *Input) touches(m *catalog.Measure, asked map[string]float64) (score float64) {
	if named(m, in.Question+" "+in.Hint) {
		return whole
	}
	for _, name := range append([]string{m.Name}, m.Synonyms...) {
		stems, n := catalog.Stems(name), 0.
		for _, s := range stems {
			n += asked[s]
		}
		if n > 0 {
			score = max(score, touched*n+covered*n/float64(len(stems)))
		}
	}
	for _, s := range catalog.Stems(m.Description) {
		if asked[s] == 1 {
			score += told
			break
		}
	}
	if slices.ContainsFunc(slices.Concat(m.Aggregate.Refs, m.Condition.Refs), func(r catalog.Reference) bool { return in.asksFor(r.Column, asked) }) {
		score += reading
	}
	switch i := slices.Index(in.Near, m.Relation); {
	case i == 0:
		score += nearest
	case i > 0:
		score += near
	}
	return score
}

// asksFor reports whether the question that asks for these stems names a column, or mentions a value of it.
func (in *Input) asksFor(c *catalog.Column, asked map[string]float64) bool {
	return slices.ContainsFunc(catalog.Stems(c.Name), func(s string) bool { return asked[s] == 1 }) ||
		slices.ContainsFunc(in.Hits, func(h catalog.Hit) bool { return h.Column == c })
}

// named reports whether a text has a name of the measure or term.
func named(m *catalog.Measure, text string) bool {
	text = " " + strings.Join(catalog.Stems(text), " ") + " "
	return slices.ContainsFunc(append([]string{m.Name}, m.Synonyms...), func(name string) bool {
		stems := catalog.Stems(name)
		return len(stems) > 0 && strings.Contains(text, " "+strings.Join(stems, " ")+" ")
	})
}
