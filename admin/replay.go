package admin

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"askpg/store"
)

// Replays asks verified examples anew, in a process of its own, as if nobody had verified them.
type Replays interface {
	// Choices returns the models and strategies of the configuration file as it is now, and how many calls of models a
	// question may make.
	Choices() (models, strategies []string, maxCalls int, err error)
	// Run asks, and calls each with what came of an example as it comes, one at a time.
	Run(ctx context.Context, o ReplayOptions, each func(Replayed)) error
}

// ReplayOptions say what is replayed.
type ReplayOptions struct {
	Model    string // alone; empty for those of the configuration
	Strategy string // empty for that of the configuration
	Calls    int    // of models, after which no question begins
	Limit    int    // examples
	Within   time.Duration
}

// Replayed is what came of an example.
type Replayed struct {
	Database, Role, Question, Hint string
	Verified                       string // SQL
	Used                           int64  // how often the example has answered
	Answer                         string // SQL; empty if there is none
	Confidence                     float64
	Message                        string // why there is no answer
	Right                          bool   // the answer's rows are those of the verified SQL
	Unknown                        string // why that is not known
	Calls                          int
	Cost, Elapsed                  float64 // money; milliseconds
}

// Difference returns how the answer differs from the verified SQL.
func (o Replayed) Difference() []change {
	if o.Answer == "" || sameStatement(o.Verified, o.Answer) {
		return nil
	}
	return differences(o.Verified, o.Answer)
}

// Bounds of a replay.
const (
	replayWithin   = 30 * time.Minute
	maxReplayed    = 1000
	maxReplayCalls = 10_000
	callsAnExample = 8 // what the form suggests for each
)

// replay is the replay that runs, or the last one. There is one at a time.
type replay struct {
	mu       sync.Mutex
	closed   bool
	running  sync.WaitGroup
	cancel   context.CancelFunc // nil if none runs
	options  ReplayOptions
	by       string
	started  time.Time
	elapsed  time.Duration
	total    int
	outcomes []Replayed
	problem  string
}

// start begins a replay, unless one runs.
func (j *replay) start(s *Server, by string, total int, o ReplayOptions) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed || j.cancel != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), o.Within+time.Minute)
	j.cancel, j.options, j.by, j.started, j.total, j.outcomes, j.problem = cancel, o, by, time.Now(), total, nil, ""
	j.running.Go(func() {
		err := s.Replays.Run(ctx, o, func(r Replayed) {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.outcomes = append(j.outcomes, r)
		})
		j.mu.Lock()
		defer j.mu.Unlock()
		switch {
		case ctx.Err() == context.Canceled:
			j.problem = "It was stopped."
		case err != nil:
			j.problem = "It broke off: " + err.Error()
		}
		cancel()
		j.cancel, j.elapsed = nil, time.Since(j.started)
		s.log.Info("the verified examples were replayed", "by", by, "model", o.Model, "strategy", o.Strategy, "examples", len(j.outcomes), "elapsed", j.elapsed, "problem", j.problem)
	})
	return true
}

// stop ends the replay that runs.
func (j *replay) stop() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.cancel != nil {
		j.cancel()
	}
}

// close ends the replay that runs and lets none begin.
func (j *replay) close() {
	j.mu.Lock()
	j.closed = true
	j.mu.Unlock()
	j.stop()
	j.running.Wait()
}

// replayPage is the page of the replay.
type replayPage struct {
	Models, Strategies []string
	MaxCalls           int // of a question
	Examples           int // that can be replayed
	Options            ReplayOptions
	Problem            string

	// The replay that runs, or the last one; By is empty if there is none.
	Running              bool
	By, Broken           string
	Started              time.Time
	Elapsed              float64 // milliseconds
	Asked, NotAsked      int     // examples
	Calls                int
	Cost                 float64
	For                  []replayedFor
	Differs, None, Right []Replayed
	Unknown              []Replayed
}

// replayedFor sums up what came of the examples of a role at a database.
type replayedFor struct {
	Database, Role                         string
	Examples, Same, Differs, None, Unknown int
}

// replayable returns how many examples can be replayed: those of which it is known who asked.
func (s *Server) replayable(ctx context.Context) (int, error) {
	list, err := s.store.Examples(ctx, "", store.Verified)
	return len(slices.DeleteFunc(list, func(e store.Example) bool { return e.Role == "" })), err
}

// ifReplayed answers where nothing replays the examples, as in the demo.
func (s *Server) ifReplayed(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if s.Replays == nil {
			s.render(w, r, http.StatusNotFound, "problem", "Not found", "The examples are replayed by askpg serve alone, with a configuration file.")
			return
		}
		next(w, r)
	}
}

func (s *Server) showReplay(w http.ResponseWriter, r *http.Request) {
	s.renderReplay(w, r, http.StatusOK, "")
}

func (s *Server) renderReplay(w http.ResponseWriter, r *http.Request, status int, problem string) {
	p := replayPage{Problem: problem}
	var err error
	if p.Examples, err = s.replayable(r.Context()); err != nil {
		s.problem(w, r, err)
		return
	}
	if p.Models, p.Strategies, p.MaxCalls, err = s.Replays.Choices(); err != nil {
		p.Problem = "The configuration file cannot be used: " + err.Error()
	}
	p.fill(&s.replay)
	if p.Options.Calls == 0 {
		p.Options.Calls = max(1, min(callsAnExample*min(p.Examples, maxReplayed), maxReplayCalls))
	}
	s.render(w, r, status, "replay", "Replay", p)
}

// fill puts what came of the replay into the page.
func (p *replayPage) fill(j *replay) {
	j.mu.Lock()
	defer j.mu.Unlock()
	p.Options, p.By, p.Broken, p.Started, p.Running = j.options, j.by, j.problem, j.started, j.cancel != nil
	p.Asked, p.NotAsked = len(j.outcomes), max(0, j.total-len(j.outcomes))
	elapsed := j.elapsed
	if p.Running {
		elapsed = time.Since(j.started)
	}
	p.Elapsed = float64(elapsed.Milliseconds())
	for _, o := range j.outcomes {
		at := slices.IndexFunc(p.For, func(f replayedFor) bool { return f.Database == o.Database && f.Role == o.Role })
		if at < 0 {
			at = len(p.For)
			p.For = append(p.For, replayedFor{Database: o.Database, Role: o.Role})
		}
		f := &p.For[at]
		f.Examples++
		p.Calls, p.Cost = p.Calls+o.Calls, p.Cost+o.Cost
		switch {
		case o.Unknown != "":
			f.Unknown++
			p.Unknown = append(p.Unknown, o)
		case o.Right:
			f.Same++
			p.Right = append(p.Right, o)
		case o.Answer == "":
			f.None++
			p.None = append(p.None, o)
		default:
			f.Differs++
			p.Differs = append(p.Differs, o)
		}
	}
	slices.SortFunc(p.For, func(a, b replayedFor) int {
		return cmp.Or(cmp.Compare(a.Database, b.Database), cmp.Compare(a.Role, b.Role))
	})
	for _, list := range [][]Replayed{p.Differs, p.None, p.Unknown, p.Right} { // what would be noticed most first
		slices.SortStableFunc(list, func(a, b Replayed) int { return cmp.Compare(b.Used, a.Used) })
	}
}

// judgeReplay starts a replay or stops the one that runs.
func (s *Server) judgeReplay(w http.ResponseWriter, r *http.Request) {
	if r.PostFormValue("do") == "stop" {
		s.replay.stop()
		http.Redirect(w, r, "/replay", http.StatusSeeOther)
		return
	}
	models, strategies, _, err := s.Replays.Choices()
	o := ReplayOptions{Model: r.PostFormValue("model"), Strategy: r.PostFormValue("strategy"), Limit: maxReplayed, Within: replayWithin}
	calls, numberErr := strconv.Atoi(r.PostFormValue("calls"))
	o.Calls = calls
	examples, storeErr := s.replayable(r.Context())
	problem := ""
	switch {
	case storeErr != nil:
		s.problem(w, r, storeErr)
		return
	case err != nil: // the page says so
	case examples == 0:
		problem = "There is no verified example to replay."
	case o.Model != "" && !slices.Contains(models, o.Model), o.Strategy != "" && !slices.Contains(strategies, o.Strategy):
		problem = "There is no such model or strategy in the configuration file."
	case numberErr != nil || calls < 1 || calls > maxReplayCalls:
		problem = fmt.Sprintf("The calls of models must be a number from 1 to %d.", maxReplayCalls)
	case !s.replay.start(s, sender(r).name, min(examples, maxReplayed), o):
		problem = "A replay is running. There is one at a time."
	default:
		s.log.InfoContext(r.Context(), "a replay of the verified examples begins", "by", sender(r).name, "how", sender(r).how, "client", r.RemoteAddr, "model", o.Model, "strategy", o.Strategy, "calls", calls)
		http.Redirect(w, r, "/replay", http.StatusSeeOther)
		return
	}
	s.renderReplay(w, r, http.StatusUnprocessableEntity, problem)
}
