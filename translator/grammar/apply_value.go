// Applying values: which column holds them, on which set.

package grammar

import (
	"cmp"
	"slices"

	"askpg/catalog"
)

// applyValue narrows a set to the rows that hold a value, themselves or
// through what they are related to.
func (p *parser) applyValue(n *phrase, m *modifier) []reading {
	var out []lazyReading
	columns := m.phrase.valueColumns()
	for _, h := range columns {
		if !p.hasValues(m.phrase, h.column) || m.ofThingItself && !p.isStateColumn(n.set.relation, h.column) {
			continue
		}
		cost := 2*(1-h.score) + p.directionCost(p.lexicon.relationInfo[h.column.Relation].names[h.column], m.hints)
		up := p.parentKey(h.column, m.hints)
		switch {
		case up != nil && h.column.Relation == n.set.relation && !m.negated:
			out = append(out, lazyReading{cost + 0.15, func() *phrase {
				c, _ := p.valueCondition(m.phrase, h.column, false)
				return n.holding(condition{kind: related, child: (&set{id: p.newID(), relation: up.to}).with(c), path: up.path()})
			}})
		case h.column.Relation != n.set.relation:
			out = append(out, p.relatedValue(n, m, h.column, cost)...)
		case m.verb == nil || m.verb.relation == n.set.relation:
			out = append(out, p.ownValue(n, m, h.column, cost))
		}
	}
	return cheapestLazy(out, 5)
}

// lazyReading is a reading that is made only if it is among the cheapest: a value may be in very many columns.
type lazyReading struct {
	cost float64
	make func() *phrase
}

// cheapestLazy makes the n readings of least cost.
func cheapestLazy(list []lazyReading, n int) []reading {
	slices.SortStableFunc(list, func(a, b lazyReading) int { return cmp.Compare(a.cost, b.cost) })
	out := make([]reading, 0, n)
	for _, c := range list[:min(len(list), n)] {
		out = append(out, reading{c.make(), c.cost})
	}
	return out
}

// valueColumns returns the columns that hold one of a phrase's values, each as it was first found.
func (n *phrase) valueColumns() (out []valueMention) {
	if len(n.values) == 1 {
		return n.values[0] // one of a column
	}
	for i, hits := range n.values {
		if i == 0 {
			out = slices.Clip(hits)
			continue
		}
		for _, h := range hits {
			if !slices.ContainsFunc(out, func(o valueMention) bool { return o.column == h.column }) {
				out = append(out, h)
			}
		}
	}
	return out
}

// ownValue says of a set's rows that they hold a value themselves.
func (p *parser) ownValue(n *phrase, m *modifier, column *catalog.Column, cost float64) lazyReading {
	cost += p.ownNameCost(n, column, m.hints)
	if len(n.items) == 1 && n.items[0].column == column && (n.items[0].aggregate == "" || n.items[0].aggregate == "count") {
		cost += 1.5 // nothing is asked if the answer is given
	}
	if p.lexicon.graph.isForeign(column) {
		cost += 0.05
	}
	if len(m.phrase.values) > 1 && !m.phrase.alternatives {
		cost += 0.1
	}
	return lazyReading{cost, func() *phrase {
		c, _ := p.valueCondition(m.phrase, column, m.negated)
		return n.holding(c)
	}}
}

// ownNameCost is what it costs to say a thing's own name with "in" or "from": it is said by naming it.
func (p *parser) ownNameCost(n *phrase, c *catalog.Column, hints []string) float64 {
	if len(hints) == 0 {
		return 0
	}
	display := p.lexicon.relationInfo[n.set.relation].display
	isName := len(display) > 0 && display[0] == c && hints[0] != "have"
	switch {
	case isName && p.isVerbHints(hints):
		return 0.35 + 0.6 // a thing does nothing to itself
	case isName && hints[0] == "of":
		return 0
	case isName && len(n.items) == 0:
		return 0.35 + 0.5
	case isName:
		return 0.35
	case hints[0] == "of" && len(n.items) == 0:
		return 0.15
	}
	return 0
}

// relatedValue says of a set's rows that they are related to rows that hold a value.
func (p *parser) relatedValue(n *phrase, m *modifier, column *catalog.Column, base float64) (out []lazyReading) {
	shownBy := slices.Contains(p.lexicon.relationInfo[column.Relation].display, column)
	paths, unsaid := p.pathsOfVerb(n.set.relation, column.Relation, m)
	for i := range paths {
		pt := paths[i]
		if m.verb != nil && !pt.passes(m.verb.relation) || p.isOwnKey(n.set, column, pt, m.verb != nil) {
			continue
		}
		if m.negated && m.verb == nil && !p.isVerbHints(m.hints) && !shownBy {
			continue // "customers without phone" are not those that never ordered by it
		}
		if !shownBy && !pt.toOne() && m.verb == nil && len(m.hints) == 0 && !p.mentionsRelationOrColumn(column.Relation) {
			continue // what one of several others is, of which nobody spoke, is not said of this
		}
		cost := base + 0.25 + 0.3*(pt.cost-1) + 0.15*float64(pt.cheaperPaths) + p.hintCost(pt, m.hints) + alongMeasure(n.set, pt)
		if pt.toOne() {
			cost -= 0.1
		}
		cost += sparseCost(pt)
		if !shownBy {
			cost += 0.15 // not the name of what it is related to
		}
		if p.lexicon.graph.isForeign(column) && m.verb == nil {
			cost += 0.4 // rows that only point to the thing of that name
		}
		out = append(out, lazyReading{max(0, cost), func() *phrase {
			x := n.clone()
			c, _ := p.valueCondition(m.phrase, column, false)
			x.set = p.withRelatedValue(n.set, m, c, paths[i])
			x.refusal = cmp.Or(unsaid, x.refusal)
			return x
		}})
	}
	return out
}

// isOwnKey reports whether a value is of the key that the last edge of a path joins by. The same key is on the other side of the join,
// and the condition belongs there.
func (p *parser) isOwnKey(s *set, c *catalog.Column, pt path, done bool) bool {
	last := pt.edges[len(pt.edges)-1]
	return slices.Contains(last.toCols, c) && (done || last.fromCols[0].Relation == s.relation)
}

// withRelatedValue narrows a set to the rows that are related by a path to rows that hold
// a value; where each of several values has to hold, to rows of each.
func (p *parser) withRelatedValue(s *set, m *modifier, c condition, pt path) *set {
	v := m.phrase
	holding := func(c condition) *set { return (&set{id: p.newID(), relation: c.column.Relation}).with(c) }
	if pt.toOne() || len(v.values) < 2 || v.alternatives && !v.eachValue {
		child := holding(c)
		if pt.toOne() {
			child.conditions[0] = p.orPartOf(c)
		}
		return s.with(p.withVerbState(condition{kind: related, child: child, path: pt, negated: m.negated}, m.hints))
	}
	for k := range v.values {
		one := &phrase{values: v.values[k : k+1]}
		if len(v.literals) > k {
			one.literals = v.literals[k : k+1]
		}
		c, _ := p.valueCondition(one, c.column, false) // it has one, as all of them together do
		s = s.with(condition{kind: related, child: holding(c), path: pt, negated: m.negated})
	}
	return s
}

// parentKey returns the key from things to a parent of the same relation that a verb such as "belongs to" means, if the column shows what
// the parent is called; nil if there is none.
func (p *parser) parentKey(col *catalog.Column, hints []string) *edge {
	if !slices.Contains(p.lexicon.relationInfo[col.Relation].display, col) || !p.isVerbHints(hints) {
		return nil
	}
	for _, e := range p.lexicon.graph.edges[col.Relation] {
		if e.to != col.Relation || !e.toOne {
			continue
		}
		said := p.lexicon.stems(commentWords(e.fromCols[0].Comment))
		if slices.ContainsFunc(hints, func(h string) bool {
			s := p.language.stem(h)
			return p.language.verbs[s] && (slices.Contains(said, s) || s == "belong" && slices.Contains(e.name, "parent"))
		}) {
			return e
		}
	}
	return nil
}

// isVerbHints reports whether hints come from a verb and not from a preposition.
func (p *parser) isVerbHints(hints []string) bool {
	for _, h := range hints {
		if p.language.placeVerbs[p.language.stem(h)] {
			return false
		}
		if p.language.verbs[p.language.stem(h)] && h != "have" && h != "is" && h != "are" && h != "be" {
			return true
		}
	}
	return false
}

// applyNamed handles "called X": the display column is X.
func (p *parser) applyNamed(n *phrase, m *modifier) (out []reading) {
	for i, d := range p.lexicon.relationInfo[n.set.relation].display {
		c, ok := p.valueCondition(m.phrase, d, false)
		if !ok {
			if len(m.phrase.literals) == 0 || d.Class != catalog.Text {
				continue
			}
			c = condition{kind: compare, column: d, op: "=", value: operand{literals: m.phrase.literals, plain: plainList(m.phrase.literals)}}
		}
		out = append(out, reading{n.holding(c), 0.1 * float64(i)})
	}
	return append(out, p.apposition(n, m.phrase)...)
}

// apposition says that a thing is a value: "airport 'AKO'", "year 2014".
func (p *parser) apposition(n, v *phrase) []reading {
	if !n.isEntity() || len(n.group) > 0 {
		if len(n.items) == 1 && n.items[0].aggregate == "" && n.items[0].attribute != nil && n.set == nil {
			return cheapestReadings(p.applyCompare(n.items[0].attribute, v), 4)
		}
		return nil
	}
	out := p.withOwnValue(n, v)
	// a code of it in a table that refers to it is not this thing: no join
	if len(out) == 0 && len(v.literals) > 0 {
		for _, d := range p.lexicon.relationInfo[n.set.relation].display[:1] {
			if d.Class == catalog.Text {
				out = append(out, reading{n.holding(condition{kind: compare, column: d, op: "=", value: operand{literals: v.literals, plain: plainList(v.literals)}}), 0.9})
			}
		}
	}
	return cheapestReadings(out, 4)
}

// withOwnValue compares the columns of a thing that hold a value with it.
func (p *parser) withOwnValue(n, v *phrase) (out []reading) {
	own := map[*catalog.Column]bool{}
	for _, h := range slices.Concat(v.values...) {
		if h.column.Relation != n.set.relation || own[h.column] {
			continue
		}
		own[h.column] = true
		if c, ok := p.valueCondition(v, h.column, false); ok {
			out = append(out, reading{n.holding(c), 0.1 + 0.05*float64(len(own)-1)})
		}
	}
	return out
}
