// Refusing numbers of rows where amounts may be meant, and sums over what does not add up.

package grammar

import (
	"fmt"
	"slices"

	"askpg/catalog"
)

// refuseCountedAmount refuses to count rows where the question may ask for what they come to: "amount of unpaid bills", and the lines or kinds
// of what was ordered where it asks for pieces: "orders with more than 20 pieces".
func (p *parser) refuseCountedAmount(n *phrase) string {
	counted := map[*catalog.Relation]bool{}
	for _, part := range append([]*phrase{n}, n.ratio...) {
		if part.set == nil {
			continue
		}
		if part.countsRows() {
			counted[part.set.relation] = true
		}
		for _, c := range part.set.conditions {
			if c.count != nil {
				counted[c.child.relation] = true
			}
		}
	}
	bills := p.language.stems([]string{"invoice", "bill", "payment", "receipt", "donation", "refund"})
	for i, t := range p.tokens {
		for _, m := range p.mentions.relations[i] {
			if counted[m.relation] && intersect(p.lexicon.relationInfo[m.relation].stems, bills) && amountOf(p.tokens[:i]) {
				return fmt.Sprintf("It may be how many %s there are or what they come to: say number of, or total of which amount.", m.relation.Name.Name)
			}
		}
		if pieces := p.piecesOf(counted); pieces != nil && (t.stem == "piec" || t.stem == "unit") {
			return fmt.Sprintf("%q are no rows, but %s of %s: say what is added up.", t.text, pieces.Name, pieces.Relation.Name.Name)
		}
	}
	return ""
}

// piecesOf returns the number of pieces in lines that are counted, or whose goods are; nil if there is none.
func (p *parser) piecesOf(counted map[*catalog.Relation]bool) *catalog.Column {
	for _, pieces := range p.lexicon.soldQuantities {
		if counted[pieces.Relation] || slices.ContainsFunc(p.goodsKeys(pieces.Relation), func(e *edge) bool { return counted[e.to] }) {
			return pieces
		}
	}
	return nil
}

// amountOf reports whether "amount of" is the last that is said but for other words about what follows: "amount of the unpaid".
func amountOf(tokens []token) bool {
	for i := len(tokens) - 2; i >= max(0, len(tokens)-5); i-- {
		if tokens[i].lower == "amount" && tokens[i+1].lower == "of" {
			return true
		}
	}
	return false
}

// refuseCountOfOne refuses to count the one row of a key: "quantity of order 150" is no number of orders.
func (p *parser) refuseCountOfOne(n *phrase) string {
	if !n.countsRows() || n.asksExistence {
		return ""
	}
	key := only(p.lexicon.relationInfo[n.set.relation].key)
	for _, c := range n.set.conditions {
		if key != nil && key.Class == catalog.Number && c.kind == compare && c.column == key && c.op == "=" && c.value.query == nil {
			return fmt.Sprintf("There is one of %s with that %s: say what of it is wanted.", n.set.relation.Name.Name, key.Name)
		}
	}
	return ""
}

// refuseSeveralUnits refuses to add up pieces of things of which each has its own unit: kilograms and bottles.
func (p *parser) refuseSeveralUnits(n *phrase) string {
	for _, it := range n.items {
		if it.column == nil || it.aggregate != "sum" && it.aggregate != "avg" || !p.lexicon.isStock(it.column) {
			continue
		}
		s := n.set.find(it.setID)
		for _, unit := range it.column.Relation.Columns {
			names := p.lexicon.relationInfo[it.column.Relation].names[unit]
			several := isText(unit) && unit.Profile != nil && unit.Profile.Distinct > 1 && len(names) == 1 && names[0] == p.language.stem("unit")
			grouped := slices.ContainsFunc(n.group, func(g item) bool { return g.column == unit || g.entity && s != nil && g.setID == s.id })
			if several && !grouped && s != nil && len(s.conditions) == 0 {
				return fmt.Sprintf("%s of %s is in several units: say of which thing, or for each %s.", it.column.Name, it.column.Relation.Name.Name, unit.Name)
			}
		}
	}
	return ""
}

// refuseNoMoney refuses what has no amount of money where one is asked for in a currency: "sales in euros" are no number of orders.
func (p *parser) refuseNoMoney(n *phrase) string {
	for i := range p.tokens {
		if p.at(i).lower != "in" || !currencies[p.at(i+1).lower] || len(p.mentions.values[i+1]) > 0 {
			continue
		}
		for c := range p.used(n).columns {
			if p.mayBeMoney(c) {
				return ""
			}
		}
		return fmt.Sprintf("%q is said of an amount: say of what the total is wanted.", p.text(i, i+2))
	}
	return ""
}

// currencies are the words for money that sums are asked for in.
var currencies = wordSet([]string{"euro", "euros", "eur", "dollars", "usd", "pounds", "gbp", "francs", "chf", "money"})

// refuseOtherRowsMeasured refuses to measure rows of which others have what is said: an average over the reviews of customers is not that of the
// product that one of these is of.
func (p *parser) refuseOtherRowsMeasured(n *phrase) string {
	for _, it := range n.items {
		measured := n.set.find(it.setID)
		if it.aggregate == "" || measured == nil || measured == n.set || p.countMentions(measured.relation) > 1 {
			continue
		}
		for _, c := range n.set.conditions {
			if c.kind == related && !c.joined && !c.path.toOne() && c.child.find(it.setID) == nil && c.path.edges[0].to == measured.relation {
				return fmt.Sprintf("It is not said whether all that is said of %s is of the same one.", measured.relation.Name.Name)
			}
		}
	}
	return ""
}

// refuseKindOfOne refuses to rank single things where the question asks for kinds of them: the "product category" that is returned most often is
// not that of the one product.
func (p *parser) refuseKindOfOne(n *phrase) string {
	if n.set.superlative == nil {
		return ""
	}
	for i := range p.tokens {
		for _, m := range p.mentions.relations[i] {
			next := slices.IndexFunc(p.mentions.relations[m.end], func(k relationMention) bool {
				return k.relation != n.set.relation && k.score >= namedScore && p.lexicon.pointsTo(n.set.relation, k.relation)
			})
			if m.relation == n.set.relation && m.score >= namedScore && next >= 0 && !p.isVerb(m.end) {
				return fmt.Sprintf("It is not said whether one of %s is meant, or all of one of %s.", n.set.relation.Name.Name, p.mentions.relations[m.end][next].relation.Name.Name)
			}
		}
	}
	return ""
}

// refuseButOfCounted refuses to say of what is counted what stands behind "but": customers "with more than 20 orders but no returns" have none at all,
// and not 20 orders without one.
func (p *parser) refuseButOfCounted(n *phrase) (why string) {
	if !isSaid(p.tokens, "but") {
		return ""
	}
	walk(n.set, func(s *set, _ int) {
		for _, c := range s.conditions {
			if c.kind == related && c.count != nil && slices.ContainsFunc(c.child.conditions, func(d condition) bool { return d.kind == related && d.negated }) {
				why = fmt.Sprintf("It is not said whether %s or %s have none.", s.relation.Name.Name, c.child.relation.Name.Name)
			}
		}
	})
	return why
}
