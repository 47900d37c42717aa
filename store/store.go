// Package store keeps the translation log, the verified examples, what people
// said of the answers, and what was spent. They are in an embedded SQLite
// file, or in a PostgreSQL database that several instances share.
//
// An Append that has returned nil is durable, but for the entry of a repeated answer, which is so a moment later.
// Appends that come together share one transaction. When the database cannot take them, a spill file does. Its
// entries go to the database once that is back; their ids keep an entry from
// being there twice.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Store is an open log; Open makes one.
type Store struct {
	dialect
	inForce atomic.Pointer[Config]
	log     *slog.Logger
	db      *sql.DB // of SQLite the one writer
	read    *sql.DB
	spill   *spill // nil if there is none
	metrics metrics

	queue    chan *write
	stop     context.CancelFunc
	running  sync.WaitGroup
	migrated atomic.Bool
	pruning  sync.Mutex
	uncopied atomic.Int64 // entries since checkpointing

	lifetime   context.Context // ends with Close
	cancels    cancels
	remembered remembered

	closing sync.RWMutex // held for reading while a write is handed over
	closed  bool
}

// errClosed is returned by a closed store.
var errClosed = errors.New("the store is closed")

// Open opens the log and brings its tables up to date. A PostgreSQL store that
// is away is an error only if cfg.Required is set or there is no spill file;
// otherwise entries are spilled until it is there. Close ends it.
func Open(ctx context.Context, cfg Config, log *slog.Logger, reg prometheus.Registerer) (_ *Store, err error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Store{log: log, queue: make(chan *write, cfg.Queue)}
	s.inForce.Store(&cfg)
	s.dialect, _ = dialectOf(cfg.URL)
	defer func() {
		if err != nil {
			s.closeFiles()
			err = fmt.Errorf("store %s: %w", Redacted(cfg.URL), err)
		}
	}()
	if s.dialect == sqlite {
		s.db, s.read, err = openSQLite(&cfg)
	} else {
		s.db, err = openPostgres(&cfg)
		s.read = s.db
	}
	if err != nil {
		return nil, err
	}
	if !cfg.Required && cfg.Spill != "" {
		if s.spill, err = openSpill(cfg.Spill, cfg.MaxSpillBytes); err != nil {
			return nil, err
		}
	}
	if err := s.remember(ctx); err != nil {
		if s.dialect == sqlite || s.spill == nil {
			return nil, err
		}
		log.Warn("the store cannot be reached, the spill file takes the log", "store", Redacted(cfg.URL), "spill", cfg.Spill, "error", err)
	}
	s.metrics.register(reg, s)
	running, stop := context.WithCancel(context.Background())
	s.lifetime, s.stop = running, stop
	s.running.Go(s.writer)
	s.running.Go(func() { s.keepHouse(running) })
	s.regularly(housekeepingEvery, s.keepHouse)
	s.regularly(rememberEvery, func(ctx context.Context) {
		if err := s.remember(ctx); err != nil && ctx.Err() == nil {
			log.Debug("the verified examples cannot be read again; those in memory stay", "error", err)
		}
	})
	if s.dialect == sqlite {
		s.regularly(indexEvery, s.keepIndexed)
		last := time.Now()
		s.regularly(time.Second, func(ctx context.Context) { s.checkpoint(ctx, &last) })
	}
	return s, nil
}

// regularly calls f every so often until the store is closed.
func (s *Store) regularly(every time.Duration, f func(context.Context)) {
	s.running.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				f(s.lifetime)
			case <-s.lifetime.Done():
				return
			}
		}
	})
}

// config returns the settings in force.
func (s *Store) config() *Config { return s.inForce.Load() }

// Reload takes over settings: budgets, limits of age and size, what is kept, and the time that
// queries may take. Where the log is, how it is written and how often examples are checked stay as
// they were when it was opened.
func (s *Store) Reload(cfg Config) error {
	if err := cfg.Validate(); err != nil {
		return err
	}
	old := s.config()
	cfg.URL, cfg.Schema, cfg.Required = old.URL, old.Schema, old.Required
	cfg.Spill, cfg.MaxSpillBytes, cfg.Queue, cfg.Connections = old.Spill, old.MaxSpillBytes, old.Queue, old.Connections
	cfg.WriteTimeout, cfg.CheckExamples = old.WriteTimeout, old.CheckExamples
	s.inForce.Store(&cfg)
	return nil
}

// ready migrates a store that has not been reached before.
func (s *Store) ready(ctx context.Context) error {
	if s.migrated.Load() {
		return nil
	}
	if err := s.migrate(ctx); err != nil {
		return err
	}
	s.migrated.Store(true)
	return nil
}

// Ping tells whether the database can be reached.
func (s *Store) Ping(ctx context.Context) error {
	ctx, cancel := s.readContext(ctx)
	defer cancel()
	if err := s.read.PingContext(ctx); err != nil {
		return fmt.Errorf("store %s: %w", Redacted(s.config().URL), err)
	}
	return nil
}

// Spilled returns how many bytes wait in the spill file for the database.
func (s *Store) Spilled() int64 { return s.spill.size() }

// Close writes what is queued and closes the log.
func (s *Store) Close() error {
	s.closing.Lock()
	if s.closed {
		s.closing.Unlock()
		return nil
	}
	s.closed = true
	s.closing.Unlock()
	close(s.queue)
	s.stop()
	s.running.Wait()
	return s.closeFiles()
}

func (s *Store) closeFiles() error {
	var errs []error
	if s.read != nil && s.read != s.db {
		errs = append(errs, s.read.Close())
	}
	if s.db != nil {
		errs = append(errs, s.db.Close())
	}
	if s.spill != nil {
		errs = append(errs, s.spill.close())
	}
	return errors.Join(errs...)
}

func isCanceled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
