package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"askpg/ask"
)

// askOnce answers one question as a role would get it: SQL, confidence, rows.
func askOnce(ctx context.Context, s streams, args []string) (err error) {
	fs := flag.NewFlagSet("ask", flag.ContinueOnError)
	path := configFlag(fs)
	db := fs.String("db", "", "`database` to ask")
	user := fs.String("user", "", "`role` whose rights apply")
	hint := fs.String("hint", "", "what the schema does not say")
	action := fs.String("show", "rows", "rows, sql, candidates or explain")
	strategy := fs.String("strategy", "", "strategy for this question")
	rest, err := parse(fs, s, args)
	if err != nil {
		return err
	}
	question := strings.TrimSpace(strings.Join(rest, " "))
	if word := flagAmong(fs, rest); word != "" {
		return usageError{fmt.Errorf("%s stands behind the question: write it before", word)}
	}
	switch {
	case *db == "" || *user == "":
		return usageError{errors.New("--db and --user are needed")}
	case question == "":
		return usageError{errors.New("the question is missing")}
	}
	q := ask.Question{
		ID: ask.NewID(), Text: question, Hint: *hint, Asked: time.Now(),
		Session: shellSession(*db, *user),
		Client:  ask.Client{Address: "shell", ApplicationName: "askpg ask"},
	}
	switch *action {
	case "rows":
	case string(ask.ActionSQL), string(ask.ActionCandidates), string(ask.ActionExplain):
		q.Action = ask.Action(*action)
	default:
		return usageError{fmt.Errorf("--show %q is none of rows, sql, candidates, explain", *action)}
	}
	if *strategy != "" {
		q.Options = map[string]string{"strategy": *strategy}
	}
	cfg, log, err := configured(*path, s)
	if err != nil {
		return err
	}
	remove, err := cfg.passing()
	if err != nil {
		return err
	}
	defer remove()
	a, err := newApp(ctx, cfg, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	t, err := a.translator.Translate(ctx, q)
	if err != nil {
		return readable(err)
	}
	t.Result.Release() // the rows are asked for below
	if table := t.Table(q.Action); table != nil {
		printTable(s.out, table.Columns, table.Rows)
		return nil
	}
	fmt.Fprintf(s.out, "%s\n", t.SQL)
	ranOn := "" // of an answer that was remembered
	if r := t.Replica; r.Name != "" {
		ranOn = fmt.Sprintf("ran on %s, %s behind", r.Name, r.Lag.Round(time.Millisecond))
	}
	for _, line := range []string{t.Understood, fmt.Sprintf("confidence %.2f, %s", t.Confidence, t.Source), ranOn} {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			fmt.Fprintf(s.out, "-- %s\n", ask.Visible(line))
		}
	}
	fmt.Fprintf(s.out, "-- candidates: %d; see --show candidates, --show explain\n", len(t.Candidates))
	for _, n := range t.Notices {
		fmt.Fprintf(s.out, "-- %s\n", n)
	}
	rows, err := a.replica.Open(ctx, q.Session, t.SQL, nil)
	if err != nil {
		return readable(err)
	}
	defer rows.Close()
	var cells [][][]byte
	for rows.Next() {
		var row [][]byte
		for _, v := range rows.Values() {
			row = append(row, bytes.Clone(v))
		}
		cells = append(cells, row)
	}
	if err := rows.Err(); err != nil {
		return readable(err)
	}
	printTable(s.out, rows.Columns(), cells)
	for _, n := range rows.Notices() {
		fmt.Fprintf(s.out, "-- %s\n", n)
	}
	return nil
}

// shellSession is a session of the role with the server's own defaults.
func shellSession(database, role string) ask.Session {
	return ask.Session{Database: database, Role: role, SessionUser: role, Settings: map[string]string{"search_path": `"$user", public`}}
}

// readable puts an asker's error into the lines that psql would show.
func readable(err error) error {
	e := ask.AsError(err)
	if e == nil {
		return err
	}
	text := e.Code + ": " + e.Message
	if e.Detail != "" {
		text += "\nDETAIL:  " + e.Detail
	}
	if e.Hint != "" {
		text += "\nHINT:  " + e.Hint
	}
	return errors.New(text)
}

// printTable writes a result as psql's aligned format does.
func printTable(w io.Writer, columns []ask.Column, rows [][][]byte) {
	widths := make([]int, len(columns))
	cell := func(v []byte) string { return strings.ReplaceAll(ask.Visible(string(v)), "\n", " ") }
	for i, c := range columns {
		widths[i] = len([]rune(cell([]byte(c.Name))))
		for _, row := range rows {
			widths[i] = max(widths[i], len([]rune(cell(row[i]))))
		}
	}
	line := func(values []string) {
		for i, v := range values {
			if i > 0 {
				fmt.Fprint(w, "|")
			}
			fmt.Fprintf(w, " %s%s ", v, strings.Repeat(" ", widths[i]-len([]rune(v))))
		}
		fmt.Fprintln(w)
	}
	names, rules := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		names[i], rules[i] = cell([]byte(c.Name)), strings.Repeat("-", widths[i]+2)
	}
	line(names)
	fmt.Fprintln(w, strings.Join(rules, "+"))
	for _, row := range rows {
		values := make([]string, len(row))
		for i, v := range row {
			values[i] = cell(v)
		}
		line(values)
	}
	if len(rows) == 1 {
		fmt.Fprintln(w, "(1 row)")
	} else {
		fmt.Fprintf(w, "(%d rows)\n", len(rows))
	}
}

// flagAmong returns the first word that is a flag of the set, "" if none is.
func flagAmong(fs *flag.FlagSet, words []string) string {
	for _, word := range words {
		name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if strings.HasPrefix(word, "-") && fs.Lookup(name) != nil {
			return word
		}
	}
	return ""
}
