// Adding up amounts where the question implies it: "revenue".

package grammar

import (
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// total returns the total of a phrase: a number of things, or the sum of an amount. Numbers that do not add up have none.
func (p *parser) total(n *phrase) []reading {
	switch {
	case n.number != "" || n.set.superlative != nil || len(n.order) > 0 || len(n.items) == 1 && n.items[0].divisor != nil:
		return nil
	case n.isEntity():
		m, cost := p.thingsOrAmount(n)
		if of := p.moneyOfThings(n); of != nil && m != nil {
			m.items, m.refusal = []item{{column: of, setID: n.set.id, aggregate: "sum"}}, ""
		}
		return []reading{{m, cost + 0.3}}
	case len(n.items) == 1 && n.items[0].column != nil && (p.isAdditive(n.items[0].column) || p.lexicon.isStock(n.items[0].column)):
		x := n.clone()
		it := n.items[0]
		it.aggregate = "sum"
		x.items, x.distinct, x.attributeHead = []item{it}, false, false
		return []reading{{x, 0.1}}
	case len(n.items) == 1 && hasNumeric(n.items) && !p.isIdentifier(n.items[0].column):
		x := n.clone()
		it := n.items[0]
		it.aggregate = "avg"
		x.items, x.distinct, x.attributeHead = []item{it}, false, false
		x.refusal = fmt.Sprintf("There are several values of %s each: say total, average, highest or lowest.", it.column.Name)
		return []reading{{x, 0.1}}
	}
	return nil
}

// thingsOrAmount counts things. A singular noun of things that have amounts costs more, since the amounts may be meant: "total invoiced".
func (p *parser) thingsOrAmount(n *phrase) (*phrase, float64) {
	m := p.counted(n)
	if said := p.amountInHead(n); m != nil && said != nil {
		m.items = []item{{column: said, setID: n.set.id, aggregate: "sum"}}
		return m, 0
	}
	if m == nil || p.isPlural(n) || n.words[1] == 0 || !p.isMass(n) && !slices.ContainsFunc(n.set.relation.Columns, p.isAdditive) {
		return m, 0
	}
	if held := p.lexicon.stockQuantity(n.set.relation); held != nil {
		m.items = []item{{column: held, setID: n.set.id, aggregate: "sum"}}
		return m, 0
	}
	m.refusal = p.notCounted(n)
	return m, 0.3
}

// amountInHead returns the only amount that the head noun names: "hours booked" is about hours and not about a number of bookings. It
// returns nil if there is none.
func (p *parser) amountInHead(n *phrase) *catalog.Column {
	if n.words[1]-n.words[0] < 2 {
		return nil
	}
	var said []*catalog.Column
	for i := n.words[0]; i < n.words[1]; i++ {
		for _, a := range p.mentions.attributes[i][i+1].all() {
			if a.column.Relation == n.set.relation && a.score >= exactNameScore && p.isAdditive(a.column) {
				said = append(said, a.column)
			}
		}
	}
	return only(said)
}

// sumOfNamedAmounts adds up the amounts of things that are called by them: nobody wants to see each row of "hours booked last month".
func (p *parser) sumOfNamedAmounts(n *phrase) *phrase {
	if !n.isEntity() || n.set.superlative != nil || len(n.group) > 0 || n.number != "" {
		return n
	}
	said := p.amountInHead(n)
	if said == nil {
		return n
	}
	x := n.clone()
	x.items = []item{{column: said, setID: n.set.id, aggregate: "sum"}}
	return x
}

// sumOfCounted adds up numbers that are called by what they count, where the question counts them: "how many wheelchair spaces". How many pages
// books have may be asked of each.
func (p *parser) sumOfCounted(n *phrase) *phrase {
	if n.set == nil {
		return n
	}
	summed := func(it item) (item, bool) {
		c := it.column
		if it.aggregate != "count" || it.distinct || c == nil || c.Class != catalog.Number || p.isIdentifier(c) || !p.countsThings(c) && !p.lexicon.isStock(c) ||
			len(n.group) == 0 && n.set.superlative == nil && p.isCalledInPlural(c.Relation) {
			return it, false
		}
		it.aggregate = "sum"
		return it, true
	}
	x := n.clone()
	x.items, x.order = slices.Clone(n.items), slices.Clone(n.order)
	for i, it := range x.items {
		x.items[i], _ = summed(it)
	}
	for i, o := range x.order {
		x.order[i].by, _ = summed(o.by)
	}
	if m := n.set.superlative; m != nil {
		if by, ok := summed(m.by); ok && m.descending { // what has none of it has the least
			return x.rankedBySum(by.column, n.set.find(by.setID))
		}
	}
	return x
}

// countsThings reports whether a number is called by the things that it counts, in the plural as in the question: wheelchair_spaces.
func (p *parser) countsThings(c *catalog.Column) bool {
	if slices.ContainsFunc(p.lexicon.relationInfo[c.Relation].names[c], func(s string) bool { return p.language.notAdditiveNames[s] }) {
		return false
	}
	words := splitName(c.Name)
	return p.anywhere(func(i int) bool {
		return singular(p.tokens[i].lower) != "" && slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, p.tokens[i].text) })
	})
}

// isCalledInPlural reports whether the question calls things by the name of their relation, in the plural.
func (p *parser) isCalledInPlural(r *catalog.Relation) bool {
	return p.anywhere(func(i int) bool {
		return slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool {
			return m.relation == r && m.score >= namedScore && singular(p.tokens[m.end-1].lower) != ""
		})
	})
}

// sumOfTime adds up amounts of money of a time that are asked for without what they are of: "shipping costs last month".
func (p *parser) sumOfTime(n *phrase) *phrase {
	if n.set == nil || len(n.items) != 1 || len(n.group) > 0 || len(n.order) > 0 || n.number != "" || n.set.superlative != nil {
		return n
	}
	it := n.items[0]
	dated := slices.ContainsFunc(n.set.conditions, func(c condition) bool { return c.op == "range" && c.unbound })
	if it.aggregate != "" || it.column == nil || it.setID != n.set.id || !dated || !p.mayBeMoney(it.column) || !p.isAdditive(it.column) || !p.isNamedAlone(it.column) {
		return n
	}
	x := n.clone()
	x.items, x.distinct, x.attributeHead = []item{{column: it.column, setID: it.setID, aggregate: "sum"}}, false, false
	return x
}

// isNamedAlone reports whether the question calls a column in the plural, and does not say besides what its values are of.
func (p *parser) isNamedAlone(c *catalog.Column) bool {
	from, to := 0, 0
	for i := range p.tokens {
		for end, a := range p.mentions.attributes[i] {
			named := slices.ContainsFunc(a.candidates, func(o columnCandidate) bool { return o.column == c && o.score >= namedScore })
			if named && end-i > to-from && singular(p.at(end-1).lower) != "" && !isSaid(p.tokens[i:end], "of") {
				from, to = i, end
			}
		}
	}
	return to > 0 && !p.anywhere(func(i int) bool {
		return (i < from || i >= to) && slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return m.relation == c.Relation && m.score >= namedScore })
	})
}

// moneyOfThings returns the amount of things that are sums of money themselves, of which a total is no number: "total payments". nil if
// they are none, or it is not clear which of their amounts is meant.
func (p *parser) moneyOfThings(n *phrase) *catalog.Column {
	if n.words[0] == 0 || n.words[1] <= n.words[0] || !slices.Contains(p.ends(n.words[0]-1, "sum"), n.words[0]) {
		return nil
	}
	if head := p.tokens[n.words[1]-1].stem; !p.language.moneyNames[head] && !p.language.paidNames[head] {
		return nil
	}
	return p.impliedColumn(n.set.relation, true)
}

// isTotalOf reports whether a total "of" what token i calls is asked for, and not their total number.
func (p *parser) isTotalOf(i int) bool {
	for k := range i {
		for _, e := range p.ends(k, "sum") {
			if e <= i && (p.tokens[e-1].lower == "of" || p.at(e).lower == "of") && !p.endsTag(e, "running") {
				return true
			}
		}
	}
	return false
}

// isMass reports whether things are named by a part of their name in the singular, like a mass: "the most metal" is no number of metal
// lots.
func (p *parser) isMass(n *phrase) bool {
	if !n.isEntity() || n.words[1] == 0 || p.isPlural(n) || p.language.irregular[p.at(n.words[1]-1).lower] != "" {
		return false
	}
	return slices.ContainsFunc(p.mentions.relations[n.words[0]], func(m relationMention) bool {
		return m.relation == n.set.relation && m.end == n.words[1] && m.score < namedScore
	})
}

// notCounted is the refusal to count the rows of a mass.
func (p *parser) notCounted(n *phrase) string {
	return fmt.Sprintf("It is not said what of %s is meant: say number of, or name what is added up.", n.set.relation.Name.Name)
}

// summed adds up the only output of a phrase where it is an amount of which
// there are several: "revenue in Germany".
func (p *parser) summed(list []reading) []reading {
	for i, r := range list {
		n, howMuch := r.phrase, p.follows(0, []string{"how", "much"})
		if n.set == nil || len(n.group) > 0 || n.distinct && !howMuch || len(n.items) != 1 || n.items[0].aggregate != "" || p.isPlural(n) && !p.language.isRevenueWord(p.tokens[n.words[1]-1].lower) || p.namesOneRow(n.set) {
			continue
		}
		if it := n.items[0]; it.column == nil || !p.isAdditive(it.column) && !(p.lexicon.isStock(it.column) && howMuch) || it.setID != n.set.id {
			continue
		}
		for _, sum := range p.total(n) {
			list[i].phrase = sum.phrase
		}
	}
	return list
}

// allSummed adds up the outputs that are amounts.
func (p *parser) allSummed(items []item) []item {
	out := slices.Clone(items)
	for i, it := range out {
		if it.column != nil && it.aggregate == "" && p.isAdditive(it.column) {
			out[i].aggregate = "sum"
		}
	}
	return out
}

// hasNumeric reports whether an output is a number that tells nothing apart.
func hasNumeric(items []item) bool {
	return slices.ContainsFunc(items, func(it item) bool { return it.column != nil && it.column.Class == catalog.Number && it.divisor == nil })
}
