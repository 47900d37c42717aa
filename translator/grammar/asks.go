package grammar

import "askpg/catalog"

func (p *parser) whoever(i int) []cand {
	var out []cand
	for _, e := range p.ends(i, "who") {
		for _, m := range p.verbPhrase(e) {
			var rels []*catalog.Relation
			switch m.mod.kind {
			case modSuper, modCompare:
				if m.mod.attr != nil {
					for _, c := range m.mod.attr.cands {
						rels = append(rels, c.col.Relation)
					}
				}
			case modSuperDate, modDate:
				for _, r := range p.x.snap.Relations {
					if cs := p.dateColumns(&set{rel: r}, &mod{hints: m.mod.hints, date: &dateRange{loYear: 1}}); len(cs) > 0 && len(rels) < 4 {
						for _, c := range cs {
							if c.score > 0.9 {
								rels = append(rels, r)
								break
							}
						}
					}
				}
			}
			for k, r := range rels {
				if k >= 4 {
					break
				}
				if d := p.x.info[r].display; len(d) == 0 || !textual(d[0]) {
					continue // nobody is called so
				}
				for _, a := range p.apply(p.entity(r), &m.mod) {
					out = append(out, cand{a.np, m.end, m.cost + a.cost + 0.3})
				}
			}
		}
	}
	return keep(out)
}

func (p *parser) whenOf(c cand, n applied, end int) []cand {
	var out []cand
	for e := c.end; e <= end && e <= c.end+3; e++ {
		if e > c.end && !p.known(e-1) {
			break
		}
		for _, d := range p.dateColumns(n.np.set, &mod{hints: p.wordsBetween(c.end, e), date: &dateRange{loYear: 1}}) {
			x := n.np.clone()
			x.items = []item{{col: d.col, sid: x.set.id}}
			if s := x.set.sup; s != nil && s.by.col != nil && s.by.col != d.col && d.score > 0.9 && s.by.agg == "" {
				// the first to sign up is so by the date of signing up
				t := *x.set
				t.sup = &super{by: item{col: d.col, sid: x.set.id}, desc: s.desc, n: s.n}
				x.set = &t
			}
			out = append(out, cand{x, e, c.cost + n.cost + max(0, 1-d.score) + 0.2})
		}
	}
	return out
}

func (p *parser) howMuch(i, end int) []cand {
	var out []cand
	of := func(a *attr, c cand, e int, cost float64) {
		n := &np{items: []item{{attr: a}}}
		for _, r := range p.applyOf(n, &mod{kind: modOf, np: c.np}) {
			out = append(out, cand{r.np, e, c.cost + r.cost + cost})
		}
	}
	for _, e := range p.ends(i, "how") {
		for e2, forms := range p.adjs[min(e, len(p.toks))] {
			for _, f := range forms {
				if f.degree != baseDegree {
					continue
				}
				a := p.attrOf(f.cols, nil, e, e2)
				if a == nil {
					continue
				}
				for _, b := range p.maybe(e2, "be", "do") {
					for _, c := range p.noun(b) {
						of(a, c, c.end, 0.1)
					}
				}
			}
		}
	}
	for _, e := range p.ends(i, "how_many") {
		for _, d := range p.maybe(e, "do") {
			for _, c := range p.noun(d) {
				if words, ok := p.lang.measures[p.at(c.end).stem]; ok && len(words) > 0 {
					if a := p.attrOf(words, nil, c.end, c.end+1); a != nil {
						of(a, c, c.end+1, 0.1)
					}
				}
			}
		}
		// how many cylinders does it have: the attribute is a number itself
		for end, a := range p.m.attrs[e] {
			num := onlyNumeric(a)
			if num == nil {
				continue
			}
			base := &np{items: []item{{attr: num}}}
			for _, c := range p.extend([]cand{{base, end, 0.35 + 3*(1-num.cands[0].score)/2}}) {
				if c.np.set != nil && len(c.np.items) == 1 {
					out = append(out, c)
				}
			}
		}
	}
	return keep(out)
}

func (p *parser) whereWhen(i, end int) []cand {
	var out []cand
	for _, tag := range []string{"where", "when"} {
		words := p.lang.where
		if tag == "when" {
			words = p.lang.when
		}
		for _, e := range p.ends(i, tag) {
			for _, c := range p.noun(e) {
				ents := []applied{{c.np, 0}}
				if c.np.isValue() {
					ents = p.valueEntity(c.np)
				}
				for _, n := range ents {
					if !n.np.isEntity() {
						continue
					}
					if tag == "when" {
						out = append(out, p.whenOf(c, n, end)...)
					}
					a := p.columnsNamed(words, n.np.set.rel, tag == "when")
					if a == nil {
						continue
					}
					for _, r := range p.attributeOf(&np{items: []item{{attr: a}}}, n.np) {
						// "where is he from", "when was it built"
						for _, e2 := range append(p.maybe(c.end, "in"), c.end+1) {
							if e2 == c.end+1 && (e2 > end || !p.isVerb(c.end)) {
								continue
							}
							out = append(out, cand{r.np, e2, c.cost + n.cost + r.cost + 0.3})
						}
					}
				}
			}
		}
	}
	return out
}
