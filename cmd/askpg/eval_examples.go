package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/eval"
	"askpg/store"
	"askpg/translator"
	"askpg/translator/llm"
)

// examplesFile is what a replay leaves in its folder.
const examplesFile = "examples.jsonl"

// replayFlags are the flags of `askpg eval` that go with --examples alone.
type replayFlags struct {
	before, model string
	calls         int
	within        time.Duration
	json          bool
}

// otherExamples are demonstrations but for the question itself, whose answer is not to be copied.
type otherExamples struct{ examples }

// Similar returns the examples that are like a question and have another one.
func (e otherExamples) Similar(ctx context.Context, q *ask.Question, k int) ([]translator.Example, error) {
	list, err := e.examples.Similar(ctx, q, k+1)
	var out []translator.Example
	for _, x := range list {
		if len(out) < k && ask.Normalise(x.Question) != ask.Normalise(q.Text) {
			out = append(out, x)
		}
	}
	return out, err
}

// replayExamples asks the verified examples of the configured store with the configuration at hand, on its replica. It leaves the
// outcomes in the folder of the run, and compares them with those of an earlier run. It writes nothing to the log and books
// nothing on the budgets.
func replayExamples(ctx context.Context, s streams, cfg Config, o eval.Options, f replayFlags) (err error) {
	earlier, err := earlierRun(f.before)
	if err != nil {
		return err
	}
	if !f.json {
		if err := os.MkdirAll(o.Out, 0o755); err != nil {
			return err
		}
	}
	if f.model != "" {
		if cfg.Models, err = alone(cfg.Models, f.model); err != nil {
			return err
		}
	}
	log, err := newLogger(LogConfig{Level: "error", Format: "text"}, s.err)
	if err != nil {
		return err
	}
	cfg.Store.Spill, cfg.Store.CheckExamples = "", 0 // the serving process has the one, and does the other
	a, err := newApp(ctx, cfg, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	list, err := verifiedExamples(ctx, a, o.Databases)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return errors.New("there is no verified example to replay")
	}
	if o.Limit > 0 {
		list = list[:min(o.Limit, len(list))]
	}
	cfg.Translator.Privacy = cfg.Privacy
	core := translator.New(cfg.Translator, a.catalog, executor{a.replica}, notingPrompts(a.current.Load().models), log, prometheus.NewRegistry(), translator.WithExamples(otherExamples{examples{a}}))
	r := eval.Replayer{
		Ask: a.bounded(core), Workers: max(o.Workers, 1), Timeout: o.Timeout, Calls: f.calls, Progress: o.Progress, Terminal: o.Terminal,
		Rows: func(ctx context.Context, s ask.Session, sql string) (*ask.Result, error) {
			_, res, _, err := a.execute(a.replica.Question(ctx), s, sql, true)
			return res, err
		},
	}
	if len(o.Strategies) == 1 {
		r.Strategy = o.Strategies[0]
	}
	if f.json {
		r.Progress, r.Each = nil, func(o eval.Replayed) error { return eval.WriteReplayed(s.out, []eval.Replayed{o}) }
	}
	asking := ctx
	if f.within > 0 {
		var cancel context.CancelFunc
		asking, cancel = context.WithTimeout(ctx, f.within)
		defer cancel()
	}
	done, err := r.Replay(asking, list)
	if err != nil && (ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded)) {
		return err
	}
	if n := len(list) - len(done); n > 0 {
		fmt.Fprintf(s.err, "not asked, as the calls or the time were used up: %d\n", n)
	}
	if f.json {
		return nil
	}
	return reportExamples(s.out, o.Out, earlier, done)
}

// earlierRun reads the outcomes of an earlier run, if one is named.
func earlierRun(path string) ([]eval.Replayed, error) {
	if path == "" {
		return nil, nil
	}
	list, err := eval.ReadReplayed(path)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s holds no earlier run", path)
	}
	return list, err
}

// verifiedExamples returns the verified examples of databases, by default of all, that say as whom they are asked.
func verifiedExamples(ctx context.Context, a *app, databases []string) ([]eval.Example, error) {
	var list []eval.Example
	if len(databases) == 0 {
		databases = []string{""}
	}
	for _, database := range databases {
		verified, err := a.store.Examples(ctx, database, store.Verified)
		if err != nil {
			return nil, err
		}
		for _, e := range verified {
			if e.Role == "" {
				continue // nobody knows as whom to ask it
			}
			settings := e.Settings
			if settings == nil {
				settings = shellSession(e.Database, e.Role).Settings
			}
			list = append(list, eval.Example{Database: e.Database, Role: e.Role, Question: e.Question, Hint: e.Hint, SQL: e.SQL, Used: e.Used, Settings: settings})
		}
	}
	return list, nil
}

// reportExamples leaves the outcomes in a folder, and tells how they differ from those of an earlier run.
func reportExamples(out io.Writer, folder string, earlier, done []eval.Replayed) error {
	path := filepath.Join(folder, examplesFile)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600) // it holds what people asked
	if err != nil {
		return err
	}
	if err := errors.Join(eval.WriteReplayed(file, done), file.Close()); err != nil {
		return err
	}
	lost := eval.ReportReplayed(out, earlier, done)
	fmt.Fprintf(out, "\noutcomes: %s\n", path)
	if lost > 0 {
		return fmt.Errorf("answers that were right and are not any more: %d", lost)
	}
	return nil
}

// alone returns the model of a name, and of the others what makes vectors for the catalog.
func alone(models []llm.Config, name string) ([]llm.Config, error) {
	if !slices.ContainsFunc(models, func(m llm.Config) bool { return m.Name == name }) {
		return nil, fmt.Errorf("no [[model]] is named %q", name)
	}
	var list []llm.Config
	for _, m := range models {
		if m.Name != name {
			if !slices.Contains(m.Roles, llm.RoleEmbed) {
				continue
			}
			m.Roles = []string{llm.RoleEmbed}
		}
		list = append(list, m)
	}
	return list, nil
}
