// Why a reading is not worth an answer, or is less likely than its words say.

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// thingsTime is the cost of a time of a thing, such as when a customer signed
// up, where what happened to it has a time too: nobody said "signed up".
const thingsTime = 0.8

// doubtful says why a reading is not worth an answer, "" if it is.
func (p *parser) doubtful(n *phrase) string {
	if n.unsaid != "" {
		return n.unsaid
	}
	if p.onAverage && !n.averages() {
		return "It is not said of what the average is wanted: say average of."
	}
	if n.set != nil && eitherOrEach(n.set, false) {
		return "It is not said whether something has to be so in one of the times or in each: join them by \"or\", or ask for each."
	}
	if why := impossible(n); why != "" {
		return why
	}
	if why := p.vacuous(n); why != "" {
		return why
	}
	if why := p.leftOut(n); why != "" {
		return why
	}
	if why := cmp.Or(p.countedKinds(n), p.perPerson(n)); why != "" {
		return why
	}
	if why := p.measuredTime(n); why != "" {
		return why
	}
	if why := p.meaningDoubt(n); why != "" {
		return why
	}
	if why := p.unanswered(n); why != "" {
		return why
	}
	if why := p.endedDoubt(n); why != "" {
		return why
	}
	if why := p.undated(n); why != "" {
		return why
	}
	return cmp.Or(p.unasked(n), p.unproved(n), p.currentDoubt(n))
}

// eitherOrEach finds times joined by "and" of what has to be there at least
// once: readers with loans in 2023 and 2024 may have them in one year or in
// both. some says that s is such.
func eitherOrEach(s *set, some bool) bool {
	return slices.ContainsFunc(s.conditions, func(c condition) bool {
		return some && c.both || c.kind == related && !c.negated && eitherOrEach(c.child, some || !c.joined && !c.path.toOne())
	})
}

// timeDoubt finds times that are of things beside events. beside says that
// something happened to the things of s.
func (p *parser) timeDoubt(s *set, beside bool) float64 {
	if s == nil {
		return 0
	}
	cost, bare := 0.0, false
	for _, c := range s.conditions {
		bare = bare || c.bare
		if c.kind != related {
			continue
		}
		beside = beside || p.eventEdge(c) >= 0
		own := c.path.toOne() && len(p.lexicon.relationInfo[s.relation].dates) > 0
		cost += p.timeDoubt(c.child, own || len(c.path.edges) > 1 && p.eventEdge(c) >= 0 && p.eventEdge(c) < len(c.path.edges)-1)
	}
	if bare && beside {
		cost += thingsTime
	}
	return cost
}

// stateDoubt finds states that are taken for what happened, where what happened
// has a time or rows of its own: what was shipped in May has been shipped then,
// whatever its state is now, and what was delivered has been shipped, too.
func (p *parser) stateDoubt(n *phrase) float64 {
	if n.set == nil {
		return 0
	}
	u := p.used(n)
	for i := range p.tokens {
		if !p.inflected(i) {
			continue
		}
		timed := p.isDated(i) && p.namesTime(i, anyRelation)
		denied := i > 0 && len(p.ends(i-1, "not")) > 0 && (p.namesTime(i, anyRelation) || len(p.mentions.relations[i]) > 0)
		state := slices.ContainsFunc(p.mentions.values[i][i+1], func(h hit) bool {
			return u.columns[h.column] && (timed || !slices.ContainsFunc(n.set.conditions, func(c condition) bool { return c.column == h.column && c.op == "=" }))
		})
		// "booked through the web" says what was done, where the thing has a time of it
		done := p.namesTime(i, func(r *catalog.Relation) bool { return u.relations[r] }) && len(p.prepositions(i+1)) > 0 && p.at(i+1).lower != "in"
		if p.doneHow(i, n, u) {
			return nameless
		}
		if done && slices.ContainsFunc(p.mentions.values[i][i+1], func(h hit) bool { return speaksOf(n.set.conditions, h.column) }) {
			return nameless
		}
		if !state || !timed && !denied {
			continue
		}
		event := slices.ContainsFunc(p.mentions.attributes[i][i+1].all(), func(c columnCandidate) bool { return u.columns[c.column] }) ||
			slices.ContainsFunc(p.mentions.relations[i], func(r relationMention) bool { return u.relations[r.relation] })
		if !event {
			return nameless
		}
	}
	return 0
}

// doneHow reports whether a state of the reading is the verb of how something was done: what was "paid with paypal" need
// not have the status "paid".
func (p *parser) doneHow(i int, n *phrase, u *objects) bool {
	if !saysHow(p.at(i + 1).lower) {
		return false
	}
	for _, h := range p.mentions.values[i][i+1] {
		if !speaksOf(n.set.conditions, h.column) {
			continue
		}
		for _, how := range p.mentions.values[i+2] {
			if slices.ContainsFunc(how, func(o hit) bool {
				return o.column.Relation == h.column.Relation && o.column != h.column && u.columns[o.column]
			}) {
				return true
			}
		}
	}
	return false
}

// saysHow reports whether a word says behind a verb how something was done.
func saysHow(word string) bool {
	switch word {
	case "by", "through", "using", "via", "with":
		return true
	}
	return false
}

// currentDoubt refuses a question about what is so now, of things that have a state
// or an end which the reading does not ask about: all rows of all times are no
// answer to it.
func (p *parser) currentDoubt(n *phrase) string {
	if n.set == nil || !p.saysNow() {
		return ""
	}
	why, spoken := p.unsaidState(n.set)
	if i := p.adverbOfNow(); why == "" && i >= 0 && !spoken && !p.saysExistence(i) {
		return fmt.Sprintf("%q says nothing that the reading has: say which column tells what is so.", p.text(i, p.ends(i, "now")[0]))
	}
	return why
}

// unsaidState says of which set of a reading it is not said whether it still goes on, and whether that is said of another. A place
// in which something goes on does so itself.
func (p *parser) unsaidState(s *set) (why string, spoken bool) {
	var state []string
	stated := false
	spoken = p.lexicon.relationInfo[s.relation].left != nil // who is there is there now
	for _, c := range s.relation.Columns {
		if !p.isState(c) {
			continue
		}
		stated = stated || speaksOf(s.conditions, c)
		state = append(state, c.Name)
	}
	if len(state) > 0 && !stated {
		why = fmt.Sprintf("What holds now of %s is not said by one column: say what is meant of %s.", s.relation.Name.Name, strings.Join(state, ", "))
	}
	for _, c := range s.conditions {
		if c.kind != related || stated && c.path.toOne() {
			continue
		}
		below, said := p.unsaidState(c.child)
		why, spoken = cmp.Or(below, why), spoken || said
	}
	return why, spoken || stated
}

// nowHolds takes a question about what is so now to be about what still goes on,
// where the columns of one relation alone tell what does.
func (p *parser) nowHolds(n *phrase) *phrase {
	if n.set == nil || !p.saysNow() && !p.asksWhoIsThere() {
		return n
	}
	if s := p.goesOnBetween(n.set); s != nil {
		x := n.clone()
		x.set = s
		return x
	}
	if !p.saysNow() {
		return n
	}
	var ending []*set
	walk(n.set, func(s *set, _ int) {
		if slices.ContainsFunc(s.relation.Columns, p.isState) {
			ending = append(ending, s)
		}
	})
	if len(ending) == 0 || len(ending) > 1 && (ending[0] != n.set || !onlyPlaces(n.set)) {
		return n
	}
	s := ending[0]
	now := p.stateOf(s.relation, p.language.running)
	if now == nil || slices.ContainsFunc(s.relation.Columns, func(c *catalog.Column) bool { return p.isState(c) && (speaksOf(s.conditions, c) || !speaksOf(now, c)) }) {
		return n
	}
	x := n.clone()
	x.set = n.set.replace(s.with(now...))
	return x
}

// asksWhoIsThere reports whether the question begins with "who is in", which is asked of now.
func (p *parser) asksWhoIsThere() bool {
	return slices.ContainsFunc(p.ends(0, "who"), func(e int) bool {
		be, in := p.at(e).lower, p.at(e+1).lower
		return (be == "is" || be == "are" || be == "'s") && (in == "in" || in == "on" || in == "at")
	})
}

// onlyPlaces reports whether each row of a set has one of all that it is related to: what it is in, on or of. That these go on says
// nothing of the row.
func onlyPlaces(s *set) bool {
	return !slices.ContainsFunc(s.conditions, func(c condition) bool { return c.kind == related && (c.negated || !c.path.toOne()) })
}

// goesOnBetween narrows a set to the rows that something leads from to others now: who is on a ward was admitted to it and not
// discharged. nil if nothing that ends lies between, or several things do.
func (p *parser) goesOnBetween(s *set) *set {
	var out *set
	for i, c := range s.conditions {
		if c.kind != related || c.negated || c.count != nil || c.joined || len(c.path.edges) < 2 || c.path.edges[0].toOne || !(path{edges: c.path.edges[1:]}).toOne() {
			continue
		}
		between := &set{id: p.newID(), relation: c.path.edges[0].to}
		now := p.stateOf(between.relation, p.language.running)
		if now == nil {
			continue
		}
		if out != nil {
			return nil
		}
		inner := c
		inner.path = path{edges: c.path.edges[1:]}
		c.child, c.path = between.with(append(now, inner)...), path{edges: c.path.edges[:1], cost: c.path.cost}
		x := *s
		x.conditions = slices.Clone(s.conditions)
		x.conditions[i] = c
		out = &x
	}
	return out
}

// adverbOfNow returns the token of a word such as "currently", -1 if there is none.
func (p *parser) adverbOfNow() int {
	return slices.IndexFunc(p.tags, func(tags map[string][]int) bool { return len(tags["now"]) > 0 })
}

// saysExistence reports whether the question asks only for what there is:
// "how many books do we have right now".
func (p *parser) saysExistence(now int) bool {
	for _, e := range p.ends(now, "now") {
		if len(p.ends(e, "there")) > 0 {
			return true
		}
	}
	for i := range now {
		if slices.Contains(p.ends(i, "there"), now) {
			return true
		}
	}
	return false
}

// saysNow reports whether the question has a word such as "currently".
func (p *parser) saysNow() bool {
	if p.still {
		return true
	}
	for i := range p.tokens {
		if len(p.ends(i, "now")) > 0 || p.tokens[i].lower == "current" && !p.language.dateWord(p.at(i+1).lower) {
			return true
		}
	}
	return false
}

// isState reports whether a column says whether a row still holds: a flag, a
// status, or a time at which it ended.
func (p *parser) isState(c *catalog.Column) bool {
	if info := p.lexicon.relationInfo[c.Relation]; c == info.deleted || c == info.left {
		return false // what is usual is so now
	}
	names := p.lexicon.relationInfo[c.Relation].names[c]
	if slices.Contains(names, p.language.stem("reason")) {
		return false // why somebody left says nothing of those who are there
	}
	if !slices.ContainsFunc(names, func(s string) bool { return p.language.state[s] }) {
		return c.Class == catalog.Enum && slices.Contains(names, p.language.stem("state"))
	}
	if c.Class == catalog.Date || c.Class == catalog.Timestamp {
		return mayLack(c)
	}
	return c.Class == catalog.Boolean || textual(c)
}
