package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/mattn/go-sqlite3"

	"askpg/ask"
)

// write is a record for the writer to log, and where it says how that went; nil if nobody waits. Without a record it says
// that what was queued before is dealt with.
type write struct {
	record *Record
	done   chan error // buffered
}

// maxBatchBytes bounds the text that goes into one transaction.
const maxBatchBytes = 8 << 20

// retryPause is how long the writer leaves a store alone that has failed.
const retryPause = time.Second

// Append logs an entry. When it returns nil, the entry is durable, in the database or in the spill file. The entry of a
// repeated answer is durable at most Config.BatchDelay and a commit later, unless Config.Required. An entry whose id is
// there already is left as it is. Without a spill file, or with Config.Required, an error says that the entry is not
// logged.
func (s *Store) Append(ctx context.Context, e Entry) error {
	w := &write{record: e.record(s.config())}
	if s.config().Required || !w.record.repeats() {
		w.done = make(chan error, 1)
	}
	err := s.enqueue(ctx, w)
	if err == nil {
		if w.done == nil {
			return nil
		}
		select {
		case err = <-w.done:
			return err
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	// The writer is stuck or cannot keep up; should it write the entry later,
	// the id keeps it from being there twice.
	if s.spill != nil {
		return s.spillRecords([]*Record{w.record}, err)
	}
	return fmt.Errorf("store %s: translation %s is not logged: %w", Redacted(s.config().URL), w.record.ID, err)
}

// flush waits until what is queued is in the log, but no longer than a commit may take: who reads the log finds what
// this process has answered.
func (s *Store) flush(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, s.config().WriteTimeout.Duration())
	defer cancel()
	w := &write{done: make(chan error, 1)}
	if s.enqueue(ctx, w) != nil {
		return
	}
	select {
	case <-w.done:
	case <-ctx.Done():
	}
}

// repeats says whether the record is of an answer that was given before, or that a reviewer has verified.
func (r *Record) repeats() bool {
	return r.Source == string(ask.SourceCache) || r.Source == string(ask.SourceExample)
}

// enqueue queues w for the writer, and waits while the queue is full.
func (s *Store) enqueue(ctx context.Context, w *write) error {
	s.closing.RLock()
	defer s.closing.RUnlock()
	if s.closed {
		return errClosed
	}
	select {
	case s.queue <- w:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// writer commits what is queued in batches, and imports the spill file
// whenever the store works. It ends when the queue is closed and empty.
func (s *Store) writer() {
	tick := time.NewTicker(retryPause)
	defer tick.Stop()
	var retryAt time.Time
	var moreSpilled <-chan struct{} // closed while the spill file holds more, else nil
	closed := make(chan struct{})
	close(closed)
	for {
		var batch []*write
		var flushed chan error
		select {
		case w, ok := <-s.queue:
			if !ok {
				return
			}
			batch, flushed = s.collectBatch(w)
		case <-tick.C:
		case <-moreSpilled:
		}
		moreSpilled = nil
		resting := s.spill != nil && time.Now().Before(retryAt)
		var err error
		switch {
		case len(batch) == 0:
		case resting:
			s.spillBatch(batch, errors.New("it failed a moment ago"))
		default:
			err = s.commit(batch)
		}
		if flushed != nil {
			flushed <- nil
		}
		if err != nil {
			s.log.Error("the store does not take the log", "store", Redacted(s.config().URL), "entries", len(batch), "error", err)
			retryAt = time.Now().Add(retryPause)
			continue
		}
		if s.spill.size() > 0 && !resting {
			if err := s.importSpill(); err != nil {
				s.log.Warn("the entries of the spill file are not in the store yet", "spill", s.config().Spill, "error", err)
				retryAt = time.Now().Add(retryPause)
			} else {
				moreSpilled = closed
			}
		}
	}
}

// collectBatch returns w and what else is queued, up to a batch. While nobody waits for any of it, more may come, for
// Config.BatchDelay. A write without a record ends the batch, and is to be told then.
func (s *Store) collectBatch(w *write) (batch []*write, flushed chan error) {
	late := time.NewTimer(s.config().BatchDelay.Duration())
	defer late.Stop()
	awaited, bytes := false, 0
	for {
		if w.record == nil {
			return batch, w.done
		}
		batch, bytes = append(batch, w), bytes+w.record.size()
		awaited = awaited || w.done != nil
		if len(batch) >= s.config().Batch || bytes >= maxBatchBytes {
			return batch, nil
		}
		var ok bool
		select {
		case w, ok = <-s.queue:
		default:
			if awaited {
				return batch, nil
			}
			select {
			case w, ok = <-s.queue:
			case <-late.C:
				return batch, nil
			}
		}
		if !ok {
			return batch, nil // the store is being closed
		}
	}
}

func (r *Record) size() int {
	n := 1024 + len(r.Question) + len(r.SQL) + len(r.Plan)
	for i := range r.Candidates {
		n += 256 + len(r.Candidates[i].SQL)
	}
	return n
}

// commit writes a batch and tells every waiter. If the batch fails as a whole,
// each entry gets its own chance, so that one cannot spoil the others. The
// error is that of the store, not of an entry.
func (s *Store) commit(batch []*write) error {
	begin := time.Now()
	err := s.insert(context.Background(), distinct(mapped(batch, func(w *write) *Record { return w.record })))
	s.metrics.commit.Observe(time.Since(begin).Seconds())
	s.metrics.batch.Observe(float64(len(batch)))
	if err == nil {
		for _, w := range batch {
			s.tell(w, nil)
		}
		return nil
	}
	if len(batch) > 1 && isRecordError(err) {
		for i, w := range batch {
			if err := s.commit([]*write{w}); err != nil && !isRecordError(err) {
				s.spillBatch(batch[i+1:], err)
				return err
			}
		}
		return nil
	}
	s.spillBatch(batch, err)
	return err
}

// isRecordError says whether a record itself is why it could not be written. All
// other errors are the store's: what fails with a full disk is good once there is room.
func isRecordError(err error) bool {
	if lite, ok := errors.AsType[sqlite3.Error](err); ok {
		return slices.Contains([]sqlite3.ErrNo{sqlite3.ErrConstraint, sqlite3.ErrMismatch, sqlite3.ErrTooBig, sqlite3.ErrRange}, lite.Code)
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && len(pg.Code) == 5 {
		return slices.Contains([]string{"22", "23", "54"}, pg.Code[:2]) // data, constraints, limits (PostgreSQL documentation, appendix A)
	}
	_, unwritable := errors.AsType[*json.UnsupportedValueError](err)
	return unwritable
}

// distinct leaves out records whose id an earlier one has.
func distinct(records []*Record) []*Record {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(records), func(r *Record) bool {
		again := seen[r.ID]
		seen[r.ID] = true
		return again
	})
}

// spillBatch gives a batch that the store did not take to the spill file, and tells every waiter.
func (s *Store) spillBatch(batch []*write, cause error) {
	err := s.spillRecords(mapped(batch, func(w *write) *Record { return w.record }), cause)
	for _, w := range batch {
		s.tell(w, err)
	}
}

// tell says how the log took an entry: to whoever waits for it, else, if it is lost, to the admin.
func (s *Store) tell(w *write, err error) {
	switch {
	case w.done != nil:
		w.done <- err
	case err != nil:
		s.log.Error("a translation is not logged", "id", w.record.ID, "error", err)
	}
}

// spillRecords gives records that the store did not take, because of cause, to the spill file.
func (s *Store) spillRecords(records []*Record, cause error) error {
	if len(records) == 0 {
		return nil
	}
	if s.spill == nil {
		s.metrics.failed.Add(float64(len(records)))
		return fmt.Errorf("store %s: the answer is not logged: %w", Redacted(s.config().URL), cause)
	}
	if err := s.spill.add(records); err != nil {
		s.metrics.failed.Add(float64(len(records)))
		return fmt.Errorf("store %s: the answer is not logged: %w; nor did the spill file take it: %w", Redacted(s.config().URL), cause, err)
	}
	s.metrics.spilled.Add(float64(len(records)))
	return nil
}
