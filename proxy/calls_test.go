package proxy_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/internal/pgtest"
	"askpg/proxy"
)

// where is put into statements: it says on which server they run.
const where = "pg_is_in_recovery()"

// Which statements with ask('…') run on the replica, and which on the primary.
func TestCalls_Where(t *testing.T) {
	database := pgtest.NewDatabase(t, "create table kept (r bool); create table n as select 1 as i")
	pgtest.CatchUp(t)
	const call = "ask('run: select 1 as i') r"
	tests := []struct {
		name    string
		setup   []string
		text    string
		then    string // shows what was done
		replica bool
		refused string // with on_primary = "refuse"; empty if it runs
		never   bool   // it does not run on the primary either
	}{
		{name: "select", text: "select " + where + " from " + call, replica: true},
		{name: "values", text: "values ((select " + where + " from " + call + "))", replica: true},
		{name: "with", text: "with q as (select * from " + call + ") select " + where + " from q", replica: true},
		{name: "in a block", setup: []string{"begin", "select 1"}, text: "select " + where + " from " + call, replica: true},
		{name: "behind begin", text: "begin; select " + where + " from " + call, replica: true},
		{name: "block that has written", setup: []string{"begin", "insert into n values (2)"}, text: "select " + where + " from " + call, refused: "in a transaction that has written"},
		{name: "savepoint that has written", setup: []string{"begin", "savepoint s", "insert into n values (2)", "release s"}, text: "select " + where + " from " + call, refused: "in a transaction that has written"},
		{name: "after it", setup: []string{"begin", "insert into n values (2)", "rollback"}, text: "select " + where + " from " + call, replica: true},
		{name: "two statements", text: "select 1; select " + where + " from " + call, refused: "does more than read", never: true},
		{name: "insert", text: "insert into kept select " + where + " from " + call, then: "select r from kept", refused: "does more than read"},
		{name: "writing with", text: "with w as (insert into kept select " + where + " from " + call + " returning r) select r from w", refused: "does more than read"},
		{name: "create table as", text: "create table made as select " + where + " from " + call, then: "select * from made", refused: "does more than read"},
		{name: "select into", text: "select " + where + " into made from " + call, then: "select * from made", refused: "does more than read"},
		{name: "create view", text: "create view made_view as select " + where + " from " + call, then: "select * from made_view", refused: "does more than read"},
		{name: "update", text: "update n set i = 5 from " + call + " where n.i = r.i and not " + where, then: "select count(*) = 0 from n where i = 5", refused: "does more than read"},
		{name: "delete", text: "delete from n using " + call + " where n.i = r.i and not " + where, then: "select count(*) > 0 from n", refused: "does more than read"},
		{name: "locks", text: "select " + where + " from n, " + call + " for update of n", refused: "does more than read"},
		{name: "explain", text: "explain (costs off) select from " + call, refused: "does more than read"},
		{name: "copy", text: "copy (select " + where + " from " + call + ") to stdout", refused: "does more than read"},
		{name: "cursor", setup: []string{"begin"}, text: "declare c cursor for select " + where + " from " + call, then: "fetch c", refused: "does more than read"},
		{name: "cursor as psqlODBC declares it", text: "BEGIN;declare c cursor with hold for select " + where + " from " + call + ";fetch 1 in c", refused: "does more than read"},
		{name: "cursor and its rows", setup: []string{"begin"}, text: "declare c cursor for select " + where + " from " + call + "; fetch 1 in c; close c", refused: "does more than read"},
		{name: "cursor and another statement", setup: []string{"begin"}, text: "declare c cursor for select " + where + " from " + call + "; select 1", refused: "does more than read", never: true},
		{name: "statement before a cursor", setup: []string{"begin"}, text: "fetch 1 in d; declare c cursor for select " + where + " from " + call, refused: "does more than read", never: true},
		{name: "prepare", text: "prepare p as select " + where + " from " + call, refused: "does more than read", never: true},
	}
	for _, mode := range []string{"allow", "refuse"} {
		b := start(t, func(c *proxy.Config) { c.Ask.OnPrimary = mode })
		for _, tt := range tests {
			t.Run(mode+" "+tt.name, func(t *testing.T) {
				f := dial(t, b.addr, database)
				f.talk(tt.setup...)
				before := len(b.exec.opened)
				f.send(query(tt.text))
				got, told := "", false
				for done := false; !done; {
					switch m := f.receive().(type) {
					case *pgproto3.NoticeResponse:
						told = told || strings.Contains(m.Message, "on the primary")
					case *pgproto3.ErrorResponse:
						got += "E " + m.Code + " " + m.Message + " " + m.Hint
					case *pgproto3.DataRow:
						for _, v := range m.Values {
							got += "D " + string(v)
						}
					case *pgproto3.CopyData:
						got += "D " + string(m.Data)
					case *pgproto3.ReadyForQuery:
						done = true
					}
				}
				here := len(b.exec.opened) > before
				if mode == "refuse" && tt.refused != "" {
					if !strings.HasPrefix(got, "E 42501 ") || !strings.Contains(got, tt.refused) || !strings.Contains(got, "ask.on_primary") || told || here {
						t.Fatalf("%s, told %v", got, told)
					}
					return
				}
				if tt.never {
					if !strings.HasPrefix(got, "E 0A000 ") || told || here {
						t.Fatalf("%s, told %v", got, told)
					}
					return
				}
				if told == tt.replica || here != tt.replica || strings.Contains(got, "E ") {
					t.Fatalf("told of the primary: %v, on the replica: %v, %s", told, here, got)
				}
				if tt.then != "" {
					got = f.talk(tt.then)
				}
				if tt.replica && !strings.HasSuffix(got, "D t") || !tt.replica && tt.name != "explain" && !strings.Contains(got, "D f") && !strings.Contains(got, `D "f"`) {
					t.Fatal(got)
				}
				f.talk("rollback", "drop table if exists made", "drop view if exists made_view", "delete from kept", "delete from n", "insert into n values (1)")
			})
		}
	}
}

// What a driver does with a statement around an answer: parameters of several
// types and in both formats, what it is told of them, portals read in parts, and binding
// again. Every result is held against that of the same statement without ask('…').
func TestCalls_Extended(t *testing.T) {
	database := pgtest.NewDatabase(t, "create table o as select i as id, i * 1.5 as price, date '2024-01-01' + i as day, 'n' || i as name from generate_series(1, 50) i")
	pgtest.CatchUp(t)
	b := start(t, nil)
	const made = "ask('run: select * from o')"
	tests := []struct {
		text string
		args []any
	}{
		{"select * from %s r where r.id > $1 order by id", []any{45}},
		{"select r.id, $2::text from %s r where r.day = $1", []any{"2024-01-03", "x"}},
		{"select count(*), sum(price) from %s r where name = any($1) or price < $2", []any{[]string{"n7", "n8"}, 4.5}},
		{"select $1::int from %s r where id = $1", []any{nil}},
		{"select from %s r", nil},
		{"select id from %s r limit $1 offset $2", []any{3, 4}},
	}
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec} {
		conn, err := pgx.Connect(within(t), b.url(database))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.Background())
		read := func(text string, args []any) string {
			rows, err := conn.Query(within(t), text, append([]any{mode}, args...)...)
			if err != nil {
				return err.Error()
			}
			list, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) ([]any, error) { return r.Values() })
			var types []uint32
			for _, d := range rows.FieldDescriptions() {
				types = append(types, d.DataTypeOID)
			}
			return fmt.Sprint(types, list, rows.CommandTag(), err)
		}
		for _, tt := range tests {
			if mode == pgx.QueryExecModeExec && len(tt.args) > 0 && tt.args[0] == nil {
				continue
			}
			want := read(fmt.Sprintf(tt.text, "o"), tt.args)
			for range 2 { // prepared, and again
				before := len(b.exec.opened)
				got := read(fmt.Sprintf(tt.text, made), tt.args)
				if got != want || len(b.exec.opened) != before+1 {
					t.Errorf("%v %s:\ngot  %s\nwant %s", mode, tt.text, got, want)
				}
			}
		}
	}
	// By messages: declared types, a portal in parts, binding again, and what is wrong.
	f := dial(t, b.addr, database)
	text := "select id, $2 as x from " + made + " r where id <= $1 order by id"
	f.send(&pgproto3.Parse{Name: "s", Query: text, ParameterOIDs: []uint32{20, 25}}, describe('S', "s"), sync_)
	if got := f.trace(1); got != "ParseComplete\nt [20 25]\nT id:23:0 x:25:0\nZ I" {
		t.Fatal(got)
	}
	f.send(query("begin"),
		&pgproto3.Bind{DestinationPortal: "p", PreparedStatement: "s", ParameterFormatCodes: []int16{1, 0}, Parameters: [][]byte{{0, 0, 0, 0, 0, 0, 0, 3}, []byte("é")}},
		execute("p", 2), execute("p", 2), describe('P', "p"),
		&pgproto3.Bind{DestinationPortal: "p2", PreparedStatement: "s", Parameters: [][]byte{[]byte("1"), nil}, ResultFormatCodes: []int16{1, 0}}, describe('P', "p2"), execute("p2", 0),
		&pgproto3.Close{ObjectType: 'S', Name: "s"}, sync_, query("commit"))
	want := "C BEGIN\nZ T\nBindComplete\nD \"1\" \"é\"\nD \"2\" \"é\"\nPortalSuspended\nD \"3\" \"é\"\nC SELECT 1\nT id:23:0 x:25:0\n" +
		"BindComplete\nT id:23:1 x:25:0\nD \"\\x00\\x00\\x00\\x01\" NULL\nC SELECT 1\nCloseComplete\nZ T\nC COMMIT\nZ I"
	if got := f.trace(3); got != want {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
	for name, tt := range map[string]struct {
		messages []pgproto3.FrontendMessage
		want     string
	}{
		"too few":        {[]pgproto3.FrontendMessage{parse("", text), &pgproto3.Bind{Parameters: [][]byte{[]byte("1")}}}, "E ERROR 08P01 bind message supplies 1 parameters, but prepared statement \"\" requires 2"},
		"formats":        {[]pgproto3.FrontendMessage{parse("", text), &pgproto3.Bind{ParameterFormatCodes: []int16{0, 0, 0}, Parameters: [][]byte{nil, nil}}}, "E ERROR 08P01 bind message has 3 parameter formats but 2 parameters"},
		"no such column": {[]pgproto3.FrontendMessage{parse("", "select nosuch from "+made+" r")}, "E ERROR 42703"},
		"syntax of type": {[]pgproto3.FrontendMessage{parse("", "select id from "+made+" r where id = $1"), &pgproto3.Bind{Parameters: [][]byte{[]byte("x")}}, execute("", 0)}, "E ERROR 22P02"},
	} {
		f.send(append(tt.messages, sync_)...)
		if got := f.trace(1); !strings.Contains(got, tt.want) || !strings.HasSuffix(got, "\nZ I") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// What was prepared for the replica is not executed there once it can't see
// what the asker sees.
func TestCalls_Changed(t *testing.T) {
	b := start(t, nil)
	database := pgtest.NewDatabase(t, "create table n (i int)")
	pgtest.CatchUp(t)
	f := dial(t, b.addr, database)
	f.send(parse("s", "select i from n join ask('run: select 1 as i') r using (i)"), sync_)
	f.trace(1)
	for _, tt := range []struct{ setup, want string }{
		{"begin; insert into n values (1)", "E ERROR 0A000 a statement with ask('…') that was prepared before the transaction wrote"},
		{"rollback; create temporary table n as select 1 as i", "E ERROR 0A000 relation \"n\" is a temporary one of your session"},
		{"drop table n", "C SELECT 0"},
	} {
		f.talk(tt.setup)
		f.send(bind("", "s"), execute("", 0), sync_)
		if got := f.trace(1); !strings.Contains(got, tt.want) {
			t.Fatalf("%s: %s", tt.setup, got)
		}
	}
}

// Temporary relations are nowhere but in the session.
func TestCalls_Temporary(t *testing.T) {
	b := start(t, nil)
	conn := b.connect(t)
	ctx := within(t)
	exec := func(text string) error {
		_, err := conn.Exec(ctx, text)
		return err
	}
	for _, text := range []string{"create temporary table customers (id int)", "create temporary view v as select 1 as id"} {
		if err := exec(text); err != nil {
			t.Fatal(err)
		}
	}
	for text, refused := range map[string]bool{
		"select count(*) from customers join ask('run: select 1 as id') r using (id)":                 true,
		"select * from v, ask('run: select 1 as id') r":                                               true,
		"select * from pg_temp.v, ask('run: select 1 as id') r":                                       true,
		"select count(*) from public.customers join ask('run: select 1 as id') r using (id)":          false,
		"create temporary table kept as select * from v join ask('run: select 1 as id') r using (id)": false,
	} {
		err := exec(text)
		var e *pgconn.PgError
		if errors.As(err, &e) != refused || refused && (e.Code != "0A000" || !strings.Contains(e.Hint, "CREATE TEMPORARY TABLE")) {
			t.Errorf("%s: %+v", text, err)
		}
	}
	// What the replica does not have.
	var e *pgconn.PgError
	if err := exec("select * from nosuch, ask('run: select 1') r"); !errors.As(err, &e) || e.Code != "42P01" || !strings.Contains(e.Hint, "runs on the replica") {
		t.Error(err)
	}
}
