package grammar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// dateRange is a half-open range of time, as SQL expressions that the session's
// time zone gives their meaning: from lo (inclusive) to hi (exclusive). Either
// may be empty.
type dateRange struct {
	lo, hi         string
	loYear, hiYear int // the same in whole years for columns that hold a year; hiYear exclusive, 0 if open or not whole
	words          string

	year       int // of a day or month of the calendar, if it is said
	month, day int // what is said of it without a year; the year is then the latest such one

	or   []dateRange // the times, one of which it is, where they are no single range
	list bool        // several times are said
	and  bool        // they are joined by "and": "in 2023 and 2024"
}

// isClosed reports whether it has a begin and an end.
func (d *dateRange) isClosed() bool { return len(d.or) > 0 || d.lo != "" && d.hi != "" }

type dateCandidate struct {
	dates dateRange
	end   int
	cost  float64
}

// dateWord reports whether a word speaks of time.
func (l *language) dateWord(w string) bool {
	if _, ok := l.dates.Months[w]; ok {
		return true
	}
	for _, words := range l.dates.Units {
		for _, u := range words {
			if u == w {
				return true
			}
		}
	}
	for _, list := range [][]string{l.dates.Today, l.dates.Yesterday, l.dates.Tomorrow, l.dates.This, l.dates.Last, l.dates.Next, l.dates.Ago, l.dates.Before, l.dates.After, l.dates.Since, l.dates.Until, l.dates.In} {
		for _, s := range list {
			if s == w {
				return true
			}
		}
	}
	return false
}

// anyOfPhrases returns where one of the phrases that begins at i ends, longest first.
func (p *parser) anyOfPhrases(i int, phrases []string) []int {
	var out []int
	for _, ph := range phrases {
		words := strings.Fields(ph)
		if p.follows(i, words) && !slices.Contains(out, i+len(words)) {
			out = append(out, i+len(words))
		}
	}
	return out
}

// dateUnit reads a unit of time, such as "months", and returns date_trunc's name of it and where it ends.
func (p *parser) dateUnit(i int) (string, int) {
	if i >= len(p.tokens) {
		return "", i
	}
	for unit, words := range p.language.dates.Units {
		for _, w := range words {
			if p.tokens[i].lower == w {
				return unit, i + 1
			}
		}
	}
	return "", i
}

// today is the day of the query, as SQL.
func today() string { return "CURRENT_DATE" }

// startOf is the first day of the current unit of time, as SQL.
func startOf(unit string) string {
	if unit == "day" {
		return today()
	}
	return fmt.Sprintf("date_trunc('%s', CURRENT_DATE)::date", unit)
}

// interval writes a number of units of time as SQL.
func interval(n, unit string) string {
	if unit == "quarter" {
		k, _ := strconv.Atoi(n)
		return fmt.Sprintf("INTERVAL '%d months'", 3*k)
	}
	s := "s"
	if n == "1" {
		s = ""
	}
	return fmt.Sprintf("INTERVAL '%s %s%s'", n, unit, s)
}

// maxDates is how many readings of a time that begins at one token are kept.
const maxDates = 16

// date reads an expression of time that begins at i, with the preposition
// before it, or a list of such: "in May 2023 and in May 2024" is either of them.
func (p *parser) date(i int) []dateCandidate {
	if out, ok := p.datesAt[i]; ok {
		return out
	}
	p.datesAt[i] = nil
	out := p.oneDate(i)
	for _, a := range out[:len(out):len(out)] {
		if !a.dates.isClosed() || a.end == i {
			continue
		}
		for _, comma := range p.maybe(a.end, "comma") {
			for _, next := range p.maybe(comma, "and", "or") {
				if next == a.end {
					continue
				}
				for _, b := range p.date(next) {
					if !b.dates.isClosed() || next == comma && !b.dates.list || a.dates.year > 0 && b.dates.month > 0 {
						continue // what follows is no more of the list, or of which year is not said
					}
					a := a.inYear(b.dates.year)
					r := either(a.dates, b.dates)
					r.and = b.dates.and || slices.Contains(p.ends(comma, "and"), next)
					out = append(out, dateCandidate{r, b.end, a.cost + b.cost})
				}
			}
		}
	}
	out = out[:min(len(out), maxDates)]
	p.datesAt[i] = out
	return out
}

// either returns the time that is in a or in b: one range if the one begins
// where the other ends.
func either(a, b dateRange) dateRange {
	r := dateRange{words: a.words + " or " + b.words, year: b.year, month: b.month, day: b.day, list: true}
	switch {
	case len(a.or)+len(b.or) == 0 && a.hi == b.lo:
		r.lo, r.hi, r.loYear, r.hiYear = a.lo, b.hi, a.loYear, b.hiYear
	case len(a.or)+len(b.or) == 0 && b.hi == a.lo:
		r.lo, r.hi, r.loYear, r.hiYear = b.lo, a.hi, b.loYear, a.hiYear
	default:
		r.or = append(r.or, a.ranges()...)
		r.or = append(r.or, b.ranges()...)
		r.loYear, r.hiYear = a.loYear, b.hiYear
	}
	return r
}

// ranges returns the ranges that d is made of.
func (d dateRange) ranges() []dateRange {
	if len(d.or) > 0 {
		return d.or
	}
	return []dateRange{d}
}

// saysTime reports whether a time with a begin and an end ends at token i.
func (p *parser) saysTime(i int) bool {
	for j := max(0, i-maxSpan); j < i; j++ {
		for _, d := range p.date(j) {
			if d.end == i && d.dates.isClosed() {
				return true
			}
		}
	}
	return false
}

// oneDate reads a single time.
func (p *parser) oneDate(i int) []dateCandidate {
	var out []dateCandidate
	d := &p.language.dates
	add := func(r dateRange, end int, cost float64) {
		for _, e := range p.anyOfPhrases(end, d.Inclusive) {
			out = append(out, dateCandidate{r, e, cost})
		}
		if p.at(end).lower == "," {
			for _, e := range p.anyOfPhrases(end+1, d.Inclusive) {
				out = append(out, dateCandidate{r, e, cost})
			}
		}
		out = append(out, dateCandidate{r, end, cost})
	}
	starts := append(p.anyOfPhrases(i, d.In), i)
	for _, s := range starts {
		for _, r := range p.period(s) {
			add(r.dates, r.end, r.cost)
		}
		for _, e := range p.anyOfPhrases(s, d.Last) {
			n, e2 := p.number(e)
			if e2 == e {
				n = ""
			}
			if unit, e3 := p.dateUnit(e2); e3 > e2 {
				if n == "" {
					add(dateRange{lo: fmt.Sprintf("%s - %s", startOf(unit), interval("1", unit)), hi: startOf(unit), words: "last " + unit}, e3, 0)
				} else {
					add(dateRange{lo: fmt.Sprintf("CURRENT_DATE - %s", interval(n, unit)), words: "last " + n + " " + unit + "s"}, e3, 0)
				}
			}
		}
		for _, e := range p.anyOfPhrases(s, d.This) {
			if unit, e2 := p.dateUnit(e); e2 > e {
				add(dateRange{lo: startOf(unit), hi: fmt.Sprintf("%s + %s", startOf(unit), interval("1", unit)), words: "this " + unit}, e2, 0)
			}
		}
		for _, e := range p.anyOfPhrases(s, d.Next) {
			if unit, e2 := p.dateUnit(e); e2 > e {
				add(dateRange{lo: fmt.Sprintf("%s + %s", startOf(unit), interval("1", unit)), hi: fmt.Sprintf("%s + %s", startOf(unit), interval("2", unit)), words: "next " + unit}, e2, 0)
			}
		}
		for _, e := range p.anyOfPhrases(s, d.Today) {
			add(dateRange{lo: today(), hi: "CURRENT_DATE + INTERVAL '1 day'", words: "today"}, e, 0)
		}
		for _, e := range p.anyOfPhrases(s, d.Yesterday) {
			add(dateRange{lo: "CURRENT_DATE - INTERVAL '1 day'", hi: today(), words: "yesterday"}, e, 0)
		}
	}
	for _, e := range p.anyOfPhrases(i, d.Since) {
		for _, r := range p.point(e) {
			add(dateRange{lo: r.dates.lo, loYear: r.dates.loYear, words: "since " + r.dates.words}, r.end, r.cost+0.05)
		}
	}
	for _, e := range p.anyOfPhrases(i, d.After) {
		for _, r := range p.point(e) {
			year := 0
			if r.dates.hiYear > 0 {
				year = r.dates.hiYear
			}
			add(dateRange{lo: r.dates.hi, loYear: year, words: "after " + r.dates.words}, r.end, r.cost)
		}
	}
	for _, e := range p.anyOfPhrases(i, d.Before) {
		for _, r := range p.point(e) {
			add(dateRange{hi: r.dates.lo, hiYear: r.dates.loYear, words: "before " + r.dates.words}, r.end, r.cost)
		}
	}
	for _, e := range p.anyOfPhrases(i, d.Until) {
		for _, r := range p.point(e) {
			add(dateRange{hi: r.dates.hi, hiYear: r.dates.hiYear, words: "until " + r.dates.words}, r.end, r.cost)
		}
	}
	for _, e := range p.ends(i, "between") {
		for _, a := range p.point(e) {
			for _, sep := range []string{"and", "to", "until", "till", "through", "-"} {
				next := a.end
				if p.at(next).lower == sep {
					next++
				} else if sep != "-" {
					continue
				}
				for _, b := range p.point(next) {
					if next == a.end && a.dates.loYear == 0 {
						continue
					}
					a := a.inYear(b.dates.year)
					add(dateRange{lo: a.dates.lo, hi: b.dates.hi, loYear: a.dates.loYear, hiYear: b.dates.hiYear, words: "from " + a.dates.words + " to " + b.dates.words}, b.end, a.cost+b.cost)
				}
			}
		}
	}
	return out
}

// point reads a period or a moment that a date can be compared with.
func (p *parser) point(i int) []dateCandidate {
	out := p.period(i)
	if p.at(i).lower == "the" {
		out = append(out, p.period(i+1)...)
	}
	d := &p.language.dates
	for _, e := range p.anyOfPhrases(i, d.Today) {
		out = append(out, dateCandidate{dateRange{lo: today(), hi: "CURRENT_DATE + INTERVAL '1 day'", words: "today"}, e, 0})
	}
	for _, e := range p.anyOfPhrases(i, d.Yesterday) {
		out = append(out, dateCandidate{dateRange{lo: "CURRENT_DATE - INTERVAL '1 day'", hi: today(), words: "yesterday"}, e, 0})
	}
	for _, e := range p.anyOfPhrases(i, d.Last) {
		if unit, e2 := p.dateUnit(e); e2 > e {
			out = append(out, dateCandidate{dateRange{lo: fmt.Sprintf("%s - %s", startOf(unit), interval("1", unit)), hi: startOf(unit), words: "last " + unit}, e2, 0})
		}
	}
	if n, e := p.number(i); e > i {
		if unit, e2 := p.dateUnit(e); e2 > e {
			for _, e3 := range p.anyOfPhrases(e2, d.Ago) {
				at := fmt.Sprintf("CURRENT_DATE - %s", interval(n, unit))
				out = append(out, dateCandidate{dateRange{lo: at, hi: at + " + INTERVAL '1 day'", words: n + " " + unit + "s ago"}, e3, 0})
			}
		}
	}
	return out
}

// period reads a day, a month, a quarter or a year of the calendar.
func (p *parser) period(i int) []dateCandidate {
	t := p.at(i)
	if i >= len(p.tokens) {
		return nil
	}
	var out []dateCandidate
	whole := func(lo, hi time.Time, end int, cost float64, words string) {
		r := dateSpan(lo, hi, words)
		r.year = lo.Year()
		out = append(out, dateCandidate{r, end, cost})
	}
	if t.kind == dateToken || t.kind == quotedToken {
		if d, err := time.Parse(time.DateOnly, t.text); err == nil {
			whole(d, d.AddDate(0, 0, 1), i+1, 0, t.text)
		}
		if lo, hi, ok := moment(t.text); ok {
			out = append(out, dateCandidate{dateRange{lo: lo, hi: hi, words: t.text}, i + 1, 0})
		}
		return out
	}
	if y, ok := p.yearAt(i); ok {
		whole(date(y, 1, 1), date(y+1, 1, 1), i+1, 0.1, t.text)
	}
	// q1 2023, "the first quarter of 2023"
	if q, e := p.quarterAt(i); e > i {
		for e < len(p.tokens) && (p.tokens[e].lower == "of" || p.tokens[e].lower == "in") {
			e++
		}
		if y, ok := p.yearAt(e); ok {
			whole(date(y, 3*q-2, 1), date(y, 3*q-2, 1).AddDate(0, 3, 0), e+1, 0, fmt.Sprintf("quarter %d of %d", q, y))
		}
	}
	day, month, e := 0, 0, i
	if t.kind == numberToken {
		if n, err := strconv.Atoi(t.text); err == nil && n >= 1 && n <= 31 {
			next := i + 1
			if p.at(next).lower == "of" {
				next++
			}
			if m := p.language.dates.Months[p.at(next).lower]; m > 0 {
				day, month, e = n, m, next+1
			}
		}
	}
	if m := p.language.dates.Months[t.lower]; m > 0 && t.kind == wordToken {
		if t.lower == "may" && t.text != "May" {
			return out
		}
		month, e = m, i+1
		if n, err := strconv.Atoi(p.at(e).text); err == nil && n >= 1 && n <= 31 && p.at(e).kind == numberToken {
			day = n
			e++
		}
	}
	if month == 0 {
		return out
	}
	y, yearEnd := 0, e
	for _, skip := range []string{",", "of", "in"} {
		if p.at(yearEnd).lower == skip {
			yearEnd++
			break
		}
	}
	if n, ok := p.yearAt(yearEnd); ok {
		y, e = n, yearEnd+1
	}
	if y > 0 {
		r := ofYear(y, month, day)
		r.year = y
		return append(out, dateCandidate{r, e, 0})
	}
	// the latest such month that has begun
	now := p.now()
	y = now.Year()
	if month > int(now.Month()) {
		y--
	}
	r := ofYear(y, month, day)
	r.month, r.day = month, day
	return append(out, dateCandidate{r, e, 0.2})
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

// quarterAt reads a quarter of a year.
func (p *parser) quarterAt(i int) (int, int) {
	t := p.at(i)
	if len(t.lower) == 2 && t.lower[0] == 'q' && t.lower[1] >= '1' && t.lower[1] <= '4' {
		return int(t.lower[1] - '0'), i + 1
	}
	n := 0
	switch t.lower {
	case "1", "first":
		n = 1
	case "2", "second":
		n = 2
	case "3", "third":
		n = 3
	case "4", "fourth":
		n = 4
	}
	if n > 0 {
		for _, q := range p.language.dates.Quarter {
			if p.at(i+1).lower == q {
				return n, i + 2
			}
		}
	}
	return 0, i
}

// yearAt reads a year.
func (p *parser) yearAt(i int) (int, bool) {
	t := p.at(i)
	if t.kind != numberToken && t.kind != quotedToken || len(t.text) != 4 {
		return 0, false
	}
	y, err := strconv.Atoi(t.text)
	return y, err == nil && y >= 1000 && y < 2200 && !p.isCompared(i)
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
