// The last and the first time at which something happened to one thing: "when did Ann last
// order", "customers whose last order was before May", and how often: "how often was it lent".

package grammar

import (
	"cmp"
	"slices"

	"askpg/catalog"
)

// verbEvent is rows that record what a verb says, with their time: orders of "order", bookings of "book".
type verbEvent struct {
	relation *catalog.Relation
	time     *catalog.Column
	cost     float64
}

// eventsOfVerb returns what records that a verb's subject or object did or suffered it: the relation
// or the time that is called by the verb, or the events of its kind.
func (p *parser) eventsOfVerb(v verbHead) (out []verbEvent) {
	hints := p.wordsBetween(v.start, v.end)
	add := func(r *catalog.Relation, cost float64) {
		var best columnCandidate
		for _, c := range p.dateColumns(&set{relation: r}, &modifier{hints: hints, verb: v.relation, date: &dateRange{}}) {
			if isTime(c.column) && c.score > best.score {
				best = c
			}
		}
		if best.column != nil {
			out = append(out, verbEvent{r, best.column, cost})
		}
	}
	switch {
	case v.relation != nil:
		if v.relation.score >= namedScore {
			add(v.relation.relation, v.cost)
		}
	case v.column != nil:
		for _, c := range v.column.candidates {
			if isTime(c.column) && c.score >= namedScore {
				out = append(out, verbEvent{c.column.Relation, c.column, v.cost})
			}
		}
	default:
		e := p.eventOf(hints)
		if e == nil {
			return nil
		}
		for _, r := range p.relations {
			if p.recordsEvent(r, e) {
				add(r, v.cost+0.1)
			}
		}
	}
	return out
}

// lastTime reads "when did Ann last order", "when did Ann order last", "when was the bike first lent".
func (p *parser) lastTime(i int) (out []candidate) {
	for _, e := range p.ends(i, "when") {
		for _, c := range p.things(e) {
			for k, first := range p.eitherOf(c.end, "firstly", "lastly") {
				out = append(out, p.timeOfVerbEvent(c, k, first)...)
			}
			for _, first := range []bool{true, false} {
				for _, o := range p.timeOfVerbEvent(c, c.end, first) {
					for k, behind := range p.eitherOf(o.end, "firstly", "lastly") {
						if behind == first {
							out = append(out, candidate{o.phrase, k, o.cost})
						}
					}
				}
			}
		}
	}
	return out
}

// timeOfVerbEvent reads the verb at token i of the thing that c is, and asks for the first or the last time of that.
func (p *parser) timeOfVerbEvent(c candidate, i int, first bool) []candidate {
	aggregate := "max"
	if first {
		aggregate = "min"
	}
	return p.eventsOfThing(c, i, func(n *phrase, h verbEvent) {
		n.items = []item{{column: h.time, setID: n.set.id, aggregate: aggregate}}
	})
}

// countOfVerbEvents reads "did Ann order last year", "was the bike ever lent": how often it was so.
func (p *parser) countOfVerbEvents(i int) (out []candidate) {
	for _, d := range p.ends(i, "do", "be_bare") {
		for _, c := range p.things(d) {
			for _, ever := range p.maybe(c.end, "noise") {
				out = append(out, p.extend(p.eventsOfThing(c, ever, func(n *phrase, _ verbEvent) {
					n.items = []item{{aggregate: "count", setID: n.set.id}}
				}))...)
			}
		}
	}
	return out
}

// eventsOfThing reads the verb at token i of the thing that c is, as the events that record it. ask
// says what is asked of them.
func (p *parser) eventsOfThing(c candidate, i int, ask func(*phrase, verbEvent)) (out []candidate) {
	if !c.phrase.isEntity() || len(c.phrase.set.conditions) == 0 || len(c.phrase.group) > 0 {
		return nil
	}
	for _, v := range p.verbHeads(i) {
		for _, h := range p.eventsOfVerb(v) {
			if h.relation == c.phrase.set.relation {
				continue
			}
			for _, r := range p.relate(p.entity(h.relation), c.phrase.set, &modifier{kind: modifierRelated, hints: p.wordsBetween(v.start, v.end)}) {
				n := r.phrase.clone()
				if v.column != nil && !h.time.NotNull {
					n.set = n.set.with(condition{kind: compare, column: h.time, op: "is not null"}) // what is not paid yet nobody paid
				}
				ask(n, h)
				for _, o := range p.eventsWithObject(n, v.end) {
					o.cost += c.cost + h.cost + r.cost + 0.1
					out = append(append(out, o), p.eventsInTime(o, h)...)
				}
			}
		}
	}
	return out
}

// eventsInTime reads when it was done: "ordered in 2024".
func (p *parser) eventsInTime(c candidate, h verbEvent) (out []candidate) {
	for _, d := range p.date(c.end) {
		if then, ok := dateCondition(h.time, &d.dates); ok {
			out = append(out, candidate{c.phrase.holding(then), d.end, c.cost + d.cost})
		}
	}
	return out
}

// eventsWithObject reads what the verb is done to, if it says that: "borrow a book", "see Dr Bell".
func (p *parser) eventsWithObject(n *phrase, i int) []candidate {
	out := []candidate{{n, i, 0}}
	for _, at := range append(p.prepositions(i), i) {
		for _, c := range p.things(at) {
			switch {
			case c.phrase.set.superlative != nil || len(c.phrase.group) > 0:
			case c.phrase.set.relation == n.set.relation:
				out = append(out, candidate{n.holding(c.phrase.set.conditions...), c.end, c.cost + 0.1})
			default:
				out = append(out, candidates(p.relate(n, c.phrase.set, &modifier{kind: modifierRelated}), c.end, c.cost+0.1)...)
			}
		}
	}
	return out
}

// whoseLast reads "last order was before May" behind "whose".
func (p *parser) whoseLast(i int) (out []modifierCandidate) {
	for e, first := range p.eitherOf(i, "earliest", "latest") {
		for _, c := range p.noun(e) {
			for _, be := range p.ends(c.end, "be_bare") {
				for _, d := range p.dateOrAge(be) {
					if m := p.lastIn(c.phrase, &d.dates, first); m != nil {
						out = append(out, modifierCandidate{*m, d.end, c.cost + d.cost + 0.05})
					}
				}
			}
		}
	}
	return out
}

// verbLast reads "last ordered before May": who did it last then.
func (p *parser) verbLast(i int) (out []modifierCandidate) {
	for k, first := range p.eitherOf(i, "firstly", "lastly") {
		for _, v := range p.verbHeads(k) {
			for _, d := range p.dateOrAge(v.end) {
				for _, h := range p.eventsOfVerb(v) {
					n := p.entity(h.relation)
					n.set.time = h.time
					if m := p.lastIn(n, &d.dates, first); m != nil {
						m.parts[0].hints = p.wordsBetween(v.start, v.end)
						out = append(out, modifierCandidate{*m, d.end, h.cost + d.cost + 0.1})
					}
				}
			}
		}
	}
	return out
}

// dateOrAge reads a time, also one that is said as an age: "older than a year".
func (p *parser) dateOrAge(i int) []dateCandidate {
	out := slices.Clone(p.date(i))
	for _, m := range p.olderThan(i) {
		at := ago(m.modifier.count, m.modifier.hints[0])
		r := dateRange{hi: at, words: p.text(i, m.end)}
		if m.modifier.op == ">" {
			r = dateRange{lo: at, words: r.words}
		}
		out = append(out, dateCandidate{r, m.end, m.cost})
	}
	return slices.DeleteFunc(out, func(d dateCandidate) bool { return len(d.dates.or) > 0 || d.dates.lo == "" && d.dates.hi == "" })
}

// lastIn says that the last event of things was in a time: there is one in that time and none later; for the first event, none earlier.
// It returns nil if it is not clear which column the time of the event is.
func (p *parser) lastIn(n *phrase, d *dateRange, first bool) *modifier {
	if !n.isEntity() || n.set.superlative != nil || len(n.group) > 0 || n.number != "" || !onlyComparisons(n.set.conditions) {
		return nil
	}
	column := cmp.Or(n.set.time, p.timeOfArrival(n.set))
	if column == nil {
		return nil
	}
	in := func(d *dateRange) *phrase {
		c, _ := dateCondition(column, d)
		s := n.set.with(c)
		s.id = p.newID()
		return &phrase{set: s}
	}
	has := modifier{kind: modifierRelated, phrase: in(d), hints: []string{"have"}}
	beyond := dateRange{lo: d.hi}
	if first {
		beyond = dateRange{hi: d.lo}
	}
	if beyond.lo == "" && beyond.hi == "" {
		return &modifier{kind: modifierAll, parts: []modifier{has}}
	}
	return &modifier{kind: modifierAll, parts: []modifier{has, {kind: modifierRelated, phrase: in(&beyond), hints: []string{"have"}, negated: true}}}
}

// nobodyEver reads "nobody ever ordered": what was never done to the things.
func (p *parser) nobodyEver(i int) (out []modifierCandidate) {
	for _, e := range p.then(p.maybe(i, "do", "be_bare"), "nobody") {
		verbs := p.maybe(e, "do")
		if len(verbs) > 1 && p.isInflected(verbs[0]) {
			verbs = verbs[:len(verbs)-1] // who "has ordered" does not have something
		}
		out = append(out, each(p.behind(verbs, "noise"), p.neverVerb)...)
	}
	return out
}

// neverVerb reads "borrowed", "has subscribed to" behind "nobody".
func (p *parser) neverVerb(i int) (out []modifierCandidate) {
	for _, m := range append(p.predicate(i, true), p.nobodyInRole(i)...) {
		out = append(out, modifierCandidate{m.modifier, m.end, m.cost + 0.1})
		for _, to := range p.prepositions(m.end) {
			if p.at(to).kind == punctToken || p.isOnlyFillers(to, len(p.tokens)) {
				out = append(out, modifierCandidate{m.modifier, to, m.cost + 0.15})
			}
		}
	}
	return out
}

// nobodyInRole reads "is handling", "teaches" behind "nobody": who does that stands beside the things in a role of that name.
func (p *parser) nobodyInRole(i int) (out []modifierCandidate) {
	for _, v := range p.maybe(i, "be_bare") {
		if !p.isInflected(v) && !p.isVerb(v) {
			continue
		}
		hints := p.wordsBetween(v, v+1)
		var doers []*catalog.Relation
		for _, r := range p.relations {
			for _, d := range p.inRole(r, hints) {
				if !slices.Contains(doers, d) {
					doers = append(doers, d)
				}
			}
		}
		for _, d := range doers {
			out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: p.entity(d), hints: hints, negated: true}, v + 1, 0.1})
		}
	}
	return out
}
