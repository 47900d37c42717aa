package grammar

import (
	"strings"

	"askpg/catalog"
)

// ratios reads "the ratio of restaurants above 4 to restaurants below 4", "the
// share of orders that were cancelled".
func (p *parser) ratios(i int) []cand {
	var out []cand
	add := func(n *np, end int, cost float64) {
		if n != nil {
			c := cand{n, end, cost}
			out = append(out, c)
			out = append(out, p.divide([]cand{c})...)
		}
	}
	for _, e := range p.ends(i, "ratio") {
		for _, d := range p.maybe(e, "det") {
			for _, a := range p.noun(d) {
				for _, t := range p.ends(a.end, "ratio_to", "out_of") {
					for _, s := range p.maybe(t, "pron", "det") {
						for _, b := range p.noun(s) {
							for _, n := range p.ratioOf(a.np, b.np) {
								add(n, b.end, a.cost+b.cost+0.2)
							}
						}
					}
				}
			}
		}
	}
	for _, e := range p.ends(i, "percent") {
		scale := ""
		if strings.Contains(p.text(i, e), "percent") {
			scale = "100.0"
		}
		for _, a := range p.noun(e) {
			if n := p.shareOf(a.np, nil, scale); n != nil {
				add(n, a.end, a.cost+0.3)
			}
			for _, t := range p.ends(a.end, "out_of") {
				for _, b := range p.noun(t) {
					if n := p.shareOf(a.np, b.np, scale); n != nil {
						add(n, b.end, a.cost+b.cost+0.2)
					}
				}
			}
		}
	}
	return keep(out)
}

// things returns the set that a phrase counts or stands for, nil if it is no
// plain set.
func things(n *np) *set {
	if n.set == nil || n.set.sup != nil || len(n.group) > 0 {
		return nil
	}
	if len(n.items) == 0 || len(n.items) == 1 && n.items[0].agg == "count" && n.items[0].col == nil {
		return n.set
	}
	return nil
}

// ratioOf divides one phrase by another.
func (p *parser) ratioOf(a, b *np) []*np {
	sa, sb := things(a), things(b)
	if sa != nil && sb != nil && sa.rel == sb.rel {
		return []*np{p.filtered(sa, sb, "")}
	}
	// two columns of the same rows
	if a.isAttr() && len(a.items) == 1 && len(b.items) == 1 && (b.isAttr() || b.set != nil && b.items[0].col != nil && b.items[0].agg == "") && a.items[0].agg == b.items[0].agg {
		both := a.clone()
		both.items = []item{a.items[0], b.items[0]}
		settled := p.settle(both)
		if b.set != nil {
			settled = nil
			for _, r := range p.resolveItems(b.set, a.items) {
				x := b.clone()
				x.set, x.items = r.root, append(append([]item(nil), r.items...), b.items...)
				settled = append(settled, applied{x, r.cost})
			}
		}
		for _, s := range settled {
			if n := rowRatio(s.np); n != nil {
				return []*np{n}
			}
		}
	}
	// two single values, each from its own query
	na, nb := p.countable(a), p.countable(b)
	if na != nil && nb != nil {
		return []*np{{ratio: []*np{na, nb}}}
	}
	return nil
}

func rowRatio(n *np) *np {
	if len(n.items) != 2 || n.items[0].col == nil || n.items[1].col == nil || n.items[0].col == n.items[1].col {
		return nil
	}
	for _, it := range n.items {
		if it.col.Class != catalog.Number {
			return nil
		}
	}
	x := n.clone()
	first, second := n.items[0], n.items[1]
	first.over = &second
	x.items = []item{first}
	x.byItems = false
	return x
}

// countable makes a phrase one that gives a single value.
func (p *parser) countable(n *np) *np {
	switch {
	case things(n) != nil && len(n.items) == 0:
		return p.counted(n)
	case n.set != nil && len(n.items) == 1 && n.items[0].agg != "" && len(n.group) == 0:
		return n
	case n.set != nil && len(n.items) == 1 && n.items[0].col != nil && n.items[0].col.Class == catalog.Number && len(n.group) == 0:
		if p.single(n.set) {
			return n
		}
		if p.isHeadcount(n.items[0]) {
			return p.counted(n)
		}
	}
	return nil
}

// filtered divides the counts of two sets of one relation. What is said of the
// last alone and not of the same column of the first holds for both: "... in
// New York".
func (p *parser) filtered(a, b *set, scale string) *np {
	said := map[*catalog.Column]bool{}
	for _, c := range a.conds {
		if c.kind == compare {
			said[c.col] = true
		}
	}
	root := &set{id: p.newID(), rel: a.rel}
	den := item{agg: "count", sid: root.id}
	for _, c := range b.conds {
		if c.kind == compare && !said[c.col] {
			root.conds = append(root.conds, c)
		} else {
			den.where = append(den.where, c)
		}
	}
	num := item{agg: "count", sid: root.id, where: a.conds, over: &den, scale: scale}
	return &np{set: root, items: []item{num}}
}

// shareOf divides a part by the whole.
func (p *parser) shareOf(part, whole *np, scale string) *np {
	s := things(part)
	if s == nil || len(s.conds) == 0 {
		return nil
	}
	if whole != nil {
		w := things(whole)
		if w == nil || w.rel != s.rel {
			return nil
		}
		return p.filtered(s, w, scale)
	}
	// what is said last makes the part; what was said before, the whole
	last := len(s.conds) - 1
	root := &set{id: p.newID(), rel: s.rel, conds: s.conds[:last]}
	den := item{agg: "count", sid: root.id}
	return &np{set: root, items: []item{{agg: "count", sid: root.id, where: s.conds[last:], over: &den, scale: scale}}}
}

// quotient writes an item divided by another.
func (b *builder) quotient(it item, q *query, root *set) string {
	num, den := it, *it.over
	num.over = nil
	n := b.filteredExpr(num, q, root)
	d := b.filteredExpr(den, q, root)
	if it.scale != "" {
		return it.scale + " * " + n + " / NULLIF(" + d + ", 0)"
	}
	return "(" + n + ")::float8 / NULLIF(" + d + ", 0)"
}

func (b *builder) filteredExpr(it item, q *query, root *set) string {
	where := it.where
	it.where = nil
	e := b.expr(it, q, root)
	if len(where) == 0 {
		return e
	}
	var parts []string
	for _, c := range where {
		parts = append(parts, b.cond(b.aliases[it.sid], c))
	}
	return e + " FILTER (WHERE " + strings.Join(parts, " AND ") + ")"
}
