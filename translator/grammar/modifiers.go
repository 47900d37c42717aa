package grammar

// modifiers returns what may be said after a noun phrase that ends at i.
func (p *parser) modifiers(i int) []mcand {
	if i >= len(p.toks) || p.steps > maxSteps {
		return nil
	}
	if r, ok := p.mods[i]; ok {
		return r
	}
	p.mods[i] = nil
	p.steps++
	var out []mcand
	add := func(m mod, end int, cost float64) { out = append(out, mcand{m, end, cost}) }

	for _, e := range p.ends(i, "of_strict") {
		for _, c := range p.noun(e) {
			add(mod{kind: modOf, np: c.np}, c.end, c.cost)
		}
	}
	for _, e := range p.ends(i, "in") {
		for _, c := range p.noun(e) {
			if p.at(i).lower == "by" && e == i+1 && p.isKey(c.np) && (i == 0 || !p.inflected(i-1)) {
				continue
			}
			add(mod{kind: modRelated, np: c.np, hints: p.wordsBetween(i, e)}, c.end, c.cost+0.05)
		}
	}
	for _, d := range p.date(i) {
		if d.end > i {
			add(mod{kind: modDate, date: &d.r}, d.end, d.cost)
		}
	}
	for _, e := range p.ends(i, "with") {
		for _, m := range p.have(e) {
			add(m.mod, m.end, m.cost)
		}
	}
	for end, a := range p.m.attrs[i] {
		if b := p.boolean(a); b != nil {
			add(mod{kind: modCompare, attr: b, op: "true"}, end, 0.25+3*(1-b.cands[0].score)/2)
		}
	}
	for _, e := range p.ends(i, "without") {
		out = append(out, p.absence(e, p.wordsBetween(i, e))...)
	}
	for _, e := range p.ends(i, "except") {
		for _, c := range p.noun(e) {
			add(mod{kind: modExcept, np: c.np}, c.end, c.cost)
		}
	}
	for _, e := range p.ends(i, "rel") {
		for _, m := range p.verbPhrase(e) {
			add(m.mod, m.end, m.cost)
		}
		for _, m := range p.inverted(e) {
			add(m.mod, m.end, m.cost+0.1)
		}
	}
	if len(p.ends(i, "do", "be_bare")) > 0 {
		for _, m := range p.inverted(i) {
			add(m.mod, m.end, m.cost+0.1)
		}
	}
	// "they are arranged to teach", "they teach"
	for _, e := range p.ends(i, "pron") {
		for _, d := range p.maybe(e, "do", "be_bare") {
			for _, v := range p.verbEnds(d) {
				add(mod{kind: modNothing}, v.end, v.cost+0.1)
				if p.at(v.end).lower == "to" && p.isVerb(v.end+1) {
					add(mod{kind: modNothing}, v.end+2, v.cost+0.1)
				}
			}
		}
	}
	for _, e := range p.ends(i, "whose") {
		for _, m := range p.whose(e) {
			add(m.mod, m.end, m.cost)
		}
	}
	for _, e := range p.ends(i, "group") {
		for _, k := range p.keys(e) {
			add(k.mod, k.end, k.cost)
		}
	}
	for _, e := range p.ends(i, "named") {
		for _, v := range p.values(e) {
			add(mod{kind: modNamed, np: v.np}, v.end, v.cost)
		}
	}
	out = append(out, p.ordering(i)...)
	out = append(out, p.comparative(i)...)
	// a relative clause without its pronoun, a participle
	for _, m := range p.verbPhrase(i) {
		add(m.mod, m.end, m.cost+0.25)
	}
	for _, m := range p.measured(i) {
		add(m.mod, m.end, m.cost)
	}
	if p.at(i).lower == "in" && !currency[p.at(i+1).lower] {
		for _, u := range p.unit(i + 1) {
			if u > i+1 {
				add(mod{kind: modNothing}, u, 0.1)
			}
		}
	}
	for _, e := range p.ends(i, "noise", "now") {
		for _, m := range p.modifiers(e) {
			add(m.mod, m.end, m.cost+0.1)
		}
	}
	// ", with ...", "and whose ...", "and that ..."
	for _, cm := range p.maybe(i, "comma") {
		for _, and := range p.maybe(cm, "and") {
			if and == i {
				continue
			}
			for _, m := range p.modifiers(and) {
				if m.mod.lead || m.mod.kind == modDate && m.mod.attr == nil && m.mod.date.closed() && p.saysTime(i) {
					continue // two times of one thing are a list, see date
				}
				add(m.mod, m.end, m.cost+0.12)
			}
		}
	}
	out = append(out, p.alternatives(out)...)
	out = keepMods(out)
	p.mods[i] = out
	return out
}

// currency words are units that choose rows where there are several: "paid in
// dollars" is not said for nothing.
var currency = setOf([]string{"dollars", "usd", "euros", "eur", "bucks", "us", "people"})

// alternatives reads "A or B" where B is a modifier of its own.
func (p *parser) alternatives(list []mcand) []mcand {
	var out []mcand
	for _, a := range keepMods(append([]mcand(nil), list...)) {
		for _, e := range p.ends(a.end, "or") {
			if a.mod.kind == modGroup || a.mod.kind == modOrder {
				continue
			}
			bs := append(append([]mcand(nil), p.modifiers(e)...), p.verbPhrase(e)...)
			if a.mod.kind == modRelated && len(a.mod.hints) > 0 || a.mod.kind == modCompare {
				bs = append(bs, p.have(e)...)
			}
			for _, b := range bs {
				if b.mod.kind == modGroup || b.mod.kind == modOrder || b.mod.kind == modAny {
					continue
				}
				out = append(out, mcand{mod{kind: modAny, subs: []mod{a.mod, b.mod}}, b.end, a.cost + b.cost + 0.2})
			}
		}
	}
	return out
}

// isKey reports whether a phrase after "by" says what is divided by it: a kind
// of thing or of time, and none of its own.
func (p *parser) isKey(n *np) bool {
	if n.isValue() {
		_, e := p.dateUnit(n.words[0])
		return e > n.words[0]
	}
	return n.isEntity() && len(n.set.conds) == 0 && n.set.sup == nil && n.num == ""
}

func (p *parser) wordsBetween(i, j int) []string {
	var out []string
	for ; i < j; i++ {
		out = append(out, p.toks[i].lower)
	}
	return out
}

// keys reads what something is counted or added up for each of.
func (p *parser) keys(i int) []mcand {
	var out []mcand
	for _, d := range p.maybe(i, "det", "distinct") {
		for unit, words := range p.lang.dates.Units {
			for _, w := range words {
				if p.at(d).lower == w {
					out = append(out, mcand{mod{kind: modGroup, op: unit}, d + 1, 0.3})
				}
			}
		}
	}
	for _, c := range p.noun(i) {
		if c.np.isValue() || c.np.pron {
			continue
		}
		out = append(out, mcand{mod{kind: modGroup, np: c.np}, c.end, c.cost + 0.05})
	}
	return out
}

// ordering reads "ordered by age", "in descending order of age".
func (p *parser) ordering(i int) []mcand {
	var out []mcand
	dir := func(i int, f func(desc bool, end int, cost float64)) {
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
		dir(e, func(desc bool, e int, _ float64) {
			for _, o := range p.maybe(e, "of_strict", "in", "by") {
				for _, by := range p.maybe(o, "by") {
					for _, k := range p.orderKeys(by) {
						out = append(out, mcand{mod{kind: modOrder, np: k.np, desc: desc}, k.end, k.cost})
					}
				}
			}
			out = append(out, mcand{mod{kind: modDirection, desc: desc}, e, 0.3})
		})
		if p.at(i).lower == "in" && e == i+1 {
			continue
		}
		for _, k := range p.orderKeys(e) {
			out = append(out, mcand{mod{kind: modOrder, np: k.np}, k.end, k.cost + 0.02})
			for _, in := range p.maybe(k.end, "comma") {
				for _, in2 := range p.maybe(in, "in", "and") {
					dir(in2, func(desc bool, e int, _ float64) {
						out = append(out, mcand{mod{kind: modOrder, np: k.np, desc: desc}, e, k.cost})
					})
				}
			}
		}
	}
	for _, e := range append(append([]int{i}, p.ends(i, "comma")...), p.ends(i, "order")...) {
		dir(e, func(desc bool, end int, _ float64) {
			out = append(out, mcand{mod{kind: modDirection, desc: desc}, end, 0.1})
			for _, o := range p.maybe(end, "of_strict", "in") {
				for _, by := range p.maybe(o, "by") {
					if by == end {
						continue
					}
					for _, k := range p.orderKeys(by) {
						out = append(out, mcand{mod{kind: modOrder, np: k.np, desc: desc}, k.end, k.cost})
					}
				}
			}
		})
	}
	return out
}

func (p *parser) orderKeys(i int) []cand {
	var out []cand
	for _, d := range p.maybe(i, "pron", "det") {
		for _, c := range p.noun(d) {
			if !c.np.isValue() && !c.np.pron {
				out = append(out, c)
			}
		}
	}
	// "by age and name" is two keys: only single attributes are read here
	for _, d := range p.maybe(i, "pron", "det") {
		out = append(out, p.attributes(d, true)...)
	}
	return keep(out)
}
