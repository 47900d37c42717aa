package store_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/store"
)

// Prompts are kept only if a setting says so, up to its bounds, for its time,
// and are in no export.
func TestStore_KeepPrompts(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		ctx := context.Background()
		sent := ask.TranslatorFunc(func(ctx context.Context, q ask.Question) (*ask.Translation, error) {
			for _, text := range []string{"first", "first", "second\x00", "a long one " + strings.Repeat("x", 100), "third", "fourth"} {
				ask.KeepPrompt(ctx, "main", func() string { return text })
			}
			return translated(q.ID), nil
		})
		question := func(s *store.Store) string {
			q := alone("q").Question
			if _, err := store.Logged(sent, s).Translate(ctx, q); err != nil {
				t.Fatal(err)
			}
			return q.ID
		}
		s := open(t, cfg)
		if r := get(t, s, question(s)); r.KeptPrompts != nil {
			t.Fatalf("kept unasked: %+v", r.KeptPrompts)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		cfg.KeepPrompts, cfg.KeepPromptsBytes, cfg.KeepPromptsFor = 3, 50, ask.Duration(time.Hour)
		s = open(t, cfg)
		id := question(s)
		kept := get(t, s, id).KeptPrompts
		if len(kept) != 3 || kept[0] != (ask.Prompt{Model: "main", Text: "first", Times: 2}) || kept[1].Text != "second\ufffd" || kept[2].Text != "third" {
			t.Fatalf("%+v", kept)
		}
		for _, format := range []store.Format{store.CSV, store.JSONL} {
			var b bytes.Buffer
			if err := s.Export(ctx, &b, format, store.Filter{}); err != nil || strings.Contains(b.String(), "second") {
				t.Fatalf("%s: %v\n%s", format, err, b.String())
			}
		}
		if _, err := s.Prune(ctx, time.Now().Add(2*time.Hour)); err != nil {
			t.Fatal(err)
		}
		if r := get(t, s, id); r.KeptPrompts != nil || r.Question != "q" {
			t.Fatalf("after their time: %+v", r)
		}
		cfg.Redact = true
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), "keep_prompts") {
			t.Fatalf("prompts are kept in a log without literals: %v", err)
		}
	})
}
