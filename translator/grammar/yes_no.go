// Questions that a flag of one thing answers: "does Ann have a pass", "is Ben on the mailing list"; and whom
// somebody reports to.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// askedFlag reads "does Ann have a pass": the flag that tells it, of the thing that is named.
func (p *parser) askedFlag(i int) []candidate {
	var out []candidate
	for _, e := range p.ends(i, "do", "be_bare") {
		for _, c := range p.things(e) {
			if !isOneThing(c.phrase) {
				continue
			}
			for _, at := range p.behindHave(c.end) {
				for end, a := range inOrder(p.mentions.attributes[at]) {
					for _, f := range p.boolean(a).all() {
						if f.column.Relation == c.phrase.set.relation && f.score >= namedScore {
							n := c.phrase.clone()
							n.items = []item{{column: f.column, setID: n.set.id}}
							out = append(out, candidate{n, end, c.cost + 0.2 + 1 - f.score})
						}
					}
				}
			}
		}
	}
	return out
}

// isOneThing reports whether a phrase is a thing that the question calls by its name.
func isOneThing(n *phrase) bool {
	return n.isEntity() && len(n.group) == 0 && n.set.superlative == nil && len(n.set.conditions) > 0 &&
		!slices.ContainsFunc(n.set.conditions, func(c condition) bool { return c.kind != compare || c.op != "=" || !textual(c.column) })
}

// behindHave returns where what somebody has, or is on, may begin: "have a pass", "on the mailing list".
func (p *parser) behindHave(i int) []int {
	var out []int
	for _, e := range p.maybe(i, "have", "in") {
		out = append(out, p.maybe(e, "article", "pronoun")...)
	}
	return out
}

// reportsTo reads "who does Ann report to": the row of her own relation that hers points to; and "who reports to Ann", those that
// point to hers.
func (p *parser) reportsTo(i int) []candidate {
	var out []candidate
	for _, e := range p.ends(i, "who") {
		if p.at(e).stem == "report" && p.at(e+1).lower == "to" {
			for _, c := range p.things(e + 2) {
				if up := p.lexicon.graph.ownKind(c.phrase.set.relation, true); up != nil && isOneThing(c.phrase) {
					n := p.entity(c.phrase.set.relation)
					n.set = n.set.with(condition{kind: related, child: c.phrase.set, path: path{edges: []*edge{up}, cost: up.cost}})
					out = append(out, candidate{n, c.end, c.cost + 0.2})
				}
			}
		}
		for _, d := range p.ends(e, "do") {
			for _, c := range p.things(d) {
				said := p.at(c.end).stem == "report" && p.at(c.end+1).lower == "to" || p.at(c.end).stem == "work" && p.at(c.end+1).lower == "under"
				if !said || !isOneThing(c.phrase) {
					continue
				}
				if down := p.lexicon.graph.ownKind(c.phrase.set.relation, false); down != nil {
					n := p.entity(c.phrase.set.relation)
					n.set = n.set.with(condition{kind: related, child: c.phrase.set, path: path{edges: []*edge{down}, cost: down.cost}})
					out = append(out, candidate{n, c.end + 2, c.cost + 0.2})
				}
			}
		}
	}
	return out
}

// ownKind returns the only edge by which rows of a relation have others of it under them, or are under another if toOne says so; nil
// if there is none or several.
func (g *graph) ownKind(r *catalog.Relation, toOne bool) *edge {
	return only(slices.DeleteFunc(slices.Clone(g.edges[r]), func(e *edge) bool { return e.to != r || e.toOne != toOne || e.implied }))
}
