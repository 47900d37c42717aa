package store

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// field is a column of a table and the place that it has in a T.
type field[T any] struct {
	name string
	typ  string // in PostgreSQL
	at   func(*T) any
}

// text is a column of texts. As in the functions below, at returns a pointer to the column's place in a T.
func text[T any](name string, at func(*T) *string) field[T] {
	return field[T]{name, "text", func(t *T) any { return at(t) }}
}

func integer[T any](name string, at func(*T) *int64) field[T] {
	return field[T]{name, "bigint", func(t *T) any { return at(t) }}
}

func number[T any](name string, at func(*T) *float64) field[T] {
	return field[T]{name, "double precision", func(t *T) any { return at(t) }}
}

func boolean[T any](name string, at func(*T) *bool) field[T] {
	return field[T]{name, "boolean", func(t *T) any { return at(t) }}
}

func moment[T any](name string, at func(*T) *time.Time) field[T] {
	return field[T]{name, "timestamptz", func(t *T) any { return at(t) }}
}

func document[T any](name string, at func(*T) any) field[T] {
	return field[T]{name, "jsonb", func(t *T) any { return &jsonValue{at(t)} }}
}

// jsonValue stores what to points to as JSON, and a nil slice, map or pointer as NULL.
type jsonValue struct{ to any }

func (j *jsonValue) Value() (driver.Value, error) {
	b, err := json.Marshal(j.to)
	if err != nil || string(b) == "null" {
		return nil, err
	}
	return string(b), nil
}

func (j *jsonValue) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(v), j.to)
	case []byte:
		return json.Unmarshal(v, j.to)
	}
	return fmt.Errorf("a JSON column holds a %T", v)
}

// sqliteMoment is how the view verdict_log of a SQLite store writes times.
const sqliteMoment = "2006-01-02 15:04:05.000000"

// timeValue reads a time out of a timestamptz, of SQLite's microseconds or of its views' text.
type timeValue struct{ to *time.Time }

func (t timeValue) Scan(v any) (err error) {
	switch v := v.(type) {
	case string:
		*t.to, err = time.Parse(time.DateTime, v) // it takes a fraction of any length
		return err
	case time.Time:
		*t.to = v.UTC()
	case int64:
		*t.to = time.UnixMicro(v).UTC()
	case nil:
		*t.to = time.Time{}
	default:
		return fmt.Errorf("a time column holds a %T", v)
	}
	return nil
}

func names[T any](fields []field[T]) []string {
	return mapped(fields, func(f field[T]) string { return f.name })
}

// storedValues returns the arguments that store t in SQLite.
func storedValues[T any](fields []field[T], t *T) []any {
	out := make([]any, len(fields))
	for i, f := range fields {
		switch p := f.at(t).(type) {
		case *string:
			out[i] = *p
		case *int64:
			out[i] = *p
		case *float64:
			out[i] = *p
		case *bool:
			out[i] = *p
		case *time.Time:
			out[i] = p.UnixMicro()
		default:
			out[i] = p
		}
	}
	return out
}

// scanTargets returns what Scan needs to read t.
func scanTargets[T any](fields []field[T], t *T) []any {
	out := make([]any, len(fields))
	for i, f := range fields {
		out[i] = f.at(t)
		if p, ok := out[i].(*time.Time); ok {
			out[i] = timeValue{p}
		}
	}
	return out
}

// recordset returns the column definitions of jsonb_to_recordset.
func recordset[T any](fields []field[T]) string {
	return strings.Join(mapped(fields, func(f field[T]) string { return f.name + " " + f.typ }), ", ")
}

// recordFields are the columns of a translation, in the order of a CSV. A new one goes to the end: programs may read the cells of
// a CSV by their position.
var recordFields = []field[Record]{
	text("id", func(r *Record) *string { return &r.ID }),
	moment("asked", func(r *Record) *time.Time { return &r.Asked }),
	text("database", func(r *Record) *string { return &r.Database }),
	text("role", func(r *Record) *string { return &r.Role }),
	text("login", func(r *Record) *string { return &r.Login }),
	text("client", func(r *Record) *string { return &r.Client }),
	text("application", func(r *Record) *string { return &r.Application }),
	document("annotations", func(r *Record) any { return &r.Annotations }),
	text("question", func(r *Record) *string { return &r.Question }),
	text("normalised", func(r *Record) *string { return &r.Normalised }),
	text("hint", func(r *Record) *string { return &r.Hint }),
	text("action", func(r *Record) *string { return &r.Action }),
	document("options", func(r *Record) any { return &r.Options }),
	document("history", func(r *Record) any { return &r.History }),
	document("settings", func(r *Record) any { return &r.Settings }),
	text("outcome", func(r *Record) *string { return (*string)(&r.Outcome) }),
	text("code", func(r *Record) *string { return &r.Code }),
	text("message", func(r *Record) *string { return &r.Message }),
	text("detail", func(r *Record) *string { return &r.Detail }),
	text("error_hint", func(r *Record) *string { return &r.ErrorHint }),
	text("cause", func(r *Record) *string { return &r.Cause }),
	text("strategy", func(r *Record) *string { return &r.Strategy }),
	text("source", func(r *Record) *string { return &r.Source }),
	text("sql", func(r *Record) *string { return &r.SQL }),
	document("result_columns", func(r *Record) any { return &r.ResultColumns }),
	number("confidence", func(r *Record) *float64 { return &r.Confidence }),
	integer("chosen", func(r *Record) *int64 { return &r.Chosen }),
	text("understood", func(r *Record) *string { return &r.Understood }),
	document("linked", func(r *Record) any { return &r.Linked }),
	document("demonstrations", func(r *Record) any { return &r.Demos }),
	document("notices", func(r *Record) any { return &r.Notices }),
	text("reviewer", func(r *Record) *string { return &r.Reviewer }),
	text("won", func(r *Record) *string { return (*string)(&r.Won) }),
	integer("calls", func(r *Record) *int64 { return &r.Calls }),
	integer("prompt_tokens", func(r *Record) *int64 { return &r.PromptTokens }),
	integer("completion_tokens", func(r *Record) *int64 { return &r.CompletionTokens }),
	number("cost", func(r *Record) *float64 { return &r.Cost }),
	document("spending", func(r *Record) any { return &r.Spending }),
	document("stages", func(r *Record) any { return &r.Stages }),
	text("replica", func(r *Record) *string { return &r.Replica }),
	number("replica_lag_ms", func(r *Record) *float64 { return &r.ReplicaLag }),
	boolean("on_primary", func(r *Record) *bool { return &r.OnPrimary }),
	text("plan", func(r *Record) *string { return &r.Plan }),
	text("schema_version", func(r *Record) *string { return &r.SchemaVersion }),
	boolean("fallback", func(r *Record) *bool { return &r.Fallback }),
	text("answer_key", func(r *Record) *string { return &r.AnswerKey }),
	number("elapsed_ms", func(r *Record) *float64 { return &r.Elapsed }),
	integer("rows_returned", func(r *Record) *int64 { return &r.RowsReturned }),
	document("kept_rows", func(r *Record) any { return &r.KeptRows }),
	document("kept_prompts", func(r *Record) any { return &r.KeptPrompts }),
	text("review", func(r *Record) *string { return (*string)(&r.Review) }),
	integer("feedback", func(r *Record) *int64 { return &r.Feedback }),
	number("priority", func(r *Record) *float64 { return &r.Priority }),
	integer("role_oid", func(r *Record) *int64 { return &r.RoleOID }),
	text("assigned", func(r *Record) *string { return &r.Assigned }),
}

// candidateFields lack the translation, which the tables keep by seq.
var candidateFields = []field[Candidate]{
	integer("position", func(c *Candidate) *int64 { return &c.Position }),
	text("sql", func(c *Candidate) *string { return &c.SQL }),
	text("model", func(c *Candidate) *string { return &c.Model }),
	text("prompt", func(c *Candidate) *string { return &c.Prompt }),
	integer("sample", func(c *Candidate) *int64 { return &c.Sample }),
	integer("repair", func(c *Candidate) *int64 { return &c.Repair }),
	text("fate", func(c *Candidate) *string { return &c.Fate }),
	integer("votes", func(c *Candidate) *int64 { return &c.Votes }),
	text("fingerprint", func(c *Candidate) *string { return &c.Fingerprint }),
	integer("rows", func(c *Candidate) *int64 { return &c.Rows }),
	number("cost", func(c *Candidate) *float64 { return &c.Cost }),
	number("elapsed_ms", func(c *Candidate) *float64 { return &c.Elapsed }),
	text("code", func(c *Candidate) *string { return &c.Code }),
	text("message", func(c *Candidate) *string { return &c.Message }),
	text("detail", func(c *Candidate) *string { return &c.Detail }),
	text("error_hint", func(c *Candidate) *string { return &c.ErrorHint }),
}

// parseCandidates reads candidates as SQLite keeps them: a list each, in the order of
// candidateFields, to which new fields may only be appended.
func parseCandidates(text, translation string) ([]Candidate, error) {
	var lists [][]json.RawMessage
	if err := json.Unmarshal([]byte(text), &lists); err != nil {
		return nil, err
	}
	candidates := make([]Candidate, len(lists))
	for i, list := range lists {
		c := &candidates[i]
		c.Translation = translation
		for j, f := range candidateFields[:min(len(list), len(candidateFields))] {
			if err := json.Unmarshal(list[j], f.at(c)); err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
		}
	}
	return candidates, nil
}
