package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/eval"
	"askpg/translator"
)

// evalCommand measures how often answers are right.
func evalCommand(ctx context.Context, s streams, args []string) (err error) {
	fs := flag.NewFlagSet("eval", flag.ContinueOnError)
	path := configFlag(fs)
	o := eval.Options{Progress: s.err, Terminal: isTerminal(s.err)}
	sets := fs.String("set", "", "question sets: `folders`, separated by commas")
	databases := fs.String("db", "", "only questions about these `databases`")
	fs.IntVar(&o.Limit, "limit", 0, "at most so many answerable questions of each set, spread evenly over it; 0 for all")
	fs.IntVar(&o.Refusals, "unanswerable", 0, "at most so many unanswerable questions of each set; 0 for all, below 0 for none")
	fs.IntVar(&o.Offset, "offset", 0, "with --limit and --unanswerable: questions so much further on in each set")
	fs.BoolVar(&o.Again, "again", false, "when going on with an interrupted run, ask anew what failed because a model did not answer or time ran out")
	strategies := fs.String("strategy", "", "`names` of strategies, measured side by side")
	predictions := fs.String("predictions", "", "recorded `systems`, measured alone and as voters; all for every one")
	fs.StringVar(&o.Out, "out", "out", "`folder` for the journal and the report; an interrupted run goes on there")
	fs.StringVar(&o.Server, "server", "", "superuser's `URL` of a running primary; servers of the run's own if empty")
	fs.StringVar(&o.Replica, "replica", "", "with --server: the same `URL` of its standby")
	fs.BoolVar(&o.Warehouse, "warehouse", false, "load all databases as schemas of one, and ask there")
	fs.IntVar(&o.States, "states", 0, "further states of each database, for test-suite accuracy")
	fs.IntVar(&o.Timings, "timings", 0, "runs of each right answer, for R-VES")
	fs.IntVar(&o.Workers, "workers", runtime.GOMAXPROCS(0), "questions at a time")
	fs.DurationVar(&o.Timeout, "timeout", 2*time.Minute, "of a question")
	fs.BoolVar(&o.Keep, "keep", false, "leave the databases on --server")
	replayed := fs.Bool("examples", false, "ask the verified examples of the configured store, on its replica, instead of question sets")
	var f replayFlags
	fs.StringVar(&f.before, "before", "", "with --examples: `file` of an earlier run to compare with (out/examples.jsonl)")
	fs.StringVar(&f.model, "model", "", "with --examples: ask this [[model]] alone, by its `name`")
	fs.IntVar(&f.calls, "calls", 0, "with --examples: begin no question after so many `calls` of models; 0 for any number")
	fs.DurationVar(&f.within, "within", 0, "with --examples: end after this `time`, with what was asked until then; 0 for no bound")
	fs.BoolVar(&f.json, "json", false, "with --examples: print the outcomes as they come, a JSON object a line, and leave no file")
	through := fs.Bool("through-proxy", false, "ask over the wire, through askpg")
	record := fs.String("record", "", "keep the models' answers in this `file`; what it holds already is not asked again")
	replay := fs.String("replay", "", "take the models' answers from this `file`")
	if err := parseAll(fs, s, args); err != nil {
		return err
	}
	o.Sets, o.Databases, o.Strategies, o.Predictions = ask.SplitList(*sets), ask.SplitList(*databases), ask.SplitList(*strategies), ask.SplitList(*predictions)
	switch {
	case f != replayFlags{} && !*replayed:
		return usageError{errors.New("--before, --model, --calls, --within and --json go with --examples")}
	case f.json && f.before != "":
		return usageError{errors.New("--json compares with no earlier run, and takes no --before")}
	case *replayed && len(o.Sets)+len(o.Predictions) > 0, *replayed && (*record != "" || *replay != "" || *through || len(o.Strategies) > 1):
		return usageError{errors.New("--examples takes --db, --limit, --strategy (one), --model, --calls, --within, --out, --before, --json, --workers and --timeout")}
	case !*replayed && len(o.Sets) == 0:
		return usageError{errors.New("--set is needed, or --examples")}
	}
	if len(o.Strategies) == 0 && len(o.Predictions) == 0 && !*replayed {
		o.Strategies = []string{"auto"}
	}
	cfg := defaultConfig()
	if *path != "" {
		if cfg, err = loadConfig(*path); err != nil {
			return err
		}
	}
	if *replayed {
		return replayExamples(ctx, s, cfg, o, f)
	}
	models, err := openModels(nil, cfg.Models, slog.New(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: slog.LevelError})), nil)
	if err != nil {
		return err
	}
	asked := notingPrompts(models)
	if *replay != "" {
		if asked, err = eval.Replay(*replay); err != nil {
			return err
		}
	}
	if *record != "" {
		var recorder *eval.Recorder
		if asked, recorder, err = eval.Record(asked, *record); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, recorder.Close()) }()
	}
	o.Settings = fmt.Sprintf("%+v %+v %v %s", cfg.Translator, cfg.Models, *through, *replay)
	o.Open = func(ctx context.Context, c *eval.Cluster) (ask.Translator, func(), error) {
		return openMeasured(ctx, cfg, asked, c, *through)
	}
	report, err := eval.Run(ctx, o)
	if err != nil {
		return err
	}
	if err := report.WriteText(s.out); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "report: %s\n", filepath.Join(o.Out, "report.html"))
	return nil
}

// openMeasured opens askpg before the servers of a run and returns what is to
// be asked: its translator, or itself over the wire.
func openMeasured(ctx context.Context, cfg Config, models []translator.Model, c *eval.Cluster, through bool) (_ ask.Translator, end func(), err error) {
	url, err := c.ServiceURL()
	if err != nil {
		return nil, nil, err
	}
	primary, err := pgx.ParseConfig(c.Primary)
	if err != nil {
		return nil, nil, err
	}
	remove, err := cfg.storeElsewhere()
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			remove()
		}
	}()
	cfg.Replica.URL = url
	cfg.Replica.AllowPrimary = !c.Standby
	// Over the wire the cache answers the second asking, for the candidates.
	cfg.Cache.Enabled = through
	cfg.Listen.Address, cfg.Admin.Address = "127.0.0.1:0", ""
	cfg.Primary.Address = net.JoinHostPort(primary.Host, strconv.Itoa(int(primary.Port)))
	a, err := openApp(ctx, cfg, models, quiet(), prometheus.NewRegistry())
	if err != nil {
		return nil, nil, err
	}
	if !through {
		return ask.TranslatorFunc(a.answer), func() { _ = a.close(); remove() }, nil
	}
	if err := a.listen(); err != nil {
		return nil, nil, errors.Join(err, a.close())
	}
	serving, stop := context.WithCancel(ctx)
	served := make(chan struct{})
	go func() { _ = a.serve(serving); close(served) }()
	w := eval.NewWire(a.proxy.Addrs()[0].String())
	return w, func() { w.Close(); stop(); <-served; remove() }, nil
}

// isTerminal says whether one of the program's streams is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
