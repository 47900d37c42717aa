package store

import (
	"context"
	"time"
)

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
