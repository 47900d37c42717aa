package catalog

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// packed is how old systems write a day as a number: 20260131.
const packed = "20060102"

// Years of packed dates: a number that reads as another is none.
const (
	firstPackedYear = 1900
	lastPackedYear  = 2100
)

// dayNames are pieces of the names of columns that hold days.
var dayNames = []string{"dt", "dat", "day", "tag", "_on", "_at"}

// findPackedDates makes dates of the numbers that are days of the form yyyymmdd, so that a question can ask for their months. Their
// bounds and common values have to say so, and their name or comment too. 0 is no day, so that a
// column which holds it need not have one.
func findPackedDates(s *Snapshot, unchanged map[*Relation]bool) {
	for _, r := range s.Relations {
		for _, c := range r.Columns {
			if !unchanged[r] && isPackedDate(c) {
				c.Class, c.Packed = Date, true
				c.NotNull = c.NotNull && c.Profile.Min != "0" && !slices.Contains(c.Profile.Common, "0")
				c.Profile = unpackBounds(c.Profile)
			}
		}
	}
}

// isPackedDate reports whether a column holds days as whole numbers.
func isPackedDate(c *Column) bool {
	if c.Class != Number || c.Profile == nil || c.Identity || !slices.Contains([]string{"integer", "bigint", "numeric(8,0)"}, c.Type) {
		return false
	}
	values := slices.DeleteFunc(append([]string{c.Profile.Min, c.Profile.Max}, c.Profile.Common...), func(v string) bool { return v == "0" || v == "" })
	if len(values) == 0 || slices.ContainsFunc(values, func(v string) bool { return !isPackedDay(v) }) {
		return false
	}
	name := strings.ToLower(c.Name)
	return strings.Contains(strings.ToLower(c.Comment), "yyyymmdd") ||
		slices.ContainsFunc(dayNames, func(piece string) bool { return strings.Contains(name, piece) })
}

// unpackBounds writes the bounds of a profile as days.
func unpackBounds(of *Profile) *Profile {
	p := *of
	for _, bound := range []*string{&p.Min, &p.Max} {
		if day, err := time.Parse(packed, *bound); err == nil {
			*bound = day.Format(time.DateOnly)
		}
	}
	return &p
}

// isPackedDay reports whether a number is a day.
func isPackedDay(v string) bool {
	if _, err := strconv.Atoi(v); err != nil {
		return false
	}
	day, err := time.Parse(packed, v)
	return err == nil && day.Year() >= firstPackedYear && day.Year() <= lastPackedYear
}
