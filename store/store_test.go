package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/store"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// both runs a test against SQLite and PostgreSQL.
func both(t *testing.T, test func(t *testing.T, cfg store.Config)) {
	t.Run("sqlite", func(t *testing.T) { test(t, sqliteConfig(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, postgresConfig(t)) })
}

// patientConfig lets a machine take its time that other tests keep busy.
func patientConfig() store.Config {
	cfg := store.DefaultConfig()
	cfg.WriteTimeout, cfg.ReadTimeout, cfg.LookupTimeout = ask.Duration(time.Minute), ask.Duration(time.Minute), ask.Duration(time.Minute)
	return cfg
}

func sqliteConfig(t testing.TB) store.Config {
	cfg := patientConfig()
	dir := t.TempDir()
	cfg.URL, cfg.Spill = "sqlite:"+filepath.Join(dir, "log.db"), filepath.Join(dir, "spill")
	return cfg
}

func postgresConfig(t testing.TB) store.Config {
	cfg := patientConfig()
	cfg.URL = pgtest.Shared(t).Primary.URL(pgtest.Superuser, pgtest.NewDatabase(t, ""))
	cfg.Spill = filepath.Join(t.TempDir(), "spill")
	return cfg
}

func open(t testing.TB, cfg store.Config) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), cfg, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// asked is a question like the ones that the proxy sends.
func asked(text string) ask.Question {
	return ask.Question{
		ID: ask.NewID(), Text: text, Hint: "paid ones", Asked: time.Now(), Options: map[string]string{"strategy": "auto"},
		History: []ask.Turn{{Question: "before", SQL: "select 0"}},
		Session: ask.Session{
			Database: "shop", Role: "analyst", SessionUser: "ann",
			Settings: map[string]string{"TimeZone": "UTC", "search_path": "public"}, Ask: map[string]string{"notices": "off"},
		},
		Client: ask.Client{Address: "127.0.0.1:4711", ApplicationName: "psql", Annotations: []string{"Metabase:: userID: 7"}},
	}
}

// translated is a translation with everything in it.
func translated(id string) *ask.Translation {
	return &ask.Translation{
		ID: id, SQL: "select count(*) from orders", Columns: []ask.Column{{Name: "count", TypeOID: 20}}, Confidence: 0.75, Chosen: 1,
		Candidates: []ask.Candidate{
			{SQL: "select 1 from nowhere", Origin: ask.Origin{Model: "main", Prompt: "ddl", Sample: 1}, Fate: ask.FateInvalid, Rows: -1,
				Err: ask.Errorf("42P01", "relation \"nowhere\" does not exist").WithHint("look again")},
			{SQL: "select count(*) from orders", Origin: ask.Origin{Model: "main", Prompt: "compact", Sample: 2}, Fate: ask.FateChosen,
				Votes: 3, Fingerprint: "f1", Rows: 1, Cost: 12.5, Elapsed: 3 * time.Millisecond},
			{SQL: "select count(id) from orders", Origin: ask.Origin{Model: "other", Prompt: "ddl", Sample: 1, Repair: 1}, Fate: ask.FateOutvoted,
				Votes: 1, Fingerprint: "f2", Rows: 1, Cost: 13},
		},
		Strategy: "auto", Source: ask.SourceModel, Understood: "the number of orders", Linked: []ask.Link{{Words: "orders", Object: "public.orders", Why: "name"}},
		Notices: []string{"lag 2 s"}, Demos: []string{"how many invoices"}, Usage: ask.Usage{Calls: 3, PromptTokens: 100, CompletionTokens: 20, Cost: 0.01},
		Stages: []ask.Stage{{Name: "link", Elapsed: time.Millisecond}}, Replica: ask.Replica{Name: "r1:5433", Lag: 2 * time.Second},
		Plan: "Aggregate", Result: &ask.Result{Columns: []ask.Column{{Name: "count"}}, Rows: [][][]byte{{[]byte("42")}}, Complete: true},
		Schema: "v1", Key: "key-" + id, Elapsed: 5 * time.Millisecond,
	}
}

func entry(text string) store.Entry {
	q := asked(text)
	return store.Entry{Question: q, Translation: translated(q.ID), Elapsed: 6 * time.Millisecond}
}

func add(t testing.TB, s *store.Store, e store.Entry) string {
	t.Helper()
	if err := s.Append(context.Background(), e); err != nil {
		t.Fatal(err)
	}
	return e.Question.ID
}

func get(t testing.TB, s *store.Store, id string) *store.Record {
	t.Helper()
	r, err := s.Get(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func list(t testing.TB, s *store.Store, f store.Filter) []store.Record {
	t.Helper()
	page, err := s.List(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	return page.Records
}

func questions(records []store.Record) string {
	var texts []string
	for _, r := range records {
		texts = append(texts, r.Question)
	}
	return fmt.Sprint(texts)
}

// openSQL opens a SQLite file beside the store, on one connection.
func openSQL(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}
