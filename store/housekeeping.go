package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

const (
	housekeepingEvery = 10 * time.Minute
	deleteChunk       = 500 // translations in one transaction, so that appends never wait long
)

// keepHouse keeps the log within its limits.
func (s *Store) keepHouse(ctx context.Context) {
	if s.migrated.Load() {
		if n, err := s.prune(ctx, time.Now()); err != nil && ctx.Err() == nil {
			s.log.Warn("old translations are not deleted", "error", err)
		} else if n > 0 {
			s.log.Info("old translations are deleted", "translations", n)
		}
	}
	if s.dialect == sqlite {
		// Statistics, without which the planner takes any index for as
		// good as any other; PostgreSQL sees to that itself.
		if _, err := s.db.ExecContext(ctx, `pragma analysis_limit = 2000; pragma optimize`); err != nil && ctx.Err() == nil {
			s.log.Warn("the log's statistics are not refreshed", "error", err)
		}
	}
}

// prune deletes what the configured limits no longer allow as of now: kept
// rows and prompts, translations by age, then the oldest ones by size. It returns how many
// translations went. Examples stay, and sums but those by login.
func (s *Store) prune(ctx context.Context, now time.Time) (int64, error) {
	s.pruning.Lock()
	defer s.pruning.Unlock()
	if s.dialect == sqlite {
		return s.deleteExcess(ctx, now)
	}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	// One instance at a time; the key is that of the migrations, plus one.
	var locked bool
	if err := conn.QueryRowContext(ctx, `select pg_catalog.pg_try_advisory_lock(418414358632)`).Scan(&locked); err != nil || !locked {
		return 0, err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), `select pg_catalog.pg_advisory_unlock(418414358632)`)
	return s.deleteExcess(ctx, now)
}

// deleteExcess does what prune says.
func (s *Store) deleteExcess(ctx context.Context, now time.Time) (int64, error) {
	// What was counted by the minute an hour ago and earlier. Periods that are days have no T and stay.
	if _, err := s.db.ExecContext(ctx, s.bind(`delete from budgets where period like '%T%' and period < ?`), minutePeriod.at(now.UTC().Add(-time.Hour))); err != nil {
		return 0, err
	}
	for column, keep := range map[string]time.Duration{"kept_rows": s.config().KeepRowsFor.Duration(), "kept_prompts": s.config().KeepPromptsFor.Duration()} {
		if keep == 0 {
			continue
		}
		if _, err := s.db.ExecContext(ctx, s.bind(fmt.Sprintf(`update translations set %[1]s = null where %[1]s is not null and asked < ?`, column)), s.time(now.Add(-keep))); err != nil {
			return 0, err
		}
	}
	var all int64
	if keep := s.config().Retention.Duration(); keep > 0 {
		n, err := s.deleteBefore(ctx, now.Add(-keep))
		if all += n; err != nil {
			return all, err
		}
	}
	// What was said of translations and examples that are gone goes, too.
	if _, err := s.changeAlone(ctx, `delete from feedback where not exists (select 1 from translations t where t.id = feedback.translation) and not exists (select 1 from examples e where e.id = feedback.example)`); err != nil {
		return all, fmt.Errorf("feedback: %w", err)
	}
	n, err := s.deleteAbove(ctx, s.config().MaxBytes)
	return all + n, err
}

// deleteBefore deletes what is older than the retention time. It returns the number of translations.
func (s *Store) deleteBefore(ctx context.Context, oldest time.Time) (all int64, err error) {
	day := dayPeriod.at(oldest.UTC())
	if _, err := s.db.ExecContext(ctx, s.bind(`delete from budgets where period < ?`), day); err != nil {
		return 0, err
	}
	// Most logins are people; the other sums name none.
	if _, err := s.db.ExecContext(ctx, s.bind(`delete from totals where kind = 'login' and day < ?`), day); err != nil {
		return 0, err
	}
	for {
		n, err := s.deleteOldest(ctx, deleteChunk, `where asked < ?`, s.time(oldest))
		if all += n; err != nil || n < deleteChunk {
			return all, err
		}
	}
}

// deleteAbove deletes the oldest translations while the log is larger than so many bytes; 0 is no limit.
func (s *Store) deleteAbove(ctx context.Context, most int64) (all int64, err error) {
	if most == 0 {
		return 0, nil
	}
	size, err := s.size(ctx)
	if err != nil || size <= most {
		return 0, err
	}
	var rows int64
	if err := s.read.QueryRowContext(ctx, `select count(*) from translations`).Scan(&rows); err != nil {
		return 0, err
	}
	for excess := rows - int64(float64(rows)*float64(most)/float64(size)); excess > 0; excess -= deleteChunk {
		n, err := s.deleteOldest(ctx, min(excess, deleteChunk), ``)
		if all += n; err != nil || n == 0 {
			return all, err
		}
	}
	return all, nil
}

func (s *Store) deleteOldest(ctx context.Context, limit int64, where string, args ...any) (n int64, err error) {
	err = s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err = s.uncountDeleted(ctx, tx, where, limit, args...); err != nil {
			return err
		}
		n, err = s.change(ctx, tx, fmt.Sprintf(`delete from translations where seq in (select seq from translations %s order by seq limit %d)`, where, limit), args...)
		return err
	})
	return n, err
}

// size returns the bytes of the log that are in use; in SQLite with indexes,
// in PostgreSQL without.
func (s *Store) size(ctx context.Context) (int64, error) {
	query := `select (p.page_count - f.freelist_count) * z.page_size from pragma_page_count p, pragma_freelist_count f, pragma_page_size z`
	if s.dialect == postgres {
		// The files do not shrink when rows are deleted, so the rows are measured.
		query = `select (select coalesce(sum(pg_column_size(t.*)), 0) from translations t)::bigint + (select coalesce(sum(pg_column_size(c.*)), 0) from candidates c)::bigint`
	}
	var n int64
	err := s.read.QueryRowContext(ctx, query).Scan(&n)
	return n, err
}

// A page that is written again before the write-ahead log is copied into the
// database is copied once. So copying waits for copyEntries or copyEvery, and
// happens beside the commits and not within one. A store that has no quiet
// moment, so that the log cannot begin anew, has it copied by the commit that
// reaches maxLogPages.
const (
	copyEntries = 4000
	copyEvery   = time.Minute
	maxLogPages = 32 << 10 // of 4 KiB
)

// checkpoint copies SQLite's write-ahead log into the database (SQLite
// documentation, "Write-Ahead Logging", section 3.2), if enough is in it or it was copied long ago.
func (s *Store) checkpoint(ctx context.Context, last *time.Time) {
	n := s.uncopied.Load()
	if n == 0 || n < copyEntries && time.Since(*last) < copyEvery {
		return
	}
	*last = time.Now()
	s.uncopied.Add(-n)
	var busy, pages, copied int
	if err := s.read.QueryRowContext(ctx, `pragma wal_checkpoint(passive)`).Scan(&busy, &pages, &copied); err != nil && ctx.Err() == nil {
		s.log.Warn("the write-ahead log of the store is not copied yet", "error", err)
	}
}

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
