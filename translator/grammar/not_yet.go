// What is asked of days to come, where nothing of them is recorded.

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"askpg/catalog"
)

// cameNotYet refuses "rooms without a booking next week" by a day that is never ahead, such as that on which it was booked, where
// another day of bookings is.
func (p *parser) cameNotYet(n *phrase) string {
	day := p.now().Format(time.DateOnly)
	for _, denied := range n.set.conditions {
		if denied.kind != related || !denied.negated {
			continue
		}
		for _, c := range denied.child.conditions {
			if c.kind != compare || c.op != "range" || !comes(c.value.literals) || c.column.Profile == nil || c.column.Profile.Max == "" || liesAfter(c.column, day) {
				continue
			}
			other := slices.IndexFunc(p.lexicon.relationInfo[c.column.Relation].dates, func(o *catalog.Column) bool { return o != c.column && liesAfter(o, day) })
			if other >= 0 {
				return fmt.Sprintf("No %s of %s lies after today: say which day is meant.", c.column.Name, c.column.Relation.Name.Name)
			}
		}
	}
	return ""
}

// foretold refuses what will be where nothing of the kind is recorded before it happens: how many orders will come is not known, nor
// how many there were in a year that lies ahead.
func (p *parser) foretold(n *phrase) (why string) {
	i := slices.IndexFunc(p.tokens, func(t token) bool { return t.lower == "will" })
	will := i >= 0 && len(p.mentions.values[i]) == 0 // Will may be somebody
	day := p.now().Format(time.DateOnly)
	walk(n.set, func(s *set, _ int) {
		for _, c := range s.conditions {
			if c.kind != compare || c.op != "range" || !comes(c.value.literals) && !endsAfter(c.value.literals, day) || liesAfter(c.column, day) || !will && !beginsAfter(c.value.literals, day) {
				continue
			}
			known := c.column.Profile != nil && c.column.Profile.Max != ""
			planned := slices.ContainsFunc(p.lexicon.relationInfo[s.relation].names[c.column], func(s string) bool { return p.language.ahead[s] })
			if known && (will || !planned) || will && !planned {
				why = fmt.Sprintf("No %s of %s is known to lie after today: what will be is not recorded.", c.column.Name, s.relation.Name.Name)
			}
		}
	})
	return why
}

// beginsAfter reports whether a range of time begins at a date after a day: nobody has joined in 2095.
func beginsAfter(bounds []string, day string) bool {
	date, dated := strings.CutPrefix(bounds[0], "DATE '")
	return dated && date > day+"'"
}

// endsAfter reports whether a range of time ends at a date after a day, or begins there and has no end.
func endsAfter(bounds []string, day string) bool {
	_, date, dated := strings.Cut(cmp.Or(bounds[1], bounds[0]), "DATE '")
	return dated && date > day+"'"
}
