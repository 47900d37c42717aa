package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"askpg/ask"
	"askpg/store"
)

// hostileTexts are what a question, SQL, a name or an annotation may hold to
// fool those who read the log.
var hostileTexts = []string{
	`<script>window.pwned = 1</script>`,
	`"><img src=x onerror="window.pwned = 2">`,
	`'><svg onload=window.pwned=3><a href="javascript:window.pwned=4">x</a>`,
	`</textarea></pre></code><form action=//evil.example><button>Sign in</button></form><style>*{display:none}</style>`,
	"user\u202Etxt.exe \u2066isolated\u2069 \u200bhidden\u200b \ufeff \u061c\u200f",
	"\x1b[2J\x1b]0;pwned\x07\x1b[31mred\x1b[0m \x9b31m \u009b31m \x7f\x08\x08\r\n.",
	"=cmd|' /C calc'!A0",
	"@SUM(1+1)*cmd|' /C calc'!A0",
	"+1-2\t-3",
	"{{.CSRF}} ${7*7} %s %n",
	"forged\nreview       approved",
	"nul\x00byte \xff\xfe invalid",
	strings.Repeat("W", 5000),
	"ـ" + strings.Repeat("\u0300", 500) + " مرحبا بالعالم שלום",
	strings.Repeat("<b>1 MB</b> ", 1<<20/12),
}

// hostileEntry puts a text wherever the log has a place for one.
func hostileEntry(text string) store.Entry {
	id := ask.NewID()
	return store.Entry{
		Question: ask.Question{ID: id, Text: text, Hint: text, Asked: time.Now(), Options: map[string]string{text: text},
			History: []ask.Turn{{Question: text, SQL: text}},
			Session: ask.Session{Database: text, Role: text, SessionUser: text, Settings: map[string]string{"search_path": text}},
			Client:  ask.Client{Address: text, ApplicationName: text, Annotations: []string{text, text}}},
		Translation: &ask.Translation{ID: id, SQL: text, Understood: text, Strategy: text, Plan: text, Source: ask.SourceModel, Confidence: 0.4, Notices: []string{text}, Replica: ask.Replica{Name: text},
			Linked: []ask.Link{{Words: text, Object: text, Value: text, Why: text}}, Stages: []ask.Stage{{Name: text, Elapsed: time.Second}},
			Result: &ask.Result{Columns: []ask.Column{{Name: text}}, Rows: [][][]byte{{[]byte(text)}}, Complete: true},
			Candidates: []ask.Candidate{
				{SQL: text, Origin: ask.Origin{Model: text, Prompt: text}, Fate: ask.FateChosen, Votes: 1, Fingerprint: "a", Rows: 1},
				{SQL: "select 1 " + text, Origin: ask.Origin{Model: text, Prompt: text}, Fate: ask.FateOutvoted, Votes: 1, Fingerprint: "b", Rows: 1},
				{SQL: text, Origin: ask.Origin{Model: text}, Fate: ask.FateFailed, Rows: -1, Err: ask.Errorf("XX000", "%s", text).WithDetail("%s", text).WithHint("%s", text)},
			}},
		Elapsed: time.Second,
	}
}

// seedHostile writes all of them into a log, with words of askers and
// reviewers, and returns the pages of the translations.
func seedHostile(t *testing.T, cfg store.Config) (pages []reviewedPage) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cfg.KeepRows, cfg.KeepRowsBytes = 10, 4<<20
	cfg.WriteTimeout = ask.Duration(time.Minute) // what is spilled has no verdict
	st, err := store.Open(ctx, cfg, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}()
	for i, text := range hostileTexts {
		e := hostileEntry(text)
		if err := st.Append(ctx, e); err != nil {
			t.Fatal(err)
		}
		if err := st.Feedback(ctx, e.Question.ID, false, text, text); err != nil {
			t.Fatal(err)
		}
		e.Question.ID, e.Translation.ID = ask.NewID(), ""
		e.Question.History, e.Question.Text = nil, "approved "+text
		if err := st.Append(ctx, e); err != nil {
			t.Fatal(err)
		}
		if _, err := st.Approve(ctx, e.Question.ID, nil, store.Reviewer{Name: text}, text); err != nil {
			t.Fatal(err)
		}
		pages = append(pages, reviewedPage{Name: fmt.Sprint("translation-", i), Path: "/translations/" + e.Question.ID})
		f := hostileEntry(text)
		f.Err, f.Translation = ask.Errorf(ask.CodeNoCandidate, "%s", text).WithDetail("%s", text).WithHint("%s", text), nil
		if err := st.Append(ctx, f); err != nil {
			t.Fatal(err)
		}
	}
	return pages
}

// TestLog_HostileText shows such a log in a terminal and exports it: what
// askpg prints moves no cursor, colours nothing, reverses nothing and hides
// nothing, and no cell of the CSV is a formula.
func TestLog_HostileText(t *testing.T) {
	path, _, _ := writeConfig(t, "")
	cfg, err := loadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	seedHostile(t, cfg.Store)
	log := func(args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if code := run(testContext(t), append([]string{"log", "--config", path}, args...), streams{nil, &out, &errs}); code != 0 {
			t.Fatalf("askpg log %q: exit %d\n%s", args, code, errs.String())
		}
		return out.String()
	}
	terminal := func(what, out string) {
		t.Helper()
		if !utf8.ValidString(out) {
			t.Errorf("%s prints what is not UTF-8", what)
		}
		for i, r := range out {
			if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c' || r == '\u2028' || r == '\u2029') {
				t.Errorf("%s prints %U: …%q", what, r, out[max(0, i-60):min(len(out), i+20)])
				return
			}
		}
	}
	listed := log("list", "--limit", "1000")
	terminal("list", listed)
	if lines := strings.Count(listed, "\n"); lines != 1+3*len(hostileTexts) {
		t.Errorf("the list has %d lines for its names and %d translations", lines, 3*len(hostileTexts))
	}
	for _, line := range strings.Split(strings.TrimSpace(listed), "\n")[1:] {
		if n := utf8.RuneCountInString(line); n > 250 {
			t.Errorf("a line of the list has %d characters: %.100s", n, line)
		}
		shown := log("show", strings.Fields(line)[0])
		terminal("show", shown)
		if n := strings.Count(shown, "\nreview "); n > 1 {
			t.Errorf("%d lines pass for the review", n)
		}
	}
	table, err := csv.NewReader(strings.NewReader(log("export", "--format", "csv"))).ReadAll()
	if err != nil || len(table) != 3*len(hostileTexts)+1 {
		t.Fatalf("the CSV has %d rows, %v", len(table), err)
	}
	for _, row := range table {
		for i, cell := range row {
			if numeric := strings.Trim(cell, "-0123456789.") == ""; cell != "" && !numeric && strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(cell)[0]) {
				t.Errorf("%s is a formula: %.40q", table[0][i], cell)
			}
		}
	}
}
