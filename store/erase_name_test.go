package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/store"
)

// TestErase_Name erases reviewers whose names JSON, SQL or LIKE write in another way, after questions were answered by what they
// have verified; others whose names hold theirs stay.
func TestErase_Name(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		ctx := context.Background()
		s := open(t, cfg)
		names := []string{`R&D`, `Zoé <z>`, `ann"`, `a\b`, `50%`, `o'neil`, "a\u2028b", "an"}
		stay := []string{`R&Dx`, `50 percent`, "ann"}
		for i, name := range append(append([]string{}, names...), stay...) {
			question := "how many things of kind " + string(rune('a'+i))
			if _, err := s.Approve(ctx, add(t, s, alone(question)), nil, store.Reviewer{Name: name}, "seen"); err != nil {
				t.Fatal(err)
			}
			tr := store.Logged(store.VerifiedFirst(nil, s, (&executor{}).execute, unhelped, sameTables), s)
			got, err := tr.Translate(ctx, alone(question).Question)
			if err != nil || len(got.Notices) != 1 || !strings.Contains(got.Notices[0], "reviewed by "+name+" on ") {
				t.Fatalf("%s: %+v, %v", name, got, err)
			}
		}
		for _, name := range names {
			done, err := s.Erase(ctx, store.Erasure{Login: name})
			if err != nil || done.Translations != 0 || done.Names != 3 {
				t.Errorf("%s: erased %+v, %v, want the name out of a remark, an example and an answer", name, done, err)
			}
		}
		var found []string
		for _, r := range list(t, s, store.Filter{Limit: 100}) {
			r := get(t, s, r.ID)
			words, err := s.Remarks(ctx, r.ID)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range words {
				found = append(found, w.By)
			}
			if r.Source == string(ask.SourceExample) {
				found = append(found, r.Reviewer+strings.Join(r.Notices, ""))
			}
		}
		examples, err := s.Examples(ctx, "shop", store.Verified)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range examples {
			found = append(found, e.Reviewer)
		}
		all := strings.Join(found, "\n") + "\n"
		for _, name := range names {
			if name == "an" {
				name = "by an on"
			}
			if strings.Contains(all, name+"\n") || strings.Contains(all, "by "+name+" on") {
				t.Errorf("%q is still there:\n%s", name, all)
			}
		}
		for _, name := range stay {
			if strings.Count(all, name+"\n") != 2 || strings.Count(all, "by "+name+" on") != 1 {
				t.Errorf("%q was erased too:\n%s", name, all)
			}
		}
	})
}

// TestErase_SpilledName: what waits in a spill file keeps no erased reviewer, whether askpg runs or not.
func TestErase_SpilledName(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		ctx := context.Background()
		line := func(asked time.Time) []byte {
			text, err := json.Marshal(store.Record{
				ID: ask.NewID(), Asked: asked.UTC(), Login: other, Role: other, Question: "how many " + others, Outcome: store.Answered,
				Source: string(ask.SourceExample), Reviewer: `R&D`, Notices: []string{"verified answer, reviewed by R&D on 2026-01-31"},
			})
			if err != nil {
				t.Fatal(err)
			}
			return append(text, '\n')
		}
		now := time.Now()
		spilled := append(line(now.Add(-time.Minute)), line(now.Add(time.Hour))...)
		without := cfg
		without.Spill = ""
		s := open(t, without)
		erasure := store.Erasure{Login: `R&D`}
		done, err := s.Erase(ctx, erasure)
		if err != nil || done.Until.Before(now) {
			t.Fatalf("%+v, %v", done, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(cfg.Spill, spilled, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := store.EraseSpill(cfg.Spill, erasure, done.Until)
		if want := (store.SpillErased{Names: 1}); err != nil || got != want {
			t.Errorf("erased %+v, %v, want %+v", got, err, want)
		}
		if text, err := os.ReadFile(cfg.Spill); err != nil || bytes.Count(text, []byte(`reviewed by R\u0026D`)) != 1 || bytes.Count(text, []byte("\n")) != 2 {
			t.Errorf("the spill file is\n%s%v", text, err)
		}
		if err := os.WriteFile(cfg.Spill, spilled, 0o600); err != nil {
			t.Fatal(err)
		}
		s = open(t, cfg)
		eventually(t, "the spill file is taken over", func() bool { return s.Spilled() == 0 })
		var reviewers []string
		for _, r := range list(t, s, store.Filter{}) {
			r := get(t, s, r.ID)
			reviewers = append(reviewers, r.Reviewer)
			if (r.Reviewer == "erased") != (len(r.Notices) == 0) {
				t.Errorf("reviewer %q, notices %q", r.Reviewer, r.Notices)
			}
		}
		if len(reviewers) != 2 || reviewers[0] == reviewers[1] {
			t.Errorf("the reviewers are %q; the one that answered after the erasure stays", reviewers)
		}
	})
}

// TestErase_Future: a time that is still to come is refused, and an entry that was asked after an erasure is kept.
func TestErase_Future(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		ctx := context.Background()
		s := open(t, cfg)
		add(t, s, personal(person, theirs))
		for _, login := range []string{"", person} {
			e := store.Erasure{Login: login, Before: time.Now().Add(24 * time.Hour)}
			if done, err := s.Erase(ctx, e); err == nil || !strings.Contains(err.Error(), "future") {
				t.Errorf("erased %+v, %v", done, err)
			}
			if n, err := s.CountErasure(ctx, e); err == nil {
				t.Errorf("counted %d", n)
			}
		}
		e := store.Erasure{Before: time.Now()}
		if n, err := s.CountErasure(ctx, e); err != nil || n != 1 {
			t.Errorf("counted %d, %v", n, err)
		}
		if done, err := s.Erase(ctx, e); err != nil || done.Translations != 1 {
			t.Errorf("erased %+v, %v", done, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		late, err := json.Marshal(store.Record{ID: ask.NewID(), Asked: time.Now().UTC(), Login: person, Role: person, Question: "how many " + theirs, Outcome: store.Answered})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(cfg.Spill, append(spillLine(t, person, theirs), append(late, '\n')...), 0o600); err != nil {
			t.Fatal(err)
		}
		s = open(t, cfg)
		eventually(t, "the spill file is taken over", func() bool { return s.Spilled() == 0 })
		if got := list(t, s, store.Filter{}); len(got) != 1 || got[0].Question != "how many "+theirs {
			t.Errorf("there are %s", questions(got))
		}
	})
}
