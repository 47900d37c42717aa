package grammar

import (
	"slices"

	"askpg/catalog"
)

// whoClause reads "who has the highest salary": the subject is whatever has what
// is said of it.
func (p *parser) whoClause(i int) []candidate {
	var out []candidate
	for _, e := range p.ends(i, "who") {
		for _, m := range p.verbPhrase(e) {
			var relations []*catalog.Relation
			switch m.modifier.kind {
			case modifierSuperlative, modifierCompare:
				if m.modifier.attribute != nil {
					for _, c := range m.modifier.attribute.candidates {
						relations = append(relations, c.column.Relation)
					}
				}
			case modifierFirstOrLast, modifierDate:
				for _, r := range p.lexicon.snapshot.Relations {
					if cs := p.dateColumns(&set{relation: r}, &modifier{hints: m.modifier.hints, date: &dateRange{loYear: 1}}); len(cs) > 0 && len(relations) < 4 {
						for _, c := range cs {
							if c.score > 0.9 {
								relations = append(relations, r)
								break
							}
						}
					}
				}
			}
			if m.modifier.kind == modifierRelated && m.modifier.phrase.isEntity() {
				relations = p.inRole(m.modifier.phrase.set.relation, m.modifier.hints)
			}
			for k, r := range relations {
				if k >= 4 {
					break
				}
				if d := p.lexicon.relationInfo[r].display; len(d) == 0 || !textual(d[0]) {
					continue // nobody is called so
				}
				for _, a := range p.apply(p.entity(r), &m.modifier) {
					out = append(out, candidate{a.phrase, m.end, m.cost + a.cost + 0.3})
				}
			}
		}
	}
	return keepPerEnd(out)
}

// inRole returns the relations that have a role in another one which a verb
// names: who "coaches" a team is whom the coach_id of teams points to.
func (p *parser) inRole(of *catalog.Relation, hints []string) []*catalog.Relation {
	var out []*catalog.Relation
	for _, e := range p.lexicon.graph.edges[of] {
		if e.toOne && !e.implied && p.hintsAt(hints, e.name) && !slices.Contains(out, e.to) {
			out = append(out, e.to)
		}
	}
	return out
}

// whenOf reads the verb after "when was the order" and finds the date that it
// speaks of.
func (p *parser) whenOf(c candidate, n reading, end int) []candidate {
	var out []candidate
	for e := c.end; e <= end && e <= c.end+3; e++ {
		if e > c.end && !p.hasMeaning(e-1) {
			break
		}
		for _, d := range p.dateColumns(n.phrase.set, &modifier{hints: p.wordsBetween(c.end, e), date: &dateRange{loYear: 1}}) {
			x := n.phrase.clone()
			x.items = []item{{column: d.column, setID: x.set.id}}
			if s := x.set.superlative; s != nil && s.by.column != nil && s.by.column != d.column && d.score > 0.9 && s.by.aggregate == "" {
				// the first to sign up is so by the date of signing up
				t := *x.set
				t.superlative = &superlative{by: item{column: d.column, setID: x.set.id}, descending: s.descending, count: s.count}
				x.set = &t
			}
			out = append(out, candidate{x, e, c.cost + n.cost + max(0, 1-d.score) + 0.2})
		}
	}
	return out
}

// howMuch reads "how old is ...", "how much does ... weigh", "how many people
// live in ...".
func (p *parser) howMuch(i, end int) []candidate {
	var out []candidate
	of := func(a *attribute, c candidate, e int, cost float64) {
		n := &phrase{items: []item{{attribute: a}}}
		for _, r := range p.applyOf(n, &modifier{kind: modifierOf, phrase: c.phrase}) {
			out = append(out, candidate{r.phrase, e, c.cost + r.cost + cost})
		}
	}
	for _, e := range p.ends(i, "how") {
		for e2, forms := range p.adjectives[min(e, len(p.tokens))] {
			for _, f := range forms {
				if f.degree != baseDegree {
					continue
				}
				a := p.attributeNamed(f.columns, nil, e, e2)
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
	starts := p.ends(i, "how_many")
	if p.at(i).lower == "what" && len(p.ends(i+1, "do")) > 0 {
		starts = append(slices.Clone(starts), i+1) // "what does a ticket cost"
	}
	for _, e := range starts {
		for _, d := range p.maybe(e, "do") {
			for _, c := range p.noun(d) {
				if words, ok := p.language.measures[p.at(c.end).stem]; ok && len(words) > 0 {
					if a := p.attributeNamed(words, nil, c.end, c.end+1); a != nil {
						of(a, c, c.end+1, 0.1)
					}
				}
			}
		}
		if p.at(e-1).lower == "much" {
			out = append(out, p.amountOf(e)...)
		}
		// how many cylinders does it have: the attribute is a number itself
		for end, a := range p.mentions.attributes[e] {
			number := onlyNumeric(a)
			if number == nil {
				continue
			}
			base := &phrase{items: []item{{attribute: number}}}
			for _, c := range p.extend([]candidate{{base, end, 0.35 + 3*(1-number.candidates[0].score)/2}}) {
				if c.phrase.set != nil && len(c.phrase.items) == 1 {
					out = append(out, c)
				}
			}
		}
	}
	return keepPerEnd(out)
}

// amountOf reads "did we refund last year" after "how much": the only amount of
// what the verb names, added up.
func (p *parser) amountOf(i int) []candidate {
	var out []candidate
	for _, d := range p.ends(i, "do") {
		for _, m := range p.mentions.relations[d] {
			amounts := slices.DeleteFunc(slices.Clone(m.relation.Columns), func(c *catalog.Column) bool { return !p.additive(c) })
			if m.score < namedScore || m.end != d+1 || len(amounts) != 1 {
				continue
			}
			n := p.entity(m.relation)
			n.items = []item{{column: amounts[0], setID: n.set.id, aggregate: "sum"}}
			out = append(out, p.extend([]candidate{{n, m.end, 0.4}})...)
		}
	}
	return out
}

// whereWhen reads "where is ...", "when was ...".
func (p *parser) whereWhen(i, end int) []candidate {
	var out []candidate
	for _, tag := range []string{"where", "when"} {
		words := p.language.where
		if tag == "when" {
			words = p.language.when
		}
		for _, e := range p.ends(i, tag) {
			for _, c := range p.noun(e) {
				entities := []reading{{c.phrase, 0}}
				if c.phrase.isValue() {
					entities = p.valueEntity(c.phrase)
				}
				for _, n := range entities {
					if !n.phrase.isEntity() {
						continue
					}
					if tag == "when" {
						out = append(out, p.whenOf(c, n, end)...)
					}
					a := p.columnsNamed(words, n.phrase.set.relation, tag == "when")
					if a == nil {
						continue
					}
					for _, r := range p.attributeOf(&phrase{items: []item{{attribute: a}}}, n.phrase) {
						// "where is he from", "when was it built"
						for _, e2 := range append(p.maybe(c.end, "in"), c.end+1) {
							if e2 == c.end+1 && (e2 > end || !p.isVerb(c.end)) {
								continue
							}
							out = append(out, candidate{r.phrase, e2, c.cost + n.cost + r.cost + 0.3})
						}
					}
				}
			}
		}
	}
	return out
}
