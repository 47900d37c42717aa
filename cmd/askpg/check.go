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

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/catalog"
	"askpg/proxy"
	"askpg/replica"
	"askpg/translator/grammar"
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
	if err := parseAll(fs, s, args); err != nil {
		return err
	}
	cfg, err := loadConfig(*path)
	switch {
	case (*sql != "" || *question != "") && *user == "":
		return usageError{errors.New("--sql and --question need --user, whose rights apply")}
	case err != nil && (*setup || *sql != "" || *question != ""):
		return err
	case *setup: // what is printed goes to psql
		text, err := cfg.Replica.Setup(ask.SplitList(*user))
		fmt.Fprint(s.out, text)
		return err
	case *question != "":
		return showPrompts(ctx, s.out, cfg, cmp.Or(*db, "postgres"), *user, *question)
	case *sql != "":
		return judgeStatement(ctx, s.out, &cfg, shellSession(cmp.Or(*db, "postgres"), *user), *sql)
	}
	r := report{w: s.out}
	for _, e := range joined(err) {
		r.add("settings", e, "")
	}
	if errors.As(err, new(unreadable)) {
		return r.failed()
	}
	if err == nil {
		r.add("settings", nil, "")
	}
	r.ports(&cfg, r.running(ctx, &cfg))
	r.add("stack of the parser", ask.CheckStack(), "run askpg on Linux with glibc, where it sets the size itself; longer statements are refused here")
	r.places(ctx, &cfg.Store)
	r.servers(ctx, &cfg, *db, *user)
	r.models(ctx, &cfg)
	if r.bad == 0 {
		r.start(ctx, cfg)
	}
	return r.failed()
}

// joined returns the errors that errors.Join has put together, one if it has not.
func joined(err error) []error {
	if list, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, e := range list.Unwrap() {
			all = append(all, joined(e)...)
		}
		return all
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// judgeStatement says how the guard judges a statement.
func judgeStatement(ctx context.Context, w io.Writer, cfg *Config, s ask.Session, sql string) error {
	rep, err := replica.New(cfg.Replica, quiet(), prometheus.NewRegistry())
	if err != nil {
		return err
	}
	defer rep.Close()
	v, err := rep.Explain(ctx, s, sql)
	if err != nil {
		return readable(err)
	}
	return printVerdict(w, v)
}

// servers looks at the primary, the replicas and, for a role, at a database.
func (r *report) servers(ctx context.Context, cfg *Config, db, user string) {
	reachCtx, cancel := context.WithTimeout(ctx, cfg.Primary.ConnectTimeout.Duration())
	defer cancel()
	rep, repErr := replica.New(cfg.Replica, quiet(), prometheus.NewRegistry())
	r.invalid("replica", repErr)
	front, err := proxy.New(cfg.Config, nil, streamer{rep}, quiet(), prometheus.NewRegistry())
	if r.invalid("start", err); err == nil {
		defer front.Close()
		r.add("primary "+cfg.Primary.Address, front.Ready(reachCtx), "start the server, or correct primary.address")
		if cfg.Auth.Method == "scram" {
			r.add("auth: secrets of users", front.CheckAuth(reachCtx), "correct auth.query_url and auth.query; docs/wire.md has a function that the login may call")
		}
	}
	if repErr != nil {
		return
	}
	defer rep.Close()
	if err == nil {
		for _, f := range rep.ComparePrimary(reachCtx, cfg.Primary.Address, front.DialPrimary) {
			r.finding(f)
		}
	}
	for _, f := range rep.Audit(ctx, db) {
		r.finding(f)
	}
	file := cfg.Catalog.Semantics
	if cfg.Catalog.Validate() != nil {
		file = "" // why it is not used is said
	}
	if user != "" {
		seen := catalog.New(cfg.Catalog, rep, quiet(), prometheus.NewRegistry())
		defer seen.Close()
		seen.Admit(admitted(&cfg.Replica))
		r.catalog(ctx, seen, file, cmp.Or(db, "postgres"), user)
	} else if file != "" {
		r.note("semantics " + file + ": --db and --user say whether it fits a database")
	}
}

// models asks each model, and says which has no key.
func (r *report) models(ctx context.Context, cfg *Config) {
	if len(cfg.Models) == 0 {
		r.note("no [[model]] is configured: the built-in engine answers")
	}
	for _, c := range cfg.Models {
		m, err := llm.New(c, quiet(), prometheus.NewRegistry())
		if err != nil {
			if !r.said[err.Error()] {
				r.add("model "+c.Name, err, "put the key into askpg's environment or into the file, or correct this [[model]]")
			}
			continue
		}
		r.add("model "+m.Name(), checkModel(ctx, m), "correct base_url, model and key of this [[model]]")
		m.Close(true)
	}
}

// start puts askpg together as serve does, without listening.
func (r *report) start(ctx context.Context, cfg Config) {
	remove, err := cfg.storeElsewhere()
	if err == nil {
		var a *app
		if a, err = newApp(ctx, cfg, quiet()); err == nil {
			_, err = a.admin.Prepare(cfg.Admin) // which reads the files of tokens and certificates
			err = errors.Join(err, a.close())
		}
		remove()
	}
	r.add("start", err, "")
}

// running says which settings of the file are not in force at the askpg that runs with it, and whether there is one.
func (r *report) running(ctx context.Context, cfg *Config) bool {
	if cfg.Admin.Address == "" {
		return false
	}
	token, err := cfg.Admin.Token()
	status, body := 0, ""
	if err == nil {
		status, body, err = askRunning(ctx, cfg, "/settings", token)
	}
	if err == nil && (status == http.StatusUnauthorized || status == http.StatusForbidden) {
		r.note(fmt.Sprintf("the settings are not compared with those of the running askpg at %s: it does not take the token of the file", cfg.Admin.Address))
		return true
	}
	if err != nil || status != http.StatusOK {
		r.note(fmt.Sprintf("the settings are not compared with those of a running askpg: none answers for them at %s", cfg.Admin.Address))
		return err == nil
	}
	for line := range strings.SplitSeq(body, "\n") {
		if setting, ok := strings.CutPrefix(line, "restart "); ok {
			r.note("not in force at the running askpg: " + setting + ", which needs a restart")
		} else if setting, ok := strings.CutPrefix(line, "reload "); ok {
			r.note("not in force at the running askpg: " + setting + ", which the next reload (SIGHUP) takes over")
		}
	}
	return true
}

// maxOmitted bounds the columns named that the value index leaves out.
const maxOmitted = 100

// catalog says what the role may see of the database. It says what of the semantics file does not fit it, and what the
// value index left out.
func (r *report) catalog(ctx context.Context, c *catalog.Catalog, file, db, role string) {
	what := fmt.Sprintf("catalog of %s as %s", db, role)
	snap, err := c.Snapshot(ctx, db, role)
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
	problems, err := c.Problems(ctx, db, role)
	if err != nil {
		r.add("semantics", err, "")
		return
	}
	for _, p := range problems {
		r.add("semantics", errors.New(p), "correct the file or the comment")
	}
	if len(problems) == 0 && file != "" {
		r.add(fmt.Sprintf("semantics %s: all of it fits %s as %s (measures: %d, terms: %d, queries: %d)", file, db, role, len(snap.Measures), len(snap.Terms), len(snap.Queries)), nil, "")
	}
	for _, text := range grammar.Multiplied(snap) {
		r.note("semantics: " + text)
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
