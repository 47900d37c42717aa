// Reading noun phrases: heads, and what is said of them.

package grammar

import (
	"slices"
	"strings"
)

// Costs of calling a column by less than its name, see partialNameCost.
const (
	noAnswerCost    = answeredCost
	missingHeadCost = 0.5
)

// noun returns the readings of the noun phrases that begin at token i, with all
// that is said of them after their head.
func (p *parser) noun(i int) []candidate {
	if i >= len(p.tokens) || p.isExhausted() {
		return nil
	}
	if r, ok := p.nounPhrases[i]; ok {
		return r
	}
	p.nounPhrases[i] = nil
	p.steps++
	before := keepPerEnd(p.prefixed(i))
	out := keepPerEnd(append(append(p.extendNoun(p.heads(i), p.isObject(i)), before...), p.extendCount(before)...))
	p.nounPhrases[i] = out
	return out
}

// extendCount adds to phrases such as "number of orders" the groups and sort keys that follow; all other modifiers apply to the things
// that are counted.
func (p *parser) extendCount(list []candidate) (out []candidate) {
	frontier := list
	for round := 0; round < 3 && len(frontier) > 0; round++ {
		var next []candidate
		for _, c := range frontier {
			first := c.phrase.isEntity() && c.phrase.set.superlative != nil
			part := c.phrase.isPlain() && len(c.phrase.set.conditions) == 1 // "unpaid bills in percent"
			if len(c.phrase.items) == 0 && c.phrase.number == "" && !first && !part {
				continue
			}
			for _, m := range p.modifiers(c.end) {
				if first && m.modifier.kind != modifierGroup || part && m.modifier.kind != modifierShare || !m.modifier.isForWholePhrase(c.phrase) {
					continue
				}
				next = append(next, candidates(p.apply(c.phrase, &m.modifier), m.end, c.cost+m.cost)...)
			}
		}
		frontier = keepPerEnd(next)
		out = append(out, frontier...)
	}
	return out
}

// isForWholePhrase reports whether a modifier groups, sorts or narrows the whole phrase, and not the things that are counted in it:
// "number of orders per customer".
func (m *modifier) isForWholePhrase(n *phrase) bool {
	switch m.kind {
	case modifierGroup, modifierOrder, modifierDirection, modifierLimit, modifierFiller, modifierPeriods, modifierShare:
		return true
	case modifierMostCommon:
		return m.count == ""
	case modifierAll:
		return m.eachValue || m.parts[0].kind == modifierGroup || m.parts[0].kind == modifierOrder
	case modifierRelated:
		return len(n.group) > 0 && n.hasAggregate()
	case modifierDate:
		return n.hasAggregate()
	}
	return false
}

// heads returns the readings of the heads of noun phrases at i.
func (p *parser) heads(i int) []candidate {
	out := slices.Concat(p.measureHeads(i), p.relationHeads(i), p.attributeHeads(i), p.flagged(i), p.stayHeads(i), p.unitsSold(i), p.ranges(i))
	for _, e := range p.nameWords(i) {
		out = append(out, attributePhrase(&attribute{asksName: true, start: i, end: e}, i, e, 0.05))
	}
	out = append(out, p.valueHeads(i)...)
	for _, e := range p.ends(i, "pronoun") {
		out = append(out, candidate{&phrase{isPronoun: true, words: [2]int{i, e}}, e, 0.2})
	}
	return out
}

// relationHeads returns the relations that begin at token i.
func (p *parser) relationHeads(i int) (out []candidate) {
	for _, r := range p.mentions.relations[i] {
		if p.isVerbOfMention(r) || p.isBetterNameOfOther(r) {
			continue
		}
		n := p.entity(r.relation)
		n.words = [2]int{r.start, r.end}
		cost := 3.2*(1-r.score) + 0.1
		if last := p.mentions.attributes[r.end-1][r.end]; r.score < 0.9 && r.end > r.start+1 && last != nil && last.candidates[0].score >= 0.98 {
			cost += 0.5 // the last word is a column's very name, and none of the relation's
		}
		out = append(out, candidate{n, r.end, cost})
	}
	return out
}

// attributeHeads returns the columns that begin at token i.
func (p *parser) attributeHeads(i int) (out []candidate) {
	for end, a := range inOrder(p.mentions.attributes[i]) {
		if end == i+1 && p.tokens[i].lower == "no" || p.tokens[i].lower == "in" {
			continue // by itself it denies, and is no number; "in stock items" are not how many there are
		}
		n := &phrase{items: []item{{attribute: a}}, words: [2]int{i, end}}
		cost := a.nameCost()
		if slices.ContainsFunc(p.mentions.relations[i], func(r relationMention) bool { return r.end == end && r.score >= 0.95 }) {
			cost += 0.3 // the words are the name of a relation
			if a.candidates[0].score < 0.99 {
				cost += 0.3
			}
		}
		cost += p.partialNameCost(a)
		if events := p.eventNouns(i, end, a); len(events) > 0 {
			out = append(out, events...)
			cost += missingHeadCost // nobody wants to see the times alone
		}
		if (p.boolean(a) != nil || len(p.statesAt[i][end]) > 0) && len(p.ends(end, "and", "or")) > 0 {
			cost += missingHeadCost // "open and closed tickets", and not when they were opened
		}
		summed := slices.Contains(p.ends(i, "sum"), end)
		if summed {
			cost += 0.15
		}
		out = append(out, candidate{n, end, cost})
		if number := onlyNumeric(a); number != nil && summed {
			// a column called total: of several rows, their sum
			sum := &phrase{items: []item{{attribute: number, aggregate: "sum"}}, words: [2]int{i, end}}
			out = append(out, candidate{sum, end, cost - 0.17})
		}
	}
	return out
}

// valueHeads returns the values that begin at token i, and the things of the kinds that values name.
func (p *parser) valueHeads(i int) (out []candidate) {
	quoted := p.at(i).kind == quotedToken
	for end, hits := range inOrder(p.mentions.values[i]) {
		n := &phrase{values: [][]valueMention{hits}, words: [2]int{i, end}}
		cost := 1 - hits[0].score
		if quoted {
			n.literals = []string{literal(p.tokens[i].text)}
		}
		if p.isFunction(i) && end == i+1 {
			cost += 0.5
		}
		base := 0.1
		if end > i+1 && hits[0].score > 0.9 {
			base = 0 // several words that are one value are hardly so by chance
		}
		out = append(out, candidate{n, end, cost*2 + base})
		kind := p.mayNameKind(i, end)
		if kind || p.behindWhoIs(i) {
			things := p.kindOf(n)
			if !kind {
				things = slices.DeleteFunc(things, func(k reading) bool { return !p.lexicon.isStaff(k.phrase.set.relation) })
			}
			out = append(out, candidates(things, end, cost*2)...)
		}
	}
	if quoted && p.mentions.values[i][i+1] == nil {
		out = append(out, candidate{p.unknownText(i), i + 1, 0.3})
	}
	return out
}

// mayNameKind reports whether the words of a value may name the things of that kind: in
// the plural, or behind a word such as "each", and if they are no column's name.
func (p *parser) mayNameKind(i, end int) bool {
	last := p.tokens[end-1].lower
	if singular(last) == "" && !p.ofKind(i) && p.language.irregular[last] == "" && !p.afterDegree(i) {
		return false
	}
	a := p.mentions.attributes[i][end]
	return a == nil || a.candidates[0].score < namedScore
}

// ofKind reports whether the word before token i says that a kind of thing follows:
// "per depot", "a trial".
func (p *parser) ofKind(i int) bool {
	if i == 0 {
		return false
	}
	return slices.Contains([]string{"a", "an", "any", "each", "every", "per", "by", "no", "which", "what", "one", "single"}, p.tokens[i-1].lower)
}

// behindWhoIs reports whether "who is the" stands before token i: what follows is what one of those who
// are employed is.
func (p *parser) behindWhoIs(i int) bool {
	if i > 0 && len(p.ends(i-1, "article")) > 0 {
		i--
	}
	return i > 1 && len(p.ends(i-2, "who")) > 0 && slices.Contains(p.ends(i-1, "be_bare"), i)
}

// afterDegree reports whether an adjective in a degree ends before token i: "the cheapest tent".
func (p *parser) afterDegree(i int) bool {
	for from := max(0, i-maxSpan); from < i; from++ {
		if slices.ContainsFunc(p.adjectives[from][i], func(a adjective) bool { return a.degree == mostDegree }) {
			return true
		}
	}
	return false
}

// isBetterNameOfOther reports whether the words of a mention are the exact name of another relation and only a part of this one's:
// "organizations" is not organization_tags.
func (p *parser) isBetterNameOfOther(r relationMention) bool {
	return slices.ContainsFunc(p.mentions.relations[r.start], func(o relationMention) bool {
		return o.end == r.end && o.relation != r.relation && o.score >= exactNameScore && r.score < o.score-partialRelationPenalty
	})
}

// exactNameScore is the score of words that are the name of something, to the last word.
const exactNameScore = 0.97

// isVerbOfMention reports whether a mention of a relation is the verb of who: who
// "prescribed" is no prescription.
func (p *parser) isVerbOfMention(r relationMention) bool {
	return r.start > 0 && len(p.ends(r.start-1, "who")) > 0 && strings.HasSuffix(p.tokens[r.end-1].lower, "ed")
}

// partialNameCost is the cost of naming a column by a part of its name that is not its head: a time by its owner ("customers" for
// customer_since), a thing by a participle ("included" for seats_included), any column without its last word ("units" for unit_price).
func (p *parser) partialNameCost(a *attribute) float64 {
	c := a.candidates[0]
	if c.label == nil || a.fromAdjective {
		return 0
	}
	said := p.tokens[a.end-1].lower
	if isTime(c.column) && strings.HasSuffix(said, "ed") && len(c.label.words) > a.end-a.start {
		return noAnswerCost
	}
	if strings.HasSuffix(said, "ed") && (c.score < 0.9 || !slices.Contains(c.label.words, said)) {
		return noAnswerCost
	}
	if c.score >= 0.9 {
		return 0
	}
	if isTime(c.column) {
		return noAnswerCost
	}
	last := len(c.label.stems) - 1
	if called := c.label.stems[last]; (called == "number" || called == "code") && isText(c.column) && !c.column.NotNull && !p.lexicon.graph.isForeign(c.column) && p.tokens[a.end-1].stem != called {
		return noAnswerCost // not all rows are what has such a number: books have an isbn, other wares have none
	}
	for last > 0 && (c.label.optional[last] || p.isIdentifier(c.column)) {
		last--
	}
	for k := a.start; k < a.end; k++ {
		if s := p.tokens[k].stem; s == c.label.stems[last] || p.lexicon.isSynonym(s, c.label.stems[last]) {
			return 0
		}
	}
	return missingHeadCost
}

// nameWords returns where a word ends that asks for the name of something.
func (p *parser) nameWords(i int) []int {
	switch p.at(i).stem {
	case "name", "titl":
		return []int{i + 1}
	}
	return nil
}

// extend adds to the readings what follows them: further attributes, and
// everything that modifiers say.
func (p *parser) extend(heads []candidate) []candidate { return p.extendNoun(heads, false) }

// extendNoun adds to the readings of heads, which may be the object of a sentence, what follows them.
func (p *parser) extendNoun(heads []candidate, object bool) []candidate {
	all := keepPerEnd(heads)
	frontier := all
	for round := 0; round < 8 && len(frontier) > 0; round++ {
		var next []candidate
		for _, c := range frontier {
			if p.isExhausted() {
				break
			}
			p.steps++
			next = append(next, p.adjacent(c)...)
			for _, m := range p.modifiers(c.end) {
				if c.cost+m.cost > maxCost || object && p.deniesOther(c.end) {
					continue
				}
				p.steps++ // "courses courses courses …" has thousands for each place
				next = append(next, candidates(p.apply(c.phrase, &m.modifier), m.end, c.cost+m.cost)...)
			}
		}
		next = keepPerEnd(next)
		all = append(all, next...)
		frontier = next
	}
	return keepPerEnd(all)
}

// isObject reports whether a noun that begins at token i is what somebody has, or does something to.
func (p *parser) isObject(i int) bool {
	for i--; i > 0 && len(p.ends(i, "article")) > 0; i-- {
	}
	ofRows := i > 0 && p.tokens[i].lower == "of" && len(p.relationsFrom(i-1)) > 0 // "sales of books"
	return i > 0 && (ofRows || p.isInflected(i) || len(p.ends(i, "with", "have")) > 0)
}

// deniesOther reports whether "but not", "and no" or the like begins at token i. Behind an object it denies something of the subject: who
// bought books but not toys bought no toy, whatever the books are.
func (p *parser) deniesOther(i int) bool {
	w := p.at(i).lower
	return (w == "but" || w == "and") && len(p.ends(i+1, "not", "no")) > 0
}
