package admin

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"askpg/store"
)

// readFilter reads a list's filters out of its address, and says which one
// cannot be read.
func readFilter(r *http.Request) (f store.Filter, problem string) {
	q := r.URL.Query()
	get := func(name string) string { return strings.TrimSpace(q.Get(name)) }
	f = store.Filter{
		Database: q.Get("database"), Role: q.Get("role"), Application: q.Get("application"), Outcome: store.Outcome(get("outcome")), Code: get("code"), Source: get("source"),
		Review: get("review"), Feedback: get("feedback"), Text: get("q"), Before: get("before"),
	}
	switch get("assigned") {
	case "me":
		f.Assigned = sender(r).name
	case "nobody":
		f.Unassigned = true
	}
	for name, to := range map[string]*time.Time{"since": &f.Since, "until": &f.Until} {
		if v := get(name); v != "" {
			t, err := time.Parse(time.DateOnly, v)
			if err != nil {
				problem = name + " must be a day, such as 2026-01-31"
				continue
			}
			if name == "until" {
				t = t.AddDate(0, 0, 1) // the day itself is meant as well
			}
			*to = t
		}
	}
	for name, to := range map[string]*float64{"min": &f.MinConfidence, "max": &f.MaxConfidence} {
		if v := get(name); v != "" {
			p, err := percent(v)
			if err != nil {
				problem = "confidence must be a number from 0 to 100"
				continue
			}
			*to = p
		}
	}
	for name, to := range map[string]*float64{"slower": &f.MinElapsed, "faster": &f.MaxElapsed} {
		if v := get(name); v != "" {
			seconds, err := strconv.ParseFloat(v, 64)
			if err != nil || !(seconds >= 0 && seconds < 1e6) {
				problem = "a time must be a number of seconds"
				continue
			}
			*to = 1000 * seconds
		}
	}
	return f, problem
}
