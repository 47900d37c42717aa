package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/user"
	"strings"

	"askpg/ask"
	"askpg/ask/param"
	"askpg/store"
)

// judge approves a translation, or corrects it where other SQL follows its id. What becomes a verified example is
// planned first, through the guard and as the role that asked.
func judge(ctx context.Context, s streams, a *app, f *logFlags) error {
	correction, by := strings.Join(f.args[1:], " "), onCommandLine(f.by)
	if len(f.args) > 1 && strings.TrimSpace(correction) == "" {
		return usageError{errors.New("correct has no SQL behind the id; approve takes the SQL as it is")}
	}
	r, err := a.store.Get(ctx, f.args[0])
	if err != nil {
		return err
	}
	accepted := cmp.Or(correction, f.markedSQL, r.SQL)
	if accepted == "" {
		return fmt.Errorf("%s has no SQL to approve; correct it instead", r.ID)
	}
	var t *param.Template
	if f.marked != "" {
		if t, err = (marker{a}).Mark(ctx, r, f.marked, accepted); err != nil {
			return fmt.Errorf("the marks: %w", err)
		}
		accepted = t.SQL
	} else if f.markedSQL != "" {
		return usageError{errors.New("-sql is for an approval with parameters: give -question with its marks as well, or use correct")}
	}
	if err := a.check(ctx, r.Database, r.Role, r.Settings, accepted); err != nil {
		return fmt.Errorf("this SQL can't answer for %s at %s: %w", r.Role, r.Database, readable(err))
	}
	var e *store.Example
	if correction == "" {
		e, err = a.store.Approve(ctx, r.ID, t, by, f.note)
	} else {
		e, err = a.store.Correct(ctx, r.ID, correction, t, by, f.note)
	}
	if err != nil {
		return err
	}
	if e == nil {
		fmt.Fprintln(s.out, "it makes no example, as it follows up on other questions")
		return nil
	}
	fmt.Fprintf(s.out, "verified example %s: %s\n", e.ID, ask.Visible(cmp.Or(e.MarkedQuestion, e.Question)))
	for _, p := range e.Parameters {
		fmt.Fprintf(s.out, "  %s: %s\n", p.Name, ask.Visible(p.Rule()))
	}
	return nil
}

// suggest prints the marks that question and SQL of a translation could have.
func suggest(ctx context.Context, s streams, a *app, f *logFlags) error {
	r, err := a.store.Get(ctx, f.args[0])
	if err != nil {
		return err
	}
	question, sql := param.Suggest(r.Question, r.SQL)
	if !param.Marked(question) {
		return errors.New("no words of the question stand for a constant of the SQL in a way that can be told; mark them by hand")
	}
	fmt.Fprintf(s.out, "-question %s\n-sql %s\n", shellQuote(ask.Visible(question)), shellQuote(ask.Visible(sql)))
	return nil
}

// shellQuote writes a text so that a shell takes it for one word.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// tryExamples says which verified example answers a question of a role,
// and with which SQL.
func tryExamples(ctx context.Context, s streams, a *app, f *logFlags) error {
	database, role, question := f.filter.Database, f.filter.Role, f.args[0]
	if database == "" || role == "" {
		return usageError{errors.New("try needs -db and -user: what a question matches depends on what its asker may see")}
	}
	q := &ask.Question{Text: question, Session: ask.Session{Database: database, Role: role, SessionUser: role}}
	e, err := a.store.Fill(ctx, database, role, question, "", func() *param.Reader { return a.reading(q) })
	if err != nil {
		return err
	}
	if e == nil {
		return errors.New("no verified example answers this question")
	}
	fmt.Fprintf(s.out, "example      %s\nquestion     %s\n", e.ID, ask.Visible(cmp.Or(e.MarkedQuestion, e.Question)))
	for _, p := range e.Parameters {
		fmt.Fprintf(s.out, "%-12s %s\n", p.Name, ask.Visible(e.Values[p.Name]))
	}
	fmt.Fprintf(s.out, "sql          %s\n", ask.Visible(e.SQL))
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
