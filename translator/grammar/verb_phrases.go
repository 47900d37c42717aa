package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// verbPhrase reads what a subject does or is.
func (p *parser) verbPhrase(i int) []modifierCandidate {
	if i >= len(p.tokens) || p.steps > maxSteps {
		return nil
	}
	if r, ok := p.verbPhrases[i]; ok {
		return r
	}
	p.verbPhrases[i] = nil
	p.steps++
	var out []modifierCandidate
	for _, d := range p.maybe(i, "do") {
		for _, n := range p.maybe(d, "not") {
			negated := n > d
			out = append(out, p.predicate(n, negated)...)
		}
	}
	// "not" before "do": never did; n't
	for _, n := range p.ends(i, "not") {
		out = append(out, p.predicate(n, true)...)
	}
	out = keepModifiers(out)
	// and: what the subject does besides
	var more []modifierCandidate
	for _, a := range out {
		for _, cm := range p.maybe(a.end, "comma") {
			for _, e := range p.ends(cm, "and") {
				for _, b := range p.verbPhrase(e) {
					more = append(more, modifierCandidate{modifier{kind: modifierAll, parts: []modifier{a.modifier, b.modifier}}, b.end, a.cost + b.cost + 0.1})
				}
			}
		}
		for _, e := range p.ends(a.end, "or") {
			for _, b := range p.verbPhrase(e) {
				more = append(more, modifierCandidate{modifier{kind: modifierAny, parts: []modifier{a.modifier, b.modifier}}, b.end, a.cost + b.cost + 0.1})
			}
		}
	}
	out = keepModifiers(append(out, more...))
	p.verbPhrases[i] = out
	return out
}

// predicate reads one verb and what belongs to it.
func (p *parser) predicate(i int, negated bool) []modifierCandidate {
	var out []modifierCandidate
	add := func(m modifier, end int, cost float64) {
		if negated {
			if m.kind == modifierRelated && m.quantifier == nil && !m.negated {
				m.negated = true
			} else {
				m = modifier{kind: modifierNot, parts: []modifier{m}}
			}
		}
		out = append(out, modifierCandidate{m, end, cost})
	}
	for _, e := range p.ends(i, "have") {
		for _, m := range p.havePhrase(e) {
			add(m.modifier, m.end, m.cost)
		}
		if negated {
			for _, d := range p.ends(e, "article") {
				for _, m := range p.havePhrase(d) {
					add(m.modifier, m.end, m.cost)
				}
			}
		}
	}
	for _, e := range p.ends(i, "be_bare") {
		for _, nt := range p.maybe(e, "not") {
			was := negated
			negated = negated != (nt > e)
			for _, m := range p.complement(nt) {
				add(m.modifier, m.end, m.cost)
			}
			negated = was
		}
	}
	for _, m := range p.measured(i) {
		add(m.modifier, m.end, m.cost)
	}
	for _, m := range p.verb(i) {
		add(m.modifier, m.end, m.cost)
	}
	if !negated {
		// "were made", "play there": true of everything that there is
		for _, b := range p.maybe(i, "be_bare") {
			if p.isVerb(b) && p.saysNothing(b) {
				cost := 0.5
				if b > i {
					cost = 0.35
				}
				if len(p.ends(b+1, "group")) > 0 {
					cost = 0.1
				}
				if p.at(b+1).lower == "there" || len(p.ends(b+1, "pronoun")) > 0 {
					out = append(out, modifierCandidate{modifier{kind: modifierNothing}, b + 2, 0.2})
				}
				out = append(out, modifierCandidate{modifier{kind: modifierNothing}, b + 1, cost})
			}
		}
	}
	return out
}

// saysNothing reports whether the verb at i is true of all that there is:
// "reviews that were written". One that names a relation, or that only some
// things do, is not left out.
func (p *parser) saysNothing(i int) bool {
	t := p.tokens[i]
	named := slices.ContainsFunc(p.mentions.relations[i], func(r relationMention) bool { return r.score > 0.9 })
	return !named && !p.language.outcomes[t.stem] && !p.isTimeElsewhere(i)
}

// isTimeElsewhere reports whether a verb is the name of a time of relations of
// which the question names none: "patients admitted" are not all patients.
func (p *parser) isTimeElsewhere(i int) bool {
	a := p.mentions.attributes[i][i+1]
	return a != nil && a.candidates[0].score >= 0.7 && !slices.ContainsFunc(a.candidates, func(c columnCandidate) bool {
		return c.column.Class != catalog.Date && c.column.Class != catalog.Timestamp || p.names(c.column.Relation)
	})
}

// complement reads what follows "is" or "are".
func (p *parser) complement(i int) []modifierCandidate {
	var out []modifierCandidate
	add := func(m modifier, end int, cost float64) { out = append(out, modifierCandidate{m, end, cost}) }
	for _, m := range p.comparative(i) {
		add(m.modifier, m.end, m.cost)
	}
	for _, d := range p.ends(i, "article") {
		for _, m := range p.comparative(d) {
			add(m.modifier, m.end, m.cost)
		}
	}
	// "are between 20 and 40 years old"
	for _, c := range p.comparisons(i) {
		if c.phrase != nil || c.values != nil || len(c.value.literals) == 0 || c.end == i {
			continue
		}
		for _, a := range p.adjectives[c.end-1][c.end] {
			if a := a; a.degree == baseDegree {
				add(modifier{kind: modifierComparative, adjective: &a, op: c.op, value: c.value}, c.end, c.cost+0.05)
			}
		}
	}
	for _, v := range p.values(i) {
		add(modifier{kind: modifierRelated, phrase: v.phrase}, v.end, v.cost+0.1)
	}
	for _, e := range p.ends(i, "in") {
		for _, c := range p.noun(e) {
			add(modifier{kind: modifierRelated, phrase: c.phrase, hints: p.wordsBetween(i, e)}, c.end, c.cost+0.05)
		}
	}
	for _, d := range p.date(i) {
		if d.end > i {
			add(modifier{kind: modifierDate, date: &d.dates}, d.end, d.cost+0.1)
		}
	}
	for _, e := range p.ends(i, "named") {
		for _, v := range p.values(e) {
			add(modifier{kind: modifierNamed, phrase: v.phrase}, v.end, v.cost)
		}
	}
	for _, m := range append(p.verb(i), p.usedUp(i)...) {
		add(m.modifier, m.end, m.cost)
	}
	// a boolean column: "is active", "are official"
	for end, a := range p.mentions.attributes[i] {
		if b := p.boolean(a); b != nil {
			add(modifier{kind: modifierCompare, attribute: b, op: "true"}, end, 0.1+3*(1-b.candidates[0].score)/2)
		}
	}
	return out
}

// measured reads verbs that stand for a measure: "weighs more than 10".
func (p *parser) measured(i int) []modifierCandidate {
	if i >= len(p.tokens) {
		return nil
	}
	words, ok := p.language.measures[p.tokens[i].stem]
	if !ok || len(words) == 0 || p.tokens[i].kind != wordToken {
		return nil
	}
	a := p.attributeNamed(words, nil, i, i+1)
	if a == nil {
		return nil
	}
	var out []modifierCandidate
	for _, c := range p.comparisons(i + 1) {
		out = append(out, modifierCandidate{comparisonModifier(a, c), c.end, c.cost + 0.1})
	}
	for _, tag := range []string{"most", "least"} {
		for _, e := range p.ends(i+1, tag) {
			out = append(out, modifierCandidate{modifier{kind: modifierSuperlative, attribute: a, descending: tag == "most", count: "1"}, e, 0.2})
		}
	}
	return out
}

// verb reads a verb of relation and its object: "teach math", "run through
// texas", "directed by Ben Jones", "written".
func (p *parser) verb(i int) []modifierCandidate {
	if i >= len(p.tokens) {
		return nil
	}
	var out []modifierCandidate
	add := func(m modifier, end int, cost float64) { out = append(out, modifierCandidate{m, end, cost}) }
	type head struct {
		end        int
		attributes []*attribute
		relation   *relationMention
		cost       float64
	}
	var heads []head
	named := 0.0
	for _, r := range p.mentions.relations[i] {
		if r.end == i+1 && r.score > 0.9 {
			named = 0.8 // the verb names a relation: that is the one meant
		}
	}
	if p.isVerb(i) {
		heads = append(heads, head{end: i + 1, cost: named})
	}
	if p.directional(i) {
		heads = append(heads, head{end: i + 1, cost: 0.05 + named})
	}
	// a verb that is the name of a column or of a connecting relation
	for end, a := range p.mentions.attributes[i] {
		if a = p.notIdentifiers(a); a != nil && a.candidates[0].score >= 0.6 && (p.inflected(i) || p.at(end-1).lower == "by" || p.at(end).lower == "by") {
			heads = append(heads, head{end: end, attributes: []*attribute{a}, cost: 3 * (1 - a.candidates[0].score) / 2})
		}
	}
	for k := range p.mentions.relations[i] {
		r := &p.mentions.relations[i][k]
		heads = append(heads, head{end: r.end, relation: r, cost: 3 * (1 - r.score) / 2})
	}
	for _, h := range heads {
		e := h.end
		hints := p.wordsBetween(i, e)
		prepositions := append(p.prepositions(e), e)
		for _, pr := range prepositions {
			for _, e2 := range p.ends(pr, "pronoun") {
				if len(h.attributes) == 0 {
					cost := h.cost + 0.15
					if pr > e {
						cost += 0.4 // "reporting to them" may well say something
					}
					add(modifier{kind: modifierNothing}, e2, cost)
				}
			}
			hints := append(hints[:len(hints):len(hints)], p.wordsBetween(e, pr)...)
			base := modifier{kind: modifierRelated, hints: hints, verb: h.relation}
			for _, q := range p.quantified(pr, hints) {
				m := q.modifier
				m.verb = h.relation
				if len(h.attributes) == 0 {
					add(m, q.end, q.cost+h.cost)
				}
			}
			for _, tag := range []string{"most", "least"} {
				for _, e2 := range p.ends(pr, tag) {
					if len(h.attributes) > 0 {
						continue
					}
					for _, c := range p.noun(e2) {
						if c.phrase.isEntity() {
							add(modifier{kind: modifierMostRows, phrase: c.phrase, descending: tag == "most", count: "1", hints: hints, verb: h.relation}, c.end, c.cost+h.cost)
						}
					}
				}
			}
			for _, e2 := range p.ends(pr, "no") {
				for _, m := range p.absence(e2, hints) {
					m.modifier.verb = h.relation
					add(m.modifier, m.end, m.cost+h.cost)
				}
			}
			for _, b := range p.maybe(pr, "both", "either") {
				for _, c := range p.noun(b) {
					m := base
					m.phrase, m.eachValue = c.phrase, b > pr
					if b > pr && c.phrase.isValue() && len(c.phrase.hits) > 1 && !c.phrase.alternatives {
						m.phrase = c.phrase.clone()
						m.phrase.eachValue = true
					}
					if len(h.attributes) > 0 {
						if !c.phrase.isValue() {
							continue
						}
						m = modifier{kind: modifierCompare, attribute: h.attributes[0], op: "=", phrase: c.phrase}
					} else if c.phrase.isAttribute() || c.phrase.pronoun {
						continue
					}
					cost := c.cost + h.cost
					add(m, c.end, cost)
				}
			}
			for _, d := range p.date(pr) {
				if d.end > pr {
					m := modifier{kind: modifierDate, date: &d.dates, hints: hints, verb: h.relation}
					if len(h.attributes) > 0 {
						m.attribute = h.attributes[0]
					}
					add(m, d.end, d.cost+h.cost)
				}
			}
			if len(h.attributes) == 0 && h.relation == nil {
				for _, m := range p.havePhrase(pr) {
					if m.modifier.kind == modifierCompare || m.modifier.kind == modifierSuperlative {
						add(m.modifier, m.end, m.cost+h.cost+0.1)
					}
				}
			}
		}
		if h.relation != nil {
			// "who ordered at least twice": as many orders
			for _, q := range p.repetitions(e) {
				add(modifier{kind: modifierRelated, phrase: p.entity(h.relation.relation), hints: hints, quantifier: &quantifier{q.op, q.count}}, q.end, h.cost+0.1)
			}
		}
		// "who spent the most"
		for _, tag := range []string{"most", "least"} {
			for _, e2 := range p.ends(e, tag) {
				if len(h.attributes) > 0 && anyNumeric(h.attributes[0]) {
					add(modifier{kind: modifierSuperlative, attribute: onlyNumeric(h.attributes[0]), descending: tag == "most", count: "1"}, e2, h.cost+0.2)
				} else if h.relation != nil {
					add(modifier{kind: modifierMostRows, phrase: p.entity(h.relation.relation), descending: tag == "most", count: "1", hints: hints}, e2, h.cost+0.2)
				}
			}
		}
		for _, tag := range []string{"firstly", "lastly"} {
			for _, e2 := range p.ends(e, tag) {
				add(modifier{kind: modifierFirstOrLast, hints: hints, descending: tag == "lastly", count: "1"}, e2, h.cost+0.05)
			}
		}
		for _, tag := range []string{"most_often", "least_often"} {
			for _, e2 := range p.ends(e, tag) {
				if len(h.attributes) == 0 {
					add(modifier{kind: modifierMostCommon, descending: tag == "most_often"}, e2, h.cost+0.1)
				}
			}
		}
		if h.relation != nil && len(p.noun(e)) == 0 {
			// "that got votes": the relation itself is the object
			n := p.entity(h.relation.relation)
			add(modifier{kind: modifierRelated, phrase: n, hints: hints}, e, h.cost+0.3)
		}
		for _, d := range p.date(e) {
			if d.end > e {
				m := modifier{kind: modifierDate, date: &d.dates, hints: hints, verb: h.relation}
				if len(h.attributes) > 0 {
					m.attribute = h.attributes[0]
				}
				add(m, d.end, d.cost+h.cost+0.05)
				// "ordered in 2024 but not in 2025"
				for _, e2 := range p.ends(d.end, "except") {
					for _, d2 := range p.date(e2) {
						if d2.end > e2 {
							other := m
							other.date = &d2.dates
							add(modifier{kind: modifierAll, parts: []modifier{m, {kind: modifierNot, parts: []modifier{other}}}}, d2.end, d.cost+d2.cost+h.cost+0.1)
						}
					}
				}
			}
		}
		if len(h.attributes) > 0 && p.inflected(i) {
			if d := nullableTimes(h.attributes[0]); d != nil {
				add(modifier{kind: modifierCompare, attribute: d, op: "is not null"}, e, h.cost+0.1)
			}
		}
		if len(h.attributes) > 0 {
			for _, c := range p.comparisons(e) {
				m := comparisonModifier(h.attributes[0], c)
				m.summed = true
				add(m, c.end, c.cost+h.cost+0.15)
			}
		}
	}
	return out
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
		if (c.column.Class == catalog.Date || c.column.Class == catalog.Timestamp) && !c.column.NotNull {
			b.candidates = append(b.candidates, c)
		}
	}
	if len(b.candidates) == 0 {
		return nil
	}
	return &b
}

// inflected reports whether the token has the form of a verb.
func (p *parser) inflected(i int) bool {
	w := p.at(i).lower
	return p.isVerb(i) || strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "en")
}

// directional reports whether the token is a word of coming or going that the
// language pairs with names.
func (p *parser) directional(i int) bool {
	for _, d := range p.language.directions {
		if d.words[p.at(i).lower] && p.at(i).kind == wordToken {
			return true
		}
	}
	return false
}

// prepositions returns where prepositions that begin at i end, longest first.
func (p *parser) prepositions(i int) []int {
	var out []int
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
