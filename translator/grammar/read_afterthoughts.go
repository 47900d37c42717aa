// Reading what is said after the answer is described: "… and how many of each?".

package grammar

import "slices"

// afterthought is what a question says behind what it asks for: that it is to be counted, what else to show, what to leave out. "Open
// orders, how many?", "fines by reason with total amount", "tools, retired ones not counted".
type afterthought struct {
	count   bool      // how many there are
	sum     bool      // what they come to
	when    bool      // when it happened
	names   bool      // which they are
	often   bool      // how many rows there are of each value
	running bool      // what they come to with those of the times before
	share   bool      // the share that each group has of all
	limit   string    // how many of the first are wanted
	parts   []*phrase // what to show
	filter  *modifier // what holds of all
	groups  *sizedGroups
	cost    float64
}

// placeTags are the tags of words that carry structure in some places
// alone: elsewhere they are names as others are.
var placeTags = wordSet([]string{
	"which_of_them", "share_of_them", "which_asked", "how_many_asked", "no_duplicates", "number_again", "sum_asked", "share_asked", "when_asked", "showing", "only_ones", "only_before", "not_ones", "none_of", "leavers", "how_often", "often_each", "running", "running_asked", "holders", "second", "third", "fourth", "fifth", "same_unit", "same_time", "the_group", "anything", "year_ago", "we_have", "adds_up", "then_by", "period_before", "the_previous", "split", "split_over",
	weekday, hourOfDay, "get_most", "duration", "late", "on_time", "early", "after_time", "by_time", "before_time", "rate", median,
})

// afterthoughts reads what follows a reading up to the end of its sentence.
func (p *parser) afterthoughts(c candidate, end int) (out []candidate) {
	if c.end >= end {
		return nil
	}
	for _, e := range p.maybe(c.end, "noise") {
		for _, s := range p.afterthoughtStarts(e) {
			out = append(out, p.specified(c, s.at, end, s.cost, s.listed)...)
		}
	}
	return out
}

// specified reads the afterthought that stands from i to end. listed says that
// what to show may be said by things, as in "with name and ward".
func (p *parser) specified(c candidate, i, end int, cost float64, listed bool) (out []candidate) {
	for _, a := range p.afterthoughtAt(i, end, listed) {
		out = append(out, candidates(p.applyAfterthought(c.phrase, &a), end, c.cost+cost+a.cost)...)
	}
	return cheapest(out, 6)
}

// afterthoughtStart is a place where an afterthought may begin.
type afterthoughtStart struct {
	at     int
	cost   float64
	listed bool
}

// afterthoughtStarts returns the places after a mark or a word that parts what
// is asked for from what is said of the answer.
func (p *parser) afterthoughtStarts(i int) (out []afterthoughtStart) {
	mark := i
	if t := p.at(i); i < len(p.tokens) && t.kind == punctToken && (t.lower == "," || t.lower == ":" || t.lower == "(") {
		mark++
		out = append(out, afterthoughtStart{mark, 0.1, true})
	}
	for _, e := range p.ends(mark, "and") {
		if p.at(mark).lower != "but" {
			out = append(out, afterthoughtStart{e, 0.15, false})
		}
	}
	if p.at(mark).lower == "but" && len(p.ends(mark, "only_before")) > 0 {
		out = append(out, afterthoughtStart{mark, 0.1, false})
	}
	if p.countBehind(i, i) > i {
		out = append(out, afterthoughtStart{i, 0.1, false}) // "orders last month count"
	}
	for _, e := range p.ends(mark, "showing") {
		out = append(out, afterthoughtStart{e, 0.3, true})
	}
	return slices.DeleteFunc(out, func(s afterthoughtStart) bool { return s.at > mark && len(p.ends(s.at, "no", "not")) > 0 })
}

// afterthoughtAt reads one afterthought from i to end.
func (p *parser) afterthoughtAt(i, end int, listed bool) []afterthought {
	out := append(p.outputs(i, end, 0), p.conditionsBehind(i, end)...)
	for _, e := range p.ends(i, "which_asked") {
		if p.isOnlyFillers(e, end) {
			out = append(out, afterthought{names: true})
		}
	}
	for _, e := range p.ends(i, "when_asked") {
		if p.isOnlyFillers(e, end) {
			out = append(out, afterthought{when: true})
		}
	}
	for _, e := range p.ends(i, "top") {
		if n, e2 := p.number(e); e2 > e && p.isOnlyFillers(e2, end) {
			out = append(out, afterthought{limit: n})
		}
	}
	out = append(out, p.trailingQuestion(i, end)...)
	cost, alone := 0.1, len(out) == 0
	if w := p.at(end - 1).lower; end > i+1 && w == "only" {
		end, cost = end-1, 0.4
	}
	for _, parts := range p.parts(i, end, 0) {
		if alone && parts.order == nil && (listed && len(parts.parts) > 1 || !slices.ContainsFunc(parts.parts, (*phrase).isEntity)) {
			out = append(out, afterthought{parts: parts.parts, cost: parts.cost + cost})
		}
	}
	return out
}

// trailingQuestion reads "how much is it", "in which store was it": what it asks is shown besides.
func (p *parser) trailingQuestion(i, end int) (out []afterthought) {
	if verb := p.trailingVerb(i+2, end); verb != "" && p.at(i).lower == "how" && p.at(i+1).lower == "much" {
		if a := p.attributeNamed(p.language.measures[verb], nil, i, i+2); a != nil {
			out = append(out, afterthought{parts: []*phrase{{items: []item{{attribute: a}}, words: [2]int{i, i + 2}, hints: p.wordsBetween(i, i+2)}}, cost: 0.1})
		}
	}
	if p.at(i).lower == "how" {
		for e, f := range p.adjectivesAt(i+1, baseDegree) {
			if a := p.attributeNamed(f.columns, nil, i+1, e); a != nil && p.trailingVerb(e, end) == "cost" {
				out = append(out, afterthought{parts: []*phrase{{items: []item{{attribute: a}}, words: [2]int{i, e}}}, cost: 0.1}) // "how old are they"
			}
		}
	}
	for _, in := range append(p.prepositions(i), i) {
		if w := p.at(in).lower; w != "which" && w != "what" {
			continue
		}
		for _, c := range p.noun(in + 1) {
			if p.trailingVerb(c.end, end) != "" && (c.phrase.isAttribute() || c.phrase.isPlain() && len(c.phrase.set.conditions) == 0) {
				out = append(out, afterthought{parts: []*phrase{c.phrase}, cost: c.cost + 0.1})
			}
		}
	}
	return out
}

// trailingVerb returns the measure that "do they earn" from token i to end asks for, "cost" for "is it", and "" for anything else.
func (p *parser) trailingVerb(i, end int) (verb string) {
	for _, it := range p.then(p.ends(i, "be_bare", "do"), "pronoun") {
		if p.isOnlyFillers(it, end) {
			verb = "cost"
		} else if p.isOnlyFillers(it+1, end) && len(p.language.measures[p.at(it).stem]) > 0 {
			verb = p.at(it).stem
		} else if w := p.at(it).stem; p.language.placeVerbs[w] || w == "belong" || w == "have" || w == "come" {
			for _, e := range append(p.prepositions(it+1), it+1) {
				if p.isOnlyFillers(e, end) {
					verb = w // "which town do they come from"
				}
			}
		}
	}
	return verb
}

// outputs reads "how many", "just the number", "number and total", "share".
func (p *parser) outputs(i, end, depth int) (out []afterthought) {
	add := func(tag string, said afterthought) {
		for _, e := range p.ends(i, tag) {
			if e > end {
				continue
			}
			if p.isOnlyFillers(e, end) {
				out = append(out, said)
			}
			if depth > 2 {
				continue
			}
			for _, next := range p.nextParts(e) {
				for _, o := range p.outputs(next, end, depth+1) {
					o.count, o.sum, o.share = o.count || said.count, o.sum || said.sum, o.share || said.share
					out = append(out, o)
				}
			}
		}
	}
	add("how_many_asked", afterthought{count: true})
	add("sum_asked", afterthought{sum: true})
	add("share_asked", afterthought{share: true})
	add("often_each", afterthought{often: true})
	add("running_asked", afterthought{running: true})
	return out
}

// qualifiedOnes reads "cancelled ones", by a value, a flag or a time that they have.
func (p *parser) qualifiedOnes(i int) (out []modifierCandidate) {
	for _, v := range p.values(i) {
		if p.at(v.end).lower == "ones" {
			out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: v.phrase}, v.end + 1, v.cost})
		}
	}
	for e, a := range inOrder(p.mentions.attributes[i]) {
		if p.at(e).lower != "ones" {
			continue
		}
		if b := p.boolean(a); b != nil {
			out = append(out, modifierCandidate{modifier{kind: modifierCompare, attribute: b, op: "true"}, e + 1, 0.1})
		}
		if d := nullableTimes(a); d != nil && p.isInflected(i) {
			out = append(out, modifierCandidate{modifier{kind: modifierCompare, attribute: d, op: "is not null"}, e + 1, 0.1})
		}
	}
	return out
}

// conditionsBehind reads what holds of all that is asked for, or of none of it: "retired
// ones not counted", "closed claims only".
func (p *parser) conditionsBehind(i, end int) (out []afterthought) {
	for _, e := range p.ends(i, "leavers") {
		if a := p.leaving(i, e); a != nil && len(p.ends(e, "not_ones")) > 0 && p.isOnlyFillers(p.ends(e, "not_ones")[0], end) {
			out = append(out, afterthought{filter: &modifier{kind: modifierCompare, attribute: a, op: "is null"}, cost: 0.1})
		}
	}
	for _, none := range p.ends(i, "none_of") {
		for _, m := range append(p.qualifiedOnes(none), p.narrowed(none)...) {
			if p.isOnlyFillers(m.end, end) {
				out = append(out, afterthought{filter: &modifier{kind: modifierNot, parts: []modifier{m.modifier}}, cost: m.cost + 0.1})
			}
		}
	}
	return slices.Concat(out, p.onlyOnes(i, end), p.onlySized(i, end))
}

// sizedGroups are the groups of an answer that have so many rows: "only the branches with ten or more".
type sizedGroups struct {
	called  *phrase // what is said to have them; nil for "those"
	unit    string  // if they are times: "only the months with ten or more"
	counted *phrase // what they have so many of; nil if it is not said again
	size    comparison
}

// onlySized reads "only the branches with ten or more", "only those with at least two loans" behind numbers of groups.
func (p *parser) onlySized(i, end int) (out []afterthought) {
	for _, only := range p.behind(p.ends(i, "only_before"), "article") {
		for _, e := range p.behind(p.maybe(only, "the_one"), "the_group") {
			out = append(out, p.sized(sizedGroups{}, e, end, 0)...)
		}
		if unit, e := p.dateUnit(only); e > only {
			out = append(out, p.sized(sizedGroups{unit: unit}, e, end, 0)...)
		}
		for _, c := range p.noun(only) {
			out = append(out, p.sized(sizedGroups{called: c.phrase}, c.end, end, c.cost)...)
		}
	}
	return out
}

// sized reads "with ten or more" from token i to end, and says it of groups.
func (p *parser) sized(g sizedGroups, i, end int, cost float64) (out []afterthought) {
	for _, size := range each(p.ends(i, "with"), p.comparisons) {
		if size.phrase != nil || size.values != nil || len(size.value.literals) != 1 || isEquality(size.op) {
			continue
		}
		for _, c := range append(p.noun(size.end), candidate{end: size.end}) {
			if p.isOnlyFillers(c.end, end) {
				of := g
				of.counted, of.size = c.phrase, size
				out = append(out, afterthought{groups: &of, cost: cost + size.cost + c.cost + 0.1})
			}
		}
	}
	return out
}

// onlyOnes reads "closed claims only", "only paid", "retired ones not counted".
func (p *parser) onlyOnes(i, end int) (out []afterthought) {
	for _, only := range p.maybe(i, "only_before") {
		for _, m := range p.qualifiedOnes(only) {
			out = append(out, p.onlyOrWithout(m, end)...)
		}
		for _, v := range p.values(only) {
			m := modifierCandidate{modifier{kind: modifierRelated, phrase: v.phrase}, v.end, v.cost}
			out = append(out, p.onlyOrWithout(m, end)...)
			if p.isOnlyFillers(v.end, end) && (only > i || v.phrase.alternatives) {
				out = append(out, afterthought{filter: &m.modifier, cost: v.cost + 0.1}) // "orders of May, only paid"; "guests, Rome or Bath"
			}
		}
		for _, m := range p.narrowed(only) {
			out = append(out, p.onlyOrWithout(m, end)...)
			if only > i && p.at(i).lower != "for" && p.isOnlyFillers(m.end, end) {
				out = append(out, afterthought{filter: &m.modifier, cost: m.cost + 0.1}) // "only tours with at least 5 reviews"
			}
		}
	}
	return out
}

// narrowed reads things of which something is said: "tours with at least 5 reviews".
func (p *parser) narrowed(i int) (out []modifierCandidate) {
	for _, c := range p.noun(i) {
		if c.phrase.isEntity() && len(c.phrase.set.conditions) > 0 && c.phrase.set.superlative == nil {
			out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: c.phrase, leading: true}, c.end, c.cost})
		}
	}
	return out
}

// onlyOrWithout reads behind a condition whether only what meets it is meant, "closed claims only", or all but that: "retired ones not counted".
func (p *parser) onlyOrWithout(m modifierCandidate, end int) (out []afterthought) {
	for _, e := range p.ends(m.end, "only_ones", "not_ones") {
		if !p.isOnlyFillers(e, end) {
			continue
		}
		said := m.modifier
		if slices.Contains(p.ends(m.end, "not_ones"), e) {
			said = modifier{kind: modifierNot, parts: []modifier{m.modifier}}
		}
		out = append(out, afterthought{filter: &said, cost: m.cost + 0.1})
	}
	return out
}
