// Words that negate what another one says: "unassigned", "non refundable", "not insured".

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// negatedState reads a word that negates another one, and returns the state and where the word ends: "unassigned", "non refundable", "not
// insured". In that state are rows whose flag says so, or whose key or time of the event is null.
func (p *parser) negatedState(i int) (s *state, end int) {
	w := p.tokens[i].lower
	if len(p.lexicon.labelsByStem[p.tokens[i].stem]) > 0 {
		return nil, i
	}
	stem, end, without := p.at(i+1).stem, i+2, []string(nil)
	switch {
	case w == "not" && p.at(i+1).kind == wordToken:
		return &state{Denied: []string{stem}}, end
	case w == "non" && p.at(i+1).kind == wordToken:
	case strings.HasPrefix(w, "un") && len(w) > 5, strings.HasPrefix(w, "in") && len(w) > 6:
		stem, end = p.language.stem(w[2:]), i+1
		if w[0] == 'u' { // what is inpatient is not without patients
			without = p.lexicon.derived(w[2:])
		}
	default:
		return nil, i
	}
	return &state{Denied: []string{stem}, Lacks: []string{stem}, Unlinked: stem, Without: without}, end
}

// withoutEvent returns the condition on rows to which nothing has happened that the state names: an unpaid order has no payments. nil
// if nothing is called so, or several things are.
func (p *parser) withoutEvent(r *catalog.Relation, s *state) []condition {
	var found []*edge
	for _, e := range p.lexicon.graph.edges[r] {
		refers := e.to != r && len(e.toCols) == 1 && p.lexicon.graph.isForeign(e.toCols[0]) && len(p.lexicon.relationInfo[e.to].dates) > 0
		if !refers || slices.ContainsFunc(e.to.Columns, func(c *catalog.Column) bool { return isYesNo(c) || p.lexicon.isStatus(c) }) {
			continue // a payment may have failed
		}
		named := false
		if !slices.ContainsFunc(splitName(e.to.Name.Name), func(w string) bool {
			stem := p.language.stem(w)
			called := slices.Contains(s.Without, stem)
			named = named || called
			return !called && !p.lexicon.relationInfo[r].stems[stem]
		}) && named {
			found = append(found, e)
		}
	}
	e := only(found)
	if e == nil {
		return nil
	}
	return []condition{{kind: related, negated: true, undated: true, child: &set{id: p.newID(), relation: e.to}, path: e.path()}}
}

// keepNegatedStates drops the readings of a word as a negated state ("undelivered") where no relation that the question mentions has that
// state.
func (p *parser) keepNegatedStates() {
	for i := range p.tokens {
		s, end := p.negatedState(i)
		read := p.statesAt[i][end]
		if s != nil && len(read) == 1 && read[0].Unlinked != "" && !slices.ContainsFunc(p.relations, func(r *catalog.Relation) bool { return p.mentionsRelationOrColumn(r) && p.stateOf(r, s) != nil }) {
			delete(p.statesAt[i], end)
		}
	}
}

// keyOfNegated returns the key that is null for rows in a negated state: assigned_agent_id for "unassigned".
func (p *parser) keyOfNegated(r *catalog.Relation, stem string) *catalog.Column {
	c := p.lexicon.keyNamed(r, stem)
	if c != nil || stem != p.language.stem("assign") {
		return c
	}
	return onlyWhere(r.Columns, func(c *catalog.Column) bool {
		return !c.NotNull && slices.ContainsFunc(p.lexicon.graph.edges[r], func(e *edge) bool {
			return e.toOne && e.to != r && len(e.fromCols) == 1 && e.fromCols[0] == c && p.isPeople(e.to)
		})
	})
}

// keyNamed returns the only key of a relation that may be empty and has a stem in its name: a ticket is assigned by its
// assigned_agent_id. nil if there is none or several.
func (x *lexicon) keyNamed(r *catalog.Relation, stem string) *catalog.Column {
	return onlyWhere(r.Columns, func(c *catalog.Column) bool {
		return stem != "" && !c.NotNull && x.graph.isForeign(c) && slices.Contains(x.relationInfo[r].names[c], stem)
	})
}
