package main

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/store"
)

// TestLog_Terminal reads a log as people and programs do: columns have names and units, every action takes a short id, and
// money is not mixed up with a plan's cost.
func TestLog_Terminal(t *testing.T) {
	path, _, _ := writeConfig(t, "")
	cfg, err := loadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(context.Background(), cfg.Store, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	q := ask.Question{ID: "019a1234-5678-7abc-8def-0123456789ab", Text: "how many lamps", Asked: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC),
		Session: ask.Session{Database: "shop", Role: "analyst", SessionUser: "ann"}, Client: ask.Client{Address: "10.0.0.1:5"}}
	answer := &ask.Translation{SQL: "select 1", Confidence: 0.75, Strategy: "standard", Source: ask.SourceModel, Usage: ask.Usage{Calls: 2, Cost: 0.0125},
		Candidates: []ask.Candidate{{SQL: "select 1", Cost: 4711, Fate: ask.FateChosen, Rows: 1, Votes: 1}}}
	failed := ask.Question{ID: "019a1234-5679-7abc-8def-0123456789ab", Text: "how many gizmos", Asked: q.Asked, Session: q.Session}
	for _, e := range []store.Entry{{Question: q, Translation: answer, Elapsed: 250 * time.Millisecond}, {Question: failed, Err: ask.Errorf(ask.CodeLowConfidence, "not sure")}} {
		if err := st.Append(context.Background(), e); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	log := func(code int, args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if got := run(testContext(t), append([]string{"log", "--config", path}, args...), streams{nil, &out, &errs}); got != code {
			t.Fatalf("askpg log %q: exit %d\n%s", args, got, errs.String())
		}
		return out.String() + errs.String()
	}
	expect := func(out string, want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("lacks %q:\n%s", w, out)
			}
		}
	}
	listed := log(0, "list", "--outcome", "answered")
	expect(listed, "ID  ", "ASKED (UTC)", "COST", "019a1234-5678  2026-01-31 12:00:00  answered  75 %  250 ms  0.0125", "how many lamps")
	if strings.Contains(listed, "gizmos") {
		t.Errorf("--outcome answered lists another:\n%s", listed)
	}
	expect(log(0, "list", "--outcome", "unsure"), "unsure ASK02", "gizmos")
	expect(log(2, "list", "--outcome", "right"), "answered, unsure, refused, canceled, failed")
	expect(log(2, "show", "--outcome", "answered", "019a1234-5678"), "show does not take --outcome")
	expect(log(0, "-h"), "Actions: approve, correct, erase")
	expect(log(1, "show", "019a1234"), "several translations begin with")
	expect(log(0, "list", "--text", "019a1234-5678"), "lamps")
	expect(log(0, "show", "019a1234-5678"), "cost 0.0125", "plan cost 4711", "75 % sure", "in 250 ms", "2026-01-31 12:00:00 UTC")

	var shown struct {
		ID, Question string
		Cost         float64
		Candidates   []struct {
			PlanCost float64 `json:"plan_cost"`
		}
	}
	if err := json.Unmarshal([]byte(log(0, "show", "--json", "019a1234-5678")), &shown); err != nil || shown.ID != q.ID || shown.Cost != 0.0125 || shown.Candidates[0].PlanCost != 4711 {
		t.Errorf("%v %+v", err, shown)
	}
	var line map[string]any
	if err := json.Unmarshal([]byte(log(0, "list", "--json", "--outcome", "answered")), &line); err != nil || line["id"] != q.ID || line["elapsed_ms"] != 250.0 || line["login"] != "ann" {
		t.Errorf("%v %v", err, line)
	}

	log(0, "reject", "--by", "rita", "--note", "no lamps here", "019a1234-5678")
	expect(log(0, "verdicts"), "AT (UTC)", "OLD SQL", "reject", "rita", "019a1234-5678", "how many lamps", "select 1")
	var verdict store.Verdict
	if err := json.Unmarshal([]byte(log(0, "verdicts", "--json")), &verdict); err != nil || verdict.Translation != q.ID || verdict.OldSQL == nil || *verdict.OldSQL != "select 1" || verdict.NewSQL != nil {
		t.Errorf("%v %+v", err, verdict)
	}
}

// TestLogger_Units: a time has its unit in both formats.
func TestLogger_Units(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		var out bytes.Buffer
		l, err := newLogger(LogConfig{Level: "info", Format: format, Redact: format == "json"}, &out)
		if err != nil {
			t.Fatal(err)
		}
		l.Info("question answered", "elapsed", 1500*time.Millisecond, "role", "analyst", "login", "ann")
		for _, want := range []string{"1.5s", "analyst", "ann"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s lacks %q: %s", format, want, out.String())
			}
		}
	}
}
