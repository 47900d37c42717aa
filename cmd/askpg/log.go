package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"askpg/ask"
	"askpg/store"
)

// logCommand reads and judges the translation log.
func logCommand(ctx context.Context, s streams, args []string) (err error) {
	fs := flag.NewFlagSet("log", flag.ContinueOnError)
	path := configFlag(fs)
	f := store.Filter{}
	fs.StringVar(&f.Database, "db", "", "list: of this `database`")
	fs.StringVar(&f.Role, "user", "", "list: of this `role`")
	fs.StringVar(&f.Code, "code", "", "list: with this `SQLSTATE`")
	fs.StringVar(&f.Text, "text", "", "list: that hold these `words`")
	fs.IntVar(&f.Limit, "limit", 50, "list: so many")
	format := fs.String("format", string(store.JSONL), "export: jsonl or csv")
	by := fs.String("by", "", "approve, reject, correct: your `name`; that of the account if empty")
	note := fs.String("note", "", "approve, reject, correct: why")
	marked := fs.String("question", "", "approve, correct, try: the question with `marks`, as in 'orders in {country:Spain}'")
	markedSQL := fs.String("sql", "", "approve: the answer's SQL with `marks`, as in … = {country:'Spain'}")
	since := fs.Duration("since", 0, "list: not older than this, such as 24h")
	rest, err := parse(fs, s, args)
	if err != nil {
		return err
	}
	action := "list"
	if len(rest) > 0 {
		action, rest = rest[0], rest[1:]
		// Flags may follow the action too.
		if rest, err = parse(fs, s, rest); err != nil {
			return err
		}
	}
	if *since > 0 {
		f.Since = time.Now().Add(-*since)
	}
	want := map[string]int{"list": 0, "show": 1, "approve": 1, "reject": 1, "correct": 2, "export": 0, "examples": 0, "import": 0, "suggest": 1, "try": 1}
	n, known := want[action]
	switch {
	case !known:
		return usageError{fmt.Errorf("there is no %q", action)}
	case len(rest) < n || len(rest) > n && action != "correct":
		return usageError{fmt.Errorf("%s takes %d arguments, not %d", action, n, len(rest))}
	}
	cfg, err := loadConfig(*path)
	if err != nil {
		return err
	}
	l, err := newLogger(cfg.Log, s.err)
	if err != nil {
		return err
	}
	cfg.Store.Spill = "" // the serving process has it open
	if action == "approve" || action == "correct" || action == "suggest" || action == "try" {
		a, err := newApp(ctx, cfg, l)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, a.close()) }()
		switch action {
		case "suggest":
			return suggest(ctx, a, s.out, rest[0])
		case "try":
			return tryExamples(ctx, a, s.out, f.Database, f.Role, rest[0])
		}
		v := judgement{id: rest[0], question: *marked, by: reviewer(*by), note: *note, sql: *markedSQL}
		if action == "correct" {
			v.correction = strings.Join(rest[1:], " ")
		}
		return judge(ctx, a, s.out, v)
	}
	st, err := store.Open(ctx, cfg.Store, l, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	switch action {
	case "list":
		page, err := st.List(ctx, f)
		if err != nil {
			return err
		}
		for i := range page.Records {
			listRecord(s.out, &page.Records[i])
		}
		return nil
	case "show":
		r, err := st.Get(ctx, rest[0])
		if err != nil {
			return err
		}
		showRecord(s.out, r)
		return nil
	case "reject":
		return st.Reject(ctx, rest[0], reviewer(*by), *note)
	case "examples":
		return st.ExportExamples(ctx, s.out, f.Database)
	case "import":
		n, err := st.ImportExamples(ctx, s.in)
		fmt.Fprintf(s.out, "%d examples taken in\n", n)
		return err
	default:
		return st.Export(ctx, s.out, store.Format(*format), f)
	}
}

func listRecord(w io.Writer, r *store.Record) {
	fmt.Fprintf(w, "%s  %s  %-9s  %-10s %-12s  %s\n", r.ID, r.Asked.Local().Format("2006-01-02 15:04:05"),
		firstOf(r.Code, fmt.Sprintf("%.2f", r.Confidence)), oneLine(r.Role, 10), oneLine(r.Database, 12), oneLine(r.Question, 100))
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
