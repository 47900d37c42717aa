// Reading verbs, and what they say without an object.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// verbHead is a verb: one of the language's, or the name of a column or a relation that is used as one ("orders" in "who orders").
type verbHead struct {
	start, end int
	column     *attribute       // that the verb is the name of, or nil
	relation   *relationMention // that the verb is the name of, or nil
	cost       float64
}

// verb reads a verb of relation and its object: "teach math", "run through
// texas", "directed by Ben Jones", "written".
func (p *parser) verb(i int) (out []modifierCandidate) {
	if i >= len(p.tokens) || i > 0 && (isUniversal(p.tokens[i-1].lower) || p.tokens[i-1].lower == "the") && len(p.relationsFrom(i+1)) > 0 {
		return nil // "all open bills": it describes what comes
	}
	for _, v := range p.verbHeads(i) {
		for _, at := range append(p.prepositions(v.end), v.end) {
			out = append(out, p.object(verbObject{v, at, p.wordsBetween(i, at)})...)
		}
		for _, read := range []func(verbHead) []modifierCandidate{
			p.verbRepeated, p.verbExtreme, p.verbFirstOrLast, p.verbMostCommon, p.verbAlone, p.verbDated, p.verbPerTime, p.verbHappened, p.verbCompared, p.verbWithinDuration,
		} {
			out = append(out, read(v)...)
		}
	}
	return out
}

// verbHeads returns what the verb at token i may be.
func (p *parser) verbHeads(i int) (out []verbHead) {
	named := p.verbNamesRelation(i)
	if p.isVerb(i) {
		out = append(out, verbHead{start: i, end: i + 1, cost: named})
	}
	if p.isDirectional(i) {
		out = append(out, verbHead{start: i, end: i + 1, cost: 0.05 + named})
	}
	for end, a := range inOrder(p.mentions.attributes[i]) {
		if a = p.notIdentifiers(a); a != nil && a.candidates[0].score >= 0.6 && p.isNamedByVerb(a) && (p.isInflected(i) || p.at(end-1).lower == "by" || p.at(end).lower == "by") {
			out = append(out, verbHead{start: i, end: end, column: a, cost: a.nameCost()})
		}
	}
	for k := range p.mentions.relations[i] {
		r := &p.mentions.relations[i][k]
		out = append(out, verbHead{start: i, end: r.end, relation: r, cost: 3 * (1 - r.score) / 2})
	}
	return out
}

// verbNamesRelation is what it costs to read token i as a verb only: more if it
// names a relation, which is the one meant then.
func (p *parser) verbNamesRelation(i int) float64 {
	for _, r := range p.mentions.relations[i] {
		if r.end == i+1 && r.score > 0.9 {
			return 0.8
		}
	}
	return 0
}

// verbRepeated reads "who ordered at least twice", "admitted more than once": as many orders.
func (p *parser) verbRepeated(v verbHead) (out []modifierCandidate) {
	for _, q := range p.repetitions(v.end) {
		for _, h := range p.recordedBy(v) {
			m := modifier{kind: modifierRelated, phrase: p.entity(h.relation), hints: p.wordsBetween(v.start, v.end), quantifier: &quantifier{op: q.op, count: q.count}}
			out = append(out, modifierCandidate{m, q.end, h.cost + 0.1})
		}
	}
	return out
}

// recordedBy returns the rows that record what a verb says, also where their time is not known: the relation that is called so, or else
// events.
func (p *parser) recordedBy(v verbHead) []verbEvent {
	if v.relation != nil {
		return []verbEvent{{relation: v.relation.relation, cost: v.cost}}
	}
	return p.eventsOfVerb(v)
}

// verbExtreme reads "who spent the most".
func (p *parser) verbExtreme(v verbHead) (out []modifierCandidate) {
	for e, most := range p.eitherOf(v.end, "most", "least") {
		m := modifier{descending: most, count: "1"}
		switch {
		case v.column != nil && anyNumeric(v.column):
			m.kind, m.attribute, m.hints = modifierSuperlative, onlyNumeric(v.column), p.wordsBetween(v.start, v.end)
			if p.tokens[v.end-1].stem == "sell" {
				m.kind = modifierSoldMost
			}
		case v.relation != nil:
			m.kind, m.phrase, m.hints = modifierMostRows, p.entity(v.relation.relation), p.wordsBetween(v.start, v.end)
			if p.impliedColumn(v.relation.relation, true) != nil {
				m.phrase.refusal = p.notCounted(m.phrase) // who donated the most gave the largest sum, or most often
			}
		default:
			continue
		}
		out = append(out, modifierCandidate{m, e, v.cost + 0.2})
	}
	return out
}

// verbFirstOrLast reads "who enrolled first".
func (p *parser) verbFirstOrLast(v verbHead) (out []modifierCandidate) {
	for e, first := range p.eitherOf(v.end, "firstly", "lastly") {
		out = append(out, modifierCandidate{modifier{kind: modifierFirstOrLast, hints: p.wordsBetween(v.start, v.end), descending: !first, count: "1"}, e, v.cost + 0.05})
	}
	return out
}

// verbMostCommon reads "that are used most often", and "that are booked most often" by what records that.
func (p *parser) verbMostCommon(v verbHead) (out []modifierCandidate) {
	if v.column != nil {
		return nil
	}
	passive := p.endsTag(v.start, "be_bare")
	for e, most := range p.eitherOf(v.end, "most_often", "least_often") {
		w := p.at(e - 1).lower
		often := w == "often" || w == "frequently" || w == "commonly"
		// What the gold customers spend, or spend most often, is not how many they are.
		if said := p.language.occurrenceVerbs[p.tokens[v.start].stem]; said || often && passive {
			out = append(out, modifierCandidate{modifier{kind: modifierMostCommon, count: "1", descending: most, ofThingItself: !said}, e, v.cost + 0.1})
		}
		if !often {
			continue // what is sold most may be so by its quantity
		}
		for _, h := range p.eventsOfVerb(v) {
			m := modifier{kind: modifierMostRows, phrase: p.entity(h.relation), descending: most, count: "1", hints: p.wordsBetween(v.start, v.end)}
			out = append(out, modifierCandidate{m, e, h.cost + 0.2})
		}
	}
	return out
}

// verbAlone reads "that got votes": the relation that the verb names is the object.
func (p *parser) verbAlone(v verbHead) []modifierCandidate {
	if v.relation == nil || len(p.noun(v.end)) > 0 {
		return nil
	}
	m := modifier{kind: modifierRelated, phrase: p.entity(v.relation.relation), hints: p.wordsBetween(v.start, v.end)}
	return []modifierCandidate{{m, v.end, v.cost + 0.3}}
}

// verbDated reads "ordered in 2024", "ordered in 2024 but not in 2025".
func (p *parser) verbDated(v verbHead) (out []modifierCandidate) {
	hints := p.wordsBetween(v.start, v.end)
	for _, m := range p.periods(v.end) {
		m.modifier.hints, m.modifier.verb = hints, v.relation
		out = append(out, modifierCandidate{m.modifier, m.end, m.cost + v.cost + 0.05})
	}
	for _, d := range p.date(v.end) {
		m := v.inTime(d, hints)
		out = append(out, modifierCandidate{m, d.end, d.cost + v.cost + 0.05})
		for _, e := range p.ends(d.end, "except") {
			for _, other := range p.date(e) {
				not := modifier{kind: modifierNot, parts: []modifier{v.inTime(other, hints)}}
				out = append(out, modifierCandidate{modifier{kind: modifierAll, parts: []modifier{m, not}}, other.end, d.cost + other.cost + v.cost + 0.1})
			}
		}
	}
	return out
}

// verbPerTime reads "signed up each month", "were hired per year": the time of the verb divides what is counted.
func (p *parser) verbPerTime(v verbHead) []modifierCandidate {
	if v.column == nil || !isTime(v.column.candidates[0].column) {
		return nil
	}
	var out []modifierCandidate
	for _, m := range p.groupedBy(v.end) {
		if m.modifier.kind == modifierGroup && m.modifier.op != "" {
			m.modifier.attribute = v.column
			out = append(out, modifierCandidate{m.modifier, m.end, m.cost + v.cost})
		}
	}
	return out
}

// inTime says that what the verb says was in a time.
func (v verbHead) inTime(d dateCandidate, hints []string) modifier {
	return modifier{kind: modifierDate, date: &d.dates, hints: hints, verb: v.relation, attribute: v.column}
}

// verbHappened reads "that were shipped": they have the time of it.
func (p *parser) verbHappened(v verbHead) []modifierCandidate {
	if v.column == nil || !p.isInflected(v.start) || len(p.statesAt[v.start]) > 0 {
		return nil // what is open need not be all that was opened
	}
	times := nullableTimes(v.column)
	if times == nil {
		return nil
	}
	return []modifierCandidate{{modifier{kind: modifierCompare, attribute: times, op: "is not null"}, v.end, v.cost + 0.1}}
}

// verbCompared reads "who spent more than 100".
func (p *parser) verbCompared(v verbHead) (out []modifierCandidate) {
	if v.column == nil {
		return nil
	}
	for _, c := range p.comparisons(v.end) {
		m := comparisonModifier(v.column, c)
		m.summed = true
		out = append(out, modifierCandidate{m, c.end, c.cost + v.cost + 0.15})
	}
	return out
}

// isNamedByVerb reports whether a column that a verb names has the verb in its name,
// or is called by a synonym alone: what was borrowed is not the days of a loan.
func (p *parser) isNamedByVerb(a *attribute) bool {
	c := a.candidates[0]
	return c.score >= namedScore || c.label == nil || slices.Contains(c.label.stems, p.tokens[a.start].stem)
}

// notIdentifiers returns the readings of an attribute that are no identifiers,
// which no verb names; nil if there are none.
func (p *parser) notIdentifiers(a *attribute) *attribute {
	b := *a
	b.candidates = slices.DeleteFunc(slices.Clone(a.candidates), func(c columnCandidate) bool { return c.column.Class == catalog.Number && p.isIdentifier(c.column) })
	if len(b.candidates) == 0 {
		return nil
	}
	return &b
}

// nullableTimes returns the readings of an attribute that are times at which something
// happens to a row, and which are null until then.
func nullableTimes(a *attribute) *attribute {
	b := *a
	b.candidates = nil
	for _, c := range a.candidates {
		if isTime(c.column) && mayLack(c.column) && !saysUntil(c.column, "") {
			b.candidates = append(b.candidates, c)
		}
	}
	if len(b.candidates) == 0 {
		return nil
	}
	return &b
}

// sinceTimes returns the readings of an attribute that are times since which something is so:
// what is "out of order" has an out_of_order_since. nil if there are none.
func sinceTimes(a *attribute) *attribute {
	b := nullableTimes(a)
	if b == nil {
		return nil
	}
	b.candidates = slices.DeleteFunc(b.candidates, func(c columnCandidate) bool {
		words := splitName(c.column.Name)
		return words[len(words)-1] != "since" || c.score < 0.7
	})
	if len(b.candidates) == 0 {
		return nil
	}
	return b
}

// isInflected reports whether the token has the form of a verb.
func (p *parser) isInflected(i int) bool {
	w := p.at(i).lower
	return p.isVerb(i) || strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "en")
}

// isDirectional reports whether the token is a word of coming or going that the
// language pairs with names.
func (p *parser) isDirectional(i int) bool {
	return slices.ContainsFunc(p.language.directions, func(d direction) bool { return d.words[p.at(i).lower] && p.at(i).kind == wordToken })
}

// prepositions returns where prepositions that begin at i end, longest first.
func (p *parser) prepositions(i int) (out []int) {
	for n := 2; n >= 1; n-- {
		if i+n > len(p.tokens) {
			continue
		}
		words := p.wordsBetween(i, i+n)
		text := words[0]
		if n == 2 {
			text += " " + words[1]
		}
		if p.language.prepositions[text] {
			out = append(out, i+n)
		}
	}
	return out
}
