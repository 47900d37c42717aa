package grammar

// adjacent reads what follows a phrase without a word between: compounds,
// appositions, further attributes.
func (p *parser) adjacent(c candidate) []candidate {
	var out []candidate
	n, i := c.phrase, c.end
	plain := n.isEntity() && len(n.group) == 0
	if w := p.at(i).lower; plain && (w == "table" || w == "records" || w == "record" || w == "entries" || w == "data") {
		out = append(out, candidate{n, i + 1, c.cost + 0.05})
	}
	// "singer names", "student's first name"
	if n.set != nil && plain || n.isValue() {
		for _, e := range p.maybe(i, "possessive") {
			if e == i && (n.isValue() || n.words[1] != i) {
				continue // a compound has nothing between its parts
			}
			for _, a := range p.attributes(e, e > i) {
				if e == i && p.inflected(i) && temporal(a.phrase) {
					continue // "patients admitted": that they were, and not when
				}
				for _, r := range p.attributeOf(a.phrase, n) {
					cost := c.cost + a.cost + r.cost
					if e == i {
						cost += 0.1
					}
					out = append(out, candidate{r.phrase, a.end, cost})
				}
			}
		}
	}
	// "airport 'AKO'", "year 2014", "airport code 'AKO'", "the state Texas"
	if !n.isValue() && !n.pronoun && i < len(p.tokens) && n.words[1] == i {
		for end, hits := range p.mentions.values[i] {
			v := &phrase{hits: [][]hit{hits}, words: [2]int{i, end}}
			if p.at(i).kind == quotedToken {
				v.literals = []string{literal(p.tokens[i].text)}
			}
			cost := c.cost + 2*(1-hits[0].score)
			if p.inflected(i) && p.at(end).lower == "by" {
				cost++ // "paid by card" says how, and no state
			}
			for _, r := range p.apposition(n, v) {
				out = append(out, candidate{r.phrase, end, cost + r.cost})
			}
		}
		if p.at(i).kind == quotedToken && p.mentions.values[i][i+1] == nil {
			v := &phrase{literals: []string{literal(p.tokens[i].text)}, hits: [][]hit{nil}, words: [2]int{i, i + 1}}
			for _, r := range p.apposition(n, v) {
				out = append(out, candidate{r.phrase, i + 1, c.cost + r.cost + 0.3})
			}
		}
		if len(n.items) == 1 && n.items[0].aggregate == "" && n.set == nil {
			if number, e := p.number(i); e > i {
				for _, r := range p.applyCompare(n, n.items[0].attribute, "=", operand{literals: []string{number}, plain: number}, true) {
					for _, u := range p.unit(e) {
						out = append(out, candidate{r.phrase, u, c.cost + r.cost + 0.2})
					}
				}
			}
		}
	}
	// "United Airlines flights", "Texas cities": the value before its head
	if n.isValue() {
		for _, h := range p.heads(i) {
			if h.phrase.isEntity() {
				for _, r := range p.apply(h.phrase, &modifier{kind: modifierRelated, phrase: n, hints: nil}) {
					cost := c.cost + h.cost + r.cost + 0.1
					if whole := p.mentions.values[n.words[0]][h.end]; len(whole) > 0 && whole[0].score > 0.9 && !p.isCalled(r.phrase.set) {
						cost += 0.5 // all of it is a value
					}
					if p.isCalled(r.phrase.set) {
						cost = max(0, cost-0.45) // "the Colorado river": kind and name agree
					}
					out = append(out, candidate{r.phrase, h.end, cost})
				}
			}
			if h.phrase.isAttribute() && !n.eachValue {
				// "Texas population", "Asian languages"
				for _, r := range p.apply(h.phrase, &modifier{kind: modifierOf, phrase: n}) {
					out = append(out, candidate{r.phrase, h.end, c.cost + h.cost + r.cost + 0.4})
				}
				for _, r := range p.apposition(h.phrase, n) {
					cost := c.cost + h.cost + r.cost + 0.4
					if r.phrase.isValue() {
						cost -= 0.35
					}
					out = append(out, candidate{r.phrase, h.end, cost})
				}
			}
		}
		// "Austin Texas": a thing and where it is
		if len(n.hits) == 1 {
			for end, hits := range p.mentions.values[i] {
				for _, v := range p.valueEntity(n) {
					for _, r := range p.applyValue(v.phrase, &modifier{kind: modifierRelated, phrase: &phrase{hits: [][]hit{hits}}}) {
						if r.phrase.set.id == v.phrase.set.id && r.cost < 0.5 && impossibleSet(r.phrase.set) == "" {
							out = append(out, candidate{r.phrase, end, c.cost + v.cost + r.cost + 0.2 + 2*(1-hits[0].score)})
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
	if len(n.items) > 0 && !n.pronoun {
		for _, cm := range p.maybe(i, "comma") {
			for _, and := range p.maybe(cm, "and") {
				if and == i {
					continue
				}
				for _, d := range p.maybe(and, "article") {
					for _, a := range p.attributes(d, false) {
						if n.set == nil {
							m := n.clone()
							m.items = append(n.items[:len(n.items):len(n.items)], a.phrase.items...)
							m.distinct = n.distinct
							out = append(out, candidate{m, a.end, c.cost + a.cost + 0.05})
							continue
						}
						if len(n.group) > 0 || n.hasAggregate() {
							continue
						}
						for _, r := range p.addAttributes(n, a.phrase.items) {
							out = append(out, candidate{r.phrase, a.end, c.cost + a.cost + r.cost + 0.1})
						}
					}
				}
			}
		}
	}
	return out
}

// moreValues reads a further value of a list of values, which begins at token from.
func (p *parser) moreValues(c candidate, from int, or bool, extra float64) []candidate {
	var out []candidate
	for _, d := range p.maybe(from, "article") {
		for end, hits := range p.mentions.values[d] {
			m := c.phrase.clone()
			m.hits = append(m.hits[:len(m.hits):len(m.hits)], hits)
			if len(c.phrase.literals) > 0 && p.at(d).kind == quotedToken {
				m.literals = append(m.literals[:len(m.literals):len(m.literals)], literal(p.tokens[d].text))
			} else {
				m.literals = nil
			}
			m.alternatives = m.alternatives || or
			out = append(out, candidate{m, end, c.cost + extra + 0.05 + 2*(1-hits[0].score)})
		}
		if p.at(d).kind == quotedToken && p.mentions.values[d][d+1] == nil && len(c.phrase.literals) == len(c.phrase.hits) {
			m := c.phrase.clone()
			m.hits = append(m.hits[:len(m.hits):len(m.hits)], nil)
			m.literals = append(m.literals[:len(m.literals):len(m.literals)], literal(p.tokens[d].text))
			m.alternatives = m.alternatives || or
			out = append(out, candidate{m, d + 1, c.cost + extra + 0.3})
		}
	}
	return out
}

// attributes reads attribute names and aggregates of them, without anything
// said after them.
func (p *parser) attributes(i int, possessive bool) []candidate {
	var out []candidate
	for end, a := range p.mentions.attributes[i] {
		out = append(out, candidate{&phrase{items: []item{{attribute: a}}, words: [2]int{i, end}}, end, 3 * (1 - a.candidates[0].score) / 2})
	}
	for _, e := range p.nameWords(i) {
		out = append(out, candidate{&phrase{items: []item{{attribute: &attribute{asksName: true, start: i, end: e}}}, words: [2]int{i, e}}, e, 0.05})
	}
	for _, a := range aggregateTags[:4] {
		for _, e := range p.ends(i, a.tag) {
			for end, at := range p.mentions.attributes[e] {
				n := &phrase{items: []item{{attribute: at}}, words: [2]int{i, end}}
				if m, cost := p.aggregate(n, []string{a.agg}); m != nil {
					out = append(out, candidate{m, end, cost + 3*(1-at.candidates[0].score)/2})
				}
			}
		}
	}
	for _, e := range p.ends(i, "article", "distinct", "pronoun") {
		if e > i && (possessive || p.tags[i]["pronoun"] == nil) {
			out = append(out, p.attributes(e, possessive)...)
		}
	}
	return out
}
