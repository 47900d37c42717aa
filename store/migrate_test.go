package store_test

import (
	"context"
	"database/sql"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"askpg/store"
)

// raw opens a store's database beside it.
func raw(t *testing.T, cfg store.Config) *sql.DB {
	t.Helper()
	if path, ok := strings.CutPrefix(cfg.URL, "sqlite:"); ok {
		return openSQL(t, path)
	}
	db, err := sql.Open("pgx", cfg.URL+"&search_path=askpg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func execute(t *testing.T, db *sql.DB, script string) {
	t.Helper()
	if _, err := db.Exec(script); err != nil {
		t.Fatal(err)
	}
}

// A log that an earlier version made is brought up to date with all its rows.
func TestOpen_Migrates(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		id := add(t, s, entry("kept through a migration"))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		db := raw(t, cfg)
		execute(t, db, `drop view log; drop view candidate_log; drop view agreement; delete from schema_version where version > 1`)
		s = open(t, cfg)
		if r := get(t, s, id); len(r.Candidates) != 3 {
			t.Fatalf("%+v", r)
		}
		var n, candidates, agreed int
		if err := db.QueryRow(`select count(*) from log`).Scan(&n); err != nil || n != 1 {
			t.Fatal(n, err)
		}
		if err := db.QueryRow(`select sum(candidates), sum(agreed) from agreement`).Scan(&candidates, &agreed); err != nil || candidates != 3 || agreed != 1 {
			t.Fatal(candidates, agreed, err)
		}
		var asked, question string
		if err := db.QueryRow(`select cast(asked as text), question from candidate_log where candidate = 1`).Scan(&asked, &question); err != nil || !strings.HasPrefix(asked, "20") {
			t.Fatal(asked, question, err)
		}
	})
}

func TestOpen_RefusesNewerSchema(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		open(t, cfg)
		execute(t, raw(t, cfg), `insert into schema_version values (99)`)
		cfg.Required = true
		if _, err := store.Open(context.Background(), cfg, slog.New(slog.DiscardHandler), nil); err == nil || !strings.Contains(err.Error(), "newer") {
			t.Fatal(err)
		}
	})
}

// Instances that start together must not migrate at once.
func TestOpen_TogetherMigratesOnce(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		cfg.Spill = ""
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				s, err := store.Open(context.Background(), cfg, slog.New(slog.DiscardHandler), nil)
				if err != nil {
					t.Error(err)
					return
				}
				if err := s.Append(context.Background(), entry("q")); err != nil {
					t.Error(err)
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got := list(t, open(t, cfg), store.Filter{}); len(got) != 6 {
			t.Fatalf("%d entries of 6", len(got))
		}
	})
}

func TestOpen_FileIsPrivate(t *testing.T) {
	cfg := sqliteConfig(t)
	open(t, cfg)
	for _, path := range []string{strings.TrimPrefix(cfg.URL, "sqlite:"), cfg.Spill} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Fatal(path, info.Mode(), err)
		}
	}
}
