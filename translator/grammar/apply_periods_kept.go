// Columns that hold a month or another period of time, of which no shorter one can be told: the sales of each month.

package grammar

import (
	"regexp"
	"slices"
	"strconv"

	"askpg/catalog"
)

// wholePeriods has for each period the units of time that are made of whole ones.
var wholePeriods = map[string][]string{
	"week":    {"week"},
	"month":   {"month", "quarter", "year"},
	"quarter": {"quarter", "year"},
	"year":    {"year"},
}

// periodOf returns the period whose first day a column holds, as its name says: "month"; "" if it holds days or moments.
func periodOf(c *catalog.Column) string {
	words := splitName(c.Name)
	if last := words[len(words)-1]; isTime(c) && wholePeriods[last] != nil {
		return last
	}
	return ""
}

// tellsUnit reports whether rows can be divided by a column in units of time: those of a month have no days.
func tellsUnit(c *catalog.Column, unit string) bool {
	period := periodOf(c)
	return period == "" || slices.Contains(wholePeriods[period], unit)
}

// tellsTimes reports whether it can be told by a column what is in a time: the sales of a month are not those of its last week.
func tellsTimes(c *catalog.Column, d *dateRange) bool {
	period := periodOf(c)
	return period == "" || isWhole(d.lo, period) && isWhole(d.hi, period)
}

// A bound of a time begins with one of these and has intervals behind it.
var (
	boundTruncated = regexp.MustCompile(`^date_trunc\('(\w+)'`)
	boundOfMonth   = regexp.MustCompile(`^DATE '\d+-\d\d-01'`)
	boundOfYear    = regexp.MustCompile(`^DATE '\d+-01-01'`)
	boundInterval  = regexp.MustCompile(`INTERVAL '(-?\d+) ([a-z]+?)s?'`)
)

// isWhole reports whether a bound of a time, an expression of SQL or "", is the begin of a period.
func isWhole(bound, period string) bool {
	units := wholePeriods[period]
	for _, interval := range boundInterval.FindAllStringSubmatch(bound, -1) {
		n, _ := strconv.Atoi(interval[1])
		quarters := interval[2] == "month" && n%3 == 0 && period == "quarter"
		if !slices.Contains(units, interval[2]) && !quarters {
			return false
		}
	}
	if truncated := boundTruncated.FindStringSubmatch(bound); truncated != nil {
		return slices.Contains(units, truncated[1])
	}
	return bound == "" || period == "month" && boundOfMonth.MatchString(bound) || period != "week" && boundOfYear.MatchString(bound)
}
