package catalog

import (
	"math"
	"strconv"
)

// widen takes a column's most common values, an array in text format, into its
// bounds: the histogram leaves them out (PostgreSQL documentation, pg_stats).
func (p *Profile) widen(class Class, common string) {
	if class != Number && class != Date && class != Timestamp {
		return
	}
	values, _ := arrayElements(common, math.MaxInt)
	for _, v := range values {
		if p.Min == "" || less(class, v, p.Min) {
			p.Min = v
		}
		if p.Max == "" || less(class, p.Max, v) {
			p.Max = v
		}
	}
}

// less compares two values as the server prints them. Dates of other eras
// and infinities compare as neither.
func less(class Class, a, b string) bool {
	if class == Number {
		x, err1 := strconv.ParseFloat(a, 64)
		y, err2 := strconv.ParseFloat(b, 64)
		return err1 == nil && err2 == nil && x < y
	}
	const day = len("2006-01-02")
	return isoDay(a) && isoDay(b) && (a[:day] < b[:day] || a[:day] == b[:day] && a < b)
}

func isoDay(s string) bool {
	return len(s) >= len("2006-01-02") && s[4] == '-' && s[7] == '-' && s[0] >= '0' && s[0] <= '9' && s[len(s)-1] != 'C'
}
