// Times of a question as ranges of SQL expressions, and lists of such.

package grammar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
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

	weekdays []string // numbers of the days of each week that are meant: "on Sundays"

	or   []dateRange // the times, one of which it is, where they are no single range
	list bool        // several times are said
	and  bool        // they are joined by "and": "in 2023 and 2024"

	future bool   // it lies ahead: "next month"
	past   bool   // it is told from today and lies behind, which is not said: "on Friday"
	toNow  bool   // it has no end: "since Monday"
	upTo   string // the day that is its last, where a column has later ones: today, of "last 30 days"
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
	if day, _ := l.weekday(w); day > 0 || w == "weekend" || w == "weekends" {
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
func (p *parser) anyOfPhrases(i int, phrases []string) (out []int) {
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

// tomorrow is the day after the day of the query, as SQL.
func tomorrow() string { return today() + " + " + interval("1", "day") }

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
		if a.dates.isClosed() {
			out = append(out, p.dateList(a)...)
		}
	}
	out = out[:min(len(out), maxDates)]
	p.datesAt[i] = out
	return out
}

// dateList reads the times that follow one in a list.
func (p *parser) dateList(a dateCandidate) (out []dateCandidate) {
	for _, comma := range p.maybe(a.end, "comma") {
		for _, next := range p.maybe(comma, "and", "or") {
			if next == a.end || p.comparesAcross(next) {
				continue // nothing follows, or the two are compared
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
