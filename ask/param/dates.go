package param

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	isoDate  = regexp.MustCompile(`^(\d{4})-(\d{1,2})-(\d{1,2})$`)
	dotted   = regexp.MustCompile(`^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$`)
	slashed  = regexp.MustCompile(`^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$`)
	dayMonth = regexp.MustCompile(`^(?:the )?(\d{1,2})(?:st|nd|rd|th|\.)?(?: of)? ([a-z]+)\.?,? (\d{4})$`)
	monthDay = regexp.MustCompile(`^([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$`)
	instant  = regexp.MustCompile(`^(.+?)(?:t|,? (?:at )?)(\d{1,2}):(\d{2})(?::(\d{2}))?( ?[ap]m)?$`)
)

var months = func() map[string]int {
	m := map[string]int{"sept": 9}
	for i := time.January; i <= time.December; i++ {
		name := strings.ToLower(i.String())
		m[name], m[name[:3]] = int(i), int(i)
	}
	return m
}()

// date reads a day and returns it as 2026-01-31. Two numbers with slashes are
// read in the order of the asker's DateStyle, as PostgreSQL reads them.
func date(r *Reader, words string) (string, bool) {
	s := fold(words)
	if days, ok := map[string]int{"yesterday": -1, "today": 0, "tomorrow": 1}[s]; ok {
		if r.Now.IsZero() {
			return "", false
		}
		return r.Now.AddDate(0, 0, days).Format(time.DateOnly), true
	}
	if m := isoDate.FindStringSubmatch(s); m != nil {
		return day(m[1], m[2], m[3])
	}
	if m := dotted.FindStringSubmatch(s); m != nil {
		return day(m[3], m[2], m[1])
	}
	if m := slashed.FindStringSubmatch(s); m != nil {
		if r.DayFirst {
			return day(m[3], m[2], m[1])
		}
		return day(m[3], m[1], m[2])
	}
	if m := dayMonth.FindStringSubmatch(s); m != nil && months[m[2]] > 0 {
		return day(m[3], strconv.Itoa(months[m[2]]), m[1])
	}
	if m := monthDay.FindStringSubmatch(s); m != nil && months[m[1]] > 0 {
		return day(m[3], strconv.Itoa(months[m[1]]), m[2])
	}
	return "", false
}

// day returns a date that there is.
func day(year, month, of string) (string, bool) {
	y, _ := strconv.Atoi(year)
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(of)
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if y < 1 || t.Year() != y || int(t.Month()) != m || t.Day() != d {
		return "", false
	}
	return t.Format(time.DateOnly), true
}

// timestamp reads a day, or a day and a time of it.
func timestamp(r *Reader, words string) (string, bool) {
	if d, ok := date(r, words); ok {
		return d, true
	}
	m := instant.FindStringSubmatch(fold(words))
	if m == nil {
		return "", false
	}
	d, ok := date(r, m[1])
	if !ok {
		return "", false
	}
	hour, _ := strconv.Atoi(m[2])
	minute, _ := strconv.Atoi(m[3])
	second, _ := strconv.Atoi(m[4])
	if half := strings.TrimSpace(m[5]); half != "" {
		if hour < 1 || hour > 12 {
			return "", false
		}
		hour %= 12
		if half == "pm" {
			hour += 12
		}
	}
	if hour > 23 || minute > 59 || second > 59 {
		return "", false
	}
	return d + " " + time.Date(1, 1, 1, hour, minute, second, 0, time.UTC).Format(time.TimeOnly), true
}
