package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"askpg/ask"
	"askpg/ask/param"
)

// Remark is feedback of an asker on a translation, or a verdict of a reviewer.
type Remark struct {
	ID          string    `json:"id"`
	Translation string    `json:"translation"`
	At          time.Time `json:"at"`
	Example     string    `json:"example,omitempty"` // that a retirement or an import is about
	Kind        string    `json:"kind"`              // good, bad, approve, reject, correct, retire, import, see rows, teach
	By          string    `json:"by_whom"`
	How         string    `json:"how"` // Reviewer.How; empty of an asker
	Reason      string    `json:"reason"`
	SQL         string    `json:"sql"` // of a correction
}

// ErrNothingToApprove says that a translation has no SQL.
var ErrNothingToApprove = errors.New("this question was not answered, so there is nothing to approve; correct it instead")

// errRedacted says that a translation was logged without its literals.
var errRedacted = errors.New("the log holds no literals (store.redact), so that its questions and SQL cannot become examples; add an example with its whole SQL instead")

// Approve marks a translation as right and makes its question and SQL a
// verified example, which it returns: from now on the question is answered by
// it. A question that followed up on others makes none, as it does not stand
// alone; nil is returned then. t is the question and its SQL with marks of
// parameters, nil without any.
func (s *Store) Approve(ctx context.Context, id string, t *param.Template, by Reviewer, note string) (*Example, error) {
	return s.review(ctx, id, Approved, by, Remark{Kind: "approve", Reason: note}, t)
}

// Reject marks a translation as wrong. It is no longer given from the cache,
// and an example that came from it is retired.
func (s *Store) Reject(ctx context.Context, id string, by Reviewer, reason string) error {
	_, err := s.review(ctx, id, Rejected, by, Remark{Kind: "reject", Reason: reason}, nil)
	return err
}

// Correct marks a translation as wrong and makes its question and the given
// SQL a verified example: sqlText or, with marks of parameters in both, t. The
// caller has checked the SQL.
func (s *Store) Correct(ctx context.Context, id, sqlText string, t *param.Template, by Reviewer, note string) (*Example, error) {
	if t != nil {
		sqlText = t.SQL
	} else if sqlText = strings.TrimRight(strings.TrimSpace(storable(sqlText)), "; \t\r\n"); sqlText == "" {
		return nil, errors.New("the corrected SQL is empty")
	}
	return s.review(ctx, id, Corrected, by, Remark{Kind: "correct", Reason: note, SQL: sqlText}, t)
}

func (s *Store) review(ctx context.Context, id string, verdict Review, by Reviewer, w Remark, t *param.Template) (*Example, error) {
	r, err := s.GetWithin(ctx, id, by.Scope)
	if err != nil {
		return nil, err
	}
	w.Translation, w.By, w.How = r.ID, by.Name, by.How
	var example *Example
	switch {
	case verdict == Approved && r.SQL == "":
		return nil, fmt.Errorf("translation %s: %w", r.ID, ErrNothingToApprove)
	case verdict != Rejected && s.config().Redact:
		return nil, fmt.Errorf("translation %s: %w", r.ID, errRedacted)
	case verdict != Rejected && len(r.History) == 0:
		example = r.example(w)
		if !by.Scope.coversAll(r.Database) {
			example.OnlyFor = r.Role
		}
	}
	if t != nil {
		if err := r.checkMarks(verdict, t); err != nil {
			return nil, err
		}
		example.setTemplate(t)
	}
	err = s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, s.bind(`update translations set review = ? where id = ?`), string(verdict), r.ID); err != nil {
			return err
		}
		if err := s.addRemark(ctx, tx, &w); err != nil {
			return err
		}
		// An example that came from this translation answers no longer, unless it is made again below.
		if _, err := tx.ExecContext(ctx, s.bind(`update examples set status = 'retired', updated = ? where translation = ? and status <> 'retired'`), s.time(w.At), r.ID); err != nil {
			return err
		}
		if example == nil {
			return nil
		}
		return s.putExample(ctx, tx, example)
	})
	if err != nil {
		return nil, fmt.Errorf("translation %s: %w", r.ID, err)
	}
	s.changed(ctx)
	return example, nil
}

// Feedback stores what an asker says of an answer. It makes no example. Bad
// feedback moves the translation up in the reviewers' queue.
func (s *Store) Feedback(ctx context.Context, id string, good bool, by, reason string) error {
	w := Remark{Translation: id, Kind: "good", By: by, Reason: reason}
	step, urgency := 1, 0.0
	if !good {
		w.Kind, step, urgency = "bad", -1, 1
	}
	s.flush(ctx) // the answer may be a moment old
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		n, err := s.change(ctx, tx, `update translations set feedback = feedback + ?, priority = priority + ? where id = ?`, step, urgency, storable(id))
		if err == nil && n == 0 {
			err = ErrNotFound
		}
		if err != nil {
			return fmt.Errorf("translation %s: %w", id, err)
		}
		return s.addRemark(ctx, tx, &w)
	})
}

func (s *Store) addRemark(ctx context.Context, tx *sql.Tx, w *Remark) error {
	w.ID, w.At = ask.NewID(), time.Now().UTC().Truncate(time.Microsecond)
	return add(ctx, s, tx, "feedback", remarkFields, w)
}

// Remarks returns all feedback and verdicts on a translation, oldest first.
func (s *Store) Remarks(ctx context.Context, id string) ([]Remark, error) {
	ctx, cancel := s.readContext(ctx)
	defer cancel()
	list, err := collect(ctx, s, s.read, `select `+columns("", remarkFields)+` from feedback where translation = ? order by at, id`, []any{storable(id)}, scanTargets(remarkFields))
	if err != nil {
		return nil, fmt.Errorf("feedback of %s: %w", id, err)
	}
	return list, nil
}

// change runs a statement and returns how many rows it has changed.
func (s *Store) change(ctx context.Context, tx *sql.Tx, query string, args ...any) (int64, error) {
	res, err := tx.ExecContext(ctx, s.bind(query), args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// changeAlone is change in a transaction of its own.
func (s *Store) changeAlone(ctx context.Context, query string, args ...any) (n int64, err error) {
	err = s.transact(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		n, err = s.change(ctx, tx, query, args...)
		return err
	})
	return n, err
}

// transact runs a change of its own in a transaction.
func (s *Store) transact(ctx context.Context, change func(context.Context, *sql.Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.config().WriteTimeout.Duration())
	defer cancel()
	if err := s.ready(ctx); err != nil {
		return err
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := change(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}
