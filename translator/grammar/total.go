package grammar

import (
	"fmt"
	"slices"

	"askpg/catalog"
)

// total returns what a phrase says of many rows together: a number of things,
// the sum of amounts. Numbers that do not add up have none: which aggregate is
// meant was not said.
func (p *parser) total(n *phrase) []reading {
	switch {
	case n.number != "" || n.set.superlative != nil || len(n.order) > 0 || len(n.items) == 1 && n.items[0].divisor != nil:
		return nil
	case n.isEntity():
		return []reading{{p.counted(n), 0.3}}
	case len(n.items) == 1 && n.items[0].column != nil && p.additive(n.items[0].column):
		x := n.clone()
		it := n.items[0]
		it.aggregate = "sum"
		x.items, x.distinct, x.attributeHead = []item{it}, false, false
		return []reading{{x, 0.1}}
	case len(n.items) == 1 && numeric(n.items) && !p.isIdentifier(n.items[0].column):
		x := n.clone()
		it := n.items[0]
		it.aggregate = "avg"
		x.items, x.distinct, x.attributeHead = []item{it}, false, false
		x.unsaid = fmt.Sprintf("There are several values of %s each: say total, average, highest or lowest.", it.column.Name)
		return []reading{{x, 0.1}}
	}
	return nil
}

// numeric reports whether an output is a number that tells nothing apart.
func numeric(items []item) bool {
	return slices.ContainsFunc(items, func(it item) bool { return it.column != nil && it.column.Class == catalog.Number && it.divisor == nil })
}
