package grammar

import (
	"slices"
	"strconv"
	"strings"

	"askpg/catalog"
)

func (p *parser) applyCompare(n *np, a *attr, op string, val operand, numeric bool, vals ...*np) []applied {
	var out []applied
	seen := map[*catalog.Relation]bool{}
	for _, c := range a.cands {
		if numeric && (c.col.Class != catalog.Number || p.noAmount(c, val)) {
			continue
		}
		if seen[c.col.Relation] {
			continue
		}
		s := &set{id: p.newID(), rel: c.col.Relation}
		cd := cond{kind: compare, col: c.col, op: op, val: val}
		if len(vals) > 0 {
			vc, ok := p.valueCond(vals[0], c.col, false)
			if !ok {
				continue
			}
			cd = vc
		}
		seen[c.col.Relation] = true
		out = append(out, applied{&np{set: s.with(cd)}, 0.2 + 3*(a.cands[0].score-c.score)})
	}
	// an attribute named with its value is also a condition on its own: the
	// phrase stays a value
	if len(vals) > 0 {
		v := vals[0].clone()
		var hits [][]hit
		for _, hs := range v.hits {
			var kept []hit
			for _, h := range hs {
				for _, c := range a.cands {
					if c.col == h.col {
						kept = append(kept, h)
					}
				}
			}
			if len(kept) == 0 {
				return best(out, 4)
			}
			hits = append(hits, kept)
		}
		v.hits = hits
		out = append(out, applied{v, 0})
	}
	return best(out, 5)
}

func (p *parser) applyComparison(n *np, m *mod) []applied {
	if n.set == nil {
		return nil
	}
	var out []applied
	for _, pl := range p.place(n.set, m.attr) {
		target := pl.root.find(pl.sid)
		if target == nil {
			continue
		}
		op := m.op
		if op != "=" && op != "<>" && !strings.HasSuffix(op, "ilike") && !strings.HasPrefix(op, "is") && p.isIdentifier(pl.col) {
			continue
		}
		if pl.cand.down {
			op = flip(op)
			if m.np == nil && m.val.query == nil {
				continue // older than 20 is not a birth date
			}
		}
		var conds []applied2
		switch {
		case m.op == "true":
			if lit, ok := truth(pl.col); ok {
				conds = append(conds, applied2{cond{kind: compare, col: pl.col, op: "=", val: operand{lits: []string{lit}, plain: "true"}}, 0})
			}
		case m.np != nil && m.np.isValue():
			c, ok := p.valueCond(m.np, pl.col, op == "<>")
			if !ok {
				if len(m.np.raw) == 0 || len(m.np.raw) != len(m.np.hits) || !textual(pl.col) || op != "=" && op != "<>" {
					continue
				}
				o := op
				if len(m.np.raw) > 1 {
					o = map[string]string{"=": "in", "<>": "not in"}[op]
				}
				c = cond{kind: compare, col: pl.col, op: o, val: operand{lits: m.np.raw, plain: plainList(m.np.raw)}}
				conds = append(conds, applied2{c, 0.3})
			} else {
				if op != "=" && op != "<>" {
					continue
				}
				conds = append(conds, applied2{c, 0})
			}
		case m.np != nil:
			for _, q := range p.scalar(m.np, n, pl) {
				conds = append(conds, applied2{cond{kind: compare, col: pl.col, op: op, val: q.val}, q.cost})
			}
		case op == "is null" || op == "is not null":
			conds = append(conds, applied2{cond{kind: compare, col: pl.col, op: op}, 0})
		case strings.HasSuffix(op, "ilike"):
			if !textual(pl.col) {
				continue
			}
			conds = append(conds, applied2{cond{kind: compare, col: pl.col, op: op, val: m.val}, 0})
		default:
			if !comparable(pl.col, op, m.val) || op == "=" && p.noAmount(pl.cand, m.val) {
				continue
			}
			extra := 0.0
			if pl.sid != n.set.id && op != "=" && op != "<>" && p.additive(pl.col) && !reachedToOne(pl.root, pl.sid) && len(m.val.lits) == 1 && m.amount {
				// "who spent more than 100": all that he spent, or at a time
				x := n.clone()
				x.set = pl.root
				x.having = append(n.having[:len(n.having):len(n.having)], having{item{agg: "sum", col: pl.col, sid: pl.sid}, op, m.val})
				out = append(out, applied{x, pl.cost})
				extra = 0.4
			}
			conds = append(conds, applied2{cond{kind: compare, col: pl.col, op: op, val: m.val}, extra})
		}
		for _, c := range conds {
			x := n.clone()
			x.set = pl.root.replace(target.with(c.cond))
			out = append(out, applied{x, pl.cost + c.cost})
		}
	}
	return best(out, 5)
}

// noAmount reports whether a number cannot be what a column is: a year of a
// column that holds none, or a row's identifier that was not called so.
func (p *parser) noAmount(c colCand, val operand) bool {
	if c.col.Class != catalog.Number || len(val.lits) != 1 {
		return false
	}
	return c.score < 0.9 && p.isIdentifier(c.col) || p.saidAsYear(val.lits[0]) && !containsString(p.x.info[c.col.Relation].names[c.col], "year")
}

// saidAsYear reports whether a number stands in the question as a year does:
// after a word of time and before no unit.
func (p *parser) saidAsYear(lit string) bool {
	if n, err := strconv.Atoi(lit); err != nil || n < 1900 || n > 2100 {
		return false
	}
	for i := 1; i < len(p.toks); i++ {
		if p.toks[i].text == lit && slices.Contains(p.lang.dates.In, p.toks[i-1].lower) && len(p.unit(i+1)) == 1 && p.toks[i-1].lower != "of" {
			return true
		}
	}
	return false
}

func (p *parser) isIdentifier(c *catalog.Column) bool {
	if p.x.graph.isForeign(c) {
		return true
	}
	names := p.x.info[c.Relation].names[c]
	return containsColumn(p.x.info[c.Relation].key, c) && len(names) > 0 && (names[len(names)-1] == "id" || names[len(names)-1] == "code")
}

type applied2 struct {
	cond cond
	cost float64
}

func textual(c *catalog.Column) bool { return c.Class == catalog.Text || c.Class == catalog.Enum }

func comparable(c *catalog.Column, op string, val operand) bool {
	quoted := len(val.lits) > 0 && strings.HasPrefix(val.lits[0], "'")
	switch c.Class {
	case catalog.Number:
		return !quoted
	case catalog.Text, catalog.Enum:
		return quoted || op == "=" || op == "<>" || op == "in"
	case catalog.Boolean:
		return len(val.lits) == 1 && (val.lits[0] == "true" || val.lits[0] == "false")
	}
	return quoted
}

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

type scalarValue struct {
	val  operand
	cost float64
}

func (p *parser) scalar(s, of *np, pl placed) []scalarValue {
	one := func(n *np, cost float64) []scalarValue {
		return []scalarValue{{operand{query: n, plain: "that value"}, cost}}
	}
	switch {
	case s.pron && len(s.mods) == 1:
		fresh := &np{set: &set{id: p.newID(), rel: pl.col.Relation}}
		var out []scalarValue
		for _, r := range p.apply(fresh, &s.mods[0]) {
			if r.np.set != nil && (r.np.set.sup != nil || p.single(r.np.set)) {
				x := r.np.clone()
				x.items = []item{{col: pl.col, sid: r.np.set.id}}
				out = append(out, one(x, r.cost)...)
			}
		}
		return out
	case s.pron && len(s.items) == 1 && s.set == nil:
		// the average of the same column over all of the relation
		r := pl.col.Relation
		fresh := &set{id: p.newID(), rel: r}
		return one(&np{set: fresh, items: []item{{agg: s.items[0].agg, col: pl.col, sid: fresh.id}}}, 0)
	case s.isEntity() && s.set.rel == pl.col.Relation:
		// of that of another row, or of all such rows
		x := s.clone()
		if s.set.sup != nil || !s.each {
			x.items = []item{{col: pl.col, sid: s.set.id}}
			if s.set.sup == nil && !p.single(s.set) {
				return nil
			}
			return one(x, 0.1)
		}
		return nil
	case len(s.items) == 1 && s.items[0].agg != "":
		var out []scalarValue
		for _, st := range p.settle(s) {
			if st.np.set != nil && len(st.np.group) == 0 {
				out = append(out, one(st.np, st.cost)...)
			}
		}
		if s.set == nil && len(out) > 1 {
			out = out[:1]
		}
		return out
	case len(s.items) == 1 && s.set != nil && s.items[0].col != nil:
		if s.set.sup != nil || p.single(s.set) {
			return one(s, 0.2)
		}
	}
	return nil
}

func (p *parser) single(s *set) bool {
	for _, c := range s.conds {
		if c.kind == compare && c.op == "=" {
			info := p.x.info[s.rel]
			if c.col.Unique || len(info.key) == 1 && info.key[0] == c.col {
				return true
			}
			for _, d := range info.display {
				if d == c.col {
					return true
				}
			}
		}
	}
	return s.sup != nil && s.sup.n == "1"
}
