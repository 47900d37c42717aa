// Reading what something is counted or added up for each of, or ranked by: "top 5 countries by population".

package grammar

import "slices"

// keys reads grouping keys: what something is counted or added up for each of.
func (p *parser) keys(i int) (out []modifierCandidate) {
	for _, d := range p.maybe(i, "article", "distinct") {
		for _, u := range p.timeUnits(d) {
			out = append(out, modifierCandidate{modifier{kind: modifierGroup, op: u.unit}, u.end, 0.3})
		}
	}
	for _, c := range p.noun(i) {
		if !c.phrase.isValue() && !c.phrase.isPronoun {
			out = append(out, modifierCandidate{modifier{kind: modifierGroup, phrase: c.phrase}, c.end, c.cost + 0.05})
		}
	}
	return append(out, p.twoKeys(out)...)
}

// twoKeys reads a second kind of things behind a key: "per room and guest". Several guests would be asked for
// by themselves.
func (p *parser) twoKeys(first []modifierCandidate) (out []modifierCandidate) {
	for _, k := range first {
		for _, c := range p.nounsFrom(p.ends(k.end, "and")) {
			if p.isKey(c.phrase) && !c.phrase.isValue() && !p.isPlural(c.phrase) {
				both := []modifier{k.modifier, {kind: modifierGroup, phrase: c.phrase}}
				out = append(out, modifierCandidate{modifier{kind: modifierAll, parts: both}, c.end, k.cost + c.cost + 0.05})
			}
		}
	}
	return out
}

// isKey reports whether a phrase after "by" says what is divided by it: a kind
// of thing or of time, and none of its own.
func (p *parser) isKey(n *phrase) bool {
	if n.isValue() {
		_, e := p.dateUnit(n.words[0])
		return e > n.words[0] || p.ofKind(n.words[0]) && len(p.kindOf(n)) > 0
	}
	kind := n.words[1] == n.words[0]+1 && p.ofKind(n.words[0]) && len(p.mentions.values[n.words[0]][n.words[1]]) > 0
	return n.isEntity() && (len(n.set.conditions) == 0 || kind) && n.set.superlative == nil && n.number == ""
}

// isWay reports whether a phrase is a value that says how something was done: "by card".
func (p *parser) isWay(n *phrase) bool {
	return n.isValue() && len(n.literals) == 0 && slices.ContainsFunc(n.values[0], func(h valueMention) bool {
		return slices.ContainsFunc(p.lexicon.relationInfo[h.column.Relation].names[h.column], func(s string) bool { return p.language.mannerNames[s] })
	})
}

// byCount reads "by count" behind values: how many rows have each of them.
func (p *parser) byCount(i int) []modifierCandidate {
	if w := p.at(i + 1).lower; p.at(i).lower != "by" || w != "count" && w != "number" || p.at(i+2).lower == "of" {
		return nil
	}
	return []modifierCandidate{{modifier{kind: modifierCounts}, i + 2, 0.1}}
}

// isExactColumnName reports whether token i is the exact name of a column.
func (p *parser) isExactColumnName(i int) bool {
	return slices.ContainsFunc(p.mentions.attributes[i][i+1].all(), func(c columnCandidate) bool { return c.score >= exactNameScore })
}

// applyCounts counts the rows of each value of an attribute that is a text.
func (p *parser) applyCounts(n *phrase) []reading {
	if n.set == nil || len(n.items) != 1 || len(n.group) > 0 || n.items[0].aggregate != "" || n.items[0].column == nil || !isText(n.items[0].column) || n.set.superlative != nil ||
		slices.Contains(p.lexicon.relationInfo[n.set.relation].display, n.items[0].column) {
		return nil
	}
	x := n.clone()
	if c := n.items[0].column; !c.NotNull && n.items[0].setID == n.set.id {
		x.set = n.set.with(condition{kind: compare, column: c, op: "is not null"})
	}
	x.group, x.items = n.items, []item{{aggregate: "count", setID: n.set.id}}
	return []reading{{x, 0}}
}

// rankingOfAll reads "customers by revenue", "stores by number of orders": all of them with the amount of each, highest first. A number
// that each has itself may divide them as well: "wines by vintage".
func (p *parser) rankingOfAll(n *phrase, m *modifier) []reading {
	if !n.isEntity() || !p.isPlural(n) || n.number != "" || !m.isKeyBehindBy() || !m.phrase.hasAggregate() && !p.isRevenue(m.phrase) {
		return nil
	}
	return p.orderedGroups(n, &modifier{phrase: m.phrase, descending: true})
}

// topBy reads "top 5 countries by population", "top 3 customers by number of orders", "top 3 customers by orders";
// nil if it is nothing of that kind.
func (p *parser) topBy(n *phrase, m *modifier) *modifier {
	if n.number == "" || n.hasAggregate() || len(m.phrase.group) > 0 {
		return nil
	}
	top := &modifier{kind: modifierSuperlative, descending: !n.fromEnd, count: n.number}
	if m.phrase.isEntity() && p.isPlural(m.phrase) && m.phrase.set.relation != n.set.relation && m.phrase.set.superlative == nil {
		top.phrase = m.phrase.clone()
		top.phrase.items = []item{{aggregate: "count", setID: m.phrase.set.id}}
		return top
	}
	if len(m.phrase.items) != 1 {
		return nil
	}
	switch it := m.phrase.items[0]; {
	case it.aggregate != "":
		top.phrase = m.phrase
	case it.attribute != nil && m.phrase.set == nil:
		top.attribute = it.attribute
	default:
		return nil
	}
	return top
}
