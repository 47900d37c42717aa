// Reading a whole sentence: its opening, its list of noun phrases, what stands before it.

package grammar

import "slices"

// sentences returns the token ranges of the question's sentences.
func (p *parser) sentences() (out [][2]int) {
	start := 0
	for i, t := range p.tokens {
		if t.kind == punctToken && p.at(max(0, i-1)).lower != "vs" && !p.isWithinValue(i) && (t.lower == "." || t.lower == "?" || t.lower == "!" || t.lower == ";") {
			if i > start {
				out = append(out, [2]int{start, i})
			}
			start = i + 1
		}
	}
	if len(p.tokens) > start {
		out = append(out, [2]int{start, len(p.tokens)})
	}
	return out
}

// isWithinValue reports whether token i is part of a value that begins before it: the dot of "Miller & Co. Ltd" ends no sentence.
func (p *parser) isWithinValue(i int) bool {
	for from := max(0, i-maxValueWords); from < i; from++ {
		for end := range p.mentions.values[from] {
			if end > i {
				return true
			}
		}
	}
	return false
}

// afterOpening returns the places after any number of opening words: "show me",
// "what are the", with how many words were left out.
func (p *parser) afterOpening(i, end int) []opening {
	seen := map[int]bool{i: true}
	queue := []opening{{at: i}}
	for _, e := range p.prepositions(i) {
		switch w := p.at(e).lower; {
		case w == "which" || w == "what":
			queue = append(queue, opening{e, 0.1, true}) // "through which states does it run"
		case w == "how" && p.at(e+1).lower == "many":
			queue = append(queue, opening{e, 0.1, false}) // "in how many towns do they live"
		}
	}
	for k := 0; k < len(queue); k++ {
		for _, e := range p.ends(queue[k].at, "opener", "comma") {
			named := e == queue[k].at+1 && (p.at(e).stem == "rate" && p.language.outcomeVerbs[p.tokens[queue[k].at].stem] || p.isNounBefore(queue[k].at)) // a return rate
			if !seen[e] && e < end && !named {
				seen[e] = true
				cost := queue[k].cost
				if e == queue[k].at+1 && (len(p.nameWords(queue[k].at)) > 0 || p.mentions.covered[queue[k].at]) && k > 0 {
					cost += 0.4 // "show name" asks for names
				}
				queue = append(queue, opening{e, cost, queue[k].places})
			}
		}
	}
	return queue
}

// isNounBefore reports whether a word that may tell what to do is the noun before another one in the name of a column: "order number". Lists
// and names are asked for more often.
func (p *parser) isNounBefore(i int) bool {
	if !slices.Contains([]string{"order", "return", "report", "rank"}, p.at(i).lower) {
		return false
	}
	for end, a := range p.mentions.attributes[i] {
		if end > i+1 && slices.ContainsFunc(a.candidates, func(c columnCandidate) bool { return c.score >= namedScore }) {
			return true
		}
	}
	return false
}

// opening is a place behind opening words ("show me"), with the cost of skipping them.
type opening struct {
	at     int
	cost   float64
	places bool // "in which years": of what is asked for, each is wanted once
}

// eachOnce makes readings of attributes those of their different values, where each is wanted once: "which towns do our clients live in".
func eachOnce(list []candidate, wanted func(*phrase) bool) []candidate {
	out := slices.Clone(list)
	for i, c := range out {
		if len(c.phrase.items) == 1 && wanted(c.phrase) && !c.phrase.hasAggregate() && len(c.phrase.group) == 0 && (c.phrase.set == nil || c.phrase.set.superlative == nil) {
			out[i].phrase = c.phrase.clone()
			out[i].phrase.distinct = true
		}
	}
	return out
}

// isOnlyFillers reports whether nothing but empty words are left before end.
func (p *parser) isOnlyFillers(i, end int) bool {
	if i >= end {
		return i == end
	}
	for _, e := range p.ends(i, "there", "noise", "now") {
		if p.tokens[i].lower == "total" && p.isColumnBehind(i) {
			continue // "the order total"
		}
		if p.isOnlyFillers(e, end) {
			return true
		}
	}
	if p.tokens[i].kind == punctToken {
		return p.isOnlyFillers(i+1, end)
	}
	return false
}

// isColumnBehind reports whether token i names a column of the things that are called right before it.
func (p *parser) isColumnBehind(i int) bool {
	return slices.ContainsFunc(p.mentions.attributes[i][i+1].all(), func(c columnCandidate) bool {
		return c.score >= namedScore && slices.ContainsFunc(p.mentions.relations[max(0, i-1)], func(m relationMention) bool { return m.end == i && m.relation == c.column.Relation })
	})
}

// statement reads a whole sentence, once: a sentence within one, behind "for each customer", is read from many sides.
func (p *parser) statement(i, end int) []candidate {
	at := [2]int{i, end}
	if _, done := p.statements[at]; !done {
		p.statements[at] = p.readStatement(i, end)
	}
	return slices.Clone(p.statements[at])
}

func (p *parser) readStatement(i, end int) (out []candidate) {
	if p.isExhausted() {
		return nil
	}
	p.steps++
	accept := func(list []candidate, cost float64) {
		for _, c := range list {
			if p.isOnlyFillers(c.end, end) {
				out = append(out, candidate{c.phrase, end, c.cost + cost})
			} else {
				for _, a := range p.afterthoughts(c, end) {
					out = append(out, candidate{a.phrase, end, a.cost + cost})
				}
			}
		}
	}
	for _, s := range p.afterOpening(i, end) {
		list := p.list(s.at, end)
		which := s.at > 0 && (p.tokens[s.at-1].lower == "which" || p.tokens[s.at-1].lower == "what")
		list = eachOnce(list, func(n *phrase) bool { return s.places || which && p.isPlural(n) })
		accept(list, s.cost)
		accept(p.howMuch(s.at), s.cost)
		accept(p.whereWhen(s.at, end), s.cost)
		accept(p.lastTime(s.at), s.cost)
		accept(each(p.ends(s.at, "how_often"), p.countOfVerbEvents), s.cost) // "how often was the bike lent"
		accept(p.ratios(s.at), s.cost)
		accept(p.howLong(s.at), s.cost)
		accept(p.countsOfTwoStates(s.at), s.cost)
		accept(p.forHowMany(s.at), s.cost)
		accept(p.busiestUnits(s.at), s.cost)
		accept(p.busiest(s.at), s.cost)
		accept(p.quantitySold(s.at), s.cost)
		accept(p.divided(s.at), s.cost)
		accept(p.spentBy(s.at), s.cost)
	}
	accept(p.whoClause(i), 0)
	accept(p.unnamedStock(i), 0)
	accept(p.askedFlag(i), 0)
	accept(p.askedWhether(i), 0)
	accept(p.reportsTo(i), 0)
	out = append(out, p.leadingClause(i, end)...)
	if p.hasOnAverage {
		out = p.averaged(out)
	}
	return cheapest(out, 24)
}

// cheapest returns the n readings of least cost.
func cheapest(list []candidate, n int) []candidate {
	for i := range list {
		list[i].end = 0
	}
	sortCandidates(list)
	if len(list) > n {
		list = list[:n]
	}
	return list
}

// list reads noun phrases joined by commas and "and", and what they have in
// common.
func (p *parser) list(i, end int) (out []candidate) {
	frontier := p.noun(i)
	// "which airlines have ...": the rest of the sentence is said of them
	for round := 0; round < 5 && len(frontier) > 0; round++ {
		var next []candidate
		for _, c := range frontier {
			if c.end <= end {
				out = append(out, c)
				next = append(next, p.listedNext(c, end)...)
			}
		}
		frontier = keepPerEnd(next)
		// what follows the list may be said of all of it
		frontier = keepPerEnd(append(frontier, p.extend(frontier)...))
	}
	return out
}

// listedNext reads the next phrase of a list that begins with c.
func (p *parser) listedNext(c candidate, end int) (out []candidate) {
	for _, comma := range p.maybe(c.end, "comma") {
		withs := slices.DeleteFunc(slices.Clone(p.ends(comma, "with")), func(with int) bool {
			return len(p.ends(with, "pronoun")) == 0 // "suppliers with their country"
		})
		for _, and := range append(p.maybe(comma, "and"), withs...) {
			if and == c.end {
				continue
			}
			with := slices.Contains(p.ends(comma, "with"), and)
			for _, o := range p.afterOpening(and, end) {
				for _, c2 := range p.secondPhrases(o.at, end) {
					for _, r := range p.merge(c.phrase, c2.phrase) {
						if with && c.phrase.set != nil && c2.phrase.set != nil && p.pointedTo(c.phrase.set, c2.phrase.set) {
							r.phrase.refusal = "" // "doctors with their department": each has one
						}
						out = append(out, candidate{r.phrase, c2.end, c.cost + c2.cost + r.cost + o.cost + 0.1})
					}
				}
			}
		}
	}
	return out
}

// secondPhrases reads a further phrase of a list: "their names", "how many there are".
func (p *parser) secondPhrases(i, end int) (all []candidate) {
	for _, d := range p.maybe(i, "pronoun") {
		all = append(all, p.noun(d)...)
		if d == i {
			all = append(all, p.howMuch(i)...)
		}
	}
	return slices.DeleteFunc(all, func(c candidate) bool { return c.phrase.isPronoun || c.end > end })
}
