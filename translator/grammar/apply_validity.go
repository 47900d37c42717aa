// What is valid until a day: memberships, contracts and subscriptions; and times in the future.

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"askpg/catalog"
)

// lapses reports whether rows of a relation hold from a day until the day that a column holds, as contracts do and what is called valid:
// those of which it has passed do not count unless somebody says so. What merely went on from a day to another, such as an absence, does.
func (x *lexicon) lapses(c *catalog.Column) bool {
	info := x.relationInfo[c.Relation]
	if info.validity == nil || info.validity.to != c || c.Class != catalog.Date || !x.isNamed(c, x.language.expiryNames) {
		return false
	}
	return intersect(info.stems, x.language.agreementNames) || slices.ContainsFunc(splitName(c.Name), func(w string) bool { return w == "valid" || strings.HasPrefix(w, "expir") })
}

// validNow returns the conditions on rows that are valid until a day which each of them has, nil if that is not so or a status says more.
func (x *lexicon) validNow(r *catalog.Relation) []condition {
	c := only(x.timesNamed(r, x.language.expiryNames))
	if c == nil || c.Class != catalog.Date || !c.NotNull || slices.ContainsFunc(r.Columns, x.isStatus) {
		return nil
	}
	if interval := x.relationInfo[r].validity; interval != nil && interval.to == c {
		return []condition{untilToday(interval.from), fromToday(c)}
	}
	if slices.Contains(splitName(c.Name), "end") {
		return nil
	}
	return []condition{fromToday(c)}
}

// refuseValidThen refuses a time of what is valid now: "memberships that were valid last year" need be neither new then nor valid now.
func (p *parser) refuseValidThen(n *phrase) (why string) {
	walk(n.set, func(s *set, _ int) {
		now := slices.IndexFunc(s.conditions, func(c condition) bool { return c.op == "range" && c.value.plain == fromToday(c.column).value.plain })
		if now < 0 {
			return
		}
		for _, c := range s.conditions {
			if interval := p.lexicon.relationInfo[s.relation].validity; interval != nil && c.op == "range" && c.unbound && c.column == interval.from && c.value.plain != untilToday(c.column).value.plain {
				why = fmt.Sprintf("It is not said whether those of %s are meant that are valid now, or that were valid then: say began, or leave the time out.", s.relation.Name.Name)
			}
		}
	})
	return why
}

// refuseLapsed refuses to count people or things that are such by something that may have ended: members are those with a membership,
// and a row of members of which every membership has ended may be none any more.
func (p *parser) refuseLapsed(n *phrase) string {
	s := n.set
	info := p.lexicon.relationInfo[s.relation]
	counts := slices.ContainsFunc(n.items, func(it item) bool {
		return it.aggregate == "count" && it.column == nil && (it.setID == s.id || it.setID == 0)
	})
	if !counts || info.left != nil || p.mentionsAll(s.relation) || slices.ContainsFunc(s.relation.Columns, p.isState) || slices.ContainsFunc(s.conditions, func(c condition) bool { return c.op == "range" }) {
		return ""
	}
	for _, e := range p.lexicon.graph.edges[s.relation] {
		if e.toOne || e.to == s.relation || !p.makesSuch(e.to, s.relation) || p.speaksOfAny(s, e.to) {
			continue
		}
		if end := p.unrestrictedEnd(&set{relation: e.to}); end != nil {
			return p.mayHaveEnded(e.to, end)
		}
	}
	return ""
}

// suchNow returns the condition on people or things that what makes them such still goes on: active members have an active membership.
// It is nil if nothing does, or several do.
func (p *parser) suchNow(r *catalog.Relation) (out []condition) {
	for _, e := range p.lexicon.graph.edges[r] {
		if e.toOne || e.to == r || !p.makesSuch(e.to, r) {
			continue
		}
		now := p.stateOf(e.to, p.language.ongoing)
		if now == nil || len(out) > 0 {
			return nil
		}
		out = []condition{{kind: related, child: (&set{id: p.newID(), relation: e.to}).with(now...), path: e.path()}}
	}
	return out
}

// makesSuch reports whether things are called by what rows of a relation are: members by memberships, tenants by tenancies,
// subscribers by subscriptions.
func (p *parser) makesSuch(r, things *catalog.Relation) bool {
	state, name := lastOf(splitName(r.Name.Name)), lastOf(splitName(things.Name.Name))
	if one := singular(name); one != "" {
		name = one
	}
	root := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "ber"), "er"), "t")
	if strings.HasSuffix(name, "member") {
		root = name
	}
	return len(root) >= minRoot && strings.HasPrefix(state, root) && len(state) > len(name)
}

// minRoot is how many letters two words of one root have in common at least.
const minRoot = 5

// speaksOfAny reports whether a reading says something of rows of a relation.
func (p *parser) speaksOfAny(s *set, r *catalog.Relation) (said bool) {
	for _, c := range s.conditions {
		if c.kind != related {
			continue
		}
		said = said || c.child.relation == r || p.speaksOfAny(c.child, r) || slices.ContainsFunc(c.path.edges, func(e *edge) bool { return e.to == r })
	}
	return said
}

// mayBeFuture reports whether a time is called one that may lie ahead, or is not known to be past in all rows: how many
// people will come next month is not known.
func (p *parser) mayBeFuture(c *catalog.Column) bool {
	info, day := p.lexicon.relationInfo[c.Relation], p.now()
	called := func(c *catalog.Column) bool {
		return slices.ContainsFunc(info.names[c], func(s string) bool { return p.language.futureTimeNames[s] })
	}
	if c.Class != catalog.Date {
		day = day.AddDate(0, 0, 1) // what happened today is no later
	}
	if slices.ContainsFunc(info.names[c], func(s string) bool { return p.language.pastTimeNames[s] }) {
		return hasTimeAfter(c, day.Format(time.DateOnly))
	}
	unknown := c.NotNull && (c.Profile == nil || c.Profile.Max == "") && !slices.ContainsFunc(info.dates, called)
	return unknown || called(c) || hasTimeAfter(c, day.Format(time.DateOnly))
}

// notOverConditions returns the conditions by which rows with a time in the future still go on: a cancelled contract does not end next
// month. It leaves out what the question itself says, and returns none if the question is about all rows.
func (p *parser) notOverConditions(s *set, at *catalog.Column) []condition {
	if p.mentionsAll(s.relation) {
		return nil
	}
	now := p.stateOf(s.relation, p.language.ongoing)
	if now == nil || speaksOf(now, at) {
		now = p.lexicon.withoutCancelled(s.relation, nil)
	}
	if left := p.lexicon.relationInfo[s.relation].left; left != nil && left != at && !speaksOf(now, left) {
		now = append(now, condition{kind: compare, column: left, op: "is null"})
	}
	return slices.DeleteFunc(now, func(c condition) bool {
		return slices.ContainsFunc(s.relation.Columns, func(o *catalog.Column) bool {
			return speaksOf([]condition{c}, o) && (o == at || speaksOf(s.conditions, o))
		})
	})
}

// goingOnThen keeps what went on at a time in the place of what began then, where somebody is in a state: "who was on holiday last week". What
// it says of those that are asked for themselves stays, as a course "in May" begins then, unless they are of somebody who is away.
func (p *parser) goingOnThen(n *phrase) *phrase {
	if n.set == nil {
		return n
	}
	return n.over(n.set.mapped(func(s *set) *set {
		away := intersect(p.lexicon.relationInfo[s.relation].stems, p.language.awayNames)
		if !away && (s == n.set || !p.saysBe()) {
			return s
		}
		return p.wentOn(s)
	}))
}

// saysBe reports whether the question says what somebody or something is or was.
func (p *parser) saysBe() bool {
	return p.says("be_bare")
}

// wentOn returns a set of rows that began within a time as those that went on within it. A stay does not go on in the night after its last
// day.
func (p *parser) wentOn(s *set) *set {
	interval := p.lexicon.goesOn(s.relation)
	i := p.timeNotSaid(s)
	if interval == nil || i < 0 || s.conditions[i].column != interval.from || speaksOf(s.conditions, interval.to) {
		return s
	}
	lo, words := s.conditions[i].value.literals[0], s.conditions[i].value.plain
	x, void := *s, p.language.voidNames
	if p.areStays(s.relation) {
		lo, void = lo+" + INTERVAL '1 day'", slices.Concat(void, p.language.missedNames)
	}
	x.conditions = slices.Clone(s.conditions)
	x.conditions[i].value.literals = []string{"", s.conditions[i].value.literals[1]}
	until := within(interval.to, lo, "", words)
	if !interval.to.NotNull {
		until = condition{kind: anyOf, parts: []condition{{kind: compare, column: interval.to, op: "is null"}, until}}
	}
	x.conditions = append(append(x.conditions, until), p.lexicon.withoutStatusOf(s.relation, s.conditions, void)...)
	return &x
}

// goesOn returns the times between which rows of a relation go on, nil if they have none.
func (x *lexicon) goesOn(r *catalog.Relation) *timeInterval {
	info := x.relationInfo[r]
	return cmp.Or(info.interval, info.validity)
}

// timeNotSaid returns the first condition of a set that compares a time with both ends of another one where no verb of the question says what
// happened at it, as "admitted" does of admitted_on; -1 if there is none.
func (p *parser) timeNotSaid(s *set) int {
	return slices.IndexFunc(s.conditions, func(c condition) bool {
		if c.kind != compare || c.op != "range" || !isTime(c.column) || c.value.literals[0] == "" || c.value.literals[1] == "" {
			return false
		}
		names := p.lexicon.relationInfo[s.relation].names[c.column]
		return !p.anywhere(func(i int) bool {
			state := i > 0 && (p.tokens[i-1].lower == "is" || p.tokens[i-1].lower == "are") // a room that is booked today was so before
			return !state && p.language.verbs[p.at(i).stem] && slices.Contains(names, p.at(i).stem)
		})
	})
}

// refuseOtherTimeOfState refuses a time by which somebody is in a state, where it is not one between whose ends the state goes on: "guests in the
// annexe today" have not booked today, nor was the annexe opened then.
func (p *parser) refuseOtherTimeOfState(n *phrase) (why string) {
	if !p.saysBe() {
		return ""
	}
	walk(n.set, func(s *set, depth int) {
		i := p.timeNotSaid(s)
		if i < 0 || depth == 0 {
			return
		}
		c := s.conditions[i].column
		if interval := p.lexicon.goesOn(s.relation); interval == nil && !p.isEvent(s.relation) || interval != nil && c != interval.from {
			why = fmt.Sprintf("It is not said that %s of %s is the time that is meant: name it.", c.Name, s.relation.Name.Name)
		}
	})
	return why
}
