package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"askpg/ask"
)

// Example is a question whose right SQL a reviewer has verified.
type Example struct {
	Database string            `json:"database"`
	Role     string            `json:"role"` // that asked
	Question string            `json:"question"`
	Hint     string            `json:"hint,omitempty"`
	SQL      string            `json:"verified_sql"`
	Used     int64             `json:"used"` // how often it has answered
	Settings map[string]string `json:"-"`    // of the session that asked
}

// Replayed is an example whose question was asked as if nobody had verified it.
type Replayed struct {
	Example
	Answer     string  `json:"sql"` // empty if there is none
	Confidence float64 `json:"confidence"`
	Message    string  `json:"message,omitempty"` // why there is no answer
	Right      bool    `json:"right"`             // the answer's rows are those of the verified SQL
	Unknown    string  `json:"unknown,omitempty"` // why that is not known; then it counts for nothing
	Calls      int     `json:"calls"`
	Tokens     int     `json:"tokens"`
	Cost       float64 `json:"cost"` // money
	Elapsed    float64 `json:"elapsed_ms"`
}

// Replayer asks examples.
type Replayer struct {
	Ask      ask.Translator
	Rows     func(ctx context.Context, s ask.Session, sql string) (*ask.Result, error) // as the role that asked
	Strategy string                                                                    // empty for the configured one
	Workers  int
	Timeout  time.Duration        // of a question
	Calls    int                  // of models, after which no question begins; 0 for any number
	Each     func(Replayed) error // gets each outcome as it comes, one at a time; may be nil
	Progress io.Writer
	Terminal bool // Progress is one
}

// Replay asks the questions of examples as the roles that asked them, and compares the rows with those of the verified SQL: as
// bags, with the columns in any order. The result is in the order of the list, without those that were not asked to the end.
func (r *Replayer) Replay(ctx context.Context, list []Example) ([]Replayed, error) {
	p := newProgress(r.Progress, r.Terminal, len(list))
	defer p.end()
	var mu sync.Mutex // guards calls and done, and is held while Each runs
	calls, done := 0, make([]bool, len(list))
	out := make([]Replayed, len(list))
	begins := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return r.Calls == 0 || calls < r.Calls
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(r.Workers)
	for i := range list {
		group.Go(func() error {
			if ctx.Err() != nil || !begins() {
				return ctx.Err()
			}
			o := r.one(ctx, list[i])
			if ctx.Err() != nil {
				return ctx.Err()
			}
			p.step()
			mu.Lock()
			defer mu.Unlock()
			out[i], done[i] = o, true
			if calls += o.Calls; r.Each == nil {
				return nil
			}
			return r.Each(o)
		})
	}
	err := group.Wait()
	i := 0
	return slices.DeleteFunc(out, func(Replayed) bool { i++; return !done[i-1] }), err
}

func (r *Replayer) one(ctx context.Context, e Example) Replayed {
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	o := Replayed{Example: e}
	s := ask.Session{Database: e.Database, Role: e.Role, SessionUser: e.Role, Settings: e.Settings}
	verified, err := r.Rows(ctx, s, e.SQL)
	if err != nil {
		o.Unknown = "the verified SQL does not run: " + err.Error()
		return o
	}
	defer verified.Release()
	q := ask.Question{ID: ask.NewID(), Text: e.Question, Hint: e.Hint, Fresh: true, Asked: time.Now(), Session: s, Client: ask.Client{ApplicationName: "askpg eval"}}
	if r.Strategy != "" {
		q.Options = map[string]string{"strategy": r.Strategy}
	}
	began := time.Now()
	tr, err := r.Ask.Translate(ctx, q)
	o.Elapsed = float64(time.Since(began).Microseconds()) / 1000
	if err != nil {
		o.Message = ask.CodeOf(err) + ": " + err.Error()
		tr = ask.TranslationOf(err)
	}
	if tr == nil {
		return o
	}
	defer tr.Result.Release()
	o.Calls, o.Tokens, o.Cost = tr.Usage.Calls, tr.Usage.PromptTokens+tr.Usage.CompletionTokens, tr.Usage.Cost
	if err != nil {
		return o
	}
	o.Answer, o.Confidence = tr.SQL, tr.Confidence
	switch {
	case tr.Result != nil && tr.Result.Complete && verified.Complete:
		o.Right = Compare(verified, tr.Result, false).Perm
	case tr.SQL == e.SQL:
		o.Right = true
	default:
		o.Unknown = "a result has more rows than replica.candidate_rows or candidate_bytes let be compared"
	}
	return o
}

// WriteReplayed writes a line of JSON for each example.
func WriteReplayed(w io.Writer, list []Replayed) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range list {
		if err := enc.Encode(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

// ReadReplayed reads what WriteReplayed wrote to a file.
func ReadReplayed(path string) (list []Replayed, err error) {
	return list, eachLine(path, func(line []byte) error {
		var o Replayed
		if err := json.Unmarshal(line, &o); err != nil {
			return err
		}
		list = append(list, o)
		return nil
	})
}

// ReportReplayed writes what is right now, and what would change for whom if an earlier replay is given. It returns how many
// answers were right before and are not any more.
func ReportReplayed(w io.Writer, before, after []Replayed) (lost int) {
	known := map[[4]string]*Replayed{}
	for i := range before {
		known[before[i].key()] = &before[i]
	}
	var both []Replayed // of before, in the order of after
	for i := range after {
		if b := known[after[i].key()]; b != nil {
			both = append(both, *b)
		}
	}
	roles := map[string]bool{}
	for i := range after {
		roles[after[i].Role] = true
	}
	figures := func(name string, of func(list []Replayed) string) { fmt.Fprintf(w, "%-28s %s\n", name, of(after)) }
	if before != nil {
		fmt.Fprintf(w, "%-28s %-22s %s\n", "", "before", "after")
		figures = func(name string, of func(list []Replayed) string) {
			fmt.Fprintf(w, "%-28s %-22s %s\n", name, of(both), of(after))
		}
	}
	figures("right", rightOf)
	for _, role := range slices.Sorted(maps.Keys(roles)) {
		figures("  for "+ask.Visible(role), func(list []Replayed) string {
			return rightOf(slices.DeleteFunc(slices.Clone(list), func(o Replayed) bool { return o.Role != role }))
		})
	}
	figures("model calls, tokens", func(list []Replayed) string {
		calls, tokens := 0, 0
		for _, o := range list {
			calls, tokens = calls+o.Calls, tokens+o.Tokens
		}
		return fmt.Sprintf("%d, %d", calls, tokens)
	})
	figures("cost", func(list []Replayed) string {
		cost := 0.0
		for _, o := range list {
			cost += o.Cost
		}
		return fmt.Sprintf("%.4f", cost)
	})
	figures("median time", func(list []Replayed) string {
		var times []float64
		for _, o := range list {
			times = append(times, o.Elapsed)
		}
		if len(times) == 0 {
			return "-"
		}
		return fmt.Sprintf("%.0f ms", percentile(times, .5))
	})
	var wrong, gained, unknown []Replayed
	for _, o := range after {
		b := known[o.key()]
		switch {
		case o.Unknown != "":
			unknown = append(unknown, o)
		case !o.Right && (before == nil || b != nil && b.Right && b.Unknown == ""):
			wrong = append(wrong, o)
		case o.Right && b != nil && !b.Right && b.Unknown == "":
			gained = append(gained, o)
		}
	}
	title := "Wrong, or without an answer"
	if before != nil {
		title, lost = "Right before, and not any more", len(wrong)
	}
	details(w, title, wrong)
	details(w, "Wrong before, and right now", gained)
	details(w, "Not known", unknown)
	return lost
}

func (o *Replayed) key() [4]string { return [4]string{o.Database, o.Role, o.Question, o.Hint} }

func rightOf(list []Replayed) string {
	right, n := 0, 0
	for _, o := range list {
		if o.Unknown == "" {
			n++
			if o.Right {
				right++
			}
		}
	}
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d (%.0f %%)", right, n, 100*float64(right)/float64(n))
}

func details(w io.Writer, title string, list []Replayed) {
	if len(list) == 0 {
		return
	}
	line := func(name, text string) {
		if text = strings.Join(strings.Fields(ask.Visible(text)), " "); text != "" {
			fmt.Fprintf(w, "    %-10s %s\n", name, text)
		}
	}
	fmt.Fprintf(w, "\n%s: %d\n", title, len(list))
	for _, o := range list {
		fmt.Fprintf(w, "  %s\n", strings.Join(strings.Fields(ask.Visible(o.Question)), " "))
		line("asked by", fmt.Sprintf("%s at %s; its example has answered %d times", o.Role, o.Database, o.Used))
		line("verified", o.SQL)
		if o.Answer != "" {
			line("answer", fmt.Sprintf("%s (%.0f %% sure)", o.Answer, 100*o.Confidence))
		}
		line("", o.Message)
		line("", o.Unknown)
	}
}
