package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"askpg/ask"
)

// Verdict is what a reviewer has decided of a translation.
type Verdict struct {
	At          time.Time `json:"at"`
	Verdict     string    `json:"verdict"` // approve, correct, reject, retire
	Reviewer    string    `json:"reviewer"`
	Note        string    `json:"note"`
	Translation string    `json:"translation"`
	Database    string    `json:"database"`
	Role        string    `json:"role"`
	Login       string    `json:"login"`
	Question    string    `json:"question"`
	OldSQL      *string   `json:"old_sql"` // that stood before; nil if there was none
	NewSQL      *string   `json:"new_sql"` // that it verified; nil if it verified none
}

// Verdicts returns what reviewers have decided, newest first. Of the filter its database, role, times and limit count.
func (s *Store) Verdicts(ctx context.Context, f Filter) ([]Verdict, error) {
	ctx, cancel := s.readContext(ctx)
	defer cancel()
	c := &clause{}
	if f.Database != "" {
		c.add("database = ?", f.Database)
	}
	if f.Role != "" {
		c.add("role = ?", f.Role)
	}
	// The view writes times of SQLite as text, in UTC.
	moment := func(t time.Time) any { return t }
	if s.dialect == sqlite {
		moment = func(t time.Time) any { return t.UTC().Format(sqliteMoment) }
	}
	if !f.Since.IsZero() {
		c.add("at >= ?", moment(f.Since))
	}
	if !f.Until.IsZero() {
		c.add("at < ?", moment(f.Until))
	}
	rows, err := s.read.QueryContext(ctx, s.bind(fmt.Sprintf(`select at, verdict, reviewer, note, translation, database, role, login, question, old_sql, new_sql
		from verdict_log%s order by at desc, translation limit %d`, c, min(max(f.Limit, 1), MaxPage))), c.args...)
	if err != nil {
		return nil, fmt.Errorf("verdicts: %w", err)
	}
	defer rows.Close()
	var list []Verdict
	for rows.Next() {
		var v Verdict
		var at any
		if err := rows.Scan(&at, &v.Verdict, &v.Reviewer, &v.Note, &v.Translation, &v.Database, &v.Role, &v.Login, &v.Question, &v.OldSQL, &v.NewSQL); err != nil {
			return nil, fmt.Errorf("verdicts: %w", err)
		}
		if text, ok := at.(string); ok {
			v.At, err = time.Parse(sqliteMoment, text)
		} else {
			err = timeValue{&v.At}.Scan(at)
		}
		if err != nil {
			return nil, fmt.Errorf("verdicts: %w", err)
		}
		list = append(list, v)
	}
	return list, rows.Err()
}

// sqliteMoment is how the views of a SQLite store write times.
const sqliteMoment = "2006-01-02 15:04:05.000"

// RetireExample ends an example, as a reviewer's verdict.
func (s *Store) RetireExample(ctx context.Context, id, by string) error {
	defer s.changed(ctx)
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var w Remark
		err := tx.QueryRowContext(ctx, s.bind(`update examples set status = 'retired', note = ?, updated = ? where id = ? and status <> 'retired' returning translation`),
			storable("retired by "+by), s.time(time.Now()), storable(id)).Scan(&w.Translation)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return fmt.Errorf("example %s: %w", id, ErrNotFound)
		case err != nil:
			return fmt.Errorf("example %s: %w", id, err)
		case w.Translation == "":
			return nil // it was imported
		}
		w.Kind, w.By = "retire", by
		return s.addRemark(ctx, tx, &w)
	})
}

// NoteRows keeps in the log that a reviewer has rows of SQL shown as the role that asked. The rows themselves are not kept.
func (s *Store) NoteRows(ctx context.Context, id, by, statement string) error {
	if s.config().Redact {
		statement = ask.RedactSQL(statement)
	}
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return s.addRemark(ctx, tx, &Remark{Translation: id, Kind: "see rows", By: by, SQL: statement})
	})
}
