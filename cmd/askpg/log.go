package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"askpg/store"
)

// logFlags are the flags of `askpg log` and the arguments of its action.
type logFlags struct {
	config, format, by, note string
	marked, markedSQL        string
	replace, json            bool
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
var filterFlags = []string{"db", "user", "outcome", "code", "text", "since"}

var logActions = map[string]logAction{
	"list": {flags: append([]string{"limit", "json"}, filterFlags...), store: func(ctx context.Context, s streams, st *store.Store, f *logFlags) error {
		page, err := st.List(ctx, f.filter)
		if err != nil {
			return err
		}
		return printList(s.out, page.Records, f.json)
	}},
	"verdicts": {flags: []string{"limit", "json", "db", "user", "since"}, store: func(ctx context.Context, s streams, st *store.Store, f *logFlags) error {
		list, err := st.Verdicts(ctx, f.filter)
		if err != nil {
			return err
		}
		return printVerdicts(s.out, list, f.json)
	}},
	"show": {args: 1, flags: []string{"json"}, store: func(ctx context.Context, s streams, st *store.Store, f *logFlags) error {
		r, err := st.Get(ctx, f.args[0])
		if err != nil {
			return err
		}
		if f.json {
			return printJSON(s.out, []*store.Record{r}, func(r **store.Record) any { return (*r).Exported() })
		}
		printRecord(s.out, r)
		return nil
	}},
	"reject": {args: 1, flags: []string{"by", "note"}, store: func(ctx context.Context, _ streams, st *store.Store, f *logFlags) error {
		return st.Reject(ctx, f.args[0], onCommandLine(f.by), f.note)
	}},
	"examples": {flags: []string{"db"}, store: func(ctx context.Context, s streams, st *store.Store, f *logFlags) error {
		return st.ExportExamples(ctx, s.out, f.filter.Database)
	}},
	"import": {flags: []string{"db", "user", "by", "replace"}, planned: importExamples},
	"export": {flags: append([]string{"format"}, filterFlags...), store: func(ctx context.Context, s streams, st *store.Store, f *logFlags) error {
		return st.Export(ctx, s.out, store.Format(f.format), f.filter)
	}},
	"erase":   {flags: []string{"login", "before", "keep-examples", "yes"}, store: erase},
	"suggest": {args: 1, planned: suggest},
	"try":     {args: 1, flags: []string{"db", "user"}, planned: tryExamples},
	"approve": {args: 1, flags: []string{"by", "note", "question", "sql"}, planned: judge},
	"correct": {args: 2, joins: true, flags: []string{"by", "note", "question"}, planned: judge},
}

// logCommand reads and judges the translation log.
func logCommand(ctx context.Context, s streams, args []string) (err error) {
	action, f, err := parseLog(s, args)
	if err != nil {
		return err
	}
	cfg, l, err := configured(f.config, s)
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
	fs.StringVar(&f.filter.Database, "db", "", "list, verdicts, export, examples, import, try: of this `database`")
	fs.StringVar(&f.filter.Role, "user", "", "list, verdicts, export, try: of this `role`; import: plan as this role what names none")
	outcome := fs.String("outcome", "", "list, export: with this `outcome`: "+outcomeNames())
	fs.StringVar(&f.filter.Code, "code", "", "list, export: with this `SQLSTATE`")
	fs.StringVar(&f.filter.Text, "text", "", "list, export: that hold these `words`")
	fs.IntVar(&f.filter.Limit, "limit", 50, "list, verdicts: so many, at most "+strconv.Itoa(store.MaxPage))
	fs.StringVar(&f.format, "format", string(store.JSONL), "export: jsonl or csv")
	fs.BoolVar(&f.json, "json", false, "list, show, verdicts: a JSON object a line, for programs")
	fs.BoolVar(&f.replace, "replace", false, "import: the file is all there is, other examples are retired")
	fs.StringVar(&f.by, "by", "", "approve, reject, correct, import: your `name`; that of the account if empty")
	fs.StringVar(&f.note, "note", "", "approve, reject, correct: why")
	fs.StringVar(&f.marked, "question", "", "approve, correct: the question with `marks`, as in 'orders in {country:Spain}'")
	fs.StringVar(&f.markedSQL, "sql", "", "approve: the answer's SQL with `marks`, as in … = {country:'Spain'}")
	fs.StringVar(&f.erasure.Login, "login", "", "erase: all of this `login`")
	fs.BoolVar(&f.erasure.KeepExamples, "keep-examples", false, "erase: let the verified examples stay that came from the login's questions, without its name")
	fs.BoolVar(&f.yes, "yes", false, "erase: do not ask back")
	before := fs.String("before", "", "erase: what was asked before this `date` (UTC), such as 2026-01-31")
	since := fs.Duration("since", 0, "list, verdicts, export: not older than this, such as 24h")
	fs.Usage = func() {
		fmt.Fprintf(fs.Output(), "Usage of log: an action, list if there is none, and its flags. The beginning of an id will do for the id.\nActions: %s.\n",
			strings.Join(slices.Sorted(maps.Keys(logActions)), ", "))
		fs.PrintDefaults()
	}
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
	f.filter.Outcome = store.Outcome(*outcome)
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
	case *outcome != "" && !slices.Contains(store.Outcomes, f.filter.Outcome):
		return action, nil, usageError{fmt.Errorf("--outcome %q is none of %s", *outcome, outcomeNames())}
	case *since < 0:
		return action, nil, usageError{fmt.Errorf("--since is %s: it must not be negative", *since)}
	case f.filter.Limit < 1 || f.filter.Limit > store.MaxPage:
		return action, nil, usageError{fmt.Errorf("--limit is %d: it must be between 1 and %d", f.filter.Limit, store.MaxPage)}
	case len(rest) < action.args || len(rest) > action.args && !action.joins:
		return action, nil, usageError{fmt.Errorf("%s takes %d arguments, not %d", name, action.args, len(rest))}
	}
	return action, f, nil
}

// outcomeNames lists the outcomes of questions.
func outcomeNames() string {
	var names []string
	for _, o := range store.Outcomes {
		names = append(names, string(o))
	}
	return strings.Join(names, ", ")
}
