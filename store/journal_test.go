package store_test

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"askpg/ask"
	"askpg/store"
)

const journalHalf = 32 << 10

// writeJournal writes the journal of an earlier version beside a SQLite store: two halves of records, and zeros
// behind them.
func writeJournal(t *testing.T, cfg store.Config, halves ...[]store.Record) (path string) {
	t.Helper()
	file := make([]byte, 2*journalHalf)
	number := uint64(1795000000000000000)
	for i, records := range halves {
		at := file[i*journalHalf:]
		for _, r := range records {
			line, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			number++
			binary.LittleEndian.PutUint32(at, uint32(len(line)))
			binary.LittleEndian.PutUint64(at[8:], number)
			copy(at[16:], line)
			binary.LittleEndian.PutUint32(at[4:], crc32.Checksum(at[8:16+len(line)], crc32.MakeTable(crc32.Castagnoli)))
			at = at[16+len(line):]
		}
	}
	path = strings.TrimPrefix(cfg.URL, "sqlite:") + "-entries"
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func journalRecord(question string) store.Record {
	return store.Record{
		ID: ask.NewID(), Asked: time.Now().UTC(), Database: "shop", Role: "analyst", Question: question, Outcome: store.Answered, Source: "cache", SQL: "select 1",
		Candidates: []store.Candidate{{SQL: "select 1", Fate: "chosen"}, {Position: 1, SQL: "select 2", Fate: "outvoted"}},
	}
}

// What an earlier version that was killed has left in its journal is in the log after an upgrade, once.
func TestOpen_ImportsJournal(t *testing.T) {
	cfg := sqliteConfig(t)
	there := entry("in the tables already")
	first := open(t, cfg)
	add(t, first, there)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again := journalRecord("in the tables already")
	again.ID = there.Question.ID
	a, b, c := journalRecord("a"), journalRecord("b"), journalRecord("c")
	path := writeJournal(t, cfg, []store.Record{again, a, b}, []store.Record{c})
	s := open(t, cfg)
	if got := questions(list(t, s, store.Filter{})); got != "[c b a in the tables already]" {
		t.Error(got)
	}
	for _, id := range []string{a.ID, b.ID, c.ID} {
		if r := get(t, s, id); len(r.Candidates) != 2 || r.Source != "cache" {
			t.Errorf("%+v", r)
		}
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the journal is still there: %v", err)
	}
}

// The end of a record that a crash cut off does not cost the ones before it.
func TestOpen_ImportsTornJournal(t *testing.T) {
	cfg := sqliteConfig(t)
	path := writeJournal(t, cfg, []store.Record{journalRecord("a"), journalRecord("b"), journalRecord("c")})
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	end := len(strings.TrimRight(string(file), "\x00"))
	clear(file[end-100 : end])
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := questions(list(t, open(t, cfg), store.Filter{})); got != "[b a]" {
		t.Error(got)
	}
}

// The journal of an earlier version that still runs is left alone.
func TestOpen_LeavesLockedJournal(t *testing.T) {
	cfg := sqliteConfig(t)
	path := writeJournal(t, cfg, []store.Record{journalRecord("a")})
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	s := open(t, cfg)
	if got := list(t, s, store.Filter{}); len(got) != 0 {
		t.Errorf("%d records were imported", len(got))
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// A journal that cannot be imported stays, and the log opens without it.
func TestOpen_KeepsUnreadableJournal(t *testing.T) {
	cfg := sqliteConfig(t)
	path := strings.TrimPrefix(cfg.URL, "sqlite:") + "-entries"
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	get(t, open(t, cfg), add(t, open(t, withoutSpill(cfg)), entry("q")))
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// withoutSpill is cfg for a second store beside one that has the spill file open.
func withoutSpill(cfg store.Config) store.Config {
	cfg.Spill = ""
	return cfg
}
