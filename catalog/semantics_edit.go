package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// ErrSemanticsBusy says that another program is changing the semantics file.
var ErrSemanticsBusy = errors.New("another program is changing the semantics file")

// EditSemantics changes a semantics file: edit gets its text and returns the new one, or an error that leaves the file as it is. The
// new text takes the old one's place in one step, with the file's permissions and owner, and only if it is a semantics file. Of
// several edits at a time one is made, and the others get ErrSemanticsBusy.
func EditSemantics(path string, edit func(text string) (string, error)) (err error) {
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrSemanticsBusy
	} else if err != nil {
		return fmt.Errorf("locking %s: %w", path, err)
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if now, err := os.Stat(path); err != nil || !os.SameFile(info, now) {
		return errors.Join(ErrSemanticsBusy, err)
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	next, err := edit(string(text))
	if err != nil {
		return err
	}
	if err := CheckSemantics(next); err != nil {
		return fmt.Errorf("%s would not be a semantics file with it, and stays as it is: %w", path, err)
	}
	return replaceFile(path, info, next)
}

// replaceFile puts a text in a file's place: it is the old or the new one at every moment, also after a power cut.
func replaceFile(path string, old os.FileInfo, text string) (err error) {
	dir := filepath.Dir(path)
	file, err := os.CreateTemp(dir, ".askpg-semantics-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	_, err = file.WriteString(text)
	if owner, ok := old.Sys().(*syscall.Stat_t); ok && err == nil {
		if err = file.Chown(int(owner.Uid), int(owner.Gid)); err != nil {
			err = fmt.Errorf("%s belongs to another account or group, which cannot be kept: %w", path, err)
		}
	}
	if err == nil {
		err = file.Chmod(old.Mode().Perm())
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return err
	}
	parent, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(parent.Sync(), parent.Close())
}

// TakeSemantics takes the semantics file over now if it has changed. Without it that happens within Config.Freshness.
func (c *Catalog) TakeSemantics() { c.semantics() }

// SemanticsProblems returns what of a text does not fit a database as a role sees it: what Snapshot.Problems would be if the text
// were the semantics file, and which expressions the server refuses. The error says why it is none, or why the catalog cannot be read.
func (c *Catalog) SemanticsProblems(ctx context.Context, database, role, text string) ([]string, error) {
	file, err := parseSemantics(text)
	if err != nil {
		return nil, err
	}
	return c.problems(ctx, database, role, file, problem.String)
}

// Problems is SemanticsProblems of the semantics file as it is, with the lines of the entries.
func (c *Catalog) Problems(ctx context.Context, database, role string) ([]string, error) {
	return c.problems(ctx, database, role, c.semantics().semantics, problem.Located)
}

// faults are the classes of errors that are a statement's own: unsupported, of its data, its names and syntax, its size. Any other,
// as of a time limit or the connection, says nothing of the statement.
var faults = []string{"0A", "22", "42", "54"}

func (c *Catalog) problems(ctx context.Context, database, role string, file *semantics, say func(problem) string) (problems []string, err error) {
	if !c.begin() {
		return nil, errClosed
	}
	defer c.loads.Done()
	o := owner{database: database, role: role}
	meta, err := c.metadata(ctx, c.database(database), o)
	if err != nil {
		return nil, err
	}
	err = c.src.As(ctx, database, role, func(tx pgx.Tx) error {
		rights, err := readRights(ctx, tx, o)
		if err != nil {
			return err
		}
		var failed error
		s := build(project(meta, rights), &c.cfg, file, database, role, func(sql string) error {
			err := analyse(ctx, tx, sql)
			var refused *pgconn.PgError
			switch {
			case !errors.As(err, &refused), !slices.Contains(faults, refused.Code[:2]):
				failed = errors.Join(failed, err)
				return nil
			case refused.Code == "42725": // of functions of several schemas one is in the asker's search_path
				return nil
			}
			return errors.New(refused.Message)
		})
		for _, p := range s.Problems {
			problems = append(problems, say(p))
		}
		return failed
	})
	if err != nil {
		return nil, fmt.Errorf("reading the catalog of database %q as role %q: %w", database, role, err)
	}
	return problems, nil
}

// everySchema has what has no schema be found in any that the role may use, as it may be in an asker's search_path.
const everySchema = `select set_config('search_path', string_agg(quote_ident(nspname), ', ' order by nspname = 'public' desc, nspname), true)
from pg_namespace where nspname !~ '^pg_' and has_schema_privilege(oid, 'USAGE')`

// analyse has the server analyse a statement, and neither plan nor run it.
func analyse(ctx context.Context, tx pgx.Tx, sql string) error {
	point, err := tx.Begin(ctx)
	if err != nil {
		return err
	}
	if _, err = point.Exec(ctx, everySchema); err == nil {
		_, err = point.Prepare(ctx, "", sql)
	}
	return errors.Join(err, point.Rollback(ctx))
}
