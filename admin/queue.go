package admin

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"askpg/ask"
	"askpg/store"
)

// The queue reads so many translations to show so many lines: askings of the
// same question are one.
const (
	queueRead  = 200
	queueLines = 50
)

// line is a line of a list.
type line struct {
	store.Record
	Again int    // how many more askings of the question the line stands for
	Like  string // address of the list of them
}

// lines makes a line of each translation.
func lines(records []store.Record) []line {
	out := make([]line, len(records))
	for i := range records {
		out[i].Record = records[i]
	}
	return out
}

// queued makes one line of the askings of a question, by the one that is most
// worth a person's time, and lets what is asked often rise. stop is the last
// record that it took in, nil if it took all.
func queued(records []store.Record) (out []line, stop *store.Record) {
	at := map[string]int{}
	for i := range records {
		r := &records[i]
		key := strings.Join([]string{r.Database, r.Hint, ask.Normalise(r.Question)}, "\x00")
		if n, ok := at[key]; ok {
			out[n].Again++
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
		if out[i].Again > 0 && len(out[i].Question) < 1000 {
			q := url.Values{"q": {`"` + strings.ReplaceAll(out[i].Question, `"`, " ") + `"`}, "database": {out[i].Database}, "review": {"none"}}
			out[i].Like = "/translations?" + q.Encode()
		}
	}
	slices.SortStableFunc(out, func(a, b line) int { return cmp.Compare(b.urgency(), a.urgency()) })
	return out, stop
}

// urgency is the translation's priority, and a twentieth for each further
// asking up to ten: what is asked often is worth more of a reviewer's time.
func (l *line) urgency() float64 { return l.Priority + 0.05*float64(min(l.Again, 10)) }

// placeOf is the place of a translation in the queue, as store.Filter takes it.
func placeOf(r *store.Record) string { return fmt.Sprintf("%v_%d", r.Priority, r.Seq) }
