package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"askpg/ask"
	"askpg/eval"
	"askpg/internal/shop"
	"askpg/store"
)

// TestEval_Examples replays verified examples, changes the model, and is told what would change for whom.
func TestEval_Examples(t *testing.T) {
	const patrons, prettiest, gone = "how many patrons dwell up in the northern part", "which of our stores is the prettiest", "what was in the attic"
	verified := map[string]string{
		patrons:   "SELECT count(*) AS patrons FROM customers WHERE region = 'North' /* verified */",
		prettiest: "SELECT name FROM stores ORDER BY id LIMIT 1",
		gone:      "SELECT dust FROM attic",
	}
	var worse atomic.Bool
	model := newModelServer(t)
	model.answer(func(prompt string) reply {
		ofPatrons := strings.LastIndex(prompt, patrons) > strings.LastIndex(prompt, prettiest) // the question stands last
		if ofPatrons && strings.Contains(prompt, "/* verified */") {
			t.Error("the example is a demonstration of its own question")
		}
		switch {
		case ofPatrons && !worse.Load():
			return reply{text: "```sql\nSELECT count(*) FROM customers c WHERE c.region = 'North'\n```"}
		case ofPatrons:
			return reply{text: "```sql\nSELECT count(*) FROM customers c WHERE c.region = 'South'\n```"}
		case worse.Load():
			return reply{text: "```sql\nSELECT s.name FROM stores s ORDER BY s.id FETCH FIRST ROW ONLY\n```"}
		}
		return reply{text: "```sql\nSELECT 'none' AS name\n```"}
	})
	config, _, _ := writeConfig(t, fmt.Sprintf("[[model]]\nname = \"test\"\nbase_url = %q\nmodel = \"test-1\"\nprice_in = 1000.0\n", model.URL+"/v1"))
	cfg, err := loadConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	st, err := store.Open(ctx, cfg.Store, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	for question, sql := range verified {
		e := store.Entry{Question: ask.Question{ID: ask.NewID(), Text: question, Asked: time.Now(),
			Session: ask.Session{Database: "shop", Role: shop.Analyst, SessionUser: shop.Analyst, Settings: map[string]string{"search_path": "public"}}}}
		if err := st.Append(ctx, e); err != nil {
			t.Fatal(err)
		}
		if _, err := st.Correct(ctx, e.Question.ID, sql, nil, store.Reviewer{Name: "rita"}, ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	replay := func(code int, args ...string) string {
		t.Helper()
		var said, errs bytes.Buffer
		if got := run(testContext(t), append([]string{"eval", "--examples", "--config", config, "--workers", "1", "--out", out}, args...), streams{nil, &said, &errs}); got != code {
			t.Fatalf("exit %d\n%s%s", got, said.String(), errs.String())
		}
		return strings.Join(strings.Fields(said.String()+errs.String()), " ")
	}
	expect := func(text string, want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("lacks %q:\n%s", w, text)
			}
		}
	}
	expect(replay(0), "right 1 of 2 (50 %)", "for analyst 1 of 2", "Wrong, or without an answer: 1 "+prettiest, "Not known: 1 "+gone, "the verified SQL does not run", "attic")
	file := filepath.Join(out, examplesFile)
	first, err := eval.ReadReplayed(file)
	if err != nil || len(first) != 3 {
		t.Fatal(first, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	expect(replay(0, "--before", file), "before after", "right 1 of 2 (50 %) 1 of 2 (50 %)")
	worse.Store(true)
	expect(replay(1, "--before", file), "right 1 of 2 (50 %) 1 of 2 (50 %)", "Right before, and not any more: 1 "+patrons, "region = 'South'",
		"Wrong before, and right now: 1 "+prettiest, "asked by analyst at shop; its example has answered 0 times", "answers that were right and are not any more: 1")
	expect(replay(1, "--limit", "1", "--db", "nowhere"), "no verified example")
	expect(replay(0, "--model", "test"), "right 1 of 2 (50 %)")
	expect(replay(1, "--model", "other"), `no [[model]] is named "other"`)
	if said := replay(0, "--json", "--calls", "1"); strings.Count(said, `"verified_sql":`) == 3 || !strings.Contains(said, "not asked, as the calls or the time were used up") || strings.Contains(said, "right 1") {
		t.Errorf("with one call: %s", said)
	}
	expect(replay(0, "--json", "--within", "1ns"), "used up: 3")
	expect(replay(0, "--json"), `"question":"`+patrons, `"question":"`+gone, `"right":true`)
	expect(replay(2, "--json", "--before", file), "--json compares with no earlier run")
	expect(replay(2, "--set", "x"), "--examples takes")
	expect(replay(2, "--strategy", "a,b"), "--examples takes")

	// Nothing of it is in the log, and no budget was used.
	if st, err = store.Open(ctx, cfg.Store, slog.New(slog.DiscardHandler), nil); err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if page, err := st.List(ctx, store.Filter{}); err != nil || len(page.Records) != len(verified) {
		t.Errorf("%d entries in the log, %v", len(page.Records), err)
	}
}
