// Reading and applying "late", "on time".

package grammar

import (
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// Punctuality: whether something was done before the day by which it had to be.

// punctual reads "late", "on time" behind what was done, which the words of a
// verb or noun in hints name.
func (p *parser) punctual(i int, hints []string) (out []modifierCandidate) {
	for _, k := range []struct{ tag, op string }{{"late", ">"}, {"on_time", "<="}, {"early", "<"}} {
		for _, e := range p.ends(i, k.tag) {
			out = append(out, modifierCandidate{modifier{kind: modifierPunctual, op: k.op, hints: hints}, e, 0.05})
		}
	}
	// "after the due date", "on or before the promised day"
	for _, k := range []struct{ tag, op string }{{"after_time", ">"}, {"by_time", "<="}, {"before_time", "<"}} {
		for _, e := range p.ends(i, k.tag) {
			for _, t := range p.namedTimesAt(e) {
				if due := slices.DeleteFunc(slices.Clone(t.columns), func(c *catalog.Column) bool { return !p.isDue(c) }); len(due) > 0 {
					out = append(out, modifierCandidate{modifier{kind: modifierPunctual, op: k.op, hints: hints, columns: due}, t.end, 0.05})
				}
			}
		}
	}
	return out
}

// late reads "late invoices", "on time deliveries".
func (p *parser) late(i int) (out []candidate) {
	for _, m := range p.punctual(i, nil) {
		if len(m.modifier.columns) > 0 {
			continue
		}
		for end, a := range inOrder(p.mentions.attributes[m.end]) {
			// "late returns": what was done is called by its time
			if d := nullableTimes(a); d != nil {
				for _, c := range d.candidates {
					said := m.modifier
					said.hints = p.wordsBetween(m.end, end)
					out = append(out, candidates(p.applyPunctual(p.entity(c.column.Relation), &said), end, m.cost+3*(1-c.score)/2)...)
				}
			}
		}
		for _, c := range p.noun(m.end) {
			if !c.phrase.isEntity() {
				continue
			}
			said := m.modifier
			said.hints = p.wordsBetween(c.phrase.words[0], c.phrase.words[1])
			out = append(out, candidates(p.applyPunctual(c.phrase, &said), c.end, c.cost+m.cost)...)
		}
	}
	return out
}

// applyPunctual compares when something was done with when it was due.
func (p *parser) applyPunctual(n *phrase, m *modifier) (out []reading) {
	if n.set == nil {
		return nil
	}
	walk(n.set, func(s *set, depth int) {
		if done, due := p.doneAndDue(s.relation, m); done != nil {
			x := n.replacing(s.with(condition{kind: compare, column: done, op: m.op, value: operand{column: due, plain: due.Name}}))
			names := p.lexicon.relationInfo[s.relation].names[done]
			said := p.mentionsStem(names...) || p.mentionsStem(p.language.stem("arrived")) || p.hintsAt(m.hints, names)
			if m.op == ">" && len(m.columns) == 0 && !done.NotNull && !said {
				x.refusal = fmt.Sprintf("What is late may still be open: say %s late, or overdue.", strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(done.Name, "_at"), "_on"), "_", " "))
			}
			out = append(out, reading{x, 0.05 + 0.3*float64(depth)})
		}
	})
	return cheapestReadings(out, 2)
}

// doneAndDue returns the time at which rows of a relation are done and the one by
// which they have to be; nil if it is not clear which these are. A verb in hints
// names when it is done, else that is the only time that is not there from the
// beginning.
func (p *parser) doneAndDue(r *catalog.Relation, m *modifier) (done, due *catalog.Column) {
	info, hints := p.lexicon.relationInfo[r], m.hints
	var named, later []*catalog.Column
	dues := p.dueTimes(r)
	if len(m.columns) > 0 {
		dues = slices.DeleteFunc(slices.Clone(m.columns), func(c *catalog.Column) bool { return c.Relation != r })
	}
	if len(dues) != 1 {
		return nil, nil
	}
	begun := slices.ContainsFunc(info.dates, func(c *catalog.Column) bool { return !p.isDue(c) && !c.NotNull })
	if onlyWhere(info.dates, func(c *catalog.Column) bool { return !p.isDue(c) }) != nil {
		later = slices.DeleteFunc(slices.Clone(info.dates), func(c *catalog.Column) bool {
			return !c.NotNull || p.isDue(c) || !slices.ContainsFunc(info.names[c], func(s string) bool { return p.language.completionVerbs[s] })
		}) // all that is there was delivered
	}
	for _, c := range info.dates {
		if p.isDue(c) || c == info.deleted || c == info.left || c.NotNull && begun {
			continue // what each row has from the beginning is not done later
		}
		if p.hintsAt(hints, info.names[c]) {
			named = append(named, c)
		}
		if !c.NotNull && !slices.ContainsFunc(info.names[c], func(s string) bool { return p.language.cancellationNames[s] }) {
			later = append(later, c)
		}
	}
	if len(named) == 0 && !slices.ContainsFunc(hints, func(h string) bool {
		return p.language.verbs[p.language.stem(h)] && !p.language.completionVerbs[p.language.stem(h)]
	}) {
		named = later
	}
	if len(named) != 1 {
		return nil, nil
	}
	return named[0], dues[0]
}

// dueTimes returns the times of a relation by which something has to be done, those
// that are called so the surest.
func (p *parser) dueTimes(r *catalog.Relation) []*catalog.Column {
	info := p.lexicon.relationInfo[r]
	for _, words := range p.language.dueNames {
		var dues []*catalog.Column
		for _, c := range info.dates {
			if slices.ContainsFunc(info.names[c], func(s string) bool { return words[s] }) {
				dues = append(dues, c)
			}
		}
		if len(dues) > 0 {
			return dues
		}
	}
	return nil
}

// isDue reports whether a time is one by which something has to be done.
func (p *parser) isDue(c *catalog.Column) bool {
	return slices.ContainsFunc(p.lexicon.relationInfo[c.Relation].names[c], func(s string) bool {
		return slices.ContainsFunc(p.language.dueNames, func(words map[string]bool) bool { return words[s] })
	})
}
