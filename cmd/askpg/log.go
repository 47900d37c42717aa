package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"askpg/ask"
	"askpg/store"
)

// logFlags are the flags of `askpg log` and the arguments of its action.
type logFlags struct {
	config, format, by, note string
	marked, markedSQL        string
	replace                  bool
	erasure                  store.Erasure
	yes                      bool
	spill                    string // of the configuration
	filter                   store.Filter
	args                     []string
}

// logAction is what `askpg log` does with the log: with the store alone, or, where SQL is planned, with all of askpg.
type logAction struct {
	args    int // how many it takes; more are joined if joins is set
	joins   bool
	flags   []string // that it takes besides --config
	store   func(ctx context.Context, s streams, st *store.Store, f *logFlags) error
	planned func(ctx context.Context, s streams, a *app, f *logFlags) error
}

// filterFlags choose translations.
var filterFlags = []string{"db", "user", "code", "text", "since"}

var logActions = map[string]logAction{
	"list": {flags: append([]string{"limit"}, filterFlags...), store: func(ctx context.Context, s streams, st *store.Store, f *logFlags) error {
		page, err := st.List(ctx, f.filter)
		if err != nil {
			return err
		}
		for i := range page.Records {
			listRecord(s.out, &page.Records[i])
		}
		return nil
	}},
	"show": {args: 1, store: func(ctx context.Context, s streams, st *store.Store, f *logFlags) error {
		r, err := st.Get(ctx, f.args[0])
		if err != nil {
			return err
		}
		showRecord(s.out, r)
		return nil
	}},
	"reject": {args: 1, flags: []string{"by", "note"}, store: func(ctx context.Context, _ streams, st *store.Store, f *logFlags) error {
		return st.Reject(ctx, f.args[0], reviewer(f.by), f.note)
	}},
	"examples": {flags: []string{"db"}, store: func(ctx context.Context, s streams, st *store.Store, f *logFlags) error {
		return st.ExportExamples(ctx, s.out, f.filter.Database)
	}},
	"import": {flags: []string{"db", "user", "by", "replace"}, planned: importExamples},
	"export": {flags: append([]string{"format"}, filterFlags...), store: func(ctx context.Context, s streams, st *store.Store, f *logFlags) error {
		return st.Export(ctx, s.out, store.Format(f.format), f.filter)
	}},
	"erase": {flags: []string{"login", "before", "keep-examples", "yes"}, store: erase},
	"suggest": {args: 1, planned: func(ctx context.Context, s streams, a *app, f *logFlags) error {
		return suggest(ctx, a, s.out, f.args[0])
	}},
	"try": {args: 1, flags: []string{"db", "user"}, planned: func(ctx context.Context, s streams, a *app, f *logFlags) error {
		return tryExamples(ctx, a, s.out, f.filter.Database, f.filter.Role, f.args[0])
	}},
	"approve": {args: 1, flags: []string{"by", "note", "question", "sql"}, planned: func(ctx context.Context, s streams, a *app, f *logFlags) error {
		return judge(ctx, a, s.out, judgement{id: f.args[0], question: f.marked, by: reviewer(f.by), note: f.note, sql: f.markedSQL})
	}},
	"correct": {args: 2, joins: true, flags: []string{"by", "note", "question"}, planned: func(ctx context.Context, s streams, a *app, f *logFlags) error {
		return judge(ctx, a, s.out, judgement{id: f.args[0], question: f.marked, by: reviewer(f.by), note: f.note, correction: strings.Join(f.args[1:], " ")})
	}},
}

// logCommand reads and judges the translation log.
func logCommand(ctx context.Context, s streams, args []string) (err error) {
	action, f, err := parseLog(s, args)
	if err != nil {
		return err
	}
	cfg, err := loadConfig(f.config)
	if err != nil {
		return err
	}
	l, err := newLogger(cfg.Log, s.err)
	if err != nil {
		return err
	}
	f.spill, cfg.Store.Spill = cfg.Store.Spill, "" // the serving process has it open
	if action.planned != nil {
		a, err := newApp(ctx, cfg, l)
		if err != nil {
			return err
		}
		return errors.Join(action.planned(ctx, s, a, f), a.close())
	}
	st, err := store.Open(ctx, cfg.Store, l, nil)
	if err != nil {
		return err
	}
	return errors.Join(action.store(ctx, s, st, f), st.Close())
}

// parseLog reads the command line of `askpg log`. Flags may stand before the action and after it.
func parseLog(s streams, args []string) (action logAction, f *logFlags, err error) {
	f = &logFlags{}
	fs := flag.NewFlagSet("log", flag.ContinueOnError)
	path := configFlag(fs)
	fs.StringVar(&f.filter.Database, "db", "", "list, export, examples, import, try: of this `database`")
	fs.StringVar(&f.filter.Role, "user", "", "list, export, try: of this `role`; import: plan as this role what names none")
	fs.StringVar(&f.filter.Code, "code", "", "list, export: with this `SQLSTATE`")
	fs.StringVar(&f.filter.Text, "text", "", "list, export: that hold these `words`")
	fs.IntVar(&f.filter.Limit, "limit", 50, "list: so many, at most "+strconv.Itoa(store.MaxPage))
	fs.StringVar(&f.format, "format", string(store.JSONL), "export: jsonl or csv")
	fs.BoolVar(&f.replace, "replace", false, "import: the file is all there is, other examples are retired")
	fs.StringVar(&f.by, "by", "", "approve, reject, correct, import: your `name`; that of the account if empty")
	fs.StringVar(&f.note, "note", "", "approve, reject, correct: why")
	fs.StringVar(&f.marked, "question", "", "approve, correct: the question with `marks`, as in 'orders in {country:Spain}'")
	fs.StringVar(&f.markedSQL, "sql", "", "approve: the answer's SQL with `marks`, as in … = {country:'Spain'}")
	fs.StringVar(&f.erasure.Login, "login", "", "erase: all of this `login`")
	fs.BoolVar(&f.erasure.KeepExamples, "keep-examples", false, "erase: let the verified examples stay that came from the login's questions, without its name")
	fs.BoolVar(&f.yes, "yes", false, "erase: do not ask back")
	before := fs.String("before", "", "erase: what was asked before this `date` (UTC), such as 2026-01-31")
	since := fs.Duration("since", 0, "list, export: not older than this, such as 24h")
	rest, err := parse(fs, s, args)
	if err != nil {
		return action, nil, err
	}
	name := "list"
	if len(rest) > 0 {
		name = rest[0]
		if rest, err = parse(fs, s, rest[1:]); err != nil {
			return action, nil, err
		}
	}
	if *before != "" {
		if f.erasure.Before, err = time.Parse(time.DateOnly, *before); err != nil {
			return action, nil, usageError{fmt.Errorf("--before %q is no date such as 2026-01-31", *before)}
		}
	}
	if *since > 0 {
		f.filter.Since = time.Now().Add(-*since)
	}
	f.config, f.args = *path, rest
	action, known := logActions[name]
	var unused, empty []string
	fs.Visit(func(given *flag.Flag) {
		if given.Name != "config" && !slices.Contains(action.flags, given.Name) {
			unused = append(unused, "--"+given.Name)
		}
		if given.Value.String() == "" {
			empty = append(empty, "--"+given.Name)
		}
	})
	switch {
	case !known:
		return action, nil, usageError{fmt.Errorf("there is no %q", name)}
	case len(unused) > 0:
		return action, nil, usageError{fmt.Errorf("%s does not take %s", name, strings.Join(unused, ", "))}
	case name == "erase" && len(empty) > 0: // a variable of a script that is not set must not mean everybody
		return action, nil, usageError{fmt.Errorf("%s is empty", strings.Join(empty, ", "))}
	case *since < 0:
		return action, nil, usageError{fmt.Errorf("--since is %s: it must not be negative", *since)}
	case f.filter.Limit < 1 || f.filter.Limit > store.MaxPage:
		return action, nil, usageError{fmt.Errorf("--limit is %d: it must be between 1 and %d", f.filter.Limit, store.MaxPage)}
	case len(rest) < action.args || len(rest) > action.args && !action.joins:
		return action, nil, usageError{fmt.Errorf("%s takes %d arguments, not %d", name, action.args, len(rest))}
	}
	return action, f, nil
}

func listRecord(w io.Writer, r *store.Record) {
	fmt.Fprintf(w, "%s  %s  %-9s  %-10s %-12s  %s\n", r.ID, r.Asked.Local().Format("2006-01-02 15:04:05"),
		cmp.Or(r.Code, fmt.Sprintf("%.2f", r.Confidence)), oneLine(r.Role, 10), oneLine(r.Database, 12), oneLine(r.Question, 100))
}

func showRecord(w io.Writer, r *store.Record) {
	line := func(name, format string, args ...any) {
		if text := strings.TrimSpace(fmt.Sprintf(format, args...)); text != "" {
			// What a value holds must not pass for a line of its own.
			fmt.Fprintf(w, "%-12s %s\n", name, strings.ReplaceAll(ask.Visible(text), "\n", "\n"+strings.Repeat(" ", 13)))
		}
	}
	line("id", "%s", r.ID)
	line("asked", "%s by %s (login %s) at %s, from %s %s", r.Asked.Local().Format(time.DateTime), r.Role, r.Login, r.Database, r.Client, r.Application)
	line("question", "%s", r.Question)
	line("hint", "%s", r.Hint)
	line("outcome", "%s %s", r.Outcome, r.Code)
	line("message", "%s", r.Message)
	line("detail", "%s", r.Detail)
	line("cause", "%s", r.Cause)
	line("answered by", "%s, %s, confidence %.2f, in %.0f ms", r.Strategy, r.Source, r.Confidence, r.Elapsed)
	line("understood", "%s", r.Understood)
	for _, l := range r.Linked {
		line("linked", "%q %s %s (%s)", l.Words, l.Object, l.Value, l.Why)
	}
	for _, d := range r.Demos {
		line("demonstration", "%s", d)
	}
	line("models", "%d calls, %d + %d tokens, cost %.4f", r.Calls, r.PromptTokens, r.CompletionTokens, r.Cost)
	for _, s := range r.Spending {
		line("", "%s: %d calls, %d + %d tokens, cost %.4f", s.Model, s.Calls, s.PromptTokens, s.CompletionTokens, s.Cost)
	}
	for _, st := range r.Stages {
		line("stage", "%s %.1f ms", st.Name, st.Elapsed)
	}
	line("replica", "%s, %.0f ms behind", r.Replica, r.ReplicaLag)
	for _, n := range r.Notices {
		line("notice", "%s", n)
	}
	for _, c := range r.Candidates {
		line("candidate", "%d. %s, by %s/%s sample %d repair %d, votes %d, rows %d\n%s", c.Position+1, c.Fate, c.Model, c.Prompt, c.Sample, c.Repair, c.Votes, c.Rows, c.SQL)
		line("", "%s %s %s", c.Code, c.Message, c.Detail)
	}
	line("review", "%s", r.Review)
	line("sql", "%s", r.SQL)
}

func oneLine(s string, width int) string {
	s = strings.Join(strings.Fields(ask.Visible(s)), " ")
	if r := []rune(s); len(r) > width {
		return string(r[:width-1]) + "…"
	}
	return s
}
