// Questions about now: what still goes on, and who is somewhere.

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// refuseUnclearNow refuses a question about now ("currently") if the reading restricts neither the state nor the end of the things.
func (p *parser) refuseUnclearNow(n *phrase) string {
	if !p.mentionsNow() {
		return ""
	}
	why, spoken := p.unrestrictedState(n.set)
	if i := slices.IndexFunc(p.tokens, func(t token) bool { return t.lower == "current" }); why == "" && i >= 0 && !spoken && p.listsOthers(n, i+1) {
		return fmt.Sprintf("Nothing tells which %s are current: say by which column, or leave %q out.", p.text(i+1, i+2), p.tokens[i].text)
	}
	if i := slices.IndexFunc(p.tags, func(tags map[string][]int) bool { return len(tags["now"]) > 0 }); why == "" && i >= 0 && !spoken && !p.isExistenceQuestion(i) {
		return fmt.Sprintf("%q says nothing that the reading has: say which column tells what is so.", p.text(i, p.ends(i, "now")[0]))
	}
	return why
}

// unrestrictedState returns of which set the reading does not restrict the state, "" if of none, and whether it restricts that of another
// set.
func (p *parser) unrestrictedState(s *set) (why string, spoken bool) {
	var state []string
	stated := slices.ContainsFunc(s.conditions, p.isCodeMeaning)
	// who is there is there now, and a flag says what is so now
	spoken = p.lexicon.relationInfo[s.relation].left != nil || slices.ContainsFunc(s.conditions, func(c condition) bool { return c.kind == compare && isYesNo(c.column) })
	if p.lexicon.goesOnBetween(s.relation) {
		spoken = spoken || speaksOf(s.conditions, p.lexicon.relationInfo[s.relation].validity.to)
	}
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
		spoken = spoken || c.kind == written // as an administrator says
		if c.kind != related || stated && c.path.toOne() {
			continue
		}
		if p.hasStill && c.negated {
			spoken = true // what "still has none" has none now
			continue
		}
		below, said := p.unrestrictedState(c.child)
		why, spoken = cmp.Or(below, why), spoken || said
	}
	return why, spoken || stated
}

// isCodeMeaning reports whether a condition is what the code of a state means, in the table of the codes.
func (p *parser) isCodeMeaning(c condition) bool {
	if c.kind != related || c.negated || len(c.path.edges) != 1 || !c.path.toOne() || len(c.child.conditions) != 1 || c.child.conditions[0].kind != compare {
		return false
	}
	key := c.path.edges[0].fromCols[0]
	return slices.ContainsFunc(p.lexicon.relationInfo[key.Relation].names[key], func(s string) bool { return s == p.language.stem("status") || s == p.language.stem("state") })
}

// onlyOngoing restricts a question about now to what still goes on, where the columns of exactly one relation tell that.
func (p *parser) onlyOngoing(n *phrase) *phrase {
	if n.set == nil || !p.mentionsNow() && !p.asksWhoIsThere() {
		return n
	}
	if left := p.lexicon.relationInfo[n.set.relation].left; p.hasStill && left != nil && !speaksOf(n.set.conditions, left) {
		return n.holding(condition{kind: compare, column: left, op: "is null"}) // a time of theirs does not say that they are still there
	}
	if s := p.ongoingBetween(n.set); s != nil {
		return n.over(s)
	}
	if !p.mentionsNow() {
		return n
	}
	var ending []*set
	walk(n.set, func(s *set, _ int) {
		if slices.ContainsFunc(s.relation.Columns, p.isState) {
			ending = append(ending, s)
		}
	})
	if such := p.suchNow(n.set.relation); len(ending) == 0 && such != nil && !p.speaksOfAny(n.set, such[0].child.relation) {
		return n.holding(such...)
	}
	if r := n.set.relation; len(ending) == 0 && p.lexicon.goesOnBetween(r) && !speaksOf(n.set.conditions, p.lexicon.relationInfo[r].validity.to) {
		return n.holding(p.stateOf(r, p.language.ongoing)...)
	}
	if len(ending) == 0 || len(ending) > 1 && (ending[0] != n.set || !onlyPlaces(n.set)) {
		return n
	}
	s := ending[0]
	now := p.stateOf(s.relation, p.language.ongoing)
	if now == nil || slices.ContainsFunc(s.relation.Columns, func(c *catalog.Column) bool { return p.isState(c) && (speaksOf(s.conditions, c) || !speaksOf(now, c)) }) {
		return n
	}
	return n.replacing(s.with(now...))
}

// ongoingBetween restricts the rows between a set and its related sets to those that go on: who is on a ward was admitted to it and not
// discharged. It returns nil if no such relation, or several, lie between.
func (p *parser) ongoingBetween(s *set) (out *set) {
	for i, c := range s.conditions {
		if c.kind != related || c.negated || c.count != nil || len(c.path.edges) < 2 || c.path.edges[0].toOne || !(path{edges: c.path.edges[1:]}).toOne() {
			continue
		}
		between := &set{id: p.newID(), relation: c.path.edges[0].to}
		now := p.stateOf(between.relation, p.language.ongoing)
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

// asksWhoIsThere reports whether the question asks who is in a place, which is asked of now: "who is in", "which patients are on".
func (p *parser) asksWhoIsThere() bool {
	return p.anywhere(func(i int) bool {
		be, in := p.at(i).lower, p.at(i+1).lower
		if be != "is" && be != "are" && be != "'s" || in != "in" && in != "on" && in != "at" {
			return false
		}
		return slices.Contains(p.ends(0, "who"), i) || i > 0 && slices.ContainsFunc(p.relations, func(r *catalog.Relation) bool { return p.isPeople(r) && p.namesUntil(i, r) })
	})
}

// namesUntil reports whether a name of a relation ends before token i.
func (p *parser) namesUntil(i int, r *catalog.Relation) bool {
	for from := max(0, i-maxSpan); from < i; from++ {
		if slices.ContainsFunc(p.mentions.relations[from], func(m relationMention) bool { return m.end == i && m.relation == r && m.score >= namedScore }) {
			return true
		}
	}
	return false
}

// onlyPlaces reports whether each row of a set has exactly one row of all related sets, such as the place that it is in.
func onlyPlaces(s *set) bool {
	return !slices.ContainsFunc(s.conditions, func(c condition) bool { return c.kind == related && (c.negated || !c.path.toOne()) })
}

// listsOthers reports whether a reading is of the things that the words from token i on name, or of what stands for others: their
// keys and codes. What a thing is called now is its name.
func (p *parser) listsOthers(n *phrase, i int) bool {
	of := false
	walk(n.set, func(s *set, _ int) { of = of || p.namesAt(i, s.relation) })
	return of || len(n.items) == 1 && n.items[0].column != nil && (p.lexicon.graph.isForeign(n.items[0].column) || p.isIdentifier(n.items[0].column) || p.isPlural(n))
}

// isExistenceQuestion reports whether the question asks only for what exists: "how many books do we have right now".
func (p *parser) isExistenceQuestion(now int) bool {
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

// mentionsNow reports whether the question has a word such as "currently".
func (p *parser) mentionsNow() bool {
	if p.hasStill {
		return true
	}
	return p.anywhere(func(i int) bool {
		return len(p.ends(i, "now")) > 0 || p.tokens[i].lower == "current" && !p.language.dateWord(p.at(i+1).lower)
	})
}

// isState reports whether a column says whether a row still holds: a flag, a
// status, or a time at which it ended.
func (p *parser) isState(c *catalog.Column) bool {
	if info := p.lexicon.relationInfo[c.Relation]; c == info.deleted || c == info.left || p.isOfPart(c) {
		return false // what is usual is so now
	}
	if p.lexicon.lapses(c) {
		return true
	}
	names := p.lexicon.relationInfo[c.Relation].names[c]
	if slices.Contains(names, p.language.stem("reason")) {
		return false // why somebody left says nothing of those who are there
	}
	if !slices.ContainsFunc(names, func(s string) bool { return p.language.stateNames[s] }) {
		return c.Class == catalog.Enum && slices.Contains(names, p.language.stem("state"))
	}
	if isTime(c) {
		return mayLack(c)
	}
	return c.Class == catalog.Boolean || isText(c)
}

// refuseBegunStay refuses that stays have begun where the question does not say when, nor that they go on: patients "admitted" may have left
// again.
func (p *parser) refuseBegunStay(n *phrase) (why string) {
	if p.mentionsNow() {
		return ""
	}
	walk(n.set, func(s *set, depth int) {
		said := slices.ContainsFunc(s.conditions, func(c condition) bool { return c.kind != related })
		if depth == 0 && !ofOthers(n) || !p.areStays(s.relation) || said {
			return
		}
		begun := p.interval(s.relation).from
		if p.anywhere(func(i int) bool {
			return p.isParticiple(i) && p.hintsAt([]string{p.at(i).lower}, p.lexicon.relationInfo[s.relation].names[begun])
		}) {
			why = fmt.Sprintf("It is not said since when, nor that %s go on: say a time, or currently.", s.relation.Name.Name)
		}
	})
	return why
}
