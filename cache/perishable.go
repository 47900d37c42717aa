package cache

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"askpg/ask"
)

var year = regexp.MustCompile(`\b(?:19|20)\d\d\b`)

// perishable tells whether t's SQL holds a year that the question does not
// name: "last month" was then written out as of today, and tomorrow that may
// be another month.
func perishable(q *ask.Question, t *ask.Translation) bool {
	return slices.ContainsFunc(year.FindAllString(t.SQL, -1), func(y string) bool { return !strings.Contains(q.Text, y) && !strings.Contains(q.Hint, y) })
}

// untilMidnight returns the time to the end of the asker's day.
func untilMidnight(q *ask.Question, now time.Time) time.Duration {
	where, err := time.LoadLocation(q.Session.Settings["TimeZone"])
	if err != nil {
		where = time.UTC
	}
	y, m, d := now.In(where).Date()
	return time.Date(y, m, d+1, 0, 0, 0, 0, where).Sub(now)
}
