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
	By  string    `json:"admin" sql:"by_whom"`
	How string    `json:"how"` // Reviewer.How
	Old string    `json:"old_text"`
	New string    `json:"new_text"`
}

// EditSemantics keeps a change of the semantics file in the log, and has change make it. An error of either leaves the log without
// the change. If it was made on the page of a translation, said tells of it there.
func (s *Store) EditSemantics(ctx context.Context, e SemanticsEdit, said *Remark, change func() error) error {
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		e.ID, e.At = ask.NewID(), time.Now()
		if err := add(ctx, s, tx, "semantics_edits", editFields, &e); err != nil {
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
	err := eachOf(ctx, s, s.read, `select `+columns("", editFields)+` from semantics_edits order by at desc, id desc`+limit, nil, scanTargets(editFields), visit)
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
