// Reading "how long", "time between … and …".

package grammar

import (
	"slices"
	"strings"
)

// durations reads "average days from order to shipment", "average length of stay".
func (p *parser) durations(i int) (out []candidate) {
	type start struct {
		aggregate string
		at        int
	}
	var starts []start
	if p.hasOnAverage {
		starts = append(starts, start{"avg", i})
	}
	for _, a := range aggregateTags[:5] {
		for _, e := range p.ends(i, a.tag) {
			starts = append(starts, start{a.agg, e})
		}
	}
	for _, s := range starts {
		out = append(out, p.timeOf(s.at, s.aggregate)...)
		if unit, e := p.durationUnit(s.at); e > s.at {
			out = append(out, p.durationUntilEvent(e, s.aggregate, unit)...)
		}
		for _, at := range p.maybe(s.at, "count") {
			unit, e := p.durationUnit(at)
			if e == at {
				continue
			}
			out = append(out, p.takesUntil(e, unit, s.aggregate)...)
			if u, in := p.inUnit(e); in > e && unit == "" {
				unit, e = u, in
			}
			for _, sp := range p.timeIntervals(e) {
				out = append(out, p.ofThings(p.durationOf(sp, s.aggregate, unit), sp.end, 0.2)...)
			}
			if unit != "" && at > i {
				out = append(out, p.intervalFrom(e, unit, s.aggregate)...)
			}
			out = append(out, p.lengthOfStay(e, s.aggregate, unit)...)
		}
	}
	return out
}

// intervalFrom reads "after the invoice date do people pay" behind "how many days".
func (p *parser) intervalFrom(i int, unit, aggregate string) (out []candidate) {
	w := p.at(i).lower
	if w != "after" && w != "before" {
		return nil
	}
	for _, a := range p.namedTimesAt(i + 1) {
		for _, d := range p.ends(a.end, "do", "be_bare") {
			for _, b := range p.namedTimesOfVerb(d) {
				from, to := a.columns, b.columns
				if w == "before" {
					from, to = to, from
				}
				for _, sp := range p.intervalsBetween(from, to, b.end) {
					if n := p.ofDoer(p.durationOf(sp, aggregate, unit), d, b.start); n != nil {
						out = append(out, candidate{n, sp.end, 0.3})
					}
				}
			}
		}
	}
	return out
}

// namedTimesOfVerb reads the verb of "do members pay", as the times that it names.
func (p *parser) namedTimesOfVerb(i int) (out []namedTimes) {
	for k := i; k < min(len(p.tokens), i+4); k++ {
		if p.isVerb(k) {
			for _, t := range p.namedTimesAt(k) {
				t.start = k
				out = append(out, t)
			}
		}
	}
	return out
}

// ofDoer says by whom something is done whose time is asked, where tokens name that:
// "do members pay". nil if they do not.
func (p *parser) ofDoer(n *phrase, i, j int) *phrase {
	if i == j {
		return n
	}
	for _, c := range p.noun(i) {
		if c.end != j || !c.phrase.isEntity() || len(c.phrase.set.conditions) > 0 {
			continue
		}
		if paths := p.pathsBetween(n.set.relation, c.phrase.set.relation); len(paths) > 0 && paths[0].toOne() {
			return n.holding(condition{kind: related, child: c.phrase.set, path: paths[0], joined: true})
		}
	}
	if p.mentions.covered[i] || j > i+1 {
		return nil
	}
	return n
}

// ofThings reads of which things a duration is asked: "... of express orders".
func (p *parser) ofThings(n *phrase, end int, cost float64) []candidate {
	if u, e := p.inUnit(end); e > end && n.items[0].unit == "" {
		n.items[0].unit, end = u, e
	}
	out := []candidate{{n, end, cost}}
	for _, c := range p.nounsFrom(p.ends(end, "of_strict")) {
		if !c.phrase.isEntity() && !c.phrase.isValue() {
			continue
		}
		for _, r := range p.applyLead(n, &modifier{kind: modifierRelated, phrase: c.phrase, hints: []string{"of"}}) {
			x := r.phrase
			if u, e := p.inUnit(c.end); e > c.end && x.items[0].unit == "" {
				y := x.clone()
				y.items = slices.Clone(x.items)
				y.items[0].unit = u
				out = append(out, candidate{y, e, c.cost + r.cost + cost})
			}
			out = append(out, candidate{x, c.end, c.cost + r.cost + cost})
		}
	}
	return out
}

// lengthOfStay reads "of stay" behind "average length": the things have one begin
// and one end, or what happens to them has.
func (p *parser) lengthOfStay(i int, aggregate, unit string) (out []candidate) {
	for _, e := range p.ends(i, "of_strict") {
		for _, c := range p.things(e) {
			if len(c.phrase.group) > 0 || c.phrase.set.superlative != nil {
				continue
			}
			for _, n := range p.durationsOf(c.phrase, aggregate, unit) {
				end, x := c.end, n.phrase
				if u, e := p.inUnit(end); e > end && unit == "" {
					x.items[0].unit, end = u, e
				}
				out = append(out, candidate{x, end, c.cost + n.cost + 0.2})
			}
		}
	}
	return out
}

// durationsOf is how long things last: themselves, or else the one kind of events
// of them that has a begin and an end.
func (p *parser) durationsOf(of *phrase, aggregate, unit string) (out []reading) {
	if s := p.interval(of.set.relation); s != nil {
		n := p.durationOf(*s, aggregate, unit)
		n.set = of.set
		n.items[0].setID, n.items[0].subtrahend.setID = of.set.id, of.set.id
		return []reading{{n, 0}}
	}
	for _, e := range p.lexicon.graph.edges[of.set.relation] {
		s := p.interval(e.to)
		if e.toOne || s == nil {
			continue
		}
		for _, back := range p.lexicon.graph.edges[e.to] {
			if back.to != of.set.relation || !back.toOne || !hasSameColumns(back.fromCols, e.toCols) {
				continue
			}
			n := p.durationOf(*s, aggregate, unit)
			n.set = n.set.with(condition{kind: related, child: of.set, path: back.path(), joined: true})
			out = append(out, reading{n, 0.3})
		}
	}
	if len(out) != 1 {
		return nil
	}
	return out
}

// things reads noun phrases that stand for things, also for those that a value names.
func (p *parser) things(i int) (out []candidate) {
	for _, c := range p.noun(i) {
		if c.phrase.isEntity() {
			out = append(out, c)
		} else if c.phrase.isValue() {
			out = append(out, candidates(p.valueEntity(c.phrase), c.end, c.cost)...)
		}
	}
	return out
}

// coverIntervals notes the words that name times from which and to which something
// lasts.
func (p *parser) coverIntervals() {
	for i := range p.tokens {
		for _, s := range p.timeIntervals(i) {
			p.cover(i, s.end)
		}
	}
}

// howLong reads "how long does a standard shipment take from booking to delivery", on
// average. Where it is not said from when and until when, the average has to be.
func (p *parser) howLong(i int) (out []candidate) {
	for _, e := range p.ends(i, "how_long") {
		for _, d := range p.maybe(e, "do") {
			for _, take := range p.maybe(d, "it_takes") {
				if p.hasOnAverage {
					out = append(out, p.durationUntilEvent(take, "avg", "")...)
				}
				for _, sp := range p.timeIntervals(take) {
					out = append(out, p.ofThings(p.durationOf(sp, "avg", ""), sp.end, 0.2)...)
				}
			}
			if d > e {
				out = append(out, p.durationOfThings(d)...)
			}
		}
	}
	return append(out, p.extendCount(out)...)
}

// durationOfThings reads "a standard shipment take from booking to delivery".
func (p *parser) durationOfThings(i int) (out []candidate) {
	if p.hasOnAverage {
		out = p.durationOfEvent(i)
	}
	for _, c := range p.things(i) {
		if p.hasOnAverage {
			out = append(out, p.durationOfStay(c)...)
		}
		if c.phrase.set.superlative != nil || len(c.phrase.group) > 0 || !p.takesTime(c.end) {
			continue
		}
		for _, sp := range p.timeIntervals(c.end + 1) {
			for _, r := range p.applyLead(p.durationOf(sp, "avg", ""), &modifier{kind: modifierRelated, phrase: c.phrase}) {
				out = append(out, p.ofThings(r.phrase, sp.end, c.cost+r.cost+0.2)...)
			}
		}
		if !p.hasOnAverage {
			continue
		}
		for _, r := range p.durationsOf(c.phrase, "avg", "") {
			end := c.end + 1
			if u, e := p.inUnit(end); e > end {
				r.phrase.items[0].unit, end = u, e
			}
			out = append(out, candidate{r.phrase, end, c.cost + r.cost + 0.2})
		}
	}
	return out
}

// durationOfEvent reads "delivery take": what happens last is called by the word of its time.
func (p *parser) durationOfEvent(i int) (out []candidate) {
	for _, t := range p.namedTimesAt(i) {
		if !p.takesTime(t.end) {
			continue
		}
		for _, s := range p.intervalsUntil(p.withWordInName(p.tokens[t.end-1], t.columns)) {
			out = append(out, p.ofThings(p.durationOf(s, "avg", ""), t.end+1, 0.3)...)
		}
	}
	return out
}

// takesTime reports whether a word says of something that it takes time.
func (p *parser) takesTime(i int) bool {
	verb := p.at(i).lower
	return strings.HasPrefix(verb, "take") || verb == "took" || strings.HasPrefix(verb, "last")
}
