// Verbs of events, such as buying and borrowing, and the relations that record them.

package grammar

import (
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// eventVerbs are the verbs of one kind of event ("buy", "order") and the words in names of what records it ("order", "purchase"), as
// stems.
type eventVerbs struct{ verbs, names map[string]bool }

// eventOf returns the kind of event of which one of the words is a verb, nil if none is.
func (p *parser) eventOf(words []string) *eventVerbs {
	for i := range p.language.events {
		if e := &p.language.events[i]; slices.ContainsFunc(words, func(w string) bool { return e.verbs[p.language.stem(w)] }) {
			return e
		}
	}
	return nil
}

// recordsEvent reports whether the rows of a relation are such events: its name says
// so, or that of one of its times.
func (p *parser) recordsEvent(r *catalog.Relation, e *eventVerbs) bool {
	info := p.lexicon.relationInfo[r]
	for s := range info.stems {
		if e.names[s] {
			return true
		}
	}
	return slices.ContainsFunc(info.dates, func(c *catalog.Column) bool {
		return slices.ContainsFunc(info.names[c], func(s string) bool { return e.names[s] })
	})
}

// pathsOfVerb returns the join paths between two relations that fit the verb of a modifier: "bought" goes by orders and not by reviews.
// Events that no word names get equal costs. why is the reason to refuse if the only path is by another event.
func (p *parser) pathsOfVerb(a, b *catalog.Relation, m *modifier) (paths []path, why string) {
	e := p.eventOf(m.hints)
	paths = p.pathsBetween(a, b)
	if e != nil {
		paths = p.notGivenBack(paths)
	}
	if m.verb != nil {
		return paths, ""
	}
	if e == nil {
		return p.pathsByVerb(paths, m.hints)
	}
	var named []path
	var between []string
	other := false
	for _, pt := range paths {
		if p.passesEvent(pt, e) {
			if len(named) == 0 && pt.cheaperPaths > 0 {
				pt.cheaperPaths = 0
			}
			named = append(named, pt)
			continue
		}
		for _, step := range pt.edges[:len(pt.edges)-1] {
			if name := step.to.Name.Name; len(p.lexicon.relationInfo[step.to].dates) > 0 && !slices.Contains(between, name) {
				between = append(between, name)
				other = other || p.recordsOtherEvent(step.to, e)
			}
		}
	}
	if len(named) > 0 {
		return named, ""
	}
	if other && len(between) == 1 {
		return paths, fmt.Sprintf("%s and %s are connected by %s alone, which is another event: name it.", a.Name.Name, b.Name.Name, between[0])
	}
	return p.withEqualCosts(paths), ""
}

// notGivenBack leaves out the paths by what was given back, which the question does not name, where there are others: what nobody has ordered
// may have no return either.
func (p *parser) notGivenBack(paths []path) []path {
	kept := slices.DeleteFunc(slices.Clone(paths), func(pt path) bool {
		return slices.ContainsFunc(pt.edges[:len(pt.edges)-1], func(e *edge) bool {
			return intersect(p.lexicon.relationInfo[e.to].stems, p.language.givenBackNames) && !p.mentionsRelation(e.to)
		})
	})
	if len(kept) == 0 {
		return paths
	}
	return kept
}

// pathsByVerb keeps the paths by the relation that is called as a verb is: who returned items has returns, and does not supply them.
func (p *parser) pathsByVerb(paths []path, hints []string) (kept []path, why string) {
	called := func(r *catalog.Relation) bool {
		return slices.ContainsFunc(hints, func(h string) bool { return p.doneIn(h)[r] })
	}
	i := slices.IndexFunc(p.relations, called)
	if i < 0 {
		return paths, ""
	}
	for _, pt := range paths {
		if slices.ContainsFunc(pt.edges, func(e *edge) bool { return called(e.from) || called(e.to) }) {
			kept = append(kept, pt)
		}
	}
	if len(kept) == 0 {
		return paths, fmt.Sprintf("%q is recorded by %s, which say nothing of that.", strings.Join(hints, " "), p.relations[i].Name.Name)
	}
	return kept, ""
}

// doneIn returns the relations of which isDoneIn holds.
func (p *parser) doneIn(word string) map[*catalog.Relation]bool {
	if found, known := p.deeds[word]; known {
		return found
	}
	found := map[*catalog.Relation]bool{}
	for _, lb := range p.lexicon.labelsByStem[p.language.stem(word)] {
		if !found[lb.relation] && lb.isOfDeed(word) && p.isDoneIn(lb.relation, word) {
			found[lb.relation] = true
		}
	}
	p.deeds[word] = found
	return found
}

// isDoneIn reports whether a word is the verb of what the rows of a relation are called, and not one of these: "returned" of returns, and
// "the Berlin store" is one of stores.
func (p *parser) isDoneIn(r *catalog.Relation, word string) bool {
	return p.language.verbs[p.language.stem(word)] && word != singular(r.Name.Name) && p.lexicon.isVerbOfRelation(r, word)
}

// withEqualCosts gives equal costs to paths by different events that the question does not name, and to paths by an unnamed role.
func (p *parser) withEqualCosts(paths []path) []path {
	var by []int // the paths that go by an event
	events := map[*catalog.Relation]bool{}
	for i, pt := range paths {
		if direct := len(pt.edges) == 1; direct && !p.isUnmentionedRole(pt) || !direct && pt.toOne() {
			return paths // customers have invoices of their own, whatever else leads to these
		}
		if p.chasmTrapRelation(pt) != nil || slices.ContainsFunc(paths[:i], func(o path) bool {
			return len(o.edges) > 1 && len(o.edges) < len(pt.edges) && pt.passes(o.edges[0].to)
		}) {
			continue // what joins them directly is not meant by a way round to it
		}
		for _, step := range pt.edges[:len(pt.edges)-1] {
			if p.mentionsRelation(step.to) {
				return paths
			}
		}
		if len(pt.edges) == 1 && p.isUnmentionedRole(pt) {
			by = append(by, i) // who leads a matter, or who worked for it
			continue
		}
		if at := slices.IndexFunc(pt.edges[:len(pt.edges)-1], func(e *edge) bool { return len(p.lexicon.relationInfo[e.to].dates) > 0 }); at >= 0 && !events[pt.edges[at].to] {
			events[pt.edges[at].to] = true
			by = append(by, i)
		}
	}
	if len(by) < 2 {
		return paths
	}
	out := slices.Clone(paths)
	for _, i := range by {
		out[i].cost, out[i].cheaperPaths = out[by[0]].cost, out[by[0]].cheaperPaths
	}
	return out
}

// recordsOtherEvent reports whether the rows of a relation are events of another kind.
func (p *parser) recordsOtherEvent(r *catalog.Relation, e *eventVerbs) bool {
	for i := range p.language.events {
		if o := &p.language.events[i]; o != e && p.recordsEvent(r, o) {
			return true
		}
	}
	return false
}

// passesEvent reports whether a path leads through a relation that records events of a kind. The relation at an end counts if its rows
// point to the other end, or those of one between them that have no time to both.
func (p *parser) passesEvent(pt path, e *eventVerbs) bool {
	for i, step := range pt.edges {
		if i < len(pt.edges)-1 && p.recordsEvent(step.to, e) {
			return true
		}
	}
	first, last := pt.edges[0], pt.edges[len(pt.edges)-1]
	if len(pt.edges) == 2 && !first.toOne && last.toOne && len(p.lexicon.relationInfo[first.to].dates) == 0 {
		return p.recordsEvent(first.from, e) || p.recordsEvent(last.to, e) // the lines of what was sold
	}
	return first.toOne && p.recordsEvent(first.from, e) || !last.toOne && p.recordsEvent(last.to, e)
}

// datedByVerbEvent narrows things to those to which an event of the kind happened in a time.
func (p *parser) datedByVerbEvent(n *phrase, m *modifier, e *eventVerbs) (out []reading) {
	for _, r := range p.relations {
		if r == n.set.relation || !p.recordsEvent(r, e) {
			continue
		}
		for _, c := range p.dateColumns(&set{relation: r}, &modifier{date: m.date}) {
			condition, ok := dateCondition(c.column, m.date)
			if !ok {
				continue
			}
			for _, rel := range p.relate(n, p.entity(r).set.with(condition), &modifier{kind: modifierRelated, hints: m.hints}) {
				out = append(out, reading{rel.phrase, 1 - c.score + rel.cost})
			}
		}
	}
	return cheapestReadings(out, 4)
}

// withVerbState adds the verb as a state of the rows by which it relates things: who "completed" a course has an enrolment with the state
// "completed". Who "booked" one has a booking, whatever has become of it.
func (p *parser) withVerbState(c condition, verb []string) condition {
	first := c.path.edges[0]
	if first.toOne || c.count != nil && len(c.path.edges) > 1 {
		return c
	}
	for _, w := range verb {
		state := p.verbState(first.to, w)
		if state == nil || p.lexicon.isVerbOfRelation(first.to, w) || p.isVerbOfPathRelation(path{edges: c.path.edges[1:]}, []string{w}) || speaksOf(c.child.conditions, state.column) {
			continue
		}
		if len(c.path.edges) == 1 {
			c.child = c.child.inState(*state)
			return c
		}
		inner := c
		inner.negated, inner.path = false, path{edges: c.path.edges[1:]}
		c.child = (&set{id: p.newID(), relation: first.to}).inState(*state).with(inner)
		c.path.edges = c.path.edges[:1]
		return c
	}
	return c
}

// inState narrows a set to rows that are in a state, which has a time of its own if it is one that happened to them.
func (s *set) inState(state condition) *set {
	n := s.with(state)
	if state.op == "is not null" {
		n.time = state.column
	}
	return n
}

// verbState returns the condition on rows of a relation to which happened what a verb says: they are in a state of that name, or have the
// time of it. nil if the verb says nothing of them.
func (p *parser) verbState(r *catalog.Relation, verb string) *condition {
	if p.isDoneToAll(r, verb) {
		return nil
	}
	if column, value := p.stateNamed(r, verb); column != nil {
		return &condition{kind: compare, column: column, op: "=", value: operand{literals: []string{literal(value.Value)}, plain: value.Text}}
	}
	if !p.language.outcomeVerbs[p.language.stem(verb)] {
		return nil
	}
	happened := onlyWhere(p.lexicon.relationInfo[r].dates, func(c *catalog.Column) bool {
		return mayLack(c) && !saysUntil(c, "") && p.hintsAt([]string{verb}, p.lexicon.relationInfo[r].names[c])
	})
	if happened == nil {
		return nil
	}
	return &condition{kind: compare, column: happened, op: "is not null"}
}

// isDoneToAll reports whether all rows of a relation have the time at which what a verb before a time says was done: who was admitted last month
// need not be in the state "admitted" now.
func (p *parser) isDoneToAll(r *catalog.Relation, verb string) bool {
	info := p.lexicon.relationInfo[r]
	return p.anywhere(func(i int) bool { return p.at(i).lower == verb && p.isDated(i) }) && slices.ContainsFunc(info.dates, func(c *catalog.Column) bool { return c.NotNull && p.hintsAt([]string{verb}, info.names[c]) })
}

// stateNamed returns the column of a relation that has few values, one of which is a
// form of the word, and that value.
func (p *parser) stateNamed(r *catalog.Relation, word string) (*catalog.Column, catalog.Label) {
	stem := p.language.stem(word)
	if len(word) < 4 || p.language.functionWords[word] || p.language.prepositions[word] {
		return nil, catalog.Label{}
	}
	for _, c := range r.Columns {
		for _, l := range p.lexicon.meanings(c) {
			if !c.Private && p.language.stemPhrase(l.Text) == stem {
				return c, l
			}
		}
		if !isText(c) || c.Private || p.lexicon.graph.isForeign(c) || slices.Contains(p.lexicon.relationInfo[r].display, c) {
			continue
		}
		values := c.Enum
		if len(values) == 0 && c.Profile != nil && c.Profile.Distinct <= 20 {
			values = c.Profile.Common
		}
		for _, v := range values {
			if p.language.stem(strings.ToLower(v)) == stem {
				return c, catalog.Label{Value: v, Text: v}
			}
		}
	}
	return nil, catalog.Label{}
}

// refuseStateLeftOut refuses a reading if a verb of the question may be a state of its rows that the reading does not ask for.
func (p *parser) refuseStateLeftOut(n *phrase) string {
	u := p.used(n)
	for i, t := range p.tokens {
		if !p.isFullVerb(i) || p.isWithinUsed(i, i+1, u) || p.isCreatedInTime(i) {
			continue
		}
		for r := range u.relations {
			if r == n.set.relation && isMannerWord(p.at(i+1).lower) {
				continue // "paid by card" says how, and no state
			}
			if r == n.set.relation && p.isUnmentionedState(i, n.set) {
				return fmt.Sprintf("Each word is known, but not how %q goes together with the rest.", t.text)
			}
			if c, v := p.stateNamed(r, t.lower); c != nil && !u.columns[c] && !p.sameState(i, c) {
				return fmt.Sprintf("%q may be the %s %q of %s: say of what it has to be so.", t.text, c.Name, v.Text, r.Name.Name)
			}
		}
	}
	return ""
}

// isUnmentionedState reports whether token i says a state of a set's rows of which the set says nothing.
func (p *parser) isUnmentionedState(i int, s *set) bool {
	for _, states := range inOrder(p.statesAt[i]) {
		for _, state := range states {
			conditions := p.stateOf(s.relation, state)
			said := func(c condition) bool {
				return c.kind == related && c.child.relation == conditions[0].child.relation && !c.negated
			}
			switch {
			case conditions == nil:
			case conditions[0].kind == related && !conditions[0].negated:
				if !slices.ContainsFunc(s.conditions, said) {
					return true
				}
			case !speaksOf(s.conditions, firstColumn(conditions[0])):
				return true
			}
		}
	}
	return false
}

// firstColumn returns the column that a comparison, or the first of its parts, is of.
func firstColumn(c condition) *catalog.Column {
	if c.column == nil && len(c.parts) > 0 {
		return firstColumn(c.parts[0])
	}
	return c.column
}

// isOpening reports whether token i is of the words that open a sentence: "give me".
func (p *parser) isOpening(i int) bool {
	return slices.ContainsFunc(p.sentences(), func(s [2]int) bool {
		return s[0] <= i && slices.ContainsFunc(p.afterOpening(s[0], s[1]), func(o opening) bool { return o.at > i })
	})
}

// endsName reports whether token i is the last word of a longer name of a relation: "work orders".
func (p *parser) endsName(i int, r *catalog.Relation) bool {
	for from := max(0, i-maxSpan); from < i; from++ {
		if slices.ContainsFunc(p.mentions.relations[from], func(m relationMention) bool { return m.relation == r && m.end == i+1 && m.score >= namedScore }) {
			return true
		}
	}
	return false
}

// isInRange reports whether a verb at the end says of things that we have them to sell: "how many lamps do we sell".
func (p *parser) isInRange(i int) bool {
	return i+1 == p.wordsEnd() && !p.mentionsDistinct() && p.at(max(0, i-1)).lower == "we" && p.at(max(0, i-2)).lower == "do" && p.language.havingVerbs[p.tokens[i].stem]
}

// refuseKindsCounted refuses to answer how much was bought by a number of different products.
func (p *parser) refuseKindsCounted(n *phrase) string {
	for i, t := range p.tokens {
		if !p.isFullVerb(i) || len(p.ends(i, "order")) > 0 || p.isOpening(i) || p.endsName(i, n.set.relation) || p.isWithinValue(i) || p.isInRange(i) {
			continue
		}
		if e := p.eventOf([]string{t.lower}); e != nil && p.countsKinds(n, e) {
			return fmt.Sprintf("It is not said whether each of %s counts once or as often as %q is so: count what records it, or say the total of an amount.", n.set.relation.Name.Name, t.text)
		}
	}
	return ""
}

// isFullVerb reports whether token i is a verb that is no auxiliary.
func (p *parser) isFullVerb(i int) bool {
	return p.isVerb(i) && len(p.ends(i, "have", "be_bare", "do")) == 0
}

// sameState reports whether only one value of a status says the state that token i names: then the rows that are
// so by a time are those that hold the value.
func (p *parser) sameState(i int, status *catalog.Column) bool {
	for _, states := range inOrder(p.statesAt[i]) {
		for _, s := range states {
			if c, values := p.lexicon.statusOf(status.Relation, s); c == status && len(values) == 1 {
				return true
			}
		}
	}
	return false
}

// countsKinds reports whether a phrase counts the things that events of a kind happened to, and not the events.
func (p *parser) countsKinds(n *phrase, e *eventVerbs) bool {
	r := n.set.relation
	return !p.isPeople(r) &&
		slices.ContainsFunc(n.items, func(it item) bool {
			return it.aggregate == "count" && it.setID == n.set.id && (it.column == nil && !p.recordsEvent(r, e) || it.column != nil && isText(it.column) && !p.mentionsDistinct())
		}) &&
		!slices.ContainsFunc(n.set.conditions, func(c condition) bool { return c.kind == related && (c.negated || c.count != nil) })
}

// isPeople reports whether the rows of a relation are people.
func (p *parser) isPeople(r *catalog.Relation) bool {
	info := p.lexicon.relationInfo[r]
	for s := range info.stems {
		if p.language.peopleNames[s] {
			return true
		}
	}
	return slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool {
		names := info.names[c]
		return c == info.left && !p.lexicon.isNamed(c, p.language.retirementNames) || slices.Contains(names, p.language.stem("hire")) || p.lexicon.isBirth(c) || len(names) == 2 && names[0] == p.language.stem("first") && names[1] == "name"
	})
}

// hasAge reports whether a column of a relation says how old its people are.
func (p *parser) hasAge(r *catalog.Relation) bool {
	return slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool {
		return p.lexicon.isBirth(c) || slices.Contains(p.lexicon.relationInfo[r].names[c], "age")
	})
}

// orPartOf extends a condition on the name of a thing to the things below it, where a key points to the own relation: what is in a
// category may be in a category below it.
func (p *parser) orPartOf(c condition) condition {
	r := c.column.Relation
	if c.kind != compare || c.op != "=" && c.op != "in" || !slices.Contains(p.lexicon.relationInfo[r].display, c.column) {
		return c
	}
	for _, e := range p.lexicon.graph.edges[r] {
		if e.to != r || !e.toOne || !slices.Contains(e.name, "parent") {
			continue
		}
		either := condition{kind: anyOf, parts: []condition{c}}
		for up := []*edge{e}; len(up) <= 2; up = append(up, e) {
			child := (&set{id: p.newID(), relation: r}).with(c)
			either.parts = append(either.parts, condition{kind: related, child: child, path: path{edges: slices.Clone(up), cost: e.cost}})
		}
		return either
	}
	return c
}
