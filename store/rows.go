package store

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"reflect"
)

// querier reads in a transaction or outside of one.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// each runs a query and calls visit at each of its rows.
func (s *Store) each(ctx context.Context, db querier, query string, args []any, visit func(row *sql.Rows) error) error {
	rows, err := db.QueryContext(ctx, s.bind(query), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := visit(rows); err != nil {
			return err
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

// eachOf calls visit with each row of a query. targets returns what Scan needs to read one.
func eachOf[T any](ctx context.Context, s *Store, db querier, query string, args []any, targets func(*T) []any, visit func(*T) error) error {
	return s.each(ctx, db, query, args, func(row *sql.Rows) error {
		var t T
		if err := row.Scan(targets(&t)...); err != nil {
			return err
		}
		return visit(&t)
	})
}

// collect returns the rows of a query, as eachOf reads them.
func collect[T any](ctx context.Context, s *Store, db querier, query string, args []any, targets func(*T) []any) (list []T, err error) {
	err = eachOf(ctx, s, db, query, args, targets, func(t *T) error { list = append(list, *t); return nil })
	return list, err
}

// add stores t, whose texts it makes storable, as a row of a table.
func add[T any](ctx context.Context, s *Store, tx *sql.Tx, table string, fields []field[T], t *T) error {
	makeTextsStorable(reflect.ValueOf(t))
	_, err := s.change(ctx, tx, `insert into `+table+` (`+columns("", fields)+`) values (`+repeated("?", len(fields))+`)`, storedValues(s.dialect, fields, t)...)
	return err
}

// jsonLines writes a JSON object a line: whatever each passes to its argument.
func jsonLines(w io.Writer, each func(write func(any) error) error) error {
	out := bufio.NewWriterSize(w, 64<<10)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := each(enc.Encode); err != nil {
		return err
	}
	return out.Flush()
}

// texts returns a query's one column.
func (s *Store) texts(ctx context.Context, db querier, query string, args ...any) ([]string, error) {
	return collect(ctx, s, db, query, args, func(t *string) []any { return []any{t} })
}
