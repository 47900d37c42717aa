package grammar

// modifiers returns what may be said after a noun phrase that ends at i.
func (p *parser) modifiers(i int) []modifierCandidate {
	if i >= len(p.tokens) || p.steps > maxSteps {
		return nil
	}
	if r, ok := p.modifiersAt[i]; ok {
		return r
	}
	p.modifiersAt[i] = nil
	p.steps++
	var out []modifierCandidate
	add := func(m modifier, end int, cost float64) { out = append(out, modifierCandidate{m, end, cost}) }

	for _, e := range p.ends(i, "of_strict") {
		for _, c := range p.noun(e) {
			add(modifier{kind: modifierOf, phrase: c.phrase}, c.end, c.cost)
		}
	}
	for _, e := range p.ends(i, "in") {
		for _, c := range p.noun(e) {
			if p.at(i).lower == "by" && e == i+1 && p.isKey(c.phrase) && (i == 0 || !p.inflected(i-1)) {
				continue
			}
			add(modifier{kind: modifierRelated, phrase: c.phrase, hints: p.wordsBetween(i, e)}, c.end, c.cost+0.05)
		}
	}
	for _, d := range p.date(i) {
		if d.end > i {
			add(modifier{kind: modifierDate, date: &d.dates}, d.end, d.cost)
		}
	}
	for _, e := range p.ends(i, "with") {
		for _, m := range p.havePhrase(e) {
			add(m.modifier, m.end, m.cost)
		}
	}
	for end, a := range p.mentions.attributes[i] {
		if b := p.boolean(a); b != nil {
			add(modifier{kind: modifierCompare, attribute: b, op: "true"}, end, 0.25+3*(1-b.candidates[0].score)/2)
		}
	}
	out = append(out, p.usedUp(i)...)
	for _, e := range p.ends(i, "without") {
		out = append(out, p.absence(e, p.wordsBetween(i, e))...)
	}
	for _, e := range p.ends(i, "except") {
		for _, c := range p.noun(e) {
			add(modifier{kind: modifierExcept, phrase: c.phrase}, c.end, c.cost)
		}
	}
	for _, e := range p.ends(i, "relative") {
		for _, m := range p.verbPhrase(e) {
			add(m.modifier, m.end, m.cost)
		}
		for _, m := range p.inverted(e) {
			add(m.modifier, m.end, m.cost+0.1)
		}
	}
	if len(p.ends(i, "do", "be_bare")) > 0 {
		for _, m := range p.inverted(i) {
			add(m.modifier, m.end, m.cost+0.1)
		}
	}
	// "they are arranged to teach", "they teach"
	for _, e := range p.ends(i, "pronoun") {
		for _, d := range p.maybe(e, "do", "be_bare") {
			for _, v := range p.verbEnds(d) {
				add(modifier{kind: modifierNothing}, v.end, v.cost+0.1)
				if p.at(v.end).lower == "to" && p.isVerb(v.end+1) {
					add(modifier{kind: modifierNothing}, v.end+2, v.cost+0.1)
				}
			}
		}
	}
	for _, e := range p.ends(i, "whose") {
		for _, m := range p.whose(e) {
			add(m.modifier, m.end, m.cost)
		}
	}
	for _, e := range p.ends(i, "group") {
		for _, k := range p.keys(e) {
			add(k.modifier, k.end, k.cost)
		}
	}
	for _, e := range p.ends(i, "named") {
		for _, v := range p.values(e) {
			add(modifier{kind: modifierNamed, phrase: v.phrase}, v.end, v.cost)
		}
	}
	out = append(out, p.ordering(i)...)
	out = append(out, p.comparative(i)...)
	// a relative clause without its pronoun, a participle
	for _, m := range p.verbPhrase(i) {
		add(m.modifier, m.end, m.cost+0.25)
	}
	for _, m := range p.measured(i) {
		add(m.modifier, m.end, m.cost)
	}
	if p.at(i).lower == "in" && !currency[p.at(i+1).lower] {
		for _, u := range p.unit(i + 1) {
			if u > i+1 {
				add(modifier{kind: modifierNothing}, u, 0.1)
			}
		}
	}
	for _, e := range p.ends(i, "noise", "now") {
		for _, m := range p.modifiers(e) {
			add(m.modifier, m.end, m.cost+0.1)
		}
	}
	// ", with ...", "and whose ...", "and that ..."
	for _, cm := range p.maybe(i, "comma") {
		for _, and := range p.maybe(cm, "and") {
			if and == i {
				continue
			}
			for _, m := range p.modifiers(and) {
				if m.modifier.leading || m.modifier.kind == modifierDate && m.modifier.attribute == nil && m.modifier.date.isClosed() && p.saysTime(i) {
					continue // two times of one thing are a list, see date
				}
				add(m.modifier, m.end, m.cost+0.12)
			}
		}
	}
	out = append(out, p.alternatives(out)...)
	out = keepModifiers(out)
	p.modifiersAt[i] = out
	return out
}

// currency words are units that choose rows where there are several: "paid in
// dollars" is not said for nothing.
var currency = wordSet([]string{"dollars", "usd", "euros", "eur", "bucks", "us", "people"})

// alternatives reads "A or B" where B is a modifier of its own.
func (p *parser) alternatives(list []modifierCandidate) []modifierCandidate {
	var out []modifierCandidate
	for _, a := range keepModifiers(append([]modifierCandidate(nil), list...)) {
		for _, e := range p.ends(a.end, "or") {
			if a.modifier.kind == modifierGroup || a.modifier.kind == modifierOrder {
				continue
			}
			bs := append(append([]modifierCandidate(nil), p.modifiers(e)...), p.verbPhrase(e)...)
			if a.modifier.kind == modifierRelated && len(a.modifier.hints) > 0 || a.modifier.kind == modifierCompare {
				bs = append(bs, p.havePhrase(e)...)
			}
			for _, b := range bs {
				if b.modifier.kind == modifierGroup || b.modifier.kind == modifierOrder || b.modifier.kind == modifierAny {
					continue
				}
				out = append(out, modifierCandidate{modifier{kind: modifierAny, parts: []modifier{a.modifier, b.modifier}}, b.end, a.cost + b.cost + 0.2})
			}
		}
	}
	return out
}

// isKey reports whether a phrase after "by" says what is divided by it: a kind
// of thing or of time, and none of its own.
func (p *parser) isKey(n *phrase) bool {
	if n.isValue() {
		_, e := p.dateUnit(n.words[0])
		return e > n.words[0]
	}
	return n.isEntity() && len(n.set.conditions) == 0 && n.set.superlative == nil && n.number == ""
}

// wordsBetween returns the words of tokens in lower case.
func (p *parser) wordsBetween(i, j int) []string {
	var out []string
	for ; i < j; i++ {
		out = append(out, p.tokens[i].lower)
	}
	return out
}

// keys reads what something is counted or added up for each of.
func (p *parser) keys(i int) []modifierCandidate {
	var out []modifierCandidate
	for _, d := range p.maybe(i, "article", "distinct") {
		for unit, words := range p.language.dates.Units {
			for _, w := range words {
				if p.at(d).lower == w {
					out = append(out, modifierCandidate{modifier{kind: modifierGroup, op: unit}, d + 1, 0.3})
				}
			}
		}
	}
	for _, c := range p.noun(i) {
		if c.phrase.isValue() || c.phrase.pronoun {
			continue
		}
		out = append(out, modifierCandidate{modifier{kind: modifierGroup, phrase: c.phrase}, c.end, c.cost + 0.05})
	}
	return out
}

// ordering reads "ordered by age", "in descending order of age".
func (p *parser) ordering(i int) []modifierCandidate {
	var out []modifierCandidate
	dir := func(i int, f func(descending bool, end int, cost float64)) {
		for _, tag := range []string{"asc", "desc"} {
			for _, e := range p.ends(i, tag) {
				f(tag == "desc", e, 0)
			}
		}
	}
	starts := append([]int(nil), p.ends(i, "order")...)
	for _, c := range p.ends(i, "comma") {
		starts = append(starts, p.ends(c, "order")...)
	}
	for _, and := range p.ends(i, "and") {
		starts = append(starts, p.ends(and, "order")...)
	}
	for _, e := range starts {
		// "in descending order of age"
		dir(e, func(descending bool, e int, _ float64) {
			for _, o := range p.maybe(e, "of_strict", "in", "by") {
				for _, by := range p.maybe(o, "by") {
					for _, k := range p.orderKeys(by) {
						out = append(out, modifierCandidate{modifier{kind: modifierOrder, phrase: k.phrase, descending: descending}, k.end, k.cost})
					}
				}
			}
			out = append(out, modifierCandidate{modifier{kind: modifierDirection, descending: descending}, e, 0.3})
		})
		if p.at(i).lower == "in" && e == i+1 {
			continue
		}
		for _, k := range p.orderKeys(e) {
			out = append(out, modifierCandidate{modifier{kind: modifierOrder, phrase: k.phrase}, k.end, k.cost + 0.02})
			for _, in := range p.maybe(k.end, "comma") {
				for _, in2 := range p.maybe(in, "in", "and") {
					dir(in2, func(descending bool, e int, _ float64) {
						out = append(out, modifierCandidate{modifier{kind: modifierOrder, phrase: k.phrase, descending: descending}, e, k.cost})
					})
				}
			}
		}
	}
	for _, e := range append([]int{i}, p.ends(i, "comma")...) {
		out = append(out, p.ranks(e)...)
	}
	for _, e := range append(append([]int{i}, p.ends(i, "comma")...), p.ends(i, "order")...) {
		dir(e, func(descending bool, end int, _ float64) {
			out = append(out, modifierCandidate{modifier{kind: modifierDirection, descending: descending}, end, 0.1})
			for _, o := range p.maybe(end, "of_strict", "in") {
				for _, by := range p.maybe(o, "by") {
					if by == end {
						continue
					}
					for _, k := range p.orderKeys(by) {
						out = append(out, modifierCandidate{modifier{kind: modifierOrder, phrase: k.phrase, descending: descending}, k.end, k.cost})
					}
				}
			}
		})
	}
	return out
}

// ranks reads how much of a list is wanted and what comes first in it: "top 5",
// "newest first", "most expensive first".
func (p *parser) ranks(i int) []modifierCandidate {
	var out []modifierCandidate
	for _, tag := range []string{"top", "bottom"} {
		for _, e := range p.ends(i, tag) {
			if n, end := p.number(e); end > e {
				out = append(out, modifierCandidate{modifier{kind: modifierLimit, count: n, descending: tag == "top"}, end, 0.2})
			}
		}
	}
	for _, tag := range []string{"latest", "earliest"} {
		for _, e := range p.ends(i, tag) {
			if p.at(e).lower == "first" {
				out = append(out, modifierCandidate{modifier{kind: modifierDirection, date: &dateRange{}, descending: tag == "latest"}, e + 1, 0.1})
			}
		}
	}
	for e, forms := range p.adjectives[min(i, len(p.tokens))] {
		for _, a := range forms {
			if a.degree != mostDegree || p.at(e).lower != "first" {
				continue
			}
			m := modifier{kind: modifierDirection, adjective: &a, descending: a.up}
			if late, ok := a.ofTime(); ok {
				m.date, m.descending = &dateRange{}, late
			}
			out = append(out, modifierCandidate{m, e + 1, 0.1})
		}
	}
	return out
}

// orderKeys reads what an answer is ordered by.
func (p *parser) orderKeys(i int) []candidate {
	var out []candidate
	for _, d := range p.maybe(i, "pronoun", "article") {
		for _, c := range p.noun(d) {
			if !c.phrase.isValue() && !c.phrase.pronoun {
				out = append(out, c)
			}
		}
	}
	// "by age and name" is two keys: only single attributes are read here
	for _, d := range p.maybe(i, "pronoun", "article") {
		out = append(out, p.attributes(d, true)...)
	}
	return keepPerEnd(out)
}
