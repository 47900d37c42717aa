package grammar

import (
	"fmt"
	"slices"

	"askpg/catalog"
)

// total returns what a phrase says of many rows together: a number of things,
// the sum of amounts. Numbers that do not add up have none: which aggregate is
// meant was not said.
func (p *parser) total(n *np) []applied {
	switch {
	case n.num != "" || n.set.sup != nil || len(n.order) > 0 || len(n.items) == 1 && n.items[0].over != nil:
		return nil
	case n.isEntity():
		return []applied{{p.counted(n), 0.3}}
	case len(n.items) == 1 && n.items[0].col != nil && p.additive(n.items[0].col):
		x := n.clone()
		it := n.items[0]
		it.agg = "sum"
		x.items, x.distinct, x.byItems = []item{it}, false, false
		return []applied{{x, 0.1}}
	case len(n.items) == 1 && numeric(n.items) && !p.isIdentifier(n.items[0].col):
		x := n.clone()
		it := n.items[0]
		it.agg = "avg"
		x.items, x.distinct, x.byItems = []item{it}, false, false
		x.unsaid = fmt.Sprintf("There are several values of %s each: say total, average, highest or lowest.", it.col.Name)
		return []applied{{x, 0.1}}
	}
	return nil
}

// numeric reports whether an output is a number that tells nothing apart.
func numeric(items []item) bool {
	return slices.ContainsFunc(items, func(it item) bool { return it.col != nil && it.col.Class == catalog.Number && it.over == nil })
}
