// Refusing what may be unpaid as paid, where the schema records payments.

package grammar

import (
	"fmt"
	"slices"

	"askpg/catalog"
)

// refusePaidElsewhere refuses rows or amounts that may be unpaid as what was "paid by" somebody, where another relation records payments.
func (p *parser) refusePaidElsewhere(n *phrase) string {
	said := slices.IndexFunc(p.tokens, func(t token) bool { return t.lower == "paid" })
	if said < 0 || p.at(said+1).lower != "by" || !slices.ContainsFunc(p.relations, p.recordsPayments) || p.isWithinUsed(said, said+1, p.used(n)) {
		return ""
	}
	for _, how := range p.mentions.values[said+2] {
		if slices.ContainsFunc(how, func(h valueMention) bool { return h.column.Relation == n.set.relation }) {
			return "" // "paid by card" says how
		}
	}
	if r := n.set.relation; slices.ContainsFunc(r.Columns, p.isPaidColumn) {
		return fmt.Sprintf("Some of %s may not be paid: write paid before their name.", r.Name.Name)
	}
	for _, it := range n.items {
		if it.column == nil || it.aggregate != "sum" || p.isPayment(it.column.Relation) || p.isPaidColumn(it.column) {
			continue
		}
		return fmt.Sprintf("%s of %s may be of what is not paid: name what records the payments.", it.column.Name, it.column.Relation.Name.Name)
	}
	return ""
}

// recordsPayments reports whether rows of a relation are payments, or one of its columns says what was paid.
func (p *parser) recordsPayments(r *catalog.Relation) bool {
	return p.isPayment(r) || slices.ContainsFunc(r.Columns, p.isPaidColumn)
}

// isPaidColumn reports whether a column is called by what was paid.
func (p *parser) isPaidColumn(c *catalog.Column) bool {
	return slices.Contains(splitName(c.Name), "paid")
}
