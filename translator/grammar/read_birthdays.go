// Days that come again each year: "who has a birthday this month".

package grammar

import (
	"time"

	"askpg/catalog"
)

// anniversary is the condition that a day lies in the month, or on the day of a month, that a time is, in whatever year. It is false
// for other times.
func anniversary(c *catalog.Column, d *dateRange) (condition, bool) {
	fields := ""
	switch from, to, ok := d.days(); {
	case d.lo == today() && d.hi == tomorrow(), ok && from.AddDate(0, 0, 1).Equal(to):
		fields = "MM-DD"
	case ok && from.Day() == 1 && from.AddDate(0, 1, 0).Equal(to), isMonth(d.lo, d.hi):
		fields = "MM"
	default:
		return condition{}, false
	}
	return condition{kind: compare, column: c, op: "again", value: operand{literals: []string{d.lo, fields}, plain: d.words}}, true
}

// days returns the first day of a time and the day after its last one; false if they are told from the day of the query.
func (d *dateRange) days() (from, to time.Time, ok bool) {
	const layout = "DATE '2006-01-02'"
	from, err := time.Parse(layout, d.lo)
	if err != nil {
		return from, to, false
	}
	to, err = time.Parse(layout, d.hi)
	return from, to, err == nil
}

// isMonth reports whether a time told from the day of the query is the month before, this month or the next one.
func isMonth(lo, hi string) bool {
	this := startOf("month")
	last, next, after := this+" - "+interval("1", "month"), this+" + "+interval("1", "month"), this+" + "+interval("2", "month")
	return lo == last && hi == this || lo == this && hi == next || lo == next && hi == after
}
