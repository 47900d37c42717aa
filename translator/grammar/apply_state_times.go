// The time of a state: "cancelled orders this month" may have been ordered in it or cancelled in it.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// withTimesOfStates adds readings in which a time belongs to the state before the noun: "cancelled orders last month" may have been
// cancelled then. If the state's verb stands right before the time ("offers won last year"), the reading by another time is dropped.
func (p *parser) withTimesOfStates(list []reading) []reading {
	for i, r := range list {
		if r.phrase.set == nil {
			continue
		}
		for _, c := range r.phrase.set.conditions {
			became, verb := p.timeOfState(r.phrase.set.relation, c)
			if became == nil {
				continue
			}
			if then := withTimeColumn(r.phrase, became); then != nil && verb {
				list[i].phrase = then
			} else if then != nil {
				list = append(list, reading{then, r.cost})
			}
		}
	}
	return list
}

// timeOfState returns the time at which a condition came to hold: the column that is not null, the one named like the value (closed_at of
// "closed tickets"), or the one of the outcome (decided_on of "won bids"). It returns nil if there is none. The second result says
// whether the value is a verb right before a time.
func (p *parser) timeOfState(r *catalog.Relation, c condition) (became *catalog.Column, verb bool) {
	switch {
	case c.kind == compare && c.op == "is not null" && isTime(c.column):
		return c.column, false
	case c.kind != compare || c.op != "=" || !isText(c.column):
		return nil, false
	}
	for i := range p.tokens {
		for end, hits := range inOrder(p.mentions.values[i]) {
			verb := p.isDated(end - 1)
			if !p.isInflected(i) && !p.language.outcomeVerbs[p.tokens[i].stem] || !verb && !p.namesAt(end, r) || !slices.ContainsFunc(hits, func(h valueMention) bool { return h.column == c.column }) {
				continue
			}
			for _, a := range p.mentions.attributes[i][end].all() {
				if a.column.Relation == r && a.score >= namedScore && isTime(a.column) && !a.column.NotNull {
					return a.column, false
				}
			}
			if ended := p.lexicon.firstNullable(r, p.language.outcomeTimeNames); p.language.outcomeVerbs[p.tokens[i].stem] && ended != nil {
				return ended, verb
			}
		}
	}
	return nil, false
}

// withTimeColumn moves the unbound time of a phrase to another column. It returns nil if the phrase has no unbound time of another
// column, or if the time is in the future.
func withTimeColumn(n *phrase, column *catalog.Column) *phrase {
	bare := slices.IndexFunc(n.set.conditions, func(c condition) bool {
		return c.unbound && c.kind == compare && c.op == "range" && !strings.Contains(c.value.literals[0], "+")
	})
	if bare < 0 || n.set.conditions[bare].column == column {
		return nil
	}
	x, s := n.clone(), *n.set
	s.conditions = slices.Clone(s.conditions)
	s.conditions[bare].column = column
	s.conditions = slices.DeleteFunc(s.conditions, func(c condition) bool { return c.kind == compare && c.op == "is not null" && c.column == column })
	x.set = &s
	return x
}
