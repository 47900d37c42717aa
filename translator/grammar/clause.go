package grammar

// inverted reads a clause whose subject follows: "the river runs through",
// "Angola belongs to", "does Aruba have".
func (p *parser) inverted(i int) []modifierCandidate {
	var out []modifierCandidate
	for _, d := range p.maybe(i, "do", "be_bare") {
		for _, e := range p.ends(d, "each") {
			for _, c := range p.noun(e) {
				if c.phrase.isValue() || c.phrase.pronoun {
					continue
				}
				for _, v := range p.verbEnds(c.end) {
					out = append(out, modifierCandidate{modifier{kind: modifierGroup, phrase: c.phrase}, v.end, c.cost + v.cost + 0.05})
				}
			}
		}
		for _, e := range p.ends(d, "pronoun") {
			for _, v := range p.verbEnds(e) {
				out = append(out, modifierCandidate{modifier{kind: modifierNothing}, v.end, v.cost + 0.1})
			}
		}
		for _, c := range p.noun(d) {
			if !c.phrase.isEntity() && !c.phrase.isValue() {
				continue
			}
			if d > i && len(p.ends(i, "be_bare")) > 0 {
				// "what state is Dallas in"
				for _, pr := range p.prepositions(c.end) {
					out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: c.phrase, hints: append([]string{"^"}, p.wordsBetween(c.end, pr)...)}, pr, c.cost + 0.1})
				}
				out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: c.phrase, hints: []string{"^"}}, c.end, c.cost + 0.6})
			}
			for _, d2 := range p.maybe(c.end, "do") {
				for _, nt := range p.maybe(d2, "not") {
					for _, v := range p.verbEnds(nt) {
						if d == i && d2 == c.end && v.relation == nil && !p.isVerbAt(nt, v.end) {
							continue // "which model has ...": the model is the subject
						}
						m := modifier{kind: modifierRelated, phrase: c.phrase, hints: append([]string{"^"}, p.wordsBetween(nt, v.end)...), negated: nt > d2, verb: v.relation}
						out = append(out, modifierCandidate{m, v.end, c.cost + v.cost})
					}
				}
			}
		}
	}
	return out
}

// isVerbAt reports whether the words are a verb of their own, and no form of
// "have" or "be".
func (p *parser) isVerbAt(i, j int) bool {
	for _, e := range p.ends(i, "have", "be_bare") {
		if e <= j {
			return false
		}
	}
	return p.isVerb(i) || p.directional(i)
}

type verbEnd struct {
	end      int
	relation *relationMention
	cost     float64
}

// verbEnds reads a verb with its preposition and without an object.
func (p *parser) verbEnds(i int) []verbEnd {
	var out []verbEnd
	if i >= len(p.tokens) {
		return nil
	}
	var heads []verbEnd
	if p.isVerb(i) || p.directional(i) {
		named := 0.0
		for _, r := range p.mentions.relations[i] {
			if r.end == i+1 && r.score > 0.9 {
				named = 0.8
			}
		}
		heads = append(heads, verbEnd{end: i + 1, cost: named})
	}
	for _, e := range p.ends(i, "have", "be_bare") {
		heads = append(heads, verbEnd{end: e})
	}
	for k := range p.mentions.relations[i] {
		r := &p.mentions.relations[i][k]
		heads = append(heads, verbEnd{end: r.end, relation: r, cost: 3 * (1 - r.score) / 2})
	}
	for _, h := range heads {
		out = append(out, h)
		for _, pr := range p.prepositions(h.end) {
			out = append(out, verbEnd{pr, h.relation, h.cost})
		}
	}
	return out
}

// whose reads what follows "whose": an attribute and what is said of it.
func (p *parser) whose(i int) []modifierCandidate {
	var out []modifierCandidate
	for _, a := range p.attributes(i, true) {
		if len(a.phrase.items) != 1 {
			continue
		}
		it := a.phrase.items[0]
		for _, c := range p.comparisons(a.end) {
			if it.aggregate == "" {
				out = append(out, modifierCandidate{comparisonModifier(it.attribute, c), c.end, a.cost + c.cost})
			} else {
				out = append(out, modifierCandidate{modifier{kind: modifierCompare, phrase: a.phrase, op: c.op, value: c.value}, c.end, a.cost + c.cost + 0.1})
			}
		}
		for _, be := range p.maybe(a.end, "be_bare") {
			for _, nt := range p.maybe(be, "not") {
				for _, v := range p.values(nt) {
					if it.aggregate != "" {
						continue
					}
					op := "="
					if nt > be {
						op = "<>"
					}
					out = append(out, modifierCandidate{comparisonModifier(it.attribute, comparison{op: op, values: v.phrase}), v.end, a.cost + v.cost})
				}
				for _, d := range p.date(nt) {
					if d.end > nt {
						out = append(out, modifierCandidate{modifier{kind: modifierDate, date: &d.dates, attribute: it.attribute}, d.end, a.cost + d.cost})
					}
				}
				for e, forms := range p.adjectives[min(nt, len(p.tokens))] {
					for _, f := range forms {
						if f.degree != moreDegree {
							continue
						}
						op := "<"
						if f.up {
							op = ">"
						}
						for _, than := range p.ends(e, "than") {
							for _, o := range p.operands(than) {
								m := modifier{kind: modifierCompare, attribute: it.attribute, op: op, value: o.value, phrase: o.phrase}
								if it.aggregate != "" {
									m = modifier{kind: modifierCompare, phrase: a.phrase, op: op, value: o.value}
								}
								out = append(out, modifierCandidate{m, o.end, a.cost + o.cost + 0.05})
							}
						}
					}
				}
			}
		}
	}
	// "whose courses have not been arranged": a related thing and its predicate
	for _, c := range p.noun(i) {
		if !c.phrase.isEntity() {
			continue
		}
		for _, m := range p.verbPhrase(c.end) {
			negated := false
			mm := m.modifier
			if mm.kind == modifierRelated && mm.negated {
				mm.negated, negated = false, true
			}
			for _, r := range p.apply(c.phrase, &mm) {
				out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: r.phrase, hints: []string{"have"}, negated: negated}, m.end, c.cost + m.cost + r.cost + 0.1})
			}
		}
	}
	return out
}
