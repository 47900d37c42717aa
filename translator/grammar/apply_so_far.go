// How far something has come: "shipped but not delivered", of a status whose values have an order.

package grammar

import (
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// soFar takes one state but not a later one for all states from the one until before the other, where the catalog has their order: what
// is paid but not delivered may be shipped. What was called off has not come so far.
func (p *parser) soFar(n *phrase) *phrase {
	if n.set == nil {
		return n
	}
	for i, c := range n.set.conditions {
		later := slices.IndexFunc(n.set.conditions, func(d condition) bool { return d.kind == compare && d.op == "<>" && d.column == c.column })
		if c.kind != compare || c.op != "=" || later < 0 || !p.lexicon.isStatus(c.column) {
			continue
		}
		between := p.statesBetween(c, n.set.conditions[later])
		if len(between) == 0 {
			continue
		}
		s := *n.set
		s.conditions = slices.Clone(s.conditions)
		s.conditions[i] = oneOf(c.column, between)
		s.conditions = slices.Delete(s.conditions, later, later+1)
		return n.over(&s)
	}
	return n
}

// withoutCalledOff leaves out what was cancelled of what did not happen to orders and the like, where the question speaks of no status: nobody
// ships or waits for what was called off. What is not won yet is not lost either.
func (p *parser) withoutCalledOff(n *phrase) *phrase {
	if n.set == nil || !p.isEvent(n.set.relation) && !p.hasYet || !p.deniesVerb() {
		return n
	}
	waits := slices.ContainsFunc(n.set.conditions, func(c condition) bool {
		return c.kind == related && c.negated && !c.path.toOne() && p.isEvent(c.child.relation) && len(c.child.conditions) == 0 || c.kind == compare && c.op == "is null" && isTime(c.column)
	})
	if !waits || slices.ContainsFunc(n.set.conditions, func(c condition) bool { return c.kind == compare && p.lexicon.isStatus(c.column) }) {
		return n
	}
	over := p.language.voidNames
	if p.hasYet {
		over = slices.Concat(over, p.failureNames(n.set.relation))
	}
	return n.holding(p.lexicon.withoutStatusOf(n.set.relation, n.set.conditions, over)...)
}

// failureNames returns the words by which states and times of a relation say that something went wrong for good, such as "lost".
func (p *parser) failureNames(r *catalog.Relation) (names []string) {
	for _, c := range r.Columns {
		for _, s := range p.lexicon.relationInfo[r].names[c] {
			if isTime(c) && p.language.failureVerbs[s] {
				names = append(names, s)
			}
		}
		if !p.lexicon.isStatus(c) {
			continue
		}
		for _, v := range p.lexicon.statusValues(c) {
			if p.isFailure(v.Text) {
				names = append(names, p.language.stemPhrase(v.Text))
			}
		}
	}
	return names
}

// deniesVerb reports whether the question says that something was not done: "not shipped", "have not been received".
func (p *parser) deniesVerb() bool {
	for i := 1; i < len(p.tokens); i++ {
		last := p.tokens[i-1].lower
		denied := p.isNegatedBefore(i) && (!p.isNegatedBefore(i-1) || last == "yet" || last == "been") || last == "never"
		if denied && p.isInflected(i) && (p.hasYet || p.language.outcomeVerbs[p.tokens[i].stem]) {
			return true
		}
	}
	return false
}

// statesBetween returns the literals of the states from that of a condition until before that of a later one, in the order that the catalog
// has. None if it has no order, if the first is none that is reached, or if what is between leads nowhere: what is pending is nothing else,
// and what was not cancelled may be anything.
func (p *parser) statesBetween(first, later condition) (between []string) {
	order := first.column.Enum
	if len(order) == 0 {
		order = first.column.Allowed
	}
	if slices.IsSorted(order) || !p.isAchieved(first) {
		return nil // an order of the alphabet says nothing
	}
	reached := false
	for _, v := range order {
		void := slices.Contains(p.language.voidNames, p.language.stemPhrase(v))
		reached = reached || first.says(literal(v))
		switch {
		case later.says(literal(v)):
			if void {
				return nil
			}
			return between
		case reached && p.isFailure(v):
			return nil
		case reached && !void:
			between = append(between, literal(v))
		}
	}
	return nil
}

// isAchieved reports whether a condition is of a state that something has come to, which a participle says: "paid", and not "pending".
func (p *parser) isAchieved(c condition) bool {
	if len(c.value.literals) != 1 {
		return false
	}
	state := strings.ToLower(strings.Trim(c.value.literals[0], "'"))
	return strings.HasSuffix(state, "ed") || p.language.irregular[state] != "" && p.language.verbs[p.language.stem(state)]
}

// isFailure reports whether a state is none on the way to another one.
func (p *parser) isFailure(state string) bool {
	return p.language.failureVerbs[p.language.stem(strings.ToLower(state))]
}

// refuseNotYet refuses every other state for what something is not yet: an order that is not paid yet has not been delivered either.
func (p *parser) refuseNotYet(n *phrase) string {
	if !p.hasYet && !isSaid(p.tokens, "yet") { // a phrase keeps the word
		return ""
	}
	for s, c := range conditionsIn(n.set) {
		if c.kind != compare || c.op != "<>" || !isText(c.column) {
			continue
		}
		names := p.lexicon.relationInfo[s.relation].names[c.column]
		called := slices.Contains(names, p.language.stem("status")) || slices.Contains(names, p.language.stem("state"))
		if called && len(p.lexicon.statusValues(c.column)) != 2 {
			return fmt.Sprintf("It is not said which states of %s come before %s: name the status that is meant.", c.column.Name, c.value.plain)
		}
	}
	return ""
}
