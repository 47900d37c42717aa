package eval_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	_ "github.com/mattn/go-sqlite3"

	"askpg/eval"
)

// A set as Spider publishes it: its JSON file and SQLite databases, with what
// is odd about those.
func TestRun_SQLite(t *testing.T) {
	dir := writeFiles(t, map[string]string{"dev.json": `[
{"db_id":"club","question":"a","query":"SELECT Name FROM member WHERE Age > 30"},
{"db_id":"club","question":"b","query":"SELECT \"Joined On\" FROM member WHERE Note IS NULL"},
{"db_id":"club","question":"c","query":"SELECT count(*) FROM payment JOIN member ON payment.who = member.ID WHERE amount > 1.5"},
{"db_id":"club","question":"d","query":"SELECT strftime('%Y', \"Joined On\") FROM member"}]`,
	})
	name := filepath.Base(dir)
	answers := filepath.Join(dir, "answers.jsonl")
	var lines string
	for i, answer := range []string{"SELECT name FROM member WHERE age > 30", "SELECT date '2020-05-01'", "SELECT 2", "SELECT 1"} {
		lines += fmt.Sprintf(`{"id":"%s-%d","sql":"%s"}`+"\n", name, i, answer)
	}
	if err := os.WriteFile(answers, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "database/club"), 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite3", filepath.Join(dir, "database/club/club.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`
CREATE TABLE payment (who INT REFERENCES Member(ID), amount REAL);
CREATE TABLE Member (ID INTEGER PRIMARY KEY, Name VARCHAR(20), Age INT, "Joined On" DATE, Note TEXT, Broken TEXT REFERENCES absent(x));
INSERT INTO Member VALUES (1, 'Zoë	tab', 41, '2020-05-01', NULL, 1), (2, 'Back\slash', 22, '2021-12-31', 'x', NULL), (3, CAST(x'c9ec6d' AS TEXT), 'old', '2019-01-01', 'y', 'z');
INSERT INTO payment VALUES (1, 2), (1, 1.25), (3, 7), (99, 1);`); err != nil {
		t.Fatal(err)
	}
	primary, replica := shared(t)
	r := run(t, eval.Options{Sets: []string{dir}, Out: t.TempDir(), Predictions: []string{answers}, Server: primary, Replica: replica})
	s, err := r.Summary(name, "answers")
	if err != nil {
		t.Fatal(err)
	}
	// Age holds a text, so that it is text: the first gold fails, as does the last one.
	if s.NoGold != 2 || s.Questions != 2 || s.Perm != 1 {
		t.Fatalf("got %d golds that fail, %d questions, accuracy %v; want 2, 2 and 1: %+v", s.NoGold, s.Questions, s.Perm, r.Failures)
	}
}
