// Relating a set to another one over a path of joins, with the direction that a verb gives.

package grammar

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"askpg/catalog"
)

// relate joins a set to another over each plausible path.
func (p *parser) relate(n *phrase, child *set, m *modifier) []reading {
	if n.set.id == child.id || n.isGroupOnly(child, m) || p.isExhausted() {
		return nil
	}
	if m.negated {
		child = p.stillRunningIn(child)
	}
	out := groupsOfSize(n, child, m)
	if n.set.relation == child.relation && n.hasAggregate() && m.verb == nil && !m.negated && m.quantifier == nil && child.superlative == nil && !p.isVerbHints(m.hints) {
		out = append(out, reading{n.holding(child.conditions...), 0.1}) // what is added up is "of the 2025 concerts"
	}
	paths, unsaid := p.pathsOfVerb(n.set.relation, child.relation, m)
	paths = p.withoutTraps(paths)
	p.steps += len(paths)
	for _, pt := range paths {
		if m.verb != nil && !pt.passes(m.verb.relation) {
			continue
		}
		c := condition{kind: related, child: child, path: pt, negated: m.negated, count: m.quantifier}
		if m.quantifier != nil && m.quantifier.op == "=" && m.quantifier.count == "0" {
			c.negated, c.count = true, nil
		}
		cost := p.pathCost(n, child, m, pt)
		x := n.clone()
		if parts := p.eachValue(child); m.eachValue && m.quantifier == nil && !m.negated && len(parts) > 1 {
			for _, part := range parts {
				x.set = x.set.with(condition{kind: related, child: part, path: pt})
			}
			out = append(out, reading{x, cost})
			continue
		}
		if c.count != nil && pt.toOne() {
			continue // of what there is one at most, nothing is counted
		}
		x.set = n.set.with(p.withVerbState(c, m.hints))
		x.refusal = cmp.Or(x.refusal, unsaid, p.refuseRelating(n, c, pt, m))
		out = append(out, reading{x, cost})
	}
	return cheapestReadings(out, 4)
}

// withoutTraps leaves out the paths by rows that merely have the same one above them, where a key leads from one end to the other: doctors without
// appointments are those who have none, whatever their department has.
func (p *parser) withoutTraps(paths []path) []path {
	if !slices.ContainsFunc(paths, func(pt path) bool { return len(pt.edges) == 1 && !pt.edges[0].implied }) {
		return paths
	}
	var kept []path
	dropped := 0
	for _, pt := range paths {
		if p.chasmTrapRelation(pt) != nil {
			dropped++
			continue
		}
		pt.cheaperPaths = max(0, pt.cheaperPaths-dropped)
		kept = append(kept, pt)
	}
	return kept
}

// refuseRelating returns why things are not related to others by a path, "" if they are.
func (p *parser) refuseRelating(n *phrase, c condition, pt path, m *modifier) string {
	switch {
	case m.quantifier != nil && m.quantifier.distinct && !m.phrase.distinct && m.verb == nil && !p.isVerbOfPathRelation(pt, m.hints):
		return fmt.Sprintf("It is not said what %s have to do with %s: name it.", n.set.relation.Name.Name, c.child.relation.Name.Name)
	case c.count != nil && len(pt.edges) > 1 && slices.ContainsFunc(m.hints, func(w string) bool { return p.verbState(pt.edges[0].to, w) != nil }):
		return fmt.Sprintf("Not each of %s is one of which that is so: count those of %[1]s of which it is.", pt.edges[0].to.Name.Name)
	case m.phrase != nil:
		return m.phrase.refusal // "no late loans"
	}
	return ""
}

// isGroupOnly reports whether a measure is "by" things that have no conditions: they are the groups, and not who did it.
func (n *phrase) isGroupOnly(child *set, m *modifier) bool {
	return n.set.isMeasured && slices.Equal(m.hints, []string{"by"}) && !m.negated && m.quantifier == nil && len(child.conditions) == 0 && child.superlative == nil
}

// pathCost is what it costs to relate a phrase's things to others by a path.
func (p *parser) pathCost(n *phrase, child *set, m *modifier, pt path) float64 {
	cost := 0.2 + 0.25*(pt.cost-1) + 0.15*float64(pt.cheaperPaths) + p.hintCost(pt, m.hints)
	if n.attributeHead && len(n.items) == 1 && slices.Contains(pt.edges[0].fromCols, n.items[0].column) {
		cost += 1.2 // the column is the very thing that it is said to be related to
	}
	if m.verb != nil {
		cost -= 0.2
	}
	if n.set.relation == child.relation && m.verb == nil {
		cost += 1.5
	}
	return max(0, cost)
}

// groupsOfSize reads "hometowns of at least two teachers": the values of an attribute that so many rows have.
func groupsOfSize(n *phrase, child *set, m *modifier) []reading {
	if n.set.relation != child.relation || m.negated || child.superlative != nil || m.quantifier == nil || !n.attributeHead || len(n.group) > 0 || n.hasAggregate() {
		return nil
	}
	x := n.holding(child.conditions...)
	x.having = append(n.having[:len(n.having):len(n.having)], groupCondition{item{aggregate: "count", setID: n.set.id}, m.quantifier.op, operand{literals: []string{m.quantifier.count}, plain: m.quantifier.count}})
	return []reading{{x, 0.1}}
}

// isVerbOfPathRelation reports whether a verb names what relates the ends of a path: its relation or
// the time of it.
func (p *parser) isVerbOfPathRelation(pt path, hints []string) bool {
	return slices.ContainsFunc(pt.edges, func(e *edge) bool { return p.recordsVerb(e.to, hints) })
}

// recordsVerb reports whether a verb names a relation or the time of its rows.
func (p *parser) recordsVerb(r *catalog.Relation, hints []string) bool {
	info := p.lexicon.relationInfo[r]
	return p.hintsAt(hints, slices.Collect(maps.Keys(info.stems))) ||
		slices.ContainsFunc(info.dates, func(c *catalog.Column) bool { return p.hintsAt(hints, info.names[c]) })
}

// eachValue splits a set whose condition allows several values into one set for each value.
func (p *parser) eachValue(s *set) []*set {
	for i, c := range s.conditions {
		if c.kind != compare || c.op != "in" {
			continue
		}
		var out []*set
		for _, text := range c.value.literals {
			n := *s
			n.id = p.newID()
			n.conditions = append([]condition(nil), s.conditions...)
			n.conditions[i].op = "="
			n.conditions[i].value = operand{literals: []string{text}, plain: plainList([]string{text})}
			out = append(out, &n)
		}
		return out
	}
	return nil
}

// hintCost is the cost of a path whose column names disagree with the direction of the verb or preposition: "to Paris" goes by
// destination_id.
func (p *parser) hintCost(pt path, hints []string) (cost float64) {
	for _, e := range pt.edges {
		cost += p.directionCost(e.name, hints)
	}
	verbs := p.roleVerbs(hints)
	switch {
	case p.isReportsTo(hints) && len(pt.edges) == 1 && pt.edges[0].from == pt.edges[0].to:
		if cost -= 0.4; !pt.toOne() {
			cost += 1.9 // who reports to somebody points to him
		}
	case len(verbs) == 0:
	case p.isVerbOfRole(pt, verbs):
		cost -= 0.4
	case p.isVerbOfPath(pt, verbs):
	case slices.ContainsFunc(p.pathsBetween(pt.edges[0].from, pt.edges[len(pt.edges)-1].to), func(o path) bool { return p.isVerbOfRole(o, verbs) || p.isVerbOfPath(o, verbs) }):
		cost += 1.5 // there is a key that the verb names
	}
	return cost
}

// isReportsTo reports whether a verb is "report to", and whom it names stands behind it.
func (p *parser) isReportsTo(hints []string) bool {
	for i, t := range p.tokens {
		if t.stem == "report" && p.at(i+1).lower == "to" && i+2 < len(p.tokens) && p.at(i+2).kind != punctToken {
			return slices.Contains(hints, t.lower)
		}
	}
	return false
}

// roleVerbs returns the hints that may name a role.
func (p *parser) roleVerbs(hints []string) (out []string) {
	for _, h := range hints {
		if s := p.language.stem(h); p.language.verbs[s] || p.lexicon.roles[s] {
			out = append(out, h)
		}
	}
	return out
}

// isVerbOfRole reports whether a verb names the role by which a key of a path is called:
// who manages a site is its manager_id.
func (p *parser) isVerbOfRole(pt path, verbs []string) bool {
	return slices.ContainsFunc(pt.edges, func(e *edge) bool { return p.hintsAt(verbs, e.role) })
}

// isVerbOfPath reports whether a verb is of what the rows of a relation on a path are called: who ordered has orders.
func (p *parser) isVerbOfPath(pt path, verbs []string) bool {
	return slices.ContainsFunc(pt.edges, func(e *edge) bool {
		return slices.ContainsFunc(verbs, func(v string) bool { return p.lexicon.isVerbOfRelation(e.to, v) })
	})
}

// directionCost compares the direction of a verb or preposition with the stems of names.
func (p *parser) directionCost(names []string, hints []string) (cost float64) {
	for di := range p.language.directions {
		d := &p.language.directions[di]
		said := false
		for _, h := range hints {
			said = said || d.words[h]
		}
		if !said {
			continue
		}
		for dj := range p.language.directions {
			for _, name := range names {
				if p.language.directions[dj].names[name] {
					if di == dj {
						cost -= 0.4
					} else {
						cost += 1.5
					}
				}
			}
		}
	}
	return cost
}
