package grammar

import (
	"slices"
	"strings"
)

// ranking keeps the things that are first by a measure, and shows it.
func (p *parser) ranking(n *np, m *mod) []applied {
	out := p.applySuper(n, m)
	for i, r := range out {
		x := p.shown(r.np).clone()
		x.items = append(x.items[:len(x.items):len(x.items)], x.set.sup.by)
		out[i].np = x
	}
	return out
}

// named shows what a column points to by its name, where the question asks for
// no identifier: "who is the manager".
func (p *parser) named(n *np) *np {
	x := n
	for i := len(n.items) - 1; i >= 0; i-- {
		e := p.pointer(n.items[i : i+1])
		if e == nil || x.set.find(n.items[i].sid) == nil || len(n.group) > 0 {
			continue
		}
		child := &set{id: p.newID(), rel: e.to}
		var shown []item
		for _, c := range p.x.info[e.to].display {
			shown = append(shown, item{col: c, sid: child.id})
		}
		x = x.clone()
		x.set = x.set.replace(x.set.find(n.items[i].sid).with(cond{kind: related, child: child, path: path{edges: []*edge{e}, cost: e.cost}, join: true}))
		x.items = slices.Replace(slices.Clone(x.items), i, i+1, shown...)
	}
	return x
}

// pointer returns the edge by which a key of one column points to what the
// question calls without a word such as "id", nil if it does not.
func (p *parser) pointer(items []item) *edge {
	if len(items) != 1 || items[0].col == nil || items[0].agg != "" {
		return nil
	}
	c := items[0].col
	names := p.x.info[c.Relation].names[c]
	if len(names) < 2 {
		return nil
	}
	last := names[len(names)-1]
	if last != "id" && last != "code" && last != "no" && last != "key" && last != "number" ||
		slices.ContainsFunc(p.toks, func(t token) bool { return t.stem == last || strings.TrimSuffix(t.lower, "s") == last }) {
		return nil
	}
	for _, e := range p.x.graph.edges[c.Relation] {
		if e.toOne && len(e.fromCols) == 1 && e.fromCols[0] == c && !e.implied {
			return e
		}
	}
	return nil
}
