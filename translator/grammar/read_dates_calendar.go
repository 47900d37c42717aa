// Reading days, months, quarters and years of the calendar.

package grammar

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// period reads a day, a month, a quarter or a year of the calendar.
func (p *parser) period(i int) (out []dateCandidate) {
	t := p.at(i)
	if t.kind == dateToken || t.kind == quotedToken {
		return writtenDate(t.text, i+1)
	}
	if y, ok := p.yearAt(i); ok {
		out = append(out, wholeTime(date(y, 1, 1), date(y+1, 1, 1), i+1, 0.1, t.text))
	}
	return slices.Concat(out, p.quarterOrHalf(i), p.monthOrDay(i), p.daysOfMonth(i))
}

// daysOfMonth reads "5 to 10 October 2026", "5-10 October", and "5 and 10 October" behind "between".
func (p *parser) daysOfMonth(i int) (out []dateCandidate) {
	first, last := p.dayAt(i), i+1
	switch w := p.at(last); {
	case slices.Contains([]string{"to", "until", "till", "through"}, w.lower), w.lower == "and" && i > 0 && p.at(i-1).lower == "between":
		last++
	case w.joint == "":
		return nil
	}
	if first == 0 || p.dayAt(last) <= first {
		return nil
	}
	for _, d := range p.monthOrDay(last) {
		if day, err := time.Parse("DATE '2006-01-02'", d.dates.lo); err == nil {
			r := dateSpan(day.AddDate(0, 0, first-day.Day()), day.AddDate(0, 0, 1), p.text(i, d.end))
			r.year = d.dates.year
			out = append(out, dateCandidate{r, d.end, d.cost})
		}
	}
	return out
}

// wholeTime is the time from lo (inclusive) to hi (exclusive), of a year that is said.
func wholeTime(lo, hi time.Time, end int, cost float64, words string) dateCandidate {
	r := dateSpan(lo, hi, words)
	r.year = lo.Year()
	return dateCandidate{r, end, cost}
}

// writtenDate reads 2024-05-01, '2024-05-01 13:45'.
func writtenDate(text string, end int) (out []dateCandidate) {
	if d, err := time.Parse(time.DateOnly, text); err == nil {
		out = append(out, wholeTime(d, d.AddDate(0, 0, 1), end, 0, text))
	}
	if lo, hi, ok := moment(text); ok {
		out = append(out, dateCandidate{dateRange{lo: lo, hi: hi, words: text}, end, 0})
	}
	return out
}

// monthOrDay reads "May", "May 2024", "5 May 2024", "May 5, 2024", "the 5 of May", "May of last year".
func (p *parser) monthOrDay(i int) []dateCandidate {
	month, day, e := p.monthAndDay(i)
	if month == 0 {
		return nil
	}
	year := e
	switch p.at(e).lower {
	case ",", "of", "in":
		year++
	}
	if y, end := p.whichYear(year); y > 0 {
		r := ofYear(y, month, day)
		r.year = y
		return []dateCandidate{{r, end, 0}}
	}
	// the latest such month that has begun
	now := p.now()
	y := now.Year()
	if month > int(now.Month()) {
		y--
	}
	r := ofYear(y, month, day)
	r.month, r.day = month, day
	return []dateCandidate{{r, e, 0.2}}
}

// monthOfYear reads "this May" and "last May". If both are said, the last one is that of the year before.
func (p *parser) monthOfYear(i int) (out []dateCandidate) {
	d, now := &p.language.dates, p.now()
	for back, words := range [][]string{d.This, d.Last} {
		for _, s := range p.anyOfPhrases(i, words) {
			month, day, e := p.monthAndDay(s)
			if month == 0 || day > 0 {
				continue
			}
			y := now.Year()
			if back == 1 && (month >= int(now.Month()) || p.saysThisMonth(month)) {
				y--
			}
			r := ofYear(y, month, 0)
			r.year = y
			out = append(out, dateCandidate{r, e, 0.1})
		}
	}
	return out
}

// saysThisMonth reports whether the question speaks of a month of this year besides.
func (p *parser) saysThisMonth(month int) bool {
	return p.anywhere(func(i int) bool {
		return slices.ContainsFunc(p.anyOfPhrases(i, p.language.dates.This), func(s int) bool { return p.language.dates.Months[p.at(s).lower] == month })
	})
}

// monthAndDay reads a month with or without its day, and returns where they end. month is 0 if there
// is none, day if none is said.
func (p *parser) monthAndDay(i int) (month, day, end int) {
	t := p.at(i)
	if n := p.dayAt(i); n > 0 {
		next := i + 1
		if p.at(next).lower == "of" {
			next++
		}
		return p.language.dates.Months[p.at(next).lower], n, next + 1
	}
	if t.kind != wordToken || t.lower == "may" && t.text != "May" {
		return 0, 0, i
	}
	month, end = p.language.dates.Months[t.lower], i+1
	if day = p.dayAt(end); day > 0 {
		end++
	}
	return month, day, end
}

// dayAt reads the number of a day of a month; 0 if token i is none.
func (p *parser) dayAt(i int) int {
	t := p.at(i)
	if n, err := strconv.Atoi(t.text); err == nil && t.kind == numberToken && n >= 1 && n <= 31 {
		return n
	}
	return 0
}

// dateSpan returns the time from lo (inclusive) to hi (exclusive).
func dateSpan(lo, hi time.Time, words string) dateRange {
	r := dateRange{lo: "DATE '" + lo.Format(time.DateOnly) + "'", hi: "DATE '" + hi.Format(time.DateOnly) + "'", words: words}
	if lo.YearDay() == 1 && hi.YearDay() == 1 {
		r.loYear, r.hiYear = lo.Year(), hi.Year()
	}
	return r
}

// ofYear returns a month of a year, or a day of it if day is not 0.
func ofYear(y, month, day int) dateRange {
	lo := date(y, month, max(day, 1))
	if day > 0 {
		return dateSpan(lo, lo.AddDate(0, 0, 1), lo.Format(time.DateOnly))
	}
	return dateSpan(lo, lo.AddDate(0, 1, 0), lo.Format("January 2006"))
}

// inYear gives a day or month that is said without a year the year that is said
// after it, if one is: "from January to March 2025".
func (c dateCandidate) inYear(year int) dateCandidate {
	if c.dates.month == 0 || year == 0 {
		return c
	}
	r := ofYear(year, c.dates.month, c.dates.day)
	r.year = year
	return dateCandidate{r, c.end, 0}
}

// moment reads a day with a time, as ask.QuoteValue writes it, and returns it and the moment a microsecond later, PostgreSQL's next one.
func moment(s string) (lo, hi string, ok bool) {
	for _, layout := range []string{"2006-01-02 15:04", time.DateTime} {
		if t, err := time.Parse(layout, s); err == nil {
			const format = "2006-01-02 15:04:05.999999"
			return "TIMESTAMP '" + t.Format(format) + "'", "TIMESTAMP '" + t.Add(time.Microsecond).Format(format) + "'", true
		}
		for _, offset := range []string{"-07", "-0700", "-07:00"} {
			if t, err := time.Parse(layout+offset, s); err == nil {
				const format = "2006-01-02 15:04:05.999999-07:00"
				return "TIMESTAMPTZ '" + t.Format(format) + "'", "TIMESTAMPTZ '" + t.Add(time.Microsecond).Format(format) + "'", true
			}
		}
	}
	return "", "", false
}

// quarterOrHalf reads "q1 2023", "the first quarter of 2023", "first half of last year".
func (p *parser) quarterOrHalf(i int) (out []dateCandidate) {
	part, e := p.partAt(i)
	if e == i {
		return nil
	}
	for p.at(e).lower == "of" || p.at(e).lower == "in" {
		e++
	}
	if y, ok := p.yearAt(e); ok {
		first := date(y, part.months*(part.number-1)+1, 1)
		return []dateCandidate{wholeTime(first, first.AddDate(0, part.months, 0), e+1, 0, fmt.Sprintf("%s %d of %d", part.unit, part.number, y))}
	}
	d := &p.language.dates
	for back, words := range [][]string{d.This, d.Last} {
		for _, s := range p.anyOfPhrases(e, words) {
			unit, end := p.dateUnit(s)
			if unit != "year" {
				continue
			}
			month := func(n int) string {
				switch n -= 12 * back; {
				case n == 0:
					return startOf("year")
				case n < 0:
					return startOf("year") + " - " + interval(strconv.Itoa(-n), "month")
				}
				return startOf("year") + " + " + interval(strconv.Itoa(n), "month")
			}
			r := dateRange{lo: month(part.months * (part.number - 1)), hi: month(part.months * part.number), words: p.text(i, end)}
			out = append(out, dateCandidate{r, end, 0})
		}
	}
	return out
}

// yearPart is a quarter or a half of a year.
type yearPart struct {
	unit           string
	months, number int // its months, and which one it is, from 1
}

// partAt reads a quarter or a half of a year, also as "the first six months"; the end is i if there is none.
func (p *parser) partAt(i int) (yearPart, int) {
	t := p.at(i).lower
	quarter, half := yearPart{"quarter", 3, 0}, yearPart{"half", 6, 0}
	if len(t) == 2 && t[1] >= '1' && t[1] <= '4' {
		switch quarter.number, half.number = int(t[1]-'0'), int(t[1]-'0'); {
		case t[0] == 'q':
			return quarter, i + 1
		case t[0] == 'h' && t[1] <= '2':
			return half, i + 1
		}
	}
	if m, e := p.number(i + 1); (t == "first" || t == "last") && slices.Contains(p.language.dates.Units["month"], p.at(e).lower) {
		if k, _ := strconv.Atoi(m); k > 0 && 12%k == 0 {
			return yearPart{"months", k, map[string]int{"first": 1, "last": 12 / k}[t]}, e + 1
		}
	}
	n := map[string]int{"1": 1, "first": 1, "2": 2, "second": 2, "3": 3, "third": 3, "4": 4, "fourth": 4, "last": 4}[t]
	quarter.number, half.number = n, min(n, 2)
	switch next := p.at(i + 1).lower; {
	case n > 0 && next == "half" && n != 3 && t != "4" && t != "fourth":
		return half, i + 2
	case n > 0 && slices.Contains(p.language.dates.Quarter, next):
		return quarter, i + 2
	}
	return yearPart{}, i
}

// inPart reports whether token i ends a part of a year of two words.
func (p *parser) inPart(i int) bool {
	_, end := p.partAt(i - 1)
	return end == i+1
}

// yearAt reads a year.
func (p *parser) yearAt(i int) (int, bool) {
	t := p.at(i)
	if t.kind != numberToken && t.kind != quotedToken || len(t.text) != 4 {
		return 0, false
	}
	y, err := strconv.Atoi(t.text)
	low := 1700 // a bare number below is rather that of a customer
	if i > 0 && p.language.prepositions[p.tokens[i-1].lower] {
		low = 1000
	}
	return y, err == nil && y >= low && y < 2200 && !p.isCompared(i)
}

// whichYear reads "2024", "this year" or "last year"; the year is 0 if there is none.
func (p *parser) whichYear(i int) (year, end int) {
	if y, ok := p.yearAt(i); ok {
		return y, i + 1
	}
	d := &p.language.dates
	for back, words := range [][]string{d.This, d.Last} {
		for _, s := range p.anyOfPhrases(i, words) {
			if unit, end := p.dateUnit(s); unit == "year" {
				return p.now().Year() - back, end
			}
		}
	}
	return 0, i
}

// isCompared reports whether a number stands behind words that compare amounts:
// what is "over 1000" is no year.
func (p *parser) isCompared(i int) bool {
	d := &p.language.dates
	for j := max(0, i-maxSpan); j < i; j++ {
		if slices.Contains(p.ends(j, "gt", "lt", "ge", "le"), i) && !slices.ContainsFunc([][]string{d.Before, d.After, d.Since, d.Until}, func(list []string) bool { return slices.Contains(p.anyOfPhrases(j, list), i) }) {
			return true
		}
	}
	return false
}

// now is when the question was asked, in the session's time zone.
func (p *parser) now() time.Time {
	now := p.options.Now
	if now.IsZero() {
		now = time.Now()
	}
	if p.options.Location != nil {
		now = now.In(p.options.Location)
	}
	return now
}

func date(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }
