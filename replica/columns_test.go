package replica_test

import (
	"testing"

	"askpg/ask"
	"askpg/internal/pgtest"
)

// Columns that have the names of functions which must not be called are read like others, whether the server tells what a
// statement means or the guard judges by name; what PostgreSQL takes for a call of the function is refused.
func TestColumns_NamedAsFunctions(t *testing.T) {
	db := pgtest.NewDatabase(t, script+loud+`
		create table tills (id int, cash_in numeric, pg_read_file text, "pg_ls_dir" text);
		insert into tills values (1, 12.5, 'a', 'b'), (2, 7.5, 'c', 'd');
		create view drawers as select id, cash_in, pg_read_file from tills;
		create table bare (id int);
		insert into bare values (1);
		alter table bare add pg_read_file text;
		alter table bare drop pg_read_file;
		grant select on tills, drawers, bare to analyst`)
	pgtest.CatchUp(t)
	server := pgtest.Shared(t).Standby
	for _, login := range []string{"askpg", "askpg_loud"} {
		t.Run(login, func(t *testing.T) {
			cfg := config(t, server)
			cfg.URL = server.URL(login, "postgres")
			snap := begin(t, start(t, cfg), session(db, "analyst"))
			for _, sql := range []string{
				"select sum(t.cash_in)::text from tills t",
				"select sum(tills.cash_in)::text from public.tills where tills.pg_read_file is not null and tills.pg_ls_dir <> ''",
				"select sum(d.cash_in)::text from drawers d join tills t on t.id = d.id and t.pg_read_file = d.pg_read_file",
				"with d as (select t.id, t.cash_in from tills t) select sum(d.cash_in)::text from d",
				"select sum(s.cash_in)::text from (select id, cash_in from drawers union all select id, 0 from tills) s",
			} {
				res, err := snap.Run(deadline(t), sql)
				if err != nil || string(res.Rows[0][0]) != "20.0" {
					t.Errorf("%s: %v, %v", sql, res, err)
				}
			}
			for _, sql := range []string{
				"select f.pg_read_file from unnest(array['/etc/passwd']) f",
				"select f.pg_ls_dir from unnest(array['/']) f (path)",
				"select x.pg_read_file from tills t, lateral (select t.pg_read_file from unnest(array['/etc/passwd']) t) x",
				"select (select tills.pg_read_file from unnest(array['/etc/passwd']) tills) from tills",
				"select (select unnest.pg_read_file from unnest(array['/etc/passwd'])) from tills unnest",
				"select 1 from tills t where exists (select from unnest(array['/etc/passwd']) as t (pg_ls_dir) where t.pg_read_file <> '')",
				"with t as (select tills.pg_read_file from tills) select (select t.pg_read_file from unnest(array['/etc/passwd']) t) from t",
				"select (select t.pg_read_file from lower('/etc/passwd') t) from (select tills.pg_read_file from tills) t",
				"select (t.pg_ls_dir).pg_read_file from tills t",
			} {
				if _, err := snap.Check(deadline(t), sql); ask.CodeOf(err) != ask.CodeRefused {
					t.Errorf("%s: %v", sql, err)
				}
			}
			// Where there is no such column, the server says so, or the guard before it.
			for _, sql := range []string{"select bare.pg_read_file from bare", "select t.cash_in from tills t (a, b, c, d)"} {
				if _, err := snap.Check(deadline(t), sql); ask.CodeOf(err) != "42703" && ask.CodeOf(err) != ask.CodeRefused {
					t.Errorf("%s: %v", sql, err)
				}
			}
		})
	}
}
