// Reading times by words: "last month", "since May", "more than 30 days ago".

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// oneDate reads a single time.
func (p *parser) oneDate(i int) (out []dateCandidate) {
	d := &p.language.dates
	for _, s := range append(p.anyOfPhrases(i, d.In), i) {
		whole := slices.Concat(p.period(s), p.monthOfYear(s), p.lastUnits(s), p.beforeLast(s), p.currentTime(s))
		out = append(out, each(whole, p.orLater)...)
		out = append(out, whole...)
		if unit, end := p.dateUnit(s + 1); s > i && end > s+1 && p.at(s-1).lower == "of" && p.at(s).lower == "the" && p.isCalendarUnit(unit, i, end) {
			out = append(out, dateCandidate{thisUnit(unit), end, 0.1})
		}
	}
	out = slices.Concat(out, p.longerAgo(i), p.openRange(i), p.betweenDates(i), p.timesOfDay(i), p.dayOfWeek(i))
	var inclusive []dateCandidate
	for _, c := range out {
		ends := p.anyOfPhrases(c.end, d.Inclusive)
		if p.at(c.end).lower == "," {
			ends = append(ends, p.anyOfPhrases(c.end+1, d.Inclusive)...)
		}
		for _, e := range append(ends, c.end) {
			inclusive = append(inclusive, dateCandidate{c.dates, e, c.cost})
		}
	}
	return inclusive
}

// isCalendarUnit reports whether "of the year" from token i to end says the current one: it is said of several things or of
// the most of them, no part of the year is said before it, such as a month, nor a number behind it.
func (p *parser) isCalendarUnit(unit string, i, end int) bool {
	if i == 0 || p.at(end).kind == numberToken || p.at(end).lower == "of" {
		return false
	}
	_, part := p.dateUnit(i - 1)
	// "employee of the month" is an honour
	several := singular(p.at(i-1).lower) != "" || isSaid(p.tokens[:i], "how", "total", "average")
	for k := range i {
		for e := range p.adjectivesAt(k, mostDegree) {
			several = several || e < i
		}
		several = several || k < i-1 && len(p.ends(k, "max", "min", "most", "least", "latest", "earliest")) > 0
	}
	if part > i-1 || !several {
		return false
	}
	return unit == "year" || unit == "quarter" || unit == "month" || unit == "week"
}

// thisUnit is the unit of time that it is now.
func thisUnit(unit string) dateRange {
	return dateRange{lo: startOf(unit), hi: fmt.Sprintf("%s + %s", startOf(unit), interval("1", unit)), words: "this " + unit}
}

// lastUnits reads "last month", "last 30 days".
func (p *parser) lastUnits(i int) (out []dateCandidate) {
	for _, e := range p.anyOfPhrases(i, p.language.dates.Last) {
		n, e2 := p.number(e)
		whole := p.afterWhole(e2)
		unit, end := p.dateUnit(whole)
		switch {
		case end == whole:
		case p.at(end).lower == "of" && len(p.period(end+1)) > 0:
			out = append(out, p.lastOf(n, unit, end+1)...)
		case unit == "hour":
			out = append(out, dateCandidate{dateRange{lo: ago(cmp.Or(n, "1"), unit), words: strings.TrimSpace("last " + n + " " + unit)}, end, 0})
		case e2 > e && whole > e2: // "last 6 full months" ends before the current one
			out = append(out, dateCandidate{dateRange{lo: startOf(unit) + " - " + interval(n, unit), hi: startOf(unit), words: "last " + n + " full " + unit + "s"}, end, 0})
		case e2 == e:
			out = append(out, dateCandidate{lastUnit(unit), end, 0})
		default:
			out = append(out, dateCandidate{dateRange{lo: ago(n, unit), words: "last " + n + " " + unit + "s", upTo: p.now().Format(time.DateOnly)}, end, 0})
		}
	}
	return out
}

// lastOf reads the longer time that the last n days, weeks, months or quarters are a part of: "the last 2 weeks of 2024", "the last day of
// February 2024". A time of which the year is not said has none.
func (p *parser) lastOf(n, unit string, i int) (out []dateCandidate) {
	k, _ := strconv.Atoi(cmp.Or(n, "1"))
	for _, whole := range p.period(i) {
		first, err := time.Parse(time.DateOnly, instant(whole.dates.lo))
		hi, err2 := time.Parse(time.DateOnly, instant(whole.dates.hi))
		lo := map[string]time.Time{"day": hi.AddDate(0, 0, -k), "week": hi.AddDate(0, 0, -7*k), "month": hi.AddDate(0, -k, 0), "quarter": hi.AddDate(0, -3*k, 0)}[unit]
		if err == nil && err2 == nil && whole.dates.year != 0 && lo.After(first) {
			out = append(out, wholeTime(lo, hi, whole.end, whole.cost, fmt.Sprintf("the last %s of %s", strings.TrimSpace(n+" "+unit), whole.dates.words)))
		}
	}
	return out
}

// beforeLast reads "the month before last".
func (p *parser) beforeLast(i int) (out []dateCandidate) {
	for _, a := range p.maybe(i, "article") {
		unit, e := p.dateUnit(a)
		if e == a || !p.follows(e, []string{"before", "last"}) {
			continue
		}
		end := e + 2
		if again, e := p.dateUnit(end); again == unit {
			end = e
		}
		before := dateRange{lo: startOf(unit) + " - " + interval("2", unit), hi: startOf(unit) + " - " + interval("1", unit), words: "the " + unit + " before last"}
		out = append(out, dateCandidate{before, end, 0})
	}
	return out
}

// afterWhole skips "full" before a unit of time.
func (p *parser) afterWhole(i int) int {
	if slices.Contains(p.language.dates.Whole, p.at(i).lower) {
		if _, end := p.dateUnit(i + 1); end > i+1 {
			return i + 1
		}
	}
	return i
}

// lastUnit is the unit of time before the current one.
func lastUnit(unit string) dateRange {
	return dateRange{lo: fmt.Sprintf("%s - %s", startOf(unit), interval("1", unit)), hi: startOf(unit), words: "last " + unit}
}

// ago is the day so many units of time before today, as SQL; of hours it is the moment.
func ago(n, unit string) string {
	if unit == "hour" {
		return "now() - " + interval(n, unit)
	}
	return "CURRENT_DATE - " + interval(n, unit)
}

// currentTime reads "this month", "next week", "next 30 days", "today", "yesterday".
func (p *parser) currentTime(i int) (out []dateCandidate) {
	d := &p.language.dates
	for _, e := range p.anyOfPhrases(i, d.This) {
		if unit, end := p.dateUnit(e); end > e {
			out = append(out, dateCandidate{thisUnit(unit), end, 0})
		}
	}
	for _, e := range p.anyOfPhrases(i, d.Next) {
		if unit, end := p.dateUnit(e); end > e && singular(p.at(e).lower) == "" { // of the "coming weeks" it is not said how many
			out = append(out, dateCandidate{dateRange{lo: fmt.Sprintf("%s + %s", startOf(unit), interval("1", unit)), hi: fmt.Sprintf("%s + %s", startOf(unit), interval("2", unit)), words: "next " + unit, future: true}, end, 0})
		}
		if n, unit, end := p.unitsOfTime(e); end > e && secondsOf[unit] >= secondsOf["day"] {
			hi := tomorrow() + " + " + interval(n, unit) // the last of these days is one of them
			out = append(out, dateCandidate{dateRange{lo: today(), hi: hi, words: "next " + n + " " + unit + "s", future: true}, end, 0})
		}
	}
	if unit, end := p.dateUnit(i); end > i && p.follows(end, []string{"to", "date"}) {
		out = append(out, dateCandidate{thisUnit(unit), end + 2, 0}) // "year to date"
	}
	return append(out, p.todayOrYesterday(i)...)
}

// todayOrYesterday reads "today", "yesterday", "tomorrow".
func (p *parser) todayOrYesterday(i int) (out []dateCandidate) {
	for _, e := range p.anyOfPhrases(i, p.language.dates.Today) {
		out = append(out, dateCandidate{dateRange{lo: today(), hi: tomorrow(), words: "today"}, e, 0})
	}
	for _, e := range p.anyOfPhrases(i, p.language.dates.Yesterday) {
		out = append(out, dateCandidate{dateRange{lo: "CURRENT_DATE - INTERVAL '1 day'", hi: today(), words: "yesterday"}, e, 0})
	}
	for _, e := range p.anyOfPhrases(i, p.language.dates.Tomorrow) {
		out = append(out, dateCandidate{dateRange{lo: "CURRENT_DATE + INTERVAL '1 day'", hi: "CURRENT_DATE + INTERVAL '2 days'", words: "tomorrow", future: true}, e, 0})
	}
	return out
}

// longerAgo reads "more than 30 days ago". "Within 30 days" is none of that: it is of two times.
func (p *parser) longerAgo(i int) (out []dateCandidate) {
	for _, tag := range []string{"gt", "ge", "lt", "le"} {
		for _, e := range p.ends(i, tag) {
			n, unit, e3 := p.unitsOfTime(e)
			if e3 == e {
				continue
			}
			for _, end := range p.anyOfPhrases(e3, p.language.dates.Ago) {
				r := dateRange{words: p.text(i, end)}
				if tag == "lt" || tag == "le" {
					r.lo = ago(n, unit)
				} else {
					r.hi = ago(n, unit)
				}
				out = append(out, dateCandidate{r, end, 0})
			}
		}
	}
	return out
}

// openRange reads "since May", "after 2023", "before 2024-05-01", "until June".
func (p *parser) openRange(i int) (out []dateCandidate) {
	d := &p.language.dates
	for _, k := range []struct {
		phrases []string
		word    string
		cost    float64
		open    func(dateRange) dateRange
	}{
		{d.Since, "since ", 0.05, func(r dateRange) dateRange { return dateRange{lo: r.lo, loYear: r.loYear} }},
		{d.After, "after ", 0, func(r dateRange) dateRange { return dateRange{lo: r.hi, loYear: r.hiYear} }},
		{d.Before, "before ", 0, func(r dateRange) dateRange { return dateRange{hi: r.lo, hiYear: r.loYear} }},
		{d.Until, "until ", 0, func(r dateRange) dateRange { return dateRange{hi: r.hi, hiYear: r.hiYear} }},
	} {
		for _, e := range p.anyOfPhrases(i, k.phrases) {
			for _, c := range append(p.point(e), p.endOfTime(e)...) {
				if p.text(i, e) == "from" && (strings.HasPrefix(c.dates.words, "last ") || len(p.daysOfMonth(e)) > 0) {
					continue // what is from last month was not made since
				}
				r := k.open(c.dates)
				r.words = k.word + c.dates.words
				out = append(out, dateCandidate{r, c.end, c.cost + k.cost})
				switch p.at(c.end).lower {
				case "on", "onward", "onwards":
					if k.word == "since " {
						out = append(out, dateCandidate{r, c.end + 1, c.cost})
					}
				}
			}
		}
	}
	return out
}

// orLater reads "2024 or later", "in May or before".
func (p *parser) orLater(c dateCandidate) (out []dateCandidate) {
	for e, op := range p.orMore(c.end) {
		r := dateRange{words: c.dates.words + " " + p.text(c.end, e)}
		switch last := p.at(e - 1).lower; {
		case op == ">=" && (last == "later" || last == "after" || strings.HasPrefix(last, "onward")):
			r.lo, r.loYear = c.dates.lo, c.dates.loYear
		case op == "<=" && (last == "earlier" || last == "before"):
			r.hi, r.hiYear = c.dates.hi, c.dates.hiYear
		default:
			continue
		}
		out = append(out, dateCandidate{r, e, c.cost})
	}
	return out
}

// endOfTime reads "the end of March": the moment at which it is over.
func (p *parser) endOfTime(i int) (out []dateCandidate) {
	for _, w := range []string{"the", "end", "of"} {
		if p.at(i).lower == w {
			i++
		} else if w != "the" {
			return nil
		}
	}
	for _, c := range slices.Concat(p.point(i), p.currentTime(i)) {
		if c.dates.hi != "" {
			out = append(out, dateCandidate{dateRange{lo: c.dates.hi, hi: c.dates.hi, loYear: c.dates.hiYear, hiYear: c.dates.hiYear, words: "the end of " + c.dates.words}, c.end, c.cost})
		}
	}
	return out
}

// betweenDates reads "between May and July 2024", "from 2021 to 2023".
func (p *parser) betweenDates(i int) (out []dateCandidate) {
	for _, e := range p.ends(i, "between") {
		out = append(out, p.daysOfMonth(e)...)
		for _, a := range p.point(e) {
			for _, next := range p.afterRangeWord(a) {
				for _, b := range p.point(next) {
					a := a.inYear(b.dates.year)
					r := dateRange{lo: a.dates.lo, hi: b.dates.hi, loYear: a.dates.loYear, hiYear: b.dates.hiYear, words: "from " + a.dates.words + " to " + b.dates.words}
					out = append(out, dateCandidate{r, b.end, a.cost + b.cost})
				}
			}
		}
	}
	return out
}

// afterRangeWord returns where the second time of a range may begin: behind "to" and the
// like, and right behind a year, since the hyphen of "2021-2023" is no token.
func (p *parser) afterRangeWord(a dateCandidate) (out []int) {
	switch p.at(a.end).lower {
	case "and", "to", "until", "till", "through":
		out = append(out, a.end+1)
	}
	if a.dates.loYear != 0 {
		out = append(out, a.end)
	}
	return out
}

// point reads a period or a moment that a date can be compared with.
func (p *parser) point(i int) []dateCandidate {
	out := p.period(i)
	if p.at(i).lower == "the" {
		out = append(out, p.period(i+1)...)
	}
	out = append(out, p.todayOrYesterday(i)...)
	out = append(out, p.startOfTime(i)...)
	for _, e := range p.anyOfPhrases(i, p.language.dates.Last) {
		if unit, end := p.dateUnit(e); end > e {
			out = append(out, dateCandidate{lastUnit(unit), end, 0})
		}
	}
	if n, unit, e2 := p.unitsOfTime(i); e2 > i {
		for _, end := range p.anyOfPhrases(e2, p.language.dates.Ago) {
			out = append(out, dateCandidate{dateRange{lo: ago(n, unit), hi: ago(n, unit) + " + INTERVAL '1 day'", words: n + " " + unit + "s ago"}, end, 0})
		}
	}
	return out
}

// startOfTime reads "the start of the year", "the beginning of last month": the first day of a time.
func (p *parser) startOfTime(i int) (out []dateCandidate) {
	for _, e := range p.anyOfPhrases(i, p.language.dates.Start) {
		times := slices.Concat(p.currentTime(e), p.point(e))
		if unit, end := p.dateUnit(e + 1); end > e+1 && p.at(e).lower == "the" {
			times = append(times, dateCandidate{dateRange{lo: startOf(unit), words: "this " + unit}, end, 0})
		}
		for _, t := range times {
			if t.dates.lo == "" {
				continue
			}
			first := dateRange{lo: t.dates.lo, hi: t.dates.lo + " + INTERVAL '1 day'", words: "the start of " + t.dates.words}
			out = append(out, dateCandidate{first, t.end, t.cost})
		}
	}
	return out
}

// unitsOfTime reads "3 months", "a year": how many of which unit.
func (p *parser) unitsOfTime(i int) (n, unit string, end int) {
	n, e := p.number(i)
	if w := p.at(i).lower; e == i && (w == "a" || w == "an") {
		n, e = "1", i+1
	}
	unit, end = p.dateUnit(e)
	if e == i || end == e {
		return "", "", i
	}
	return n, unit, end
}
