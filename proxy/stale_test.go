package proxy_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgproto3/v2"

	"askpg/internal/pgtest"
)

// A question runs as the role that the session has by then, also where the role was changed without an Execute:
// planning for a Bind calls immutable functions, and reading its values calls those of a domain's CHECK.
func TestQuestion_RoleChangedWithoutExecute(t *testing.T) {
	database := pgtest.NewDatabase(t, `
		create function planned(text) returns text language plpgsql immutable as $$ begin perform set_config('role', $1, false); return 'x'; end $$;
		create function checked(text) returns bool language plpgsql as $$ begin perform set_config('role', $1, false); return true; end $$;
		create domain role_name as text check (checked(value))`)
	pgtest.CatchUp(t)
	b := start(t, nil)
	value := &pgproto3.Bind{Parameters: [][]byte{[]byte("pg_monitor")}}
	for name, messages := range map[string][]pgproto3.FrontendMessage{
		"planning":         {parse("", "select planned('pg_monitor')"), bind("", "")},
		"a domain's CHECK": {parse("", "select $1::role_name"), value},
	} {
		for _, end := range []pgproto3.FrontendMessage{sync_, &pgproto3.Flush{}} {
			f := dial(t, b.addr, database)
			f.talk("set role pg_read_all_data")
			f.send(sync_) // what is read of the session by the question is kept from here on
			f.trace(1)
			ask := func(want string) {
				t.Helper()
				f.talk("-- ask: run: select 1")
				asked := b.fake.asked()
				if got := asked[len(asked)-1].Session.Role; got != want {
					t.Errorf("%s: the question runs as %s, the session is %s", name, got, want)
				}
			}
			ask("pg_read_all_data")
			f.send(messages...)
			if _, ok := end.(*pgproto3.Sync); ok {
				f.send(end)
				if got := f.trace(1); !strings.Contains(got, "BindComplete") || strings.Contains(got, "E ") {
					t.Fatal(got)
				}
				ask("pg_monitor")
				continue
			}
			f.send(parse("q", "-- ask: run: select 1"), sync_)
			f.trace(1)
			asked := b.fake.asked()
			if got := asked[len(asked)-1].Session.Role; got != "pg_monitor" {
				t.Errorf("%s, in the pipeline: the question runs as %s", name, got)
			}
			ask("pg_monitor")
		}
	}
}

// A prepared question is asked anew by Bind where what its answer depends on has changed, and its answer does not change its
// columns under a client that has described it.
func TestQuestion_SettingsChangedSinceParse(t *testing.T) {
	t.Parallel()
	b := start(t, nil)
	database := sampleDB(t)
	const about = ` "SELECT count(*) FROM customers" "0.75"`
	for _, tt := range []struct {
		name, text, set string
		described       bool
		want            string
		asked           int // times, by one Parse, and two Binds behind what sets
	}{
		{"no change", "-- ask: how many customers", "set work_mem = '1MB'", true, `D "100"`, 1},
		{"a mode that another part refuses", "-- ask: how many customers", "set askpg.mode = 'off'", true, `D "100"`, 3},
		{"a value that can't be", "-- ask: how many customers", "select set_config('askpg.annotate', 'rows', false)", true, `E ERROR 22023 invalid value for parameter "askpg.annotate": "rows"`, 1},
		{"columns", "-- ask: how many customers", "set askpg.annotate = 'columns'", false, `D "100"` + about, 3},
		{"columns, known", "-- ask: how many customers", "set askpg.annotate = 'columns'", true, "E ERROR 0A000 cached plan must not change result type", 3},
		{"columns of its own", "-- ask(annotate=off): how many customers", "set askpg.annotate = 'columns'", true, `D "100"`, 3},
		{"a call", "select * from ask('how many customers') r", "set askpg.annotate = 'columns'", false, `D "100"` + about, 3},
		{"a call, known", "select * from ask('how many customers') r", "set askpg.annotate = 'columns'", true, "E ERROR 0A000 cached plan must not change result type", 3},
		{"a call for one column", "select count from ask('how many customers') r", "set askpg.annotate = 'columns'", true, `D "100"`, 3},
		{"in a role that has no rights yet", "-- ask(sql): how many customers", "set role pg_monitor", true, `D "SELECT count(*) FROM customers"`, 3},
		{"jsonb", "-- ask: how many customers", "set askpg.describe = 'jsonb'", true, `D "100"`, 3},
		{"a call, jsonb", "select * from ask('how many customers') r", "set askpg.describe = 'jsonb'", true, `D "100"`, 3},
		{"one that follows up", "-- ask(more): how many customers", "set askpg.min_confidence = 0.9", true, `D "100"`, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := dial(t, b.addr, database)
			f.talk("-- ask: which customers")
			before := len(b.fake.asked())
			f.send(parse("s", tt.text))
			if tt.described {
				f.send(describe('S', "s"))
			}
			f.send(sync_)
			f.trace(1)
			f.talk(tt.set)
			for range 2 {
				f.send(bind("", "s"))
				if !tt.described {
					f.send(describe('P', ""))
				}
				f.send(execute("", 0), sync_)
				if got := f.trace(1); !strings.Contains(got, tt.want) {
					t.Errorf("got\n%s\nwant %s", got, tt.want)
				}
			}
			if n := len(b.fake.asked()) - before; n != tt.asked {
				t.Errorf("asked %d times, want %d", n, tt.asked)
			}
		})
	}
}

// Chosen SQL runs on the primary in the session that it was judged for: not behind what changes that session in the same
// message, and after a change not as a prepared statement.
func TestCalls_SessionChangedBeforePrimary(t *testing.T) {
	database := pgtest.NewDatabase(t, "create table people as select 1 as id; create table kept (id int)")
	pgtest.CatchUp(t)
	b := start(t, nil)
	const insert = "insert into kept select id from ask('run: select id from people') r"
	const temporary = "create temporary table people as select 2 as id"
	for _, text := range []string{
		temporary + "; " + insert, "prepare p as " + insert, "declare c cursor for select * from ask('run: select id from people') r for update; " + insert,
		"fetch c; declare d cursor with hold for select * from ask('run: select id from people') r for update",
		"begin; " + temporary + "; " + insert, insert + "; " + temporary + "; " + insert,
		"explain declare c cursor for select * from ask('run: select 1') r for update",
		temporary + "; declare c cursor with hold for select * from ask('run: select id from people') r",
		"create function f() returns bigint begin atomic select count(*) from ask('run: select id from people') r; end",
	} {
		f := dial(t, b.addr, database)
		if got := f.talk(text); !strings.Contains(got, "0A000") {
			t.Errorf("%s: %s", text, got)
		}
	}
	// A cursor is bound when it is declared.
	f := dial(t, b.addr, database)
	f.talk("begin", "create temporary table other as select 1", "declare c cursor for select id from ask('run: select id from people') r", temporary)
	if got := f.talk("fetch all in c"); !strings.Contains(got, `D "1"`) || strings.Contains(got, `D "2"`) {
		t.Error(got)
	}
	f.talk("rollback")
	for _, name := range []string{"", "s"} {
		f := dial(t, b.addr, database)
		prepare := func() {
			f.send(parse(name, insert), describe('S', name), bind("", name), execute("", 0), sync_)
			if got := f.trace(1); !strings.Contains(got, "C INSERT 0 1") {
				t.Fatal(got)
			}
		}
		prepare()
		// The change comes by the extended protocol, which leaves the unnamed statement to itself.
		f.send(parse("t", temporary), bind("", "t"), execute("", 0), sync_)
		f.trace(1)
		f.send(bind("", name), execute("", 0), sync_)
		if got := f.trace(1); !strings.Contains(got, "0A000") || strings.Contains(got, "INSERT") {
			t.Errorf("Bind of %q: %s", name, got)
		}
		if name != "" {
			for _, text := range []string{"Execute " + name, `execute U&"\\0073"`, "explain execute s", "create table copied as execute s", "select 1; execute s", "execute s /* ask('x') */", "ASK 'how many customers'; execute s"} {
				if got := f.talk(text); !strings.Contains(got, "0A000") || strings.Contains(got, "INSERT") {
					t.Errorf("%s: %s", text, got)
				}
			}
			if got := f.talk("grant execute on all functions in schema public to current_user"); !strings.Contains(got, "C GRANT") {
				t.Error(got)
			}
			if got := f.talk("ASK how many tasks did we execute"); !strings.Contains(got, "ASK01") {
				t.Error(got)
			}
		}
		f.talk("drop table people")
		f.send(query("truncate kept"))
		f.trace(1)
	}
}

// No name, and no length, has the server run chosen SQL that was not judged for the session as it is.
func TestCalls_OnPrimaryUnderAnyName(t *testing.T) {
	database := pgtest.NewDatabase(t, "create table people as select 1 as id; create table kept (id int)")
	pgtest.CatchUp(t)
	b := start(t, nil)
	const insert = "insert into kept select id from ask('run: select id from people') r"
	longest, endless := strings.Repeat("n", 63), strings.Repeat("n", 300000)
	run := func(f *frontend, messages ...pgproto3.FrontendMessage) string {
		f.send(append(messages, execute("", 0), sync_)...)
		return f.trace(1)
	}
	for name, later := range map[string]func(f *frontend) string{
		"a clipped name":          func(f *frontend) string { return run(f, bind("", longest+"z")) },
		"a name that is not read": func(f *frontend) string { return run(f, bind("", endless)) },
		"a portal that is not read": func(f *frontend) string {
			f.send(bind(endless, longest), execute(longest, 0), sync_)
			return f.trace(1)
		},
		"another encoding": func(f *frontend) string {
			return run(f, bind("", longest[:62]+"é")) // in another server's encoding it may be any name
		},
		"the unnamed portal of a question": func(f *frontend) string {
			f.send(query("begin"), parse("q", "-- ask: how many customers"), bind("", "q"), bind("", longest), execute("", 0), sync_, query("commit"))
			return f.trace(3)
		},
		"SQL behind what is not read": func(f *frontend) string {
			f.send(query("/*" + strings.Repeat("x", 70000) + "*/ execute " + longest))
			return f.trace(1)
		},
		"a statement under a name that is not read": func(f *frontend) string {
			other := strings.Repeat("m", 300000)
			f.send(parse(other, "execute "+longest), bind("", other), execute("", 0), sync_)
			return f.trace(1)
		},
	} {
		f := dial(t, b.addr, database)
		f.send(parse(longest, insert), sync_)
		if got := f.trace(1); !strings.Contains(got, "ParseComplete") {
			t.Fatal(got)
		}
		f.send(parse("t", "create temporary table people as select 2 as id"), bind("", "t"), execute("", 0), sync_)
		f.trace(1)
		if got := later(f); !strings.Contains(got, "E ERROR") || strings.Contains(got, "INSERT") || strings.Contains(got, "26000") {
			t.Errorf("%s: %s", name, got)
		}
		f.send(&pgproto3.Close{ObjectType: 'S', Name: longest + "z"}, sync_)
		f.trace(1)
		if got := f.talk("/*" + strings.Repeat("x", 70000) + "*/ select 1"); !strings.Contains(got, "C SELECT 1") {
			t.Errorf("%s, closed: %s", name, got)
		}
	}
	for _, name := range []string{"é", longest + "z"} {
		f := dial(t, b.addr, database)
		f.send(parse(name, insert), sync_)
		if got := f.trace(1); !strings.HasPrefix(got, "N ") && !strings.Contains(got, "E ERROR 54000") || strings.Contains(got, "ParseComplete") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A failed transaction ends by what the server reads, whatever comments hold.
func TestCalls_FailedTransaction(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	f.talk("begin", "select 1/0")
	f.send(query("rollback /* ask('x') */"))
	if got := f.trace(1); got != "C ROLLBACK\nZ I" {
		t.Fatal(got)
	}
	f.talk("begin", "select 1/0")
	f.send(query("select * from ask('run: select 1') r"))
	if got := f.trace(1); !strings.Contains(got, "25P02") || !strings.HasSuffix(got, "Z E") {
		t.Fatal(got)
	}
}
