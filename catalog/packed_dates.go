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
// names have to say so as well as their bounds and common values. 0 is no day.
func findPackedDates(s *Snapshot, unchanged map[*Relation]bool) {
	for _, r := range s.Relations {
		for _, c := range r.Columns {
			if !unchanged[r] && isPackedDate(c) {
				c.Class, c.Packed = Date, true
			}
		}
	}
}

// isPackedDate reports whether a column holds days as whole numbers.
func isPackedDate(c *Column) bool {
	if c.Class != Number || c.Profile == nil || c.Profile.Max == "" || c.Identity || !slices.Contains([]string{"integer", "bigint", "numeric(8,0)"}, c.Type) {
		return false
	}
	name := strings.ToLower(c.Name)
	if !slices.ContainsFunc(dayNames, func(piece string) bool { return strings.Contains(name, piece) }) {
		return false
	}
	values := append([]string{c.Profile.Min}, c.Profile.Common...)
	return isPackedDay(c.Profile.Max) && !slices.ContainsFunc(values, func(v string) bool { return v != "0" && !isPackedDay(v) })
}

// isPackedDay reports whether a number is a day.
func isPackedDay(v string) bool {
	if _, err := strconv.Atoi(v); err != nil {
		return false
	}
	day, err := time.Parse(packed, v)
	return err == nil && day.Year() >= firstPackedYear && day.Year() <= lastPackedYear
}
