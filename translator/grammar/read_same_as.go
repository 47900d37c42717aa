// What is the same of two things: "customers in the same city as Ann".

package grammar

import (
	"fmt"
	"slices"

	"askpg/catalog"
)

// sameAs reads "in the same city as Ann", "with the same price as the cheapest tent", "live in the same town as Ann".
func (p *parser) sameAs(i int) (out []modifierCandidate) {
	starts := append(p.ends(i, "in", "with", "have"), i)
	if p.isVerb(i) {
		starts = append(starts, p.ends(i+1, "in", "with")...)
	}
	for _, s := range p.behind(starts, "article") {
		if p.at(s).lower != "same" {
			continue
		}
		for end, a := range inOrder(p.mentions.attributes[s+1]) {
			if p.at(end).lower == "as" {
				out = append(out, p.sameOf(modifier{kind: modifierSame, attribute: a}, end+1, a.nameCost())...)
			}
		}
		for _, r := range p.mentions.relations[s+1] {
			if p.at(r.end).lower == "as" {
				out = append(out, p.sameOf(modifier{kind: modifierSame, verb: &r}, r.end+1, 3*(1-r.score)/2)...)
			}
		}
	}
	return out
}

// sameOf reads behind "as" whose it is the same as.
func (p *parser) sameOf(m modifier, i int, cost float64) (out []modifierCandidate) {
	for _, c := range p.nounsFrom(p.maybe(i, "article")) {
		if c.phrase.isValue() && len(c.phrase.values) == 1 || c.phrase.isEntity() {
			m := m
			m.phrase = c.phrase
			out = append(out, modifierCandidate{m, c.end, cost + c.cost + 0.05})
		}
	}
	return out
}

// applySame narrows things to those of which a column holds the same as that of one of them, which is not among them.
func (p *parser) applySame(n *phrase, m *modifier) (out []reading) {
	if len(n.group) > 0 || n.set.superlative != nil {
		return nil
	}
	same, cost := p.sameColumn(n.set.relation, m)
	if same == nil {
		return nil
	}
	others := []reading{{m.phrase, 0}}
	if m.phrase.isValue() {
		others = p.valueEntity(m.phrase)
	}
	for _, o := range others {
		s := o.phrase.set
		if s == nil || s.relation != n.set.relation || !p.namesOneRow(s) || len(s.conditions) == 0 {
			continue
		}
		of := operand{query: o.phrase.withItems(item{column: same, setID: s.id}), plain: "that value"}
		x := n.holding(condition{kind: compare, column: same, op: "IN", value: of}, condition{kind: noneOf, parts: s.conditions})
		if slices.ContainsFunc(s.conditions, func(c condition) bool {
			return c.kind == compare && slices.Contains(p.lexicon.relationInfo[s.relation].display, c.column) && !isNearlyUnique(c.column) && len(s.conditions) == 1
		}) {
			x.refusal = fmt.Sprintf("Several of %s may be called so: say more of the one that is meant.", s.relation.Name.Name)
		}
		out = append(out, reading{x, o.cost + cost})
	}
	return cheapestReadings(out, 4)
}

// sameColumn returns the column of a relation that is to hold the same: one that is called so, or the key of what is.
func (p *parser) sameColumn(r *catalog.Relation, m *modifier) (c *catalog.Column, cost float64) {
	if m.verb == nil {
		i := slices.IndexFunc(m.attribute.candidates, func(c columnCandidate) bool { return c.column.Relation == r && c.score >= namedScore })
		if i < 0 {
			return nil, 0
		}
		return m.attribute.candidates[i].column, 3 * (m.attribute.candidates[0].score - m.attribute.candidates[i].score)
	}
	var keys []*catalog.Column
	for _, e := range p.lexicon.graph.edges[r] {
		if e.toOne && e.to == m.verb.relation && len(e.fromCols) == 1 {
			keys = append(keys, e.fromCols[0])
		}
	}
	return only(keys), 0
}
