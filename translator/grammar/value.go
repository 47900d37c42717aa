package grammar

import (
	"askpg/catalog"
	"slices"
)

// applyValue narrows a set to the rows that hold a value, themselves or
// through what they are related to.
func (p *parser) applyValue(n *phrase, m *modifier) []reading {
	var out []reading
	v := m.phrase
	columns := map[*catalog.Column]float64{}
	order := []*catalog.Column{}
	for _, hits := range v.hits {
		for _, h := range hits {
			if _, ok := columns[h.column]; !ok {
				order = append(order, h.column)
				columns[h.column] = h.score
			}
		}
	}
	if len(v.literals) == len(v.hits) && len(v.literals) > 0 && len(order) == 0 {
		return nil
	}
	both := v.eachValue || len(v.hits) > 1 && !v.alternatives
	for _, col := range order {
		base := 2*(1-columns[col]) + p.valueHintCost(col, m.hints)
		c, ok := p.valueCondition(v, col, false)
		if !ok {
			continue
		}
		if col.Relation == n.set.relation && m.verb != nil && m.verb.relation != n.set.relation {
			continue
		}
		if col.Relation == n.set.relation {
			info := p.lexicon.relationInfo[n.set.relation]
			cost := base
			// a thing's own name is said by naming it, not by "in" or "from"
			if len(m.hints) > 0 && len(info.display) > 0 && info.display[0] == col && m.hints[0] != "have" {
				cost += 0.35
				if p.verbal(m.hints) {
					cost += 0.6 // a thing does nothing to itself
				} else if m.hints[0] == "of" {
					cost -= 0.35
				} else if len(n.items) == 0 {
					cost += 0.5
				}
			} else if len(m.hints) > 0 && m.hints[0] == "of" && len(n.items) == 0 {
				cost += 0.15
			}
			if len(n.items) == 1 && n.items[0].column == col && (n.items[0].aggregate == "" || n.items[0].aggregate == "count") {
				cost += 1.5 // nothing is asked if the answer is given
			}
			if p.lexicon.graph.isForeign(col) {
				cost += 0.05
			}
			if m.negated {
				c, _ = p.valueCondition(v, col, true)
			}
			x := n.clone()
			x.set = n.set.with(c)
			if len(v.hits) > 1 && !v.alternatives {
				cost += 0.1
			}
			out = append(out, reading{x, cost})
			continue
		}
		for _, pt := range p.pathsBetween(n.set.relation, col.Relation) {
			if last := pt.edges[len(pt.edges)-1]; slices.Contains(last.toCols, col) && m.verb == nil {
				// the value is the key that joins: it is the other side's own
				if own := last.fromCols[0]; own.Relation == n.set.relation {
					continue
				}
			} else if slices.Contains(last.toCols, col) {
				continue
			}
			if m.verb != nil && !pt.through(m.verb.relation) {
				continue
			}
			if m.negated && m.verb == nil && !p.verbal(m.hints) && !slices.Contains(p.lexicon.relationInfo[col.Relation].display, col) {
				continue // "customers without phone" are not those that never ordered by it
			}
			cost := base + 0.25 + 0.3*(pt.cost-1) + 0.15*float64(pt.after) + p.hintCost(pt, m.hints) + alongMeasure(n.set, pt)
			if pt.toOne() {
				cost -= 0.1
			}
			if !slices.Contains(p.lexicon.relationInfo[col.Relation].display, col) {
				cost += 0.15 // not the name of what it is related to
			}
			if p.lexicon.graph.isForeign(col) && m.verb == nil {
				cost += 0.4 // rows that only point to the thing of that name
			}
			x := n.clone()
			s := n.set
			if both && !pt.toOne() && len(v.hits) > 1 {
				ok := true
				for k := range v.hits {
					one := &phrase{hits: v.hits[k : k+1]}
					if len(v.literals) > k {
						one.literals = v.literals[k : k+1]
					}
					oc, good := p.valueCondition(one, col, false)
					ok = ok && good
					child := (&set{id: p.newID(), relation: col.Relation}).with(oc)
					s = s.with(condition{kind: related, child: child, path: pt, negated: m.negated})
				}
				if !ok {
					continue
				}
			} else {
				child := (&set{id: p.newID(), relation: col.Relation}).with(c)
				s = s.with(condition{kind: related, child: child, path: pt, negated: m.negated})
			}
			x.set = s
			out = append(out, reading{x, max(0, cost)})
		}
	}
	// the value is of a set that is already joined: "... in 2014" after more
	walk(n.set, func(s *set, depth int) {
		if s == n.set || m.negated || m.verb != nil {
			return
		}
		for _, col := range order {
			if col.Relation != s.relation {
				continue
			}
			// a row that has another value is not the one: "from Hull to Bath"
			if c, ok := p.valueCondition(v, col, false); ok && impossibleSet(s.with(c)) == "" {
				x := n.clone()
				x.set = n.set.replace(s.with(c))
				out = append(out, reading{x, 0.3 + 2*(1-columns[col]) + p.valueHintCost(col, m.hints)})
			}
		}
	})
	return cheapestReadings(out, 5)
}

// verbal reports whether hints come from a verb and not from a preposition.
func (p *parser) verbal(hints []string) bool {
	for _, h := range hints {
		if p.language.locative[p.language.stem(h)] {
			return false
		}
		if p.language.verbs[p.language.stem(h)] && h != "have" && h != "is" && h != "are" && h != "be" {
			return true
		}
	}
	return false
}

// valueHintCost compares the direction of a verb with the column's name.
func (p *parser) valueHintCost(col *catalog.Column, hints []string) float64 {
	return p.directionCost(p.lexicon.relationInfo[col.Relation].names[col], hints)
}

// applyNamed handles "called X": the display column is X.
func (p *parser) applyNamed(n *phrase, m *modifier) []reading {
	if n.set == nil {
		return nil
	}
	var out []reading
	for i, d := range p.lexicon.relationInfo[n.set.relation].display {
		c, ok := p.valueCondition(m.phrase, d, false)
		if !ok {
			if len(m.phrase.literals) == 0 || d.Class != catalog.Text {
				continue
			}
			c = condition{kind: compare, column: d, op: "=", value: operand{literals: m.phrase.literals, plain: plainList(m.phrase.literals)}}
		}
		x := n.clone()
		x.set = n.set.with(c)
		out = append(out, reading{x, 0.1 * float64(i)})
	}
	return append(out, p.apposition(n, m.phrase)...)
}

// apposition says that a thing is a value: "airport 'AKO'", "year 2014".
func (p *parser) apposition(n, v *phrase) []reading {
	var out []reading
	if n.isEntity() && len(n.group) == 0 {
		own := map[*catalog.Column]bool{}
		for _, hits := range v.hits {
			for _, h := range hits {
				if h.column.Relation == n.set.relation && !own[h.column] {
					own[h.column] = true
					if c, ok := p.valueCondition(v, h.column, false); ok {
						x := n.clone()
						x.set = n.set.with(c)
						out = append(out, reading{x, 0.1 + 0.05*float64(len(own)-1)})
					}
				}
			}
		}
		// a code of it in a table that refers to it is not this thing: no join
		if len(out) == 0 && len(v.literals) > 0 {
			for _, d := range p.lexicon.relationInfo[n.set.relation].display[:1] {
				if d.Class == catalog.Text {
					x := n.clone()
					x.set = n.set.with(condition{kind: compare, column: d, op: "=", value: operand{literals: v.literals, plain: plainList(v.literals)}})
					out = append(out, reading{x, 0.9})
				}
			}
		}
		return cheapestReadings(out, 4)
	}
	if len(n.items) == 1 && n.items[0].aggregate == "" {
		it := n.items[0]
		if it.attribute != nil && n.set == nil {
			out = append(out, p.applyCompare(n, it.attribute, "=", operand{}, false, v)...)
		}
	}
	return cheapestReadings(out, 4)
}
