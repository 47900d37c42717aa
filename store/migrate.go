package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"path"
)

//go:embed migrations
var migrations embed.FS

// migrate brings the tables up to this program's schema, in one transaction.
// Several instances may start at once: the first one does it.
//
// The files of migrations are run in the order of their names. The version of a schema is how many of them were run. It is no
// file's number, as two begin with 0004.
func (s *Store) migrate(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if s.dialect == postgres {
		// The key is "askpg" in ASCII: one migration at a time in a database.
		if _, err := tx.ExecContext(ctx, `select pg_catalog.pg_advisory_xact_lock(418414358631)`); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `create schema if not exists `+quoteIdent(s.config().Schema)); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, `create table if not exists schema_version (version integer not null)`); err != nil {
		return err
	}
	var have sql.NullInt64
	if err := tx.QueryRowContext(ctx, `select max(version) from schema_version`).Scan(&have); err != nil {
		return err
	}
	folder := path.Join("migrations", string(s.dialect))
	files, err := migrations.ReadDir(folder)
	if err != nil {
		return err
	}
	if int(have.Int64) > len(files) {
		return fmt.Errorf("its schema has version %d, which is newer than this program's %d; use a newer askpg", have.Int64, len(files))
	}
	for i, f := range files[have.Int64:] {
		script, err := migrations.ReadFile(path.Join(folder, f.Name()))
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, string(script)); err != nil {
			return fmt.Errorf("migration %s: %w", f.Name(), err)
		}
		if _, err := tx.ExecContext(ctx, s.bind(`insert into schema_version values (?)`), int(have.Int64)+i+1); err != nil {
			return err
		}
	}
	return tx.Commit()
}
