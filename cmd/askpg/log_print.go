package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"askpg/ask"
	"askpg/store"
)

// listed is a translation in `askpg log list --json`. The names are those of the tables.
type listed struct {
	ID          string    `json:"id"`
	Asked       time.Time `json:"asked"`
	Database    string    `json:"database"`
	Role        string    `json:"role"`
	Login       string    `json:"login"`
	Application string    `json:"application"`
	Question    string    `json:"question"`
	Hint        string    `json:"hint"`
	Outcome     string    `json:"outcome"`
	Code        string    `json:"code"`
	Message     string    `json:"message"`
	Strategy    string    `json:"strategy"`
	Source      string    `json:"source"`
	SQL         string    `json:"sql"`
	Confidence  float64   `json:"confidence"`
	Calls       int64     `json:"calls"`
	Cost        float64   `json:"cost"`
	Elapsed     float64   `json:"elapsed_ms"`
	Rows        int64     `json:"rows_returned"` // -1 if not known
	Review      string    `json:"review"`
	Feedback    int64     `json:"feedback"`
}

// printList prints translations, a line each.
func printList(w io.Writer, records []store.Record, asJSON bool) error {
	if asJSON {
		return printJSON(w, records, func(r *store.Record) any {
			return listed{r.ID, r.Asked, r.Database, r.Role, r.Login, r.Application, r.Question, r.Hint, string(r.Outcome), r.Code, r.Message,
				r.Strategy, r.Source, r.SQL, r.Confidence, r.Calls, r.Cost, r.Elapsed, r.RowsReturned, string(r.Review), r.Feedback}
		})
	}
	alike := map[string]int{}
	for i := range records {
		alike[store.ShortID(records[i].ID)]++
	}
	return printLines(w, "ID\tASKED (UTC)\tOUTCOME\tSURE\tTIME\tCOST\tREVIEW\tROLE\tDATABASE\tQUESTION", records, func(r *store.Record) []string {
		id, outcome, sure := store.ShortID(r.ID), string(r.Outcome), ""
		if alike[id] > 1 {
			id = r.ID
		}
		if r.Code != "" {
			outcome += " " + r.Code
		} else {
			sure = fmt.Sprintf("%.0f %%", 100*r.Confidence)
		}
		return []string{id, r.Asked.UTC().Format(time.DateTime), outcome, sure, fmt.Sprintf("%.0f ms", r.Elapsed), fmt.Sprintf("%.4f", r.Cost),
			string(r.Review), oneLine(r.Role, 20), oneLine(r.Database, 20), oneLine(r.Question, 100)}
	})
}

// printVerdicts prints what reviewers have decided, a line each.
func printVerdicts(w io.Writer, list []store.Verdict, asJSON bool) error {
	if asJSON {
		return printJSON(w, list, func(v *store.Verdict) any { return v })
	}
	sql := func(s *string) string {
		if s == nil {
			return "-"
		}
		return oneLine(*s, 60)
	}
	return printLines(w, "AT (UTC)\tVERDICT\tREVIEWER\tHOW\tID\tROLE\tDATABASE\tQUESTION\tOLD SQL\tNEW SQL", list, func(v *store.Verdict) []string {
		return []string{v.At.UTC().Format(time.DateTime), v.Verdict, oneLine(v.Reviewer, 20), v.How, store.ShortID(v.Translation), oneLine(v.Role, 20), oneLine(v.Database, 20),
			oneLine(v.Question, 40), sql(v.OldSQL), sql(v.NewSQL)}
	})
}

// printLines prints a table with names over its columns.
func printLines[T any](w io.Writer, names string, list []T, cells func(*T) []string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, names)
	for i := range list {
		fmt.Fprintln(t, strings.Join(cells(&list[i]), "\t"))
	}
	return t.Flush()
}

// printJSON prints a JSON object a line.
func printJSON[T any](w io.Writer, list []T, object func(*T) any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range list {
		if err := enc.Encode(object(&list[i])); err != nil {
			return err
		}
	}
	return nil
}

// printRecord prints a translation with all that came of it.
func printRecord(w io.Writer, r *store.Record) {
	line := func(name, format string, args ...any) {
		if text := strings.TrimSpace(fmt.Sprintf(format, args...)); text != "" {
			// What a value holds must not pass for a line of its own.
			fmt.Fprintf(w, "%-13s %s\n", name, strings.ReplaceAll(ask.Visible(text), "\n", "\n"+strings.Repeat(" ", 14)))
		}
	}
	line("id", "%s", r.ID)
	line("asked", "%s UTC by %s (login %s) at %s, from %s %s", r.Asked.UTC().Format(time.DateTime), r.Role, r.Login, r.Database, r.Client, r.Application)
	line("question", "%s", r.Question)
	line("hint", "%s", r.Hint)
	line("outcome", "%s %s", r.Outcome, r.Code)
	line("message", "%s", r.Message)
	line("detail", "%s", r.Detail)
	line("cause", "%s", r.Cause)
	line("answered by", "%s, %s, %.0f %% sure, in %.0f ms", r.Strategy, r.Source, 100*r.Confidence, r.Elapsed)
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
		plan := ""
		if c.Cost > 0 {
			plan = fmt.Sprintf(", plan cost %.0f", c.Cost)
		}
		line("candidate", "%d. %s, by %s/%s sample %d repair %d, votes %d, rows %d%s\n%s", c.Position+1, c.Fate, c.Model, c.Prompt, c.Sample, c.Repair, c.Votes, c.Rows, plan, c.SQL)
		line("", "%s %s %s", c.Code, c.Message, c.Detail)
	}
	line("review", "%s", r.Review)
	line("sql", "%s", r.SQL)
}

// oneLine returns a text on one line of at most width characters.
func oneLine(s string, width int) string {
	s = strings.Join(strings.Fields(ask.Visible(s)), " ")
	if r := []rune(s); len(r) > width {
		return string(r[:width-1]) + "…"
	}
	return s
}
