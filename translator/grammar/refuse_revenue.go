// Refusing what may not be what was earned.

package grammar

import (
	"fmt"
	"slices"

	"askpg/catalog"
)

// earned returns the columns that a reading adds up where the question asks for what was earned, and the stem of its word for that.
func (p *parser) earned(n *phrase) (list []*catalog.Column, word string) {
	said := slices.IndexFunc(p.tokens, func(t token) bool { return p.language.isRevenueWord(t.lower) })
	if said < 0 {
		return nil, ""
	}
	for _, it := range n.items {
		if it.column != nil && it.aggregate != "" {
			list = append(list, it.column)
		}
	}
	return list, p.tokens[said].stem
}

// refuseReceivedAsRevenue refuses what was paid as revenue where what was sold or invoiced may have amounts of its own: the two differ by
// what is not paid yet. Payments that nothing leads from are of something that is not known.
func (p *parser) refuseReceivedAsRevenue(n *phrase) string {
	columns, _ := p.earned(n)
	for _, c := range columns {
		r, to := c.Relation, 0
		if !p.isPayment(r) {
			continue
		}
		for _, e := range p.lexicon.graph.edges[r] {
			if !e.toOne {
				continue
			}
			to++
			if i := slices.IndexFunc(e.to.Columns, p.mayBeMoney); i >= 0 && !p.isPeople(e.to) {
				return fmt.Sprintf("It may be what was paid (%s of %s) or %s of %s: say which.", c.Name, r.Name.Name, e.to.Columns[i].Name, e.to.Name.Name)
			}
		}
		if to == 0 {
			return fmt.Sprintf("%s says what was paid, and not what for: say payments, or define what revenue is.", r.Name.Name)
		}
	}
	return ""
}

// refuseOtherAsRevenue refuses an amount of no payment as what was earned, where it is of nothing that was sold or named, or where other
// things are paid for besides.
func (p *parser) refuseOtherAsRevenue(n *phrase) string {
	columns, word := p.earned(n)
	for _, c := range columns {
		if why := p.whyNotEarned(c, word); !p.isPayment(c.Relation) && why != "" {
			return why
		}
	}
	return ""
}

// notPaid are the values of a status by which a payment brought nothing.
var notPaid = []string{"failed", "declined", "bounced", "rejected", "charged back", "reversed"}

// refuseFailedPayments refuses to add up payments of which a status says that some failed, where the question does not say which are meant.
func (p *parser) refuseFailedPayments(n *phrase) string {
	added := slices.Clone(n.items)
	if n.set.superlative != nil {
		added = append(added, n.set.superlative.by)
	}
	for _, it := range added {
		if it.aggregate != "sum" && it.aggregate != "avg" || it.column == nil || !p.isPayment(it.column.Relation) {
			continue
		}
		if s := n.set.find(it.setID); s != nil {
			if kept := p.lexicon.withoutStatusOf(s.relation, s.conditions, p.language.stemPhrases(notPaid)); len(kept) > 0 {
				return fmt.Sprintf("Some of %s brought nothing, as their status says: say which of them are added up.", s.relation.Name.Name)
			}
		}
	}
	return ""
}

// refuseSumOfSold refuses to add up what one piece of a thing costs or weighs, of things that were sold: each was sold in some pieces, of which
// the sum says nothing.
func (p *parser) refuseSumOfSold(n *phrase) string {
	for _, it := range n.items {
		if it.aggregate != "sum" || it.column == nil || it.column.Relation != n.set.relation || p.lexicon.isStock(it.column) {
			continue
		}
		for _, c := range n.set.conditions {
			if c.kind != related || c.negated || c.path.toOne() {
				continue
			}
			for _, e := range c.path.edges {
				if slices.ContainsFunc(p.lexicon.soldQuantities, func(pieces *catalog.Column) bool { return pieces.Relation == e.to }) {
					return fmt.Sprintf("It is not said whether %s of %s is added up once for each or for each piece of %s.", it.column.Name, n.set.relation.Name.Name, e.to.Name.Name)
				}
			}
		}
	}
	return ""
}

// refuseSumBesidePieces refuses to add up a fee or a rate of rows that have a number of pieces, too, where their names do not say of which of the two
// it is: the fee of a treatment may be that of each.
func (p *parser) refuseSumBesidePieces(n *phrase) string {
	for _, it := range n.items {
		c := it.column
		if it.aggregate != "sum" || c == nil || !slices.ContainsFunc(p.lexicon.relationInfo[c.Relation].names[c], func(s string) bool { return s == "fee" || s == "rate" || s == "tariff" }) {
			continue
		}
		pieces := onlyWhere(c.Relation.Columns, func(o *catalog.Column) bool {
			return o.Class == catalog.Number && slices.ContainsFunc(p.lexicon.relationInfo[c.Relation].names[o], func(s string) bool { return p.language.quantityNames[s] })
		})
		if pieces != nil {
			return fmt.Sprintf("It is not said whether %s of %s is that of one or of all %s: define the amount.", c.Name, c.Relation.Name.Name, pieces.Name)
		}
	}
	return ""
}

// whyNotEarned says why an amount may not be what was earned.
func (p *parser) whyNotEarned(c *catalog.Column, word string) string {
	r := c.Relation
	own := slices.Contains(p.lexicon.relationInfo[r].names[c], word) || p.lexicon.relationInfo[r].stems[word]
	_, computed := p.lexicon.lineAmounts[c]
	if !computed && !own && !p.lexicon.isOfSold(r) && !p.mentionsRelation(r) {
		return fmt.Sprintf("%s of %s may not be what was earned: name the amount that is added up.", c.Name, r.Name.Name)
	}
	if q := p.paidForOther(r); q != nil && (!own || computed) && !p.mentionsSold(r) {
		return fmt.Sprintf("It may be what was sold (%s) or what was paid (%s): say which.", r.Name.Name, q.Name.Name)
	}
	return ""
}

// refuseLinesForBilled refuses what lines come to as what was earned where that is written of what they are parts of, and where nothing is said
// of the goods that are in the lines.
func (p *parser) refuseLinesForBilled(n *phrase) string {
	by := slices.Clone(n.items)
	if n.set.superlative != nil {
		by = append(by, n.set.superlative.by)
	}
	for _, o := range n.order {
		by = append(by, o.by)
	}
	for _, it := range by {
		a, computed := p.lexicon.lineAmounts[it.column]
		if !computed || !a.besideTotal || !p.mentionsRevenue() {
			continue
		}
		lines, goods := it.column.Relation, false
		walk(n.set, func(s *set, _ int) {
			for _, c := range s.conditions {
				for _, e := range c.path.edges {
					of := e.from == lines && !p.isLineOf(lines, e.to) || e.to == lines && !p.isLineOf(lines, e.from)
					goods = goods || of
				}
			}
		})
		if !goods {
			return fmt.Sprintf("It may be what %s come to or what is written of the whole: say which.", lines.Name.Name)
		}
	}
	return ""
}

// refuseSalesCounted refuses a ranking "by sales" by their number where they have amounts, and one by the largest of them where "the highest sales"
// are asked for: these are added up.
func (p *parser) refuseSalesCounted(n *phrase) string {
	if m := n.set.superlative; m != nil && m.by.aggregate == "count" && m.by.column == nil {
		bySales := p.anywhere(func(i int) bool { return i > 0 && p.tokens[i].lower == "sales" && p.tokens[i-1].lower == "by" })
		if s := n.set.find(m.by.setID); bySales && s != nil && p.impliedColumn(s.relation, true) != nil {
			return fmt.Sprintf("It is not said whether %s are counted or added up: say by number of %[1]s, or by revenue.", s.relation.Name.Name)
		}
	}
	largest := func(s *set) bool {
		return s.superlative != nil && s.superlative.by.aggregate == "" && s.superlative.by.column != nil && s.superlative.by.column == p.impliedColumn(s.relation, true)
	}
	ofOthers := largest(n.set) && !slices.ContainsFunc(n.items, func(it item) bool { return it.setID == n.set.id })
	ofSome := slices.ContainsFunc(n.set.conditions, func(c condition) bool { return c.kind == related && !c.joined && largest(c.child) })
	if (ofOthers || ofSome) && p.anywhere(func(i int) bool { return p.tokens[i].lower != "sale" && p.language.isRevenueWord(p.tokens[i].lower) }) {
		return "It is not said whether the highest of several is meant or all of them together: say total."
	}
	return ""
}
