package store

import (
	"context"
	"time"
)

const (
	indexEvery = time.Second
	indexChunk = 2000 // translations in one transaction, so that appends never wait long
)

// keepIndexed adds new translations to the full-text index of a SQLite store.
// A portion of a second costs a third of what each alone would. The index is
// a pile of sorted segments that are merged again and again (SQLite
// documentation, "FTS3 and FTS4", section 8).
func (s *Store) keepIndexed(ctx context.Context) {
	if err := s.indexText(ctx); err != nil && ctx.Err() == nil {
		s.log.Warn("the words of new translations are not indexed yet", "error", err)
	}
}

// indexText brings the full-text index up to date.
func (s *Store) indexText(ctx context.Context) error {
	if s.dialect != sqlite {
		return nil
	}
	for {
		var pending bool
		err := s.read.QueryRowContext(ctx, `select coalesce((select max(seq) from translations), 0) > coalesce((select max(docid) from translations_text_docsize), 0)`).Scan(&pending)
		if err != nil || !pending {
			return err
		}
		res, err := s.db.ExecContext(ctx, `insert into translations_text (docid, question, hint, sql, message)
			select seq, question, hint, sql, message from translations
			where seq > coalesce((select max(docid) from translations_text_docsize), 0) order by seq limit ?`, indexChunk)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n < indexChunk {
			return err
		}
	}
}
