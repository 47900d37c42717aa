// What is valid until a day: memberships, contracts and subscriptions; and times in the future.

package grammar

import (
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
