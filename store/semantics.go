package store

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"time"

	"askpg/ask"
)

// SemanticsEdit is a change of the semantics file.
type SemanticsEdit struct {
	ID  string    `json:"id"`
	At  time.Time `json:"at"`
	By  string    `json:"admin"`
	How string    `json:"how"` // Reviewer.How
	Old string    `json:"old_text"`
	New string    `json:"new_text"`
}

// EditSemantics keeps a change of the semantics file in the log, and has change make it. An error of either leaves the log without
// the change. If it was made on the page of a translation, said tells of it there.
func (s *Store) EditSemantics(ctx context.Context, e SemanticsEdit, said *Remark, change func() error) error {
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, s.bind(`insert into semantics_edits (id, at, by_whom, how, old_text, new_text) values (?, ?, ?, ?, ?, ?)`),
			ask.NewID(), s.time(time.Now()), storable(e.By), e.How, storable(e.Old), storable(e.New))
		if err != nil {
			return fmt.Errorf("history of the semantics file: %w", err)
		}
		if said != nil {
			if err := s.addRemark(ctx, tx, said); err != nil {
				return err
			}
		}
		return change() // last, as a transaction can be taken back and a file can't
	})
}

// SemanticsEdits returns the last changes of the semantics file, newest first.
func (s *Store) SemanticsEdits(ctx context.Context, limit int) (list []SemanticsEdit, err error) {
	err = s.eachSemanticsEdit(ctx, fmt.Sprintf(" limit %d", limit), func(e *SemanticsEdit) error { list = append(list, *e); return nil })
	return list, err
}

// ExportSemanticsEdits writes all changes of the semantics file, newest first, as a JSON object a line.
func (s *Store) ExportSemanticsEdits(ctx context.Context, w io.Writer) error {
	return jsonLines(w, func(write func(any) error) error {
		return s.eachSemanticsEdit(ctx, "", func(e *SemanticsEdit) error { return write(e) })
	})
}

func (s *Store) eachSemanticsEdit(ctx context.Context, limit string, visit func(*SemanticsEdit) error) error {
	ctx, cancel := s.readContext(ctx)
	defer cancel()
	err := s.each(ctx, s.read, `select id, at, by_whom, how, old_text, new_text from semantics_edits order by at desc, id desc`+limit, nil, func(row *sql.Rows) error {
		var e SemanticsEdit
		if err := row.Scan(&e.ID, timeValue{&e.At}, &e.By, &e.How, &e.Old, &e.New); err != nil {
			return err
		}
		return visit(&e)
	})
	if err != nil {
		return fmt.Errorf("history of the semantics file: %w", err)
	}
	return nil
}

// eraseFromSemantics takes a name out of the history of the semantics file: that of who changed it, also where the notes in its
// texts name him. The file itself is not askpg's to rewrite.
func (s *Store) eraseFromSemantics(ctx context.Context, tx *sql.Tx, name string) (int64, error) {
	n, err := s.change(ctx, tx, `update semantics_edits set by_whom = '`+erasedName+`' where by_whom = ?`, name)
	if err != nil {
		return n, err
	}
	note, erased := " by "+name+":", " by "+erasedName+":"
	_, err = s.change(ctx, tx, `update semantics_edits set old_text = replace(old_text, ?, ?), new_text = replace(new_text, ?, ?)
		where old_text || new_text <> replace(old_text || new_text, ?, '')`, note, erased, note, erased, note)
	return n, err
}
