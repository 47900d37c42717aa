// Only: "customers who only ordered by phone" have such orders and no other ones.

package grammar

import "slices"

// onlySuch wraps what is said behind "only".
func onlySuch(list []modifierCandidate) (out []modifierCandidate) {
	for _, m := range list {
		switch how := m.modifier.quantifier; {
		case m.modifier.negated:
		case how != nil && how.op == "=":
			out = append(out, m) // "only ordered once"
		case how == nil:
			out = append(out, modifierCandidate{modifier{kind: modifierOnly, parts: []modifier{m.modifier}}, m.end, m.cost + 0.1})
		}
	}
	return out
}

// applyOnly narrows things to those that have some rows of which something holds, and none of which it does not. It has to be one condition: of
// several it is not said which of them "only" is about.
func (p *parser) applyOnly(n *phrase, m *modifier) (out []reading) {
	if !n.isEntity() {
		return nil
	}
	before := len(n.set.conditions)
	for _, r := range p.apply(n, &m.parts[0]) {
		s := r.phrase.set
		if s == nil || s.relation != n.set.relation || len(s.conditions) != before+1 {
			continue
		}
		such := s.conditions[before]
		if such.kind != related || such.negated || such.count != nil || such.path.toOne() || such.child.superlative != nil || len(such.child.conditions) != 1 || isOfLatest(such.child) {
			continue
		}
		other := such
		other.negated = true
		other.child = (&set{id: p.newID(), relation: such.child.relation}).with(condition{kind: noneOf, parts: such.child.conditions})
		out = append(out, reading{r.phrase.over(s.with(other)), r.cost})
	}
	return out
}

// refuseOnlyInTime refuses a time behind what "only" is about: those who "only ordered by phone in 2025" may have ordered otherwise in other years.
func (p *parser) refuseOnlyInTime(n *phrase) string {
	for _, c := range conditionsIn(n.set) {
		if c.kind == related && c.negated && len(c.child.conditions) > 1 && c.child.conditions[0].kind == noneOf && slices.ContainsFunc(c.child.conditions[1:], isTimed) {
			return "It is not said whether \"only\" is about all times or that one: leave the time out."
		}
	}
	return ""
}

// isOfLatest reports whether rows are of the latest time that has a name: "in December" is of each year behind "only".
func isOfLatest(s *set) bool {
	for _, c := range conditionsIn(s) {
		if c.latest {
			return true
		}
	}
	return false
}
