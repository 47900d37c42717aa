// Refusing the time of a beginning for that of an outcome, a name for a code, and what may be unpaid as paid.

package grammar

import (
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// refuseFirstForOutcome refuses the time at which something began as the time of its outcome: who "died on a ward this year" may have
// been admitted before.
func (p *parser) refuseFirstForOutcome(n *phrase) string {
	for s, c := range conditionsIn(n.set) {
		if c.kind != compare || c.op != "=" || isYesNo(c.column) {
			continue
		}
		end := endOf(c.column)
		other := func(o condition) bool { return o.op == "range" && o.column != end }
		if end != nil && !p.mentionsRelation(s.relation) && slices.ContainsFunc(s.conditions, other) && !speaksOf(s.conditions, end) {
			return fmt.Sprintf("What %s says has the time %s: say of which time of %s it is.", c.column.Name, end.Name, s.relation.Name.Name)
		}
	}
	return ""
}

// endOf returns the time that need not be there yet and is called as a column is to which no time belongs, such as dis_date of
// dis_method; nil if there is none.
func endOf(c *catalog.Column) *catalog.Column {
	const short = 3
	first := splitName(c.Name)[0]
	return onlyWhere(c.Relation.Columns, func(o *catalog.Column) bool {
		return o != c && isTime(o) && mayLack(o) && len(first) >= short && splitName(o.Name)[0] == first
	})
}

// refuseNameForCode refuses the name of one thing before another whose kind may have that name as a code: "emergency admissions" are of a
// department of that name, or have the kind E.
func (p *parser) refuseNameForCode(n *phrase) string {
	for _, c := range n.set.conditions {
		if c.kind != related || c.negated || !c.path.toOne() {
			continue
		}
		for _, named := range c.child.conditions {
			if kind := p.codedKind(n.set.relation, named); kind != nil && !speaksOf(n.set.conditions, kind) {
				return fmt.Sprintf("%q may be of %s, or of %s of %s: say which.", named.value.plain, named.column.Relation.Name.Name, kind.Name, n.set.relation.Name.Name)
			}
		}
	}
	return ""
}

// codedKind returns the kind of a relation's rows, of codes that nothing explains, if one is the first letter of a name that the
// question has before the relation; nil if there is none.
func (p *parser) codedKind(r *catalog.Relation, named condition) *catalog.Column {
	name := named.value.plain
	if named.kind != compare || named.op != "=" || len(wordsOf(name)) != 1 {
		return nil
	}
	said := slices.IndexFunc(p.tokens, func(t token) bool { return t.lower == strings.ToLower(name) })
	if said < 0 || !slices.ContainsFunc(p.mentions.relations[said+1], func(m relationMention) bool { return m.relation == r }) {
		return nil
	}
	at := slices.IndexFunc(r.Columns, func(c *catalog.Column) bool {
		kind := slices.ContainsFunc(p.lexicon.relationInfo[r].names[c], func(s string) bool { return s == "type" || s == "kind" || s == "class" })
		return kind && len(p.lexicon.meanings(c)) == 0 && slices.Contains(valuesOf(c), strings.ToUpper(name[:1]))
	})
	if at < 0 {
		return nil
	}
	return r.Columns[at]
}

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
