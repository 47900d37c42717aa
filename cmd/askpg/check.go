package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"time"

	"askpg/ask"
	"askpg/replica"
	"askpg/store"
	"askpg/translator/llm"
)

// check validates settings, servers, roles, replica and models, prints what it
// found and what to do, and fails if anything is wrong.
func check(ctx context.Context, s streams, args []string) error {
	fs := flag.NewFlagSet("check", flag.ContinueOnError)
	path := configFlag(fs)
	db := fs.String("db", "postgres", "`database` to look at")
	if rest, err := parse(fs, s, args); err != nil {
		return err
	} else if len(rest) > 0 {
		return usageError{fmt.Errorf("unexpected %q", rest[0])}
	}
	r := report{w: s.out}
	cfg, err := loadConfig(*path)
	r.add("settings", err, "")
	if err != nil {
		return r.failed()
	}
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	a, err := newApp(ctx, cfg, quiet)
	if err != nil {
		r.add("start", err, "")
		return r.failed()
	}
	defer func() { _ = a.close() }()
	r.add("store "+store.Redacted(cfg.Store.URL), nil, "")

	reach, cancel := context.WithTimeout(ctx, cfg.Primary.ConnectTimeout.Duration())
	defer cancel()
	r.add("primary "+cfg.Primary.Address, a.proxy.Ready(reach), "start the server, or correct primary.address")

	for _, f := range a.replica.Audit(ctx, *db) {
		r.finding(f)
	}
	if len(a.models) == 0 {
		r.note("no [[model]] is configured: the built-in grammar answers")
	}
	for _, m := range a.models {
		r.add("model "+m.Name(), checkModel(ctx, m), "correct base_url, model and key of this [[model]]")
	}
	return r.failed()
}

// checkModel asks for one word.
func checkModel(ctx context.Context, m *llm.Client) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	_, err := m.Complete(ctx, llm.Request{Messages: []llm.Message{{Role: "user", Content: "Answer with the single word: ready"}}, N: 1})
	return err
}

// report prints findings as they come.
type report struct {
	w   io.Writer
	bad int
}

func (r *report) add(what string, err error, fix string) {
	if err == nil {
		fmt.Fprintf(r.w, "ok    %s\n", what)
		return
	}
	r.bad++
	fmt.Fprintf(r.w, "FAIL  %s: %v\n", what, err)
	if e := ask.AsError(err); e != nil && e.Hint != "" {
		fix = e.Hint
	}
	if fix != "" {
		fmt.Fprintf(r.w, "      %s\n", fix)
	}
}

func (r *report) finding(f replica.Finding) {
	if f.OK {
		r.add(f.What, nil, "")
		return
	}
	r.add(f.What, errors.New(f.Problem), f.Fix)
}

func (r *report) note(text string) { fmt.Fprintf(r.w, "note  %s\n", text) }

func (r *report) failed() error {
	if r.bad == 0 {
		return nil
	}
	return fmt.Errorf("%d problems", r.bad)
}
