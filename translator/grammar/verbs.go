package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// verbPhrase reads what a subject does or is.
func (p *parser) verbPhrase(i int) []mcand {
	if i >= len(p.toks) || p.steps > maxSteps {
		return nil
	}
	if r, ok := p.vps[i]; ok {
		return r
	}
	p.vps[i] = nil
	p.steps++
	var out []mcand
	for _, d := range p.maybe(i, "do") {
		for _, n := range p.maybe(d, "not") {
			neg := n > d
			out = append(out, p.predicate(n, neg)...)
		}
	}
	// "not" before "do": never did; n't
	for _, n := range p.ends(i, "not") {
		out = append(out, p.predicate(n, true)...)
	}
	out = keepMods(out)
	// and: what the subject does besides
	var more []mcand
	for _, a := range out {
		for _, cm := range p.maybe(a.end, "comma") {
			for _, e := range p.ends(cm, "and") {
				for _, b := range p.verbPhrase(e) {
					more = append(more, mcand{mod{kind: modAll, subs: []mod{a.mod, b.mod}}, b.end, a.cost + b.cost + 0.1})
				}
			}
		}
		for _, e := range p.ends(a.end, "or") {
			for _, b := range p.verbPhrase(e) {
				more = append(more, mcand{mod{kind: modAny, subs: []mod{a.mod, b.mod}}, b.end, a.cost + b.cost + 0.1})
			}
		}
	}
	out = keepMods(append(out, more...))
	p.vps[i] = out
	return out
}

// predicate reads one verb and what belongs to it.
func (p *parser) predicate(i int, neg bool) []mcand {
	var out []mcand
	add := func(m mod, end int, cost float64) {
		if neg {
			if m.kind == modRelated && m.quant == nil && !m.neg {
				m.neg = true
			} else {
				m = mod{kind: modNot, subs: []mod{m}}
			}
		}
		out = append(out, mcand{m, end, cost})
	}
	for _, e := range p.ends(i, "have") {
		for _, m := range p.have(e) {
			add(m.mod, m.end, m.cost)
		}
		if neg {
			for _, d := range p.ends(e, "det") {
				for _, m := range p.have(d) {
					add(m.mod, m.end, m.cost)
				}
			}
		}
	}
	for _, e := range p.ends(i, "be_bare") {
		for _, nt := range p.maybe(e, "not") {
			was := neg
			neg = neg != (nt > e)
			for _, m := range p.complement(nt) {
				add(m.mod, m.end, m.cost)
			}
			neg = was
		}
	}
	for _, m := range p.measured(i) {
		add(m.mod, m.end, m.cost)
	}
	for _, m := range p.verb(i) {
		add(m.mod, m.end, m.cost)
	}
	if !neg {
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
				if p.at(b+1).lower == "there" || len(p.ends(b+1, "pron")) > 0 {
					out = append(out, mcand{mod{kind: modNothing}, b + 2, 0.2})
				}
				out = append(out, mcand{mod{kind: modNothing}, b + 1, cost})
			}
		}
	}
	return out
}

// saysNothing reports whether the verb at i is true of all that there is:
// "reviews that were written". One that names a relation, or that only some
// things do, is not left out.
func (p *parser) saysNothing(i int) bool {
	t := p.toks[i]
	named := slices.ContainsFunc(p.m.rels[i], func(r relMention) bool { return r.score > 0.9 })
	return !named && !p.lang.outcomes[t.stem]
}

// complement reads what follows "is" or "are".
func (p *parser) complement(i int) []mcand {
	var out []mcand
	add := func(m mod, end int, cost float64) { out = append(out, mcand{m, end, cost}) }
	for _, m := range p.comparative(i) {
		add(m.mod, m.end, m.cost)
	}
	for _, d := range p.ends(i, "det") {
		for _, m := range p.comparative(d) {
			add(m.mod, m.end, m.cost)
		}
	}
	// "are between 20 and 40 years old"
	for _, c := range p.comparisons(i) {
		if c.np != nil || c.vals != nil || len(c.val.lits) == 0 || c.end == i {
			continue
		}
		for _, a := range p.adjs[c.end-1][c.end] {
			if a := a; a.degree == baseDegree {
				add(mod{kind: modAdjective, adj: &a, op: c.op, val: c.val}, c.end, c.cost+0.05)
			}
		}
	}
	for _, v := range p.values(i) {
		add(mod{kind: modRelated, np: v.np}, v.end, v.cost+0.1)
	}
	for _, e := range p.ends(i, "in") {
		for _, c := range p.noun(e) {
			add(mod{kind: modRelated, np: c.np, hints: p.wordsBetween(i, e)}, c.end, c.cost+0.05)
		}
	}
	for _, d := range p.date(i) {
		if d.end > i {
			add(mod{kind: modDate, date: &d.r}, d.end, d.cost+0.1)
		}
	}
	for _, e := range p.ends(i, "named") {
		for _, v := range p.values(e) {
			add(mod{kind: modNamed, np: v.np}, v.end, v.cost)
		}
	}
	for _, m := range p.verb(i) {
		add(m.mod, m.end, m.cost)
	}
	// a boolean column: "is active", "are official"
	for end, a := range p.m.attrs[i] {
		if b := p.boolean(a); b != nil {
			add(mod{kind: modCompare, attr: b, op: "true"}, end, 0.1+3*(1-b.cands[0].score)/2)
		}
	}
	return out
}

// measured reads verbs that stand for a measure: "weighs more than 10".
func (p *parser) measured(i int) []mcand {
	if i >= len(p.toks) {
		return nil
	}
	words, ok := p.lang.measures[p.toks[i].stem]
	if !ok || len(words) == 0 || p.toks[i].kind != wordToken {
		return nil
	}
	a := p.attrOf(words, nil, i, i+1)
	if a == nil {
		return nil
	}
	var out []mcand
	for _, c := range p.comparisons(i + 1) {
		out = append(out, mcand{compareMod(a, c), c.end, c.cost + 0.1})
	}
	for _, tag := range []string{"most", "least"} {
		for _, e := range p.ends(i+1, tag) {
			out = append(out, mcand{mod{kind: modSuper, attr: a, desc: tag == "most", n: "1"}, e, 0.2})
		}
	}
	return out
}

// verb reads a verb of relation and its object: "teach math", "run through
// texas", "directed by Ben Jones", "written".
func (p *parser) verb(i int) []mcand {
	if i >= len(p.toks) {
		return nil
	}
	var out []mcand
	add := func(m mod, end int, cost float64) { out = append(out, mcand{m, end, cost}) }
	type head struct {
		end   int
		attrs []*attr
		rel   *relMention
		cost  float64
	}
	var heads []head
	named := 0.0
	for _, r := range p.m.rels[i] {
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
	for end, a := range p.m.attrs[i] {
		if a = p.notIdentifiers(a); a != nil && a.cands[0].score >= 0.6 && (p.inflected(i) || p.at(end-1).lower == "by" || p.at(end).lower == "by") {
			heads = append(heads, head{end: end, attrs: []*attr{a}, cost: 3 * (1 - a.cands[0].score) / 2})
		}
	}
	for k := range p.m.rels[i] {
		r := &p.m.rels[i][k]
		heads = append(heads, head{end: r.end, rel: r, cost: 3 * (1 - r.score) / 2})
	}
	for _, h := range heads {
		e := h.end
		hints := p.wordsBetween(i, e)
		preps := append(p.prepositions(e), e)
		for _, pr := range preps {
			for _, e2 := range p.ends(pr, "pron") {
				if len(h.attrs) == 0 {
					add(mod{kind: modNothing}, e2, h.cost+0.15)
				}
			}
			hints := append(hints[:len(hints):len(hints)], p.wordsBetween(e, pr)...)
			base := mod{kind: modRelated, hints: hints, verb: h.rel}
			for _, q := range p.quantified(pr, hints) {
				m := q.mod
				m.verb = h.rel
				if len(h.attrs) == 0 {
					add(m, q.end, q.cost+h.cost)
				}
			}
			for _, tag := range []string{"most", "least"} {
				for _, e2 := range p.ends(pr, tag) {
					if len(h.attrs) > 0 {
						continue
					}
					for _, c := range p.noun(e2) {
						if c.np.isEntity() {
							add(mod{kind: modSuperRows, np: c.np, desc: tag == "most", n: "1", hints: hints, verb: h.rel}, c.end, c.cost+h.cost)
						}
					}
				}
			}
			for _, e2 := range p.ends(pr, "no") {
				for _, m := range p.absence(e2, hints) {
					m.mod.verb = h.rel
					add(m.mod, m.end, m.cost+h.cost)
				}
			}
			for _, b := range p.maybe(pr, "both", "either") {
				for _, c := range p.noun(b) {
					m := base
					m.np, m.both = c.np, b > pr
					if b > pr && c.np.isValue() && len(c.np.hits) > 1 && !c.np.any {
						m.np = c.np.clone()
						m.np.both = true
					}
					if len(h.attrs) > 0 {
						if !c.np.isValue() {
							continue
						}
						m = mod{kind: modCompare, attr: h.attrs[0], op: "=", np: c.np}
					} else if c.np.isAttr() || c.np.pron {
						continue
					}
					cost := c.cost + h.cost
					add(m, c.end, cost)
				}
			}
			for _, d := range p.date(pr) {
				if d.end > pr {
					m := mod{kind: modDate, date: &d.r, hints: hints, verb: h.rel}
					if len(h.attrs) > 0 {
						m.attr = h.attrs[0]
					}
					add(m, d.end, d.cost+h.cost)
				}
			}
			if len(h.attrs) == 0 && h.rel == nil {
				for _, m := range p.have(pr) {
					if m.mod.kind == modCompare || m.mod.kind == modSuper {
						add(m.mod, m.end, m.cost+h.cost+0.1)
					}
				}
			}
		}
		if h.rel != nil {
			// "who ordered at least twice": as many orders
			for _, q := range p.times(e) {
				add(mod{kind: modRelated, np: p.entity(h.rel.rel), hints: hints, quant: &quant{q.op, q.n}}, q.end, h.cost+0.1)
			}
		}
		// "who spent the most"
		for _, tag := range []string{"most", "least"} {
			for _, e2 := range p.ends(e, tag) {
				if len(h.attrs) > 0 && anyNumeric(h.attrs[0]) {
					add(mod{kind: modSuper, attr: onlyNumeric(h.attrs[0]), desc: tag == "most", n: "1"}, e2, h.cost+0.2)
				} else if h.rel != nil {
					add(mod{kind: modSuperRows, np: p.entity(h.rel.rel), desc: tag == "most", n: "1", hints: hints}, e2, h.cost+0.2)
				}
			}
		}
		for _, tag := range []string{"firstly", "lastly"} {
			for _, e2 := range p.ends(e, tag) {
				add(mod{kind: modSuperDate, hints: hints, desc: tag == "lastly", n: "1"}, e2, h.cost+0.05)
			}
		}
		for _, tag := range []string{"most_often", "least_often"} {
			for _, e2 := range p.ends(e, tag) {
				if len(h.attrs) == 0 {
					add(mod{kind: modCommon, desc: tag == "most_often"}, e2, h.cost+0.1)
				}
			}
		}
		if h.rel != nil && len(p.noun(e)) == 0 {
			// "that got votes": the relation itself is the object
			n := p.entity(h.rel.rel)
			add(mod{kind: modRelated, np: n, hints: hints}, e, h.cost+0.3)
		}
		for _, d := range p.date(e) {
			if d.end > e {
				m := mod{kind: modDate, date: &d.r, hints: hints, verb: h.rel}
				if len(h.attrs) > 0 {
					m.attr = h.attrs[0]
				}
				add(m, d.end, d.cost+h.cost+0.05)
				// "ordered in 2024 but not in 2025"
				for _, e2 := range p.ends(d.end, "except") {
					for _, d2 := range p.date(e2) {
						if d2.end > e2 {
							other := m
							other.date = &d2.r
							add(mod{kind: modAll, subs: []mod{m, {kind: modNot, subs: []mod{other}}}}, d2.end, d.cost+d2.cost+h.cost+0.1)
						}
					}
				}
			}
		}
		if len(h.attrs) > 0 && p.inflected(i) {
			if d := dated(h.attrs[0]); d != nil {
				add(mod{kind: modCompare, attr: d, op: "is not null"}, e, h.cost+0.1)
			}
		}
		if len(h.attrs) > 0 {
			for _, c := range p.comparisons(e) {
				m := compareMod(h.attrs[0], c)
				m.amount = true
				add(m, c.end, c.cost+h.cost+0.15)
			}
		}
	}
	return out
}

// notIdentifiers returns the readings of an attribute that are no identifiers,
// which no verb names; nil if there are none.
func (p *parser) notIdentifiers(a *attr) *attr {
	b := *a
	b.cands = slices.DeleteFunc(slices.Clone(a.cands), func(c colCand) bool { return c.col.Class == catalog.Number && p.isIdentifier(c.col) })
	if len(b.cands) == 0 {
		return nil
	}
	return &b
}

// dated returns the readings of an attribute that are times at which something
// happens to a row, and which are null until then.
func dated(a *attr) *attr {
	b := *a
	b.cands = nil
	for _, c := range a.cands {
		if (c.col.Class == catalog.Date || c.col.Class == catalog.Timestamp) && !c.col.NotNull {
			b.cands = append(b.cands, c)
		}
	}
	if len(b.cands) == 0 {
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
	for _, d := range p.lang.directions {
		if d.words[p.at(i).lower] && p.at(i).kind == wordToken {
			return true
		}
	}
	return false
}

func (p *parser) prepositions(i int) []int {
	var out []int
	for n := 2; n >= 1; n-- {
		if i+n > len(p.toks) {
			continue
		}
		words := p.wordsBetween(i, i+n)
		text := words[0]
		if n == 2 {
			text += " " + words[1]
		}
		if p.lang.preps[text] {
			out = append(out, i+n)
		}
	}
	return out
}

// inverted reads a clause whose subject follows: "the river runs through",
// "Angola belongs to", "does Aruba have".
// isVerbAt reports whether the words are a verb of their own, and no form of
// "have" or "be".
// verbEnds reads a verb with its preposition and without an object.
// whose reads what follows "whose": an attribute and what is said of it.
