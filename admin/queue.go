package admin

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"askpg/ask"
	"askpg/store"
)

// The queue reads so many translations to show so many lines: translations of the
// same question are one line.
const (
	queueRead  = 200
	queueLines = 50
)

// line is a line of a list.
type line struct {
	store.Record
	Repetitions  int    // how many more times the question was asked
	SameQuestion string // address of the list of them
	Stale        string // why the verified example of this translation no longer plans
	Judged       bool   // by the one who reads it, if he wants
}

// lines makes a line of each translation.
func lines(records []store.Record) []line {
	out := make([]line, len(records))
	for i := range records {
		out[i].Record = records[i]
	}
	return out
}

// mergeRepetitions makes one line of the translations of a question, by the one that is most worth a person's time. The
// store keeps most others out of the queue and has counted them. stop is the last record that it took in, nil if it took
// all.
func mergeRepetitions(records []store.Record) (out []line, stop *store.Record) {
	at := map[string]int{}
	for i := range records {
		r := &records[i]
		key := strings.Join([]string{r.Database, r.Hint, ask.Normalise(r.Question)}, "\x00")
		if n, ok := at[key]; ok {
			out[n].Repetitions++
			continue
		}
		if len(out) == queueLines {
			stop = &records[i-1]
			break
		}
		at[key] = len(out)
		out = append(out, line{Record: *r})
	}
	for i := range out {
		if n := int(out[i].TimesAsked) - 1; n > out[i].Repetitions {
			out[i].Repetitions = n
		}
		if out[i].Repetitions > 0 && len(out[i].Question) < 1000 {
			q := url.Values{"q": {`"` + strings.ReplaceAll(out[i].Question, `"`, " ") + `"`}, "database": {out[i].Database}, "review": {"none"}}
			out[i].SameQuestion = "/translations?" + q.Encode()
		}
	}
	return out, stop
}

// markStale says of which lines the verified example no longer plans.
func (s *Server) markStale(ctx context.Context, lines []line) error {
	stale, err := s.store.Examples(ctx, "", store.Stale)
	if err != nil {
		return err
	}
	notes := map[string]string{}
	for i := range stale {
		notes[stale[i].Translation] = cmp.Or(stale[i].Note, "its SQL is refused")
	}
	for i := range lines {
		lines[i].Stale = notes[lines[i].ID]
	}
	return nil
}

// maxWaiting is how far the queue is counted for the badge of each page.
const maxWaiting = 100

// waiting returns how many translations wait for somebody's verdict.
func (s *Server) waiting(ctx context.Context, by *who) string {
	n, err := s.store.CountQueue(ctx, by.scope(reviewer), maxWaiting)
	switch {
	case err != nil || n == 0: // the page itself says what is wrong with the store
		return ""
	case n == maxWaiting:
		return strconv.Itoa(maxWaiting-1) + "+"
	}
	return strconv.Itoa(n)
}

// Why says why a translation is in the queue, the weightiest first.
func (l line) Why() (reasons []string) {
	add := func(is bool, reason string) {
		if is {
			reasons = append(reasons, reason)
		}
	}
	add(l.Feedback < 0, "negative feedback")
	add(l.Outcome == store.Unsure, "several readings")
	add(l.Outcome == store.Failed, "no answer")
	add(l.Outcome == store.Refused, "refused")
	add(l.Outcome == store.Answered && l.Confidence < lowConfidence, "low confidence")
	add(l.Fallback, "answered by a stand-in")
	add(l.Cost >= highCost, "expensive")
	return reasons
}

// Often says whether a question was asked so often that it is worth a person's time.
func (l line) Often() bool { return l.Repetitions >= oftenAsked }

// From where on a line of the queue says so: of the confidence, of further times that a question was asked, and of what it
// cost, in the currency of the models' prices.
const (
	lowConfidence = 0.6
	oftenAsked    = 4
	highCost      = 0.25
)

// queuePosition is the place of a translation in the queue, as store.Filter takes it.
func queuePosition(r *store.Record) string { return fmt.Sprintf("%v_%d", r.Priority, r.Seq) }
