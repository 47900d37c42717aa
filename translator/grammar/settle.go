package grammar

import (
	"math"
	"sort"
	"strings"

	"askpg/catalog"
)

func (p *parser) settle(n *np) []applied {
	if n.set != nil || len(n.ratio) > 0 {
		return []applied{{n, 0}}
	}
	if n.isValue() {
		return p.valueEntity(n)
	}
	if len(n.items) == 0 {
		return nil
	}
	seen := map[*catalog.Relation]bool{}
	var out []applied
	for _, it := range n.items {
		if it.attr == nil {
			continue
		}
		for _, c := range it.attr.cands {
			r := c.col.Relation
			if seen[r] || len(seen) > 8 {
				continue
			}
			seen[r] = true
			if p.x.info[r].assoc && len(it.attr.cands) > 1 {
				continue
			}
			// a column that only points elsewhere is not where the thing lives
			away := 0.0
			if p.x.graph.isForeign(c.col) {
				away = 0.4
				for _, r := range p.m.rels[it.attr.start] {
					if r.end == it.attr.end && r.score > 0.9 {
						away = 0.8 // the words name what it points to
					}
				}
			}
			if c.col.Class == catalog.Boolean {
				away += 1.5 // yes or no is no answer to "which" or "how many"
			}
			s := &set{id: p.newID(), rel: r}
			for _, l := range p.resolveItems(s, n.items) {
				m := n.clone()
				m.set, m.items, m.byItems = l.root, l.items, true
				out = append(out, applied{m, 3*(it.attr.cands[0].score-c.score) + l.cost + 0.25 + away})
			}
		}
	}
	return best(out, 6)
}

func best(list []applied, n int) []applied {
	sort.SliceStable(list, func(i, j int) bool { return list[i].cost < list[j].cost })
	if len(list) > n {
		list = list[:n]
	}
	return list
}

func (p *parser) valueEntity(n *np) []applied {
	if len(n.hits) == 0 {
		return nil
	}
	var out []applied
	for _, h := range n.hits[0] {
		r := h.col.Relation
		cost := 0.9
		info := p.x.info[r]
		for _, d := range info.display {
			if d == h.col {
				cost = 0.1
			}
		}
		if cost > 0.5 && textual(h.col) && h.col.Profile != nil && h.col.Profile.Distinct <= 50 && !p.x.graph.isForeign(h.col) {
			cost = 0.5 // a kind of thing: "cashiers"
		}
		if h.col.Unique || len(info.key) == 1 && info.key[0] == h.col {
			cost = min(cost, 0.15)
		}
		if p.x.graph.isForeign(h.col) {
			cost += 0.4
		}
		if r.Rows > 1 {
			cost += 0.04 * math.Log10(r.Rows) // of two things of one name the rarer kind
		}
		cost += 2 * (1 - h.score)
		s := &set{id: p.newID(), rel: r}
		c, ok := p.valueCond(n, h.col, false)
		if !ok {
			continue
		}
		out = append(out, applied{&np{set: s.with(c), distinct: n.distinct}, cost})
	}
	return best(out, 5)
}

func (p *parser) valueCond(n *np, col *catalog.Column, neg bool) (cond, bool) {
	var lits []string
	for i, hits := range n.hits {
		lit := ""
		for _, h := range hits {
			if h.col == col && !p.noAmount(colCand{col: col, score: 1}, operand{lits: []string{h.value}}) {
				lit = literal(h.value)
			}
		}
		if lit == "" && i < len(n.raw) && n.raw[i] != "" && col.Class == catalog.Text {
			lit = n.raw[i]
		}
		if lit == "" {
			return cond{}, false
		}
		lits = append(lits, lit)
	}
	op := "="
	if len(lits) > 1 {
		op = "in"
	}
	if neg {
		op = map[string]string{"=": "<>", "in": "not in"}[op]
	}
	return cond{kind: compare, col: col, op: op, val: operand{lits: lits, plain: plainList(lits)}}, true
}

func plainList(lits []string) string {
	return strings.ReplaceAll(strings.Join(lits, " or "), "'", "")
}
