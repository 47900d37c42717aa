// What was sold: how many pieces, and for how much to whom.

package grammar

import (
	"cmp"
	"slices"

	"askpg/catalog"
)

// quantitySold reads "how many roses were sold", "how many bottles did we sell": the pieces of the lines of what was sold, not the lines. Of
// "how many plants were sold" it is not known whether each kind counts once.
func (p *parser) quantitySold(i int) (out []candidate) {
	for _, e := range p.ends(i, "how_many") {
		for _, c := range append(p.unitsSold(e), p.noun(e)...) {
			end := p.behindSold(c.end)
			if end == 0 || len(c.phrase.group) > 0 || p.endsTag(c.phrase.words[0], "distinct") {
				continue
			}
			for _, n := range p.quantityPhrases(c.phrase) {
				out = append(out, p.extend([]candidate{{n, end, c.cost + 0.1}})...)
			}
		}
	}
	return out
}

// behindSold returns where "were sold" or "did we sell" ends that begins at token i, 0 if none does.
func (p *parser) behindSold(i int) int {
	for _, verb := range p.behind(p.ends(i, "be_bare", "do"), "be_bare") {
		if p.at(verb).lower == "we" {
			verb++
		}
		if p.at(verb).stem == "sell" {
			return verb + 1
		}
	}
	return 0
}

// unitsSold reads "units sold", "number of units sold", and "units" of which it is said behind that they were sold: the pieces of what was
// sold, added up. Nothing else may be called so.
func (p *parser) unitsSold(i int) (out []candidate) {
	pieces := only(p.lexicon.soldQuantities)
	if pieces == nil {
		return nil
	}
	for _, at := range p.maybe(i, "count") {
		called := slices.ContainsFunc(p.mentions.attributes[at][at+1].all(), func(c columnCandidate) bool { return c.column == pieces && c.score >= namedScore })
		other := slices.ContainsFunc(p.mentions.attributes[at][at+2].all(), func(c columnCandidate) bool { return c.column != pieces && c.score >= namedScore })
		if !called && !p.language.quantityNames[p.at(at).stem] || other {
			continue
		}
		n := p.entity(pieces.Relation)
		n.items = []item{{column: pieces, setID: n.set.id, aggregate: "sum"}}
		n.words = [2]int{at, at + 1}
		switch {
		case p.at(at+1).lower == "sold":
			out = append(out, candidate{n, at + 2, 0.05})
		case p.isSoldBehind(at + 1):
			out = append(out, candidate{n, at + 1, 0.05})
		}
	}
	return out
}

// isSoldBehind reports whether it is said from token i on that something was sold.
func (p *parser) isSoldBehind(i int) bool {
	for ; i < len(p.tokens); i++ {
		if p.behindSold(i) > 0 {
			return true
		}
	}
	return false
}

// quantityPhrases returns phrases for how many pieces were sold of things, or of things of a kind.
func (p *parser) quantityPhrases(things *phrase) (out []*phrase) {
	if things.hasAggregate() && slices.Contains(p.lexicon.soldQuantities, things.items[0].column) {
		return append(out, things)
	}
	if things.isAttribute() && len(things.items) == 1 {
		for _, c := range things.items[0].attribute.all() {
			if slices.Contains(p.lexicon.relationInfo[c.column.Relation].names[c.column], "sell") && c.column.Class == catalog.Number && !p.mayBeMoney(c.column) {
				n := p.entity(c.column.Relation) // the tickets_sold of concerts
				n.items, n.words = []item{{column: c.column, setID: n.set.id, aggregate: "sum"}}, things.words
				out = append(out, n)
			}
		}
	}
	for _, pieces := range p.lexicon.soldQuantities {
		n := p.entity(pieces.Relation)
		n.items = []item{{column: pieces, setID: n.set.id, aggregate: "sum"}}
		n.words = things.words
		switch {
		case things.isAttribute() && len(things.items) == 1 && slices.ContainsFunc(things.items[0].attribute.all(), func(c columnCandidate) bool { return c.column == pieces }):
			out = append(out, n)
		case things.isValue() && len(things.values) == 1 || things.isEntity() && len(things.set.conditions) > 0 && things.set.superlative == nil:
			for _, e := range p.goodsKeys(pieces.Relation) {
				for _, s := range p.rowsOf(e.to, things) {
					out = append(out, n.holding(condition{kind: related, child: s, path: e.path()}))
				}
			}
		}
	}
	return out
}

// isSoldInPieces reports whether the lines of what was sold have a number of pieces of things: "ordered the most lamps" may be of these.
func (p *parser) isSoldInPieces(things *catalog.Relation) bool {
	return slices.ContainsFunc(p.lexicon.soldQuantities, func(pieces *catalog.Column) bool {
		return slices.ContainsFunc(p.goodsKeys(pieces.Relation), func(e *edge) bool { return e.to == things })
	})
}

// goodsKeys returns the foreign keys of order lines, but for that of their order.
func (p *parser) goodsKeys(lines *catalog.Relation) []*edge {
	whole := p.soldIn(lines)
	return slices.DeleteFunc(slices.Clone(p.lexicon.graph.edges[lines]), func(e *edge) bool {
		return !e.toOne || e.implied || whole != nil && e.to == whole.To
	})
}

// bestSelling reads "best selling product", "the 3 top selling products": the most pieces were sold of them. How many are wanted has to
// be said.
func (p *parser) bestSelling(i int) (out []candidate) {
	for _, start := range append([]int{i}, p.ends(i, "top")...) {
		number, at := p.number(start)
		ends := p.ends(at, "sold_best")
		if start > i && number != "" && p.at(at).lower == "selling" {
			ends = []int{at + 1} // "top 5 selling products"
		}
		for _, e := range ends {
			count := number
			if n, behind := p.number(e); count == "" {
				count, e = n, behind
			}
			out = append(out, p.bestSellingAt(e, count)...)
		}
	}
	return p.extend(out)
}

// bestSellingAt reads "product by pieces", "product by revenue" behind "best selling". count is "" if the question says none.
func (p *parser) bestSellingAt(i int, count string) (out []candidate) {
	counted := func(c candidate) bool { return count != "" || !p.isPlural(c.phrase) }
	for _, c := range p.noun(i) {
		if p.at(c.end).lower == "by" && p.language.quantityNames[p.at(c.end+1).stem] {
			c.end += 2
		}
		if counted(c) {
			out = append(out, p.goodsSold(c, cmp.Or(count, "1"))...)
		}
	}
	for _, c := range p.relationHeads(i) {
		if counted(c) {
			out = append(out, p.soldMostBy(c, cmp.Or(count, "1"))...)
		}
	}
	return out
}

// soldMostBy reads "by revenue" behind "best selling product", which ranks by what the pieces came to.
func (p *parser) soldMostBy(c candidate, count string) (out []candidate) {
	if !p.areGoods(c.phrase.set.relation) {
		return nil
	}
	n := c.phrase.clone()
	n.number = count
	for _, m := range p.modifiers(c.end) {
		if m.modifier.kind != modifierGroup || !m.modifier.isKeyBehindBy() || m.modifier.phrase == nil || !p.isRevenue(m.modifier.phrase) {
			continue
		}
		by := m.modifier
		by.phrase = by.phrase.withItems(item{attribute: by.phrase.items[0].attribute, aggregate: "sum"})
		for _, r := range p.apply(n, &by) {
			out = append(out, candidate{r.phrase, m.end, c.cost + m.cost + r.cost + 0.1})
		}
	}
	return out
}

// goodsSold keeps the goods of which the most pieces were sold. Readings in which a time is of the goods are left out: it is that of the sale.
func (p *parser) goodsSold(c candidate, count string) (out []candidate) {
	kinds := []reading{{c.phrase, 0}}
	if c.phrase.isValue() {
		kinds = p.kindOf(c.phrase) // "best selling laptop"
	}
	for _, k := range kinds {
		for _, r := range p.soldMost(k.phrase, count) {
			dated := false
			walk(r.phrase.set, func(s *set, _ int) {
				dated = dated || slices.ContainsFunc(s.conditions, func(c condition) bool { return c.unbound })
			})
			if !dated {
				out = append(out, candidate{r.phrase, c.end, c.cost + k.cost + r.cost})
			}
		}
	}
	return out
}

// soldBest reads "sold best" behind one thing: "which product sold best".
func (p *parser) soldBest(i int) (out []modifierCandidate) {
	for _, e := range p.then(p.maybe(i, "be_bare"), "sold_best") {
		out = append(out, modifierCandidate{modifier{kind: modifierSoldMost, descending: true, count: "1"}, e, 0.05})
	}
	return out
}

// applySoldMost keeps what sold the most: goods by quantity, sellers by amount. Goods that were never sold have no order lines, so it
// does not answer what sold the least.
func (p *parser) applySoldMost(n *phrase, m *modifier) []reading {
	if !p.areGoods(n.set.relation) {
		if m.attribute == nil {
			return nil
		}
		return p.applySuperlative(n, m)
	}
	if p.isPlural(n) || !m.descending {
		return nil
	}
	return p.soldMost(n, m.count)
}

// areGoods reports whether the lines of what was sold say which of a relation's things it was.
func (p *parser) areGoods(r *catalog.Relation) bool {
	pieces := only(p.lexicon.soldQuantities)
	return pieces != nil && !p.isPeople(r) && slices.ContainsFunc(p.goodsKeys(pieces.Relation), func(e *edge) bool { return e.to == r })
}

// soldMost keeps the goods of which the most pieces were sold.
func (p *parser) soldMost(n *phrase, count string) []reading {
	if !n.isEntity() || len(n.group) > 0 || n.set.superlative != nil || !p.areGoods(n.set.relation) {
		return nil
	}
	pieces := only(p.lexicon.soldQuantities)
	lines := &set{id: p.newID(), relation: pieces.Relation}
	sum := &phrase{set: lines, items: []item{{column: pieces, setID: lines.id, aggregate: "sum"}}}
	return p.superlativeOver(n, &modifier{phrase: sum, descending: true}, count)
}

// rowsOf returns the rows of a relation that a phrase stands for.
func (p *parser) rowsOf(r *catalog.Relation, things *phrase) (out []*set) {
	if things.isEntity() {
		if things.set.relation == r {
			return []*set{things.set}
		}
		return nil
	}
	for _, a := range p.applyValue(p.entity(r), &modifier{kind: modifierRelated, phrase: things}) {
		if a.cost < 1 && len(out) == 0 { // the likeliest
			out = append(out, a.phrase.set)
		}
	}
	return out
}

// spentBy reads "how much did Ann spend": what she was sold comes to.
func (p *parser) spentBy(i int) (out []candidate) {
	for _, d := range p.then(p.ends(i, "how_many"), "do", "have") {
		for _, c := range p.things(d) {
			if p.at(c.end).stem != "spend" || len(c.phrase.group) > 0 || c.phrase.set.superlative != nil || len(c.phrase.set.conditions) == 0 {
				continue
			}
			if n := p.soldTo(c.phrase.set); n != nil {
				out = append(out, p.extend([]candidate{{n, c.end + 1, c.cost + 0.2}})...)
			}
		}
	}
	return out
}

// soldTo returns the phrase of what was sold to people, added up; nil if several columns say it or none does, or if they sell.
func (p *parser) soldTo(people *set) *phrase {
	if p.isEmployed(people.relation) || p.lexicon.relationInfo[people.relation].left != nil {
		return nil
	}
	var sold []*phrase
	for _, r := range p.relations {
		amount := p.lexicon.lineAmountOf(r)
		if p.lexicon.lineAmounts[amount].billed {
			amount = nil // the bill says it
		}
		if amount == nil && p.lexicon.isOrder(r) {
			amount = p.impliedColumn(r, true)
		}
		ways := p.pathsBetween(r, people.relation)
		if i := slices.IndexFunc(ways, func(pt path) bool { return len(pt.edges) > 0 && pt.toOne() }); amount != nil && i >= 0 {
			n := p.entity(r)
			n.items = []item{{column: amount, setID: n.set.id, aggregate: "sum"}}
			n.set = n.set.with(condition{kind: related, child: people, path: ways[i]})
			sold = append(sold, n)
		}
	}
	return only(sold)
}
