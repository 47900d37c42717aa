// What is said to be done is so: a delivery that is planned has delivered nothing yet, and the last visit was before now.

package grammar

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"askpg/catalog"
)

// onlyDone keeps the rows to which what a verb says has happened, where a time of them is called so and may lack: "has order 12 been
// delivered" is not told by a delivery that is planned. Of rows that are listed themselves a verb is read by others.
func (p *parser) onlyDone(n *phrase) *phrase {
	if n.set == nil || !n.isEntity() && !n.asksExistence || isSaid(p.tokens, "all", "each", "every", "never", "not") {
		return n
	}
	out := n
	if n.asksExistence {
		out = n.over(p.done(n.set))
	}
	for i, c := range out.set.conditions {
		if c.kind != related || c.negated || c.joined || c.count != nil || c.child.superlative != nil {
			continue
		}
		if child := p.done(c.child); child != c.child {
			x := *out.set
			x.conditions = slices.Clone(x.conditions)
			x.conditions[i].child = child
			out = out.over(&x)
		}
	}
	return out
}

// done returns the rows of a set that have the time at which something was done.
func (p *parser) done(s *set) *set {
	if c := p.doneTime(s); c != nil {
		return s.with(condition{kind: compare, column: c, op: "is not null"})
	}
	return s
}

// doneTime returns the time of a set's rows that a participle of the question names and that some of them lack, nil if there is none or if a
// time or a status is said of them.
func (p *parser) doneTime(s *set) *catalog.Column {
	if slices.ContainsFunc(s.conditions, func(c condition) bool {
		return c.kind != related && (c.column == nil || isTime(c.column) || p.lexicon.isStatus(c.column))
	}) {
		return nil
	}
	info := p.lexicon.relationInfo[s.relation]
	return onlyWhere(info.dates, func(c *catalog.Column) bool {
		return !c.NotNull && p.anywhere(func(i int) bool { return p.isParticiple(i) && slices.Contains(info.names[c], p.at(i).stem) })
	})
}

// isParticiple reports whether a word says that something was done.
func (p *parser) isParticiple(i int) bool {
	w := p.at(i).lower
	return strings.HasSuffix(w, "ed") || p.language.irregular[w] != "" && p.language.verbs[p.at(i).stem]
}

// lastSoFar keeps what has happened until now where the last of rows is asked for that may lie ahead: the last visit is not the one that is
// planned. What was cancelled was no visit.
func (p *parser) lastSoFar(n *phrase) *phrase {
	if n.set == nil {
		return n
	}
	return n.over(n.set.mapped(func(s *set) *set {
		top := s.superlative
		if top == nil || !top.descending || top.by.column == nil || top.by.aggregate != "" || !isTime(top.by.column) || top.by.column.Relation != s.relation {
			return s
		}
		return p.untilNow(s, top.by.column)
	}))
}

// untilNow returns a set without the rows of which a time lies ahead and those that were cancelled, and the set itself if no time does or if
// the question says which are meant.
func (p *parser) untilNow(s *set, c *catalog.Column) *set {
	tomorrow := p.now().AddDate(0, 0, 1).Format(time.DateOnly)
	if !hasTimeAfter(c, tomorrow) || p.mentionsColumn(c) || speaksOf(s.conditions, c) || slices.ContainsFunc(s.conditions, func(o condition) bool { return o.kind == compare && p.lexicon.isStatus(o.column) }) {
		return s
	}
	return s.with(append(p.lexicon.withoutCancelled(s.relation, s.conditions), untilToday(c))...)
}

// onlyReceived adds up payments of which a status says that they were made, where it says of some that they were not: what failed brought
// nothing, and neither has what is pending.
func (p *parser) onlyReceived(n *phrase) *phrase {
	if n.set == nil {
		return n
	}
	added := slices.Clone(n.items)
	if n.set.superlative != nil {
		added = append(added, n.set.superlative.by)
	}
	for _, it := range added {
		s := n.set.find(it.setID)
		if it.aggregate != "sum" && it.aggregate != "avg" || it.column == nil || s == nil || !p.isPayment(s.relation) || len(p.lexicon.withoutStatusOf(s.relation, s.conditions, p.language.stemPhrases(notPaid))) == 0 {
			continue
		}
		for _, c := range s.relation.Columns {
			made := p.receivedState(c)
			if made == "" {
				continue
			}
			if paid := p.paidTime(s.relation); paid != nil && s == n.set {
				n = cmp.Or(withTimeColumn(n, paid), n)
				s = n.set
			}
			return n.replacing(s.with(condition{kind: compare, column: c, op: "=", value: operand{literals: []string{made}, plain: made}}))
		}
	}
	return n
}

// paidTime returns the time at which payments were made, nil if none or several are called so.
func (p *parser) paidTime(payments *catalog.Relation) *catalog.Column {
	info := p.lexicon.relationInfo[payments]
	return onlyWhere(info.dates, func(c *catalog.Column) bool {
		return slices.Contains(info.names[c], p.language.stem("paid"))
	})
}

// receivedState returns the only value of a status of payments that says that they were made, as SQL; "" if it has none or several.
func (p *parser) receivedState(c *catalog.Column) (made string) {
	if !p.lexicon.isStatus(c) {
		return ""
	}
	for _, v := range p.lexicon.statusValues(c) {
		if !p.language.receivedStates[p.language.stemPhrase(v.Text)] {
			continue
		}
		if made != "" {
			return ""
		}
		made = literal(v.Value)
	}
	return made
}
