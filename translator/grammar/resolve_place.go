// Finding columns on a set: its own, those of sets that it is joined to, those of relations around it.

package grammar

import (
	"cmp"
	"iter"
	"slices"

	"askpg/catalog"
)

const maxPlaced = 4

// place finds the columns that an attribute can be of a set: its own, those of
// sets that it is already joined to, those of relations around it.
func (p *parser) place(root *set, a *attribute) []placement {
	if a.asksName {
		return p.placeName(root)
	}
	// Most of what there is is far-fetched: sets are made of what is left alone.
	var all []columnPlace
	top := a.candidates[0].score
	if a.fromAdjective {
		// an adjective speaks of the thing itself where it can
		for _, c := range a.candidates {
			if c.column.Relation == root.relation {
				top = c.score
				break
			}
		}
	}
	for i := range a.candidates {
		c := &a.candidates[i]
		base := 3 * max(0, top-c.score)
		if a.fromAdjective && c.column.Relation != root.relation && top != a.candidates[0].score {
			continue
		}
		if !a.fromAdjective && top >= exactNameScore && c.score < top-partialRelationPenalty && !p.namesHeadNoun(a, *c) {
			base += missingHeadCost // of hours, hourly_rate is no number
		}
		base += p.otherNameCost(a, c)
		if c.column.Relation == root.relation {
			all = append(all, columnPlace{root.id, nil, c, base})
			continue
		}
		joined := joinedPlaces(root, c, base)
		if joined == nil {
			joined = p.placesAround(root, a, c, base)
		}
		all = append(all, joined...)
	}
	slices.SortStableFunc(all, func(a, b columnPlace) int { return cmp.Compare(a.cost, b.cost) })
	// a set's own column makes those elsewhere far-fetched
	out := make([]placement, 0, maxPlaced)
	for _, l := range all[:min(len(all), maxPlaced)] {
		from := root
		if l.path != nil {
			from = root.with(condition{kind: related, child: &set{id: l.setID, relation: l.candidate.column.Relation}, path: *l.path, joined: true})
		}
		if pl, ok := p.lexicon.withEAVKind(placement{from, l.setID, l.candidate.column, l.cost, *l.candidate}); ok {
			out = append(out, pl)
		}
	}
	return out
}

// columnPlace is a set that has a column, or that can be joined for it.
type columnPlace struct {
	setID     int
	path      *path // to a set that is to be joined, nil for one that is there
	candidate *columnCandidate
	cost      float64
}

// joinedPlaces are the sets of a column's relation that a set is joined to.
func joinedPlaces(root *set, c *columnCandidate, cost float64) (out []columnPlace) {
	walk(root, func(s *set, depth int) {
		if s.relation == c.column.Relation && s != root {
			out = append(out, columnPlace{s.id, nil, c, cost + 0.25*float64(depth)})
		}
	})
	return out
}

// placesAround returns the sets with a column that can be joined to a set.
func (p *parser) placesAround(root *set, a *attribute, c *columnCandidate, base float64) (out []columnPlace) {
	r := c.column.Relation
	paths := p.pathsBetween(root.relation, r)
	for k := range min(2, len(paths)) {
		if paths[k].cost > paths[0].cost {
			break // of two roles as likely neither is taken for the other
		}
		pt := &paths[k]
		cost := base + 0.3 + 0.35*pt.cost + alongMeasure(root, *pt)
		if n := len(pt.edges); n > 1 && p.isLineOf(r, pt.edges[n-2].to) && p.lexicon.lineAmountOf(r) == c.column {
			cost -= 0.35 // what lines come to is the amount of their order
		}
		if !pt.toOne() {
			cost += 0.3
		}
		cost += sparseCost(*pt)
		if c.score <= namedScore && !a.fromAdjective && !p.mentionsRelation(r) {
			cost += noAnswerCost // another thing's column is called by its name
		}
		out = append(out, columnPlace{p.newID(), pt, c, cost})
	}
	return out
}

// sparseCost is what it costs more to go by a key that need not have a value: the city of a sale is that of its store, which each has, rather
// than that of the member who may be noted.
func sparseCost(pt path) float64 {
	if pt.toOne() && !pt.isAlways() {
		return 2 * nearCost
	}
	return 0
}

// purchasePricePenalty is how much less likely a price is meant that was paid for a thing, where it has one at which it is sold.
const purchasePricePenalty = 0.4

// isPurchasePrice reports whether a column is a price that was paid for a thing beside one at which it is sold, and no word of an attribute says
// which: what a thing costs is what a customer pays.
func (p *parser) isPurchasePrice(a *attribute, c *catalog.Column) bool {
	return p.lexicon.wasPaid(c) && slices.ContainsFunc(a.candidates, func(o columnCandidate) bool {
		return o.column.Relation == c.Relation && p.lexicon.isPrice(o.column) && !p.lexicon.wasPaid(o.column)
	}) && !slices.ContainsFunc(p.tokens[a.start:a.end], func(t token) bool { return p.language.purchasePriceNames[t.stem] })
}

// wasPaid reports whether a price is called as what was paid for a thing, and not as that at which it is sold.
func (x *lexicon) wasPaid(price *catalog.Column) bool {
	return slices.ContainsFunc(x.relationInfo[price.Relation].names[price], func(s string) bool { return x.language.purchasePriceNames[s] })
}

// otherNameCost is what it costs that another column of the attribute is rather called so.
func (p *parser) otherNameCost(a *attribute, c *columnCandidate) (cost float64) {
	if p.isPurchasePrice(a, c.column) {
		cost += purchasePricePenalty
	}
	if p.isSingularBesidePlural(a, c) {
		cost += missingHeadCost
	}
	return cost
}

// isSingularBesidePlural reports whether a plural names a column by the singular of it, and another one by the plural itself: tickets are
// the tickets_sold, and no ticket_price.
func (p *parser) isSingularBesidePlural(a *attribute, c *columnCandidate) bool {
	said := p.at(max(0, a.end-1)).lower
	has := func(c columnCandidate) bool { return c.label != nil && slices.Contains(c.label.words, said) }
	return !a.fromAdjective && singular(said) != "" && !has(*c) && slices.ContainsFunc(a.candidates, has)
}

// namesHeadNoun reports whether the words of an attribute have the last word of a column's name, which says what it is.
func (p *parser) namesHeadNoun(a *attribute, c columnCandidate) bool {
	return c.label == nil || slices.ContainsFunc(p.tokens[a.start:a.end], func(t token) bool { return t.stem == c.label.stems[len(c.label.stems)-1] })
}

// placeName finds the columns by which a thing is called.
func (p *parser) placeName(root *set) []placement {
	d := p.lexicon.relationInfo[root.relation].display
	if len(d) == 0 {
		return nil
	}
	return []placement{{root, root.id, d[0], 0, columnCandidate{column: d[0], score: 1}}}
}

// walk visits the sets that a set is joined to.
func walk(s *set, f func(s *set, depth int)) { walkDepth(s, 0, f) }

func walkDepth(s *set, depth int, f func(s *set, depth int)) {
	f(s, depth)
	for _, c := range s.conditions {
		if c.kind == related && !c.negated && c.count == nil {
			walkDepth(c.child, depth+1, f)
		}
	}
}

// conditionsIn goes through the conditions of a set and of those that it is joined to, each with its set. There are none if it is nil.
func conditionsIn(root *set) iter.Seq2[*set, condition] {
	return func(yield func(*set, condition) bool) {
		if root == nil {
			return
		}
		done := false
		walk(root, func(s *set, _ int) {
			for _, c := range s.conditions {
				done = done || !yield(s, c)
			}
		})
	}
}

// pathsBetween returns the paths between two relations, cheapest first.
func (p *parser) pathsBetween(a, b *catalog.Relation) []path {
	key := [2]*catalog.Relation{a, b}
	if r, ok := p.paths[key]; ok {
		return r
	}
	r := p.lexicon.graph.paths(a, b)
	if plain := slices.IndexFunc(r, func(pt path) bool { return !p.isUnmentionedRole(pt) }); plain >= 0 && len(r) > 1 {
		r = slices.Clone(r)
		for i := range r {
			if p.isUnmentionedRole(r[i]) {
				r[i].cost += unmentionedRoleCost
			}
		}
		slices.SortStableFunc(r, func(x, y path) int { return cmp.Compare(x.cost, y.cost) })
	}
	p.paths[key] = r
	return r
}

// unmentionedRoleCost is added to a path that goes by a role which nobody said, where
// there is another path.
const unmentionedRoleCost = 3

// isUnmentionedRole reports whether a path goes by a key with a role in its name, such as coach_id of teams, that the question does not
// mention. A key that is named after the relation it points to has no role, nor has one whose comment names that relation.
func (p *parser) isUnmentionedRole(pt path) bool {
	return slices.ContainsFunc(pt.edges, func(e *edge) bool {
		var role []string
		if key, to := e.key(); len(e.fromCols) == 1 && (e.fromCols[0].Name == e.toCols[0].Name || p.lexicon.isColumnNamedLike(key, to)) {
			return false
		}
		for _, s := range e.name {
			if s != "id" && s != "code" && s != "key" && s != "no" && s != "number" && !p.lexicon.relationInfo[e.to].stems[s] && !p.lexicon.relationInfo[e.from].stems[s] {
				role = append(role, s)
			}
		}
		return len(role) > 0 && !slices.ContainsFunc(p.tokens, func(t token) bool { return p.hintsAt([]string{t.lower}, role) })
	})
}

// isColumnNamedLike reports whether a comment or an admin calls a column as a relation is called.
func (x *lexicon) isColumnNamedLike(c *catalog.Column, r *catalog.Relation) bool {
	return slices.ContainsFunc(x.columnLabels[c], func(lb *label) bool {
		return (lb.comment || lb.score == declaredScore) && slices.ContainsFunc(x.labelsByStem[lb.stems[0]], func(o *label) bool {
			return o.relation == r && o.column == nil && slices.Equal(o.stems, lb.stems)
		})
	})
}

// isVerbOfRelation reports whether a verb is of what the rows of a relation are called by one word: who ordered has orders. The word
// itself is no verb.
func (x *lexicon) isVerbOfRelation(r *catalog.Relation, verb string) bool {
	return slices.ContainsFunc(x.labelsByStem[x.language.stem(verb)], func(lb *label) bool { return lb.relation == r && lb.isOfDeed(verb) })
}

// isOfDeed reports whether a label calls a relation by one word, and not by the verb itself.
func (lb *label) isOfDeed(verb string) bool {
	return lb.column == nil && len(lb.stems) == 1 && lb.words[0] != verb
}
