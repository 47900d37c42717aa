package eval_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"askpg/eval"
)

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLoad(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		want  string // ids of the questions, or part of the error
	}{
		{"Own", map[string]string{
			"questions.jsonl":    `{"id":"a","db":"d","question":"q","gold":["select 1"]}` + "\n\n" + `{"id":"b","db":"c","question":"q","unanswerable":true}`,
			"unanswerable.jsonl": `{"id":"c","db":"d","question":"q","hint":"say no","gold":["select 'no'"]}`,
		}, "a b c"},
		{"BIRD", map[string]string{
			"mini_dev_postgresql.json": `[{"question_id":7,"db_id":"d","question":"q","evidence":"e","SQL":"SELECT 1","difficulty":"simple"}]`,
		}, "-7"},
		{"Spider", map[string]string{"dev.json": `[{"db_id":"d","question":"q","query":"SELECT a FROM t ORDER BY a"}]`}, "-0"},
		{"SameID", map[string]string{"questions.jsonl": strings.Repeat(`{"id":"a","db":"d","question":"q","gold":["select 1"]}`+"\n", 2)}, "no id of its own"},
		{"NoGold", map[string]string{"questions.jsonl": `{"id":"a","db":"d","question":"q"}`}, "no gold SQL"},
		{"NotJSON", map[string]string{"questions.jsonl": "{}\nx"}, "questions.jsonl:2"},
		{"Nothing", map[string]string{"readme": ""}, "neither questions.jsonl"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := eval.Load(writeFiles(t, test.files))
			if err != nil {
				if !strings.Contains(err.Error(), test.want) {
					t.Fatalf("got error %v, want %q", err, test.want)
				}
				return
			}
			var ids []string
			for _, q := range s.Questions {
				ids = append(ids, strings.TrimPrefix(q.ID, s.Name))
				if q.Unanswerable && (q.Gold != nil || q.Hint != "") {
					t.Errorf("unanswerable question %s has gold %q and hint %q", q.ID, q.Gold, q.Hint)
				}
			}
			if got := strings.Join(ids, " "); got != test.want {
				t.Fatalf("got questions %q, want %q", got, test.want)
			}
			if test.name == "Spider" && !s.Questions[0].Ordered {
				t.Fatal("a gold with ORDER BY is not marked as ordered")
			}
		})
	}
}
