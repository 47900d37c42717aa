package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"time"

	"askpg/ask"
)

// Verdict is what a reviewer has decided of a translation, or of a verified example.
type Verdict struct {
	At          time.Time `json:"at"`
	Verdict     string    `json:"verdict"` // approve, correct, reject, retire, import
	Reviewer    string    `json:"reviewer"`
	How         string    `json:"how"` // Reviewer.How
	Note        string    `json:"note"`
	Translation string    `json:"translation"`       // empty of an example that was imported
	Example     string    `json:"example,omitempty"` // that was retired or imported
	Database    string    `json:"database"`
	Role        string    `json:"role"`
	Login       string    `json:"login"`
	Question    string    `json:"question"`
	OldSQL      *string   `json:"old_sql"` // that stood before; nil if there was none
	NewSQL      *string   `json:"new_sql"` // that it verified; nil if it verified none
}

// Reviewer is who gives a verdict.
type Reviewer struct {
	Name  string
	How   string // how he has shown who he is: token, oidc, certificate, local, or command line
	Scope Scope  // that he may judge
}

// Verdicts returns what reviewers have decided, newest first. Of the filter its database, role, scope, times and limit count.
func (s *Store) Verdicts(ctx context.Context, f Filter) (list []Verdict, err error) {
	f.Limit = min(max(f.Limit, 1), MaxPage)
	err = s.eachVerdict(ctx, f, func(v *Verdict) error { list = append(list, *v); return nil })
	return list, err
}

// ExportVerdicts writes all that Verdicts would return without a limit, as a JSON object a line.
func (s *Store) ExportVerdicts(ctx context.Context, w io.Writer, f Filter) error {
	f.Limit = 0
	return jsonLines(w, func(write func(any) error) error {
		return s.eachVerdict(ctx, f, func(v *Verdict) error { return write(v) })
	})
}

func (s *Store) eachVerdict(ctx context.Context, f Filter, visit func(*Verdict) error) error {
	ctx, cancel := s.readContext(ctx)
	defer cancel()
	c := &clause{}
	c.within(f.Scope, "")
	c.equals("database", f.Database)
	c.equals("role", f.Role)
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
	limit := ""
	if f.Limit > 0 {
		limit = fmt.Sprintf(" limit %d", f.Limit)
	}
	err := eachOf(ctx, s, s.read, `select `+columns("", verdictFields)+` from verdict_log`+c.String()+` order by at desc, translation`+limit, c.args, scanTargets(verdictFields), visit)
	if err != nil {
		return fmt.Errorf("verdicts: %w", err)
	}
	return nil
}

// retiredBy begins the note of an example that a reviewer has ended.
const retiredBy = "retired by "

// RetireExample ends an example, as a reviewer's verdict. There are the examples of his scope and no others.
func (s *Store) RetireExample(ctx context.Context, id string, by Reviewer) error {
	defer s.changed(ctx)
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		w := Remark{Kind: "retire", Example: id, By: by.Name, How: by.How}
		c := &clause{where: []string{"id = ?", "status <> 'retired'"}, args: []any{storable(retiredBy + by.Name), s.time(time.Now()), storable(id)}}
		c.within(by.Scope, "")
		err := tx.QueryRowContext(ctx, s.bind(`update examples set status = 'retired', note = ?, updated = ?`+c.String()+` returning translation`), c.args...).Scan(&w.Translation)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return fmt.Errorf("example %s: %w", id, ErrNotFound)
		case err != nil:
			return fmt.Errorf("example %s: %w", id, err)
		}
		return s.addRemark(ctx, tx, &w)
	})
}

// NoteRows keeps in the log that a reviewer has rows of SQL shown as the role that asked. The rows themselves are not kept.
func (s *Store) NoteRows(ctx context.Context, id string, by Reviewer, statement string) error {
	if s.config().Redact {
		statement = ask.RedactSQL(statement)
	}
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return s.addRemark(ctx, tx, &Remark{Translation: id, Kind: "see rows", By: by.Name, How: by.How, SQL: statement})
	})
}
