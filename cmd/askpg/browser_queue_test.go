package main

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"askpg/ask"
	"askpg/internal/shop"
	"askpg/store"
)

// TestBrowser_Queue judges several rows of the queue at once in Chromium, and asks afterwards: what a row showed is what answers.
func TestBrowser_Queue(t *testing.T) {
	const answer = "SELECT count(*) FROM customers"
	questions := map[string][]string{}
	seed := func(c Config) {
		st, err := store.Open(context.Background(), c.Store, slog.New(slog.DiscardHandler), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []string{"wide", "narrow"} {
			for _, kind := range []string{"patrons", "visitors", "guests", "strangers"} {
				e := reviewedEntry("how many "+kind+" of the "+size+" kind", answer, "SELECT count(*) FROM orders")
				e.Translation.SQL, e.Translation.Candidates[0].Fate = answer, ask.FateChosen
				if kind == "strangers" {
					e.Translation, e.Err = nil, ask.Errorf(ask.CodeNoCandidate, "the question was not understood")
				}
				if err := st.Append(context.Background(), e); err != nil {
					t.Fatal(err)
				}
				questions[size] = append(questions[size], e.Question.Text)
			}
		}
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
	}
	p, page := reviewed(t, "", seed)
	page.Queue = questions
	page.walk(t, "queue")
	for _, size := range []string{"wide", "narrow"} {
		if got := p.psql(t, shop.Analyst, "/* ask: "+questions[size][0]+" */;\n"); !strings.Contains(got, answer) || !strings.Contains(got, "Rita") {
			t.Errorf("%q:\n%s\nwant %s, reviewed by Rita", questions[size][0], got, answer)
		}
	}
}
