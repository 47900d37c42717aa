package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/store"
)

// The marks of a person whose bytes are looked for, and of another one whose stay.
const (
	person, theirs = "zyxwolf", "quaggas"
	other, others  = "annabel", "okapis"
)

// personal is an entry whose every part holds a login's name or word.
func personal(login, word string) store.Entry {
	e := alone("how many " + word + " were sold")
	e.Question.Session.SessionUser, e.Question.Session.Role = login, login
	e.Question.Hint, e.Question.Client.ApplicationName = "hint of "+word, "app of "+word
	e.Question.Options = map[string]string{"language": word}
	e.Translation.SQL = "select '" + word + "'"
	for i := range e.Translation.Candidates {
		e.Translation.Candidates[i].SQL = "select '" + word + "'"
	}
	e.Translation.Result = &ask.Result{Columns: []ask.Column{{Name: "n"}}, Rows: [][][]byte{{[]byte(word)}}, Complete: true}
	e.Translation.Linked = []ask.Link{{Words: word, Object: "t"}}
	e.Translation.Demos = nil
	e.Prompts = []ask.Prompt{{Model: "m", Text: "prompt of " + word}}
	return e
}

// spillLine is an entry as a spill file holds it.
func spillLine(t *testing.T, login, word string) []byte {
	t.Helper()
	line, err := json.Marshal(store.Record{ID: ask.NewID(), Asked: time.Now().Add(-time.Minute).UTC(), Login: login, Role: login, Database: "shop", Question: "how many " + word + " were spilled", Outcome: store.Answered})
	if err != nil {
		t.Fatal(err)
	}
	return append(line, '\n')
}

// TestErase erases a login, and looks for its bytes in all files of the store, of the spill file and of exports.
func TestErase(t *testing.T) { both(t, testErase) }

func testErase(t *testing.T, cfg store.Config) {
	ctx := context.Background()
	cfg.KeepRows, cfg.KeepPrompts = 10, 10
	s := open(t, cfg)
	for range 40 { // over many pages
		add(t, s, personal(person, theirs))
		add(t, s, personal(other, others))
	}
	first, second := add(t, s, personal(person, theirs)), add(t, s, personal(other, others))
	if err := s.Feedback(ctx, first, false, person, "wrong, the "+theirs); err != nil {
		t.Fatal(err)
	}
	if err := s.Feedback(ctx, second, true, person, "as with the "+theirs); err != nil {
		t.Fatal(err)
	}
	if err := s.Feedback(ctx, second, true, other, "good "+others); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Approve(ctx, first, nil, store.Reviewer{Name: other}, "seen"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Approve(ctx, second, nil, store.Reviewer{Name: person}, "by me, with "+theirs); err != nil {
		t.Fatal(err)
	}
	if err := s.Assign(ctx, second, nil, person); err != nil {
		t.Fatal(err)
	}
	shown := personal(other, others) // was shown the person's example, and answered by the one that he signed
	shown.Translation.Demos = []string{"how many " + theirs + " were sold"}
	shown.Translation.Notices, shown.Translation.Reviewer = []string{"verified answer, reviewed by " + person + " on 2026-01-31"}, person
	shown.Prompts = []ask.Prompt{{Model: "m", Text: "like: how many " + theirs + " were sold"}}
	add(t, s, shown)
	if _, err := s.List(ctx, store.Filter{Text: theirs}); err != nil { // the words are indexed
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	spilled := append(spillLine(t, person, theirs), spillLine(t, other, others)...)
	for path, text := range map[string][]byte{cfg.Spill: spilled, cfg.Spill + ".taking": spilled, cfg.Spill + ".bad": append([]byte(`{"id":"","login":"`+person+`"}`+"\n"), []byte(`{"id":"","login":"`+other+`"}`+"\n")...)} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if found := findBytes(t, cfg, person); len(found) == 0 {
		t.Fatal("the search does not find what is there")
	}

	without := cfg
	without.Spill = ""
	s = open(t, without)
	done, err := s.Erase(ctx, store.Erasure{Login: person})
	if err != nil || done.Translations != 41 || done.Examples != 1 {
		t.Fatalf("erased %+v, %v", done, err)
	}
	gone, err := store.EraseSpill(cfg.Spill, store.Erasure{Login: person}, done.Until)
	if want := (store.SpillErased{Entries: 3}); err != nil || gone != want {
		t.Errorf("erased %+v of the spill file, %v, want %+v", gone, err, want)
	}
	var exports bytes.Buffer
	for _, f := range []store.Format{store.JSONL, store.CSV} {
		if err := s.Export(ctx, &exports, f, store.Filter{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.ExportExamples(ctx, &exports, ""); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{person, theirs} {
		if bytes.Contains(exports.Bytes(), []byte(word)) {
			t.Errorf("an export holds %q", word)
		}
		for _, f := range findBytes(t, cfg, word) { // while the store is open
			t.Errorf("%q is in %s", word, f)
		}
	}
	if got := list(t, s, store.Filter{Limit: 100}); len(got) != 42 {
		t.Errorf("%d translations of others, want 42", len(got))
	}
	if got := list(t, s, store.Filter{Text: others, Limit: 100}); len(got) != 42 {
		t.Errorf("the words find %d translations of others, want 42", len(got))
	}
	if e, err := s.ExampleOf(ctx, "shop", "analyst", "how many "+others+" were sold", "hint of "+others); err != nil || e == nil || e.Reviewer != "erased" {
		t.Errorf("the other's example: %+v, %v", e, err)
	}
	if words, err := s.Remarks(ctx, second); err != nil || len(words) != 2 {
		t.Errorf("remarks on the other's translation: %+v, %v", words, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	// What another instance has spilled of the person does not come back; the others' does.
	if err := os.WriteFile(cfg.Spill, append(spillLine(t, person, theirs), spillLine(t, other, others)...), 0o600); err != nil {
		t.Fatal(err)
	}
	s = open(t, cfg)
	eventually(t, "the spill file is taken over", func() bool {
		_, err := os.Stat(cfg.Spill + ".taking")
		return s.Spilled() == 0 && os.IsNotExist(err)
	})
	if got := list(t, s, store.Filter{Limit: 100}); len(got) != 44 || strings.Contains(questions(got), theirs) {
		t.Errorf("after the spill file %d translations: %s", len(got), questions(got))
	}
	late := personal(person, theirs) // asked after the erasure
	late.Question.Asked = time.Now().Add(time.Second)
	add(t, s, late)
	if got := list(t, s, store.Filter{Text: theirs}); len(got) != 1 {
		t.Error("who comes back is not logged")
	}
}

// findBytes returns the files of a store, and of its spill file, that hold a word.
func findBytes(t *testing.T, cfg store.Config, word string) (files []string) {
	t.Helper()
	dirs, skipped := []string{filepath.Dir(cfg.Spill)}, []string(nil)
	if strings.HasPrefix(cfg.URL, "postgres") {
		db := raw(t, cfg)
		defer db.Close()
		var dir, oid, statistics string
		if err := db.QueryRow(`select current_setting('data_directory'), d.oid::text, pg_relation_filenode('pg_statistic')::text || ' ' || pg_relation_filenode(c.reltoastrelid)
			from pg_database d, pg_class c where d.datname = current_database() and c.oid = 'pg_statistic'::regclass`).Scan(&dir, &oid, &statistics); err != nil {
			t.Fatal(err)
		}
		// Autovacuum may have analysed the tables before the erasure. docs/operation.md says when that goes.
		skipped = strings.Fields(statistics)
		execute(t, db, `checkpoint`)
		dirs = append(dirs, filepath.Join(dir, "base", oid))
	}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || slices.Contains(skipped, d.Name()) {
				return nil // a file that PostgreSQL deletes meanwhile
			}
			text, err := os.ReadFile(path)
			if err == nil && bytes.Contains(text, []byte(word)) {
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestErase_Before erases what was asked before a time, with what was said of it, and the orphans of retention.
func TestErase_Before(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		ctx := context.Background()
		s := open(t, cfg)
		old := personal(person, theirs)
		old.Question.Asked = time.Now().Add(-72 * time.Hour)
		id := add(t, s, old)
		stays := add(t, s, personal(person, theirs))
		for _, id := range []string{id, stays} {
			if err := s.Feedback(ctx, id, false, other, "no"); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Erase(ctx, store.Erasure{}); err == nil {
			t.Error("everything was erased")
		}
		done, err := s.Erase(ctx, store.Erasure{Before: time.Now().Add(-48 * time.Hour)})
		if err != nil || done.Translations != 1 || done.Remarks != 1 {
			t.Fatalf("erased %+v, %v", done, err)
		}
		if got := list(t, s, store.Filter{}); len(got) != 1 || got[0].ID != stays {
			t.Errorf("there are %s", questions(got))
		}
		if _, err := s.Prune(ctx, time.Now().Add(3*365*24*time.Hour)); err != nil {
			t.Fatal(err)
		}
		if words, err := s.Remarks(ctx, stays); err != nil || len(words) != 0 {
			t.Errorf("retention left %+v, %v", words, err)
		}
	})
}
