package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/admin"
	"askpg/ask"
	"askpg/internal/shop"
	"askpg/store"
)

const adminToken = "admin-of-the-tests"

// administered is reviewed with an administrator, who signs in.
func administered(t *testing.T, settings string, seed func(Config)) (*process, reviewPage) {
	t.Helper()
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte(adminToken), 0o600); err != nil {
		t.Fatal(err)
	}
	p, page := reviewed(t, fmt.Sprintf("[[admin.access]]\nrole = \"admin\"\ntoken_file = %q\n%s", token, settings), seed)
	page.Token = adminToken
	return p, page
}

// TestBrowser_Teach says in Chromium what words mean, and asks before and afterwards.
func TestBrowser_Teach(t *testing.T) {
	const semantics = "# ours\n[[column]]\nname = \"customers.region\"\nsynonyms = [\"territory\"]"
	path := filepath.Join(t.TempDir(), "semantics.toml")
	if err := os.WriteFile(path, []byte(semantics), 0o640); err != nil {
		t.Fatal(err)
	}
	p, page := administered(t, fmt.Sprintf("[catalog]\nsemantics = %q\n", path), nil)
	conn := connect(t, p.url(shop.Analyst))
	page.Taught = map[string]string{"wide": "regulars", "narrow": "punters"}
	page.Failed = map[string]string{}
	for size, word := range page.Taught {
		_, err := asked(testContext(t), conn, "-- ask: how many "+word)
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Fatalf("%q has an answer already, or another error: %v", word, err)
		}
		page.Failed[size] = idOf(t, fetchPage(t, page, "/translations?q="+word))
	}
	page.walk(t, "teach")
	for _, word := range page.Taught {
		if got, err := asked(testContext(t), conn, "-- ask: how many "+word); err != nil || got != fmt.Sprint(count(t, "SELECT count(*) FROM customers")) {
			t.Errorf("how many %s: %q, %v", word, got, err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(text), semantics+"\n") || strings.Count(string(text), "by Rita: synonym public.customers\n[[table]]\ndatabase = \"shop\"\n") != 2 {
		t.Errorf("the file is\n%s%v", text, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if !strings.Contains(p.log.String(), "the semantics file was changed") {
		t.Error("the log does not say that the file was changed")
	}
}

// replayed seeds a store with verified examples.
func replayed(t *testing.T, c Config, examples map[string]string) {
	t.Helper()
	ctx := context.Background()
	st, err := store.Open(ctx, c.Store, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	for question, sql := range examples {
		e := reviewedEntry(question, sql)
		e.Translation.SQL, e.Translation.Candidates[0].Fate = sql, ask.FateChosen
		if err := st.Append(ctx, e); err != nil {
			t.Fatal(err)
		}
		if _, err := st.Approve(ctx, e.Question.ID, nil, store.Reviewer{Name: "rita"}, ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestReplays_Run: the process that replays ends when it is told to, and says why it could not begin.
func TestReplays_Run(t *testing.T) {
	t.Setenv("ASKPG_TEST_RUN", "1")
	model := newModelServer(t)
	model.answer(func(string) reply { return reply{hang: true} })
	path, _, _ := writeConfig(t, fmt.Sprintf("[[model]]\nname = \"test\"\nbase_url = %q\nmodel = \"test-1\"\n", model.URL+"/v1"))
	r := replays{&app{load: func() (Config, error) { return loadConfig(path) }, replayed: newReplayed()}, path}
	cfg, err := r.load()
	if err != nil {
		t.Fatal(err)
	}
	replayed(t, cfg, map[string]string{"which of our stores is the prettiest": "SELECT name FROM stores ORDER BY name LIMIT 1"})
	if models, strategies, calls, err := r.Choices(); err != nil || len(models) != 1 || models[0] != "test" || !slices.Contains(strategies, "auto") || calls != cfg.Translator.MaxCalls {
		t.Error(models, strategies, calls, err)
	}
	o := admin.ReplayOptions{Calls: 9, Limit: 9, Within: time.Minute}
	each := func(o admin.Replayed) { t.Errorf("%+v", o) }
	ctx, cancel := context.WithCancel(testContext(t))
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx, o, each) }()
	select {
	case <-model.asked:
	case err := <-ended:
		t.Fatalf("it ended before it asked: %v", err)
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("what was stopped is said to be whole")
	}
	o.Model = "other"
	if err := r.Run(testContext(t), o, each); err == nil || !strings.Contains(err.Error(), `no [[model]] is named "other"`) {
		t.Error(err)
	}

	// What came of a whole replay with the settings of the file is a metric; of one that was stopped, or with another model, it is not.
	model.answer(func(string) reply {
		return reply{text: "```sql\nSELECT s.name FROM stores s ORDER BY s.name LIMIT 1\n```"}
	})
	registry := prometheus.NewRegistry()
	registry.MustRegister(r.replayed)
	for _, alone := range []string{"test", ""} {
		o.Model = alone
		var right bool
		if err := r.Run(testContext(t), o, func(o admin.Replayed) { right = o.Right }); err != nil || !right {
			t.Fatal(right, err)
		}
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range families[0].Metric {
			want := 0.0
			if m.Label[0].GetValue() == "same" && alone == "" {
				want = 1
			}
			if m.Gauge.GetValue() != want || len(families[0].Metric) != 4 {
				t.Errorf("with model %q alone: %v, want %v", alone, m, want)
			}
		}
	}
}

// TestBrowser_Replay replays verified examples in Chromium, with a model that has become worse.
func TestBrowser_Replay(t *testing.T) {
	const patrons, prettiest, vague = "how many patrons dwell up in the northern part", "which of our stores is the prettiest", "what should we do about the punters"
	model := newModelServer(t)
	model.answer(func(prompt string) reply {
		at := func(question string) int { return strings.LastIndex(prompt, question) } // the question stands last
		switch {
		case at(patrons) > max(at(prettiest), at(vague)):
			return reply{text: "```sql\nSELECT count(*) FROM customers c WHERE c.region = 'North'\n```"}
		case at(prettiest) > at(vague):
			return reply{text: "```sql\nSELECT s.name FROM stores s ORDER BY s.name DESC LIMIT 1\n```"}
		}
		return reply{text: "```sql\nSELECT nothing FROM customers\n```"}
	})
	seed := func(c Config) {
		replayed(t, c, map[string]string{patrons: "SELECT count(*) AS patrons FROM customers WHERE region = 'North'",
			prettiest: "SELECT name FROM stores ORDER BY name LIMIT 1", vague: "SELECT count(*) FROM customers"})
	}
	p, page := administered(t, fmt.Sprintf("[[model]]\nname = \"test\"\nbase_url = %q\nmodel = \"test-1\"\nprice_in = 100.0\n", model.URL+"/v1"), seed)
	page.Question, page.Approved, page.Other = prettiest, patrons, vague
	page.walk(t, "replay")
	if model.calls() == 0 {
		t.Error("the model was not asked, so this test shows nothing")
	}
	if said := p.log.String(); !strings.Contains(said, "a replay of the verified examples begins") || !strings.Contains(said, "the verified examples were replayed") {
		t.Errorf("the log does not tell of the replay:\n%s", said)
	}
	if list := fetchPage(t, page, "/translations"); strings.Contains(list, "askpg eval") {
		t.Error("the replay is in the log")
	}
}
