package grammar

func (p *parser) inverted(i int) []mcand {
	var out []mcand
	for _, d := range p.maybe(i, "do", "be_bare") {
		for _, e := range p.ends(d, "each") {
			for _, c := range p.noun(e) {
				if c.np.isValue() || c.np.pron {
					continue
				}
				for _, v := range p.verbEnds(c.end) {
					out = append(out, mcand{mod{kind: modGroup, np: c.np}, v.end, c.cost + v.cost + 0.05})
				}
			}
		}
		for _, e := range p.ends(d, "pron") {
			for _, v := range p.verbEnds(e) {
				out = append(out, mcand{mod{kind: modNothing}, v.end, v.cost + 0.1})
			}
		}
		for _, c := range p.noun(d) {
			if !c.np.isEntity() && !c.np.isValue() {
				continue
			}
			if d > i && len(p.ends(i, "be_bare")) > 0 {
				// "what state is Dallas in"
				for _, pr := range p.prepositions(c.end) {
					out = append(out, mcand{mod{kind: modRelated, np: c.np, hints: append([]string{"^"}, p.wordsBetween(c.end, pr)...)}, pr, c.cost + 0.1})
				}
				out = append(out, mcand{mod{kind: modRelated, np: c.np, hints: []string{"^"}}, c.end, c.cost + 0.6})
			}
			for _, d2 := range p.maybe(c.end, "do") {
				for _, nt := range p.maybe(d2, "not") {
					for _, v := range p.verbEnds(nt) {
						if d == i && d2 == c.end && v.rel == nil && !p.isVerbAt(nt, v.end) {
							continue // "which model has ...": the model is the subject
						}
						m := mod{kind: modRelated, np: c.np, hints: append([]string{"^"}, p.wordsBetween(nt, v.end)...), neg: nt > d2, verb: v.rel}
						out = append(out, mcand{m, v.end, c.cost + v.cost})
					}
				}
			}
		}
	}
	return out
}

func (p *parser) isVerbAt(i, j int) bool {
	for _, e := range p.ends(i, "have", "be_bare") {
		if e <= j {
			return false
		}
	}
	return p.isVerb(i) || p.directional(i)
}

type verbEnd struct {
	end  int
	rel  *relMention
	cost float64
}

func (p *parser) verbEnds(i int) []verbEnd {
	var out []verbEnd
	if i >= len(p.toks) {
		return nil
	}
	var heads []verbEnd
	if p.isVerb(i) || p.directional(i) {
		named := 0.0
		for _, r := range p.m.rels[i] {
			if r.end == i+1 && r.score > 0.9 {
				named = 0.8
			}
		}
		heads = append(heads, verbEnd{end: i + 1, cost: named})
	}
	for _, e := range p.ends(i, "have", "be_bare") {
		heads = append(heads, verbEnd{end: e})
	}
	for k := range p.m.rels[i] {
		r := &p.m.rels[i][k]
		heads = append(heads, verbEnd{end: r.end, rel: r, cost: 3 * (1 - r.score) / 2})
	}
	for _, h := range heads {
		out = append(out, h)
		for _, pr := range p.prepositions(h.end) {
			out = append(out, verbEnd{pr, h.rel, h.cost})
		}
	}
	return out
}

func (p *parser) whose(i int) []mcand {
	var out []mcand
	for _, a := range p.attributes(i, true) {
		if len(a.np.items) != 1 {
			continue
		}
		it := a.np.items[0]
		for _, c := range p.comparisons(a.end) {
			if it.agg == "" {
				out = append(out, mcand{compareMod(it.attr, c), c.end, a.cost + c.cost})
			} else {
				out = append(out, mcand{mod{kind: modCompare, np: a.np, op: c.op, val: c.val}, c.end, a.cost + c.cost + 0.1})
			}
		}
		for _, be := range p.maybe(a.end, "be_bare") {
			for _, nt := range p.maybe(be, "not") {
				for _, v := range p.values(nt) {
					if it.agg != "" {
						continue
					}
					op := "="
					if nt > be {
						op = "<>"
					}
					out = append(out, mcand{compareMod(it.attr, comparison{op: op, vals: v.np}), v.end, a.cost + v.cost})
				}
				for _, d := range p.date(nt) {
					if d.end > nt {
						out = append(out, mcand{mod{kind: modDate, date: &d.r, attr: it.attr}, d.end, a.cost + d.cost})
					}
				}
				for e, forms := range p.adjs[min(nt, len(p.toks))] {
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
								m := mod{kind: modCompare, attr: it.attr, op: op, val: o.val, np: o.np}
								if it.agg != "" {
									m = mod{kind: modCompare, np: a.np, op: op, val: o.val}
								}
								out = append(out, mcand{m, o.end, a.cost + o.cost + 0.05})
							}
						}
					}
				}
			}
		}
	}
	// "whose courses have not been arranged": a related thing and its predicate
	for _, c := range p.noun(i) {
		if !c.np.isEntity() {
			continue
		}
		for _, m := range p.verbPhrase(c.end) {
			neg := false
			mm := m.mod
			if mm.kind == modRelated && mm.neg {
				mm.neg, neg = false, true
			}
			for _, r := range p.apply(c.np, &mm) {
				out = append(out, mcand{mod{kind: modRelated, np: r.np, hints: []string{"have"}, neg: neg}, m.end, c.cost + m.cost + r.cost + 0.1})
			}
		}
	}
	return out
}
