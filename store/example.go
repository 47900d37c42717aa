package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"askpg/ask"
	"askpg/ask/param"
)

// Status is whether an example may answer.
type Status string

// The states of an example.
const (
	Verified Status = "verified"
	Stale    Status = "stale"   // no longer plans; waits for a reviewer
	Retired  Status = "retired" // replaced or rejected
)

// Example is a question and the SQL that a reviewer has vouched for. It answers every role of its database that may run
// the SQL, or one role alone if its reviewer may not judge for all.
type Example struct {
	ID            string            `json:"id"`
	Database      string            `json:"database"`
	Question      string            `json:"question"`
	Key           string            `json:"-" sql:"question_key"` // of question and hint, normalised
	Hint          string            `json:"hint,omitempty"`
	SQL           string            `json:"sql"`
	Status        Status            `json:"status"`
	Note          string            `json:"note,omitempty"`
	Translation   string            `json:"translation,omitempty"` // that it came from
	Role          string            `json:"role,omitempty"`        // that asked
	OnlyFor       string            `json:"only_for,omitempty"`    // the one role that it answers; empty: all
	Reviewer      string            `json:"reviewer,omitempty"`
	SchemaVersion string            `json:"schema_version,omitempty"`
	Settings      map[string]string `json:"settings,omitempty"` // that the SQL was verified under
	Created       time.Time         `json:"created"`
	Updated       time.Time         `json:"updated"`
	Used          int64             `json:"-" sql:"used"` // how often it has answered

	// Question and SQL with the marks of the parameters; empty if there are
	// none. Question and SQL are what they were marked in.
	MarkedQuestion string            `json:"-" sql:"marked_question"`
	MarkedSQL      string            `json:"-" sql:"marked_sql"`
	Parameters     []param.Parameter `json:"-" sql:"parameters"`

	SampleKey string `json:"-" sql:"sample_key"` // question_key of the question that was marked
}

// questionKey is what an exact match compares.
func questionKey(question, hint string) string { return keyOf("", ask.Normalise(question), hint) }

// templateKey is the question_key of an example with parameters: examples that
// match the same questions have the same.
func templateKey(t *param.Template, hint string) string { return keyOf("parameters ", t.Key(), hint) }

func keyOf(kind, text, hint string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s%d:%s%s", kind, len(text), text, ask.Normalise(hint)))
	return hex.EncodeToString(sum[:16])
}

func (r *Record) example(w Remark) *Example {
	e := &Example{Database: r.Database, Question: r.Question, Hint: r.Hint, SQL: r.SQL, Note: w.Reason, Translation: r.ID, Role: r.Role, Reviewer: w.By, SchemaVersion: r.SchemaVersion, Settings: r.Settings}
	if w.SQL != "" {
		e.SQL = w.SQL
	}
	return e
}

func (e *Example) complete() error {
	if e.Question == "" || e.SQL == "" || e.Database == "" {
		return errors.New("an example needs a database, a question and SQL")
	}
	return nil
}

// putExample makes e the one example that stands for its question and those whom it answers.
func (s *Store) putExample(ctx context.Context, tx *sql.Tx, e *Example) error {
	now := time.Now().UTC().Truncate(time.Microsecond)
	e.ID, e.Key, e.SampleKey, e.Status, e.Updated = ask.NewID(), questionKey(e.Question, e.Hint), "", Verified, now
	if e.MarkedQuestion != "" {
		t, err := param.Compile(e.MarkedQuestion, e.MarkedSQL)
		if err != nil {
			return err
		}
		e.setTemplate(t)
		e.Key, e.SampleKey = templateKey(t, e.Hint), e.Key
	}
	if e.Created.IsZero() {
		e.Created = now
	}
	if err := e.complete(); err != nil {
		return err
	}
	makeTextsStorable(reflect.ValueOf(e))
	c := &clause{}
	c.add("database = ? and question_key = ? and only_for = ? and status <> 'retired'", e.Database, e.Key, e.OnlyFor)
	if _, err := tx.ExecContext(ctx, s.bind(`update examples set status = 'retired', updated = ?`+c.String()), append([]any{s.time(now)}, c.args...)...); err != nil {
		return err
	}
	return add(ctx, s, tx, "examples", exampleFields, e)
}

// ExampleOf returns the verified example that answers a role whose question and hint are the same
// as those given but for blanks, case and closing punctuation. Otherwise it returns the one with
// parameters that was marked in this question; nil without an error if there is none. One that
// answers this role alone comes first.
func (s *Store) ExampleOf(ctx context.Context, database, role, question, hint string) (*Example, error) {
	key := questionKey(question, hint)
	list, err := s.examples(ctx, `where database = ? and (question_key = ? or sample_key = ?) and only_for in ('', ?) and status = 'verified'`, database, key, key, role)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	rank := func(e Example) (n int) {
		if e.Key != key {
			n = 2
		}
		if e.OnlyFor == "" {
			n++
		}
		return n
	}
	e := slices.MinFunc(list, func(a, b Example) int { return rank(a) - rank(b) })
	return &e, nil
}

// Examples returns the examples of a database, or of all if it is empty, that
// have the given status, or stand (verified or stale) if it is empty.
func (s *Store) Examples(ctx context.Context, database string, status Status) ([]Example, error) {
	c := &clause{}
	c.equals("database", database)
	c.equals("status", string(status))
	if status == "" {
		c.add("status <> 'retired'")
	}
	return s.examples(ctx, c.String(), c.args...)
}

func (s *Store) examples(ctx context.Context, where string, args ...any) ([]Example, error) {
	ctx, cancel := s.readContext(ctx)
	defer cancel()
	list, err := collect(ctx, s, s.read, fmt.Sprintf(`select %s from examples %s order by database, question, id`, columns("", exampleFields), where), args, scanTargets(exampleFields))
	if err != nil {
		return nil, fmt.Errorf("examples: %w", err)
	}
	return list, nil
}

// countUses counts the answers of examples. The rows are taken in the order of their ids by everybody, so that instances
// do not lock each other out.
func (s *Store) countUses(ctx context.Context, tx *sql.Tx, records []*Record) error {
	uses := map[string]int{}
	for _, r := range records {
		if r.Source == string(ask.SourceExample) && r.Outcome == Answered && len(r.Candidates) == 1 {
			uses[r.Candidates[0].Prompt]++
		}
	}
	for _, id := range slices.Sorted(maps.Keys(uses)) {
		if _, err := tx.ExecContext(ctx, s.bind(`update examples set used = used + ? where id = ?`), uses[id], id); err != nil {
			return fmt.Errorf("example %s: %w", id, err)
		}
	}
	return nil
}
