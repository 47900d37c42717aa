// Times in the future.

package grammar

import (
	"slices"
	"time"

	"askpg/catalog"
)

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
