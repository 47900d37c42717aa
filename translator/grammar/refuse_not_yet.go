// Refusing questions about days to come where nothing of them is recorded.

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"askpg/catalog"
)

// refuseFutureByPastTime refuses to compare a time to come with a column that is never in the future: "rooms without a booking next week"
// is not about the day on which one booked.
func (p *parser) refuseFutureByPastTime(n *phrase) string {
	day := p.now().Format(time.DateOnly)
	for _, denied := range n.set.conditions {
		if denied.kind != related || !denied.negated {
			continue
		}
		for _, c := range denied.child.conditions {
			if c.kind != compare || c.op != "range" || !isFutureRange(c.value.literals) || c.column.Profile == nil || c.column.Profile.Max == "" || hasTimeAfter(c.column, day) {
				continue
			}
			other := slices.IndexFunc(p.lexicon.relationInfo[c.column.Relation].dates, func(o *catalog.Column) bool { return o != c.column && hasTimeAfter(o, day) })
			if other >= 0 {
				return fmt.Sprintf("No %s of %s lies after today: say which day is meant.", c.column.Name, c.column.Relation.Name.Name)
			}
		}
	}
	return ""
}

// refuseForecast refuses to count what has not happened yet where it is only recorded when it happens: how many orders will come, or
// how many there were in a year that lies ahead.
func (p *parser) refuseForecast(n *phrase) string {
	i := slices.IndexFunc(p.tokens, func(t token) bool { return t.lower == "will" })
	will := i >= 0 && len(p.mentions.values[i]) == 0 // Will may be somebody
	day := p.now().Format(time.DateOnly)
	for s, c := range conditionsIn(n.set) {
		if will && c.kind == compare && c.op == "range" && isTime(c.column) && isPastRange(c.value.literals, day) {
			return fmt.Sprintf("\"will\" asks for what is to come, and the time of %s of %s is over: say which year is meant.", c.column.Name, s.relation.Name.Name)
		}
		if c.kind != compare || c.op != "range" || !isFutureRange(c.value.literals) && !isAfterDay(c.value.literals, day) || hasTimeAfter(c.column, day) || !will && !beginsAfter(c.value.literals, day) {
			continue
		}
		known := c.column.Profile != nil && c.column.Profile.Max != ""
		planned := slices.ContainsFunc(p.lexicon.relationInfo[s.relation].names[c.column], func(s string) bool { return p.language.futureTimeNames[s] })
		if known && (will || !planned) || will && !planned {
			return fmt.Sprintf("No %s of %s is known to lie after today: what will be is not recorded.", c.column.Name, s.relation.Name.Name)
		}
	}
	return ""
}

// beginsAfter reports whether a range of time begins at a date after a day: nobody has joined in 2095.
func beginsAfter(bounds []string, day string) bool {
	date, dated := strings.CutPrefix(bounds[0], "DATE '")
	return dated && date > day+"'"
}

// isPastRange reports whether a range of time ends at a date that is not after a day.
func isPastRange(bounds []string, day string) bool {
	date, dated := strings.CutPrefix(bounds[1], "DATE '")
	return dated && date <= day+"'"
}

// isAfterDay reports whether a range of time ends at a date after a day, or begins there and has no end.
func isAfterDay(bounds []string, day string) bool {
	_, date, dated := strings.Cut(cmp.Or(bounds[1], bounds[0]), "DATE '")
	return dated && date > day+"'"
}
