package replica_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/replica"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// roles makes a service login and askers. Roles are the cluster's, so that
// every database's script tolerates them.
const roles = `
do $$ begin create role askpg login noinherit; exception when duplicate_object then null; end $$;
do $$ begin create role analyst; exception when duplicate_object then null; end $$;
do $$ begin create role support; exception when duplicate_object then null; end $$;
do $$ begin create role stranger; exception when duplicate_object then null; end $$;
do $$ begin create role reader in role pg_signal_backend; exception when duplicate_object then null; end $$;
grant analyst, support, reader to askpg;
alter role askpg set log_min_messages = 'fatal';
alter role askpg set temp_file_limit = '64MB';
revoke create on schema public from public;
`

// script makes something to ask about.
const script = roles + `
create table customers (id int primary key, name text not null, city text, secret text);
insert into customers select i, 'customer ' || i, case when i % 2 = 0 then 'Bonn' else 'Köln' end, 'secret ' || i from generate_series(1, 100) i;
create table orders (id int primary key, customer_id int references customers, total numeric(10,2), at timestamptz default now());
insert into orders select i, 1 + i % 100, i * 1.5, now() - i * interval '1 hour' from generate_series(1, 1000) i;
create view city_totals as select city, sum(total) as total from customers c join orders o on o.customer_id = c.id group by 1;
grant select (id, name, city) on customers to analyst;
grant select on orders, city_totals to analyst;
grant select on orders to support;
alter table orders enable row level security;
create policy few on orders for select to support using (id <= 10);
create policy analysts on orders for select to analyst using (true);
analyze;
`

func config(t testing.TB, server *pgtest.Server) replica.Config {
	cfg := replica.DefaultConfig()
	cfg.URL = server.URL("askpg", "postgres")
	cfg.MaxLag = ask.Duration(time.Minute)
	return cfg
}

func start(t testing.TB, cfg replica.Config) *replica.Replica {
	t.Helper()
	r, err := replica.New(cfg, slog.New(slog.NewTextHandler(io.Discard, nil)), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func session(db, role string) ask.Session {
	return ask.Session{Database: db, Role: role, SessionUser: role, Settings: map[string]string{"search_path": `"$user", public`, "TimeZone": "UTC"}}
}

func deadline(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func begin(t testing.TB, r *replica.Replica, s ask.Session) *replica.Snapshot {
	t.Helper()
	snap, err := r.Begin(deadline(t), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(snap.Close)
	return snap
}

// show prints rows for comparison.
func show(rows [][][]byte) string {
	var lines []string
	for _, row := range rows {
		var cells []string
		for _, v := range row {
			if v == nil {
				cells = append(cells, "NULL")
			} else {
				cells = append(cells, string(v))
			}
		}
		lines = append(lines, strings.Join(cells, "|"))
	}
	return strings.Join(lines, "\n")
}

func TestSnapshot_Run(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	r := start(t, config(t, pgtest.Shared(t).Standby))
	for _, tt := range []struct{ role, sql, want, code string }{
		{"analyst", "select count(*) from customers", "100", ""},
		{"analyst", "select city, count(*) from customers group by city order by 1;", "Bonn|50\nKöln|50", ""},
		{"analyst", "select current_user, session_user", "analyst|askpg", ""},
		{"analyst", "select * from city_totals order by 1", "Bonn|375000.00\nKöln|375750.00", ""},
		{"analyst", "select secret from customers", "", "42501"},
		{"analyst", "select count(*) from orders", "1000", ""},
		{"support", "select count(*) from orders", "10", ""},
		{"support", "select count(*) from customers", "", "42501"},
		{"stranger", "select 1", "", "42501"},
		{"nobody at all", "select 1", "", "42501"},
		{"analyst", "select nope from customers", "", "42703"},
		{"analyst", "select 1 from nowhere", "", "42P01"},
		{"analyst", "selec 1", "", "42601"},
		{"analyst", "select 1/0", "", "22012"},
		{"analyst", "select null, '', 'a'", "NULL||a", ""},
		{"analyst", "select pg_sleep(1)", "", "ASK05"},
		{"analyst", "delete from orders", "", "ASK05"},
		{"analyst", "select 1; select 2", "", "ASK05"},
	} {
		t.Run(tt.role+" "+tt.sql, func(t *testing.T) {
			snap, err := r.Begin(deadline(t), session(db, tt.role))
			var res *ask.Result
			if err == nil {
				defer snap.Close()
				res, err = snap.Run(deadline(t), tt.sql)
			}
			if got := ask.CodeOf(err); got != tt.code {
				t.Fatalf("got error %v, want code %q", err, tt.code)
			}
			if err != nil {
				return
			}
			if got := show(res.Rows); got != tt.want || !res.Complete {
				t.Fatalf("got %q (complete %v), want %q", got, res.Complete, tt.want)
			}
		})
	}
}

func TestSnapshot_Check(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	cfg := config(t, pgtest.Shared(t).Standby)
	cfg.MaxCost, cfg.MaxPlanRows = 1e6, 1e5
	snap := begin(t, start(t, cfg), session(db, "analyst"))
	plan, err := snap.Check(deadline(t), "select * from orders")
	if err != nil {
		t.Fatal(err)
	}
	if plan.Rows != 1000 || plan.Cost <= 0 || !strings.Contains(plan.Text, "Seq Scan on orders") {
		t.Fatalf("plan %+v", plan)
	}
	for sql, code := range map[string]string{
		"select * from orders a, orders b":                              "54000",
		"select count(*) from orders a, orders b, orders c":             "54000",
		"select totl from orders":                                       "42703",
		"select pg_read_file('/etc/passwd')":                            "ASK05",
		"with x as (delete from orders returning id) select * from x":   "ASK05",
		"select * from customers for update":                            "ASK05",
		"select * into copy from customers":                             "ASK05",
		"select * from pg_read_file('/etc/passwd')":                     "ASK05",
		"select set_config('role', 'postgres', false)":                  "ASK05",
		"select query_to_xml('select * from customers', true, true,'')": "ASK05",
	} {
		if _, err := snap.Check(deadline(t), sql); ask.CodeOf(err) != code {
			t.Errorf("%s: got %v, want %s", sql, err, code)
		}
	}
	_, err = snap.Check(deadline(t), "select id, totl from orders")
	e := ask.AsError(err)
	if e == nil || e.Position != 12 {
		t.Fatalf("got %+v, want position 12", e)
	}
}

func TestSnapshot_Consistent(t *testing.T) {
	for _, where := range []string{"standby", "primary"} {
		t.Run(where, func(t *testing.T) {
			db := pgtest.NewDatabase(t, script)
			c := pgtest.Shared(t)
			cfg := config(t, c.Standby)
			if where == "primary" {
				cfg = config(t, c.Primary)
				cfg.AllowPrimary = true
			}
			snap := begin(t, start(t, cfg), session(db, "analyst"))
			if snap.Replica().Primary != (where == "primary") {
				t.Fatalf("replica %+v", snap.Replica())
			}
			pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), "insert into customers values (101, 'new', 'Bonn')")
			pgtest.CatchUp(t)
			done := make(chan string, 3)
			for range 3 {
				go func() {
					res, err := snap.Run(deadline(t), "select count(*) from customers")
					if err != nil {
						done <- err.Error()
						return
					}
					done <- show(res.Rows)
				}()
			}
			for range 3 {
				if got := <-done; got != "100" {
					t.Fatalf("got %s customers in the snapshot, want 100", got)
				}
			}
		})
	}
}

func TestOpen(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	cfg := config(t, pgtest.Shared(t).Standby)
	cfg.MaxRows = 50
	r := start(t, cfg)
	s := session(db, "analyst")
	s.Settings["client_encoding"] = "LATIN1"
	rows, err := r.Open(deadline(t), s, "select id, 'Köln' as \"Straße\" from customers order by 1 limit 2", []int16{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	cols := rows.Columns()
	if len(cols) != 2 || cols[0].TypeOID != 23 || cols[1].TypeOID != 25 || cols[0].TableOID == 0 || cols[0].Attnum != 1 {
		t.Fatalf("columns %+v", cols)
	}
	var got []string
	for rows.Next() {
		got = append(got, fmt.Sprintf("%x %x", rows.Values()[0], rows.Values()[1]))
	}
	if rows.Err() != nil || strings.Join(got, ",") != "00000001 4bf66c6e,00000002 4bf66c6e" {
		t.Fatalf("got %v, %v", got, rows.Err())
	}

	rows, err = r.Open(deadline(t), session(db, "analyst"), "select * from orders", nil)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for rows.Next() {
		n++
	}
	if rows.Err() != nil || n != 50 || len(rows.Notices()) != 1 || rows.Complete() {
		t.Fatalf("%d rows, %v, notices %q", n, rows.Err(), rows.Notices())
	}
	for sql, code := range map[string]string{"select pg_sleep(1)": "ASK05", "select x": "42703", "select 1/(id-1) from customers": "22012", "select secret from customers": "42501"} {
		rows, err := r.Open(deadline(t), session(db, "analyst"), sql, nil)
		if err == nil {
			for rows.Next() {
			}
			err = rows.Err()
		}
		if ask.CodeOf(err) != code {
			t.Errorf("%s: got %v, want %s", sql, err, code)
		}
	}
}

func TestAs(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	r := start(t, config(t, pgtest.Shared(t).Standby))
	var user, path string
	err := r.As(deadline(t), db, "analyst", func(tx pgx.Tx) error {
		if err := tx.QueryRow(deadline(t), "select current_user, current_setting('search_path')").Scan(&user, &path); err != nil {
			return err
		}
		var names []string
		return tx.QueryRow(deadline(t), "select array_agg(x) from unnest($1::text[]) x", []string{"a", "b"}).Scan(&names)
	})
	if err != nil || user != "analyst" || !strings.Contains(path, "pg_catalog") {
		t.Fatalf("user %q, path %q, %v", user, path, err)
	}
	err = r.As(deadline(t), db, "analyst", func(tx pgx.Tx) error {
		_, err := tx.Exec(deadline(t), "delete from public.orders")
		return err
	})
	if ask.CodeOf(err) != "42501" && ask.CodeOf(err) != "25006" {
		t.Fatalf("a write gave %v", err)
	}
}

func TestSuperuser_RunsAsServiceLogin(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	cfg := config(t, pgtest.Shared(t).Standby)
	for _, role := range []string{"postgres", "reader"} {
		s := session(db, role)
		snap := begin(t, start(t, cfg), s)
		res, err := snap.Run(deadline(t), "select current_user")
		if err != nil || show(res.Rows) != "askpg" {
			t.Fatalf("%s: %v, %v", role, res, err)
		}
		if n := snap.Notices(); len(n) != 1 || !strings.Contains(n[0], "askpg") {
			t.Fatalf("%s: notices %q", role, n)
		}
		with := cfg
		with.SuperuserRole = "analyst"
		snap = begin(t, start(t, with), s)
		res, err = snap.Run(deadline(t), "select current_user, count(*) from customers")
		if err != nil || show(res.Rows) != "analyst|100" {
			t.Fatalf("%s: %v, %v", role, res, err)
		}
	}
}
