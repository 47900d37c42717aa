package store_test

import (
	"testing"
	"time"

	"askpg/ask"
	"askpg/store"
)

// Only what was answered before waits for others, in a log that need not be complete. Who reads the log finds it all the
// same, and nothing of it is lost when the store is closed.
func TestAppend_Behind(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		for _, tt := range []struct {
			source   ask.Source
			required bool
			behind   bool
		}{
			{ask.SourceModel, false, false}, {ask.SourceChoice, false, false}, {ask.SourceCache, false, true}, {ask.SourceExample, false, true},
			{ask.SourceCache, true, false}, {ask.SourceExample, true, false},
		} {
			cfg.Required, cfg.BatchDelay = tt.required, ask.Duration(time.Hour)
			s := open(t, cfg)
			db := raw(t, cfg)
			written := func(id string) (n int) {
				t.Helper()
				if err := db.QueryRow(`select count(*) from translations where id = '` + id + `'`).Scan(&n); err != nil {
					t.Fatal(err)
				}
				return n
			}
			repeated := func() string {
				t.Helper()
				e := entry("how many?")
				e.Translation.Source = tt.source
				return add(t, s, e)
			}
			id := repeated()
			if got := written(id) == 0; got != tt.behind {
				t.Errorf("%s, required %v: written behind: %v", tt.source, tt.required, got)
			}
			if get(t, s, id).ID != id || written(id) != 1 {
				t.Errorf("%s: who reads the log does not find it", tt.source)
			}
			id = repeated()
			if err := s.Feedback(t.Context(), id, true, "ann", ""); err != nil {
				t.Errorf("%s: %v", tt.source, err)
			}
			id = repeated()
			if add(t, s, entry("a first answer")); written(id) != 1 {
				t.Errorf("%s: an entry that is waited for leaves it behind", tt.source)
			}
			id = repeated()
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if written(id) != 1 {
				t.Errorf("%s: it is lost when the store is closed", tt.source)
			}
		}
	})
}

// Entries that nobody waits for are written by themselves, together.
func TestAppend_BehindByItself(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		for range 3 {
			e := entry("how many?")
			e.Translation.Source = ask.SourceCache
			add(t, s, e)
		}
		db := raw(t, cfg)
		eventually(t, "they are written", func() bool {
			var n int
			if err := db.QueryRow(`select count(*) from translations`).Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n == 3
		})
	})
}

// What was asked before an erasure does not come into the log after it.
func TestAppend_Erased(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		e := entry("how many?")
		if _, err := s.Erase(t.Context(), store.Erasure{Login: e.Question.Session.SessionUser}); err != nil {
			t.Fatal(err)
		}
		add(t, s, e)
		later := add(t, s, entry("how many now?"))
		if got := list(t, s, store.Filter{}); len(got) != 1 || got[0].ID != later {
			t.Errorf("%d entries, want the one that was asked after the erasure", len(got))
		}
	})
}
