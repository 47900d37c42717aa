// What is still owed of a bill where payments are rows of their own: its amount less what was paid of it.

package grammar

import (
	"cmp"
	"slices"

	"askpg/catalog"
)

// balance is what is open of a bill. A question names it like a column of the bill.
type balance struct {
	amount, paid *catalog.Column
	key          *catalog.ForeignKey // from the payments to the bill
}

// addBalances names what is open of the rows of the only relation that has an amount and payments which refer to it, unless a column says it.
func (x *lexicon) addBalances() {
	var found []balance
	for _, k := range x.snapshot.ForeignKeys {
		if b, ok := x.balanceBy(k); ok {
			found = append(found, b)
		}
	}
	if len(found) != 1 {
		return
	}
	r := found[0].amount.Relation
	c := &catalog.Column{Relation: r, Name: "open_amount", Class: catalog.Number, Num: found[0].amount.Num, NotNull: true}
	x.balances[c] = found[0]
	x.relationInfo[r].names[c] = x.stems([]string{"open", "amount"})
	for _, name := range x.language.balanceNames {
		x.add(&label{relation: r, column: c, words: x.language.spoken(name), score: 1, allWords: true})
	}
}

// balanceBy returns what is open of the rows that a key of payments leads to; false if their amounts are not known to be of money, or if
// some of the payments may not count.
func (x *lexicon) balanceBy(k *catalog.ForeignKey) (b balance, ok bool) {
	r, bill := k.From, k.To
	if k.Implied || len(k.FromCols) != 1 || !intersect(x.relationInfo[r].stems, x.language.paidNames) || slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool { return isYesNo(c) || x.tellsOutcome(c) || x.tellsRefunds(c) }) {
		return b, false
	}
	b = balance{amount: x.onlyMoney(bill), paid: x.onlyMoney(r), key: k}
	said := slices.ContainsFunc(bill.Columns, func(c *catalog.Column) bool {
		return c.Class == catalog.Number && slices.ContainsFunc(splitName(c.Name), func(w string) bool { return x.language.balanceStems[x.language.stem(w)] })
	})
	return b, b.amount != nil && b.paid != nil && !said
}

// tellsOutcome reports whether a column says what became of rows: it is called their status, or one of its values says that they are void.
func (x *lexicon) tellsOutcome(c *catalog.Column) bool {
	names := x.relationInfo[c.Relation].names[c]
	called := slices.Contains(names, x.language.stem("status")) || slices.Contains(names, x.language.stem("state"))
	return x.isStatus(c) && (called || slices.ContainsFunc(x.statusValues(c), func(l catalog.Label) bool {
		stem := x.language.stemPhrase(l.Text)
		return slices.Contains(x.language.voidNames, stem) || slices.Contains(x.language.stemPhrases(notPaid), stem)
	}))
}

// tellsRefunds reports whether a value of a column says that something was given back.
func (x *lexicon) tellsRefunds(c *catalog.Column) bool {
	return slices.ContainsFunc(valuesOf(c), func(v string) bool {
		return slices.ContainsFunc(wordsOf(v), func(w string) bool { return x.language.givenBackNames[x.language.stem(w)] })
	})
}

// onlyMoney returns the only amount of money of a relation, or the only one that is called its total; nil if it has none or several.
func (x *lexicon) onlyMoney(r *catalog.Relation) *catalog.Column {
	amounts := slices.DeleteFunc(slices.Clone(r.Columns), func(c *catalog.Column) bool {
		return c.Private || x.graph.isForeign(c) || slices.Contains(x.relationInfo[r].key, c) || !x.hasNumber([]*catalog.Column{c}, x.language.moneyNames)
	})
	totals := slices.DeleteFunc(slices.Clone(amounts), func(c *catalog.Column) bool {
		return !slices.Contains(x.relationInfo[r].names[c], x.language.stem("total"))
	})
	return cmp.Or(only(amounts), only(totals))
}

// balance writes what is open of a row of a bill.
func (b *builder) balance(alias string, open balance) string {
	b.count++ // columns have to be qualified
	payments := open.paid.Relation
	name := payments.Name.Name
	paid := "SELECT sum(" + b.column(name, open.paid) + ") FROM " + b.relation(payments, name) + " WHERE " + b.column(name, open.key.FromCols[0]) + " = " + b.column(alias, open.key.ToCols[0])
	return "(" + b.column(alias, open.amount) + " - COALESCE((" + paid + "), 0))"
}

// withoutVoidBills leaves out bills that are void where what is open of them is compared with something.
func (p *parser) withoutVoidBills(n *phrase) *phrase {
	if n.set == nil || len(p.lexicon.balances) == 0 {
		return n
	}
	return n.over(n.set.mapped(func(s *set) *set {
		compared := slices.ContainsFunc(s.conditions, func(c condition) bool { _, open := p.lexicon.balances[c.column]; return open })
		if !compared {
			return s
		}
		return s.with(p.lexicon.withoutCancelled(s.relation, s.conditions)...)
	}))
}

// openOf returns the condition on bills of which something is not paid yet, nil if a state does not say so or payments are no rows of their own.
func (p *parser) openOf(r *catalog.Relation, s *state) []condition {
	if c := p.lexicon.openAmountOf(r); s.Open && c != nil {
		return []condition{{kind: compare, column: c, op: ">", value: numberOperand("0")}}
	}
	return nil
}

// settledOf returns the condition on bills that are paid in full, nil if payments are no rows of their own.
func (p *parser) settledOf(r *catalog.Relation) []condition {
	if c := p.lexicon.openAmountOf(r); c != nil {
		return []condition{{kind: compare, column: c, op: "<=", value: numberOperand("0")}}
	}
	return nil
}

// openAmountOf returns what is open of the rows of a relation, nil if nothing says so.
func (x *lexicon) openAmountOf(r *catalog.Relation) *catalog.Column {
	for c := range x.balances {
		if c.Relation == r {
			return c
		}
	}
	return nil
}
