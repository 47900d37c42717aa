package grammar

import "askpg/catalog"

// havePhrase reads what follows "have" or "with": related things, attributes and what they are compared with.
func (p *parser) havePhrase(i int) []modifierCandidate {
	if i >= len(p.tokens) || p.steps > maxSteps {
		return nil
	}
	if r, ok := p.havePhrases[i]; ok {
		return r
	}
	p.havePhrases[i] = nil
	p.steps++
	var out []modifierCandidate
	add := func(m modifier, end int, cost float64) { out = append(out, modifierCandidate{m, end, cost}) }

	// at least two courses
	out = append(out, p.quantified(i, []string{"have"})...)
	// no courses
	for _, e := range p.ends(i, "no") {
		out = append(out, p.absence(e, []string{"have"})...)
	}
	// the most courses, the highest number of courses
	for _, tag := range []string{"most", "least"} {
		for _, e := range p.ends(i, tag) {
			for _, c := range p.noun(e) {
				if c.phrase.isEntity() {
					add(modifier{kind: modifierMostRows, phrase: c.phrase, descending: tag == "most", count: "1"}, c.end, c.cost)
				} else if c.phrase.isAttribute() && len(c.phrase.items) == 1 && c.phrase.items[0].attribute != nil {
					if anyNumeric(c.phrase.items[0].attribute) {
						add(modifier{kind: modifierSuperlative, attribute: c.phrase.items[0].attribute, descending: tag == "most", count: "1"}, c.end, c.cost+0.15)
					}
					add(modifier{kind: modifierMostRows, phrase: c.phrase, descending: tag == "most", count: "1"}, c.end, c.cost+0.5)
				}
			}
		}
	}
	// the highest population, the most recent date, the top 3 largest areas
	for _, d := range p.maybe(i, "article") {
		for _, top := range append([]int{d}, p.ends(d, "top")...) {
			n, e := p.number(top)
			if n == "" {
				n = "1"
			}
			for _, tag := range []string{"max", "min"} {
				for _, e2 := range p.ends(e, tag) {
					for _, o := range p.maybe(e2, "of_strict") {
						for _, c := range p.noun(o) {
							if len(c.phrase.items) == 1 && c.phrase.set == nil && c.phrase.items[0].attribute != nil && c.phrase.items[0].aggregate == "" {
								add(modifier{kind: modifierSuperlative, attribute: c.phrase.items[0].attribute, descending: tag == "max", count: n}, c.end, c.cost)
							} else if len(c.phrase.items) == 1 && c.phrase.items[0].aggregate != "" && len(c.phrase.group) == 0 {
								add(modifier{kind: modifierSuperlative, phrase: c.phrase, descending: tag == "max", count: n}, c.end, c.cost+0.1)
							}
						}
					}
				}
			}
			for e2, forms := range p.adjectives[min(e, len(p.tokens))] {
				for _, a := range forms {
					if a.degree != mostDegree {
						continue
					}
					for end, at := range p.mentions.attributes[e2] {
						add(modifier{kind: modifierSuperlative, attribute: at, descending: a.up, count: n}, end, 0.2+3*(1-at.candidates[0].score)/2)
					}
				}
			}
		}
	}
	// the lowest point, where that is a column of its own
	for _, d := range p.maybe(i, "article") {
		for end, a := range p.mentions.attributes[d] {
			b := &attribute{start: d, end: end}
			descending := false
			for _, c := range a.candidates {
				if m, up := p.measureOf(c.column); m != nil && c.score > 0.9 {
					b.candidates = append(b.candidates, columnCandidate{column: m, score: c.score})
					descending = up
				}
			}
			if len(b.candidates) > 0 {
				add(modifier{kind: modifierSuperlative, attribute: b, descending: descending, count: "1"}, end, 0.2)
			}
		}
	}
	// an age greater than 20, a greater weight than 10, 4 cylinders
	for _, d := range p.maybe(i, "article", "distinct", "pronoun") {
		for _, a := range p.attributes(d, true) {
			if len(a.phrase.items) != 1 {
				continue
			}
			it := a.phrase.items[0]
			if it.aggregate != "" {
				for _, c := range p.comparisons(a.end) {
					add(modifier{kind: modifierCompare, attribute: nil, phrase: a.phrase, op: c.op, value: c.value}, c.end, a.cost+c.cost+0.1)
				}
				continue
			}
			for _, c := range p.comparisons(a.end) {
				add(comparisonModifier(it.attribute, c), c.end, a.cost+c.cost)
			}
			for _, v := range p.values(a.end) {
				add(comparisonModifier(it.attribute, comparison{op: "=", values: v.phrase}), v.end, a.cost+v.cost+0.1)
			}
			for _, o := range p.maybe(a.end, "of_strict", "in") {
				if n, e := p.number(o); e > o {
					for _, u := range p.unit(e) {
						add(comparisonModifier(it.attribute, comparison{op: "=", value: operand{literals: []string{n}, plain: n}}), u, a.cost+0.1)
					}
				}
				if o > a.end {
					for _, v := range p.values(o) {
						add(comparisonModifier(it.attribute, comparison{op: "=", values: v.phrase}), v.end, a.cost+v.cost+0.15)
					}
				}
			}
			for _, dt := range p.date(a.end) {
				if dt.end > a.end {
					add(modifier{kind: modifierDate, date: &dt.dates, attribute: it.attribute}, dt.end, a.cost+dt.cost+0.1)
				}
			}
		}
		// a greater weight than 10
		for e, forms := range p.adjectives[min(d, len(p.tokens))] {
			for _, f := range forms {
				if f.degree != moreDegree {
					continue
				}
				op := "<"
				if f.up {
					op = ">"
				}
				for end, at := range p.mentions.attributes[e] {
					for _, than := range p.ends(end, "than") {
						for _, o := range p.operands(than) {
							add(modifier{kind: modifierCompare, attribute: at, op: op, value: o.value, phrase: o.phrase}, o.end, o.cost+3*(1-at.candidates[0].score)/2)
						}
					}
				}
			}
		}
	}
	for _, c := range append(comparators[:len(comparators):len(comparators)], struct{ tag, op string }{"", "="}) {
		starts := p.ends(i, c.tag)
		if c.tag == "" {
			starts = []int{i}
		}
		for _, s := range starts {
			n, e := p.number(s)
			if e == s {
				continue
			}
			for _, u := range p.unit(e) {
				for _, o := range p.maybe(u, "of_strict") {
					for end, at := range p.mentions.attributes[o] {
						if numericOnly := onlyNumeric(at); numericOnly != nil {
							add(modifier{kind: modifierCompare, attribute: numericOnly, op: c.op, value: operand{literals: []string{n}, plain: n}}, end, 0.15+3*(1-at.candidates[0].score)/2)
						}
					}
				}
			}
		}
	}
	// courses, a course in 2014, both cats and dogs
	for _, b := range p.maybe(i, "both", "either") {
		for _, c := range p.noun(b) {
			if c.phrase.isEntity() || c.phrase.isValue() {
				n := c.phrase
				if b > i && len(n.hits) > 1 && !n.alternatives {
					n = n.clone()
					n.eachValue = true
				}
				add(modifier{kind: modifierRelated, phrase: n, hints: []string{"have"}, eachValue: b > i}, c.end, c.cost+0.1)
			}
		}
	}
	out = keepModifiers(out)
	p.havePhrases[i] = out
	return out
}

// comparisonModifier says a comparison of an attribute.
func comparisonModifier(a *attribute, c comparison) modifier {
	m := modifier{kind: modifierCompare, attribute: a, op: c.op, value: c.value, phrase: c.phrase, date: c.date}
	if c.values != nil {
		m.phrase = c.values
	}
	return m
}

// onlyNumeric returns the readings of an attribute that are numbers, nil if there are none.
func onlyNumeric(a *attribute) *attribute {
	b := *a
	b.candidates = nil
	for _, c := range a.candidates {
		if c.column.Class == catalog.Number {
			b.candidates = append(b.candidates, c)
		}
	}
	if len(b.candidates) == 0 {
		return nil
	}
	return &b
}

// quantified reads a number of related things: "at least two courses".
func (p *parser) quantified(i int, hints []string) []modifierCandidate {
	var out []modifierCandidate
	for _, c := range comparators {
		for _, e := range p.ends(i, c.tag) {
			n, e2 := p.number(e)
			if e2 == e {
				continue
			}
			for _, x := range p.noun(e2) {
				if x.phrase.isEntity() || x.phrase.isAttribute() && len(x.phrase.items) == 1 && x.phrase.items[0].aggregate == "" {
					out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: x.phrase, hints: hints, quantifier: &quantifier{c.op, n}}, x.end, x.cost + attributeCost(x.phrase)})
				}
			}
		}
	}
	if n, e := p.number(i); e > i {
		for _, tag := range []string{"or_more", "or_less"} {
			for _, e2 := range p.ends(e, tag) {
				op := ">="
				if tag == "or_less" {
					op = "<="
				}
				for _, x := range p.noun(e2) {
					if x.phrase.isEntity() {
						out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: x.phrase, hints: hints, quantifier: &quantifier{op, n}}, x.end, x.cost})
					}
				}
			}
		}
		for _, x := range p.noun(e) {
			if x.phrase.isEntity() && x.phrase.number == "" {
				out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: x.phrase, hints: hints, quantifier: &quantifier{"=", n}}, x.end, x.cost + 0.2})
			}
		}
	}
	return out
}

// repetition is how many times something happens.
type repetition struct {
	op, count string
	end       int
}

// repetitions reads "twice", "more than once", "at least 3 times", "only once".
func (p *parser) repetitions(i int) []repetition {
	var out []repetition
	read := func(i int, op string) {
		n, e := p.number(i)
		if e == i {
			return
		}
		switch w := p.at(e).lower; {
		case w == "times" || w == "time":
			out = append(out, repetition{op, n, e + 1})
		case p.at(i).lower == "once" || p.at(i).lower == "twice":
			out = append(out, repetition{op, n, e})
		}
	}
	for _, c := range comparators {
		for _, e := range p.ends(i, c.tag) {
			read(e, c.op)
		}
	}
	read(i, "=")
	return out
}

// attributeCost is the cost to count the values of an attribute instead of things.
func attributeCost(n *phrase) float64 {
	if n.isAttribute() {
		return 0.4
	}
	return 0
}

// absence reads what there is none of.
func (p *parser) absence(i int, hints []string) []modifierCandidate {
	var out []modifierCandidate
	for _, d := range p.maybe(i, "article") {
		for _, c := range p.noun(d) {
			cost := c.cost
			if a := p.mentions.attributes[d][c.end]; a != nil && a.candidates[0].score >= 0.98 && c.phrase.isValue() {
				cost += 0.7 // the very name of a column is what is lacking
			}
			if c.phrase.isEntity() || c.phrase.isValue() {
				out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: c.phrase, hints: hints, negated: true}, c.end, cost})
			}
			out = append(out, p.lacking(c)...)
		}
	}
	return out
}

// usedUp reads "out of stock": there is nothing of an amount.
func (p *parser) usedUp(i int) []modifierCandidate {
	var out []modifierCandidate
	if !p.follows(i, []string{"out", "of"}) {
		return nil
	}
	for end, a := range p.mentions.attributes[i+2] {
		if number := onlyNumeric(a); number != nil {
			out = append(out, modifierCandidate{modifier{kind: modifierCompare, attribute: number, op: "<=", value: operand{literals: []string{"0"}, plain: "0"}}, end, 0.1 + 3*(1-number.candidates[0].score)/2})
		}
	}
	return out
}

// lacking reads the columns of which there is no value: "without phone", or
// without any of several: "without email or phone".
func (p *parser) lacking(c candidate) []modifierCandidate {
	if !c.phrase.isAttribute() {
		return nil
	}
	all := modifier{kind: modifierAll}
	for _, it := range c.phrase.items {
		if it.attribute == nil || it.aggregate != "" {
			return nil
		}
		all.parts = append(all.parts, modifier{kind: modifierCompare, attribute: it.attribute, op: "is null"})
	}
	out := []modifierCandidate{{all, c.end, c.cost + 0.3}}
	if len(all.parts) == 1 {
		out[0].modifier = all.parts[0]
	}
	for _, or := range p.ends(c.end, "or") {
		for _, next := range p.attributes(or, false) {
			for _, m := range p.lacking(next) {
				out = append(out, modifierCandidate{modifier{kind: modifierAll, parts: append(all.parts[:len(all.parts):len(all.parts)], m.modifier)}, m.end, c.cost + m.cost})
			}
		}
	}
	return out
}
