// Reading "who": whoever has or does what is said.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// whoClause reads "who has the highest salary": the subject is any relation that the predicate fits.
func (p *parser) whoClause(i int) (out []candidate) {
	for _, e := range p.ends(i, "who") {
		for _, m := range p.verbPhrase(e) {
			subjects := p.subjects(&m.modifier)
			for _, r := range subjects[:min(4, len(subjects))] {
				if d := p.lexicon.relationInfo[r].display; len(d) == 0 || !isText(d[0]) || p.isOfPeople(r) || (r.Kind == catalog.View || r.Kind == catalog.MaterializedView) && !p.isPeople(r) {
					continue // nobody is called so
				}
				found := candidates(p.apply(p.entity(r), &m.modifier), m.end, m.cost+0.3)
				out = append(out, found...)
				if m.modifier.kind == modifierSuperlative {
					out = append(out, p.extend(found)...) // "who spent the most in May"
				}
			}
		}
	}
	return keepPerEnd(out)
}

// subjects returns the relations that may have or do what a modifier says.
func (p *parser) subjects(m *modifier) (out []*catalog.Relation) {
	switch m.kind {
	case modifierSuperlative, modifierCompare:
		for _, c := range m.attribute.all() {
			out = append(out, c.column.Relation)
			if m.kind == modifierSuperlative && len(m.hints) > 0 {
				out = append(out, p.payers(c.column.Relation)...)
			}
		}
	case modifierFirstOrLast, modifierDate:
		for _, r := range p.persons() {
			dates := p.dateColumns(&set{relation: r}, &modifier{hints: m.hints, date: &dateRange{loYear: 1}})
			if slices.ContainsFunc(dates, func(c columnCandidate) bool { return c.score > 0.9 }) {
				out = append(out, r)
			}
		}
	case modifierRelated:
		if out = append(p.inState(m), p.doers(m)...); len(out) == 0 && (m.phrase.isEntity() && (m.quantifier != nil || !p.isVerbHints(m.hints)) || isPlaceModifier(p, m)) {
			out = p.persons()
		}
	case modifierMostRows:
		out = p.persons()
	}
	return out
}

// inState returns the people of whom a value is the status: "who is on the waiting list".
func (p *parser) inState(m *modifier) (people []*catalog.Relation) {
	if m.phrase.isValue() && len(m.phrase.values) == 1 && !p.isVerbHints(m.hints) {
		for _, h := range m.phrase.values[0] {
			if r := h.column.Relation; p.isPeople(r) && p.lexicon.isStatus(h.column) {
				people = append(people, r)
			}
		}
	}
	return people
}

// payers returns the people whose the rows of a relation are, and not who is employed and does something for it: who "spent" a total.
func (p *parser) payers(r *catalog.Relation) (out []*catalog.Relation) {
	for _, e := range p.lexicon.graph.edges[r] {
		if e.toOne && p.isPeople(e.to) && !p.isEmployed(e.to) && !p.hasHire(e.to) && !slices.Contains(out, e.to) {
			out = append(out, e.to)
		}
	}
	return out
}

// persons returns the relations whose rows are people, or are called by what they do: callers, suppliers.
func (p *parser) persons() []*catalog.Relation {
	return slices.DeleteFunc(slices.Clone(p.relations), func(r *catalog.Relation) bool { return !p.isPeople(r) && !p.isDoer(r) })
}

// isPlaceModifier reports whether a modifier says where things are, by the name of that: "on Ash Ward".
func isPlaceModifier(p *parser, m *modifier) bool {
	return m.phrase.isValue() && len(m.phrase.values) == 1 && len(m.hints) == 1 && (m.hints[0] == "in" || m.hints[0] == "on" || m.hints[0] == "at") &&
		slices.ContainsFunc(m.phrase.values[0], func(h valueMention) bool {
			return !p.isPeople(h.column.Relation) && slices.Contains(p.lexicon.relationInfo[h.column.Relation].display, h.column)
		})
}

// isDoer reports whether rows of a relation have a name and are called by a word for who does something.
func (p *parser) isDoer(r *catalog.Relation) bool {
	info := p.lexicon.relationInfo[r]
	if len(info.display) != 1 || !slices.Contains(info.names[info.display[0]], "name") {
		return false
	}
	words := splitName(r.Name.Name)
	last := words[len(words)-1]
	if one := singular(last); one != "" {
		last = one
	}
	return strings.HasSuffix(last, "er") || strings.HasSuffix(last, "or") || strings.HasSuffix(last, "ist")
}

// isOfPeople reports whether the rows of a relation are what people have or do, and no people.
func (p *parser) isOfPeople(r *catalog.Relation) bool {
	return !p.isPeople(r) && slices.ContainsFunc(p.lexicon.graph.edges[r], func(e *edge) bool { return e.toOne && !e.implied && p.isPeople(e.to) })
}

// doers returns the relations that "who" may stand for, given a verb and its object: the people to whom the object points by a key that
// the verb names, or the only people that take part in the event.
func (p *parser) doers(m *modifier) (out []*catalog.Relation) {
	if m.phrase.isEntity() {
		out = p.inRole(m.phrase.set.relation, m.hints)
	} else if m.phrase.isValue() && len(m.phrase.values) == 1 {
		for _, h := range m.phrase.values[0] {
			out = append(out, p.inRole(h.column.Relation, m.hints)...)
		}
	}
	return out
}

// inRole returns the relations that have a role named by a verb in another one: who "coaches" a team is whom coach_id points to.
func (p *parser) inRole(of *catalog.Relation, hints []string) (out []*catalog.Relation) {
	for _, e := range p.lexicon.graph.edges[of] {
		if e.toOne && !e.implied && p.hintsAt(hints, e.name) && !slices.Contains(out, e.to) {
			out = append(out, e.to)
		}
	}
	return out
}

// annotateWorking lets "who works" and "people employed" name the only relation of people who are employed, where a place is said, and
// "everybody" those whom we hired.
func (p *parser) annotateWorking() {
	defer clear(p.datesAt) // names are not known yet, which times may have
	for i, t := range p.tokens {
		verb, end := i+1, i+1
		if t.stem == "person" {
			for p.at(verb).lower == "who" || p.at(verb).lower == "that" {
				verb++
			}
		} else if t.lower != "who" {
			continue
		}
		if len(p.ends(verb, "be_bare")) > 0 {
			verb++
		}
		for _, now := range p.ends(verb, "now") {
			verb = now
		}
		switch p.at(verb).stem {
		case "hire":
			if t.stem != "person" {
				continue
			}
		case "work", "employ":
			if end = p.placeOfWork(verb + 1); end == 0 {
				continue
			}
		default:
			continue
		}
		employed := onlyWhere(p.relations, p.isEmployed)
		if employed == nil {
			continue
		}
		p.tags[i] = nil
		p.mentions.relations[i] = []relationMention{{employed, 1, i, end, false}}
		p.cover(i, end)
	}
}

// placeOfWork returns where "works" ends with "here" and "for us" behind it, before token i where a place follows, and 0 if no place is said: who
// was employed in 2024 need not be there now.
func (p *parser) placeOfWork(i int) int {
	at := p.at(i).lower
	switch {
	case at == "here":
		return i + 1
	case (at == "for" || at == "with") && p.at(i+1).lower == "us":
		return i + 2
	case at != "in" && at != "at" && at != "on" && at != "the" || len(p.date(i)) > 0:
		return 0
	}
	return i
}

// annotateDoers lets "who" before "ordered", "never bought" or "spent more than" name the only people whose the orders are, and who are not employed, and before
// "wrote" the writers. It lets "what" before "did Ann buy" name the only kind of things that lines of orders point to.
func (p *parser) annotateDoers() {
	name := func(r *catalog.Relation) {
		if r != nil {
			p.tags[0] = nil
			p.mentions.relations[0] = []relationMention{{r, 1, 0, 1, false}}
			p.cover(0, 1)
		}
	}
	p.annotatePeople()
	switch p.at(0).lower {
	case "who":
		verb := 1
		for verb < len(p.tokens) && slices.Contains([]string{"has", "have", "had", "n't", "not", "never", "ever", "also", "only", "already", "last"}, p.tokens[verb].lower) {
			verb++
		}
		spends := p.at(verb).stem == p.language.stem("spent") && len(p.ends(verb+1, "gt", "ge", "lt", "le", "between", "most", "least")) > 0
		if p.isBuying(verb) || spends {
			name(p.buyers())
		} else if slices.ContainsFunc(p.maybe(verb+1, "article", "most"), func(i int) bool { return len(p.mentions.values[i])+len(p.mentions.relations[i]) > 0 }) {
			name(p.agents(verb))
		}
	case "what":
		if auxiliary := p.at(1).lower; auxiliary != "did" && auxiliary != "does" && auxiliary != "has" {
			return
		}
		for _, verb := range p.behindValues(2) {
			if p.isBuying(verb) {
				name(p.goods())
			}
		}
	}
}

// annotatePeople lets "people" before "bought" name the only people whose the orders are: "how many people bought a lamp".
func (p *parser) annotatePeople() {
	for i := 1; i+1 < len(p.tokens); i++ {
		verb := i + 1
		if p.tokens[verb].lower == "who" || p.tokens[verb].lower == "have" {
			verb++
		}
		if p.tokens[i].lower != "people" || !p.isBuying(verb) {
			continue
		}
		if buyers := p.buyers(); buyers != nil {
			p.mentions.relations[i] = []relationMention{{buyers, 1, i, i + 1, false}}
		}
	}
}

// behindValues returns where the values end that begin at token i, or are said behind one another: a first and a last name.
func (p *parser) behindValues(i int) (ends []int) {
	for end := range inOrder(p.mentions.values[i]) {
		ends = append(append(ends, end), p.behindValues(end)...)
	}
	return ends
}

// agents returns the only people who are called by what they do: who "writes" is a writer or an author.
func (p *parser) agents(verb int) *catalog.Relation {
	var agents []*catalog.Relation
	stem := p.at(verb).stem
	for _, noun := range []string{p.language.stem(stem + "er"), p.language.stem(stem + "or"), p.language.stem(stem + "r")} {
		for _, called := range append([]string{noun}, p.language.synonyms[noun]...) {
			for _, lb := range p.lexicon.labelsByStem[called] {
				if lb.column == nil && len(lb.words) == 1 && (p.isPeople(lb.relation) || p.isDoer(lb.relation)) && !slices.Contains(agents, lb.relation) {
					agents = append(agents, lb.relation)
				}
			}
		}
	}
	return only(agents)
}

// isBuying reports whether a word is a verb for what customers do.
func (p *parser) isBuying(i int) bool {
	return slices.ContainsFunc([]string{"order", "buy", "purchase"}, func(verb string) bool { return p.at(i).stem == p.language.stem(verb) })
}

// buyers returns the only people whose the orders are, nil if there are none or several.
func (p *parser) buyers() *catalog.Relation {
	var buyers []*catalog.Relation
	for _, r := range p.relations {
		if p.lexicon.isOrder(r) {
			buyers = append(buyers, slices.DeleteFunc(p.payers(r), func(b *catalog.Relation) bool { return slices.Contains(buyers, b) })...)
		}
	}
	return only(buyers)
}

// goods returns the only things that lines of orders point to, nil if there are none or several.
func (p *parser) goods() *catalog.Relation {
	var goods []*catalog.Relation
	for _, pieces := range p.lexicon.soldQuantities {
		for _, e := range p.goodsKeys(pieces.Relation) {
			if p.lexicon.hasName(e.to) && !slices.Contains(goods, e.to) {
				goods = append(goods, e.to)
			}
		}
	}
	return only(goods)
}

// isWhereTheyAre reports whether a verb says only where people are: all of them live somewhere, and who is employed works.
func (p *parser) isWhereTheyAre(r *catalog.Relation, verb string) bool {
	return p.language.placeVerbs[verb] || verb == "work" && (p.isEmployed(r) || p.lexicon.relationInfo[r].left != nil)
}

// isEmployed reports whether the rows of a relation are employees: its name says so, or it has a salary or a date of hire.
func (p *parser) isEmployed(r *catalog.Relation) bool {
	return p.lexicon.isStaff(r) || p.language.peopleNames[p.language.stem(lastOf(splitName(r.Name.Name)))] && p.hasHire(r)
}

// hasHire reports whether a column of a relation is called by a word for employment, such as a salary or a date of hire.
func (p *parser) hasHire(r *catalog.Relation) bool {
	return slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool {
		return slices.ContainsFunc(p.lexicon.relationInfo[r].names[c], func(s string) bool { return p.language.staffNames[s] })
	})
}

// isStaff reports whether a relation is called by a word for people who are employed.
func (x *lexicon) isStaff(r *catalog.Relation) bool {
	return slices.ContainsFunc(append([]string{r.Name.Name}, r.Synonyms...), func(name string) bool {
		last := x.language.stem(lastOf(splitName(name)))
		return x.language.peopleNames[last] && x.language.staffNames[last]
	})
}

// annotateLeave lets nouns for time off, such as "on holiday", name no time at which somebody left for good.
func (p *parser) annotateLeave() {
	for i := range p.tokens {
		for end, a := range p.mentions.attributes[i] {
			if !slices.ContainsFunc(p.tokens[i:end], func(t token) bool { return p.language.awayNames[t.stem] }) {
				continue
			}
			a.candidates = slices.DeleteFunc(a.candidates, func(c columnCandidate) bool { return c.column == p.lexicon.relationInfo[c.column.Relation].left })
			if len(a.candidates) == 0 {
				delete(p.mentions.attributes[i], end)
			}
		}
	}
}
