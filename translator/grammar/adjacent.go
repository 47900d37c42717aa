package grammar

func (p *parser) adjacent(c cand) []cand {
	var out []cand
	n, i := c.np, c.end
	plain := n.isEntity() && len(n.group) == 0
	if w := p.at(i).lower; plain && (w == "table" || w == "records" || w == "record" || w == "entries" || w == "data") {
		out = append(out, cand{n, i + 1, c.cost + 0.05})
	}
	// "singer names", "student's first name"
	if n.set != nil && plain || n.isValue() {
		for _, e := range p.maybe(i, "poss") {
			if e == i && (n.isValue() || n.words[1] != i) {
				continue // a compound has nothing between its parts
			}
			for _, a := range p.attributes(e, e > i) {
				for _, r := range p.attributeOf(a.np, n) {
					cost := c.cost + a.cost + r.cost
					if e == i {
						cost += 0.1
					}
					out = append(out, cand{r.np, a.end, cost})
				}
			}
		}
	}
	// "airport 'AKO'", "year 2014", "airport code 'AKO'", "the state Texas"
	if !n.isValue() && !n.pron && i < len(p.toks) && n.words[1] == i {
		for end, hits := range p.m.vals[i] {
			v := &np{hits: [][]hit{hits}, words: [2]int{i, end}}
			if p.at(i).kind == quotedToken {
				v.raw = []string{literal(p.toks[i].text)}
			}
			for _, r := range p.apposition(n, v) {
				out = append(out, cand{r.np, end, c.cost + r.cost + 2*(1-hits[0].score)})
			}
		}
		if p.at(i).kind == quotedToken && p.m.vals[i][i+1] == nil {
			v := &np{raw: []string{literal(p.toks[i].text)}, hits: [][]hit{nil}, words: [2]int{i, i + 1}}
			for _, r := range p.apposition(n, v) {
				out = append(out, cand{r.np, i + 1, c.cost + r.cost + 0.3})
			}
		}
		if len(n.items) == 1 && n.items[0].agg == "" && n.set == nil {
			if num, e := p.number(i); e > i {
				for _, r := range p.applyCompare(n, n.items[0].attr, "=", operand{lits: []string{num}, plain: num}, true) {
					for _, u := range p.unit(e) {
						out = append(out, cand{r.np, u, c.cost + r.cost + 0.2})
					}
				}
			}
		}
	}
	// "United Airlines flights", "Texas cities": the value before its head
	if n.isValue() {
		for _, h := range p.heads(i) {
			if h.np.isEntity() {
				for _, r := range p.apply(h.np, &mod{kind: modRelated, np: n, hints: nil}) {
					cost := c.cost + h.cost + r.cost + 0.1
					if whole := p.m.vals[n.words[0]][h.end]; len(whole) > 0 && whole[0].score > 0.9 && !p.called(r.np.set) {
						cost += 0.5 // all of it is a value
					}
					if p.called(r.np.set) {
						cost = max(0, cost-0.45) // "the Colorado river": kind and name agree
					}
					out = append(out, cand{r.np, h.end, cost})
				}
			}
			if h.np.isAttr() && !n.both {
				// "Texas population", "Asian languages"
				for _, r := range p.apply(h.np, &mod{kind: modOf, np: n}) {
					out = append(out, cand{r.np, h.end, c.cost + h.cost + r.cost + 0.4})
				}
				for _, r := range p.apposition(h.np, n) {
					cost := c.cost + h.cost + r.cost + 0.4
					if r.np.isValue() {
						cost -= 0.35
					}
					out = append(out, cand{r.np, h.end, cost})
				}
			}
		}
		// "Austin Texas": a thing and where it is
		if len(n.hits) == 1 {
			for end, hits := range p.m.vals[i] {
				for _, v := range p.valueEntity(n) {
					for _, r := range p.applyValue(v.np, &mod{kind: modRelated, np: &np{hits: [][]hit{hits}}}) {
						if r.np.set.id == v.np.set.id && r.cost < 0.5 && impossibleSet(r.np.set) == "" {
							out = append(out, cand{r.np, end, c.cost + v.cost + r.cost + 0.2 + 2*(1-hits[0].score)})
						}
					}
				}
			}
		}
		// "English and French", "2014 or 2015"
		for _, cm := range p.maybe(i, "comma") {
			for _, tag := range []string{"and", "or"} {
				for _, e := range p.ends(cm, tag) {
					out = append(out, p.moreValues(c, e, tag == "or", 0)...)
				}
			}
			if cm > i {
				out = append(out, p.moreValues(c, cm, false, 0.3)...)
			}
		}
	}
	// "id, name and age"
	if len(n.items) > 0 && !n.pron {
		for _, cm := range p.maybe(i, "comma") {
			for _, and := range p.maybe(cm, "and") {
				if and == i {
					continue
				}
				for _, d := range p.maybe(and, "det") {
					for _, a := range p.attributes(d, false) {
						if n.set == nil {
							m := n.clone()
							m.items = append(n.items[:len(n.items):len(n.items)], a.np.items...)
							m.distinct = n.distinct
							out = append(out, cand{m, a.end, c.cost + a.cost + 0.05})
							continue
						}
						if len(n.group) > 0 || n.hasAggregate() {
							continue
						}
						for _, r := range p.addAttributes(n, a.np.items) {
							out = append(out, cand{r.np, a.end, c.cost + a.cost + r.cost + 0.1})
						}
					}
				}
			}
		}
	}
	return out
}

func (p *parser) moreValues(c cand, from int, or bool, extra float64) []cand {
	var out []cand
	for _, d := range p.maybe(from, "det") {
		for end, hits := range p.m.vals[d] {
			m := c.np.clone()
			m.hits = append(m.hits[:len(m.hits):len(m.hits)], hits)
			if len(c.np.raw) > 0 && p.at(d).kind == quotedToken {
				m.raw = append(m.raw[:len(m.raw):len(m.raw)], literal(p.toks[d].text))
			} else {
				m.raw = nil
			}
			m.any = m.any || or
			out = append(out, cand{m, end, c.cost + extra + 0.05 + 2*(1-hits[0].score)})
		}
		if p.at(d).kind == quotedToken && p.m.vals[d][d+1] == nil && len(c.np.raw) == len(c.np.hits) {
			m := c.np.clone()
			m.hits = append(m.hits[:len(m.hits):len(m.hits)], nil)
			m.raw = append(m.raw[:len(m.raw):len(m.raw)], literal(p.toks[d].text))
			m.any = m.any || or
			out = append(out, cand{m, d + 1, c.cost + extra + 0.3})
		}
	}
	return out
}

func (p *parser) attributes(i int, possessive bool) []cand {
	var out []cand
	for end, a := range p.m.attrs[i] {
		out = append(out, cand{&np{items: []item{{attr: a}}, words: [2]int{i, end}}, end, 3 * (1 - a.cands[0].score) / 2})
	}
	for _, e := range p.nameWords(i) {
		out = append(out, cand{&np{items: []item{{attr: &attr{named: true, start: i, end: e}}}, words: [2]int{i, e}}, e, 0.05})
	}
	for _, a := range aggregateTags[:4] {
		for _, e := range p.ends(i, a.tag) {
			for end, at := range p.m.attrs[e] {
				n := &np{items: []item{{attr: at}}, words: [2]int{i, end}}
				if m, cost := p.aggregate(n, []string{a.agg}); m != nil {
					out = append(out, cand{m, end, cost + 3*(1-at.cands[0].score)/2})
				}
			}
		}
	}
	for _, e := range p.ends(i, "det", "distinct", "pron") {
		if e > i && (possessive || p.tags[i]["pron"] == nil) {
			out = append(out, p.attributes(e, possessive)...)
		}
	}
	return out
}
