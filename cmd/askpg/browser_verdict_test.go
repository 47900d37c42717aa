package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/internal/shop"
	"askpg/store"
)

// reviewedEntry is a question with candidates that have a result of their own each.
func reviewedEntry(question string, candidates ...string) store.Entry {
	q := ask.Question{ID: ask.NewID(), Text: question, Asked: time.Now(),
		Session: ask.Session{Database: "shop", Role: shop.Analyst, SessionUser: shop.Analyst, Settings: map[string]string{"search_path": "public"}}}
	tr := &ask.Translation{ID: q.ID, Strategy: "auto", Source: ask.SourceModel, Confidence: 0.5}
	for i, sql := range candidates {
		tr.Candidates = append(tr.Candidates, ask.Candidate{SQL: sql, Origin: ask.Origin{Model: "main", Prompt: "ddl", Sample: i + 1}, Fate: ask.FateOutvoted, Fingerprint: fmt.Sprint("f", i), Votes: 3 - i, Rows: 1})
	}
	return store.Entry{Question: q, Translation: tr, Elapsed: time.Second}
}

// TestBrowser_Verdict gives verdicts in Chromium, and asks afterwards: what stood in the box when a verdict was taken
// is what answers.
func TestBrowser_Verdict(t *testing.T) {
	const answer, other = "SELECT count(*) FROM customers", "SELECT count(*) FROM customers WHERE region = 'North'"
	readings := []string{"SELECT count(*) FROM orders", "SELECT count(*) FROM products"}
	answered, unsure := map[string]string{}, map[string]string{}
	seed := func(c Config) {
		st, err := store.Open(context.Background(), c.Store, slog.New(slog.DiscardHandler), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []string{"wide", "narrow"} {
			e := reviewedEntry("how many patrons of the "+size+" kind", answer, other)
			e.Translation.SQL, e.Translation.Candidates[0].Fate = answer, ask.FateChosen
			u := reviewedEntry("how many things of the "+size+" kind", readings...)
			u.Err = ask.Errorf(ask.CodeLowConfidence, "the question can be read in 2 ways")
			for _, x := range []store.Entry{e, u} {
				if err := st.Append(context.Background(), x); err != nil {
					t.Fatal(err)
				}
			}
			answered[size], unsure[size] = e.Question.ID, u.Question.ID
		}
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
	}
	p, page := reviewed(t, "", seed)
	page.Answered, page.Unsure, page.Other, page.Readings, page.Bad = answered, unsure, other, readings, "DELETE FROM customers"
	page.walk(t, "verdict")
	for _, size := range []string{"wide", "narrow"} {
		for question, sql := range map[string]string{"how many patrons of the " + size + " kind": other, "how many things of the " + size + " kind": readings[1]} {
			want := fmt.Sprint(count(t, sql))
			if got := p.psql(t, shop.Analyst, "/* ask: "+question+" */;\n"); !strings.HasSuffix(got, want) || !strings.Contains(got, "Rita") {
				t.Errorf("%q:\n%s\nwant %s, reviewed by Rita", question, got, want)
			}
		}
	}
}
