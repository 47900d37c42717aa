// Reading and applying shares: "in percent of all", "cancellation rate".

package grammar

import (
	"slices"

	"askpg/catalog"
)

// percentages reads "in percent", "as a percentage of all orders" behind the part.
func (p *parser) percentages(i int) (out []modifierCandidate) {
	for _, e := range p.ends(i, "in_percent") {
		out = append(out, modifierCandidate{modifier{kind: modifierShare}, e, 0.1})
		for _, d := range p.behind(p.ends(e, "out_of", "of_strict"), "article", "pronoun") {
			for _, c := range p.noun(d) {
				if c.phrase.isEntity() {
					out = append(out, modifierCandidate{modifier{kind: modifierShare, phrase: c.phrase}, c.end, c.cost + 0.05})
				}
			}
			if w := p.at(d).lower; w == "ones" || w == "total" {
				out = append(out, modifierCandidate{modifier{kind: modifierShare}, d + 1, 0.05})
			}
		}
	}
	return out
}

// applyShare makes things their share of all such things, or what is said of
// each group its share of that of all groups.
func (p *parser) applyShare(n *phrase, m *modifier) []reading {
	if n.set == nil || n.isPronoun || len(n.ratio) > 0 {
		return nil
	}
	if len(n.items) == 1 && n.items[0].divisor != nil {
		x := n.clone()
		it := n.items[0]
		it.scale = "100.0"
		x.items = []item{it}
		return []reading{{x, 0}}
	}
	if len(n.group) > 0 {
		if len(n.items) != 1 || n.items[0].aggregate != "count" && n.items[0].aggregate != "sum" || n.items[0].distinct || m.phrase != nil && len(m.phrase.set.conditions) > 0 {
			return nil
		}
		x := n.clone()
		it := n.items[0]
		it.ofTotal = true
		x.items = []item{it}
		return []reading{{x, 0.05}}
	}
	if s := p.shareOf(n, m.phrase, "100.0"); s != nil {
		if m.phrase == nil && len(n.set.conditions) > 1 && p.follows(0, []string{"how", "many", "of"}) {
			s.refusal = "It is not said of what the share is wanted: say percentage of what, and what holds of it."
		}
		return []reading{{s, 0.05}}
	}
	return nil
}

// refuseShareOfNoun refuses the share of what the only noun of the question names, of which something is said: of "neutered dogs in percent"
// the dogs are the whole.
func (p *parser) refuseShareOfNoun(n *phrase) string {
	if p.mentionsRelation(n.set.relation) || !slices.ContainsFunc(n.set.conditions, func(c condition) bool { return !c.unbound }) {
		return ""
	}
	for i := range p.tokens {
		for end, hits := range inOrder(p.mentions.values[i]) {
			for _, it := range n.items {
				if it.divisor != nil && len(it.where) == 1 && p.mayNameKind(i, end) && slices.ContainsFunc(hits, func(h valueMention) bool { return h.column == it.where[0].column }) {
					return "It is not said of what the share is wanted: say percentage of what, and what holds of it."
				}
			}
		}
	}
	return ""
}

// rates reads "cancellation rate of bookings", "on time rate", "no show rate": the
// share of the things that are so.
func (p *parser) rates(i int) (out []candidate) {
	add := func(n *phrase, end int, cost float64) {
		for _, e := range p.ends(end, "rate") {
			if s := p.shareOf(n, nil, "100.0"); s != nil {
				out = append(out, candidate{s, e, cost + 0.1})
			}
			for _, c := range p.nounsFrom(p.ends(e, "of_strict")) {
				if !c.phrase.isEntity() || c.phrase.set.relation != n.set.relation || c.phrase.set.superlative != nil {
					continue
				}
				x := n.over(c.phrase.set.with(n.set.conditions...))
				if s := p.shareOf(x, c.phrase, "100.0"); s != nil {
					out = append(out, candidate{s, c.end, cost + c.cost})
				}
			}
		}
	}
	for _, part := range slices.Concat(p.kindParts(i), p.flagParts(i), p.punctualParts(i)) {
		add(part.phrase, part.end, part.cost)
	}
	return keepPerEnd(out)
}

// kindParts reads the things of a kind or state: "no show".
func (p *parser) kindParts(i int) (out []candidate) {
	for end, hits := range inOrder(p.mentions.values[i]) {
		if len(p.ends(end, "rate")) == 0 {
			continue
		}
		for _, h := range hits {
			one := &phrase{values: [][]valueMention{{h}}, words: [2]int{i, end}}
			if c, ok := p.valueCondition(one, h.column, false); ok && p.holdsKinds(h.column) {
				n := p.entity(h.column.Relation)
				n.set = n.set.with(c)
				out = append(out, candidate{n, end, 0.1 + 2*(1-h.score)})
			}
		}
	}
	return out
}

// flagParts reads the things that a flag or a time is of: "cancellation".
func (p *parser) flagParts(i int) (out []candidate) {
	for end, a := range inOrder(p.mentions.attributes[i]) {
		if len(p.ends(end, "rate")) == 0 || slices.ContainsFunc(p.mentions.relations[i], func(r relationMention) bool { return r.end == end && r.score >= namedScore }) {
			continue
		}
		for _, c := range a.candidates {
			if c.score < 0.7 {
				continue
			}
			n := p.entity(c.column.Relation)
			if text, ok := truth(c.column); ok {
				n.set = n.set.with(condition{kind: compare, column: c.column, op: "=", value: operand{literals: []string{text}, plain: "true"}})
			} else if isTime(c.column) && !c.column.NotNull {
				n.set = n.set.with(condition{kind: compare, column: c.column, op: "is not null"})
			} else {
				continue
			}
			out = append(out, candidate{n, end, 0.15 + 3*(1-c.score)/2})
		}
	}
	return out
}

// punctualParts reads the things that were late or on time.
func (p *parser) punctualParts(i int) (out []candidate) {
	for _, m := range p.punctual(i, nil) {
		if len(p.ends(m.end, "rate")) == 0 {
			continue
		}
		for _, r := range p.relations {
			out = append(out, candidates(p.applyPunctual(p.entity(r), &m.modifier), m.end, 0.1)...)
		}
	}
	return out
}

// holdsKinds reports whether a column holds one of a few states or kinds of its rows.
func (p *parser) holdsKinds(c *catalog.Column) bool {
	few := len(c.Enum) > 0 || c.Profile != nil && c.Profile.Distinct <= 50
	return few && (isText(c) || len(p.lexicon.legends[c].labels) > 0) && !c.Unique && !p.lexicon.graph.isForeign(c) && !slices.Contains(p.lexicon.relationInfo[c.Relation].display, c)
}

// isAverage reports whether a phrase is an average.
func (n *phrase) isAverage() bool {
	return len(n.ratio) > 0 || slices.ContainsFunc(n.items, func(it item) bool { return it.aggregate == "avg" || it.divisor != nil }) ||
		n.set != nil && n.set.superlative != nil && n.set.superlative.by.aggregate == "avg"
}

// averaged makes readings of a question that says "on average" averages.
func (p *parser) averaged(list []candidate) (out []candidate) {
	for _, c := range list {
		if !c.phrase.isAverage() {
			if n, cost := p.aggregate(c.phrase, []string{"avg"}); n != nil {
				c.phrase, c.cost = n, c.cost+cost
			}
		}
		out = append(out, c)
	}
	return out
}
