package learn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// filtering is what is known of a proposed filter beyond its evidence.
type filtering struct {
	rows      *catalog.Relation // whose rows it leaves out
	condition string
	meant     []conjunct
	hides     string       // how many rows; "" if they were not counted
	uncounted string       // why not
	lookups   []*Statement // that look the rows up from others, without the condition
	without   []string     // what is proposed of the rows without it
}

// proposeFilters looks for conditions that nearly all queries over a relation
// have: three of them at least, and ten where the condition picks a kind of
// rows, as "job = 'driver'" does. A few reports over one kind of thing are no
// rule for the others.
func (l *learner) proposeFilters() {
	for _, r := range l.snap.Relations {
		if len(r.Condition.Refs) > 0 {
			continue
		}
		var facts []fact
		for _, f := range l.facts {
			if f.relation == r {
				facts = append(facts, f)
			}
		}
		if usual := usualConditions(facts); len(usual) > 0 {
			e, lookups := usualEvidence(facts, usual)
			l.add(&Proposal{Kind: kindFilter, Name: l.of(r), Evidence: e, table: "table", fields: []field{{"name", l.of(r)}, {"filter", joined(usual)}},
				filtering: &filtering{rows: r, condition: joined(usual), meant: usual, lookups: lookups}})
		}
	}
}

// usualConditions returns the conditions that nearly all queries over one relation have.
func usualConditions(facts []fact) []conjunct {
	found, times := map[string]conjunct{}, map[string]int{}
	for _, f := range facts {
		for _, c := range f.conjuncts {
			found[c.text] = c
			times[c.text]++
		}
	}
	var usual []conjunct
	for _, c := range found {
		few := 3
		if times[c.text] < few {
			continue
		}
		if _, in, ok := listed(c.tree); ok && in {
			few = 10
		}
		if e, _ := usualEvidence(facts, []conjunct{c}); e.enough(allShare) && len(e.For) >= few && len(sources(e.For)) > 1 {
			usual = append(usual, c)
		}
	}
	return reduce(usual)
}

// usualEvidence is for conditions on all rows of a relation. A query that has a parameter in the condition's place or chooses
// rows among those that meet it is not against it. One that looks the relation's rows up from others without it is returned
// apart: it may name who has left, and count without him.
func usualEvidence(facts []fact, conditions []conjunct) (e Evidence, lookups []*Statement) {
	for _, f := range facts {
		says, silent := true, false
		for _, c := range conditions {
			if has(f.conjuncts, c) {
				continue
			}
			says = false
			silent = silent || meets(f.conjuncts, c) || slices.ContainsFunc(c.columns, func(c *catalog.Column) bool { return f.open[c] })
		}
		switch {
		case says:
			e.For = with(e.For, f.statement)
		case silent:
		case f.main:
			e.Against = with(e.Against, f.statement)
		default:
			lookups = with(lookups, f.statement)
		}
	}
	said := func(s *Statement) bool { return slices.Contains(e.For, s) || slices.Contains(e.Against, s) }
	e.Against = slices.DeleteFunc(e.Against, func(s *Statement) bool { return slices.Contains(e.For, s) })
	return e, slices.DeleteFunc(lookups, said)
}

// contrast notes beside each proposed filter a measure or rows that are proposed of the same rows without its condition.
func (l *learner) contrast(d *definition, name string) {
	columns := slices.Clone(d.columns)
	for _, c := range d.filter {
		columns = append(columns, c.columns...)
	}
	for _, p := range l.report.Proposals {
		if p.Kind != kindFilter || d.kind == rowValue {
			continue
		}
		reads := d.relation == p.rows || slices.ContainsFunc(columns, func(c *catalog.Column) bool { return c.Relation == p.rows })
		met := func(c conjunct) bool {
			return slices.ContainsFunc(d.filter, func(o conjunct) bool {
				return strings.ReplaceAll(o.text, p.Name+".", "") == c.text || implies(o, c)
			})
		}
		if reads && slices.ContainsFunc(p.meant, func(c conjunct) bool { return !met(c) }) {
			p.without = append(p.without, name)
		}
	}
}

// CountHidden counts the rows that each proposed filter leaves out. count runs a statement of one row with two numbers, and
// fails where that is not allowed or takes too long: then the filter says why, and how to count them.
func (r *Report) CountHidden(count func(sql string) (hidden, all int64, err error)) {
	for _, p := range r.Proposals {
		if p.Kind != kindFilter {
			continue
		}
		hidden, all, err := count(p.counting())
		if err != nil {
			p.uncounted = err.Error()
			continue
		}
		p.hides = fmt.Sprintf("hides %s of %s rows", grouped(hidden), grouped(all))
	}
}

// counting is the statement that counts the rows that a filter hides, and all.
func (f *filtering) counting() string {
	return "SELECT count(*) FILTER (WHERE (" + f.condition + ") IS NOT TRUE), count(*) FROM " + f.rows.QuotedName()
}

// explain says what the filter leaves out, and where it is not kept.
func (f *filtering) explain() []string {
	lines := []string{"  " + cmp.Or(f.hides, "hides rows") + ": all but those where " + f.condition}
	if f.hides == "" {
		lines = append(lines, "  not counted: "+cmp.Or(f.uncounted, "askpg learn in a terminal counts them")+"; to count them: "+f.counting())
	}
	if len(f.lookups) > 0 {
		lines = append(lines, fmt.Sprintf("  looked up from other rows without it in %d (%s calls; %s)", len(f.lookups), grouped(calls(f.lookups)), list(sources(f.lookups))))
	}
	if len(f.without) > 0 {
		lines = append(lines, "  proposed of these rows without it: "+list(f.without))
	}
	return lines
}
