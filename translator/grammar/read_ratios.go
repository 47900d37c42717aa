// Reading ratios and shares, and writing them.

package grammar

import (
	"cmp"
	"slices"
	"strings"

	"askpg/catalog"
)

// ratios reads "the ratio of restaurants above 4 to restaurants below 4", "the
// share of orders that were cancelled".
func (p *parser) ratios(i int) (found []candidate) {
	for _, a := range p.nounsFrom(p.behind(p.ends(i, "ratio"), "article")) {
		for _, to := range p.ends(a.end, "ratio_to", "out_of") {
			for _, b := range p.nounsFrom(p.maybe(to, "pronoun", "article")) {
				for _, n := range p.ratioOf(a.phrase, b.phrase) {
					found = append(found, candidate{n, b.end, a.cost + b.cost + 0.2 + twoColumnsCost(n)})
				}
			}
		}
	}
	for _, e := range p.ends(i, "percent") {
		scale := shareScale(p.text(i, e))
		for _, a := range p.noun(e) {
			found = append(found, candidate{p.shareOf(a.phrase, nil, scale), a.end, a.cost + 0.3})
			found = append(found, p.shareOfSums(a, scale)...)
			for _, b := range p.nounsFrom(p.ends(a.end, "out_of")) {
				found = append(found, candidate{p.shareOf(a.phrase, b.phrase, scale), b.end, a.cost + b.cost + 0.2})
			}
		}
	}
	var out []candidate
	for _, c := range found {
		if c.phrase != nil {
			out = append(append(out, c), p.extendCount([]candidate{c})...)
		}
	}
	return keepPerEnd(out)
}

// twoColumnsCost is what it costs a ratio that two columns of one name are divided, of different relations: "the
// population of A to the population of B" speaks of one population.
func twoColumnsCost(n *phrase) float64 {
	if len(n.ratio) == 2 && len(n.ratio[0].items) == 1 && len(n.ratio[1].items) == 1 {
		if a, b := n.ratio[0].items[0].column, n.ratio[1].items[0].column; a != nil && b != nil && a != b && a.Name == b.Name {
			return 0.6
		}
	}
	return 0
}

// countedSet returns the set that a phrase counts or stands for, nil if it is no
// plain set.
func countedSet(n *phrase) *set {
	if n.set == nil || n.set.superlative != nil || len(n.group) > 0 {
		return nil
	}
	if len(n.items) == 0 || len(n.items) == 1 && n.items[0].aggregate == "count" && n.items[0].column == nil {
		return n.set
	}
	return nil
}

// ratioOf divides one phrase by another.
func (p *parser) ratioOf(a, b *phrase) []*phrase {
	sa, sb := countedSet(a), countedSet(b)
	if sa != nil && sb != nil && sa.relation == sb.relation {
		return []*phrase{p.filteredShare(sa, sb, "")}
	}
	// two columns of the same rows
	if a.isAttribute() && len(a.items) == 1 && len(b.items) == 1 && (b.isAttribute() || b.set != nil && b.items[0].column != nil && b.items[0].aggregate == "") && a.items[0].aggregate == b.items[0].aggregate {
		both := a.withItems(a.items[0], b.items[0])
		settled := p.resolvePhrase(both)
		if b.set != nil {
			settled = nil
			for _, r := range p.resolveItems(b.set, a.items) {
				x := b.clone()
				x.set, x.items = r.root, append(append([]item(nil), r.items...), b.items...)
				settled = append(settled, reading{x, r.cost})
			}
		}
		for _, s := range settled {
			if n := rowRatio(s.phrase); n != nil {
				return []*phrase{n}
			}
		}
	}
	// two single values, each from its own query
	na, nb := p.singleValue(a), p.singleValue(b)
	if na != nil && nb != nil {
		return []*phrase{{ratio: []*phrase{na, nb}}}
	}
	return nil
}

// rowRatio divides two columns of the same rows.
func rowRatio(n *phrase) *phrase {
	if len(n.items) != 2 || n.items[0].column == nil || n.items[1].column == nil || n.items[0].column == n.items[1].column {
		return nil
	}
	for _, it := range n.items {
		if it.column.Class != catalog.Number {
			return nil
		}
	}
	x := n.clone()
	first, second := n.items[0], n.items[1]
	first.divisor = &second
	x.items = []item{first}
	x.attributeHead = false
	return x
}

// singleValue turns a phrase into one that gives a single value.
func (p *parser) singleValue(n *phrase) *phrase {
	switch {
	case countedSet(n) != nil && len(n.items) == 0:
		return p.counted(n)
	case n.set != nil && len(n.items) == 1 && n.items[0].aggregate != "" && len(n.group) == 0:
		return n
	case n.set != nil && len(n.items) == 1 && n.items[0].column != nil && n.items[0].column.Class == catalog.Number && len(n.group) == 0:
		if p.namesOneRow(n.set) {
			return n
		}
		if p.isHeadcount(n.items[0]) {
			return p.counted(n)
		}
	}
	return nil
}

// shareScale returns the factor of a share by the words that ask for it: one in percent of a hundred, or a fraction of one.
func shareScale(said string) string {
	if said = strings.ToLower(said); strings.Contains(said, "percent") || strings.Contains(said, "share") || strings.Contains(said, "%") {
		return "100.0"
	}
	return ""
}

// filteredShare divides the counts of two sets of one relation. What is said of the
// last alone and not of the same column of the first holds for both: "... in
// New York".
func (p *parser) filteredShare(a, b *set, scale string) *phrase {
	said := map[*catalog.Column]bool{}
	root := &set{id: p.newID(), relation: a.relation}
	for _, c := range a.conditions {
		if c.kind == compare {
			said[c.column] = true
		}
		if p.mayBeOpen(c) && !speaksOf(b.conditions, c.column) {
			root.conditions = append(root.conditions, condition{kind: compare, column: c.column, op: "is not null"})
		}
	}
	denominator := item{aggregate: "count", setID: root.id}
	for _, c := range b.conditions {
		if c.kind == compare && !said[c.column] {
			root.conditions = append(root.conditions, c)
		} else {
			denominator.where = append(denominator.where, c)
		}
	}
	number := item{aggregate: "count", setID: root.id, where: a.conditions, divisor: &denominator, scale: scale}
	root.countsThoseOf(a.conditions)
	return &phrase{set: root, items: []item{number}}
}

// mayBeOpen reports whether a condition is of what is not known of some rows yet, which are no part of a whole: a test without a result is
// neither passed nor failed. A flag that says no of some rows says nothing of those where it is null.
func (p *parser) mayBeOpen(c condition) bool {
	if c.kind != compare || c.column.NotNull || c.op == "is null" || c.op == "is not null" {
		return false
	}
	name, stats := lastOf(p.lexicon.relationInfo[c.column.Relation].names[c.column]), c.column.Profile
	flag := isYesNo(c.column) && stats != nil && stats.Distinct >= 2 && stats.NullFrac > 0
	return c.value.column != nil && len(c.value.literals) == 0 || flag || isText(c.column) && (name == "result" || name == p.language.stem("outcome"))
}

// countsThoseOf notes that the part of which conditions hold is counted among the rows of s, so that no usual condition on the same
// columns leaves it out: the share of cancelled orders is one of all orders.
func (s *set) countsThoseOf(part []condition) {
	for c := range comparisonsOf(part) {
		s.valueColumns = append(s.valueColumns[:len(s.valueColumns):len(s.valueColumns)], c.column)
	}
}

// shareOf divides a part by the whole.
func (p *parser) shareOf(part, whole *phrase, scale string) *phrase {
	s := countedSet(part)
	if s == nil || len(s.conditions) == 0 {
		return nil
	}
	if whole != nil {
		w := countedSet(whole)
		if w == nil || w.relation != s.relation {
			return nil
		}
		return p.filteredShare(s, w, scale)
	}
	return p.shareOfLast(s, item{aggregate: "count"}, scale)
}

// shareOfSums returns the shares that an amount of some rows may be of that of all: "revenue from web orders".
func (p *parser) shareOfSums(part candidate, scale string) (out []candidate) {
	for _, r := range p.summed(p.resolvePhrase(part.phrase)) {
		if n := r.phrase; n.set != nil && n.set.superlative == nil && len(n.group) == 0 && len(n.set.conditions) > 0 && len(n.items) == 1 && n.items[0].aggregate == "sum" && n.items[0].setID == n.set.id {
			out = append(out, candidate{p.shareOfLast(n.set, n.items[0], scale), part.end, part.cost + r.cost + 0.3})
		}
	}
	return out
}

// shareOfLast divides an aggregate of the rows of which all conditions hold by that of those of which all but the last do: what is said last
// makes the part, what was said before, the whole.
func (p *parser) shareOfLast(s *set, of item, scale string) *phrase {
	conditions := timesFirst(s.conditions)
	last := len(conditions) - 1
	root := &set{id: p.newID(), relation: s.relation, conditions: conditions[:last:last]}
	if c := conditions[last]; p.mayBeOpen(c) {
		root = root.with(condition{kind: compare, column: c.column, op: "is not null"}) // what is not done yet is neither late nor in time
	}
	of.setID = root.id
	number := of
	number.where, number.divisor, number.scale = conditions[last:], &of, scale
	root.countsThoseOf(conditions[last:])
	return &phrase{set: root, items: []item{number}}
}

// timesFirst puts the times that no verb binds before what else is said: the share of web orders this year is that of this
// year's orders.
func timesFirst(list []condition) []condition {
	timed := func(c condition) bool { return c.kind == compare && c.unbound }
	last := len(list) - 1
	for last >= 0 && timed(list[last]) {
		last--
	}
	if last < 0 {
		return list
	}
	return slices.Concat(list[:last], list[last+1:], list[last:last+1])
}

// quotient writes an item divided by another.
func (b *builder) quotient(it item, q *query, root *set) string {
	number, denominator := it, *it.divisor
	number.divisor = nil
	n := b.filteredExpr(number, q, root)
	d := b.filteredExpr(denominator, q, root)
	if it.scale != "" {
		return it.scale + " * " + n + " / NULLIF(" + d + ", 0)"
	}
	return "(" + n + ")::float8 / NULLIF(" + d + ", 0)"
}

// shareOfTotal writes the share in percent that the aggregate of a group has of that of
// all groups.
func (b *builder) shareOfTotal(it item, q *query, root *set) string {
	it.ofTotal = false
	e := b.expr(it, q, root)
	return "100.0 * " + e + " / NULLIF(sum(" + e + ") OVER (), 0)"
}

// filteredExpr writes an aggregate with its own conditions.
func (b *builder) filteredExpr(it item, q *query, root *set) string {
	where := it.where
	it.where = nil
	e := b.expr(it, q, root)
	if len(where) == 0 {
		return e
	}
	var parts []string
	for _, c := range where {
		parts = append(parts, b.condition(b.aliases[cmp.Or(it.whereSetID, it.setID)], c))
	}
	e, minor := strings.CutSuffix(e, perMajor)
	e += " FILTER (WHERE " + strings.Join(parts, " AND ") + ")"
	if minor {
		e += perMajor
	}
	return e
}
