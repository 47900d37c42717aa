// Times as people say them, written as the parser reads times: "the fifth of October", "the month of May", "9 in the morning".

package grammar

import (
	"slices"
	"strconv"
)

// simplifyTimes puts a number in the place of an ordinal before a month, a time of the day with its mark in the place of one in words, and
// leaves out "the month of" before a month and "the year" before a year, unless a name of the schema says "year".
func (p *parser) simplifyTimes() {
	var kept []token
	for i := 0; i < len(p.tokens); {
		if skipped := p.unitOfTime(i); skipped > i {
			if last := len(kept) - 1; last >= 0 && kept[last].lower == "over" {
				kept[last] = p.writtenAs(wordToken, "in", i-1, i) // "over the year 2025" compares nothing
			}
			i = skipped
			continue
		}
		if t, end := p.dayInWords(i); end > i {
			kept, i = append(kept, t), end
			continue
		}
		if t, end := p.clockInWords(i); end > i {
			kept, i = append(kept, t), end
			continue
		}
		kept, i = append(kept, p.tokens[i]), i+1
	}
	p.tokens = kept
}

// unitOfTime returns where the month begins that stands behind "the month of", or the year behind "the year"; i if none does.
func (p *parser) unitOfTime(i int) int {
	e := i
	if p.at(e).lower == "the" {
		e++
	}
	if p.at(e).lower == "calendar" {
		e++
	}
	of := e + 1
	if p.at(of).lower == "of" {
		of++
	}
	switch p.at(e).lower {
	case "month", "months":
		if of > e+1 && p.language.dates.Months[p.at(of).lower] > 0 {
			return of
		}
	case "year", "years":
		if t := p.at(of); t.kind == numberToken && len(t.text) == 4 && t.text < "2200" && len(p.lexicon.labelsByStem["year"]) == 0 {
			return of
		}
	}
	return i
}

// dayInWords reads "fifth of October" and "fifth October" from i on as the number of the day, which ends before the month.
func (p *parser) dayInWords(i int) (day token, end int) {
	n := slices.Index(ordinals, p.at(i).lower) + 1
	next := i + 1
	if tens := map[string]int{"twenty": 20, "thirty": 30}[p.at(i).lower]; tens > 0 {
		if units := slices.Index(ordinals, p.at(next).lower) + 1; units > 0 && units < 10 {
			n, next = tens+units, next+1
		}
	}
	month := next
	if p.at(month).lower == "of" {
		month++
	}
	if n == 0 || n > 31 || p.language.dates.Months[p.at(month).lower] == 0 {
		return token{}, i
	}
	return p.writtenAs(numberToken, strconv.Itoa(n), i, next), next
}

// clockInWords reads "9 in the morning", "nine o'clock in the evening" as a time of the day.
func (p *parser) clockInWords(i int) (clock token, end int) {
	said, e := p.number(i)
	hour, err := strconv.Atoi(said)
	if e == i || err != nil || hour < 1 || hour > 12 {
		return token{}, i
	}
	if p.at(e).lower == "o" && p.at(e+1).lower == "clock" {
		e += 2
	}
	if p.at(e).lower != "in" || p.at(e+1).lower != "the" {
		return token{}, i
	}
	half := map[string]string{"morning": "am", "afternoon": "pm", "evening": "pm"}[p.at(e+2).lower]
	if half == "" || hour == 12 && half == "pm" && p.at(e+2).lower == "evening" {
		return token{}, i
	}
	return p.writtenAs(clockToken, said+" "+half, i, e+3), e + 3
}

// writtenAs is one token in the place of those from i to j.
func (p *parser) writtenAs(kind tokenKind, text string, i, j int) token {
	return token{kind: kind, text: text, lower: text, stem: text, start: p.tokens[i].start, end: p.tokens[j-1].end, joint: p.tokens[i].joint}
}
