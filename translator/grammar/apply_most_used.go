// What is used the most: things are counted by the only rows that refer to them.

package grammar

import (
	"fmt"
	"slices"

	"askpg/catalog"
)

// mostUsed keeps the things that most rows refer to, which a phrase stands for or names; so many of them, all if count is "". It is not
// ok if the phrase stands for no things.
func (p *parser) mostUsed(n *phrase, descending bool, count string) (out []reading, ok bool) {
	things, uses, why := p.usesOf(n)
	if things == nil {
		return nil, false
	}
	if count == "" {
		out = p.orderedGroups(things, &modifier{phrase: p.counted(uses), descending: descending})
	} else {
		things = things.clone()
		things.number = count
		out = p.ranked(things, p.applyMostRows(things, &modifier{phrase: uses, descending: descending, count: count}))
	}
	for i := range out {
		if why != "" {
			out[i].phrase = out[i].phrase.clone()
			out[i].phrase.refusal = why
		}
	}
	return out, true
}

// usesOf returns the things that a phrase stands for, or is the name of or the key to, the rows that are counted for each of them, and why
// it is not clear which rows are. Things are nil where nothing refers to them.
func (p *parser) usesOf(n *phrase) (things, uses *phrase, why string) {
	if n.set == nil || len(n.group) > 0 || n.set.superlative != nil || n.number != "" || len(n.order) > 0 {
		return nil, nil, ""
	}
	things, known := n, false
	if !n.isEntity() {
		if len(n.items) != 1 || n.items[0].setID != n.set.id || n.items[0].aggregate != "" || n.items[0].column == nil {
			return nil, nil, ""
		}
		c := n.items[0].column
		if e := p.reference(n.items); e != nil {
			things, uses, known = p.entity(e.to), &phrase{set: n.set}, p.mentionsRelation(n.set.relation)
		} else if things = n.withItems(); !c.Unique || !slices.Contains(p.lexicon.relationInfo[c.Relation].display, c) {
			return nil, nil, ""
		}
	}
	r := things.set.relation
	for _, user := range p.usersOf(r) {
		if uses == nil {
			uses = p.entity(user.to)
		} else if !known && user.to != uses.set.relation {
			why = fmt.Sprintf("It is not said whether %s or %s are counted: name them, as in \"with the most %[1]s\".", uses.set.relation.Name.Name, user.to.Name.Name)
		}
	}
	if uses == nil {
		return nil, nil, ""
	}
	if of := uses.set.relation; why == "" && (p.isPeople(r) || p.isOpinion(of) || slices.ContainsFunc(of.Columns, p.lexicon.isPieces)) {
		why = fmt.Sprintf("It is not said what is counted: name it, as in \"with the most %s\".", of.Name.Name)
	}
	return things, uses, why
}

// isOpinion reports whether rows say what people think of things, which need not use them.
func (p *parser) isOpinion(r *catalog.Relation) bool {
	return slices.ContainsFunc(p.language.events, func(e eventVerbs) bool { return len(e.verbs) == 0 && p.recordsEvent(r, &e) })
}

// usersOf returns the keys of tables by which rows refer to those of a relation.
func (p *parser) usersOf(r *catalog.Relation) []*edge {
	return slices.DeleteFunc(slices.Clone(p.lexicon.graph.edges[r]), func(e *edge) bool {
		return e.toOne || e.to == r || e.to.Kind == catalog.View || e.to.Kind == catalog.MaterializedView
	})
}

// byCommonness sorts values and things by how many rows have them, and groups by how many there are in each.
func (p *parser) byCommonness(n *phrase, descending bool) []reading {
	switch {
	case n.isValue() || n.isPronoun || n.number != "" || len(n.order) > 0 || n.set != nil && n.set.superlative != nil:
		return nil
	case len(n.group) == 0 && !n.hasAggregate():
		return p.mostCommon(n, descending, "")
	}
	count := slices.IndexFunc(n.items, func(it item) bool { return it.aggregate == "count" && it.divisor == nil })
	if count < 0 || len(n.group) == 0 {
		return nil
	}
	return []reading{n.sortedBy(n.set, descending, 0.1, n.items[count])}
}

// mostDone reads "most booked class types", "the 3 most reviewed soaps": those with the most rows that record what the verb says, of
// which each is of one of them. How much was done by one row has to be the same of all.
func (p *parser) mostDone(i int) (out []candidate) {
	for at, number := range p.behindNumber(i) {
		for _, e := range p.ends(at, "most") {
			count, verb := p.numberOr(e, number)
			if !p.isInflected(verb) {
				continue
			}
			for _, v := range p.verbHeads(verb) {
				for _, h := range p.recordedBy(v) {
					for _, c := range p.noun(v.end) {
						out = append(out, candidates(p.withMostEvents(c.phrase, v, h, count), c.end, c.cost+h.cost+0.2)...)
					}
				}
			}
		}
	}
	return out
}

// withMostEvents keeps the things of which most rows record what a verb says.
func (p *parser) withMostEvents(n *phrase, v verbHead, h verbEvent, count string) []reading {
	if !n.isEntity() || n.number != "" || len(n.group) > 0 || h.relation == n.set.relation || slices.ContainsFunc(h.relation.Columns, p.lexicon.isPieces) || p.tokens[v.start].stem == "sell" {
		return nil
	}
	events := p.entity(h.relation)
	if !p.pointedTo(events.set, n.set) {
		return nil
	}
	if v.column != nil && !h.time.NotNull {
		events = events.holding(condition{kind: compare, column: h.time, op: "is not null"})
	}
	x := n.clone()
	x.number = count
	return p.ranked(x, p.applyMostRows(x, &modifier{phrase: events, descending: true, count: count, hints: p.wordsBetween(v.start, v.end)}))
}
