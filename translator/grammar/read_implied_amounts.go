// Comparing an amount that is not named: "orders over 500".

package grammar

import (
	"cmp"
	"slices"

	"askpg/catalog"
)

// measuredDegrees compare what is no amount of money or pieces.
var measuredDegrees = wordSet([]string{"longer", "shorter", "taller", "older", "younger", "heavier", "lighter", "faster", "slower", "wider", "deeper", "warmer", "colder"})

// impliedAmount reads "over 500", "of more than 1000 euros" behind things that have one amount.
func (p *parser) impliedAmount(i int) (out []modifierCandidate) {
	starts := []int{i}
	if w := p.at(i).lower; w == "of" || w == "for" || w == "worth" {
		starts = append(starts, i+1)
	}
	for _, s := range starts {
		if measuredDegrees[p.at(s).lower] {
			continue // orders longer than 5 are not dearer
		}
		for _, c := range slices.Concat(p.compared(s), p.betweenNumbers(s), p.numberOrMore(s)) {
			if len(c.value.literals) == 0 || isEquality(c.op) || c.phrase != nil || p.at(c.end-1).kind == quotedToken {
				continue
			}
			last := p.at(c.end - 1)
			money := currency[last.lower] || slices.ContainsFunc(p.tokens[s:c.end], isCurrencySign)
			years := c.op == "between" && !money && !slices.ContainsFunc(c.value.literals, func(l string) bool { return !looksLikeYear(l) })
			if years || c.value.percent || !money && dimensionOf(c.value.unit) == nil && last.kind == wordToken && len(p.unit(c.end-1)) > 1 || p.namesSomething(c.end) {
				continue // days and percent are no amounts, nor is "more than 3 products"
			}
			out = append(out, modifierCandidate{modifier{kind: modifierAmount, op: c.op, value: c.value, money: money}, c.end, c.cost + 0.25})
		}
	}
	return out
}

// namesSomething reports whether a noun of the database begins at token i.
func (p *parser) namesSomething(i int) bool {
	return i < len(p.tokens) && !p.isInflected(i) && len(p.mentions.relations[i])+len(p.mentions.attributes[i]) > 0
}

// applyAmount compares the amount that things have.
func (p *parser) applyAmount(n *phrase, m *modifier) []reading {
	if n.isValue() {
		return thenApply(p.kindOf(n), 2, func(kind *phrase) []reading { return p.applyAmount(kind, m) }) // "bikes under 1000"
	}
	if !n.isEntity() || len(n.group) > 0 || n.set.superlative != nil || p.aggregatedAt(n.words[0]) {
		return nil
	}
	column := p.measuredIn(n.set.relation, m.value.unit)
	if m.money && column != nil {
		if factor, same := unitFactor(m.value.unit, column); factor != nil || !same {
			column = nil // pounds are money where weights are in another unit
		}
	}
	switch measured := dimensionOf(m.value.unit) != nil; {
	case column != nil:
	case measured && !m.money || measured && p.weighsUnsaid(n.set.relation):
		return nil
	case m.money:
		column = p.priceOf(n.set.relation, true) // products under 10 euros are sold for that, whatever they cost us
	}
	if column == nil {
		column = p.impliedColumn(n.set.relation, m.money)
	}
	if column == nil && !m.money && !slices.ContainsFunc(m.value.literals, looksLikeYear) {
		column = p.priceOf(n.set.relation, false)
	}
	if column == nil && (m.money || p.lexicon.isOrder(n.set.relation) && dimensionOf(m.value.unit) == nil) {
		column = p.lineAmountOfOrder(n.set.relation)
	}
	if column != nil && column.Relation != n.set.relation {
		return p.applyComparison(n, &modifier{kind: modifierCompare, attribute: &attribute{candidates: []columnCandidate{{column: column, score: 1}}}, op: m.op, value: m.value, summed: true})
	}
	if column == nil || p.noAmount(columnCandidate{column: column, score: 1}, m.value) || speaksOf(n.set.conditions, column) {
		return nil
	}
	return []reading{{n.holding(condition{kind: compare, column: column, op: m.op, value: m.value}), 0}}
}

// measuredIn returns the number of a relation that is held in a unit which measures what another one does, nil if there is none or several.
func (p *parser) measuredIn(r *catalog.Relation, unit string) *catalog.Column {
	dimension := dimensionOf(unit)
	return onlyWhere(r.Columns, func(c *catalog.Column) bool {
		held, known := unitHeld(c)
		return c.Class == catalog.Number && !c.Private && !p.isIdentifier(c) && known && dimension[held] != ""
	})
}

// weighsUnsaid reports whether a relation has weights of which nothing says the unit.
func (p *parser) weighsUnsaid(r *catalog.Relation) bool {
	weights := p.language.stems(p.language.measures["weigh"])
	return slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool {
		_, known := unitHeld(c)
		return !known && p.lexicon.hasNumber([]*catalog.Column{c}, weights)
	})
}

// priceOf returns what one of the things costs: "wines under 20". nil if nothing is called so, several are, the rows have a number of
// pieces, or another number may be meant where money is not said, such as the pages of a book or its weight. Goods are under 20 by their price.
func (p *parser) priceOf(r *catalog.Relation, money bool) *catalog.Column {
	var prices []*catalog.Column
	for _, c := range r.Columns {
		names := p.lexicon.relationInfo[r].names[c]
		switch {
		case c.Private || c.Class != catalog.Number || p.isIdentifier(c) || p.lexicon.isStock(c):
		case slices.Contains(names, p.language.stem("price")):
			prices = append(prices, c)
		case p.lexicon.isPieces(c),
			!money && !p.areGoods(r) && (p.isNumberOfThings(c) || slices.ContainsFunc(names, func(s string) bool { return p.language.notAdditiveNames[s] })):
			return nil
		}
	}
	if len(prices) > 1 {
		prices = slices.DeleteFunc(prices, p.lexicon.wasPaid)
	}
	return only(prices)
}

// aggregatedAt reports whether the word before token i is an aggregate: of "average rating below 2" the average is below 2, and not each
// rating.
func (p *parser) aggregatedAt(i int) bool {
	for _, a := range aggregateTags[:5] {
		if i > 0 && slices.Contains(p.ends(i-1, a.tag), i) {
			return true
		}
	}
	return false
}

// valueOf reads "order value": the amount of money that things have.
func (p *parser) valueOf(c candidate) []candidate {
	if !isWorth(p.at(c.end)) || !c.phrase.isEntity() || len(c.phrase.group) > 0 || c.phrase.words[1] != c.end || p.namedValue(c.phrase.set.relation, c.end) {
		return nil
	}
	n := p.worth(c.phrase)
	if n == nil {
		return nil
	}
	return []candidate{{n, c.end + 1, c.cost + 0.1}}
}

// worth returns the phrase of what things are worth, nil if no column says it. An order is worth the sum of its lines.
func (p *parser) worth(things *phrase) *phrase {
	n := things.clone()
	if c := p.impliedColumn(things.set.relation, true); c != nil {
		n.items = []item{{column: c, setID: n.set.id}}
		return n
	}
	c := p.lineAmountOfOrder(things.set.relation)
	if c == nil || things.number != "" || things.set.superlative != nil {
		return nil
	}
	lines := &set{id: p.newID(), relation: c.Relation}
	lines, of := p.withOrder(lines, lines)
	n.set = lines.replace(of.with(things.set.conditions...))
	n.items = []item{{column: c, setID: lines.id, perOrder: p.soldIn(c.Relation).FromCols[0]}}
	return n
}

// isSurcharge reports whether a column is what is paid besides what is sold, or taken off it: the shipping fee and the discount of an order.
func (p *parser) isSurcharge(c *catalog.Column) bool {
	return p.lexicon.isOrder(c.Relation) && slices.ContainsFunc(p.lexicon.relationInfo[c.Relation].names[c], func(s string) bool {
		return p.language.surchargeNames[s] || p.language.discountNames[s]
	})
}

// worthMost reads "the most expensive order", "the largest order" as the one with the highest amount, unless a column is named as the
// adjective says. It returns nil if nothing says what the things are worth.
func (p *parser) worthMost(n *phrase, a *attribute, by adjective, count string) []reading {
	r := n.set.relation
	own := slices.ContainsFunc(a.all(), func(c columnCandidate) bool { return c.column.Relation == r })
	if own || !p.lexicon.isOrder(r) || !slices.Contains(by.columns, "amount") || n.set.superlative != nil {
		return nil
	}
	m := &modifier{descending: by.up, count: count}
	if c := p.impliedColumn(r, true); c != nil {
		x, s := n.clone(), *n.set
		s.superlative = &superlative{by: item{column: c, setID: s.id}, descending: by.up, count: count}
		x.set, x.number = &s, ""
		return []reading{{x, 0.2}}
	}
	c := p.lineAmountOfOrder(r)
	if c == nil {
		return nil
	}
	lines := &set{id: p.newID(), relation: c.Relation}
	m.phrase = &phrase{set: lines, items: []item{{column: c, setID: lines.id, aggregate: "sum"}}}
	return p.superlativeOver(n, m, count)
}

// lineAmountOfOrder returns what the lines of a relation come to, nil if it has none.
func (p *parser) lineAmountOfOrder(r *catalog.Relation) *catalog.Column {
	for c, a := range p.lexicon.lineAmounts {
		if a.besideTotal && !a.billed {
			continue
		}
		if whole := p.soldIn(c.Relation); whole != nil && whole.To == r && len(whole.FromCols) == 1 {
			return c
		}
	}
	return nil
}

// worthOf reads "value of the orders", as "order value".
func (p *parser) worthOf(i int) (out []candidate) {
	if !isWorth(p.at(i)) {
		return nil
	}
	for _, c := range p.nounsFrom(p.ends(i+1, "of_strict")) {
		if !c.phrase.isEntity() || len(c.phrase.group) > 0 || c.phrase.set.superlative != nil || p.namedValue(c.phrase.set.relation, i) {
			continue
		}
		if n := p.worth(c.phrase); n != nil && p.isAdditive(n.items[0].column) {
			out = append(out, candidate{n, c.end, c.cost + 0.1})
			if p.isPlural(c.phrase) {
				sum := n.withItems(n.items[0])
				sum.items[0].aggregate = "sum"
				out = append(out, candidate{sum, c.end, c.cost})
			}
		}
	}
	return out
}

// isWorth reports whether a word asks what things are worth.
func isWorth(t token) bool { return t.lower == "value" || t.lower == "values" }

// worthAt reports whether token i asks what things are worth, by an amount of which holds(c).
func (p *parser) worthAt(i int, holds func(*catalog.Column) bool) bool {
	if i >= len(p.tokens) || !isWorth(p.tokens[i]) {
		return false
	}
	worth := func(m relationMention) bool {
		c := cmp.Or(p.impliedColumn(m.relation, true), p.lineAmountOfOrder(m.relation))
		return c != nil && holds(c)
	}
	for _, of := range p.behind(p.ends(i+1, "of_strict"), "article") {
		if slices.ContainsFunc(p.mentions.relations[of], worth) {
			return true
		}
	}
	return i > 0 && slices.ContainsFunc(p.mentions.relations[i-1], func(m relationMention) bool { return m.end == i && worth(m) })
}

// namedValue reports whether token i names a column of a relation by its very name.
func (p *parser) namedValue(r *catalog.Relation, i int) bool {
	return slices.ContainsFunc(p.mentions.attributes[i][i+1].all(), func(c columnCandidate) bool { return c.column.Relation == r && c.score >= namedScore })
}

// columnNamedAmount returns the amount that has no further word in its name: "amount" of an invoice, beside "freight amount". It returns
// nil if there is none or several.
func (p *parser) columnNamedAmount(amounts []*catalog.Column, amount map[string]bool) *catalog.Column {
	return onlyWhere(amounts, func(c *catalog.Column) bool {
		return slices.ContainsFunc(p.lexicon.columnLabels[c], func(lb *label) bool {
			said := false
			for k, stem := range lb.stems {
				if !amount[stem] && !lb.optional[k] {
					return false
				}
				said = said || amount[stem]
			}
			return said && !lb.comment
		})
	})
}

// impliedColumn returns the column that a comparison without an attribute is about ("orders over 500"): the one that is named an amount,
// or else the only sum of money or rating of an event. money says that the number is one of money.
func (p *parser) impliedColumn(r *catalog.Relation, money bool) *catalog.Column {
	var numbers, amounts []*catalog.Column
	info, amount := p.lexicon.relationInfo[r], p.language.stems([]string{"amount", "total", "value"})
	worth := func(c *catalog.Column) bool {
		return slices.ContainsFunc(info.names[c], func(s string) bool { return p.language.moneyNames[s] })
	}
	byPieces := slices.ContainsFunc(r.Columns, p.lexicon.isPieces)
	for _, c := range r.Columns {
		if c.Class != catalog.Number || c.Private || p.isIdentifier(c) || money && !worth(c) {
			continue
		}
		if byPieces && slices.Contains(info.names[c], p.language.stem("price")) && !p.isTotal(c) {
			continue // the price of one piece
		}
		if p.isSurcharge(c) {
			continue
		}
		numbers = append(numbers, c)
		if worth(c) && slices.ContainsFunc(info.names[c], func(s string) bool { return amount[s] }) {
			amounts = append(amounts, c)
		}
	}
	if c := p.lexicon.lineAmountOf(r); c != nil {
		return c
	}
	if called := p.columnNamedAmount(amounts, amount); called != nil {
		return called
	}
	if len(amounts) > 0 {
		return only(amounts)
	}
	if p.isPeople(r) || !money && len(info.dates) == 0 {
		return nil // nothing says that it is of money, nor that it happened
	}
	if c := only(numbers); c != nil && (worth(c) || p.isMark(c)) {
		return c
	}
	return nil
}
