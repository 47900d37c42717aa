package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Question is one question of a set and what is right for it.
type Question struct {
	ID           string   `json:"id"`
	Database     string   `json:"db"`
	Role         string   `json:"role"` // who asks; empty for one who may read everything
	Text         string   `json:"question"`
	Hint         string   `json:"hint"`
	Gold         []string `json:"gold"` // SQL texts, any one of which is right; none for an unanswerable question
	Difficulty   string   `json:"difficulty"`
	Ordered      bool     `json:"ordered"`      // the order of the rows counts
	Tie          bool     `json:"tie"`          // the gold cuts off rows that tie with the last one
	GoldEmpty    bool     `json:"gold_empty"`   // the gold returns nothing
	Unanswerable bool     `json:"unanswerable"` // right is to refuse
}

// Set is a question set.
type Set struct {
	Name      string
	Dir       string
	Questions []Question // in the order of the file; the unanswerable ones last
	Databases []string   // names of the databases that the questions are about, sorted
}

// Load reads the question set of a folder: one with questions.jsonl and
// databases/DB.sql (and unanswerable.jsonl where there is one), or one as BIRD
// or Spider publish it, with their JSON file and a database folder.
func Load(dir string) (*Set, error) {
	s := &Set{Name: filepath.Base(filepath.Clean(dir)), Dir: dir}
	if _, err := os.Stat(filepath.Join(dir, "questions.jsonl")); err == nil {
		if err := s.readLines("questions.jsonl", false); err != nil {
			return nil, err
		}
		if err := s.readLines("unanswerable.jsonl", true); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	} else if err := s.readPublished(); err != nil {
		return nil, err
	}
	seen, databases := map[string]bool{}, map[string]bool{}
	for i := range s.Questions {
		q := &s.Questions[i]
		switch {
		case q.ID == "" || seen[q.ID]:
			return nil, fmt.Errorf("question set %s: question %d has no id of its own (%q)", dir, i+1, q.ID)
		case q.Text == "" || q.Database == "":
			return nil, fmt.Errorf("question set %s: question %s has no text or no database", dir, q.ID)
		case len(q.Gold) == 0 && !q.Unanswerable:
			return nil, fmt.Errorf("question set %s: question %s has no gold SQL", dir, q.ID)
		}
		seen[q.ID], databases[q.Database] = true, true
	}
	s.Databases = slices.Sorted(maps.Keys(databases))
	return s, nil
}

func (s *Set) readLines(name string, unanswerable bool) error {
	path := filepath.Join(s.Dir, name)
	return eachLine(path, func(line []byte) error {
		var q Question
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		if unanswerable || q.Unanswerable {
			// The hints of such sets tell how to say so, which is not evidence.
			q.Unanswerable, q.Gold, q.Hint = true, nil, ""
		}
		s.Questions = append(s.Questions, q)
		return nil
	})
}

// predictions reads the recorded answers of a system of the set, by question.
// The name is that of a file in the folder predictions, or a path.
func (s *Set) predictions(name string) (map[string]string, error) {
	path := name
	if !strings.ContainsRune(name, filepath.Separator) {
		path = filepath.Join(s.Dir, "predictions", strings.TrimSuffix(name, ".jsonl")+".jsonl")
	}
	answers := map[string]string{}
	err := eachLine(path, func(line []byte) error {
		var p struct{ ID, SQL string }
		if err := json.Unmarshal(line, &p); err != nil {
			return err
		}
		answers[p.ID] = p.SQL
		return nil
	})
	return answers, err
}

// recorded returns the names of the systems that the set has answers of.
func (s *Set) recorded() []string {
	files, _ := filepath.Glob(filepath.Join(s.Dir, "predictions", "*.jsonl"))
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".jsonl"))
	}
	return names
}

// goOn reads the lines of a file that an earlier run has written, from 0. It cuts off a last one that was not written to
// its end, and stands behind the others.
func goOn(file *os.File, f func(n int, line []byte) error) error {
	reader := bufio.NewReader(file)
	var end int64
	for n := 0; ; n++ {
		line, err := reader.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err == nil {
			err = f(n, line)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n+1, err)
		}
		end += int64(len(line))
	}
	if err := file.Truncate(end); err != nil {
		return err
	}
	_, err := file.Seek(end, io.SeekStart)
	return err
}

func eachLine(path string, f func(line []byte) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 16<<20)
	for n := 1; scanner.Scan(); n++ {
		line := bytes.TrimSpace(scanner.Bytes())
		if len(line) == 0 {
			continue
		}
		if err := f(line); err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	if err := scanner.Err(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
