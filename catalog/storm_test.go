package catalog_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/internal/pgtest"
)

// Snapshots are taken by many while tables come, go and change. None fails,
// and each shows every table as it was at one time.
func TestCatalog_DDLStorm(t *testing.T) {
	database := pgtest.NewDatabase(t, "create table steady (id int primary key, name text); insert into steady values (1, 'rock'); create view over as select * from steady")
	role := newRole(t, database, "reader")
	primary(t, database, "grant select on steady, over to "+role)
	c := newCatalog(t, settings())
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, pgtest.Shared(t).Primary.URL(pgtest.Superuser, database))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(ctx))

	stop := make(chan struct{})
	var wg sync.WaitGroup
	errs := make(chan error, 4)
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				s, err := c.Snapshot(ctx, database, role)
				if err != nil {
					errs <- err
					return
				}
				if r := s.Lookup("public", "steady"); r == nil || len(s.Values.Find("rock")) == 0 {
					errs <- fmt.Errorf("the steady table is missing: %v", s.Relations)
					return
				}
				for _, r := range s.Relations {
					// A table begins with one column, and gets a second one in the
					// transaction that renames it.
					if n := len(r.Columns); r.Name.Name[0] == 'n' && n != 1 || r.Name.Name[0] == 'o' && r.Name.Name != "over" && n != 2 {
						errs <- fmt.Errorf("%s has %d columns", r.Name.Name, n)
						return
					}
				}
			}
		})
	}
	for i := range 40 {
		for _, sql := range []string{
			fmt.Sprintf("create table new%d (a text check (a in ('x'))); grant select on new%d to %s; create view w%d as select * from new%d; grant select on w%d to %s", i, i, role, i, i, i, role),
			fmt.Sprintf("begin; drop view w%d; alter table new%d add column b int references steady; alter table new%d rename to old%d; commit", i, i, i, i),
			fmt.Sprintf("revoke select on old%d from %s; grant select on old%d to public; comment on table old%d is 'old'", i, role, i, i),
			fmt.Sprintf("drop table old%d", i),
		} {
			if _, err := conn.PgConn().Exec(ctx, sql).ReadAll(); err != nil {
				t.Fatalf("%s: %v", sql, err)
			}
		}
	}
	close(stop)
	wg.Wait()
	select {
	case err := <-errs:
		t.Fatal(err)
	default:
	}
	pgtest.CatchUp(t)
	if s := snapshot(t, c, database, role); len(s.Relations) != 2 {
		t.Fatalf("%d relations after the storm, want 2", len(s.Relations))
	}
}
