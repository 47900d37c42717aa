package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// Costs of calling a column by less than its name, see misnamed.
const (
	nameless = answeredCost
	headless = 0.5
)

// noun returns the readings of the noun phrases that begin at token i, with all
// that is said of them after their head.
func (p *parser) noun(i int) []candidate {
	if i >= len(p.tokens) || p.steps > maxSteps {
		return nil
	}
	if r, ok := p.nounPhrases[i]; ok {
		return r
	}
	p.nounPhrases[i] = nil
	p.steps++
	before := keepPerEnd(p.prefixed(i))
	out := keepPerEnd(append(append(p.extend(p.heads(i)), before...), p.divide(before)...))
	p.nounPhrases[i] = out
	return out
}

// divide adds to phrases such as "number of orders" what they are divided or
// sorted by; all else is said of what is counted.
func (p *parser) divide(list []candidate) []candidate {
	var out []candidate
	frontier := list
	for round := 0; round < 3 && len(frontier) > 0; round++ {
		var next []candidate
		for _, c := range frontier {
			if len(c.phrase.items) == 0 && c.phrase.number == "" {
				continue
			}
			for _, m := range p.modifiers(c.end) {
				switch m.modifier.kind {
				case modifierGroup, modifierOrder, modifierDirection, modifierLimit, modifierNothing:
				case modifierRelated:
					if len(c.phrase.group) == 0 || !c.phrase.hasAggregate() {
						continue
					}
				case modifierDate:
					if !c.phrase.hasAggregate() {
						continue
					}
				default:
					continue
				}
				for _, r := range p.apply(c.phrase, &m.modifier) {
					next = append(next, candidate{r.phrase, m.end, c.cost + m.cost + r.cost})
				}
			}
		}
		frontier = keepPerEnd(next)
		out = append(out, frontier...)
	}
	return out
}

// prefixed reads the noun phrases that begin with a word about what follows:
// the, number of, average, the three largest.
func (p *parser) prefixed(i int) []candidate {
	var out []candidate
	for _, e := range p.ends(i, "article") {
		for _, c := range p.noun(e) {
			out = append(out, candidate{c.phrase, c.end, c.cost + 0.01})
		}
	}
	// "all 50 states": how many there are is no condition
	for _, e := range p.ends(i, "article") {
		if w := p.at(e - 1).lower; w == "all" || w == "the" || w == "of" {
			if n, e2 := p.number(e); e2 > e && n != "1" {
				for _, c := range p.noun(e2) {
					if c.phrase.isEntity() && w == "all" || c.phrase.isAttribute() && w == "all" {
						out = append(out, candidate{c.phrase, c.end, c.cost + 0.1})
					}
				}
			}
		}
	}
	for _, e := range p.ends(i, "distinct") {
		for _, c := range p.noun(e) {
			n := c.phrase.clone()
			n.distinct = true
			out = append(out, candidate{n, c.end, c.cost})
		}
	}
	for _, e := range p.ends(i, "count") {
		for _, c := range p.noun(e) {
			if n := p.counted(c.phrase); n != nil {
				cost := c.cost
				if len(p.mentions.attributes[i]) > 0 {
					cost += 0.2 // "amount" is a column's name
				}
				out = append(out, candidate{n, c.end, cost})
			}
			if c.phrase.isAttribute() && len(c.phrase.items) == 1 && c.phrase.items[0].attribute != nil && c.phrase.items[0].aggregate == "" {
				if number := onlyNumeric(c.phrase.items[0].attribute); number != nil && !p.isHeadcount(c.phrase.items[0]) {
					m := c.phrase.clone()
					m.items = []item{{attribute: number}}
					out = append(out, candidate{m, c.end, c.cost + 0.25})
				}
			}
		}
	}
	out = append(out, p.aggregated(i)...)
	out = append(out, p.superlative(i)...)
	// "discontinued products", "official languages"
	for end, a := range p.mentions.attributes[i] {
		if b := p.boolean(a); b != nil {
			for _, c := range p.noun(end) {
				if c.phrase.set == nil && !c.phrase.isAttribute() {
					continue
				}
				for _, r := range p.apply(c.phrase, &modifier{kind: modifierCompare, attribute: b, op: "true"}) {
					out = append(out, candidate{r.phrase, c.end, c.cost + r.cost + 0.1 + 3*(1-b.candidates[0].score)/2})
				}
			}
		}
	}
	// "paid invoices": those that have the time of it
	for end, a := range p.mentions.attributes[i] {
		if d := nullableTimes(a); d != nil && p.inflected(i) {
			for _, c := range p.noun(end) {
				if c.phrase.isEntity() {
					for _, r := range p.apply(c.phrase, &modifier{kind: modifierCompare, attribute: d, op: "is not null"}) {
						out = append(out, candidate{r.phrase, c.end, c.cost + r.cost + 0.1})
					}
				}
			}
		}
	}
	// "arriving flights"
	if p.directional(i) {
		for _, c := range p.noun(i + 1) {
			if c.phrase.isEntity() {
				m := c.phrase.clone()
				m.hints = append(m.hints, p.tokens[i].lower)
				out = append(out, candidate{m, c.end, c.cost + 0.2})
			}
		}
	}
	// "5 countries"
	if n, e := p.number(i); e > i {
		for _, c := range p.noun(e) {
			if c.phrase.number == "" && c.phrase.set != nil && (c.phrase.isEntity()) {
				m := c.phrase.clone()
				m.number = n
				out = append(out, candidate{p.ranked(m, []reading{{phrase: m}})[0].phrase, c.end, c.cost + 0.3})
			}
		}
	}
	// "monthly revenue"
	if unit, e := p.dateUnit(i); e > i && (strings.HasSuffix(p.at(i).lower, "ly") || unit == "year" && p.at(i).lower == "annual") {
		for _, c := range p.noun(e) {
			if len(c.phrase.group) > 0 || c.phrase.isValue() || c.phrase.pronoun {
				continue
			}
			for _, r := range p.applyGroup(c.phrase, &modifier{kind: modifierGroup, op: unit}) {
				out = append(out, candidate{r.phrase, c.end, c.cost + r.cost})
			}
		}
	}
	for _, tag := range []string{"top", "bottom"} {
		for _, e := range p.ends(i, tag) {
			n, e2 := p.number(e)
			if e2 == e {
				continue
			}
			for _, c := range p.noun(e2) {
				if (c.phrase.isEntity() || c.phrase.isAttribute() || c.phrase.set != nil && !c.phrase.hasAggregate()) && c.phrase.number == "" {
					m := c.phrase.clone()
					m.number, m.bottom = n, tag == "bottom"
					out = append(out, candidate{p.ranked(m, []reading{{phrase: m}})[0].phrase, c.end, c.cost + 0.2})
				}
			}
		}
	}
	for _, tag := range []string{"popular", "unpopular"} {
		for _, e := range p.ends(i, tag) {
			n, e2 := p.number(e)
			if e2 == e {
				n = "1"
			}
			for _, c := range p.noun(e2) {
				for _, r := range p.mostCommon(c.phrase, tag == "popular", n) {
					out = append(out, candidate{r.phrase, c.end, c.cost + r.cost})
				}
			}
		}
	}
	return out
}

// superlative reads "the oldest singer", "3 youngest singers", "top 5 largest
// countries".
func (p *parser) superlative(i int) []candidate {
	var out []candidate
	type start struct {
		end int
		n   string
	}
	starts := []start{{i, ""}}
	if n, e := p.number(i); e > i {
		starts = append(starts, start{e, n})
	}
	for _, e := range p.ends(i, "top") {
		if n, e2 := p.number(e); e2 > e {
			starts = append(starts, start{e2, n})
		}
	}
	for _, s := range starts {
		for e, forms := range p.adjectives[min(s.end, len(p.tokens))] {
			n, next := s.n, e
			if n == "" {
				if k, e2 := p.number(e); e2 > e {
					n, next = k, e2
				}
			}
			for _, a := range forms {
				if a.degree != mostDegree {
					continue
				}
				if n == "" {
					n = "1"
				}
				for _, c := range p.noun(next) {
					for _, r := range p.extremeByAdjective(c.phrase, a, n, s.end, e) {
						out = append(out, candidate{r.phrase, c.end, c.cost + r.cost})
					}
				}
			}
		}
	}
	// "the first order", "last 5 payments"
	for _, tag := range []string{"earliest", "latest"} {
		for _, e := range p.ends(i, tag) {
			n, next := p.number(e)
			if next == e {
				n = "1"
			}
			for _, c := range p.noun(next) {
				if !c.phrase.isEntity() {
					continue
				}
				for _, r := range p.applyFirstOrLast(c.phrase, &modifier{descending: tag == "latest", count: n}) {
					out = append(out, candidate{r.phrase, c.end, c.cost + r.cost + 0.15})
				}
			}
		}
	}
	return out
}

// heads returns the readings of the heads of noun phrases at i.
func (p *parser) heads(i int) []candidate {
	out := p.measureHeads(i)
	for _, r := range p.mentions.relations[i] {
		n := p.entity(r.relation)
		n.words = [2]int{r.start, r.end}
		cost := 3.2*(1-r.score) + 0.1
		if r.score < 0.9 && r.end > r.start+1 {
			for _, a := range p.mentions.attributes[r.end-1] {
				if a.end == r.end && a.candidates[0].score >= 0.98 {
					cost += 0.5 // the last word is a column's very name, and none of the relation's
				}
			}
		}
		out = append(out, candidate{n, r.end, cost})
	}
	for end, a := range p.mentions.attributes[i] {
		n := &phrase{items: []item{{attribute: a}}, words: [2]int{i, end}}
		cost := 3 * (1 - a.candidates[0].score) / 2
		for _, r := range p.mentions.relations[i] {
			if r.end == end && r.score >= 0.95 {
				cost += 0.3 // the words are the name of a relation
				if a.candidates[0].score < 0.99 {
					cost += 0.3
				}
				break
			}
		}
		cost += p.partialNameCost(a)
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
	out = append(out, p.flagged(i)...)
	for _, e := range p.nameWords(i) {
		out = append(out, candidate{&phrase{items: []item{{attribute: &attribute{asksName: true, start: i, end: e}}}, words: [2]int{i, e}}, e, 0.05})
	}
	for end, hits := range p.mentions.values[i] {
		n := &phrase{hits: [][]hit{hits}, words: [2]int{i, end}}
		cost := 1 - hits[0].score
		if p.at(i).kind == quotedToken {
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
		if a := p.mentions.attributes[i][end]; singular(p.tokens[end-1].lower) != "" && (a == nil || a.candidates[0].score < namedScore) {
			for _, k := range p.kindOf(n) {
				out = append(out, candidate{k.phrase, end, cost*2 + k.cost})
			}
		}
	}
	if p.at(i).kind == quotedToken && p.mentions.values[i][i+1] == nil {
		out = append(out, candidate{&phrase{literals: []string{literal(p.tokens[i].text)}, hits: [][]hit{nil}, words: [2]int{i, i + 1}}, i + 1, 0.3})
	}
	for _, e := range p.ends(i, "pronoun") {
		out = append(out, candidate{&phrase{pronoun: true, words: [2]int{i, e}}, e, 0.2})
	}
	return out
}

// flagged reads the name of a flag in the plural as the things that have it:
// "contractors" are employees of whom is_contractor is true.
func (p *parser) flagged(i int) []candidate {
	var out []candidate
	for end, a := range p.mentions.attributes[i] {
		if singular(p.tokens[end-1].lower) == "" {
			continue
		}
		for _, c := range a.candidates {
			if text, ok := truth(c.column); ok && c.column.Class == catalog.Boolean && c.score >= namedScore && splitName(c.column.Name)[0] == "is" {
				n := p.entity(c.column.Relation)
				n.set = n.set.with(condition{kind: compare, column: c.column, op: "=", value: operand{literals: []string{text}, plain: "true"}})
				n.words = [2]int{i, end}
				out = append(out, candidate{n, end, kindCost})
			}
		}
	}
	return out
}

// partialNameCost is what it costs to call a column by a part of its name that is
// not what it is: a time by what it is the time of ("customers" for
// customer_since), a thing by what is done with it ("included" for
// seats_included), or any by what stands before its last word ("units" for
// unit_price).
func (p *parser) partialNameCost(a *attribute) float64 {
	c := a.candidates[0]
	if c.label == nil || c.label.comment || a.fromAdjective {
		return 0
	}
	said := p.tokens[a.end-1].lower
	if timed := c.column.Class == catalog.Date || c.column.Class == catalog.Timestamp; timed && strings.HasSuffix(said, "ed") && len(c.label.words) > a.end-a.start {
		return nameless
	}
	if done := strings.HasSuffix(said, "ed") && (c.score < 0.9 || !slices.Contains(c.label.words, said)); done {
		return nameless
	}
	if c.score >= 0.9 {
		return 0
	}
	if c.column.Class == catalog.Date || c.column.Class == catalog.Timestamp {
		return nameless
	}
	last := len(c.label.stems) - 1
	for last > 0 && (c.label.optional[last] || p.isIdentifier(c.column)) {
		last--
	}
	for k := a.start; k < a.end; k++ {
		if s := p.tokens[k].stem; s == c.label.stems[last] || p.lexicon.synonymous(s, c.label.stems[last]) {
			return 0
		}
	}
	return headless
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
func (p *parser) extend(heads []candidate) []candidate {
	all := keepPerEnd(heads)
	frontier := all
	for round := 0; round < 8 && len(frontier) > 0; round++ {
		var next []candidate
		for _, c := range frontier {
			if p.steps > maxSteps {
				break
			}
			p.steps++
			next = append(next, p.adjacent(c)...)
			for _, m := range p.modifiers(c.end) {
				if c.cost+m.cost > maxCost {
					continue
				}
				for _, r := range p.apply(c.phrase, &m.modifier) {
					next = append(next, candidate{r.phrase, m.end, c.cost + m.cost + r.cost})
				}
			}
		}
		next = keepPerEnd(next)
		all = append(all, next...)
		frontier = next
	}
	return keepPerEnd(all)
}
