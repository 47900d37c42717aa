// Reading what stands before a sentence: "for each stadium, ...", "last month: ...", "of all customers, which ...".

package grammar

import (
	"slices"

	"askpg/catalog"
)

// lead is a modifier that stands before its sentence: "last month: …", "for each stadium, …".
type lead struct {
	m      modifier
	end    int
	cost   float64
	marked bool // a colon has to follow
}

// leads reads what may stand before a sentence at token i.
func (p *parser) leads(i int) (out []lead) {
	for _, e := range p.ends(i, "group_lead") {
		for _, k := range p.keys(e) {
			if m := k.modifier; m.phrase != nil || m.op != "" {
				m.leading, m.hints = true, p.wordsBetween(i, e)
				out = append(out, lead{m, k.end, k.cost, false})
			}
		}
	}
	for from, c := range p.nounsFrom(p.maybe(i, "lead")) {
		if c.phrase.isEntity() || c.phrase.isValue() {
			out = append(out, lead{modifier{kind: modifierRelated, phrase: c.phrase, leading: true}, c.end, c.cost + 0.1, from == i})
		}
	}
	for _, e := range p.maybe(i, "noise") { // "so far this year, ..."
		for _, d := range p.date(e) {
			if d.end > e {
				out = append(out, lead{modifier{kind: modifierDate, date: &d.dates}, d.end, d.cost, false})
			}
		}
	}
	for _, m := range p.groupedBy(i) {
		if m.modifier.op != "" {
			out = append(out, lead{m.modifier, m.end, m.cost, false}) // "month by month, ..."
		}
	}
	for _, m := range p.periods(i) {
		out = append(out, lead{m.modifier, m.end, m.cost, true})
	}
	return out
}

// leadingClause reads "For each stadium, how many concerts play there?"
func (p *parser) leadingClause(i, end int) (out []candidate) {
	for _, l := range p.leads(i) {
		for _, e := range p.maybe(l.end, "comma", "colon") {
			if e >= end || l.marked && !slices.Contains(p.ends(l.end, "colon"), e) {
				continue
			}
			for _, c := range p.statement(e, end) {
				for _, r := range p.applyLead(c.phrase, p.ofEachSized(c.phrase, &l.m)) {
					if p.losesEach(i, c.phrase, r.phrase, &l.m) {
						continue
					}
					cost := c.cost + l.cost + r.cost
					if e == l.end {
						cost += 0.2
					}
					out = append(out, candidate{r.phrase, end, cost})
				}
			}
		}
	}
	return append(out, p.partitive(i, end)...)
}

// losesEach reports whether a sentence n that stands behind "for each garage" has become a phrase that is of all of them together, or that has
// the single values of which each garage has many: "how much was the repair".
func (p *parser) losesEach(i int, n, of *phrase, m *modifier) bool {
	if !isSaid(p.tokens[i:min(i+2, len(p.tokens))], "each", "every") {
		return false
	}
	if m.kind == modifierRelated && m.phrase.isEntity() && of.set != nil && of.set.relation != m.phrase.set.relation {
		return len(of.group) == 0
	}
	single := func(it item) bool { return it.column != nil && p.isAdditive(it.column) }
	return m.kind == modifierGroup && m.phrase != nil && m.phrase.isAttribute() && !of.hasAggregate() && !p.isPlural(n) && slices.ContainsFunc(of.items, single)
}

// ofEachSized makes the things before a sentence its groups where so many of those are said to be of each of which an average or the like is
// asked for: "for genres with at least five titles, what is the average price". People are rather meant together.
func (p *parser) ofEachSized(n *phrase, m *modifier) *modifier {
	if m.kind != modifierRelated || !m.phrase.isEntity() || !p.isPlural(m.phrase) || p.isPeople(m.phrase.set.relation) || !n.hasAggregate() || len(n.group) > 0 {
		return m
	}
	measured := func(r *catalog.Relation) bool {
		if n.set != nil {
			return n.set.relation == r
		}
		a := n.items[0].attribute
		return a != nil && a.candidates[0].column.Relation == r
	}
	sized := func(c condition) bool {
		return c.kind == related && c.count != nil && !c.negated && measured(c.child.relation)
	}
	if !slices.ContainsFunc(m.phrase.set.conditions, sized) {
		return m
	}
	return &modifier{kind: modifierGroup, phrase: m.phrase, leading: true, hints: []string{"per"}}
}

// partitive reads "of all customers, which has the most orders", "of the orders of 2024, how many were paid" and "of the orders of
// 2024, what share was paid": things, and what is asked of some of them.
func (p *parser) partitive(i, end int) (out []candidate) {
	for _, c := range p.nounsFrom(p.ends(i, "lead")) {
		if !c.phrase.isEntity() || len(c.phrase.group) > 0 || c.phrase.number != "" || c.phrase.set.superlative != nil || p.endedThen(i, c.end) {
			continue
		}
		for _, asked := range p.maybe(c.end, "comma") {
			for _, tag := range []string{"which_of_them", "how_many", "share_of_them"} {
				for _, e := range p.ends(asked, tag) {
					out = append(out, p.askedOfThem(c, tag, asked, e, end)...)
				}
			}
		}
	}
	return out
}

// askedOfThem reads what is asked of the things before it: "of the orders of 2024, how many were paid". The words of the tag are those
// from token asked to i.
func (p *parser) askedOfThem(things candidate, tag string, asked, i, end int) (out []candidate) {
	for _, m := range p.verbPhrase(i) {
		if !p.isOnlyFillers(m.end, end) {
			continue
		}
		for _, r := range p.apply(things.phrase, &m.modifier) {
			n := r.phrase
			if p.refusal(n) != "" {
				continue // what is made of it would not be looked at for that
			}
			switch tag {
			case "how_many":
				n = p.counted(n)
			case "share_of_them":
				n = p.shareOf(n, things.phrase, shareScale(p.text(asked, i)))
			}
			if n != nil {
				out = append(out, candidate{n, end, things.cost + m.cost + r.cost + 0.1})
			}
		}
	}
	return out
}

// endedThen reports whether the words from token i to end give the time of a later state by a verb for which there is no column: what was
// "paid last year" need not be of last year.
func (p *parser) endedThen(i, end int) bool {
	for ; i < end; i++ {
		if p.language.outcomeVerbs[p.tokens[i].stem] && p.isDated(i) && !p.namesTime(i, anyRelation) {
			return true
		}
	}
	return false
}

// applyLead applies what stood before the sentence to its phrase.
func (p *parser) applyLead(n *phrase, m *modifier) []reading {
	if m.kind == modifierRelated && m.phrase.isEntity() {
		if n.set == nil {
			return p.attributeOf(n, m.phrase)
		}
		if n.set.relation == m.phrase.set.relation && m.phrase.set.superlative == nil {
			x := n.holding(m.phrase.set.conditions...)
			if !onlyComparisons(m.phrase.set.conditions) {
				return []reading{{x, 0.1}}
			}
			return []reading{{x, 0}}
		}
		// the leading thing may be one that the rest is joined to already
		var out []reading
		walk(n.set, func(s *set, depth int) {
			if s != n.set && s.relation == m.phrase.set.relation && m.phrase.set.superlative == nil {
				out = append(out, reading{n.replacing(s.with(m.phrase.set.conditions...)), 0.1})
			}
		})
		return cheapestReadings(append(out, p.apply(n, m)...), 4)
	}
	return p.apply(n, m)
}

// onlyComparisons reports whether the conditions are comparisons of own columns alone.
func onlyComparisons(conditions []condition) bool {
	return !slices.ContainsFunc(conditions, func(c condition) bool { return c.kind != compare })
}
