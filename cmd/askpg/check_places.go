package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/store"
)

// ports says which addresses are taken. By the askpg that runs with this configuration they should be.
func (r *report) ports(cfg *Config, running bool) {
	for _, a := range []struct{ setting, list string }{{"listen.address", cfg.Listen.Address}, {"admin.address", cfg.Admin.Address}} {
		for _, address := range ask.SplitList(a.list) {
			if strings.HasPrefix(address, "unix:") {
				continue
			}
			l, err := net.Listen("tcp", address)
			switch {
			case err == nil:
				l.Close()
				r.add(a.setting+" "+address+": free", nil, "")
			case running && errors.Is(err, syscall.EADDRINUSE):
				r.note(a.setting + " " + address + " is taken: an askpg runs here")
			default:
				_, port, _ := net.SplitHostPort(address)
				r.add(a.setting+" "+address, err, fmt.Sprintf("`ss -ltnp sport = :%s` shows what listens there; end it, or set %s to a free one", port, a.setting))
			}
		}
	}
}

// places says where the log and the spill file are, and whether they can be. It makes neither.
func (r *report) places(ctx context.Context, cfg *store.Config) {
	if cfg.Validate() != nil {
		return // that is said, and the URL may show a password where it is none
	}
	if path, ok := sqliteFile(cfg.URL); ok {
		r.file("store", path, "give askpg's account the right to write there, or correct store.url")
	} else {
		r.postgresStore(ctx, cfg)
	}
	if cfg.Spill != "" && !cfg.Required {
		r.file("spill file", cfg.Spill, "give askpg's account the right to write there, or correct store.spill; empty is none")
	}
}

// sqliteFile returns the file of a SQLite store.
func sqliteFile(url string) (path string, ok bool) {
	path, ok = strings.CutPrefix(url, "sqlite:")
	return strings.TrimPrefix(path, "//"), ok
}

// file says whether a file can be written, or made where it is not there yet.
func (r *report) file(what, path, fix string) {
	path, err := filepath.Abs(path)
	f, openErr := os.OpenFile(path, os.O_RDWR, 0)
	switch {
	case err != nil:
	case openErr == nil:
		f.Close()
		r.add(what+" "+path, nil, "")
		return
	case errors.Is(openErr, os.ErrNotExist):
		err = writable(filepath.Dir(path))
	default:
		err = openErr
	}
	if err == nil {
		path += ": will be made"
	}
	r.add(what+" "+path, err, fix)
}

// writable returns why no file can be made in a folder.
func writable(dir string) error {
	if _, err := os.Stat(dir); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".askpg-check-*")
	if err != nil {
		return fmt.Errorf("folder %s: %w", dir, errors.Unwrap(err))
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// storeRights says whether a login can use a PostgreSQL store: its schema $1 is there and it may create tables in it, or it may
// make the schema.
const storeRights = `select current_user, current_database(), coalesce(
	(select has_schema_privilege(n.oid, 'CREATE, USAGE') from pg_namespace n where n.nspname = $1), has_database_privilege(current_database(), 'CREATE'))`

func (r *report) postgresStore(ctx context.Context, cfg *store.Config) {
	what := "store " + store.Redacted(cfg.URL)
	conf, err := pgx.ParseConfig(cfg.URL)
	if err != nil {
		r.add(what, ask.URLError("store.url", err), "")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, cfg.ReadTimeout.Duration())
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, conf)
	if err != nil {
		r.add(what, err, "start the server, or correct store.url")
		return
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var login, database string
	var may bool
	if err = conn.QueryRow(ctx, storeRights, cfg.Schema).Scan(&login, &database, &may); err == nil && !may {
		err = fmt.Errorf("login %s may not make its tables in schema %s", login, cfg.Schema)
	}
	schema, owner := pgx.Identifier{cfg.Schema}.Sanitize(), pgx.Identifier{login}.Sanitize()
	r.add(what, err, fmt.Sprintf("CREATE SCHEMA %s AUTHORIZATION %s; in database %s, or ALTER SCHEMA %s OWNER TO %s;", schema, owner, cmp.Or(database, conf.Database), schema, owner))
}

// passing has the store of a command that ends at once leave nothing behind: the spill file is the serving process's. A
// SQLite file that is not there yet is made elsewhere; the function that passing returns removes it.
func (c *Config) passing() (remove func(), err error) {
	c.Store.Spill = ""
	path, ok := sqliteFile(c.Store.URL)
	if !ok {
		return func() {}, nil
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		return func() {}, nil
	}
	return c.storeElsewhere()
}

// storeElsewhere has the store be an empty one, which the function that it returns removes.
func (c *Config) storeElsewhere() (remove func(), err error) {
	c.Store.Spill = ""
	dir, err := os.MkdirTemp("", "askpg-")
	c.Store.URL = "sqlite:" + filepath.Join(dir, "askpg.db")
	return func() { _ = os.RemoveAll(dir) }, err
}
