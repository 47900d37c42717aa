package store

import (
	"cmp"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// field is a column of a table and the place that it has in a T.
type field[T any] struct {
	name string
	typ  string       // in PostgreSQL
	at   func(*T) any // a pointer to it, or a *jsonValue
}

// columnTypes are PostgreSQL's types of the columns that hold plain values; any other column holds JSON.
var columnTypes = map[reflect.Type]string{
	reflect.TypeFor[*string](): "text", reflect.TypeFor[*int64](): "bigint", reflect.TypeFor[*float64](): "double precision",
	reflect.TypeFor[*bool](): "boolean", reflect.TypeFor[*time.Time](): "timestamptz", reflect.TypeFor[**string](): "text",
}

// fieldsOf returns the columns of a T, in the order of its fields. The tag sql has a column's name, or "-" for a field that is
// none. Without it the name is that in JSON.
func fieldsOf[T any]() (list []field[T]) {
	for f := range reflect.TypeFor[T]().Fields() {
		name, _, _ := strings.Cut(cmp.Or(f.Tag.Get("sql"), f.Tag.Get("json")), ",")
		if name == "-" {
			continue
		}
		to := reflect.PointerTo(f.Type)
		if f.Type.Kind() == reflect.String { // Outcome and its like
			to = reflect.TypeFor[*string]()
		}
		typ, plain := columnTypes[to]
		list = append(list, field[T]{name, cmp.Or(typ, "jsonb"), func(t *T) any {
			p := reflect.ValueOf(t).Elem().FieldByIndex(f.Index).Addr()
			if !plain {
				return &jsonValue{p.Interface()}
			}
			return p.Convert(to).Interface()
		}})
	}
	return list
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

// columns lists the names of fields for a statement, with what stands before each, such as "t.".
func columns[T any](before string, fields []field[T]) string {
	return strings.Join(mapped(fields, func(f field[T]) string { return before + f.name }), ", ")
}

// repeated lists the same text n times.
func repeated(text string, n int) string { return strings.Join(slices.Repeat([]string{text}, n), ", ") }

// storedValues returns the arguments that store t.
func storedValues[T any](d dialect, fields []field[T], t *T) []any {
	return mapped(fields, func(f field[T]) any {
		p := f.at(t)
		if moment, ok := p.(*time.Time); ok {
			return d.time(*moment)
		}
		return p
	})
}

// scanTargets returns what Scan needs to read a T.
func scanTargets[T any](fields []field[T]) func(*T) []any {
	return func(t *T) []any {
		return mapped(fields, func(f field[T]) any {
			p := f.at(t)
			if moment, ok := p.(*time.Time); ok {
				return timeValue{moment}
			}
			return p
		})
	}
}

// recordset returns the column definitions of jsonb_to_recordset.
func recordset[T any](fields []field[T]) string {
	return strings.Join(mapped(fields, func(f field[T]) string { return f.name + " " + f.typ }), ", ")
}

var (
	recordFields    = fieldsOf[Record]()
	candidateFields = fieldsOf[Candidate]() // without the translation, which the tables keep by seq
	exampleFields   = fieldsOf[Example]()
	remarkFields    = fieldsOf[Remark]()
	verdictFields   = fieldsOf[Verdict]()
	editFields      = fieldsOf[SemanticsEdit]()
)

// parseCandidates reads candidates as SQLite keeps them: a list each, in the order of
// candidateFields, to which new fields may only be appended.
func parseCandidates(text string) ([]Candidate, error) {
	var lists [][]json.RawMessage
	if err := json.Unmarshal([]byte(text), &lists); err != nil {
		return nil, err
	}
	candidates := make([]Candidate, len(lists))
	for i, list := range lists {
		c := &candidates[i]
		for j, f := range candidateFields[:min(len(list), len(candidateFields))] {
			if err := json.Unmarshal(list[j], f.at(c)); err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
		}
	}
	return candidates, nil
}
