package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"askpg/ask"
	"askpg/replica"
	"askpg/replica/guard"
	"askpg/store"
	"askpg/translator/llm"
)

// check validates settings, servers, roles, replica and models, prints what it
// found and what to do, and fails if anything is wrong.
func check(ctx context.Context, s streams, args []string) error {
	fs := flag.NewFlagSet("check", flag.ContinueOnError)
	path := configFlag(fs)
	db := fs.String("db", "", "`database` to look at; without it the owners of all are looked at, and --user, --sql and --question mean postgres")
	user := fs.String("user", "", "`role` for --sql and --question; the roles of --print-setup, separated by commas")
	sql := fs.String("sql", "", "say how the guard judges this `statement`, and why")
	question := fs.String("question", "", "print what would leave for a model for this `question`")
	setup := fs.Bool("print-setup", false, "print the SQL that makes the service login right")
	if rest, err := parse(fs, s, args); err != nil {
		return err
	} else if len(rest) > 0 {
		return usageError{fmt.Errorf("unexpected %q", rest[0])}
	}
	r := report{w: s.out}
	cfg, err := loadConfig(*path)
	if err != nil && *setup {
		return err // what is printed goes to psql
	}
	if err != nil {
		r.add("settings", err, "")
		return r.failed()
	}
	if *setup {
		text, err := cfg.Replica.Setup(list(*user))
		fmt.Fprint(s.out, text)
		return err
	}
	if *question != "" {
		if *user == "" {
			return usageError{errors.New("--question needs --user, whose rights apply")}
		}
		return showPrompts(ctx, s.out, cfg, cmp.Or(*db, "postgres"), *user, *question)
	}
	cfg.Store.Spill = "" // the serving process has it open
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	a, err := newApp(ctx, cfg, quiet)
	if err != nil {
		r.add("start", err, "")
		return r.failed()
	}
	defer func() { _ = a.close() }()
	if *sql != "" {
		if *user == "" {
			return usageError{errors.New("--sql needs --user, whose rights apply")}
		}
		v, err := a.replica.Explain(ctx, shellSession(cmp.Or(*db, "postgres"), *user), *sql)
		if err != nil {
			return readable(err)
		}
		return printVerdict(s.out, v)
	}
	r.add("settings", nil, "")
	r.running(ctx, &cfg)
	r.add("stack of the parser", ask.CheckStack(), "run askpg on Linux with glibc, where it sets the size itself; longer statements are refused here")
	r.add("store "+store.Redacted(cfg.Store.URL), nil, "")

	reachCtx, cancel := context.WithTimeout(ctx, cfg.Primary.ConnectTimeout.Duration())
	defer cancel()
	r.add("primary "+cfg.Primary.Address, a.proxy.Ready(reachCtx), "start the server, or correct primary.address")

	if cfg.Auth.Method == "scram" {
		r.add("auth: secrets of users", a.proxy.CheckAuth(reachCtx), "correct auth.query_url and auth.query; docs/wire.md has a function that the login may call")
	}
	for _, f := range a.replica.ComparePrimary(reachCtx, cfg.Primary.Address, a.proxy.DialPrimary) {
		r.finding(f)
	}
	for _, f := range a.replica.Audit(ctx, *db) {
		r.finding(f)
	}
	*db = cmp.Or(*db, "postgres")
	if *user != "" {
		r.catalog(ctx, a, *db, *user)
	}
	if len(a.current.Load().models) == 0 {
		r.note("no [[model]] is configured: the built-in grammar answers")
	}
	for _, m := range a.current.Load().models {
		r.add("model "+m.Name(), checkModel(ctx, m), "correct base_url, model and key of this [[model]]")
	}
	return r.failed()
}

// running says which settings of the file are not in force at the askpg that runs with it.
func (r *report) running(ctx context.Context, cfg *Config) {
	if cfg.Admin.Address == "" {
		return
	}
	token, err := cfg.Admin.Token()
	status, body := 0, ""
	if err == nil {
		status, body, err = askRunning(ctx, cfg, "/settings", token)
	}
	if err == nil && (status == http.StatusUnauthorized || status == http.StatusForbidden) {
		r.note(fmt.Sprintf("the settings are not compared with those of the running askpg at %s: it does not take the token of the file", cfg.Admin.Address))
		return
	}
	if err != nil || status != http.StatusOK {
		r.note(fmt.Sprintf("the settings are not compared with those of a running askpg: none answers for them at %s", cfg.Admin.Address))
		return
	}
	for _, line := range strings.Split(body, "\n") {
		if setting, ok := strings.CutPrefix(line, "restart "); ok {
			r.note("not in force at the running askpg: " + setting + ", which needs a restart")
		} else if setting, ok := strings.CutPrefix(line, "reload "); ok {
			r.note("not in force at the running askpg: " + setting + ", which the next reload (SIGHUP) takes over")
		}
	}
}

// maxOmitted bounds the columns named that the value index leaves out.
const maxOmitted = 100

// catalog says what the role may see of the database, what of the semantics
// file does not fit it, and what the value index left out.
func (r *report) catalog(ctx context.Context, a *app, db, role string) {
	what := fmt.Sprintf("catalog of %s as %s", db, role)
	snap, err := a.catalog.Snapshot(ctx, db, role)
	if err != nil {
		r.add(what, err, "")
		return
	}
	columns, private := 0, 0
	for _, rel := range snap.Relations {
		columns += len(rel.Columns)
		for _, c := range rel.Columns {
			if c.Private {
				private++
			}
		}
	}
	r.add(fmt.Sprintf("%s: %d relations, %d columns (%d private), %d foreign keys; %d relations may not be read",
		what, len(snap.Relations), columns, private, len(snap.ForeignKeys), len(snap.Denied)), nil, "")
	for _, p := range snap.Problems {
		r.add("semantics", errors.New(p.String()), "correct the file or the comment")
	}
	for i, o := range snap.Values.Omitted() {
		if i == maxOmitted {
			r.note(fmt.Sprintf("and %d more columns", len(snap.Values.Omitted())-maxOmitted))
			break
		}
		r.note(fmt.Sprintf("the value index leaves out %s.%s.%s: %s", o.Column.Relation.Schema, o.Column.Relation.Name.Name, o.Column.Name, o.Why))
	}
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
	if f.Note {
		r.note(f.What)
		return
	}
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
	if r.bad == 1 {
		return errors.New("1 problem")
	}
	return fmt.Errorf("%d problems", r.bad)
}

func printVerdict(w io.Writer, v guard.Verdict) error {
	for _, u := range v.Uses {
		fmt.Fprintf(w, "uses     %s: %s\n", u.What, u.Why)
	}
	for _, p := range v.Unsure {
		fmt.Fprintf(w, "unsure   %s: %s\n", p.What, p.Why)
	}
	for _, p := range v.Problems {
		fmt.Fprintf(w, "refused  %s: %s\n", p.What, p.Why)
	}
	if !v.Allowed() {
		return errors.New("the guard refuses this statement")
	}
	fmt.Fprintln(w, "allowed by the guard; the role's rights, the plan and the limits are looked at when it runs")
	return nil
}
