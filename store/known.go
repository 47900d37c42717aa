package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"sync"
	"time"
)

// known keeps what the look-ups of questions have found in a SQLite store, for as long as no
// connection of any process has changed the file since, which SQLite itself tells (PRAGMA
// data_version). Asking it costs a tenth of the queries.
type known struct {
	mu      sync.Mutex
	conn    driver.Conn // of its own: the number is a connection's
	stmt    driver.Stmt
	version int64
	looked  time.Time
	found   map[string]any
}

const (
	maxKnown = 4096
	// knownFor is how long the number is taken for granted, so that a question
	// reads it once for all that it looks up.
	knownFor = 200 * time.Microsecond
)

func openKnown(dsn string) (*known, error) {
	conn, err := connector(dsn).Connect(context.Background())
	if err != nil {
		return nil, err
	}
	stmt, err := conn.Prepare(`pragma data_version`)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &known{conn: conn, stmt: stmt, found: map[string]any{}}, nil
}

func (k *known) close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.conn == nil {
		return nil
	}
	k.stmt.Close()
	err := k.conn.Close()
	k.conn = nil
	return err
}

// look forgets what was found before the last change. The caller holds mu.
func (k *known) look() error {
	if time.Since(k.looked) < knownFor {
		return nil
	}
	if k.conn == nil {
		return ErrClosed
	}
	//lint:ignore SA1019 a driver's own statement, which needs no context
	rows, err := k.stmt.Query(nil)
	if err != nil {
		return err
	}
	defer rows.Close()
	value := make([]driver.Value, 1)
	if err := rows.Next(value); err != nil {
		return err
	}
	version, ok := value[0].(int64)
	if !ok {
		return fmt.Errorf("data_version is a %T", value[0])
	}
	if version != k.version || len(k.found) >= maxKnown {
		clear(k.found)
	}
	k.version, k.looked = version, time.Now()
	return nil
}

// changed is called when this process has changed what look-ups find: nobody goes by what he
// found before.
func (k *known) changed() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.looked = time.Time{}
}

// find returns what is known under the key, or what look finds: as new as the
// store was when find was called, or knownFor before for changes of another process.
func find[T any](k *known, key string, look func() (T, error)) (T, error) {
	if k == nil {
		return look()
	}
	k.mu.Lock()
	err := k.look()
	version := k.version
	v, ok := k.found[key].(T)
	k.mu.Unlock()
	if err != nil {
		return look()
	}
	if ok {
		return v, nil
	}
	if v, err = look(); err != nil {
		return v, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if version == k.version {
		k.found[key] = v
	}
	return v, nil
}
