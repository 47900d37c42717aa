// Refusing readings that leave out a word of the question.

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// refuseWordLeftOut refuses a reading that uses nothing of what a word of the question names.
func (p *parser) refuseWordLeftOut(n *phrase) string {
	u := p.used(n)
	if why := cmp.Or(p.nameOfOtherThing(u), p.refuseBackReference(), p.refuseVerbLeftOut(n), p.refuseOwnName(n), p.refuseOrderLeftOut(n),
		refuseTwoNames(n), p.refuseOwnedByAsker()); why != "" {
		return why
	}
	for i := range p.tokens {
		measured := slices.ContainsFunc(n.items, func(it item) bool { return it.column != nil })
		if (p.isPercentSign(i) || p.tokens[i].lower == "percent" && i > 0 && p.tokens[i-1].lower == "in" && !measured) && p.lacksShare(n) {
			return "It is not said of what the share is wanted: say percentage of what, and what holds of it."
		}
		if p.tokens[i].kind != wordToken || p.isFunction(i) && !p.asksShare(i, n) || len(p.nameWords(i)) > 0 || p.hasMeaning(i) && (i < n.words[0] || i >= n.words[1] || len(p.mentions.relations[i]) == 0) && !p.isNamedNoun(i) && !p.isHeadNoun(i) && !p.isCountedNoun(i) && !p.asksTime(i, u) && !p.asksShare(i, n) {
			continue
		}
		if (p.mentions.covered[i] || p.isCountedNoun(i) || p.isHeadNoun(i)) && !p.isWithinUsed(i, i+1, u) && !p.isUnitOfDuration(i, n) {
			return fmt.Sprintf("Each word is known, but not how %q goes together with the rest.", p.tokens[i].text)
		}
	}
	return ""
}

// isUnitOfDuration reports whether "in" stands before token i and it is the unit of how long something takes: "in nights", whatever is called nights.
func (p *parser) isUnitOfDuration(i int, n *phrase) bool {
	unit, _ := p.durationUnit(i)
	return unit != "" && i > 0 && p.tokens[i-1].lower == "in" && slices.ContainsFunc(n.items, func(it item) bool { return it.subtrahend != nil && it.unit == unit })
}

// refuseOwnedByAsker refuses what belongs to whoever asks: "which brands belong to us" are not all of them.
func (p *parser) refuseOwnedByAsker() string {
	for i, t := range p.tokens {
		if rest := p.at(i + 1).lower; t.stem == p.language.stem("belong") && p.isVerb(i) && (i+1 == len(p.tokens) || rest == "to" && i+2 == len(p.tokens)) {
			return fmt.Sprintf("Nothing says whose is meant by %q: name the column that tells it.", t.text)
		}
	}
	return ""
}

// refuseTwoNames refuses a thing of one name whose name is to have another part, too: the shelf on which a laptop lies is no part of its name.
func refuseTwoNames(n *phrase) string {
	if n.set == nil {
		return ""
	}
	for _, a := range n.set.conditions {
		for _, b := range n.set.conditions {
			if a.kind == compare && b.kind == compare && a.column == b.column && a.op == "ilike" && b.op == "=" {
				return fmt.Sprintf("%q is taken for a part of %s, and not how it goes together with %q.", a.value.plain, a.column.Name, b.value.plain)
			}
		}
	}
	return ""
}

// refuseOrderLeftOut refuses a reading that does not sort by what the question says comes first: "books by title, newest first", "by shelf
// and price, highest price first".
func (p *parser) refuseOrderLeftOut(n *phrase) string {
	if n.set == nil || n.set.superlative != nil || len(n.partition) > 0 || n.hasAggregate() {
		return ""
	}
	for i := range p.tokens {
		for _, m := range p.ranks(i) {
			if p.endsTag(m.end, "comes_first") && n.leavesOut(&m.modifier) {
				return fmt.Sprintf("It is not said by what %q sorts: name the column.", p.text(i, m.end))
			}
		}
	}
	return ""
}

// leavesOut reports whether a phrase is not sorted as a modifier says.
func (n *phrase) leavesOut(m *modifier) bool {
	if m.kind != modifierOrder || !m.phrase.isAttribute() {
		return m.kind == modifierDirection && len(n.order) == 0
	}
	return !slices.ContainsFunc(n.order, func(o ordering) bool {
		return o.descending == m.descending && slices.ContainsFunc(m.phrase.items[0].attribute.candidates, func(c columnCandidate) bool { return c.column == o.by.column })
	})
}

// refuseBackReference refuses a pronoun that stands for what a clause before it speaks of: who reviewed "a product they bought" bought that
// very product, and what somebody bought "who reviewed them" is what he reviewed. A set is joined to another by one condition alone.
func (p *parser) refuseBackReference() string {
	verb, thing := len(p.tokens), -1 // the verb of a clause, and the end of a thing behind it
	for i, t := range p.tokens {
		clause := p.endsTag(i, "relative", "do", "not") || p.isPast(i)
		behind := slices.Contains([]string{"it", "them", "him"}, t.lower) && i-1 > verb && (p.isFullVerb(i-1) || len(p.prepositions(i-1)) > 0 && p.isFullVerb(i-2))
		before := slices.Contains([]string{"it", "they", "he", "she"}, t.lower) && (thing == i || p.endsTag(i, "relative")) && (p.isFullVerb(i+1) || len(p.ends(i+1, "do", "not", "have", "be_bare")) > 0)
		switch {
		case thing > verb && (behind || before):
			return fmt.Sprintf("It is not said what %q stands for: ask in two questions.", t.text)
		case t.kind == punctToken && t.lower != ",":
			verb, thing = len(p.tokens), -1
		case p.isFullVerb(i) && clause:
			verb = min(verb, i)
		case i > verb:
			for _, m := range p.mentions.relations[i] {
				thing = max(thing, m.end)
			}
		}
	}
	return ""
}

// refuseVerbLeftOut refuses a reading without the rows that a verb tells of: what was booked is not what was reviewed, and the items that
// we produce are not all items. What we sell, offer or have is what the rows are there for.
func (p *parser) refuseVerbLeftOut(n *phrase) string {
	u := p.used(n)
	for i, t := range p.tokens {
		asked := t.lower == p.askersVerb && !p.language.havingVerbs[t.stem] && len(p.prepositions(i+1)) == 0 // what we buy from somebody is related to him
		told := p.isPast(i) && slices.ContainsFunc(p.relations, func(r *catalog.Relation) bool { return p.isDoneIn(r, t.lower) })
		how := isMannerWord(p.at(i+1).lower) && p.usesColumn(i+2, i+3, u) // "paid by card"
		told = told || i > 0 && p.isPast(i) && (p.language.failureVerbs[t.stem] || slices.ContainsFunc(p.relations, func(r *catalog.Relation) bool { return p.hasKeyOf(r, t.stem) }))
		if !p.isFullVerb(i) || !asked && !told || how || len(p.ends(i, "in", "order")) > 0 || p.isWithinUsed(i, i+1, u) {
			continue
		}
		if !slices.ContainsFunc(p.relations, func(r *catalog.Relation) bool {
			return u.relations[r] && (p.recordsVerb(r, []string{t.lower}) || p.hasKeyOf(r, t.stem))
		}) {
			return fmt.Sprintf("Each word is known, but not what %q says of the things.", t.text)
		}
	}
	return ""
}

// hasKeyOf reports whether a key of a relation says who did what a verb says.
func (p *parser) hasKeyOf(r *catalog.Relation, verb string) bool {
	return slices.ContainsFunc(p.lexicon.graph.edges[r], func(e *edge) bool { return e.toOne && e.isDoneBy() && slices.Contains(e.name, verb) })
}

// isPast reports whether a token is a verb in a form of the past.
func (p *parser) isPast(i int) bool {
	w := p.tokens[i].lower
	return p.isFullVerb(i) && (strings.HasSuffix(w, "ed") || p.language.irregular[w] != "")
}

// isCountedNoun reports whether a word that may be a verb is a noun here: a number of them is said.
func (p *parser) isCountedNoun(i int) bool {
	return i > 0 && p.tokens[i-1].kind == numberToken && singular(p.tokens[i].lower) != "" && p.isVerb(i) && len(p.unit(i)) == 1 && !p.language.dateWord(p.tokens[i].lower)
}

// nameOfOtherThing finds a name beside the kind of thing that it names ("the Missouri river") which the reading takes for the name of
// something else.
func (p *parser) nameOfOtherThing(u *objects) string {
	for from := range p.tokens {
		for end, hits := range inOrder(p.mentions.values[from]) {
			for _, i := range []int{from - 1, end} {
				for _, m := range p.relationsAt(i) {
					name := p.lexicon.relationInfo[m.relation].display
					own := slices.ContainsFunc(hits, func(h valueMention) bool { return slices.Contains(name, h.column) })
					used := slices.ContainsFunc(hits, func(h valueMention) bool {
						return u.columns[h.column] && (slices.Contains(name, h.column) || p.isColumnName(h.column, from-1))
					})
					if own && !used {
						return fmt.Sprintf("%q is one of %s here.", p.text(from, end), m.relation.Name.Name)
					}
				}
			}
		}
	}
	return ""
}

// refuseOwnName refuses the very name of things, in the plural or behind a superlative, that the reading takes for a value of theirs: members
// are not those whose role is called member.
func (p *parser) refuseOwnName(n *phrase) string {
	for s, c := range conditionsIn(n.set) {
		if c.kind == compare && c.op == "=" && p.isOnlyName(s.relation, c) {
			return fmt.Sprintf("%s is what rows of %s are called, and a value of %s: say it of the column.", c.value.plain, s.relation.Name.Name, c.column.Name)
		}
	}
	return ""
}

// isOnlyName reports whether a value of a column stands in the question as the name of its relation alone.
func (p *parser) isOnlyName(r *catalog.Relation, c condition) bool {
	if p.mentions.nameCounts[r] > 1 {
		return false
	}
	for i := range p.tokens {
		for _, m := range p.mentions.relations[i] {
			if m.relation == r && m.score >= exactNameScore && (p.afterDegree(i) || singular(p.tokens[m.end-1].lower) != "") &&
				slices.ContainsFunc(p.mentions.values[i][m.end], func(h valueMention) bool {
					return h.column == c.column && slices.Contains(c.value.literals, literal(h.value))
				}) {
				return true
			}
		}
	}
	return false
}

// relationsAt returns the relations that token i alone names, in the singular.
func (p *parser) relationsAt(i int) []relationMention {
	if i < 0 || i >= len(p.tokens) || singular(p.tokens[i].lower) != "" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.mentions.relations[i]), func(m relationMention) bool { return m.end != i+1 || m.score < namedScore })
}

// isColumnName reports whether token i names a column.
func (p *parser) isColumnName(c *catalog.Column, i int) bool {
	return i >= 0 && slices.ContainsFunc(p.mentions.attributes[i][i+1].all(), func(a columnCandidate) bool { return a.column == c })
}

// namesTime reports whether a word is a verb by which a time is called, such as
// "discharged" of discharged_at, and that time is of a relation that holds(r).
func (p *parser) namesTime(i int, holds func(*catalog.Relation) bool) bool {
	return p.isInflected(i) && slices.ContainsFunc(p.mentions.attributes[i][i+1].all(), func(c columnCandidate) bool {
		return c.score >= namedScore && isTime(c.column) && holds(c.column.Relation)
	})
}

// anyRelation holds of every relation.
func anyRelation(*catalog.Relation) bool { return true }

// asksTime reports whether a verb names the time that the question asks for, or
// one of the reading's that it compares.
func (p *parser) asksTime(i int, u *objects) bool {
	return len(p.ends(0, "when")) > 0 && p.namesTime(i, anyRelation) ||
		p.isDated(i) && p.namesTime(i, func(r *catalog.Relation) bool { return u.relations[r] })
}

// isDated reports whether a time is said right after token i.
func (p *parser) isDated(i int) bool { return len(p.date(i+1)) > 0 }

// asksShare reports whether a word asks for a part of a whole, of which the
// reading has none.
func (p *parser) asksShare(i int, n *phrase) bool {
	switch p.tokens[i].lower {
	case "rate", "percent", "percentage", "ratio", "proportion":
		return p.lacksShare(n)
	}
	return false
}

// lacksShare reports whether a reading has no part of a whole.
func (p *parser) lacksShare(n *phrase) bool {
	return (len(n.ratio) == 0 || n.shownBeside) && !slices.ContainsFunc(n.items, func(it item) bool { return it.divisor != nil || it.ofTotal })
}

// isPercentSign reports whether token i is the mark of percent, and of no number.
func (p *parser) isPercentSign(i int) bool {
	return p.tokens[i].text == "%" && i > 0 && p.tokens[i-1].kind != numberToken
}

// isHeadNoun reports whether a word that may be a verb is a noun here, as in "warehouse stock": it has the form of no verb whose
// subject stands before it, and ends what a name begins.
func (p *parser) isHeadNoun(i int) bool {
	if i == 0 || !p.isVerb(i) || len(p.ends(i, "rate", "it_takes", "get_most", "duration")) > 0 || p.tokens[i].stem != p.tokens[i].lower {
		return false
	}
	before := p.tokens[i-1].lower
	if len(p.mentions.relations[i-1])+len(p.mentions.attributes[i-1]) == 0 || singular(before) != "" || p.language.irregular[before] != "" {
		return false
	}
	if isSaid(p.tokens[max(0, i-3):i], "many") {
		return false // "how many staff earn"
	}
	return !slices.ContainsFunc(p.tags[:i], func(tags map[string][]int) bool { return len(tags["do"])+len(tags["not"])+len(tags["relative"]) > 0 })
}

// partialRelationPenalty is how much less a name scores of which a word is missing: where
// words are the whole name of something, such a name is not meant.
const partialRelationPenalty = 0.2

// sharedNamePenalty is how much less a relation that is called alike scores, where
// another one is called just so.
const sharedNamePenalty = 0.08

// isNamedNoun reports whether a word that may be a verb is a noun here: an article stands before it and it is the exact name of
// something.
func (p *parser) isNamedNoun(i int) bool {
	if i == 0 {
		return false
	}
	if !p.isVerb(i) {
		// "the most hours", where something has hours
		return len(p.language.units[p.tokens[i].lower]) > 0 && p.endsTag(i, "most", "least") && slices.ContainsFunc(p.mentions.attributes[i][i+1].all(), func(c columnCandidate) bool { return c.score >= exactNameScore })
	}
	switch p.tokens[i-1].lower {
	case "the", "a", "an", "'s", "their", "its", "his", "her", "most", "least", "fewest", "without":
		if slices.ContainsFunc(p.mentions.relations[i], func(r relationMention) bool { return r.end == i+1 && r.score >= namedScore }) {
			return true
		}
		a := p.mentions.attributes[i][i+1]
		return a != nil && a.candidates[0].score >= 0.95
	}
	return false
}

// endsTag reports whether words that carry structure, of one of the tags, end before token i.
func (p *parser) endsTag(i int, tags ...string) bool {
	for from := max(0, i-maxSpan); from < i; from++ {
		if slices.Contains(p.ends(from, tags...), i) {
			return true
		}
	}
	return false
}

// isWithinUsed reports whether the reading uses what tokens name of which those from
// i to end are a part.
func (p *parser) isWithinUsed(i, end int, u *objects) bool {
	for from := max(0, i+1-maxValueWords); from <= i; from++ {
		if p.usesRelation(from, end, u) || p.usesColumn(from, end, u) {
			return true
		}
	}
	for from := max(0, i-maxSpan); from <= i; from++ {
		if slices.ContainsFunc(p.timeIntervals(from), func(s timeInterval) bool { return s.end >= end && u.columns[s.from] && u.columns[s.to] }) {
			return true
		}
	}
	return p.isDefined(i, end, u)
}

// isDefined reports whether the tokens from i to end are of the name of a measure or a term that the reading uses.
func (p *parser) isDefined(i, end int, u *objects) (defined bool) {
	for from := max(0, i+1-maxSpan); from <= i; from++ {
		p.measuresAt(from, func(m *catalog.Measure, to int) { defined = defined || to >= end && u.measures[m] })
	}
	return defined
}

// usesRelation reports whether the reading uses a relation that tokens name from a place to
// end at least, and none is called so much better.
func (p *parser) usesRelation(from, end int, u *objects) bool {
	best := 0.0
	for _, r := range p.mentions.relations[from] { // the best first
		if r.end < end {
			continue
		}
		if c := p.mentions.attributes[from][r.end].all(); p.isSynonymAt(from, r) && len(c) > 0 && c[0].score >= exactNameScore {
			best = max(best, c[0].score) // a column is called just so
		}
		best = max(best, r.score)
		if u.relations[r.relation] && r.score > best-sharedNamePenalty {
			return true
		}
	}
	return false
}

// isSynonymAt reports whether nouns call a relation by other words than its name has. What is done is called by verbs.
func (p *parser) isSynonymAt(from int, r relationMention) bool {
	info := p.lexicon.relationInfo[r.relation]
	return !p.isVerb(from) && !p.isInflected(from) && !slices.ContainsFunc(p.tokens[from:r.end], func(t token) bool { return info.stems[t.stem] || info.things[t.stem] })
}

// usesColumn reports whether the reading uses a column that tokens name from a place to end
// at least, or a value of it.
func (p *parser) usesColumn(from, end int, u *objects) bool {
	for to, a := range inOrder(p.mentions.attributes[from]) {
		if to >= end && slices.ContainsFunc(a.candidates, func(c columnCandidate) bool {
			return u.columns[c.column] && (c.score > a.candidates[0].score-partialRelationPenalty || c.column.Relation == u.root && p.lexicon.isPrice(c.column) && !u.relations[a.candidates[0].column.Relation] && p.namesHeadNoun(a, c))
		}) {
			return true
		}
	}
	for to, hits := range inOrder(p.mentions.values[from]) {
		if to >= end && slices.ContainsFunc(hits, func(h valueMention) bool { return u.columns[h.column] }) {
			return true
		}
	}
	return false
}

// refuseUnanswered refuses a reading that lacks something which the question asks for: a group, or the second of two questions.
func (p *parser) refuseUnanswered(n *phrase) string {
	if len(p.ends(0, "count", "how_many")) > 0 && !p.hasNumber(n) && !p.isNamed(0, 2) {
		return "It is not said of what the number is wanted: say it as in \"number of orders by month\"."
	}
	if p.isEcho(n) && (len(p.ends(0, "who")) > 0 || len(n.set.conditions) == 1 && !p.mentionsRelation(n.set.relation)) {
		return "The answer would be what the question says: say who is looked for by what they are called."
	}
	asked := map[string]bool{}
	for i, t := range p.tokens {
		switch t.lower {
		case "total", "altogether", "together":
			if p.lacksTotal(n, i) {
				return "It is not said what there is in total: say number of, or total of what."
			}
		case "per":
			if !p.inName(i) && !n.hasGroupOrRatio() && !slices.ContainsFunc(n.items, func(it item) bool { return it.column != nil && it.column.Class == catalog.Number }) {
				return fmt.Sprintf("Each word is known, but not what there is %s: say it as in \"number of orders by month\".", p.text(i, min(i+2, len(p.tokens))))
			}
		case "who", "whom", "where", "when", "how":
			if i > 1 && p.tokens[i-1].lower == "and" && !asked[t.lower] && len(n.items) < 2 && !(t.lower == "how" && n.hasAggregate()) {
				return fmt.Sprintf("There are two questions: ask for what follows %q by itself.", "and "+t.text)
			}
			asked[t.lower] = true
		}
	}
	return ""
}

// lacksTotal reports whether token i asks for a total that a phrase does not have.
func (p *parser) lacksTotal(n *phrase, i int) bool {
	last := i == p.wordsEnd()-1
	if p.tokens[i].lower == "together" {
		return (last || p.tokens[i+1].kind == punctToken) && p.tokens[0].lower == "how" && !n.hasAggregate()
	}
	if p.tokens[i].lower == "total" && !n.hasAggregate() && slices.ContainsFunc(p.mentions.relations[i+1], func(m relationMention) bool { return m.score >= namedScore && singular(p.at(m.end-1).lower) != "" }) {
		return true
	}
	after := i > 0 && p.tokens[i-1].kind == punctToken
	return after && last && !n.hasAggregate() || !p.inName(i) && !p.hasTotal(n) && !p.comparesCalled(n, i)
}

// hasTotal reports whether a phrase has an aggregate or shows a column that holds a total of its own rows.
func (p *parser) hasTotal(n *phrase) bool {
	if n.hasAggregate() || len(n.ratio) > 0 || len(n.having) > 0 || n.set == nil || n.set.superlative != nil && n.set.superlative.by.aggregate != "" {
		return true
	}
	return len(n.order) > 0 && n.order[0].by.aggregate != "" || slices.ContainsFunc(n.items, func(it item) bool {
		return it.column != nil && it.column.Class == catalog.Number && it.column.Relation == n.set.relation && p.mentionsRelation(n.set.relation)
	})
}

// comparesCalled reports whether token i names a column that things are compared by: "orders with a total over 1000".
func (p *parser) comparesCalled(n *phrase, i int) bool {
	return n.set != nil && slices.ContainsFunc(p.mentions.attributes[i][i+1].all(), func(c columnCandidate) bool { return speaksOf(n.set.conditions, c.column) })
}

// isEcho reports whether a phrase shows only values that the question gave.
func (p *parser) isEcho(n *phrase) bool {
	if n.set == nil || n.set.superlative != nil || len(n.group) > 0 {
		return false
	}
	shown := p.lexicon.relationInfo[n.set.relation].display
	done := len(p.ends(0, "who")) > 0 && p.isInflected(1) && len(p.ends(1, "be")) == 0 // "who taught Ann" does not ask for Ann
	if len(n.items) == len(n.set.relation.Columns) && done {
		return p.namesOneRow(n.set)
	}
	if len(n.items) > 0 {
		shown = nil
	}
	for _, it := range n.items {
		if it.column == nil || it.aggregate != "" || it.trunc != "" || it.setID != n.set.id {
			return false
		}
		shown = append(shown, it.column)
	}
	return len(shown) > 0 && !slices.ContainsFunc(shown, func(d *catalog.Column) bool {
		return !slices.ContainsFunc(n.set.conditions, func(c condition) bool { return c.kind == compare && c.column == d && c.op == "=" })
	})
}

// hasNumber reports whether a phrase shows a number that is no key: a count, a sum, a quantity.
func (p *parser) hasNumber(n *phrase) bool {
	return len(n.ratio) > 0 || slices.ContainsFunc(n.items, func(it item) bool {
		return it.aggregate != "" || it.age || it.subtrahend != nil || it.divisor != nil || it.column != nil && !isText(it.column) && !p.isIdentifier(it.column) && !it.column.Unique
	})
}

// inName reports whether token i is within a name or a value of several words.
func (p *parser) inName(i int) bool {
	for from := max(0, i+1-maxSpan); from < i; from++ {
		for to := range inOrder(p.mentions.attributes[from]) {
			if to > i {
				return true
			}
		}
		for to := range inOrder(p.mentions.values[from]) {
			if to > i {
				return true
			}
		}
	}
	return false
}

// hasGroupOrRatio reports whether the phrase, or one that it compares with, has groups or is a ratio.
func (n *phrase) hasGroupOrRatio() bool {
	if len(n.group) > 0 || len(n.ratio) > 0 || len(n.having) > 0 || len(n.partition) > 0 {
		return true
	}
	for _, o := range n.order {
		if o.by.divisor != nil {
			return true
		}
	}
	if slices.ContainsFunc(n.items, func(it item) bool { return it.divisor != nil }) {
		return true
	}
	return n.set != nil && slices.ContainsFunc(n.set.conditions, func(c condition) bool { return c.value.query != nil && c.value.query.hasGroupOrRatio() })
}
