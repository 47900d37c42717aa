// Refusing what is only guessed: whose state it is, by which key things go together, in which currency amounts are.

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"askpg/catalog"
)

// refuseGuessed refuses a reading that takes the first of several things which the question may mean, without a word for it.
func (p *parser) refuseGuessed(n *phrase) string {
	return p.firstRefusal(n, (*parser).refuseAdjectiveOfUnnamed, (*parser).refuseUnnamedLink, (*parser).refuseSeveralCurrencies,
		(*parser).refuseNumberOfFew, (*parser).refuseTimeBehindCounts, (*parser).refusePlaceForSales)
}

// refuseAdjectiveOfUnnamed refuses a state before the noun that is one of unnamed rows beside the things: "open invoices" are not those of
// open orders, and "active members" not those of active plans.
func (p *parser) refuseAdjectiveOfUnnamed(n *phrase) (why string) {
	walk(n.set, func(s *set, _ int) {
		for _, c := range s.conditions {
			if c.kind != related || c.negated || p.mentionsRelation(c.child.relation) || len(c.path.edges) == 1 && c.path.toOne() && p.lexicon.isOfStatuses(c.child.relation) {
				continue
			}
			for of, state := range conditionsIn(c.child) {
				flag := (of != c.child || len(c.path.edges) > 1) && state.column != nil && state.column.Class == catalog.Boolean
				if state.kind == compare && state.op == "=" && (of == c.child && p.lexicon.isStatus(state.column) || flag) && p.isAdjectiveOf(s.relation, state.column) {
					why = fmt.Sprintf("%s tells the state of %s, and not of %s: name whose state is meant.", state.column.Name, of.relation.Name.Name, s.relation.Name.Name)
				}
			}
		}
	})
	return why
}

// isAdjectiveOf reports whether a value of a column, or its name, stands right before the name of a relation.
func (p *parser) isAdjectiveOf(r *catalog.Relation, c *catalog.Column) bool {
	for i := range p.tokens {
		called := func(end int) bool {
			return slices.ContainsFunc(p.relationsFrom(end), func(m relationMention) bool { return m.relation == r })
		}
		for end, hits := range inOrder(p.mentions.values[i]) {
			if called(end) && slices.ContainsFunc(hits, func(h valueMention) bool { return h.column == c }) {
				return true
			}
		}
		for end, a := range inOrder(p.mentions.attributes[i]) {
			if called(end) && slices.ContainsFunc(a.all(), func(o columnCandidate) bool { return o.column == c }) {
				return true
			}
		}
	}
	return false
}

// refuseUnnamedLink refuses to relate things by rows that the question does not name, over a key in a role that it does not name either,
// where other rows relate them as well: members sail races, and also organise the regattas of races.
func (p *parser) refuseUnnamedLink(n *phrase) (why string) {
	walk(n.set, func(s *set, _ int) {
		for _, c := range s.conditions {
			if c.kind != related || len(c.path.edges) < 2 || c.child.relation == s.relation || !p.isUnmentionedRole(c.path) || p.namesLink(c.path) {
				continue
			}
			for _, o := range p.pathsBetween(s.relation, c.child.relation) {
				if len(o.edges) == len(c.path.edges) && o.edges[0].to != c.path.edges[0].to {
					why = fmt.Sprintf("%s and %s go together by %s or by %s: name the one that is meant.", s.relation.Name.Name, c.child.relation.Name.Name, c.path.edges[0].to.Name.Name, o.edges[0].to.Name.Name)
				}
			}
		}
	})
	return why
}

// namesLink reports whether the question names one of the relations between the ends of a path.
func (p *parser) namesLink(pt path) bool {
	return slices.ContainsFunc(pt.edges[:len(pt.edges)-1], func(e *edge) bool { return p.mentionsRelation(e.to) })
}

// refuseSeveralCurrencies refuses to add up amounts of several currencies and to rank by them, or to compare amounts of all currencies with
// one of a currency that the question says.
func (p *parser) refuseSeveralCurrencies(n *phrase) (why string) {
	mixed := func(c *catalog.Column, of *set) {
		if cur := p.currencyOf(c); cur != nil && (of == nil || !speaksOf(of.conditions, cur)) && !slices.ContainsFunc(n.group, func(g item) bool { return g.column == cur }) {
			why = fmt.Sprintf("%s of %s is in several currencies: say in which by %s, or for each of them.", c.Name, c.Relation.Name.Name, cur.Name)
		}
	}
	compared := func(it item) {
		if it.column != nil && it.aggregate != "count" {
			mixed(it.column, n.set.find(it.setID))
		}
	}
	n.eachItem(func(it item) {
		if it.aggregate != "" {
			compared(it)
		}
	})
	for _, o := range n.order {
		compared(o.by)
	}
	walk(n.set, func(s *set, _ int) {
		if s.superlative != nil {
			compared(s.superlative.by)
		}
		for c := range comparisonsOf(s.conditions) {
			if c.value.query != nil && c.value.query.set != nil {
				why = cmp.Or(why, p.refuseSeveralCurrencies(c.value.query))
			}
			if p.mentionsCurrency() && len(c.value.literals) > 0 && c.op != "in" {
				mixed(c.column, s)
			}
		}
	})
	return why
}

// currencyOf returns the column that tells the currency of an amount in the same row, where there are several; nil if none does.
func (p *parser) currencyOf(amount *catalog.Column) *catalog.Column {
	if amount.Class != catalog.Number || p.isIdentifier(amount) || !p.mayBeMoney(amount) && !slices.ContainsFunc(p.lexicon.relationInfo[amount.Relation].names[amount], func(s string) bool { return p.language.moneyNames[s] }) {
		return nil
	}
	for _, c := range amount.Relation.Columns {
		if isText(c) && c.Profile != nil && c.Profile.Distinct > 1 && slices.Contains(p.lexicon.relationInfo[c.Relation].names[c], p.language.stem("currency")) {
			return c
		}
	}
	return nil
}

// mentionsCurrency reports whether the question says a currency.
func (p *parser) mentionsCurrency() bool {
	return slices.ContainsFunc(p.tokens, func(t token) bool { return currency[t.lower] || isCurrencySign(t) })
}

// saysOfFew reports whether a number says something of few rows only: the others have no value, or zero.
func saysOfFew(c *catalog.Column) bool {
	const most = 0.5
	if c.Profile == nil {
		return false
	}
	share := c.Profile.NullFrac
	for i, f := range c.Profile.Freqs {
		if v, err := strconv.ParseFloat(c.Profile.Common[i], 64); err == nil && v == 0 {
			share += f
		}
	}
	return share >= most
}

// refuseNumberOfFew refuses to show a number of all rows which most of them lack: "refunds" are not all payments, and "orders with a discount"
// have one.
func (p *parser) refuseNumberOfFew(n *phrase) string {
	if len(n.group) > 0 || n.set.superlative != nil {
		return ""
	}
	for _, it := range n.items {
		c := it.column
		if c == nil || it.aggregate != "" || c.Class != catalog.Number || p.lexicon.graph.isForeign(c) || !saysOfFew(c) {
			continue
		}
		if s := n.set.find(it.setID); s != nil && !p.namesOneRow(s) && !speaksOf(s.conditions, c) && (!p.mentionsRelation(c.Relation) || p.isSaidWith(c)) {
			return fmt.Sprintf("Most of %s have no %s: say of %[2]s more than what, or total.", c.Relation.Name.Name, c.Name)
		}
	}
	return ""
}

// isSaidWith reports whether the question says a column right behind "with": "orders with discount".
func (p *parser) isSaidWith(c *catalog.Column) bool {
	for i := 1; i < len(p.tokens); i++ {
		for _, a := range p.behind(p.ends(i-1, "with"), "article") {
			for _, found := range inOrder(p.mentions.attributes[min(a, len(p.tokens)-1)]) {
				if a < len(p.tokens) && slices.ContainsFunc(found.candidates, func(o columnCandidate) bool { return o.column == c }) {
					return true
				}
			}
		}
	}
	return false
}

// refuseTimeBehindCounts refuses a time of the things behind two numbers that are compared: "members with more races than trips in 2024" did
// not come in 2024.
func (p *parser) refuseTimeBehindCounts(n *phrase) string {
	counts := slices.IndexFunc(n.set.conditions, func(c condition) bool { return c.kind == moreRows })
	if counts < 0 || !slices.ContainsFunc(n.set.conditions[counts:], func(c condition) bool { return c.unbound }) {
		return ""
	}
	return "It is not said of what the time is: say it of both numbers, or of the things before them."
}

// refusePlaceForSales refuses what was sold for the place that people are in: who is "in sales" need not have sold anything.
func (p *parser) refusePlaceForSales(n *phrase) string {
	for _, c := range n.set.conditions {
		if c.kind != related || !p.isPeople(n.set.relation) || len(c.child.conditions) > 0 {
			continue
		}
		for i := 1; i < len(p.tokens); i++ {
			if p.language.isRevenueWord(p.tokens[i].lower) && p.tokens[i-1].lower == "in" && slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return m.relation == c.child.relation }) {
				return fmt.Sprintf("%q may be where they work or what they sold: say the department, or who has %s.", p.tokens[i].text, c.child.relation.Name.Name)
			}
		}
	}
	return ""
}
