package catalog_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
)

// TestEditSemantics changes the file in one step, keeps what it may be read by, and leaves it as it is where that cannot be.
func TestEditSemantics(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "semantics.toml"), filepath.Join(dir, "link.toml")
	writeFile(t, path, "# ours")
	if err := errors.Join(os.Chmod(path, 0o640), os.Symlink("semantics.toml", link)); err != nil {
		t.Fatal(err)
	}
	read := func() string {
		t.Helper()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	add := func(text string) func(string) (string, error) {
		return func(was string) (string, error) { return was + "\n" + text, nil }
	}
	const entry = "[[table]]\nname = 'a'\n"
	if err := catalog.EditSemantics(link, add(entry)); err != nil || read() != "# ours\n"+entry {
		t.Fatalf("%v, %q", err, read())
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if err := catalog.EditSemantics(path, add("[[table")); err == nil || read() != "# ours\n"+entry {
		t.Errorf("what is no semantics file: %v, %q", err, read())
	}
	stop := errors.New("changed my mind")
	if err := catalog.EditSemantics(path, func(string) (string, error) { return "", stop }); !errors.Is(err, stop) || read() != "# ours\n"+entry {
		t.Errorf("%v, %q", err, read())
	}
	if err := catalog.EditSemantics(filepath.Join(dir, "none.toml"), add(entry)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if name, err := os.ReadFile("/proc/self/comm"); err == nil { // a file that can be written, in a folder that takes no new one
		err := catalog.EditSemantics("/proc/self/comm", func(string) (string, error) { return "", nil })
		if now, _ := os.ReadFile("/proc/self/comm"); err == nil || string(now) != string(name) {
			t.Errorf("a folder that takes no file: %v, %q", err, now)
		}
	}
	held, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := syscall.Flock(int(held.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if err := catalog.EditSemantics(path, add(entry)); !errors.Is(err, catalog.ErrSemanticsBusy) || read() != "# ours\n"+entry {
		t.Errorf("while another program changes it: %v, %q", err, read())
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("%v, %v are left in the folder", files, err)
	}
}

// TestEditSemantics_AtOnce: of edits at once none is lost.
func TestEditSemantics_AtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "semantics.toml")
	writeFile(t, path, "")
	var group sync.WaitGroup
	var mu sync.Mutex
	made := 0
	for range 8 {
		group.Go(func() {
			for range 20 {
				err := catalog.EditSemantics(path, func(was string) (string, error) { return was + "# line\n", nil })
				if err == nil {
					mu.Lock()
					made++
					mu.Unlock()
				} else if !errors.Is(err, catalog.ErrSemanticsBusy) {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if data, err := os.ReadFile(path); err != nil || made == 0 || strings.Count(string(data), "\n") != made {
		t.Errorf("%d of %d edits are in the file, %v", strings.Count(string(data), "\n"), made, err)
	}
}

// TestCatalog_SemanticsProblems says of a text what would be said of the file, and takes the file over at once when told to.
func TestCatalog_SemanticsProblems(t *testing.T) {
	database := pgtest.NewDatabase(t, ledger)
	role := newRole(t, database, "reader")
	primary(t, database, "grant select on customers to "+role)
	cfg := settings()
	cfg.Freshness = ask.Duration(time.Hour) // nothing is looked at again by itself
	cfg.Semantics = filepath.Join(t.TempDir(), "semantics.toml")
	writeFile(t, cfg.Semantics, "[[table]]\nname = 'nowhere'\n")
	c := newCatalog(t, cfg)
	ctx := context.Background()
	for text, want := range map[string][]string{
		"":                                 nil,
		"[[table]]\nname = 'nowhere'\n":    {`table nowhere: role "` + role + `" can read no table "nowhere" in database "` + database + `"`},
		"[[column]]\nname = 'orders.id'\n": {`column orders.id: role "` + role + `" can read no table "orders" in database "` + database + `"`},
		"[[column]]\nname = 'customers.name'\nprivate = true\n[[table]]\nname = 'x'\ndatabase = 'other'\n": nil,
	} {
		if got, err := c.SemanticsProblems(ctx, database, role, text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
	if _, err := c.SemanticsProblems(ctx, database, role, "[[table"); err == nil {
		t.Error("a text that is no semantics file fits")
	}
	if _, err := c.SemanticsProblems(ctx, "nowhere", role, ""); err == nil {
		t.Error("a text fits a database that there is not")
	}
	if got := snapshot(t, c, database, pgtest.Superuser).Problems; len(got) != 1 {
		t.Fatal(got)
	}
	if err := catalog.EditSemantics(cfg.Semantics, func(string) (string, error) { return "[[column]]\nname = 'customers.name'\nprivate = true\n", nil }); err != nil {
		t.Fatal(err)
	}
	c.TakeSemantics()
	s := snapshot(t, c, database, pgtest.Superuser)
	if len(s.Problems) != 0 || !s.Lookup("public", "customers").Column("name").Private {
		t.Errorf("the file is not taken over: %v", s.Problems)
	}
}

// TestCatalog_SemanticsProblems_Unavailable: what the server could not analyse in its time is no fault of a definition.
func TestCatalog_SemanticsProblems_Unavailable(t *testing.T) {
	database := pgtest.NewDatabase(t, ledger)
	primary(t, database, "alter database "+database+" set statement_timeout = '2s'")
	src := newSource(t)
	src.primary = true
	cfg := settings()
	cfg.Freshness = ask.Duration(time.Hour)
	c := catalog.New(cfg, src, quiet(), nil)
	t.Cleanup(c.Close)
	ctx := context.Background()
	const text = "[[measure]]\nname = 'names'\ntable = 'customers'\nexpression = 'count(name)'\n"
	if got, err := c.SemanticsProblems(ctx, database, pgtest.Superuser, text); err != nil || len(got) > 0 {
		t.Fatal(got, err)
	}
	conn, err := pgx.Connect(ctx, pgtest.Shared(t).Primary.URL(pgtest.Superuser, database))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "begin; lock table customers in access exclusive mode"); err != nil {
		t.Fatal(err)
	}
	got, err := c.SemanticsProblems(ctx, database, pgtest.Superuser, text)
	var e *pgconn.PgError
	if len(got) > 0 || !errors.As(err, &e) || e.Code != "57014" {
		t.Errorf("%q, %v", got, err)
	}
}
