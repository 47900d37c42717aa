// What follows a noun phrase without a word between: compounds, appositions, further values and attributes.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// adjacent reads what follows a phrase without a word between: compounds,
// appositions, further values and attributes.
func (p *parser) adjacent(c candidate) (out []candidate) {
	for _, read := range []func(candidate) []candidate{
		p.tableWord, p.valueOf, p.compound, p.apposedValue, p.apposedNumber, p.keyNumber, p.attributiveValue, p.placeWithin, p.possessed, p.furtherValues, p.furtherAttributes,
	} {
		out = append(out, read(c)...)
	}
	return out
}

// tableWords say behind the name of a table that it is one.
var tableWords = wordSet([]string{"table", "records", "record", "entries", "data"})

// tableWord reads "orders table", "customer records".
func (p *parser) tableWord(c candidate) []candidate {
	if c.phrase.isEntity() && len(c.phrase.group) == 0 && tableWords[p.at(c.end).lower] {
		return []candidate{{c.phrase, c.end + 1, c.cost + 0.05}}
	}
	return nil
}

// compound reads "singer names", "student's first name".
func (p *parser) compound(c candidate) (out []candidate) {
	n, i := c.phrase, c.end
	if !n.isValue() && (!n.isEntity() || len(n.group) > 0) {
		return nil
	}
	count := p.countBehind(n.words[0], i)
	if count > i && n.words[1] == i {
		if counted := p.counted(n); counted != nil {
			out = append(out, candidate{counted, count, c.cost + 0.05})
		}
	}
	for _, e := range p.maybe(i, "possessive") {
		possessive := e > i
		if !possessive && (n.isValue() || n.words[1] != i || count > i) {
			continue // a compound has nothing between its parts
		}
		for _, a := range p.attributes(e, possessive) {
			if !possessive && p.isFlagBehindNoun(i, a) {
				continue
			}
			for _, r := range p.attributeOf(a.phrase, n) {
				cost := c.cost + a.cost + r.cost
				if !possessive {
					cost += 0.1
				}
				out = append(out, candidate{r.phrase, a.end, cost})
			}
		}
	}
	return out
}

// isFlagBehindNoun reports whether an attribute that begins at i behind a noun says that something is so, and not what it is: "patients
// admitted", and not when; "stays include breakfast"; "wines in stock", and not how many.
func (p *parser) isFlagBehindNoun(i int, a candidate) bool {
	return a.phrase.isFlag() || p.at(i).lower == "in" || hasTime(a.phrase) && (p.isInflected(i) || p.isDated(a.end-1))
}

// countBehind returns where "count" or "total count" behind a noun ends that begins at token from: token i if there is none, or if
// the schema has a name with that word.
func (p *parser) countBehind(from, i int) int {
	end := i
	if p.at(end).lower == "total" {
		end++
	}
	if p.at(end).lower != "count" {
		return i
	}
	for from = min(from, i); from <= end; from++ {
		a := p.mentions.attributes[from][end+1]
		if a != nil && slices.ContainsFunc(a.candidates, func(c columnCandidate) bool { return slices.Contains(splitName(c.column.Name), "count") }) {
			return i
		}
	}
	return end + 1
}

// takesApposition reports whether a phrase is a noun alone, which may be followed by its value.
func takesApposition(c candidate) bool {
	return !c.phrase.isValue() && !c.phrase.isPronoun && c.phrase.words[1] == c.end
}

// apposedValue reads "airport 'AKO'", "airport code 'AKO'", "the state Texas".
func (p *parser) apposedValue(c candidate) (out []candidate) {
	i := c.end
	if !takesApposition(c) || i >= len(p.tokens) {
		return nil
	}
	if p.at(i).lower == "of" && c.phrase.isAttribute() && slices.Contains(p.language.whereNames, p.tokens[i-1].lower) {
		i++ // "the town of York"
	}
	quoted := p.at(i).kind == quotedToken
	for end, hits := range inOrder(p.mentions.values[i]) {
		v := &phrase{values: [][]valueMention{hits}, words: [2]int{i, end}}
		if quoted {
			v.literals = []string{literal(p.tokens[i].text)}
		}
		cost := c.cost + 2*(1-hits[0].score)
		if p.isInflected(i) && p.at(end).lower == "by" {
			cost++ // "paid by card" says how, and no state
		}
		called := candidates(p.apposition(c.phrase, v), end, cost)
		out = append(append(out, called...), p.apposedLastName(called)...)
	}
	if quoted && p.mentions.values[i][i+1] == nil {
		out = append(out, candidates(p.apposition(c.phrase, p.unknownText(i)), i+1, c.cost+0.3)...)
	}
	return out
}

// apposedLastName reads the last name behind the first one of somebody: "the owner Ann Lee", where both are columns of owners.
func (p *parser) apposedLastName(called []candidate) (out []candidate) {
	for _, c := range called {
		for end, hits := range inOrder(p.mentions.values[c.end]) {
			last := slices.DeleteFunc(slices.Clone(hits), func(h valueMention) bool {
				return c.phrase.set == nil || h.column.Relation != c.phrase.set.relation || !slices.Contains(p.lexicon.relationInfo[h.column.Relation].display, h.column) || speaksOf(c.phrase.set.conditions, h.column)
			})
			if len(last) > 0 {
				v := &phrase{values: [][]valueMention{last}, words: [2]int{c.end, end}}
				out = append(out, candidates(p.apposition(c.phrase, v), end, c.cost)...)
			}
		}
	}
	return out
}

// unknownText is the phrase of a quoted text that no column is known to hold.
func (p *parser) unknownText(i int) *phrase {
	return &phrase{literals: []string{literal(p.tokens[i].text)}, values: [][]valueMention{nil}, words: [2]int{i, i + 1}}
}

// apposedNumber reads "year 2014".
func (p *parser) apposedNumber(c candidate) (out []candidate) {
	n := c.phrase
	if !takesApposition(c) || !n.isAttribute() || len(n.items) != 1 || n.items[0].aggregate != "" {
		return nil
	}
	if slices.ContainsFunc(p.mentions.relations[n.words[0]], func(m relationMention) bool {
		return m.end == c.end && m.score >= namedScore && p.numberKey(m.relation, c.end) != nil
	}) {
		return nil // "invoice 80001" is one, and no amount
	}
	named := n.items[0].attribute
	if _, year := p.yearAt(c.end); year && slices.ContainsFunc(named.all(), func(c columnCandidate) bool { return p.isAdditive(c.column) }) {
		return nil // "total sales 2025"
	}
	for end, number := range p.amounts(c.end) {
		out = append(out, candidates(p.applyNumber(named, number), end, c.cost+0.2)...)
	}
	return out
}

// keyNumber reads "customer 10012", "the order 4711": the thing of that number.
func (p *parser) keyNumber(c candidate) (out []candidate) {
	n := c.phrase
	of := isSaid(p.tokens[n.words[0]:n.words[1]], "of") // its last word is another thing
	if !takesApposition(c) || !n.isEntity() || len(n.group) > 0 || of {
		return nil
	}
	key := p.numberKey(n.set.relation, c.end)
	if key == nil {
		return nil
	}
	for end, number := range p.amounts(c.end) {
		if end == c.end+1 {
			out = append(out, candidate{n.holding(condition{kind: compare, column: key, op: "=", value: number}), end, c.cost})
		}
	}
	return out
}

// numberKey returns the column of numbers that tells the rows of a relation apart, if the word before token i is one of them and a
// whole number that is no year is at i.
func (p *parser) numberKey(r *catalog.Relation, i int) *catalog.Column {
	key := p.lexicon.relationInfo[r].key
	t := p.at(i)
	if t.kind != numberToken || strings.ContainsAny(t.text, ".,") || singular(p.at(i-1).lower) != "" || len(key) != 1 || key[0].Class != catalog.Number {
		return nil
	}
	did := isSaid(p.tokens[:i], "did", "does")
	if p.at(i+1).kind == wordToken && !p.isFunction(i+1) && (len(t.text) == 1 || p.isVerb(i+1)) && !(did && p.isVerb(i+1)) {
		return nil // "product 5 star reviews", "order 3 days ago": the number may be of what follows
	}
	if _, year := p.yearAt(i); year {
		return nil
	}
	return key[0]
}

// attributiveValue reads a value before its head: "United Airlines flights", "Texas
// cities", "Texas population", "Asian languages".
func (p *parser) attributiveValue(c candidate) (out []candidate) {
	if !c.phrase.isValue() {
		return nil
	}
	for _, of := range p.ends(c.end, "possessive") {
		for _, h := range p.noun(of) { // "Ann's orders", "Ann's number of orders"
			if h.phrase.set == nil || len(h.phrase.group) > 0 {
				continue
			}
			out = append(out, candidates(p.apply(h.phrase, &modifier{kind: modifierRelated, phrase: c.phrase, hints: []string{"of"}}), h.end, c.cost+h.cost+0.1)...)
		}
	}
	for _, h := range p.heads(c.end) {
		switch {
		case h.phrase.isEntity():
			out = append(out, p.thingsOfValue(c, h)...)
		case h.phrase.isAttribute() && !c.phrase.eachValue:
			out = append(out, p.attributeOfValue(c, h)...)
		}
	}
	return out
}

// thingsOfValue says of the things that h is that they hold or are the value c.
func (p *parser) thingsOfValue(c, h candidate) (out []candidate) {
	for _, r := range p.apply(h.phrase, &modifier{kind: modifierRelated, phrase: c.phrase}) {
		cost := c.cost + h.cost + r.cost + 0.1
		whole := p.mentions.values[c.phrase.words[0]][h.end]
		switch {
		case p.isRowsOfName(r.phrase.set):
			cost = max(0, cost-0.45) // "the Colorado river": kind and name agree
		case len(whole) > 0 && whole[0].score > 0.9:
			cost += 0.5 // all of it is a value
		}
		out = append(out, candidate{r.phrase, h.end, cost})
	}
	return out
}

// attributeOfValue makes the attribute h one of the things that the value c is, or
// says that c is a value of it.
func (p *parser) attributeOfValue(c, h candidate) (out []candidate) {
	out = append(out, candidates(p.apply(h.phrase, &modifier{kind: modifierOf, phrase: c.phrase}), h.end, c.cost+h.cost+0.4)...)
	for _, r := range p.apposition(h.phrase, c.phrase) {
		cost := c.cost + h.cost + r.cost + 0.4
		if r.phrase.isValue() {
			cost -= 0.35
		}
		out = append(out, candidate{r.phrase, h.end, cost})
	}
	return out
}

// placeWithin reads "Austin Texas": a thing and where it is.
func (p *parser) placeWithin(c candidate) (out []candidate) {
	if !c.phrase.isValue() || len(c.phrase.values) != 1 {
		return nil
	}
	for end, hits := range inOrder(p.mentions.values[c.end]) {
		for _, v := range p.valueEntity(c.phrase) {
			for _, r := range p.applyValue(v.phrase, &modifier{kind: modifierRelated, phrase: &phrase{values: [][]valueMention{hits}}}) {
				if r.phrase.set.id == v.phrase.set.id && r.cost < 0.5 && refuseImpossibleSet(r.phrase.set) == "" {
					out = append(out, candidate{r.phrase, end, c.cost + v.cost + r.cost + 0.2 + 2*(1-hits[0].score)})
				}
			}
		}
	}
	return out
}

// furtherValues reads "English and French", "2014 or 2015".
func (p *parser) furtherValues(c candidate) (out []candidate) {
	if !c.phrase.isValue() {
		return nil
	}
	for _, comma := range p.maybe(c.end, "comma") {
		for e, and := range p.eitherOf(comma, "and", "or") {
			out = append(out, p.moreValues(c, e, !and, 0)...)
		}
		if comma > c.end {
			out = append(out, p.moreValues(c, comma, false, 0.3)...)
		}
	}
	return out
}

// furtherAttributes reads "id, name and age".
func (p *parser) furtherAttributes(c candidate) (out []candidate) {
	n := c.phrase
	if len(n.items) == 0 || n.isPronoun {
		return nil
	}
	for _, and := range p.behind(p.maybe(c.end, "comma"), "and") {
		if and == c.end {
			continue
		}
		for _, d := range p.maybe(and, "article") {
			for _, a := range p.attributes(d, false) {
				out = append(out, p.withAttributes(c, a)...)
			}
		}
	}
	return out
}

// withAttributes adds the attributes a to what c shows.
func (p *parser) withAttributes(c, a candidate) (out []candidate) {
	n := c.phrase
	if n.set == nil {
		m := n.clone()
		m.items = slices.Concat(n.items, a.phrase.items)
		return []candidate{{m, a.end, c.cost + a.cost + 0.05}}
	}
	if len(n.group) > 0 || n.hasAggregate() {
		return nil
	}
	out = append(out, candidates(p.addAttributes(n, a.phrase.items), a.end, c.cost+a.cost+0.1)...)
	return out
}

// moreValues reads a further value of a list of values, which begins at token from.
func (p *parser) moreValues(c candidate, from int, or bool, extra float64) (out []candidate) {
	for _, d := range p.maybe(from, "article") {
		for end, hits := range inOrder(p.mentions.values[d]) {
			m := c.phrase.clone()
			m.values = append(m.values[:len(m.values):len(m.values)], hits)
			if len(c.phrase.literals) > 0 && p.at(d).kind == quotedToken {
				m.literals = append(m.literals[:len(m.literals):len(m.literals)], literal(p.tokens[d].text))
			} else {
				m.literals = nil
			}
			m.alternatives = m.alternatives || or
			out = append(out, candidate{m, end, c.cost + extra + 0.05 + 2*(1-hits[0].score)})
		}
		if p.at(d).kind == quotedToken && p.mentions.values[d][d+1] == nil && len(c.phrase.literals) == len(c.phrase.values) {
			m := c.phrase.clone()
			m.values = append(m.values[:len(m.values):len(m.values)], nil)
			m.literals = append(m.literals[:len(m.literals):len(m.literals)], literal(p.tokens[d].text))
			m.alternatives = m.alternatives || or
			out = append(out, candidate{m, d + 1, c.cost + extra + 0.3})
		}
	}
	return out
}

// attributes reads attribute names and aggregates of them, without anything
// said after them.
func (p *parser) attributes(i int, possessive bool) (out []candidate) {
	for end, a := range inOrder(p.mentions.attributes[i]) {
		out = append(out, attributePhrase(a, i, end, a.nameCost()))
	}
	for _, e := range p.nameWords(i) {
		out = append(out, attributePhrase(&attribute{asksName: true, start: i, end: e}, i, e, 0.05))
	}
	for _, e := range p.ends(i, "count") {
		for end, a := range inOrder(p.mentions.attributes[e]) { // "wards with number of beds"
			if number := onlyNumeric(a); number != nil && a.candidates[0].score >= namedScore {
				out = append(out, attributePhrase(number, i, end, 0.2))
			}
		}
	}
	for _, a := range aggregateTags[:5] {
		for _, e := range p.ends(i, a.tag) {
			out = append(out, p.aggregatesOf(i, e, a.agg)...)
		}
	}
	for _, e := range p.ends(i, "article", "distinct", "pronoun") {
		if e > i && (possessive || p.tags[i]["pronoun"] == nil) {
			out = append(out, p.attributes(e, possessive)...)
		}
	}
	return out
}

// aggregatesOf reads the attribute at token e that an aggregate before it is of.
func (p *parser) aggregatesOf(i, e int, aggregate string) (out []candidate) {
	for end, at := range inOrder(p.mentions.attributes[e]) {
		c := attributePhrase(at, i, end, at.nameCost())
		if m, cost := p.aggregate(c.phrase, []string{aggregate}); m != nil {
			out = append(out, candidate{m, end, c.cost + cost})
		}
	}
	for _, m := range p.mentions.relations[e] { // "average rating": the stars of ratings
		if mark := p.onlyMark(m.relation); mark != nil {
			at := &attribute{candidates: []columnCandidate{{column: mark, score: m.score}}, start: e, end: m.end}
			c := attributePhrase(at, i, m.end, 0.1+at.nameCost())
			c.phrase.items[0].aggregate = aggregate
			out = append(out, c)
		}
	}
	return out
}

// attributePhrase is the reading of tokens as an attribute.
func attributePhrase(a *attribute, i, end int, cost float64) candidate {
	return candidate{&phrase{items: []item{{attribute: a}}, words: [2]int{i, end}}, end, cost}
}

// nameCost is what it costs to read words as the best of an attribute's columns.
func (a *attribute) nameCost() float64 { return 3 * (1 - a.candidates[0].score) / 2 }

// possessed reads "customer Ann's orders", "the Ford workshop's number of repairs", as "orders of customer Ann".
func (p *parser) possessed(c candidate) (out []candidate) {
	n := c.phrase
	if !n.isEntity() || len(n.group) > 0 || len(n.set.conditions) == 0 {
		return nil
	}
	for _, h := range p.nounsFrom(p.ends(c.end, "possessive")) {
		if h.phrase.set == nil || len(h.phrase.group) > 0 || h.phrase.set.relation == n.set.relation {
			continue
		}
		out = append(out, candidates(p.apply(h.phrase, &modifier{kind: modifierRelated, phrase: n, hints: []string{"of"}}), h.end, c.cost+h.cost+0.1)...)
	}
	return out
}
