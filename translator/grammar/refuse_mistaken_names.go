// Refusing readings that take something for the name or the state of something else.

package grammar

import (
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// refuseTimeForState refuses a time of rows in a state where the verb behind "when" is that state: "when was the order shipped" is not
// when a shipped order was placed.
func (p *parser) refuseTimeForState(n *phrase) string {
	if len(p.ends(0, "when")) == 0 || len(n.items) != 1 || n.items[0].column == nil || !isTime(n.items[0].column) {
		return ""
	}
	shown := n.items[0].column
	verb := p.askedVerb()
	if verb < 0 || p.isColumnName(shown, verb) {
		return ""
	}
	for _, c := range conditionsIn(n.set) {
		if c.kind == compare && isText(c.column) && slices.ContainsFunc(p.mentions.values[verb][verb+1], func(h valueMention) bool { return h.column == c.column }) {
			return fmt.Sprintf("%q asks when that was done, and %s of %s need not be that time: name the time.", p.tokens[verb].text, shown.Name, shown.Relation.Name.Name)
		}
	}
	return ""
}

// refuseOtherLast refuses the last of rows to which something was done by another time than that of the verb, where there is one: the order that
// was shipped last is not the newest of those that are shipped, nor the car that was bought last the newest model.
func (p *parser) refuseOtherLast(n *phrase) string {
	ranked := n.set.superlative
	if ranked == nil || ranked.by.column == nil || !isTime(ranked.by.column) && !p.lexicon.holdsYears(ranked.by.column) || ranked.by.subtrahend != nil {
		return ""
	}
	by, info := ranked.by.column, p.lexicon.relationInfo[ranked.by.column.Relation]
	otherTime := slices.ContainsFunc(info.dates, func(c *catalog.Column) bool { return c != by })
	for i := range p.tokens {
		verb := []string{p.tokens[i].lower}
		if otherTime && p.isPast(i) && len(p.ends(i+1, "lastly")) > 0 && !p.hintsAt(verb, info.names[by]) && !p.beginsAt(verb, by) {
			return fmt.Sprintf("It is not said which time is that of %q: name the column.", p.tokens[i].text)
		}
		state := slices.ContainsFunc(p.mentions.values[i][i+1], func(h valueMention) bool {
			return p.lexicon.isStatus(h.column) && speaksOf(n.set.conditions, h.column)
		})
		recorded := slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return len(p.lexicon.relationInfo[m.relation].dates) > 0 })
		if state && p.isInflected(i) && (recorded || p.namesTime(i, anyRelation)) && !slices.ContainsFunc(p.mentions.attributes[i][i+1].all(), func(c columnCandidate) bool { return c.column == by }) {
			return fmt.Sprintf("It may be the last by %s, or the last that was %s: say by which time.", by.Name, p.tokens[i].lower)
		}
	}
	return ""
}

// refuseMissingKeyForState refuses rows without a key where the verb may be a state: orders that are not "delivered" may have no delivery tour,
// or another status.
func (p *parser) refuseMissingKeyForState(n *phrase) string {
	for _, c := range n.set.conditions {
		key := c.keyMissing()
		for i, t := range p.tokens {
			notYet := i > 1 && p.at(i-1).lower == "yet" && len(p.ends(i-2, "not")) > 0
			if key == nil || !p.isDeniedVerb(i) && !notYet {
				continue
			}
			if state, _ := p.stateNamed(n.set.relation, t.lower); state != nil {
				return fmt.Sprintf("%q may be the %s of %s, or that there is no %s: say which.", "not "+t.text, state.Name, n.set.relation.Name.Name, key.Name)
			}
		}
	}
	return ""
}

// refuseDueOfOther refuses what is due of something else than what is asked for, such as the bill of an order, and a due date of rows that have
// another time in the one that is asked about.
func (p *parser) refuseDueOfOther(n *phrase) (why string) {
	if !isSaid(p.tokens, "due") {
		return ""
	}
	shown := slices.ContainsFunc(n.items, func(it item) bool { return it.column != nil && p.isDue(it.column) })
	walk(n.set, func(s *set, _ int) {
		for c := range comparisonsOf(s.conditions) {
			switch {
			case c.op != "range":
			case p.isDue(c.column) && s != n.set && !p.mentionsRelation(s.relation):
				why = fmt.Sprintf("%s is of %s: say what is due.", c.column.Name, s.relation.Name.Name)
			case shown && !p.isDue(c.column) && !p.mentionsColumn(c.column):
				why = fmt.Sprintf("It is not said that %s is that time: say what is due then.", c.column.Name)
			}
		}
	})
	return why
}

// askedVerb returns the last participle that no form of "be" stands before: "packed" of "when was the order packed", but not of "that was
// packed"; -1 if there is none.
func (p *parser) askedVerb() int {
	for i := len(p.tokens) - 1; i > 1; i-- {
		if p.isInflected(i) && len(p.mentions.relations[i+1]) == 0 && !slices.Contains([]string{"is", "was", "are", "were", "been"}, p.tokens[i-1].lower) && p.tokens[i].kind == wordToken {
			return i
		}
	}
	return -1
}

// refuseGroupOfOther refuses to group what sold best by a column without an owner in the question, where the order lines lead to another
// column of that name: the country of the supplier is not that of the buyer.
func (p *parser) refuseGroupOfOther(n *phrase) string {
	if len(n.partition) != 1 || n.partition[0].column == nil || n.set.superlative == nil || !slices.Contains(p.lexicon.soldQuantities, n.set.superlative.by.column) {
		return ""
	}
	key := n.partition[0].column
	if key.Relation == n.set.relation || p.mentionsRelation(key.Relation) {
		return ""
	}
	for _, r := range p.relations {
		i := slices.IndexFunc(r.Columns, func(c *catalog.Column) bool { return c != key && c.Name == key.Name })
		if i >= 0 && slices.ContainsFunc(p.pathsBetween(n.set.superlative.by.column.Relation, r), path.toOne) {
			return fmt.Sprintf("It may be %s of %s or %s of %s: say whose it is.", key.Name, key.Relation.Name.Name, r.Columns[i].Name, r.Name.Name)
		}
	}
	return ""
}

// refuseColumnOfFarther refuses a column of things that nobody named by how many others there are of each, where rows that point to these others
// have a column of the same name: the city of a customer is that of his address, and not that of a shop where he ordered.
func (p *parser) refuseColumnOfFarther(n *phrase) string {
	if len(n.items) != 1 || n.items[0].column == nil || n.items[0].column.Relation != n.set.relation || p.mentionsRelation(n.set.relation) {
		return ""
	}
	shown := n.items[0].column
	for _, c := range n.set.conditions {
		if c.kind != related || c.count == nil || len(c.path.edges) < 2 {
			continue
		}
		for _, e := range p.lexicon.graph.edges[c.path.edges[len(c.path.edges)-1].to] {
			if i := slices.IndexFunc(e.to.Columns, func(o *catalog.Column) bool { return o != shown && o.Name == shown.Name && !o.Private }); i >= 0 && !e.implied {
				return fmt.Sprintf("It may be %s of %s or %[1]s of %[3]s: say whose it is.", shown.Name, n.set.relation.Name.Name, e.to.Name.Name)
			}
		}
	}
	return ""
}

// refuseAllForEach refuses one answer of all where one is asked of each of other things: "how many orders were placed at each of the shops",
// "each of the suppliers' most expensive product".
func (p *parser) refuseAllForEach(n *phrase) string {
	if len(n.group)+len(n.partition) > 0 {
		return ""
	}
	ranked := false
	walk(n.set, func(s *set, _ int) { ranked = ranked || s.superlative != nil })
	for i, t := range p.tokens {
		if t.lower != "each" && t.lower != "every" {
			continue
		}
		for _, e := range append(p.ends(i, "each"), i+1) {
			for _, m := range p.mentions.relations[e] {
				firstOfEach := ranked && len(p.ends(m.end, "possessive")) > 0
				if m.score >= namedScore && (firstOfEach || m.relation != n.set.relation && n.hasAggregate()) {
					return fmt.Sprintf("It is not said whether the answer is one of all, or one for each of %s: say it as in \"per %s\".",
						m.relation.Name.Name, strings.Join(p.inSingular(e, m.end), " "))
				}
			}
		}
	}
	return ""
}

// refuseNumbersAsCount refuses one number where "numbers of" may ask for the numbers that the things have: of flights, those on the tickets.
func (p *parser) refuseNumbersAsCount(n *phrase) string {
	if len(n.group) == 0 && n.countsRows() && slices.ContainsFunc(p.tokens, func(t token) bool { return t.lower == "numbers" }) {
		return fmt.Sprintf("\"numbers\" may be how many there are or the number of each: ask how many %s there are, or name the column.", n.set.relation.Name.Name)
	}
	return ""
}

// refuseNameCount refuses to count the rows that have a name where "how many" asks for pieces of that thing: of one product there may be
// many.
func (p *parser) refuseNameCount(n *phrase) string {
	counts := n.countsRows()
	if !counts || p.mentionsRelation(n.set.relation) || p.isPeople(n.set.relation) {
		return ""
	}
	for _, e := range p.ends(0, "how_many") {
		for _, hits := range inOrder(p.mentions.values[e]) {
			for _, c := range n.set.conditions {
				named := c.kind == compare && c.op == "=" && slices.Contains(p.lexicon.relationInfo[n.set.relation].display, c.column)
				if named && isNearlyUnique(c.column) && slices.ContainsFunc(hits, func(h valueMention) bool { return h.column == c.column }) {
					return fmt.Sprintf("Each of %[2]s has a %[1]s of its own, so that the number would be 1: say of which quantity it is wanted.", c.column.Name, n.set.relation.Name.Name)
				}
			}
		}
	}
	return ""
}
