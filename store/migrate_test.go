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
		dialect, now := "sqlite", "1795000000000000"
		if !strings.HasPrefix(cfg.URL, "sqlite:") {
			dialect, now = "postgres", "now()"
		}
		first, err := os.ReadFile("migrations/" + dialect + "/0001_log.sql")
		if err != nil {
			t.Fatal(err)
		}
		db := raw(t, cfg)
		if dialect == "postgres" {
			execute(t, db, `create schema askpg`)
		}
		execute(t, db, `create table schema_version (version integer not null); insert into schema_version values (1)`)
		execute(t, db, string(first))
		execute(t, db, `insert into translations (id, asked, database, question, sql, priority) values ('an id of an earlier version', `+now+`, 'shop', 'kept through a migration', 'select 1', 0.333)`)
		for _, c := range []string{`0, 'select 2', 'm', 'refused'`, `1, 'select 1', 'm', 'chosen'`, `2, 'select "3"', 'm', 'outvoted'`} {
			execute(t, db, `insert into candidates (translation, position, sql, model, fate) select seq, `+c+` from translations`)
		}
		for id, notices := range map[string]string{"verified": `'["verified answer, reviewed by R&D \"2\" on 2026-01-31, with day = 3 on 2026-02-01"]'`, "by nobody": `null`} {
			execute(t, db, `insert into translations (id, asked, database, question, sql, source, notices) values ('`+id+`', `+now+`, 'shop', 'q', 'select 1', 'example', `+notices+`)`)
		}

		s := open(t, cfg)
		r := get(t, s, "an id of an earlier version")
		if len(r.Candidates) != 3 || r.Candidates[1].Fate != "chosen" || r.Candidates[2].SQL != `select "3"` || r.Candidates[2].Position != 2 || r.Priority != 0.35 {
			t.Fatalf("%+v", r)
		}
		if found := list(t, s, store.Filter{Text: "through migration"}); len(found) != 1 {
			t.Fatalf("found %v by its words", questions(found))
		}
		var n, candidates, agreed int
		if by, none := get(t, s, "verified").Reviewer, get(t, s, "by nobody").Reviewer; by != `R&D "2"` || none != "" {
			t.Errorf("the reviewers are %q and %q", by, none)
		}
		if err := db.QueryRow(`select count(*) from log`).Scan(&n); err != nil || n != 3 {
			t.Fatal(n, err)
		}
		if err := db.QueryRow(`select sum(candidates), sum(agreed) from agreement`).Scan(&candidates, &agreed); err != nil || candidates != 3 || agreed != 1 {
			t.Fatal(candidates, agreed, err)
		}
		var asked, sql, question string
		if err := db.QueryRow(`select cast(asked as text), sql, question from candidate_log where candidate = 1`).Scan(&asked, &sql, &question); err != nil || !strings.HasPrefix(asked, "20") || sql != "select 2" {
			t.Fatal(asked, sql, question, err)
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
