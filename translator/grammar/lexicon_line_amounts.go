// What order lines come to where no column has it: quantity times price.

package grammar

import (
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// lineAmount is what an order line comes to: quantity times price, less the discount. A question names it like a column. discount is nil
// if there is none; discountIsShare says that it holds 0.1 for ten percent.
type lineAmount struct {
	quantity, price, discount *catalog.Column
	discountIsShare           bool
	besideTotal               bool // what the rows are parts of, or its bill, has its amount written: revenue is that, but for goods
	billed                    bool // the bill has it, and what is billed has none
}

// addLineAmounts names what rows come to where the schema has one relation of what was sold with the number of pieces and the price of
// one, and no amount of money that says it.
func (x *lexicon) addLineAmounts() {
	var found []lineAmount
	named := false // what it is called is there
	for _, r := range x.snapshot.Relations {
		if c := x.quantityIn(r); c != nil {
			x.soldQuantities = append(x.soldQuantities, c)
		}
	}
	for _, r := range x.snapshot.Relations {
		named = named || slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool {
			return x.hasNumber([]*catalog.Column{c}, x.language.revenueStems) && !x.isPrice(c) && !x.graph.isForeign(c) && !slices.Contains(x.relationInfo[r].key, c)
		})
		if a, ok := x.lineAmount(r); ok {
			found = append(found, a)
		}
	}
	if len(found) != 1 {
		return
	}
	r := found[0].price.Relation
	if !slices.Contains(x.soldQuantities, found[0].quantity) {
		x.soldQuantities = append(x.soldQuantities, found[0].quantity)
	}
	if named && !found[0].besideTotal || x.billedElsewhere(r) {
		return
	}
	c := &catalog.Column{Relation: r, Name: "revenue", Class: catalog.Number, Num: found[0].price.Num}
	x.lineAmounts[c] = found[0]
	x.relationInfo[r].names[c] = x.stems([]string{"revenue", "amount"})
	if found[0].besideTotal {
		x.columnLabels[c] = []*label{{relation: r, column: c, words: []string{"revenue"}, score: 1, allWords: true}}
		return
	}
	for _, name := range x.language.lineAmountNames {
		if words := x.language.spoken(name); !slices.ContainsFunc(words, func(w string) bool { return x.relationInfo[r].stems[x.language.stem(w)] }) {
			x.add(&label{relation: r, column: c, words: words, score: 1, allWords: true})
		}
	}
}

// billedElsewhere reports whether amounts are written where a relation is called a bill and has nothing to do with some lines: what is
// ordered in a hotel is but a part of what it earns.
func (x *lexicon) billedElsewhere(lines *catalog.Relation) bool {
	amounts := x.language.stems([]string{"amount", "total"})
	return slices.ContainsFunc(x.snapshot.Relations, func(r *catalog.Relation) bool {
		billed := r != lines && x.isOrder(r) && !intersect(x.relationInfo[r].stems, x.language.boughtNames)
		return billed && x.hasNumber(r.Columns, amounts) && !x.pointsTo(lines, r) && !x.isBillOf(r, lines)
	})
}

// isBillOf reports whether the rows of a relation have the amount of what some lines are parts of.
func (x *lexicon) isBillOf(bills, lines *catalog.Relation) bool {
	if !x.isOrder(bills) || x.onlyMoney(bills) == nil {
		return false
	}
	return slices.ContainsFunc(x.snapshot.ForeignKeys, func(k *catalog.ForeignKey) bool { return k.From == bills && x.isSold(k.To) && x.pointsTo(lines, k.To) })
}

// isSold reports whether a relation is called as what was sold.
func (x *lexicon) isSold(r *catalog.Relation) bool {
	return intersect(x.relationInfo[r].stems, x.language.soldNames)
}

// pointsTo reports whether a declared key leads from one relation to another.
func (x *lexicon) pointsTo(from, to *catalog.Relation) bool {
	return slices.ContainsFunc(x.snapshot.ForeignKeys, func(k *catalog.ForeignKey) bool { return k.From == from && k.To == to && !k.Implied })
}

// lineAmount returns what the rows of a relation come to; false if they are none of what was sold, or if amounts are there.
func (x *lexicon) lineAmount(r *catalog.Relation) (a lineAmount, ok bool) {
	var pieces, prices, things []*catalog.Column
	for _, c := range r.Columns {
		has := func(words map[string]bool) bool {
			return slices.ContainsFunc(x.relationInfo[r].names[c], func(s string) bool { return words[s] })
		}
		switch {
		case has(x.language.discountNames):
			share, known := x.holdsShares(c)
			if !known || a.discount != nil || !percentNames.MatchString(strings.Join(splitName(c.Name), " ")+" "+c.Comment) && !share {
				return a, false // what is taken off is not known to be of one or of all
			}
			a.discount, a.discountIsShare = c, share
		case c.Class != catalog.Number || c.Private || x.graph.isForeign(c):
		case has(x.language.quantityNames) && !has(x.language.moneyNames):
			pieces = append(pieces, c)
		case x.isPrice(c):
			prices = append(prices, c)
		case has(x.language.moneyNames):
			return a, false
		case singular(lastOf(splitName(c.Name))) != "" && !slices.Contains(x.relationInfo[r].key, c):
			things = append(things, c)
		}
	}
	if len(pieces) == 0 {
		pieces = things // "bottles" and the price of one
	}
	a.quantity, a.price = only(pieces), only(prices)
	if a.discount != nil && a.price != nil {
		said := wordsOf(a.price.Comment)
		if before := slices.Contains(said, "before") || slices.Contains(said, "without"); !before && intersect(x.language.stems(said), x.language.discountNames) {
			a.discount = nil // "after discount"
		}
	}
	a.billed = !x.hasTotal(r) && x.isBilled(r)
	a.besideTotal = a.billed || x.hasTotal(r)
	sold, bought := x.soldOrBought(r)
	return a, a.quantity != nil && a.price != nil && sold && !bought && (a.discount != nil || a.besideTotal || !x.isDiscountedAsWhole(r))
}

// isDiscountedAsWhole reports whether something is taken off what the rows of a relation are parts of, which they do not say.
func (x *lexicon) isDiscountedAsWhole(lines *catalog.Relation) bool {
	return slices.ContainsFunc(x.snapshot.ForeignKeys, func(k *catalog.ForeignKey) bool {
		return k.From == lines && x.isSold(k.To) && x.hasNumber(k.To.Columns, x.language.discountNames)
	})
}

// quantityIn returns the number of pieces in the rows of a relation, nil if they are none of what was sold.
func (x *lexicon) quantityIn(r *catalog.Relation) *catalog.Column {
	linked := slices.ContainsFunc(x.snapshot.ForeignKeys, func(k *catalog.ForeignKey) bool { return k.From == r && !k.Implied })
	if sold, bought := x.soldOrBought(r); !sold || bought || !linked {
		return nil
	}
	return onlyWhere(r.Columns, func(c *catalog.Column) bool {
		return !c.Private && !x.graph.isForeign(c) && x.isPieces(c)
	})
}

// isPrice reports whether a column is called a price.
func (x *lexicon) isPrice(c *catalog.Column) bool {
	return slices.Contains(x.relationInfo[c.Relation].names[c], x.language.stem("price"))
}

// isBilled reports whether there are bills of what the rows of a relation are parts of.
func (x *lexicon) isBilled(lines *catalog.Relation) bool {
	for _, e := range x.graph.edges[lines] {
		if e.toOne && !e.implied && slices.ContainsFunc(x.graph.edges[e.to], func(of *edge) bool { return of.to != lines && x.isBillOf(of.to, lines) }) {
			return true
		}
	}
	return false
}

// hasTotal reports whether what the rows of a relation are parts of has its amount written.
func (x *lexicon) hasTotal(r *catalog.Relation) bool {
	return slices.ContainsFunc(x.snapshot.ForeignKeys, func(key *catalog.ForeignKey) bool {
		return key.From == r && intersect(x.relationInfo[key.To].stems, x.language.soldNames) && slices.ContainsFunc(key.To.Columns, func(c *catalog.Column) bool {
			identifies := x.graph.isForeign(c) || slices.Contains(x.relationInfo[key.To].key, c) // the sale_id of a sale
			return !identifies && x.hasNumber([]*catalog.Column{c}, x.language.moneyNames) && !x.hasNumber([]*catalog.Column{c}, x.language.surchargeNames)
		})
	})
}

// soldOrBought reports whether a relation is called as what was sold, or what its rows point to is, and the same of what was bought.
func (x *lexicon) soldOrBought(r *catalog.Relation) (sold, bought bool) {
	called := func(r *catalog.Relation) {
		sold = sold || intersect(x.relationInfo[r].stems, x.language.soldNames)
		bought = bought || intersect(x.relationInfo[r].stems, x.language.boughtNames)
	}
	called(r)
	for _, key := range x.snapshot.ForeignKeys {
		if key.From == r {
			called(key.To)
		}
	}
	return sold, bought
}

// isOfSold reports whether the rows of a relation, or what they point to, were sold and not bought.
func (x *lexicon) isOfSold(r *catalog.Relation) bool {
	sold, bought := x.soldOrBought(r)
	return sold && !bought || x.isOrder(r)
}

// intersect reports whether two sets of words have one in common.
func intersect(a, b map[string]bool) bool {
	for w := range a {
		if b[w] {
			return true
		}
	}
	return false
}

// hasNumber reports whether a number is called by one of the words.
func (x *lexicon) hasNumber(columns []*catalog.Column, words map[string]bool) bool {
	return slices.ContainsFunc(columns, func(c *catalog.Column) bool {
		return c.Class == catalog.Number && slices.ContainsFunc(x.relationInfo[c.Relation].names[c], func(s string) bool { return words[s] })
	})
}

// isPieces reports whether a column is a number of pieces: a unit cost is none.
func (x *lexicon) isPieces(c *catalog.Column) bool {
	called := []*catalog.Column{c}
	return x.hasNumber(called, x.language.quantityNames) && !x.hasNumber(called, x.language.moneyNames)
}

// lineAmountOf returns the column of what the rows of a relation come to, nil if it has none or if what they are parts of has its amount
// written itself.
func (x *lexicon) lineAmountOf(r *catalog.Relation) *catalog.Column {
	for c, a := range x.lineAmounts {
		if c.Relation == r && (!a.besideTotal || a.billed) {
			return c
		}
	}
	return nil
}

// isRevenue reports whether a phrase is an amount that was earned: of it the most is brought in, not the most rows.
func (p *parser) isRevenue(n *phrase) bool {
	return n.isAttribute() && len(n.items) == 1 && n.items[0].attribute != nil && n.items[0].aggregate == "" && n.words[1] > 0 && p.language.isRevenueWord(p.tokens[n.words[1]-1].lower)
}

// refuseSingleLine refuses what order lines come to where it is not added up: the question does not say whether one line is meant or the
// total.
func (p *parser) refuseSingleLine(n *phrase) (why string) {
	of := func(it item, s *set) {
		_, computed := p.lexicon.lineAmounts[it.column]
		if !computed || it.aggregate == "sum" || it.aggregate == "" && s != nil && s == n.set && !p.isLine(s.relation) {
			return
		}
		if it.aggregate == "" || p.isLine(it.column.Relation) {
			why = fmt.Sprintf("It is not said whether one row of %s is meant or all of them together: say total.", it.column.Relation.Name.Name)
		}
	}
	for _, it := range n.items {
		of(it, n.set.find(it.setID))
	}
	walk(n.set, func(s *set, _ int) {
		for _, c := range s.conditions {
			if c.kind == compare {
				of(item{column: c.column}, s)
			}
		}
		if s.superlative != nil {
			of(s.superlative.by, s)
		}
	})
	return why
}

// refuseWholeForLines refuses amounts of whole orders where the question is about some of their lines: the revenue of a lamp is not the
// total of the orders that contain it.
func (p *parser) refuseWholeForLines(n *phrase) string {
	for _, it := range n.items {
		s := n.set.find(it.setID)
		if it.aggregate != "sum" && !p.mentionsRevenue() || it.column == nil || s == nil || !p.lexicon.isOrder(s.relation) || p.mentionsRelation(s.relation) {
			continue
		}
		if n.set.pathTo(s.id).isTurning() {
			return fmt.Sprintf("%s is of all of %s: say what is meant of it.", it.column.Name, s.relation.Name.Name)
		}
		for _, c := range s.conditions {
			if c.kind != related || c.negated || c.joined {
				continue
			}
			if e := c.path.edges[0]; !e.toOne && p.isLineOf(e.to, s.relation) {
				return fmt.Sprintf("%s is of all of %s: say whether that of their %s is meant.", it.column.Name, s.relation.Name.Name, e.to.Name.Name)
			}
		}
	}
	return ""
}

// isLine reports whether rows of a relation are parts of what was sold, such as the lines of an order.
func (p *parser) isLine(r *catalog.Relation) bool { return p.soldIn(r) != nil }

// isLineOf reports whether rows of a relation are parts of those of another that was sold.
func (p *parser) isLineOf(lines, of *catalog.Relation) bool {
	whole := p.soldIn(lines)
	return whole != nil && whole.To == of
}

// soldIn returns the key to what was sold of which the rows of a relation are parts, nil if there is none.
func (p *parser) soldIn(r *catalog.Relation) *catalog.ForeignKey {
	for _, k := range p.lexicon.snapshot.ForeignKeys {
		if k.From == r && intersect(p.lexicon.relationInfo[k.To].stems, p.language.soldNames) {
			return k
		}
	}
	return nil
}

// revenueWithoutCancelled leaves out of what was earned what was cancelled, where a state says so and the question speaks of none: of what lines
// come to, and of bills.
func (p *parser) revenueWithoutCancelled(n *phrase) *phrase {
	if n.set == nil {
		return n
	}
	summed := slices.Clone(n.items)
	for _, o := range n.order {
		summed = append(summed, o.by)
	}
	says, bills := p.mentionsRevenue(), p.language.stems([]string{"invoice", "bill"})
	if says || p.lineAmountOfOrder(n.set.relation) == nil { // the largest order may be one that was cancelled
		for _, h := range n.having {
			summed = append(summed, h.by)
		}
		if n.set.superlative != nil {
			summed = append(summed, n.set.superlative.by)
		}
	}
	i := slices.IndexFunc(summed, func(it item) bool {
		_, open := p.lexicon.balances[it.column]
		return open || p.isSoldItem(it) || says && it.column != nil && it.aggregate == "sum" && intersect(p.lexicon.relationInfo[it.column.Relation].stems, bills)
	})
	if i < 0 || n.set.find(summed[i].setID) == nil {
		return n
	}
	x, lines := n.clone(), n.set.find(summed[i].setID)
	if root, of := p.withOrder(n.set, lines); of != nil {
		said := of.conditions
		walk(n.set, func(s *set, _ int) { // also where another reading of the same row says it
			if s.relation == of.relation {
				said = slices.Concat(said, s.conditions)
			}
		})
		if kept := p.lexicon.withoutCancelled(of.relation, said); len(kept) > 0 {
			x.set = root.replace(of.with(kept...))
		}
	}
	names := p.language.unsoldNames // what was never paid was billed all the same
	_, computed := p.lexicon.lineAmounts[summed[i].column]
	if _, open := p.lexicon.balances[summed[i].column]; computed || open {
		names = p.language.voidNames
	}
	lines = x.set.find(lines.id)
	if kept := p.lexicon.withoutStatusOf(lines.relation, lines.conditions, names); len(kept) > 0 {
		x.set = x.set.replace(lines.with(kept...))
	}
	return x
}

// mentionsRevenue reports whether the question has a word for what was earned.
func (p *parser) mentionsRevenue() bool {
	return slices.ContainsFunc(p.tokens, func(t token) bool { return p.language.isRevenueWord(t.lower) })
}

// isSoldItem reports whether an output is what lines come to, or the number of pieces that were sold.
func (p *parser) isSoldItem(it item) bool {
	if slices.Contains(p.lexicon.soldQuantities, it.column) {
		return it.aggregate == "sum" && slices.ContainsFunc(p.tokens, func(t token) bool { return t.stem == "sell" })
	}
	_, computed := p.lexicon.lineAmounts[it.column]
	return computed
}

// withOrderOfLines joins the order to order lines that have no time of their own, since they were sold when they were ordered. It returns
// the set of orders, nil if these are no order lines.
func (p *parser) withOrderOfLines(lines *set) (joined, of *set) {
	sold := p.lexicon.lineAmountOf(lines.relation) != nil || slices.ContainsFunc(p.lexicon.soldQuantities, func(c *catalog.Column) bool { return c.Relation == lines.relation })
	if !sold || len(p.lexicon.relationInfo[lines.relation].dates) > 0 {
		return lines, nil
	}
	return p.withOrder(lines, lines)
}

// withOrder joins the order to the order lines within a set, and returns the set and that of the orders; nil if the lines belong to no
// order.
func (p *parser) withOrder(root, lines *set) (joined, of *set) {
	whole := p.soldIn(lines.relation)
	if whole == nil {
		return root, nil
	}
	if of := root.joinedTo(whole.To); of != nil && root.find(of.id) != nil {
		return root, of
	}
	if split, of := p.splitAtOrder(lines, whole); of != nil {
		return root.replace(split), of
	}
	for _, e := range p.lexicon.graph.edges[lines.relation] {
		missing := slices.ContainsFunc(e.fromCols, func(c *catalog.Column) bool { return !c.NotNull }) // a bill of something else
		if e.toOne && e.to == whole.To && slices.Equal(e.fromCols, whole.FromCols) && !missing {
			of := &set{id: p.newID(), relation: whole.To}
			return root.replace(lines.with(condition{kind: related, child: of, path: e.path(), joined: true})), of
		}
	}
	return root, nil
}

// splitAtOrder makes a set of the orders that a path leads through from their lines, so that no second join brings them in. It returns nil
// for the orders if no path does.
func (p *parser) splitAtOrder(lines *set, whole *catalog.ForeignKey) (split, of *set) {
	for i, c := range lines.conditions {
		if c.kind != related || c.negated || c.optional || c.count != nil || len(c.path.edges) < 2 || !c.path.toOne() {
			continue
		}
		first := c.path.edges[0]
		if first.to != whole.To || !slices.Equal(first.fromCols, whole.FromCols) {
			continue
		}
		cost := c.path.cost
		c.path = path{edges: c.path.edges[1:]}
		of = &set{id: p.newID(), relation: whole.To, conditions: []condition{c}}
		s := *lines
		s.conditions = slices.Clone(lines.conditions)
		s.conditions[i] = condition{kind: related, child: of, path: path{edges: []*edge{first}, cost: cost}, joined: true}
		return &s, of
	}
	return nil, nil
}
