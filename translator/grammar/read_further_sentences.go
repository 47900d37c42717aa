// Reading sentences behind the first: what else to show, how to sort.

package grammar

import (
	"cmp"
	"slices"
)

// further reads a sentence after the first: what to show, how to sort, how many.
func (p *parser) further(c candidate, i, end int) (out []candidate) {
	if end-i > 2 && p.at(end-1).lower == "also" {
		end-- // "Show the price also."
	}
	out = append(out, p.specified(c, i, end, 0, false)...)
	for _, e := range p.ends(i, "showing") {
		out = append(out, p.specified(c, e, end, 0, true)...) // "With the carrier."
	}
	for _, e := range p.ends(i, "in_percent") {
		if it := c.phrase.items; p.isOnlyFillers(e, end) && len(it) == 1 && it[0].divisor != nil {
			n := c.phrase.clone()
			n.items = slices.Clone(it)
			n.items[0].scale = "100.0"
			out = append(out, candidate{n, 0, c.cost})
		}
	}
	out = append(out, p.onceEach(c, i, end)...)
	for _, o := range p.afterOpening(i, end) {
		s := o.at
		for _, m := range each(p.maybe(s, "article"), p.ordering) {
			if p.isOnlyFillers(m.end, end) {
				out = append(out, candidates(p.apply(c.phrase, &m.modifier), 0, c.cost+m.cost)...)
			}
		}
		out = append(out, p.enough(c, o, end)...)
		for _, parts := range p.parts(s, end, 0) {
			for _, r := range p.show(c.phrase, parts.parts) {
				out = append(out, candidates(p.ordered(r, parts.order), 0, c.cost+parts.cost+o.cost)...)
			}
		}
	}
	return out
}

// onceEach reads "No duplicates".
func (p *parser) onceEach(c candidate, i, end int) (out []candidate) {
	for _, e := range p.ends(i, "no_duplicates") {
		if n := c.phrase; p.isOnlyFillers(e, end) && len(n.items) > 0 && !n.hasAggregate() && len(n.group) == 0 {
			n = n.clone()
			n.distinct = true
			out = append(out, candidate{n, 0, c.cost})
		}
	}
	return out
}

// enough reads "Five is enough", behind words such as "I need".
func (p *parser) enough(c candidate, o opening, end int) (out []candidate) {
	for _, top := range p.maybe(o.at, "top") {
		if n, e := p.number(top); e > top && p.isOnlyFillers(e, end) && yearIn(p.tokens[top:e]) < 0 {
			out = append(out, candidates(p.limited(c.phrase, n, false), 0, c.cost+o.cost)...)
		}
	}
	return out
}

// ordered sorts what a reading shows, if an order is asked for.
func (p *parser) ordered(r reading, order *modifier) []reading {
	if order == nil {
		return []reading{r}
	}
	out := p.apply(r.phrase, order)
	for i := range out {
		out[i].cost += r.cost
	}
	return out
}

// partList is a reading of a list of what a sentence asks to be shown: "the id, name and number of orders".
type partList struct {
	parts []*phrase
	order *modifier
	cost  float64
}

const maxParts = 10

// parts reads "the id, name and number of orders" as separate phrases, each place once: what is before may be read in many ways.
func (p *parser) parts(i, end, depth int) []partList {
	at := [3]int{i, end, depth}
	if _, done := p.partLists[at]; !done && depth <= maxParts {
		p.partLists[at] = p.readParts(i, end, depth)
	}
	return p.partLists[at]
}

func (p *parser) readParts(i, end, depth int) (out []partList) {
	for _, d := range p.maybe(i, "pronoun", "article", "both") {
		for _, c := range slices.Concat(p.noun(d), p.attributes(d, true), p.numberAgain(d)) {
			if c.phrase.isValue() || c.phrase.isPronoun || c.end > end || c.cost > 2.5 {
				continue
			}
			if p.isOnlyFillers(c.end, end) {
				out = append(out, partList{[]*phrase{c.phrase}, nil, c.cost})
				continue
			}
			for _, m := range p.ordering(c.end) {
				if m.end <= end && p.isOnlyFillers(m.end, end) {
					m := m.modifier
					out = append(out, partList{[]*phrase{c.phrase}, &m, c.cost + 0.1})
				}
			}
			for _, next := range p.nextParts(c.end) {
				for _, rest := range p.parts(next, end, depth+1) {
					out = append(out, partList{append([]*phrase{c.phrase}, rest.parts...), rest.order, c.cost + rest.cost})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b partList) int { return cmp.Compare(a.cost, b.cost) })
	return out[:min(6, len(out))]
}

// numberAgain reads "the number", which is one that was spoken of.
func (p *parser) numberAgain(i int) (out []candidate) {
	for _, e := range p.ends(i, "number_again") {
		out = append(out, candidate{&phrase{items: []item{{aggregate: "count"}}, words: [2]int{i, e}}, e, 0.1})
	}
	return out
}

// isNumberAgain reports whether the phrase is a number that was spoken of, and of what is not said.
func (n *phrase) isNumberAgain() bool {
	return n.set == nil && len(n.items) == 1 && n.items[0].aggregate == "count" && n.items[0].attribute == nil && n.items[0].column == nil
}

// nextParts returns where the next member of a list may begin: behind a comma, an "and", or both.
func (p *parser) nextParts(i int) (out []int) {
	for _, and := range p.behind(p.maybe(i, "comma"), "and") {
		if and > i && !slices.Contains(out, and) {
			out = append(out, and)
		}
	}
	return out
}

// show makes the parts the outputs of what was asked before.
func (p *parser) show(n *phrase, parts []*phrase) []reading {
	if n.set == nil && len(n.ratio) > 0 {
		return nil // a quotient of two queries has nothing else to show
	}
	if n.set == nil {
		return thenApply(p.resolvePhrase(n), 4, func(of *phrase) []reading { return p.show(of, parts) })
	}
	base := n.clone()
	base.items = nil
	if len(n.having) > 0 && len(n.group) == 0 {
		base.group = []item{{setID: n.set.id, entity: true}}
	}
	list := []reading{{base, 0}}
	for _, part := range parts {
		list = thenApply(list, 4, func(sofar *phrase) []reading { return p.showOne(sofar, n, part) })
	}
	return list
}

// showOne adds one output.
func (p *parser) showOne(sofar, n *phrase, part *phrase) (out []reading) {
	if len(part.items) == 1 && part.items[0].aggregate != "" {
		if r, ok := p.showRanking(sofar, n, part); ok {
			return []reading{r}
		}
	}
	if part.isNumberAgain() {
		return nil
	}
	plain := part.set != nil && len(part.set.conditions) == 0 && part.set.superlative == nil
	switch {
	case part.isAttribute():
		if it, ok := n.comparedAggregate(part); ok {
			return []reading{sofar.showing(sofar.set, []item{it}, 0)}
		}
		for _, l := range p.resolveItems(sofar.set, part.items) {
			if slices.ContainsFunc(l.items, func(it item) bool {
				return len(n.having) > 0 && n.ofSeveralRows(l.root, it) || n.ranksValues() && !n.shows(it.column) || n.ofRowsOfGroup(l.root, it)
			}) {
				continue
			}
			out = append(out, sofar.showing(l.root, l.items, l.cost))
		}
	case part.isEntity() && plain:
		out = p.showOf(sofar, part, func(s *set) ([]item, bool) { return p.withDisplay(&phrase{set: s}).items, true })
	case plain && len(part.group) == 0:
		out = p.showOf(sofar, part, func(s *set) ([]item, bool) {
			// of those that rows lead to there may be fewer than rows
			fewer := part.hasAggregate() && len(sofar.group) == 0 && reachedToOne(sofar.set, s.id)
			return part.movedTo(s), !fewer
		})
	}
	return cheapestReadings(out, 3)
}

// comparedAggregate returns the aggregate of a column that things are compared by, where the column is to be shown: the rating behind "an
// average rating below 3".
func (n *phrase) comparedAggregate(part *phrase) (item, bool) {
	for _, h := range n.having {
		if len(part.items) == 1 && slices.ContainsFunc(part.items[0].attribute.all(), func(c columnCandidate) bool { return c.column == h.by.column }) {
			return h.by, true
		}
	}
	return item{}, false
}

// ofRowsOfGroup reports whether a column is of the rows that are counted for each of the things which the phrase is grouped by, and not of
// those: the rows of one group differ in it.
func (n *phrase) ofRowsOfGroup(root *set, it item) bool {
	return n.hasAggregate() && it.aggregate == "" && it.column != nil && len(n.group) > 0 && !slices.ContainsFunc(n.group, func(g item) bool {
		key := root.find(g.setID)
		return !g.entity || key != nil && reachedToOne(key, it.setID)
	})
}

// ranksValues reports whether the phrase is of the values that most or fewest rows have, to which nothing of a row can be shown: the others that
// have the value differ in it.
func (n *phrase) ranksValues() bool {
	return n.attributeHead && n.set.superlative != nil && n.set.superlative.by.aggregate != ""
}

// showing adds outputs to a phrase, on a set that has what they need.
func (n *phrase) showing(root *set, items []item, cost float64) reading {
	x := n.over(root)
	x.items = slices.Concat(n.items, items)
	return reading{x, cost}
}

// showRanking shows an aggregate by which the phrase ranks or sorts, or that it shows already.
func (p *parser) showRanking(sofar, n, part *phrase) (reading, bool) {
	want := part.items[0]
	var have []item
	if n.set.superlative != nil {
		have = append(have, n.set.superlative.by)
	}
	have = append(have, n.items...)
	for _, o := range n.order {
		have = append(have, o.by)
	}
	for _, h := range have {
		switch {
		case h.aggregate != want.aggregate:
		case part.isNumberAgain():
			return sofar.showing(sofar.set, []item{h}, 0), true
		case want.aggregate == "count" && want.attribute == nil && part.set != nil:
			if s := sofar.set.find(h.setID); s != nil && s.relation == part.set.relation {
				return sofar.showing(sofar.set, []item{h}, 0), true
			}
		case want.attribute != nil && h.column != nil:
			for _, c := range want.attribute.candidates {
				if c.column == h.column {
					return sofar.showing(sofar.set, []item{h}, 0.5*(want.attribute.candidates[0].score-c.score)), true
				}
			}
		}
	}
	return reading{}, false
}

// showOf shows the outputs that a part has of a set, if it may be shown of that: of the sets that the phrase
// is joined to already, or else of the part's own, which is joined.
func (p *parser) showOf(sofar, part *phrase, outputs func(*set) ([]item, bool)) (out []reading) {
	walk(sofar.set, func(s *set, depth int) {
		if s.relation != part.set.relation {
			return
		}
		if items, ok := outputs(s); ok {
			out = append(out, sofar.showing(sofar.set, items, 0.1*float64(depth)))
		}
	})
	if len(out) > 0 || sofar.set.relation == part.set.relation {
		return out
	}
	paths := p.pathsBetween(sofar.set.relation, part.set.relation)
	if len(paths) == 0 {
		return nil
	}
	root := sofar.set.with(condition{kind: related, child: part.set, path: paths[0], joined: true})
	if part.hasAggregate() && len(sofar.group) == 0 && paths[0].toOne() {
		return nil
	}
	items, _ := outputs(part.set)
	cost := 0.5 + 0.2*paths[0].cost
	if paths[0].toOne() {
		cost = 0.1 * (paths[0].cost - 1)
	}
	return []reading{sofar.showing(root, items, cost)}
}
