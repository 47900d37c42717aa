// Reading weekdays: "last Friday", "since Monday", "on Sundays".

package grammar

import "strconv"

// weekday returns the weekday that a word names, 1 of Monday to 7 of Sunday as ISO 8601 numbers them, and whether it is in the plural; 0 if it
// names none.
func (l *language) weekday(word string) (day int, plural bool) {
	n, ok := l.dates.Weekdays[word]
	if !ok {
		n, plural = l.dates.Weekdays[singular(word)]
	}
	if !ok && !plural {
		return 0, false
	}
	return (n+6)%7 + 1, plural
}

// dayOfWeek reads "last Friday", "next Monday", "since Monday", and "on Friday", which is the last such day until today.
func (p *parser) dayOfWeek(i int) (out []dateCandidate) {
	d := &p.language.dates
	add := func(i, shift int, r dateRange, cost float64) {
		day, plural := p.language.weekday(p.at(i).lower)
		if day == 0 || plural {
			return
		}
		r.lo, r.words = weekdayOf(shift-day, day), p.text(i, i+1)
		if !r.toNow {
			r.hi = r.lo + " + " + interval("1", "day")
		}
		out = append(out, dateCandidate{r, i + 1, cost})
	}
	for _, e := range p.anyOfPhrases(i, d.Last) {
		add(e, 0, dateRange{}, 0)
	}
	for _, e := range p.anyOfPhrases(i, d.Next) {
		add(e, 8, dateRange{future: true}, 0)
	}
	for _, e := range p.anyOfPhrases(i, d.Since) {
		add(e, 1, dateRange{toNow: true}, 0)
	}
	if p.at(i).lower == "on" {
		add(i+1, 1, dateRange{past: true}, 0.2)
	}
	return append(out, p.daysOfEachWeek(i)...)
}

// weekdayOf is a day in the week in which the day so many days from today is, as SQL.
func weekdayOf(days, day int) string {
	from := "CURRENT_DATE"
	switch {
	case days < 0:
		from += " - " + interval(strconv.Itoa(-days), "day")
	case days > 0:
		from += " + " + interval(strconv.Itoa(days), "day")
	}
	monday := "date_trunc('week', " + from + ")::date"
	if day == 1 {
		return monday
	}
	return monday + " + " + interval(strconv.Itoa(day-1), "day")
}

// daysOfEachWeek reads "on Sundays", "on a Sunday", "at weekends": days of any week.
func (p *parser) daysOfEachWeek(i int) (out []dateCandidate) {
	if w := p.at(i).lower; w != "on" && w != "at" {
		return nil
	}
	for _, a := range p.maybe(i+1, "article") {
		day, plural := p.language.weekday(p.at(a).lower)
		var days []string
		switch w := p.at(a).lower; {
		case w == "weekends" || w == "weekend":
			days = []string{"6", "7"}
		case w == "weekdays" && a == i+1:
			days = []string{"1", "2", "3", "4", "5"}
		case day > 0 && (plural || p.at(a-1).lower == "a"):
			days = []string{strconv.Itoa(day)}
		default:
			continue
		}
		out = append(out, dateCandidate{dateRange{weekdays: days, words: p.text(i, a+1)}, a + 1, 0})
	}
	return out
}

// onWeekdays is the operator of a time that is on one of some days of each week, by their numbers.
const onWeekdays = "isodow"
