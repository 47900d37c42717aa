package store_test

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"askpg/ask"
	"askpg/store"
)

// journaled is a store whose entries stay in the journal until they are read,
// and what logs answers of the cache there.
func journaled(t *testing.T, cfg store.Config) (*store.Store, func(text string) string) {
	t.Helper()
	s := open(t, cfg)
	tr := store.Logged(ask.TranslatorFunc(func(_ context.Context, q ask.Question) (*ask.Translation, error) {
		tr := translated(q.ID)
		tr.Source = ask.SourceCache
		return tr, nil
	}), s)
	return s, func(text string) string {
		t.Helper()
		q := asked(text)
		if _, err := tr.Translate(context.Background(), q); err != nil {
			t.Error(err)
		}
		return q.ID
	}
}

func journalConfig(t *testing.T) store.Config {
	cfg := sqliteConfig(t)
	cfg.JournalDelay = ask.Duration(time.Hour)
	return cfg
}

// crashed returns the configuration of a copy of the store's files as they are.
func crashed(t *testing.T, cfg store.Config) store.Config {
	t.Helper()
	from, to := filepath.Dir(strings.TrimPrefix(cfg.URL, "sqlite:")), t.TempDir()
	files, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(from, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, f.Name()), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg.URL, cfg.Spill = "sqlite:"+filepath.Join(to, "log.db"), filepath.Join(to, "spill")
	return cfg
}

// rows counts the translations that the tables of a store hold, whoever has it open.
func rows(t *testing.T, cfg store.Config) (n int) {
	t.Helper()
	if err := openSQL(t, strings.TrimPrefix(cfg.URL, "sqlite:")).QueryRow("select count(*) from translations").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestJournal_IsReadAtOnce(t *testing.T) {
	cfg := journalConfig(t)
	s, answer := journaled(t, cfg)
	id := answer("how many orders")
	if n := rows(t, cfg); n != 0 {
		t.Fatalf("%d entries are in the tables; the journal was to have it", n)
	}
	r := get(t, s, id)
	if r.Question != "how many orders" || len(r.Candidates) != 3 || r.Source != "cache" || r.Settings["TimeZone"] != "UTC" || len(r.History) != 1 || r.Plan != "Aggregate" {
		t.Errorf("%+v", r)
	}
	answer("how many customers")
	if got := questions(list(t, s, store.Filter{})); got != "[how many customers how many orders]" {
		t.Error(got)
	}
	id = answer("how many invoices")
	if err := s.Feedback(context.Background(), id, false, "ann", "wrong"); err != nil {
		t.Error(err)
	}
	answer("how many orders")
	o, err := s.Overview(context.Background(), store.OverviewFilter{})
	if err != nil || len(o.Sources) != 1 || o.Sources[0].N != 4 {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestJournal_IsMovedInTime(t *testing.T) {
	cfg := journalConfig(t)
	cfg.JournalDelay = ask.Duration(time.Millisecond)
	_, answer := journaled(t, cfg)
	answer("q")
	eventually(t, "the entry is in the tables", func() bool { return rows(t, cfg) == 1 })
}

// What a process leaves that ends at any moment is taken over by the next
// one, once, be it one that serves or a command.
func TestJournal_IsTakenOver(t *testing.T) {
	for _, serves := range []bool{true, false} {
		cfg := journalConfig(t)
		s, answer := journaled(t, cfg)
		a := answer("a")
		get(t, s, a) // moved
		b, c := answer("b"), answer("c")
		after := crashed(t, cfg)
		if !serves {
			after.Spill, after.JournalBytes = "", 0
		}
		next := open(t, after)
		if n := rows(t, after); n != 3 {
			t.Errorf("serves %v: %d of 3 entries", serves, n)
		}
		for _, id := range []string{a, b, c} {
			if r := get(t, next, id); len(r.Candidates) != 3 {
				t.Errorf("serves %v: %+v", serves, r)
			}
		}
		// Nothing of what people asked stays in the file.
		left, err := os.ReadFile(strings.TrimPrefix(after.URL, "sqlite:") + "-entries")
		if err != nil || strings.Trim(string(left), "\x00") != "" {
			t.Errorf("serves %v: %d bytes are left, %v", serves, len(strings.Trim(string(left), "\x00")), err)
		}
	}
}

// A command that reads the log leaves the journal of a process that serves alone.
func TestJournal_IsNotShared(t *testing.T) {
	cfg := journalConfig(t)
	s, answer := journaled(t, cfg)
	answer("q")
	command := cfg
	command.Spill, command.JournalBytes = "", 0
	if other := open(t, command); len(list(t, other, store.Filter{})) != 0 {
		t.Error("the command has moved the entry")
	}
	serving := cfg
	serving.Spill = ""
	second, answerSecond := journaled(t, serving)
	id := answerSecond("committed by itself")
	if n := rows(t, cfg); n != 1 {
		t.Errorf("%d entries", n)
	}
	get(t, second, id)
	if n := len(list(t, s, store.Filter{})); n != 2 {
		t.Errorf("%d of 2 entries", n)
	}
}

// The end of an entry that a crash cut off does not cost the ones before it.
func TestJournal_Torn(t *testing.T) {
	cfg := journalConfig(t)
	_, answer := journaled(t, cfg)
	answer("a")
	answer("b")
	answer("c")
	after := crashed(t, cfg)
	path := strings.TrimPrefix(after.URL, "sqlite:") + "-entries"
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	end := len(strings.TrimRight(string(b), "\x00"))
	for i := end - 100; i < end; i++ {
		b[i] = 0
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := questions(list(t, open(t, after), store.Filter{})); got != "[b a]" {
		t.Error(got)
	}
}

// More than it holds goes to the store beside it.
func TestJournal_Full(t *testing.T) {
	cfg := journalConfig(t)
	cfg.JournalBytes = 64 << 10
	s, answer := journaled(t, cfg)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 25 {
				answer("q " + strings.Repeat("word ", 200))
			}
			answer("long " + strings.Repeat("word ", 20_000))
		})
	}
	wg.Wait()
	page, err := s.List(context.Background(), store.Filter{Limit: 1000})
	if err != nil || len(page.Records) != 8*26 {
		t.Errorf("%d of %d entries, %v", len(page.Records), 8*26, err)
	}
}

// While the store does not work the spill file takes what the journal has, or
// who asks is told.
func TestJournal_StoreAway(t *testing.T) {
	t.Parallel() // it mostly waits
	cfg := journalConfig(t)
	cfg.WriteTimeout = ask.Duration(100 * time.Millisecond)
	s, answer := journaled(t, cfg)
	release := lockFile(t, cfg)
	a := answer("a")
	list(t, s, store.Filter{}) // moves, in vain
	if s.Spilled() == 0 {
		t.Error("the spill file has not taken the entry")
	}
	b := answer("b")
	release()
	for _, id := range []string{a, b} {
		eventually(t, "the entry is taken over", func() bool {
			_, err := s.Get(context.Background(), id)
			return err == nil
		})
	}
}

func TestJournal_RequiredRefuses(t *testing.T) {
	cfg := journalConfig(t)
	cfg.Required, cfg.WriteTimeout = true, ask.Duration(100*time.Millisecond)
	s, answer := journaled(t, cfg)
	release := lockFile(t, cfg)
	a := answer("a")
	list(t, s, store.Filter{})
	tr := store.Logged(ask.TranslatorFunc(func(_ context.Context, q ask.Question) (*ask.Translation, error) {
		tr := translated(q.ID)
		tr.Source = ask.SourceCache
		return tr, nil
	}), s)
	if _, err := tr.Translate(context.Background(), asked("b")); ask.CodeOf(err) != ask.CodeObjectNotReady {
		t.Errorf("an answer went out that is not in the log: %v", err)
	}
	after := crashed(t, cfg)
	release()
	get(t, open(t, after), a)
	eventually(t, "the entry is moved", func() bool {
		_, err := s.Get(context.Background(), a)
		return err == nil
	})
}

// A disk without room for the journal has none, and the log goes on.
func TestJournal_NoRoom(t *testing.T) {
	cfg := journalConfig(t)
	cfg.JournalBytes = 1 << 30
	limitFiles(t, 8<<20)
	s, err := store.Open(context.Background(), cfg, slog.New(slog.NewTextHandler(io.Discard, nil)), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	get(t, s, add(t, s, entry("q")))
}
