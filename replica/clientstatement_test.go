package replica_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/replica"
)

// around runs a client's own statement and returns its rows.
func around(t *testing.T, r *replica.Replica, s ask.Session, st ask.Statement) (string, error) {
	t.Helper()
	rows, err := r.OpenStatement(deadline(t), s, st, nil)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var all [][][]byte
	for rows.Next() {
		var row [][]byte
		for _, v := range rows.Values() {
			row = append(row, append([]byte(nil), v...))
		}
		all = append(all, row)
	}
	return show(all), rows.Err()
}

// texts gives values in text format.
func texts(values ...string) (list [][]byte) {
	for _, v := range values {
		list = append(list, []byte(v))
	}
	return list
}

// What a client's own statement meets: the guard, the role, the limits on plans
// with the values that were bound, the caps.
func TestOpenStatement(t *testing.T) {
	cluster := pgtest.Shared(t)
	for _, server := range []*pgtest.Server{cluster.Standby, cluster.Primary} {
		database := pgtest.NewDatabase(t, script+`
			create type mood as enum ('good', 'bad');
			create type cast_mood as enum ('good', 'bad');
			create function told(cast_mood) returns text language plpgsql as $$ begin raise 'EVIL RAN'; end $$;
			create cast (cast_mood as text) with function told(cast_mood) as implicit;
			create function evil() returns boolean language plpgsql as $$ begin raise 'EVIL RAN'; end $$;
			create domain checked as text check (evil());
			create type pair as (a checked, b int);
			create extension citext;
			create table moods (m mood, t citext); insert into moods values ('good', 'Abc');
			grant select on moods to analyst`)
		pgtest.CatchUp(t)
		cfg := config(t, server)
		cfg.AllowPrimary, cfg.MaxRows, cfg.MaxPlanRows = server == cluster.Primary, 5, 1e6
		r := start(t, cfg)
		oid := func(name string) (n uint32) {
			conn, err := pgx.Connect(deadline(t), cluster.Primary.URL(pgtest.Superuser, database))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close(deadline(t))
			if err := conn.QueryRow(deadline(t), "select $1::text::regtype::oid", name).Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		of := func(names ...string) (list []uint32) {
			for _, name := range names {
				list = append(list, oid(name))
			}
			return list
		}
		for _, tt := range []struct {
			name string
			st   ask.Statement
			want string // rows, or with code the beginning of the message
			code string
		}{
			{"plain", ask.Statement{SQL: "select id from customers where id = 7"}, "7", ""},
			{"parameter", ask.Statement{SQL: "select id from customers where id = $1", Values: texts("7")}, "7", ""},
			{"declared", ask.Statement{SQL: "select $1", Types: of("int8"), Values: texts("7")}, "7", ""},
			{"binary", ask.Statement{SQL: "select id from customers where id = $1", Values: [][]byte{{0, 0, 0, 9}}, Formats: []int16{1}}, "9", ""},
			{"array", ask.Statement{SQL: "select id from customers where id = any($1) order by 1", Values: texts("{3,4}")}, "3\n4", ""},
			{"too few", ask.Statement{SQL: "select id from customers where id = $1"}, "there is no parameter $1", "42P02"},
			{"role", ask.Statement{SQL: "select secret from customers where id = $1", Values: texts("7")}, "permission denied", "42501"},
			{"guard", ask.Statement{SQL: "select pg_sleep($1)", Values: texts("1")}, "refused by the guard", "ASK05"},
			{"write", ask.Statement{SQL: "with d as (delete from customers where id = $1 returning 1) select * from d", Values: texts("1")}, "refused by the guard", "ASK05"},
			{"two", ask.Statement{SQL: "select 1; select 2"}, "refused by the guard: 2 statements", "ASK05"},
			{"plan", ask.Statement{SQL: "select i from generate_series(1, 10000000) i"}, "the planner expects", "54000"},
			{"plan of values", ask.Statement{SQL: "select i from generate_series(1, $1::int) i", Values: texts("10000000")}, "the planner expects", "54000"},
			{"other values", ask.Statement{SQL: "select i from generate_series(1, $1::int) i", Values: texts("2")}, "1\n2", ""},
			{"cap", ask.Statement{SQL: "select i from generate_series(1, $1::int) i", Values: texts("100")}, "1\n2\n3\n4\n5", ""},
			{"enumeration", ask.Statement{SQL: "select m from moods where m = $1", Values: texts("good")}, "good", ""},
			{"extension", ask.Statement{SQL: "select t from moods where t = $1", Values: texts("aBC")}, "Abc", ""},
			{"cast of an enumeration", ask.Statement{SQL: "select $1", Types: of("cast_mood"), Values: texts("good")}, "refused by the guard: parameter of type public.cast_mood", "ASK05"},
			{"domain", ask.Statement{SQL: "select $1 is null", Types: of("checked"), Values: texts("x")}, "refused by the guard: parameter", "ASK05"},
			{"array of a domain", ask.Statement{SQL: "select $1 is null", Types: of("checked[]"), Values: texts("{x}")}, "refused by the guard", "ASK05"},
			{"composite", ask.Statement{SQL: "select $1 is null", Types: of("pair"), Values: texts("(x,1)")}, "refused by the guard", "ASK05"},
			{"row", ask.Statement{SQL: "select $1 is null", Types: of("customers"), Values: texts("(1,a,b,c)")}, "refused by the guard", "ASK05"},
			{"pseudo-type", ask.Statement{SQL: "select $1 is null", Types: of("internal"), Values: [][]byte{nil}}, "refused by the guard", "ASK05"},
			{"cstring", ask.Statement{SQL: "select $1 is null", Types: of("cstring"), Values: texts("x")}, "refused by the guard", "ASK05"},
			{"name of an object", ask.Statement{SQL: "select $1 is null", Types: of("regclass"), Values: texts("customers")}, "refused by the guard", "ASK05"},
		} {
			t.Run(server.Address()+" "+tt.name, func(t *testing.T) {
				for range 2 { // the second one may be judged already
					got, err := around(t, r, session(database, "analyst"), tt.st)
					if tt.code != "" {
						e := ask.AsError(err)
						if e == nil || e.Code != tt.code || !strings.HasPrefix(e.Message, tt.want) || strings.Contains(e.Error(), "EVIL") {
							t.Fatalf("%s, %v, want %s %s", got, err, tt.code, tt.want)
						}
					} else if err != nil || got != tt.want {
						t.Fatalf("%q, %v, want %q", got, err, tt.want)
					}
				}
			})
		}
		// A question has no parameters.
		if _, err := r.Open(deadline(t), session(database, "analyst"), "select $1::int", nil); ask.CodeOf(err) != ask.CodeRefused {
			t.Errorf("a question with a parameter: %v", err)
		}
	}
}

// A parameter brings its type, whose owner decides what runs with it.
func TestOpenStatement_Owner(t *testing.T) {
	database := pgtest.NewDatabase(t, script+`
		create schema theirs authorization stranger; grant usage on schema theirs to analyst;
		set role stranger; create type theirs.mood as enum ('good'); reset role`)
	pgtest.CatchUp(t)
	conn, err := pgx.Connect(deadline(t), pgtest.Shared(t).Primary.URL(pgtest.Superuser, database))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(deadline(t))
	var oid uint32
	if err := conn.QueryRow(deadline(t), "select 'theirs.mood'::regtype::oid").Scan(&oid); err != nil {
		t.Fatal(err)
	}
	for _, byName := range []bool{false, true} {
		r := start(t, config(t, pgtest.Shared(t).Standby))
		if byName {
			r.JudgeByName()
		}
		got, err := around(t, r, session(database, "analyst"), ask.Statement{SQL: "select $1 is null", Types: []uint32{oid}, Values: texts("good")})
		if e := ask.AsError(err); e == nil || e.Code != ask.CodeInsufficientRights || !strings.Contains(e.Message, "stranger") {
			t.Errorf("by name %v: %q, %v", byName, got, err)
		}
	}
}

func TestDescribe(t *testing.T) {
	database := pgtest.NewDatabase(t, script)
	pgtest.CatchUp(t)
	r := start(t, config(t, pgtest.Shared(t).Standby))
	types, columns, err := r.Describe(deadline(t), session(database, "analyst"), "select id, $2 as x from customers where id = $1", []uint32{0, 1082})
	if err != nil || fmt.Sprint(types) != "[23 1082]" || len(columns) != 2 || columns[0].TypeOID != 23 || columns[1].Name != "x" {
		t.Fatalf("%v, %+v, %v", types, columns, err)
	}
	for sql, code := range map[string]string{"select nosuch from customers": "42703", "select pg_sleep(1)": "ASK05", "select secret from customers": "", "select $1": ""} {
		if _, _, err := r.Describe(deadline(t), session(database, "analyst"), sql, nil); ask.CodeOf(err) != code {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

// What SQL on the primary may be made of: nothing that tells that it is there.
func TestForPrimary(t *testing.T) {
	database := pgtest.NewDatabase(t, script+`
		create view here as select pg_is_in_recovery() as r;
		create view mine as select * from customers where current_setting('application_name') <> '' and current_user <> '';
		create function steady(int) returns int immutable language sql as 'select $1';
		create function shaky(int) returns int stable language sql as 'select $1';
		grant select on here, mine to analyst`)
	pgtest.CatchUp(t)
	var version int
	one(t, pgtest.Shared(t).Primary, "select current_setting('server_version_num')::int / 10000", &version)
	for _, byName := range []bool{false, true} {
		cfg := config(t, pgtest.Shared(t).Standby)
		cfg.AllowFunctions = []string{"public.steady", "public.shaky"}
		r := start(t, cfg)
		if byName {
			r.JudgeByName()
		}
		for _, sql := range []string{
			"select * from customers", "select city, count(*), sum(total) from customers c join orders o on o.customer_id = c.id group by city order by 2 desc limit 3",
			"select date_trunc('month', at), to_char(at, 'YYYY'), extract(year from at) from orders where at > now() - interval '1 year' and at::date <= current_date",
			"select concat(name, ' ', id), name || id, upper(name), json_agg(c), array_agg(id), string_agg(name, ',') from customers c group by name, id",
			"select * from city_totals", "select id, name from mine", "select id, rank() over (order by total) from orders", "select steady(1)", "select name from customers where name ~ '^c\\w+'",
			"select generate_series(date '2024-01-01', date '2024-01-05', interval '1 day')::date", "select at at time zone 'UTC' from orders", "select round(total / 3, 2)::text from orders",
		} {
			if byName && version < 15 && strings.Contains(sql, "at time zone") {
				continue // one function of that name was volatile there, and by name it may be meant
			}
			if _, err := r.ForPrimary(deadline(t), session(database, "analyst"), sql); err != nil {
				t.Errorf("by name %v: %s: %v", byName, sql, err)
			}
		}
		for _, expr := range []string{
			"pg_is_in_recovery()", "pg_catalog.pg_is_in_recovery()", "version()", "current_setting('port')", "pg_postmaster_start_time()", "inet_server_addr()", "inet_server_port()",
			"inet_client_addr()", "pg_backend_pid()", "pg_last_wal_replay_lsn()", "pg_last_wal_receive_lsn()", "pg_last_xact_replay_timestamp()", "pg_current_wal_lsn()",
			"txid_current_if_assigned()", "pg_current_xact_id_if_assigned()", "txid_current_snapshot()", "pg_current_snapshot()", "age('1'::xid)", "random()", "clock_timestamp()", "gen_random_uuid()",
			"current_user", "session_user", "user", "current_role", "current_catalog", "current_schema", "current_schema()", "current_database()", "current_schemas(true)", "current_query()",
			"pg_relation_size('customers')", "pg_my_temp_schema()", "pg_is_other_temp_schema(1)", "has_table_privilege('customers', 'insert')", "pg_has_role('analyst', 'member')",
			"pg_client_encoding()", "pg_conf_load_time()", "row_security_active('orders')", "pg_trigger_depth()", "to_regclass('x')", "pg_get_userbyid(10)", "shaky(1)",
			"(select count(*) from pg_class)", "(select count(*) from pg_stat_user_tables)", "(select count(*) from pg_roles)", "(select count(*) from information_schema.tables)",
			"(select r from here)", "(select count(*) from customers tablesample system (50))", "to_tsvector('x')",
		} {
			for _, sql := range []string{"select " + expr, "select 1 where case when (" + expr + ") is null then true else false end"} {
				text, err := r.ForPrimary(deadline(t), session(database, "analyst"), sql)
				if code := ask.CodeOf(err); code != ask.CodeRefused && (code != "42883" || version >= 13) { // 12 lacks some of the functions
					t.Errorf("by name %v: %s: %s, %v", byName, sql, text, err)
				}
			}
		}
	}
}

// TestForPrimary_Owners refuses for the primary what depends on an untrusted owner's objects, also in a login of the
// asker's own: he may have made something else of it there by the time that it runs.
func TestForPrimary_Owners(t *testing.T) {
	database := pgtest.NewDatabase(t, owners+`do $$ begin create role asker login; exception when duplicate_object then null; end $$; grant analyst to asker;
		grant create on schema public to stranger; set role stranger; create view public.strange_view as select 1 as id; grant select on public.strange_view to analyst`)
	pgtest.CatchUp(t)
	r := start(t, config(t, pgtest.Shared(t).Standby))
	own := session(database, "asker")
	own.Login = ask.NewLogin("asker", ask.LoginKey{1}, ask.LoginKey{2})
	own.Settings["search_path"] = "pg_catalog"
	for _, sql := range []string{"select * from strange.things", "select * from public.strange_view", "select * from public.of_both", "select * from public.not_there"} {
		if err := drain(t, r, own, sql); err != nil && ask.CodeOf(err) != "42P01" {
			t.Errorf("on the replica: %s: %v", sql, err)
		}
		_, err := r.ForPrimary(deadline(t), own, sql)
		if e := ask.AsError(err); e == nil || e.Code != "42501" && e.Code != "42704" || strings.Contains(e.Hint, "log in to the replica themselves") {
			t.Errorf("%s: %v", sql, err)
		}
	}
	if _, err := r.ForPrimary(deadline(t), own, "select id from public.measured"); err != nil {
		t.Error(err)
	}
}

// Strings, identifiers and other tokens with whatever ends them in one setting
// or another mean the same in all sessions once they are written anew.
func TestPortable(t *testing.T) {
	pieces := []string{`\`, `'`, `''`, `"`, `\'`, `\\`, `''\`, "\n", "--", "/*", "*/", ";", "$$", "$a$", "E'", "U&'", "%", "é", "¥", "x", " ", ") ; drop table t; --", `\x27`, `\u0027`, `\047`}
	random := rand.New(rand.NewPCG(1, 2))
	var values []string
	for range 400 {
		var b strings.Builder
		for range 1 + random.IntN(6) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		values = append(values, b.String())
	}
	ways := []func(v string) string{
		func(v string) string { return "'" + strings.ReplaceAll(v, "'", "''") + "'" },
		func(v string) string {
			return "E'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`).Replace(v) + "'"
		},
		func(v string) string { return "U&'" + strings.NewReplacer("'", "''", `\`, `\\`).Replace(v) + "'" },
		func(v string) string { return "$zz$" + v + "$zz$" },
	}
	url := pgtest.Shared(t).Primary.URL(pgtest.Superuser, "postgres")
	type sessions struct {
		conn *pgx.Conn
		name string
	}
	var all []sessions
	for _, strings := range []string{"on", "off"} {
		for _, quote := range []string{"on", "off", "safe_encoding"} {
			conn, err := pgx.Connect(deadline(t), url)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close(deadline(t))
			if _, err := conn.Exec(deadline(t), "set standard_conforming_strings = "+strings+"; set backslash_quote = "+quote+"; set escape_string_warning = off"); err != nil {
				t.Fatal(err)
			}
			all = append(all, sessions{conn, strings + " " + quote})
		}
	}
	for i, v := range values {
		name := `"` + strings.ReplaceAll(v, `"`, `""`) + `"`
		sql := "SELECT v AS a, v LIKE v ESCAPE '\\' IS NULL FROM (SELECT " + ways[i%len(ways)](v) + " AS " + name + ") AS s (v) WHERE v = " + ways[(i/4)%len(ways)](v) + " -- \\'"
		text, err := ask.Portable(sql)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		for _, s := range all {
			results, err := s.conn.PgConn().Exec(deadline(t), "SELECT * FROM ("+text+"\n) r WHERE true").ReadAll()
			if err != nil && strings.Contains(err.Error(), "22025") { // LIKE's, about the pattern
				continue
			}
			if err != nil || len(results) != 1 || len(results[0].Rows) != 1 || string(results[0].Rows[0][0]) != v {
				t.Fatalf("%s\n%s\n%s: %v, %d results, want %q", s.name, sql, text, err, len(results), v)
			}
		}
	}
}
