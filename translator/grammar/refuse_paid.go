// Refusing payments for bills that are paid, and bills for what was paid of them.

package grammar

import (
	"fmt"
	"slices"

	"askpg/catalog"
)

// refusePartlyPaid refuses bills of which there is a payment as bills that are paid, where payments are rows of their own: a part of one need not
// be all of it. It refuses the amount of a bill as what was paid of it, too.
func (p *parser) refusePartlyPaid(n *phrase) (why string) {
	if !isSaid(p.tokens, "paid", "settled") || isSaid(p.tokens, "payment", "payments") {
		return ""
	}
	for open, b := range p.lexicon.balances {
		bills, payments := open.Relation.Name.Name, b.paid.Relation
		asBilled := slices.ContainsFunc(n.items, func(it item) bool { return it.column == b.amount }) && !p.used(n).columns[open] && !p.used(n).relations[payments]
		if asBilled {
			return fmt.Sprintf("%s of %s is what they come to: say amount of %s for what was paid.", b.amount.Name, bills, payments.Name.Name)
		}
		if n.set.relation == payments && (n.isEntity() || n.asksExistence) && len(n.group) == 0 {
			why = fmt.Sprintf("It is not said whether %s are paid in full or in part: say fully paid, or with a payment.", bills)
		}
		walk(n.set, func(s *set, _ int) {
			for _, c := range s.conditions {
				some := s.relation == open.Relation && c.kind == related && !c.negated && c.count == nil && c.child.relation == payments
				switch {
				case some && len(c.child.conditions) == 0 && c.child.superlative == nil:
					why = fmt.Sprintf("It is not said whether %s are paid in full or in part: say fully paid, or with a payment.", bills)
				case c.column == open && c.op == "<=" && p.tellsMoreOfPaying(s, payments):
					why = fmt.Sprintf("%s that are paid in full say nothing of when or how: ask for %s.", bills, payments.Name.Name)
				}
			}
		})
	}
	return why
}

// tellsMoreOfPaying reports whether the question says when bills that are paid were, or how.
func (p *parser) tellsMoreOfPaying(s *set, payments *catalog.Relation) bool {
	manner := p.anywhere(func(i int) bool { return p.at(i).lower == "paid" && (p.isDated(i) || isMannerWord(p.at(i+1).lower)) })
	return manner || slices.ContainsFunc(s.conditions, func(c condition) bool {
		return c.kind == related && slices.ContainsFunc(c.path.edges, func(e *edge) bool { return e.to == payments })
	})
}

// refuseReceivedCounted refuses the number of payments where the question speaks of what was received.
func (p *parser) refuseReceivedCounted(n *phrase) string {
	if p.isPayment(n.set.relation) && n.countsRows() && isSaid(p.tokens, "received") && !isSaid(p.tokens, "many", "number", "count") {
		return fmt.Sprintf("It is not said what of %s is added up: say total, or number of.", n.set.relation.Name.Name)
	}
	return ""
}
