// Finding the set that a phrase of attributes or values is of.

package grammar

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"askpg/catalog"
)

// resolvePhrase finds the set of a phrase that has attributes or values only.
func (p *parser) resolvePhrase(n *phrase) (out []reading) {
	if n.set != nil || len(n.ratio) > 0 {
		return []reading{{n, 0}}
	}
	if n.isValue() {
		return p.valueEntity(n)
	}
	seen := map[*catalog.Relation]bool{}
	for _, it := range n.items {
		for _, c := range it.attribute.all() {
			r := c.column.Relation
			if seen[r] || len(seen) > 8 {
				continue
			}
			seen[r] = true
			if p.lexicon.relationInfo[r].junction && len(it.attribute.candidates) > 1 {
				continue
			}
			out = append(out, p.resolveOn(n, it.attribute, c)...)
		}
	}
	return cheapestReadings(out, 6)
}

// resolveOn makes a phrase of attributes one of the relation of a column that an attribute of it may be.
func (p *parser) resolveOn(n *phrase, a *attribute, c columnCandidate) (out []reading) {
	r := c.column.Relation
	away, unsaid := p.otherRelationCost(a, c), n.refusal
	if other := p.columnNamedAlike(a, c); other != nil && unsaid == "" {
		unsaid = fmt.Sprintf("%q may be %s of %s or %s of %s: name the one that is meant.", p.text(a.start, a.end), c.column.Name, r.Name.Name, other.Name, other.Relation.Name.Name)
	}
	for _, l := range p.resolveItems(&set{id: p.newID(), relation: r}, n.items) {
		m := n.clone()
		m.set, m.items, m.attributeHead, m.refusal = l.root, l.items, true, unsaid
		out = append(out, reading{m, 3*(a.candidates[0].score-c.score) + l.cost + 0.25 + away})
	}
	return out
}

// otherRelationCost is the cost of taking an attribute for a column of a relation that the question does not name.
func (p *parser) otherRelationCost(a *attribute, c columnCandidate) (away float64) {
	if p.lexicon.graph.isForeign(c.column) {
		away = 0.4 // a column that only points elsewhere
		if slices.ContainsFunc(p.mentions.relations[a.start], func(r relationMention) bool { return r.end == a.end && r.score > 0.9 }) {
			away = 0.8 // the words name what it points to
		}
	}
	if c.score < namedScore && !a.fromAdjective && !p.mentionsRelation(c.column.Relation) && p.mentionsOtherRelation(c.column.Relation) {
		away += otherRelationPenalty
	}
	if c.column.Class == catalog.Boolean {
		away += 1.5 // yes or no is no answer to "which" or "how many"
	}
	return away
}

// otherRelationPenalty is what it costs to take a word for a column of a relation that the
// question does not name, where it names another and the word is not the column's name.
const otherRelationPenalty = 1.0

// mentionsOtherRelation reports whether the question names another relation.
func (p *parser) mentionsOtherRelation(r *catalog.Relation) bool {
	return len(p.mentions.nameCounts) > 1 || len(p.mentions.nameCounts) == 1 && !p.mentionsRelation(r)
}

// ambiguousNamePenalty is how much less a word may be of one name than of another for either to be meant: a price may be the total
// price of an order or the price per kilogram of a metal.
const ambiguousNamePenalty = 0.25

// columnNamedAlike returns a column of another relation that a word names as well as
// the one of c, where neither is called so and the question names no relation of
// the two; nil if there is none.
func (p *parser) columnNamedAlike(a *attribute, c columnCandidate) *catalog.Column {
	if c.score >= namedScore || a.fromAdjective || p.mentionsRelation(c.column.Relation) {
		return nil
	}
	for _, o := range a.candidates {
		if p.isLineOf(c.column.Relation, o.column.Relation) || p.isLineOf(o.column.Relation, c.column.Relation) {
			continue // what an order comes to is what its lines come to
		}
		if o.column.Relation != c.column.Relation && o.score >= c.score-ambiguousNamePenalty && !p.mentionsRelation(o.column.Relation) && o.column.Class == c.column.Class {
			return o.column
		}
	}
	return nil
}

// cheapestReadings returns the n readings of least cost.
func cheapestReadings(list []reading, n int) []reading {
	slices.SortStableFunc(list, func(a, b reading) int { return cmp.Compare(a.cost, b.cost) })
	if len(list) > n {
		list = list[:n]
	}
	return list
}

// thenApply says something more of the phrase of each reading, best first, with at most n readings of that.
func thenApply(list []reading, n int, say func(*phrase) []reading) (out []reading) {
	for _, r := range list {
		for _, s := range say(r.phrase) {
			out = append(out, reading{s.phrase, r.cost + s.cost})
		}
	}
	return cheapestReadings(out, n)
}

// valueEntity makes values the things that have them: "Texas" is a state.
func (p *parser) valueEntity(n *phrase) (out []reading) {
	if len(n.values) == 0 {
		return nil
	}
	for _, h := range n.values[0] {
		r := h.column.Relation
		if r.Codes && !p.mentionsRelation(r) {
			continue // the row "nurse" of a table of codes is no nurse
		}
		cost := 0.9
		info := p.lexicon.relationInfo[r]
		for _, d := range info.display {
			if d == h.column {
				cost = 0.1
			}
		}
		if cost > 0.5 && isText(h.column) && h.column.Profile != nil && h.column.Profile.Distinct <= 50 && !p.lexicon.graph.isForeign(h.column) {
			cost = 0.5 // a kind of thing: "cashiers"
		}
		if h.column.Unique || len(info.key) == 1 && info.key[0] == h.column {
			cost = min(cost, 0.15)
		}
		if p.lexicon.graph.isForeign(h.column) {
			cost += 0.4
		}
		if r.Rows > 1 {
			cost += 0.04 * math.Log10(r.Rows) // of two things of one name the rarer kind
		}
		cost += 2 * (1 - h.score)
		s := &set{id: p.newID(), relation: r}
		c, ok := p.valueCondition(n, h.column, false)
		if !ok {
			continue
		}
		out = append(out, reading{&phrase{set: s.with(c), distinct: n.distinct}, cost})
	}
	return cheapestReadings(out, 5)
}

// maxKindCost is what it costs at most to call things by a value that they have.
const maxKindCost = 0.3

// kindOf reads a value in the plural as the things that have it: "cashiers" are staff whose position is cashier.
func (p *parser) kindOf(n *phrase) (out []reading) {
	for _, v := range p.valueEntity(n) {
		c := v.phrase.set.conditions[0]
		if !p.isValueInWords(n, c) && !p.lexicon.isSex(c.column) {
			continue // "books" are not booked
		}
		if isName := slices.Contains(p.lexicon.relationInfo[c.column.Relation].display, c.column); isName && c.op == "=" {
			out = append(out, p.thingsOfKind(n, c)...)
			continue
		} else if isName {
			v.phrase.words, v.cost = n.words, min(v.cost, maxKindCost)
			out = append(out, v)
			continue
		}
		labelled := len(p.lexicon.meanings(c.column)) > 0
		few := labelled || len(c.column.Enum) > 0 || c.column.Profile != nil && c.column.Profile.Distinct <= 50
		if !few || !isText(c.column) && !labelled || c.column.Unique || p.lexicon.graph.isForeign(c.column) {
			continue
		}
		v.phrase.words, v.cost = n.words, min(v.cost, maxKindCost)
		out = append(out, v)
	}
	return out
}

// isValueInWords reports whether a value, or what it means, is just what the question says, or the singular of it.
func (p *parser) isValueInWords(n *phrase, c condition) bool {
	said := strings.Join(p.wordsBetween(n.words[0], n.words[1]), " ")
	called := func(text string) bool {
		first := initials(text)
		text = strings.ToLower(strings.Join(splitName(text), " "))
		return text == said || text == singular(said) || singular(text) == said || first != "" && first == singular(said)
	}
	return called(c.value.plain) || slices.ContainsFunc(p.lexicon.meanings(c.column), func(l catalog.Label) bool {
		return l.Value == c.value.plain && called(l.Text)
	})
}

// thingsOfKind returns the things whose kind is a row of a lookup table, where only one relation refers to that table.
func (p *parser) thingsOfKind(n *phrase, c condition) []reading {
	kinds := c.column.Relation
	if !slices.ContainsFunc(splitName(kinds.Name.Name), func(w string) bool { return kindWords[p.language.stem(w)] }) {
		return nil
	}
	var things []*catalog.Relation
	for _, e := range p.lexicon.graph.edges[kinds] {
		if !e.toOne && !e.implied && e.to != kinds && !slices.Contains(things, e.to) {
			things = append(things, e.to)
		}
	}
	if len(things) != 1 {
		return nil
	}
	ways := p.relatedValue(p.entity(things[0]), &modifier{kind: modifierRelated, phrase: n}, c.column, 0)
	if len(ways) == 0 {
		return nil
	}
	x := ways[0].make()
	x.words = n.words
	return []reading{{x, maxKindCost}}
}

// kindWords are stems of what tables of kinds are called.
var kindWords = wordSet([]string{"categori", "type", "kind", "class", "group", "genr", "tier", "famili", "style"})

// valueCondition compares a column with the values of a phrase, false if the column has not got one of them.
func (p *parser) valueCondition(n *phrase, col *catalog.Column, negated bool) (condition, bool) {
	if !p.hasValues(n, col) {
		return condition{}, false
	}
	literals := make([]string, len(n.values))
	for i, hits := range n.values {
		if h := p.heldBy(col, hits); h != nil && h.like != "" {
			op := map[bool]string{false: "ilike", true: "not ilike"}[negated]
			return condition{kind: compare, column: col, op: op, value: operand{literals: []string{literal(h.like)}, plain: h.value}}, len(n.values) == 1
		} else if h != nil && col.Class == catalog.Boolean {
			literals[i] = h.value
		} else if h != nil {
			literals[i] = literal(h.value)
		} else {
			literals[i] = n.literals[i]
		}
	}
	if h := p.heldBy(col, n.values[0]); len(n.values) == 1 && h != nil && isText(col) {
		literals = append(literals, otherCases(col, h.value)...)
	}
	op := "="
	if len(literals) > 1 {
		op = "in"
	}
	if negated {
		op = map[string]string{"=": "<>", "in": "not in"}[op]
	}
	return condition{kind: compare, column: col, op: op, value: operand{literals: literals, plain: plainList(literals)}}, true
}

// otherCases returns, as literals, the other values of a column that have the same letters in another case: "Technogym" may be written "TechnoGym", too.
func otherCases(c *catalog.Column, value string) (literals []string) {
	if c.Profile == nil {
		return nil
	}
	for _, v := range c.Profile.Common {
		if v != value && strings.EqualFold(v, value) {
			literals = append(literals, literal(v))
		}
	}
	return literals
}

// hasValues reports whether a column has each of the values of a phrase, as far as it is known.
func (p *parser) hasValues(n *phrase, col *catalog.Column) bool {
	for i, hits := range n.values {
		if p.heldBy(col, hits) == nil && (i >= len(n.literals) || n.literals[i] == "" || col.Class != catalog.Text) {
			return false
		}
	}
	return true
}

// heldBy returns the value that a column holds of those that words may be, nil if it holds none.
func (p *parser) heldBy(col *catalog.Column, hits []valueMention) *valueMention {
	for i := range hits {
		if h := &hits[len(hits)-1-i]; h.column == col && !p.noAmount(columnCandidate{column: col, score: 1}, operand{literals: []string{h.value}}) {
			return h
		}
	}
	return nil
}

func plainList(literals []string) string {
	return strings.ReplaceAll(strings.Join(literals, " or "), "'", "")
}
