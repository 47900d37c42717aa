// Stock at several places: of each thing there is one row for each place.

package grammar

import (
	"cmp"
	"fmt"
	"slices"

	"askpg/catalog"
)

// stockAtPlaces reads "out of stock" of things that are held at several places as one row for each place, so that a place may be said
// behind: "products out of stock in York", "how many products are sold out per branch". It returns nil if the condition is none of stock, or
// if the things are held at one place.
func (p *parser) stockAtPlaces(n *phrase, m *modifier) []reading {
	held := m.phrase.set
	if len(held.conditions) != 1 || n.set == nil || n.set.superlative != nil || len(n.group) > 0 || n.hasAggregate() && !n.countsRows() {
		return nil
	}
	some := held.conditions[0]
	if some.kind != compare || some.op != ">" || !p.lexicon.isStock(some.column) || p.lexicon.hasTimes(held.relation) {
		return nil
	}
	edges := p.lexicon.graph.edges[held.relation]
	of := slices.IndexFunc(edges, func(e *edge) bool { return e.toOne && e.to == n.set.relation })
	place := slices.ContainsFunc(edges, func(e *edge) bool { return e.toOne && !e.implied && e.to != n.set.relation })
	if of < 0 || !place {
		return nil
	}
	if m.negated {
		some.op = "<="
	}
	rows := &set{id: p.newID(), relation: held.relation}
	x := n.clone()
	x.items = p.withDisplay(&phrase{set: n.set}).items
	if n.hasAggregate() {
		x.items = []item{{aggregate: "count", setID: rows.id}}
	} else if len(n.items) > 0 {
		x.items = n.items
	}
	x.set = rows.with(some, condition{kind: related, child: n.set, path: edges[of].path(), joined: true})
	return []reading{{x, 0.3}}
}

// hasTimes reports whether rows of a relation have a time of something else than of writing or counting them.
func (x *lexicon) hasTimes(r *catalog.Relation) bool {
	info := x.relationInfo[r]
	return slices.ContainsFunc(info.dates, func(c *catalog.Column) bool {
		return !slices.ContainsFunc(info.names[c], func(s string) bool { return x.language.bookkeepingNames[s] })
	})
}

// refuseStockLeftOut refuses what may be held without a piece of it where the question asks for what is in stock, or out of it, and a place of
// something else than the stock.
func (p *parser) refuseStockLeftOut(n *phrase) string {
	u := p.used(n)
	for i := range p.tokens {
		none := p.follows(i, []string{"out", "of", "stock"})
		if !none && !p.follows(i, []string{"in", "stock"}) {
			continue
		}
		for r := range u.relations {
			held := p.onHand(r)
			if none {
				held = cmp.Or(held, p.lexicon.stockQuantity(r))
			}
			if held != nil && !u.columns[held] {
				return fmt.Sprintf("It is not said of what there has to be some, or none: name %s.", held.Name)
			}
		}
	}
	held := slices.IndexFunc(n.set.conditions, func(c condition) bool {
		return c.kind == related && len(c.child.conditions) == 1 && c.child.conditions[0].kind == compare && p.lexicon.isStock(c.child.conditions[0].column)
	})
	if held < 0 {
		return ""
	}
	stock := n.set.conditions[held].child.relation
	for _, c := range n.set.conditions {
		if c.kind == related && !c.path.toOne() && c.child.relation != stock && !p.mentionsRelation(c.path.edges[0].to) {
			return fmt.Sprintf("It is not said what %s have to do with %s: say it, or ask for the rows of %s.", c.child.relation.Name.Name, n.set.relation.Name.Name, stock.Name.Name)
		}
	}
	return ""
}
