package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/user"
	"strings"

	"askpg/ask"
	"askpg/ask/param"
	"askpg/store"
)

// judgement is a reviewer's verdict on the command line.
type judgement struct {
	id, note   string
	by         store.Reviewer
	correction string // other SQL, empty to approve
	question   string // with marks, empty if there are no parameters
	sql        string // of an approval, with marks
}

// judge approves or corrects a translation. What becomes a verified example is
// planned first, through the guard and as the role that asked.
func judge(ctx context.Context, a *app, out io.Writer, v judgement) error {
	r, err := a.store.Get(ctx, v.id)
	if err != nil {
		return err
	}
	accepted := cmp.Or(v.correction, v.sql, r.SQL)
	if accepted == "" {
		return fmt.Errorf("%s has no SQL to approve; correct it instead", r.ID)
	}
	var t *param.Template
	if v.question != "" {
		if t, err = (marker{a}).Mark(ctx, r, v.question, accepted); err != nil {
			return fmt.Errorf("the marks: %w", err)
		}
		accepted = t.SQL
	} else if v.sql != "" {
		return usageError{errors.New("-sql is for an approval with parameters: give -question with its marks as well, or use correct")}
	}
	if err := a.check(ctx, r.Database, r.Role, r.Settings, accepted); err != nil {
		return fmt.Errorf("this SQL can't answer for %s at %s: %w", r.Role, r.Database, readable(err))
	}
	var e *store.Example
	if v.correction == "" {
		e, err = a.store.Approve(ctx, r.ID, t, v.by, v.note)
	} else {
		e, err = a.store.Correct(ctx, r.ID, v.correction, t, v.by, v.note)
	}
	if err != nil {
		return err
	}
	if e == nil {
		fmt.Fprintln(out, "it makes no example, as it follows up on other questions")
		return nil
	}
	fmt.Fprintf(out, "verified example %s: %s\n", e.ID, ask.Visible(cmp.Or(e.MarkedQuestion, e.Question)))
	for _, p := range e.Parameters {
		fmt.Fprintf(out, "  %s: %s\n", p.Name, ask.Visible(p.Rule()))
	}
	return nil
}

// suggest prints the marks that question and SQL of a translation could have.
func suggest(ctx context.Context, a *app, out io.Writer, id string) error {
	r, err := a.store.Get(ctx, id)
	if err != nil {
		return err
	}
	question, sql := param.Suggest(r.Question, r.SQL)
	if !param.Marked(question) {
		return errors.New("no words of the question stand for a constant of the SQL in a way that can be told; mark them by hand")
	}
	fmt.Fprintf(out, "-question %s\n-sql %s\n", shellQuote(ask.Visible(question)), shellQuote(ask.Visible(sql)))
	return nil
}

// shellQuote writes a text so that a shell takes it for one word.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// tryExamples says which verified example answers a question of a role,
// and with which SQL.
func tryExamples(ctx context.Context, a *app, out io.Writer, database, role, question string) error {
	if database == "" || role == "" {
		return usageError{errors.New("try needs -db and -user: what a question matches depends on what its asker may see")}
	}
	q := &ask.Question{Text: question, Session: ask.Session{Database: database, Role: role, SessionUser: role}}
	f, err := a.store.Fill(ctx, database, role, question, "", func() *param.Reader { return a.reading(q) })
	if err != nil {
		return err
	}
	if f == nil {
		return errors.New("no verified example answers this question")
	}
	fmt.Fprintf(out, "example      %s\nquestion     %s\n", f.ID, ask.Visible(cmp.Or(f.MarkedQuestion, f.Question)))
	for _, p := range f.Parameters {
		fmt.Fprintf(out, "%-12s %s\n", p.Name, ask.Visible(f.Values[p.Name]))
	}
	fmt.Fprintf(out, "sql          %s\n", ask.Visible(f.SQL))
	return nil
}

// importExamples reads verified examples from a file. Each that is new is planned first, as the role that it names.
func importExamples(ctx context.Context, s streams, a *app, f *logFlags) error {
	by := onCommandLine(f.by)
	done, err := a.store.ImportExamples(ctx, s.in, store.Import{
		By: by.Name, How: by.How, Replace: f.replace, Database: f.filter.Database,
		Check: func(ctx context.Context, e *store.Example) error {
			if e.Role = cmp.Or(e.Role, f.filter.Role); e.Role == "" {
				return errors.New(`it names no role that it can be planned as; add "role", or import with -user ROLE`)
			}
			if err := a.check(ctx, e.Database, e.Role, e.Settings, e.SQL); err != nil {
				return fmt.Errorf("this SQL can't answer for %s at %s: %w", e.Role, e.Database, readable(err))
			}
			return nil
		},
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%d examples imported, %d retired\n", done.Added, done.Retired)
	return nil
}

// onCommandLine is the reviewer who has the command line, by the name that he gives.
func onCommandLine(name string) store.Reviewer {
	return store.Reviewer{Name: reviewer(name), How: "command line"}
}

// reviewer is the name given, or that of the account.
func reviewer(name string) string {
	if name != "" {
		return name
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}
