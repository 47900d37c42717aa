package grammar

import (
	"slices"
	"strconv"
	"strings"

	"askpg/catalog"
)

// applyCompare turns "year 2014" into things of which that holds.
func (p *parser) applyCompare(n *phrase, a *attribute, op string, val operand, numeric bool, values ...*phrase) []reading {
	var out []reading
	seen := map[*catalog.Relation]bool{}
	for _, c := range a.candidates {
		if numeric && (c.column.Class != catalog.Number || p.noAmount(c, val)) {
			continue
		}
		if seen[c.column.Relation] {
			continue
		}
		s := &set{id: p.newID(), relation: c.column.Relation}
		condition := condition{kind: compare, column: c.column, op: op, value: val}
		if len(values) > 0 {
			vc, ok := p.valueCondition(values[0], c.column, false)
			if !ok {
				continue
			}
			condition = vc
		}
		seen[c.column.Relation] = true
		out = append(out, reading{&phrase{set: s.with(condition)}, 0.2 + 3*(a.candidates[0].score-c.score)})
	}
	// an attribute named with its value is also a condition on its own: the
	// phrase stays a value
	if len(values) > 0 {
		v := values[0].clone()
		var hits [][]hit
		for _, hs := range v.hits {
			var kept []hit
			for _, h := range hs {
				for _, c := range a.candidates {
					if c.column == h.column {
						kept = append(kept, h)
					}
				}
			}
			if len(kept) == 0 {
				return cheapestReadings(out, 4)
			}
			hits = append(hits, kept)
		}
		v.hits = hits
		out = append(out, reading{v, 0})
	}
	return cheapestReadings(out, 5)
}

// applyComparison narrows a set by a comparison of an attribute.
func (p *parser) applyComparison(n *phrase, m *modifier) []reading {
	if n.set == nil {
		return nil
	}
	var out []reading
	for _, pl := range p.place(n.set, m.attribute) {
		target := pl.root.find(pl.setID)
		if target == nil {
			continue
		}
		op := m.op
		if op != "=" && op != "<>" && !strings.HasSuffix(op, "ilike") && !strings.HasPrefix(op, "is") && p.isIdentifier(pl.column) {
			continue
		}
		if pl.candidate.reversed {
			op = flip(op)
			if m.phrase == nil && m.value.query == nil {
				continue // older than 20 is not a birth date
			}
		}
		var conditions []conditionCandidate
		switch {
		case m.op == "true":
			if text, ok := truth(pl.column); ok {
				conditions = append(conditions, conditionCandidate{condition{kind: compare, column: pl.column, op: "=", value: operand{literals: []string{text}, plain: "true"}}, 0})
			}
		case m.phrase != nil && m.phrase.isValue():
			c, ok := p.valueCondition(m.phrase, pl.column, op == "<>")
			if !ok {
				if len(m.phrase.literals) == 0 || len(m.phrase.literals) != len(m.phrase.hits) || !textual(pl.column) || op != "=" && op != "<>" {
					continue
				}
				o := op
				if len(m.phrase.literals) > 1 {
					o = map[string]string{"=": "in", "<>": "not in"}[op]
				}
				c = condition{kind: compare, column: pl.column, op: o, value: operand{literals: m.phrase.literals, plain: plainList(m.phrase.literals)}}
				conditions = append(conditions, conditionCandidate{c, 0.3})
			} else {
				if op != "=" && op != "<>" {
					continue
				}
				conditions = append(conditions, conditionCandidate{c, 0})
			}
		case m.phrase != nil:
			for _, q := range p.scalar(m.phrase, n, pl) {
				conditions = append(conditions, conditionCandidate{condition{kind: compare, column: pl.column, op: op, value: q.value}, q.cost})
			}
		case op == "is null" || op == "is not null":
			conditions = append(conditions, conditionCandidate{condition{kind: compare, column: pl.column, op: op}, 0})
		case strings.HasSuffix(op, "ilike"):
			if !textual(pl.column) {
				continue
			}
			conditions = append(conditions, conditionCandidate{condition{kind: compare, column: pl.column, op: op, value: m.value}, 0})
		default:
			if !comparable(pl.column, op, m.value) || op == "=" && p.noAmount(pl.candidate, m.value) {
				continue
			}
			extra := 0.0
			if pl.setID != n.set.id && op != "=" && op != "<>" && p.additive(pl.column) && !reachedToOne(pl.root, pl.setID) && len(m.value.literals) == 1 && m.summed {
				// "who spent more than 100": all that he spent, or at a time
				x := n.clone()
				x.set = pl.root
				x.having = append(n.having[:len(n.having):len(n.having)], groupCondition{item{aggregate: "sum", column: pl.column, setID: pl.setID}, op, m.value})
				out = append(out, reading{x, pl.cost})
				extra = 0.4
			}
			conditions = append(conditions, conditionCandidate{condition{kind: compare, column: pl.column, op: op, value: m.value}, extra})
		}
		for _, c := range conditions {
			x := n.clone()
			x.set = pl.root.replace(target.with(c.condition))
			out = append(out, reading{x, pl.cost + c.cost})
		}
	}
	return cheapestReadings(out, 5)
}

// noAmount reports whether a number cannot be what a column is: a year of a
// column that holds none, or a row's identifier that was not called so.
func (p *parser) noAmount(c columnCandidate, val operand) bool {
	if c.column.Class != catalog.Number || len(val.literals) != 1 {
		return false
	}
	return c.score < 0.9 && p.isIdentifier(c.column) || p.saidAsYear(val.literals[0]) && !slices.Contains(p.lexicon.relationInfo[c.column.Relation].names[c.column], "year")
}

// saidAsYear reports whether a number stands in the question as a year does:
// after a word of time and before no unit.
func (p *parser) saidAsYear(text string) bool {
	if n, err := strconv.Atoi(text); err != nil || n < 1900 || n > 2100 {
		return false
	}
	for i := 1; i < len(p.tokens); i++ {
		if p.tokens[i].text == text && slices.Contains(p.language.dates.In, p.tokens[i-1].lower) && len(p.unit(i+1)) == 1 && p.tokens[i-1].lower != "of" {
			return true
		}
	}
	return false
}

// isIdentifier reports whether a column only tells rows apart or points to
// others: amounts are not compared with it.
func (p *parser) isIdentifier(c *catalog.Column) bool {
	if p.lexicon.graph.isForeign(c) {
		return true
	}
	names := p.lexicon.relationInfo[c.Relation].names[c]
	return slices.Contains(p.lexicon.relationInfo[c.Relation].key, c) && len(names) > 0 && (names[len(names)-1] == "id" || names[len(names)-1] == "code")
}

type conditionCandidate struct {
	condition condition
	cost      float64
}

// textual reports whether a column holds texts.
func textual(c *catalog.Column) bool { return c.Class == catalog.Text || c.Class == catalog.Enum }

// comparable reports whether a column can be compared so with a literal.
func comparable(c *catalog.Column, op string, val operand) bool {
	quoted := len(val.literals) > 0 && strings.HasPrefix(val.literals[0], "'")
	switch c.Class {
	case catalog.Number:
		return !quoted
	case catalog.Text, catalog.Enum:
		return quoted || op == "=" || op == "<>" || op == "in"
	case catalog.Boolean:
		return len(val.literals) == 1 && (val.literals[0] == "true" || val.literals[0] == "false")
	}
	return quoted
}

// flip turns a comparison round, for a column that grows in the other direction.
func flip(op string) string {
	switch op {
	case ">":
		return "<"
	case "<":
		return ">"
	case ">=":
		return "<="
	case "<=":
		return ">="
	}
	return op
}

type scalarCandidate struct {
	value operand
	cost  float64
}

// scalar makes a phrase a single value that a placed column can be compared
// with.
func (p *parser) scalar(s, of *phrase, pl placement) []scalarCandidate {
	one := func(n *phrase, cost float64) []scalarCandidate {
		return []scalarCandidate{{operand{query: n, plain: "that value"}, cost}}
	}
	switch {
	case s.pronoun && len(s.modifiers) == 1:
		fresh := &phrase{set: &set{id: p.newID(), relation: pl.column.Relation}}
		var out []scalarCandidate
		for _, r := range p.apply(fresh, &s.modifiers[0]) {
			if r.phrase.set != nil && (r.phrase.set.superlative != nil || p.namesOneRow(r.phrase.set)) {
				x := r.phrase.clone()
				x.items = []item{{column: pl.column, setID: r.phrase.set.id}}
				out = append(out, one(x, r.cost)...)
			}
		}
		return out
	case s.pronoun && len(s.items) == 1 && s.set == nil:
		// the average of the same column over all of the relation
		r := pl.column.Relation
		fresh := &set{id: p.newID(), relation: r}
		return one(&phrase{set: fresh, items: []item{{aggregate: s.items[0].aggregate, column: pl.column, setID: fresh.id}}}, 0)
	case s.isEntity() && s.set.relation == pl.column.Relation:
		// of that of another row, or of all such rows
		x := s.clone()
		if s.set.superlative != nil || !s.each {
			x.items = []item{{column: pl.column, setID: s.set.id}}
			if s.set.superlative == nil && !p.namesOneRow(s.set) {
				return nil
			}
			return one(x, 0.1)
		}
		return nil
	case len(s.items) == 1 && s.items[0].aggregate != "":
		var out []scalarCandidate
		for _, st := range p.resolvePhrase(s) {
			if st.phrase.set != nil && len(st.phrase.group) == 0 {
				out = append(out, one(st.phrase, st.cost)...)
			}
		}
		if s.set == nil && len(out) > 1 {
			out = out[:1]
		}
		return out
	case len(s.items) == 1 && s.set != nil && s.items[0].column != nil:
		if s.set.superlative != nil || p.namesOneRow(s.set) {
			return one(s, 0.2)
		}
	}
	return nil
}

// namesOneRow reports whether a set's conditions name one row.
func (p *parser) namesOneRow(s *set) bool {
	for _, c := range s.conditions {
		if c.kind == compare && c.op == "=" {
			info := p.lexicon.relationInfo[s.relation]
			if c.column.Unique || len(info.key) == 1 && info.key[0] == c.column {
				return true
			}
			if slices.Contains(info.display, c.column) && !p.severalRows(s.relation) {
				return true
			}
		}
	}
	return s.superlative != nil && s.superlative.count == "1"
}
