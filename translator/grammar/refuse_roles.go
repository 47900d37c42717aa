// Refusing what is said of people and things in another role than the question gives them: by a value or an event that it does not mean, or of others than
// those whom it asks for.

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// refuseWordTwice refuses a reading that uses one word twice: a dentist has the title "dentist", or is the dentist of an appointment, and
// these need not be the same people.
func (p *parser) refuseWordTwice(n *phrase) (why string) {
	for i, t := range p.tokens {
		hits := p.mentions.values[i][i+1]
		if named := p.mentions.relations[i]; len(hits) == 0 || p.language.titles[strings.ToLower(t.text)] != nil || len(named) > 0 && named[0].score >= namedScore {
			continue
		}
		valued, role := n.attributeHead && !p.mentionsRelation(n.set.relation), ""
		walk(n.set, func(s *set, _ int) {
			valued = valued || slices.ContainsFunc(hits, func(h valueMention) bool { return h.column.Relation == s.relation && speaksOf(s.conditions, h.column) })
			role = cmp.Or(roleIn(s, t.stem, hits[0].column.Relation), role)
		})
		if people := hits[0].column.Relation; valued && role == "" && n.set.relation != people && p.isKeyNamed(t.stem, people) {
			role = people.Name.Name
		}
		if valued && role != "" {
			why = fmt.Sprintf("%q is a value of %s and a role that any of %s may have: say which is meant.", t.text, hits[0].column.Name, role)
		}
	}
	return why
}

// roleIn returns what things of a relation are in another one by a key that a word names, where the conditions of a set join by it.
// It is "" where none does.
func roleIn(s *set, stem string, r *catalog.Relation) (role string) {
	for _, c := range s.conditions {
		if c.kind != related {
			continue
		}
		for _, e := range c.path.edges {
			if !slices.Contains(e.name, stem) || e.to != r && e.from != r {
				continue
			}
			role = e.from.Name.Name
			if e.toOne {
				role = e.to.Name.Name
			}
		}
	}
	return role
}

// isKeyNamed reports whether a key that points to people is called by a role: the driver_id of a tour.
func (p *parser) isKeyNamed(stem string, people *catalog.Relation) bool {
	return slices.ContainsFunc(p.lexicon.graph.edges[people], func(e *edge) bool { return !e.toOne && !e.implied && slices.Contains(e.name, stem) })
}

// refuseSharedLastName refuses people who are told by a last name that several have, unless the question says that they are called so:
// "orders of Hansen" are those of one Hansen.
func (p *parser) refuseSharedLastName(n *phrase) (why string) {
	named := p.says("named")
	if named || isSaid(p.tokens, "name", "surname") {
		return ""
	}
	titled := p.anywhere(func(i int) bool { return p.language.titles[strings.ToLower(p.tokens[i].text)] != nil }) // "Dr Lee" is not the nurse
	walk(n.set, func(s *set, _ int) {
		names := p.lexicon.relationInfo[s.relation].names
		for _, c := range s.conditions {
			if c.kind != compare || c.op != "=" || partOfPerson(c.column, names[c.column]) != "last" || c.column.Profile == nil || len(c.value.literals) == 0 {
				continue
			}
			first := slices.ContainsFunc(s.conditions, func(o condition) bool {
				return o.kind == compare && o.column != c.column && (partOfPerson(o.column, names[o.column]) == "first" || titled && isText(o.column))
			})
			several := slices.ContainsFunc(c.column.Profile.Common, func(v string) bool { return literal(v) == c.value.literals[0] })
			if several && !first {
				why = fmt.Sprintf("Several of %s have that %s: say the first name, too.", s.relation.Name.Name, c.column.Name)
			}
		}
	})
	return why
}

// refuseUnnamedVisit refuses to place things "in" a place by an event there that the question does not name: "patients in Bristol" need
// not be those with an appointment in Bristol.
func (p *parser) refuseUnnamedVisit(n *phrase) string {
	if slices.ContainsFunc(n.set.conditions, func(c condition) bool { return c.count != nil }) {
		return ""
	}
	for i := range p.tokens {
		if p.isVerb(i) && len(p.ends(i, "have", "be_bare", "do", "opener", "with")) == 0 {
			return ""
		}
	}
	for _, c := range n.set.conditions {
		if c.kind != related || c.joined || len(c.path.edges) < 2 || c.path.edges[0].toOne || !c.path.isTurning() || p.isOfCodes(c.child) {
			continue
		}
		event := c.path.edges[0].to
		if !c.path.edges[1].toOne {
			event = c.path.edges[1].to
		}
		if len(p.lexicon.relationInfo[event].dates) > 0 && !p.mentionsRelation(event) && !p.mentionsRelation(c.child.relation) && onlyValues(c.child.conditions) && !p.lexicon.pointsTo(n.set.relation, c.child.relation) {
			return fmt.Sprintf("%s have that by %s only: name it.", n.set.relation.Name.Name, event.Name.Name)
		}
	}
	return ""
}

// refuseEventForThing refuses to take a value for what an event that the question does not name is of, where things are called so: cottages "with a
// sauna" have one, and no repair of saunas.
func (p *parser) refuseEventForThing(n *phrase) string {
	for _, c := range n.set.conditions {
		if c.kind != related || c.joined || c.path.edges[0].toOne || !p.isEvent(c.child.relation) || p.mentionsRelation(c.child.relation) || !onlyValues(c.child.conditions) {
			continue
		}
		for _, said := range c.child.conditions {
			for i, end := range p.saidAt(said) {
				if things := p.thingsCalledSo(p.mentions.values[i][end], c.child.relation); things != nil {
					return fmt.Sprintf("%q may be one of %s, and what one of %s is of: name these.", said.value.plain, things.Name.Name, c.child.relation.Name.Name)
				}
			}
		}
	}
	return ""
}

// refuseMeaningForThings refuses rows of codes as what is in a state, where the meaning of a code names the things that have it: "open orders" are no
// statuses that mean an open order.
func (p *parser) refuseMeaningForThings(n *phrase) string {
	for _, c := range n.set.conditions {
		if c.kind != compare || !p.lexicon.isMeaningOfCode(c.column) && len(p.lexicon.legends[c.column].labels) == 0 {
			continue
		}
		for i, end := range p.saidAt(c) {
			for _, m := range p.mentions.relations[end-1] {
				if end > i+1 && m.score >= namedScore && m.relation != n.set.relation && p.lexicon.pointsTo(m.relation, n.set.relation) {
					return fmt.Sprintf("%s may have that, and not %s: name them.", m.relation.Name.Name, n.set.relation.Name.Name)
				}
			}
		}
	}
	return ""
}

// thingsCalledSo returns a relation, other than some events, whose rows are no events and have the name that words may be; nil if there is none.
func (p *parser) thingsCalledSo(hits []valueMention, events *catalog.Relation) *catalog.Relation {
	for _, h := range hits {
		if r := h.column.Relation; r != events && !p.isEvent(r) && slices.Contains(p.lexicon.relationInfo[r].display, h.column) {
			return r
		}
	}
	return nil
}

// isOfCodes reports whether a set is narrowed by what codes stand for, such as diagnoses: nobody is in these, but has them.
func (p *parser) isOfCodes(s *set) bool {
	return slices.ContainsFunc(s.conditions, func(c condition) bool { return c.kind == compare && p.lexicon.isMeaningOfCode(c.column) })
}

// refuseAttributeOfOthers refuses a column of another relation where the question asks for that of people: the city of Ann Lee is not that of the
// customers whom she looks after, nor the email of somebody in a view that of those who stand beside her in it.
func (p *parser) refuseAttributeOfOthers(n *phrase) (why string) {
	if len(n.items) != 1 || n.items[0].column == nil || n.items[0].aggregate != "" || len(n.group) > 0 {
		return ""
	}
	s := n.set.find(n.items[0].setID)
	if s != nil && slices.ContainsFunc(s.conditions, func(c condition) bool { return c.kind == compare && isText(c.column) }) {
		return "" // it is said of which others: the phone of somebody's mother
	}
	if s == nil || p.mentionsRelation(s.relation) || !p.lexicon.hasName(s.relation) || slices.Contains(p.lexicon.relationInfo[s.relation].display, n.items[0].column) {
		return ""
	}
	walk(n.set, func(owner *set, _ int) {
		others := p.isPeople(owner.relation) && p.lexicon.pointsTo(s.relation, owner.relation) || p.isPeople(s.relation) && owner.relation.Kind != catalog.Table
		if owner != s && others && onlyValues(slices.DeleteFunc(slices.Clone(owner.conditions), func(c condition) bool { return c.kind == related })) {
			why = fmt.Sprintf("That is said of %s, and not of %s: name them.", s.relation.Name.Name, owner.relation.Name.Name)
		}
	})
	return why
}

// refuseDetour refuses to relate things by an event that the question does not name to what they point to themselves: customers of Ann Lee are
// those whose account manager she is, and not those from whom she took an order.
func (p *parser) refuseDetour(n *phrase) (why string) {
	walk(n.set, func(s *set, _ int) {
		for _, c := range s.conditions {
			if c.kind != related || c.joined || c.count != nil || len(c.path.edges) != 2 || c.path.edges[0].toOne || !c.path.edges[1].toOne {
				continue
			}
			event := c.path.edges[0].to
			if !p.mentionsRelation(event) && p.lexicon.pointsTo(s.relation, c.child.relation) && onlyValues(c.child.conditions) {
				why = fmt.Sprintf("%s point to %s themselves: name %s if they are meant.", s.relation.Name.Name, c.child.relation.Name.Name, event.Name.Name)
			}
		}
	})
	return why
}

// refuseUnkeyed refuses to go to people by others where rows have a column of their own for them that is no declared key: the doctor of a prescription
// with a doc_id need not be that of the visit.
func (p *parser) refuseUnkeyed(n *phrase) (why string) {
	walk(n.set, func(people *set, _ int) {
		if !p.isPeople(people.relation) {
			return
		}
		way := n.set.pathTo(people.id)
		if len(way.edges) < 2 || !way.toOne() {
			return
		}
		role := way.edges[len(way.edges)-1].name
		for _, c := range n.set.relation.Columns {
			called := slices.ContainsFunc(spelledOut(c.Name), func(w string) bool {
				return w != "id" && slices.ContainsFunc(role, func(s string) bool { return s == p.language.stem(w) || len(w) > 2 && strings.HasPrefix(s, w) })
			})
			if called && lastOf(splitName(c.Name)) == "id" && !p.lexicon.isDeclaredKey(c) {
				why = fmt.Sprintf("%s of %s may say who that is, but is no key: declare one.", c.Name, n.set.relation.Name.Name)
			}
		}
	})
	return why
}

// isDeclaredKey reports whether a declared key leads from a column.
func (x *lexicon) isDeclaredKey(c *catalog.Column) bool {
	return slices.ContainsFunc(x.snapshot.ForeignKeys, func(k *catalog.ForeignKey) bool { return !k.Implied && slices.Contains(k.FromCols, c) })
}

// onlyValues reports whether there are conditions and all of them are values of texts, or the number of a thing.
func onlyValues(list []condition) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(c condition) bool {
		return c.kind != compare || c.op != "=" || !isText(c.column) && !c.column.Unique
	})
}

// refuseManaged refuses a reading that does not go by the key from people to who manages them, where the question says that somebody does: whom Ann
// manages is neither Ann nor who buys from her. It refuses the other way by that key, too: who is "managed by Ann" points to her.
func (p *parser) refuseManaged(n *phrase) string {
	key := p.managerKey()
	if key == nil || !p.saysManaged(key.to) {
		return ""
	}
	byKey, named := false, false
	for s, c := range conditionsIn(n.set) {
		byKey = byKey || c.kind == related && slices.ContainsFunc(c.path.edges, func(e *edge) bool { return e.from == key.from && e.to == key.to && slices.Equal(e.name, key.name) })
		named = named || s == n.set && s.relation == key.to && c.kind == compare && slices.Contains(p.lexicon.relationInfo[key.to].display, c.column)
	}
	if byKey && !(named && isSaid(p.tokens, "by", "under")) {
		return ""
	}
	return fmt.Sprintf("It is not read who manages whom: ask \"who reports to\" somebody or \"%s per manager\".", called(key.to))
}

// managerKey returns the only key that leads from people to who manages them, nil if there is none or several.
func (p *parser) managerKey() *edge {
	var keys []*edge
	for _, r := range p.relations {
		for _, e := range p.lexicon.graph.edges[r] {
			leads := p.isLeadKey(e) || slices.Contains(e.name, p.language.stem("report"))
			if e.toOne && e.to == r && leads && p.isPeople(r) {
				keys = append(keys, e)
			}
		}
	}
	return only(keys)
}

// saysManaged reports whether the question says that one of some people manages others, or that others are managed by him.
func (p *parser) saysManaged(people *catalog.Relation) bool {
	said := p.mentionsRelation(people) || p.mentionsStem(p.language.stem("people"))
	for _, spans := range p.mentions.values {
		for _, hits := range spans {
			said = said || slices.ContainsFunc(hits, func(h valueMention) bool { return h.column.Relation == people })
		}
	}
	for i, t := range p.tokens {
		switch next := p.at(i + 1).lower; {
		case t.stem == "report" && next == "to", t.stem == "work" && next == "under":
			return said
		case p.language.leadingVerbs[t.stem] && p.isFullVerb(i):
			return said
		}
	}
	return false
}

// refuseOfReferenced refuses what is said of people beside those that a key of theirs points to, where the question does not name both: "managers
// with a salary over 5000", "the manager of Ann Lee and his salary".
func (p *parser) refuseOfReferenced(n *phrase) string {
	if p.mentionsRelation(n.set.relation) {
		return ""
	}
	info := p.lexicon.relationInfo[n.set.relation]
	for _, c := range n.set.conditions {
		shown := func(id int) bool {
			return slices.ContainsFunc(n.items, func(it item) bool { return it.setID == id && slices.Contains(info.display, it.column) })
		}
		if c.kind != related || !c.joined || len(c.path.edges) != 1 || c.child.relation != n.set.relation || !shown(c.child.id) || shown(n.set.id) {
			continue
		}
		other := func(col *catalog.Column) bool {
			return col != nil && !slices.Contains(info.display, col) && !p.isIdentifier(col)
		}
		said := slices.ContainsFunc(n.items, func(it item) bool { return it.setID == n.set.id && other(it.column) }) ||
			slices.ContainsFunc(n.set.conditions, func(o condition) bool { return o.kind == compare && other(o.column) })
		if said {
			return fmt.Sprintf("It is not said of whom that is wanted: of %s, or of those whose %s they are.", n.set.relation.Name.Name, c.path.edges[0].fromCols[0].Name)
		}
	}
	return ""
}

// isLeadKey reports whether a key is called by who leads: manager_id, director_id.
func (p *parser) isLeadKey(e *edge) bool {
	return slices.ContainsFunc(e.name, func(s string) bool {
		return p.language.leadingVerbs[s] || p.language.leadingVerbs[strings.TrimSuffix(strings.TrimSuffix(s, "or"), "er")]
	})
}

// refuseUnprovedLead refuses people of whom the question says that they lead something where no column says it: who works in a warehouse need
// not manage it.
func (p *parser) refuseUnprovedLead(n *phrase) (why string) {
	for i, t := range p.tokens {
		if i == 0 || !p.language.leadingVerbs[t.stem] || !p.isFullVerb(i) || !p.endsTag(i, "relative") && p.tokens[i-1].lower != "who" && !p.namesAt(i-1, n.set.relation) || !p.isPeople(n.set.relation) {
			continue
		}
		proved := false
		walk(n.set, func(s *set, _ int) {
			for _, c := range s.conditions {
				proved = proved || slices.ContainsFunc(c.path.edges, p.isLeadKey)
				if c.kind == compare && isText(c.column) {
					proved = proved || slices.ContainsFunc(c.value.literals, func(l string) bool {
						return slices.ContainsFunc(wordsOf(l), func(w string) bool { return p.language.stem(w) == t.stem })
					})
				}
			}
		})
		if !proved {
			why = fmt.Sprintf("No column says who %s that.", t.text)
		}
	}
	return why
}
