// Questions that are answered by yes or no: "are there any late orders"; those that a flag of one thing answers: "does Ann have a pass", "is Ben on the mailing list"; and whom
// somebody reports to.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// askedFlag reads "does Ann have a pass": the flag that tells it, of the thing that is named.
func (p *parser) askedFlag(i int) (out []candidate) {
	for _, e := range p.ends(i, "do", "be_bare") {
		for _, c := range p.things(e) {
			if !isOneThing(c.phrase) {
				continue
			}
			for _, at := range p.behind(p.maybe(c.end, "have", "in"), "article", "pronoun") {
				for end, a := range inOrder(p.mentions.attributes[at]) {
					for _, f := range p.boolean(a).all() {
						if f.column.Relation == c.phrase.set.relation && f.score >= namedScore {
							out = append(out, candidate{c.phrase.withItems(item{column: f.column, setID: c.phrase.set.id}), end, c.cost + 0.2 + 1 - f.score})
						}
					}
				}
			}
		}
	}
	return out
}

// asWhether makes of things of which the question asks whether there are any that question: "are there any late orders" is answered
// by yes or no, and not by their numbers.
func (p *parser) asWhether(n *phrase) *phrase {
	if n.set != nil && n.countsRows() && p.asksWhether() && isSaid(p.tokens, "all", "every", "each") {
		x := n.clone()
		x.refusal = "How many there are does not say whether all of them are so: ask which are not."
		return x
	}
	counts := n.set != nil && n.countsRows() && len(n.items) == 1 // how often somebody ordered says more than was asked
	if !n.isEntity() && !counts || !p.asksWhether() || len(n.group) > 0 || len(n.order) > 0 || len(n.having) > 0 || n.number != "" || n.set.superlative != nil {
		return n
	}
	x := n.withItems()
	x.asksExistence = true
	return x
}

// asksWhether reports whether the question can be answered by yes or no, and asks for nothing besides.
func (p *parser) asksWhether() bool {
	switch p.at(0).lower {
	case "are", "is", "was", "were", "do", "does", "did", "have", "has", "any":
	default:
		return false
	}
	return !slices.ContainsFunc(p.tokens, func(t token) bool {
		switch t.lower {
		case "who", "whose", "which", "what", "how", "where", "when", "list", "show", "name", "names", "number", "know":
			return true
		}
		return false
	})
}

// isOneThing reports whether a phrase is a thing that the question calls by its name.
func isOneThing(n *phrase) bool {
	return n.isEntity() && len(n.group) == 0 && n.set.superlative == nil && onlyValues(n.set.conditions)
}

// reportsTo reads "who does Ann report to": the row of her own relation that hers points to; and "who reports to Ann", those that
// point to hers.
func (p *parser) reportsTo(i int) (out []candidate) {
	reports := func(i int) bool { return p.at(i).stem == "report" && p.at(i+1).lower == "to" }
	for _, e := range p.ends(i, "who") {
		if reports(e) {
			for _, c := range p.things(e + 2) {
				out = append(out, p.relatedOfSameRelation(c, c.end, true)...)
			}
		}
		for _, d := range p.ends(e, "do") {
			for _, c := range p.things(d) {
				if reports(c.end) || p.at(c.end).stem == "work" && p.at(c.end+1).lower == "under" {
					out = append(out, p.relatedOfSameRelation(c, c.end+2, false)...)
				}
			}
		}
	}
	return out
}

// relatedOfSameRelation returns the rows of one thing's own relation that are joined to it by the only edge of selfReference.
func (p *parser) relatedOfSameRelation(c candidate, end int, toOne bool) []candidate {
	e := p.lexicon.graph.selfReference(c.phrase.set.relation, toOne)
	if e == nil || !isOneThing(c.phrase) {
		return nil
	}
	n := p.entity(c.phrase.set.relation)
	n.set = n.set.with(condition{kind: related, child: c.phrase.set, path: e.path()})
	return []candidate{{n, end, c.cost + 0.2}}
}

// selfReference returns the only edge by which rows of a relation have others of it under them, or are under another if toOne says so; nil
// if there is none or several.
func (g *graph) selfReference(r *catalog.Relation, toOne bool) *edge {
	return onlyWhere(g.edges[r], func(e *edge) bool { return e.to == r && e.toOne == toOne && !e.implied })
}
