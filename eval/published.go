package eval

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"askpg/ask"
)

// publishedFiles are the names under which BIRD, its mini-dev and Spider keep
// their questions, PostgreSQL's dialect first.
var publishedFiles = []string{
	"mini_dev_postgresql.json", "dev_postgresql.json", "dev.json", "test.json", "mini_dev_sqlite.json",
}

// readPublished reads a question file of BIRD (question_id, evidence, SQL) or
// Spider (query).
func (s *Set) readPublished() error {
	for _, name := range publishedFiles {
		path := filepath.Join(s.Dir, name)
		data, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		var items []struct {
			ID         *int   `json:"question_id"`
			Database   string `json:"db_id"`
			Question   string `json:"question"`
			Evidence   string `json:"evidence"`
			SQL        string `json:"SQL"`
			Query      string `json:"query"`
			Difficulty string `json:"difficulty"`
		}
		if err := json.Unmarshal(data, &items); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for i, item := range items {
			id := i
			if item.ID != nil {
				id = *item.ID
			}
			gold := cmp.Or(item.SQL, item.Query)
			s.Questions = append(s.Questions, Question{
				ID: fmt.Sprintf("%s-%d", s.Name, id), Database: item.Database, Text: item.Question, Hint: item.Evidence,
				Gold: []string{gold}, Difficulty: item.Difficulty, Ordered: endsOrdered(gold),
			})
		}
		return nil
	}
	return fmt.Errorf("question set %s: neither questions.jsonl nor a file of BIRD's or Spider's (%v)", s.Dir, publishedFiles)
}

// endsOrdered reports whether a statement's outermost query has an ORDER BY,
// which is how Spider's comparison decides whether the order of rows counts.
func endsOrdered(sql string) bool {
	tree, err := ask.Parse(sql)
	if err != nil || len(tree.Stmts) == 0 {
		return false
	}
	s := tree.Stmts[0].Stmt.GetSelectStmt()
	return s != nil && len(s.SortClause) > 0
}
