// What was sold: how many pieces, and for how much to whom.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// piecesSold reads "how many roses were sold", "how many bottles did we sell": the pieces of the lines of what was sold, not the lines. Of
// "how many plants were sold" it is not known whether each kind counts once.
func (p *parser) piecesSold(i int) []candidate {
	var out []candidate
	for _, e := range p.ends(i, "how_many") {
		for _, c := range p.noun(e) {
			end := p.behindSold(c.end)
			if end == 0 || len(c.phrase.group) > 0 {
				continue
			}
			for _, n := range p.piecesOf(c.phrase) {
				out = append(out, p.extend([]candidate{{n, end, c.cost + 0.1}})...)
			}
		}
	}
	return out
}

// behindSold returns where "were sold" or "did we sell" ends that begins at token i, 0 if none does.
func (p *parser) behindSold(i int) int {
	for _, e := range p.ends(i, "be_bare", "do") {
		for _, verb := range p.maybe(e, "be_bare") {
			if p.at(verb).lower == "we" {
				verb++
			}
			if p.at(verb).stem == "sell" {
				return verb + 1
			}
		}
	}
	return 0
}

// piecesOf returns the phrases of how many pieces of things were sold: of the pieces themselves, or of things of a kind.
func (p *parser) piecesOf(things *phrase) []*phrase {
	var out []*phrase
	for _, a := range p.lexicon.lineAmounts {
		n := p.entity(a.pieces.Relation)
		n.items = []item{{column: a.pieces, setID: n.set.id, aggregate: "sum"}}
		n.words = things.words
		switch {
		case things.isAttribute() && len(things.items) == 1 && slices.ContainsFunc(things.items[0].attribute.all(), func(c columnCandidate) bool { return c.column == a.pieces }):
			out = append(out, n)
		case things.isValue() && len(things.hits) == 1 || things.isEntity() && len(things.set.conditions) > 0 && things.set.superlative == nil:
			for _, e := range p.lexicon.graph.edges[a.pieces.Relation] {
				if whole := p.soldIn(a.pieces.Relation); !e.toOne || e.implied || whole != nil && e.to == whole.To {
					continue
				}
				for _, s := range p.rowsOf(e.to, things) {
					out = append(out, n.holding(condition{kind: related, child: s, path: e.alone()}))
				}
			}
		}
	}
	return out
}

// rowsOf returns the rows of a relation that a phrase stands for.
func (p *parser) rowsOf(r *catalog.Relation, things *phrase) []*set {
	if things.isEntity() {
		if things.set.relation == r {
			return []*set{things.set}
		}
		return nil
	}
	var out []*set
	for _, a := range p.applyValue(p.entity(r), &modifier{kind: modifierRelated, phrase: things}) {
		if a.cost < 1 && len(out) == 0 { // the likeliest
			out = append(out, a.phrase.set)
		}
	}
	return out
}

// spentBy reads "how much did Ann spend": what she was sold comes to.
func (p *parser) spentBy(i int) []candidate {
	var out []candidate
	for _, e := range p.ends(i, "how_many") {
		for _, d := range p.ends(e, "do", "have") {
			for _, c := range p.things(d) {
				if p.at(c.end).stem != "spend" || len(c.phrase.group) > 0 || c.phrase.set.superlative != nil || len(c.phrase.set.conditions) == 0 {
					continue
				}
				if n := p.soldTo(c.phrase.set); n != nil {
					out = append(out, p.extend([]candidate{{n, c.end + 1, c.cost + 0.2}})...)
				}
			}
		}
	}
	return out
}

// soldTo returns the phrase of what was sold to people, added up; nil if several columns say it or none does, or if they sell.
func (p *parser) soldTo(people *set) *phrase {
	if p.isEmployed(people.relation) || p.lexicon.relationInfo[people.relation].left != nil {
		return nil
	}
	var sold []*phrase
	for _, r := range p.relations {
		amount := p.lexicon.lineAmountOf(r)
		if amount == nil && p.isSold(r) {
			amount = p.impliedColumn(r, true)
		}
		ways := p.pathsBetween(r, people.relation)
		if i := slices.IndexFunc(ways, func(pt path) bool { return len(pt.edges) > 0 && pt.toOne() }); amount != nil && i >= 0 {
			n := p.entity(r)
			n.items = []item{{column: amount, setID: n.set.id, aggregate: "sum"}}
			n.set = n.set.with(condition{kind: related, child: people, path: ways[i]})
			sold = append(sold, n)
		}
	}
	return only(sold)
}
