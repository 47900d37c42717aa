package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/internal/shop"
)

// create creates the databases of a set and loads them. A warehouse is one database, created if it is missing, with a schema for each.
func (c *Cluster) create(ctx context.Context, s *Set, o *Options) error {
	for _, db := range s.Databases {
		at := s.placeOf(o, db)
		err := c.on(ctx, "", func(conn *pgx.Conn) error {
			var exists bool
			err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", at.database).Scan(&exists)
			if err == nil && (!exists || !o.Warehouse) {
				_, err = conn.Exec(ctx, "CREATE DATABASE "+quoted(at.database)+" ENCODING 'UTF8' TEMPLATE template0")
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("creating database %s: %w", at.database, err)
		}
		// A script may set things for its session: each gets a connection of its own.
		if err := c.on(ctx, at.database, func(conn *pgx.Conn) error { return s.fill(ctx, conn, db) }); err != nil {
			return fmt.Errorf("loading database %s: %w", db, err)
		}
		if !o.Warehouse {
			continue
		}
		if err := c.exec(ctx, at.database, "ALTER SCHEMA public RENAME TO "+quoted(at.schema)+"; CREATE SCHEMA public"); err != nil {
			return fmt.Errorf("making a schema of database %s: %w", db, err)
		}
	}
	return nil
}

// shopName is the database that the demo's shop is loaded into, which needs no script.
const shopName = "shop"

// fill loads a database's content into the connected database, which is empty.
func (s *Set) fill(ctx context.Context, conn *pgx.Conn, db string) error {
	script, err := os.ReadFile(filepath.Join(s.Dir, "databases", db+".sql"))
	if errors.Is(err, fs.ErrNotExist) {
		if path := s.sqliteFile(db); path != "" {
			return copySQLite(ctx, conn, path)
		}
		if db == shopName {
			return shop.Load(ctx, conn)
		}
	}
	if err != nil {
		return err
	}
	_, err = conn.PgConn().Exec(ctx, string(script)).ReadAll()
	return err
}

// fetch runs one statement and returns its rows in text format. More than
// maxRows rows are an error.
func fetch(ctx context.Context, conn *pgconn.PgConn, sql string, maxRows int) (*ask.Result, error) {
	reader := conn.ExecParams(ctx, sql, nil, nil, nil, nil)
	r := &ask.Result{Complete: true}
	for _, f := range reader.FieldDescriptions() {
		r.Columns = append(r.Columns, ask.Column{
			Name: f.Name, TableOID: f.TableOID, Attnum: f.TableAttributeNumber,
			TypeOID: f.DataTypeOID, TypeLen: f.DataTypeSize, TypeMod: f.TypeModifier,
		})
	}
	for reader.NextRow() {
		if len(r.Rows) == maxRows {
			_, _ = reader.Close()
			return nil, errTooManyRows
		}
		row := make([][]byte, len(r.Columns))
		for i, v := range reader.Values() {
			if v != nil {
				row[i] = append([]byte{}, v...)
			}
		}
		r.Rows = append(r.Rows, row)
	}
	if _, err := reader.Close(); err != nil {
		return nil, err
	}
	if len(r.Columns) == 0 {
		return nil, errNoRows
	}
	return r, nil
}

// planCost returns the planner's total cost of a statement.
func planCost(ctx context.Context, conn *pgconn.PgConn, sql string) (float64, error) {
	result, err := fetch(ctx, conn, "EXPLAIN (FORMAT JSON) "+sql, 1)
	if err != nil || len(result.Rows) == 0 {
		return 0, err
	}
	var plans []struct {
		Plan struct {
			Cost float64 `json:"Total Cost"`
		}
	}
	if err := json.Unmarshal(result.Rows[0][0], &plans); err != nil || len(plans) == 0 {
		return 0, err
	}
	return plans[0].Plan.Cost, nil
}

var (
	errTooManyRows = errors.New("too many rows")
	errNoRows      = errors.New("the statement returns no rows")
)

// runner runs statements in the databases of one server, each in a read-only
// transaction with a time limit, over one connection a database and search path.
type runner struct {
	config *pgx.ConnConfig
	conns  map[runnerKey]*pgx.Conn
}

// runnerKey names a connection; the schema is the first of its search path, ""
// for the usual one; the role is whose rights apply, "" for the superuser's.
type runnerKey struct{ database, schema, role string }

func newRunner(url string) (*runner, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	maps.Copy(config.RuntimeParams, map[string]string{
		"default_transaction_read_only": "on", "statement_timeout": fmt.Sprint(queryTimeout.Milliseconds()),
		"timezone": "UTC", "datestyle": "ISO, MDY", "intervalstyle": "postgres", "extra_float_digits": "1",
	})
	return &runner{config: config, conns: map[runnerKey]*pgx.Conn{}}, nil
}

// run returns the rows of a statement and the time that it took.
func (r *runner) run(ctx context.Context, key runnerKey, sql string) (*ask.Result, time.Duration, error) {
	conn := r.conns[key]
	if conn == nil || conn.IsClosed() {
		config := r.config.Copy()
		config.Database = key.database
		if key.schema != "" {
			config.RuntimeParams["search_path"] = pgx.Identifier{key.schema}.Sanitize() + ", public"
		}
		if key.role != "" {
			config.RuntimeParams["role"] = key.role
		}
		var err error
		if conn, err = pgx.ConnectConfig(ctx, config); err != nil {
			return nil, 0, err
		}
		r.conns[key] = conn
	}
	ctx, cancel := context.WithTimeout(ctx, queryTimeout+5*time.Second)
	defer cancel()
	started := time.Now()
	result, err := fetch(ctx, conn.PgConn(), sql, maxRows)
	return result, time.Since(started), err
}

func (r *runner) close() {
	for _, c := range r.conns {
		c.Close(context.Background())
	}
}
