package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"askpg/ask"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/mattn/go-sqlite3"
)

// dialect is what differs between the two databases that can hold the log.
type dialect string

const (
	sqlite   dialect = "sqlite"
	postgres dialect = "postgres"
)

// bind numbers the question marks of a query as the database wants it. Our
// queries hold no question mark but for parameters.
func (d dialect) bind(query string) string {
	if d == sqlite {
		return query
	}
	var b strings.Builder
	for i, part := range strings.Split(query, "?") {
		if i > 0 {
			b.WriteString("$" + strconv.Itoa(i))
		}
		b.WriteString(part)
	}
	return b.String()
}

// time returns the argument that stores t.
func (d dialect) time(t time.Time) any {
	if d == sqlite {
		return t.UnixMicro()
	}
	return t
}

// openSQLite opens a file for one writer and several readers. WAL lets them
// read while it writes; synchronous=FULL makes a commit survive a power cut.
func openSQLite(cfg *Config) (write, read *sql.DB, err error) {
	path, err := filepath.Abs(strings.TrimPrefix(strings.TrimPrefix(cfg.URL, "sqlite:"), "//"))
	if err != nil {
		return nil, nil, err
	}
	// The log holds what people asked: nobody else may read it.
	// A file that exists is not opened: on closing it, the process would lose the locks that
	// SQLite holds on it (fcntl(2)).
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err == nil {
		f.Close()
	} else if !errors.Is(err, fs.ErrExist) {
		return nil, nil, withFileHint(err)
	}
	pragmas := fmt.Sprintf("?_busy_timeout=%d", cfg.WriteTimeout.Duration().Milliseconds()) + "&_foreign_keys=1&_journal_mode=WAL&_synchronous=FULL&_stmt_cache_size=64"
	patience := cfg.WriteTimeout.Duration()
	write = sql.OpenDB(connector{path + pragmas + "&_txlock=immediate&_cache_size=-65536", patience})
	write.SetMaxOpenConns(1)
	read = sql.OpenDB(connector{path + pragmas + "&_query_only=1&_cache_size=-32768", patience})
	read.SetMaxOpenConns(cfg.Connections)
	read.SetMaxIdleConns(cfg.Connections)
	return write, read, nil
}

// connector opens connections to a SQLite file.
type connector struct {
	dsn      string
	patience time.Duration // how long to wait for another process that switches the file to WAL
}

// Driver returns the driver with what its URL cannot say. Temporary files stay
// in memory. A commit copies the write-ahead log into the database itself only
// if checkpointing did not keep up.
func (c connector) Driver() driver.Driver {
	return &sqlite3.SQLiteDriver{ConnectHook: func(conn *sqlite3.SQLiteConn) error {
		_, err := conn.Exec(fmt.Sprintf(`pragma temp_store = memory; pragma wal_autocheckpoint = %d; pragma journal_size_limit = %d`, maxLogPages, maxLogPages<<12), nil)
		return err
	}}
}

// Connect opens a connection. SQLite does not wait by its busy_timeout where two connections
// switch a new file to WAL at once, as either would wait for the other; it says that the file is
// busy, and the one that lost tries again.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	for {
		conn, err := c.Driver().Open(c.dsn)
		lite, _ := errors.AsType[sqlite3.Error](err)
		if lite.Code == sqlite3.ErrCantOpen {
			return nil, withFileHint(err)
		}
		if lite.Code != sqlite3.ErrBusy {
			return conn, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(busyPause):
		}
	}
}

// withFileHint says which setting names a file that cannot be opened.
func withFileHint(err error) error {
	return fmt.Errorf("%w; store.url names the file, its folder must exist and be writable", err)
}

// busyPause is the time between two tries to open a file that is busy.
const busyPause = 5 * time.Millisecond

// postgresConn says how to connect to a PostgreSQL store.
func postgresConn(cfg *Config) (*pgx.ConnConfig, error) {
	c, err := pgx.ParseConfig(cfg.URL)
	if err != nil {
		return nil, ask.URLError("store.url", err)
	}
	c.RuntimeParams["search_path"] = quoteIdent(cfg.Schema)
	c.RuntimeParams["timezone"] = "UTC"
	c.RuntimeParams["application_name"] = cmp.Or(c.RuntimeParams["application_name"], "askpg store")
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = cfg.WriteTimeout.Duration()
	}
	return c, nil
}

// openPostgres opens a pool; it does not connect yet.
func openPostgres(cfg *Config) (*sql.DB, error) {
	c, err := postgresConn(cfg)
	if err != nil {
		return nil, err
	}
	// A server that is set to acknowledge commits before they are on disk must
	// not do so here; one that waits for standbys as well goes on doing that.
	db := stdlib.OpenDB(*c, stdlib.OptionAfterConnect(func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `select pg_catalog.set_config('synchronous_commit', 'on', false) where pg_catalog.current_setting('synchronous_commit') = 'off'`)
		return err
	}))
	db.SetMaxOpenConns(cfg.Connections)
	db.SetMaxIdleConns(cfg.Connections)
	db.SetConnMaxIdleTime(5 * time.Minute)
	return db, nil
}

func quoteIdent(name string) string { return pgx.Identifier{name}.Sanitize() }

// readContext gives a query the time that it may take.
func (s *Store) readContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, s.config().ReadTimeout.Duration())
}

// lookUpContext gives a query that a question waits for its time.
func (s *Store) lookUpContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, s.config().LookupTimeout.Duration())
}
