package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/mattn/go-sqlite3"
)

// write is a record for the writer to log, and where it says how that went.
type write struct {
	record *Record
	done   chan error // buffered
}

// maxBatchBytes bounds the text that goes into one transaction.
const maxBatchBytes = 8 << 20

// retryPause is how long the writer leaves a store alone that has failed.
const retryPause = time.Second

// Append logs an entry. When it returns nil, the entry is durable (that of a repeated answer as begin says), in the
// database or in the spill file. An entry whose id is there already is left as
// it is. Without a spill file, or with Config.Required, an error says that the
// entry is not logged.
func (s *Store) Append(ctx context.Context, e Entry) error { return s.beginAppend(ctx, e)() }

// beginAppend queues an entry for the writer. The function that it returns waits for the
// writer and returns what Append does. It must be called once, before ctx ends.
func (s *Store) beginAppend(ctx context.Context, e Entry) (finish func() error) {
	r := e.record(s.config())
	w := &write{record: r, done: make(chan error, 1)}
	err := s.enqueue(ctx, w)
	return func() error {
		if err == nil {
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
			return s.spillRecords([]*Record{r}, err)
		}
		return fmt.Errorf("store %s: translation %s is not logged: %w", Redacted(s.config().URL), r.ID, err)
	}
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
func (s *Store) writer(ctx context.Context) {
	tick := time.NewTicker(retryPause)
	defer tick.Stop()
	var retryAt time.Time
	var moreSpilled <-chan struct{} // closed while the spill file holds more, else nil
	closed := make(chan struct{})
	close(closed)
	crowded := false // the last batch had more than one entry
	for {
		var batch []*write
		select {
		case w, ok := <-s.queue:
			if !ok {
				return
			}
			batch = s.collectBatch(w, crowded)
			crowded = len(batch) > 1
		case <-tick.C:
		case <-moreSpilled:
		}
		moreSpilled = nil
		if time.Now().Before(retryAt) && s.spill != nil {
			s.spillBatch(batch, errors.New("it failed a moment ago"))
			continue
		}
		if len(batch) > 0 {
			if err := s.commit(batch); err != nil {
				s.log.Error("the store does not take the log", "store", Redacted(s.config().URL), "entries", len(batch), "error", err)
				retryAt = time.Now().Add(retryPause)
				continue
			}
		}
		if s.spill.size() > 0 {
			if err := s.importSpill(); err != nil {
				s.log.Warn("the entries of the spill file are not in the store yet", "spill", s.config().Spill, "error", err)
				retryAt = time.Now().Add(retryPause)
			} else {
				moreSpilled = closed
			}
		}
	}
}

// collectBatch returns first and what else is waiting, up to a batch. crowded says that the batch before had
// more than one entry. Then it waits Config.BatchDelay for more: those whose entries were committed a moment ago are about
// to ask again, and a commit costs the same for many.
func (s *Store) collectBatch(first *write, crowded bool) []*write {
	batch, bytes := []*write{first}, first.record.size()
	var late <-chan time.Time
	if delay := s.config().BatchDelay.Duration(); crowded && delay > 0 {
		timer := time.NewTimer(delay)
		defer timer.Stop()
		late = timer.C
	}
	for len(batch) < s.config().Batch && bytes < maxBatchBytes {
		var w *write
		ok := false
		select {
		case w, ok = <-s.queue:
		default:
			if late == nil {
				return batch
			}
			select {
			case w, ok = <-s.queue:
			case <-late:
				return batch
			}
		}
		if !ok {
			return batch // the store is being closed
		}
		batch, bytes = append(batch, w), bytes+w.record.size()
	}
	return batch
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
	err := s.writeBatch(batch)
	s.metrics.commit.Observe(time.Since(begin).Seconds())
	s.metrics.batch.Observe(float64(len(batch)))
	if err == nil {
		for _, w := range batch {
			w.done <- nil
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
	var lite sqlite3.Error
	var pg *pgconn.PgError
	var json *json.UnsupportedValueError
	switch {
	case errors.As(err, &lite):
		switch lite.Code {
		case sqlite3.ErrConstraint, sqlite3.ErrMismatch, sqlite3.ErrTooBig, sqlite3.ErrRange:
			return true
		}
	case errors.As(err, &pg) && len(pg.Code) == 5:
		switch pg.Code[:2] {
		case "22", "23", "54": // data, constraints, limits (PostgreSQL documentation, appendix A)
			return true
		}
	}
	return errors.As(err, &json)
}

func (s *Store) writeBatch(batch []*write) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.config().WriteTimeout.Duration())
	defer cancel()
	if err := s.ready(ctx); err != nil {
		return err
	}
	var records []*Record
	seen := map[string]bool{}
	for _, w := range batch {
		if !seen[w.record.ID] {
			seen[w.record.ID] = true
			records = append(records, w.record)
		}
	}
	return s.insert(ctx, records)
}

// spillBatch gives a batch that the store did not take to the spill file, and tells every waiter.
func (s *Store) spillBatch(batch []*write, cause error) {
	records := make([]*Record, len(batch))
	for i, w := range batch {
		records[i] = w.record
	}
	err := s.spillRecords(records, cause)
	for _, w := range batch {
		w.done <- err
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
