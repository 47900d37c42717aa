// Times of the day: "before 9 am", "after 18:00", "between 6 and 9 pm".

package grammar

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// writtenClock is a time of the day in figures, with a mark that it is one.
var writtenClock = regexp.MustCompile(`^(?i)(\d{1,2})(?:[:.](\d{2}))?\s?([ap])\.?m\b\.?|^(\d{1,2}):(\d{2})\b`)

// scanClock returns where a time of the day ends that is written at text[i:], and i if none is.
func scanClock(text string, i int) int {
	return i + len(writtenClock.FindString(text[i:min(len(text), i+longestClock)]))
}

// longestClock is how many bytes a time of the day takes at most, as "12:30 p.m.", with what tells where it ends.
const longestClock = 16

// clockAt returns the time of the day that is said at token i, such as 18:00, and where it ends; "" if none is.
func (p *parser) clockAt(i int) (clock string, end int) {
	t := p.at(i)
	switch {
	case t.lower == "noon" && t.kind == wordToken:
		return "12:00", i + 1
	case t.lower == "midnight" && t.kind == wordToken:
		return "00:00", i + 1
	case t.kind != clockToken:
		return "", i
	}
	m := writtenClock.FindStringSubmatch(t.text)
	hour, minute := m[1]+m[4], m[2]+m[5]
	h, _ := strconv.Atoi(hour)
	min, _ := strconv.Atoi("0" + minute)
	switch half := strings.ToLower(m[3]); {
	case half != "" && (h == 0 || h > 12), h > 23, min > 59:
		return "", i
	case half == "a" && h == 12:
		h = 0
	case half == "p" && h < 12:
		h += 12
	}
	return fmt.Sprintf("%02d:%02d", h, min), i + 1
}

// timesOfDay reads "before 9 am", "after noon", "between 6 am and 9 am", "from 22:00 to 6:00". They are those of each day, but "since 9 am"
// is that of today where no other day is said.
func (p *parser) timesOfDay(i int) (out []dateCandidate) {
	d := &p.language.dates
	add := func(lo, hi string, end int) {
		r := dateRange{lo: timeOfDay(lo), hi: timeOfDay(hi), words: p.text(i, end)}
		if lo != "" && hi != "" && hi <= lo { // over midnight
			r = dateRange{or: []dateRange{{lo: timeOfDay(lo), words: r.words}, {hi: timeOfDay(hi), words: r.words}}, words: r.words}
		}
		out = append(out, dateCandidate{r, end, 0.05})
	}
	for _, e := range p.anyOfPhrases(i, d.Since) {
		switch clock, end := p.clockAt(e); {
		case clock == "" || len(p.date(end)) > 0: // "since 9 am yesterday" is no time of each day
		case p.endsDate(i):
			add(clock, "", end) // "yesterday since 9 am"
		default:
			out = append(out, dateCandidate{dateRange{lo: today() + " + " + timeOfDay(clock), words: p.text(i, end)}, end, 0.05})
		}
	}
	for _, e := range p.anyOfPhrases(i, d.After) {
		if clock, end := p.clockAt(e); clock != "" {
			add(clock, "", end)
		}
	}
	for _, e := range slices.Concat(p.anyOfPhrases(i, d.Before), p.anyOfPhrases(i, d.Until)) {
		if clock, end := p.clockAt(e); clock != "" && clock != "00:00" {
			add("", clock, end)
		}
	}
	from := p.ends(i, "between")
	if p.at(i).lower == "from" {
		from = append(from, i+1)
	}
	for _, e := range from {
		lo, next := p.clockAt(e)
		if w := p.at(next).lower; lo == "" || w != "and" && w != "to" && w != "until" && w != "till" {
			continue
		}
		if hi, end := p.clockAt(next + 1); hi != "" {
			add(lo, hi, end)
		}
	}
	return out
}

// endsDate reports whether a time that is said ends before token i.
func (p *parser) endsDate(i int) bool {
	for from := max(0, i-maxSpan); from < i; from++ {
		if slices.ContainsFunc(p.date(from), func(d dateCandidate) bool { return d.end == i }) {
			return true
		}
	}
	return false
}

// timeOfDay is the literal of a time of the day, "" for none.
func timeOfDay(clock string) string {
	if clock == "" {
		return ""
	}
	return "TIME '" + clock + "'"
}
