package proxy_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/proxy"
)

// talk runs simple queries and returns the last one's trace.
func (f *frontend) talk(texts ...string) string {
	f.t.Helper()
	got := ""
	for _, text := range texts {
		f.send(query(text))
		got = f.trace(1)
	}
	return got
}

// Every bad input and what it gets.
func TestErrors(t *testing.T) {
	b := start(t, func(c *proxy.Config) { c.Listen.MaxQuestion = 2000 })
	long := strings.Repeat("x", 3000)
	tests := []struct {
		name  string
		setup []string
		text  string
		want  string // prefix of the error's line
	}{
		{name: "empty question", text: "-- ask:", want: "E ERROR 42601 the question is empty"},
		{name: "empty block", text: "/* ask: */", want: "E ERROR 42601 the question is empty"},
		{name: "verb alone", text: "ask", want: "E ERROR 42601 the question is empty"},
		{name: "too long", text: "-- ask: " + long, want: "E ERROR 54000 the question is longer than 2000 bytes"},
		{name: "too long in a block", text: "/* ask: " + long + " */", want: "E ERROR 54000 the question is longer than 2000 bytes"},
		{name: "with many blanks", text: "/* ask: how many customers */" + strings.Repeat(" ", 3000), want: "E ERROR 54000 the question is longer than 2000 bytes"},
		{name: "very long", text: "-- ask: " + strings.Repeat("x", 1<<20), want: "E ERROR 54000 the question is longer than 2000 bytes"},
		{name: "very long verb", text: "ask " + strings.Repeat("x", 1<<20), want: "E ERROR 54000 the question is longer than 2000 bytes"},
		{name: "a value ends the comment", text: "-- ask: customers in 'x\ncreate table evil() --'", want: "E ERROR 42601 a quotation mark opens in the question"},
		{name: "a long value ends the comment", text: "-- ask: customers in 'x\ncreate table evil() --" + long + "'", want: "E ERROR 54000 the question is longer than 2000 bytes"},
		{name: "a long value ends the comment, wrapped", text: "select * from (-- ask: customers in '" + strings.Repeat("x", 1<<20) + "\n) t --'\n) t", want: "E ERROR 54000 the question is longer than 2000 bytes"},
		{name: "in the place of columns", text: "select /* ask: how many customers */ from customers", want: "E ERROR 42601 the question takes the place of a SELECT"},
		{name: "invalid UTF-8", text: "-- ask: how many \xff", want: "E ERROR 22021 invalid byte sequence"},
		{name: "invalid UTF-8, other encoding", setup: []string{"set client_encoding = 'EUC_JIS_2004'"}, text: "-- ask: how many \xff", want: "E ERROR 0A000 a question can't be read in client_encoding EUC_JIS_2004"},
		{name: "unknown option", text: "-- ask(nosuch): how many", want: "E ERROR 42601 unknown ask option"},
		{name: "run without a question", text: "-- ask(run 2):", want: "E ERROR 55000 there is no earlier question"},
		{name: "run of what is not there", setup: []string{"-- ask: how many customers"}, text: "-- ask(run 7):", want: "E ERROR 22023 there is no candidate 7"},
		{name: "more without a question", text: "-- ask(more): and now?", want: "E ERROR 55000 there is no earlier question"},
		{name: "feedback without a question", text: "-- ask(good):", want: "E ERROR 55000 there is no earlier answer"},
		{name: "feedback without a store", setup: []string{"-- ask: how many customers"}, text: "-- ask(good):", want: "E ERROR 0A000 feedback is not kept"},
		{name: "not understood", text: "-- ask: nonsense", want: "E ERROR ASK01 not understood: \"nonsense\""},
		{name: "translator's error", text: "-- ask: error: ASK04", want: "E ERROR ASK04 it failed"},
		{name: "translator's panic", text: "-- ask: panic", want: "E ERROR XX000 askpg could not answer the question"},
		{name: "failed transaction", setup: []string{"begin", "select nosuch"}, text: "-- ask: how many customers", want: "E ERROR 25P02 current transaction is aborted"},
		{name: "bad argument of ask()", text: "select * from ask(1)", want: "E ERROR 0A000 the arguments of ask"},
		{name: "failing ask()", text: "select * from ask('nonsense')", want: "E ERROR ASK01 not understood"},
		{name: "ask() on an earlier question", text: "select * from ask('x', 'run 2')", want: "E ERROR 0A000 ask(…) in FROM takes neither run nor good nor bad"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, extended := range []bool{false, true} {
				f := dial(t, b.addr, sampleDB(t))
				f.talk(tt.setup...)
				if extended {
					f.send(parse("", tt.text), describe('S', ""), sync_)
				} else {
					f.send(query(tt.text))
				}
				got := f.trace(1)
				status := "Z I"
				if tt.name == "failed transaction" {
					status = "Z E"
				}
				if !strings.HasPrefix(got, tt.want) || !strings.HasSuffix(got, "\n"+status) || strings.Count(got, "\n") != 1 {
					t.Fatalf("extended %v: got %s\nwant %s…", extended, got, tt.want)
				}
				if status == "Z E" {
					f.talk("rollback")
				}
				if got := f.talk("select 1"); got != "T ?column?:23:0\nD \"1\"\nC SELECT 1\nZ I" {
					t.Fatalf("afterwards: %s", got)
				}
			}
		})
	}
}

func TestErrors_DetailAndHint(t *testing.T) {
	b := start(t, nil)
	conn := b.connect(t)
	_, err := conn.Exec(within(t), "-- ask: error: ASK02")
	var e *pgconn.PgError
	if !errors.As(err, &e) || e.Message != "it failed: the detail" || e.Detail != "" || !strings.HasPrefix(e.Hint, "the hint SHOW askpg.last ") || e.SeverityUnlocalized != "ERROR" {
		t.Fatalf("%+v", e)
	}
}

// What needs an earlier question says what to send first.
func TestErrors_NoEarlierQuestion(t *testing.T) {
	b := start(t, nil)
	for text, hint := range map[string]string{
		"-- ask(more): and now?": "Ask the whole question",
		"-- ask(run 2):":         "Ask the question first",
		"-- ask(good):":          "Ask a question first",
		"-- ask(sql):":           "Write the question behind it",
	} {
		_, err := b.connect(t).Exec(within(t), text)
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != "55000" || !strings.HasPrefix(e.Hint, hint) {
			t.Errorf("%s: %+v", text, err)
		}
	}
}

func TestErrors_Parameters(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	f.send(parse("", "-- ask: how many customers"), &pgproto3.Bind{Parameters: [][]byte{[]byte("1")}}, execute("", 0), sync_)
	got := f.trace(1)
	if got != "ParseComplete\nE ERROR 08P01 bind message supplies 1 parameters, but a question takes none\nZ I" {
		t.Fatal(got)
	}
}

// A message that is the server's after all, of which only the beginning is
// here when that is found, arrives whole.
func TestRelayed_LongMessages(t *testing.T) {
	b := start(t, func(c *proxy.Config) { c.Listen.MaxQuestion = 2000 })
	f := dial(t, b.addr, sampleDB(t))
	long := strings.Repeat("x", 500000)
	q := asks("select 1")
	f.send(query("begin"), parse("q", q), bind("", "q"), execute("", 0), parse("t", "select length($1)"),
		&pgproto3.Bind{PreparedStatement: "t", Parameters: [][]byte{[]byte(long)}}, execute("", 0), sync_)
	if got := f.trace(2); !strings.HasSuffix(got, "BindComplete\nD \"500000\"\nC SELECT 1\nZ T") {
		t.Fatal(got)
	}
	// The same for a question that is too long, in a pipeline that has failed.
	f.send(parse("", "select nosuch"), query("-- ask: "+long), sync_, query("rollback"), query("select 7"))
	if got := f.trace(3); !strings.HasSuffix(got, "C ROLLBACK\nZ I\nT ?column?:23:0\nD \"7\"\nC SELECT 1\nZ I") || strings.Contains(got, "54000") {
		t.Fatal(got)
	}
}

// What is relayed although it looks like a question.
func TestRelayed(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	for text, want := range map[string]string{
		"-- ask: how many customers\nselect 7":      "D \"7\"",
		"-- an ordinary comment\nselect 7":          "D \"7\"",
		"select '-- ask: how many customers'":       "D \"-- ask: how many customers\"",
		"":                                          "EmptyQueryResponse",
		"/* a task */" + strings.Repeat(" ", 70000): "EmptyQueryResponse",
		"-- an ordinary comment":                    "EmptyQueryResponse",
		"select 'ask(' || 7":                        "D \"ask(7\"",
		"asked for":                                 "E ERROR 42601",
		"selct 1":                                   "E ERROR 42601",
		"select ask('x')":                           "E ERROR 42883",
		strings.Repeat("/* comment */", 10000) + "select 7": "D \"7\"",
		strings.Repeat("-- task\n", 20000) + "select 7":     "",
	} {
		got := f.talk(text)
		if want != "" && !strings.Contains(got, want) {
			t.Fatalf("%.60s: %s", text, got)
		}
	}
	if n := len(b.fake.asked()); n != 0 {
		t.Fatalf("%d questions reached the translator", n)
	}
}

func TestActions(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	if got := f.talk("-- ask(sql): how many customers"); got != "T sql:25:0\nD \"SELECT count(*) FROM customers\"\nC SELECT 1\nZ I" {
		t.Fatal(got)
	}
	if n := len(b.exec.opened); n != 0 {
		t.Fatalf("ask(sql) ran %d queries", n)
	}
	if got := f.talk("-- ask(candidates): how many customers"); strings.Count(got, "\nD ") != 2 || !strings.Contains(got, "C SELECT 2") {
		t.Fatal(got)
	}
	if got := f.talk("-- ask(run 2):"); !strings.Contains(got, "D \"second\"") {
		t.Fatal(got)
	}
	if got := f.talk("-- ask(explain): how many customers"); !strings.Contains(got, "D \"SQL:\"") {
		t.Fatal(got)
	}
	f.talk("-- ask(more, fresh, strategy=mcs): which customers\n-- hint: all of them")
	q := b.fake.asked()[len(b.fake.asked())-1]
	if len(q.History) == 0 || q.History[0].Question != "how many customers" || !q.Fresh || q.Options["strategy"] != "mcs" || q.Hint != "all of them" {
		t.Fatalf("%+v", q)
	}
	// Binary results of tables that askpg makes.
	conn := b.connect(t)
	rows, err := conn.Query(within(t), "-- ask(candidates): how many customers")
	if err != nil {
		t.Fatal(err)
	}
	type candidate struct {
		Rank       int64
		Confidence float64
		Votes      int64
	}
	list, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (c candidate, err error) {
		var rest any
		err = r.Scan(&c.Rank, &c.Confidence, &c.Votes, &rest, &rest, &rest, &rest, &rest, &rest, &rest, &rest)
		return c, err
	})
	if err != nil || len(list) != 2 || list[0] != (candidate{1, 0.75, 3}) {
		t.Fatalf("%+v, %v", list, err)
	}
}

// TestFollowUps has ask(more) follow up on the last question, answered or not, and on the candidate that the asker chose.
func TestFollowUps(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	for _, tt := range []struct {
		texts []string
		want  string
	}{
		{[]string{"-- ask: how many customers", "-- ask(more): nonsense", "-- ask(more): which customers"}, "how many customers=SELECT count(*) FROM customers"},
		{[]string{"-- ask: nonsense", "-- ask(more): in days"}, "which customers=SELECT * FROM customers ORDER BY id nonsense="},
		{[]string{"-- ask: how many customers", "-- ask(run 2):", "-- ask(more): which customers"}, "nonsense= how many customers=SELECT 'second'"},
	} {
		f.talk(tt.texts...)
		q := b.fake.asked()[len(b.fake.asked())-1]
		var turns []string
		for _, h := range q.History {
			turns = append(turns, h.Question+"="+h.SQL)
		}
		if got := strings.Join(turns, " "); !strings.HasSuffix(got, tt.want) {
			t.Errorf("%q follows up on %q, want %q", tt.texts, got, tt.want)
		}
	}
}

// TestFollowUps_Hint has a follow-up take over the hint of the question before it, behind its own.
func TestFollowUps_Hint(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	f.talk("/* ask: how many customers\nhint: a means x\nhint: b means y */", "/* ask(more): nonsense\nhint: d means w */", "/* ask(more): which customers\nhint: b means z\nhint: a means x */",
		"-- ask(run 2):", "-- ask(more): how many customers", "-- ask: how many customers")
	var hints []string
	for _, q := range b.fake.asked() {
		hints = append(hints, q.Hint)
	}
	want := []string{"a means x\nb means y", "d means w\na means x\nb means y", "b means z\na means x\nb means y", "b means z\na means x\nb means y", ""}
	if !slices.Equal(hints, want) {
		t.Errorf("got %q, want %q", hints, want)
	}
}

func TestFeedback(t *testing.T) {
	b := start(t, nil)
	var got []string
	b.Feedback = func(ctx context.Context, id string, q ask.Question, f ask.Feedback) error {
		got = append(got, fmt.Sprintf("%v %v %s %s", id == b.fake.asked()[0].ID, f.Good, f.Reason, q.Session.Role))
		return nil
	}
	f := dial(t, b.addr, sampleDB(t))
	f.talk("-- ask: how many customers", "-- ask(good):", "-- ask(bad: not those):")
	if len(got) != 2 || got[0] != "true true  postgres" || got[1] != "true false not those postgres" {
		t.Fatalf("%q", got)
	}
}

// What the question depends on is read from the user's own session.
func TestSession(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	f.talk("set role analyst", "set timezone = 'Asia/Tokyo'", "set datestyle = 'German'", "set search_path = public, pg_catalog",
		"set askpg.strategy = 'mcs'", "-- ask: how many customers")
	q := b.fake.asked()[0]
	s := q.Session
	if s.Database != "sample" || s.Role != "analyst" || s.SessionUser != "postgres" ||
		s.Settings["TimeZone"] != "Asia/Tokyo" || s.Settings["DateStyle"] != "German, DMY" || s.Settings["search_path"] != "public, pg_catalog" ||
		s.Settings["client_encoding"] != "UTF8" || s.Ask["strategy"] != "mcs" || len(s.Ask) != 1 {
		t.Fatalf("%+v", s)
	}
	f.talk("reset role", "-- ask: how many customers")
	if s := b.fake.asked()[1].Session; s.Role != "postgres" {
		t.Fatalf("%+v", s)
	}
}

// A search_path of the user's must not lead the session's own query astray.
func TestSession_HostileSearchPath(t *testing.T) {
	database := pgtest.NewDatabase(t, `
		create schema evil;
		create function evil.current_setting(text, boolean) returns text language sql as $$ select 'evil' $$;
		create function evil.current_database() returns name language sql as $$ select 'evil'::name $$;
		create function evil.pg_function_is_visible(oid) returns boolean language sql as $$ select true $$;
		create function evil.eq(name, name) returns boolean language sql as $$ select true $$;
		create function evil.eq(text, text) returns boolean language sql as $$ select true $$;
		create operator evil.= (leftarg = name, rightarg = name, function = evil.eq);
		create operator evil.= (leftarg = text, rightarg = text, function = evil.eq);
		create table evil.pg_roles (rolname name, rolsuper boolean);
		create domain evil.text as pg_catalog.text check (value <> '');
		create table evil.pg_proc (proname name, oid oid);
		insert into evil.pg_proc values ('ask', 0);
		create role plain_user login;
		grant usage on schema evil to plain_user;
	`)
	t.Cleanup(func() {
		pgtest.Exec(t, pgtest.Shared(t).Primary.URL(pgtest.Superuser, database), "drop owned by plain_user; drop role plain_user")
	})
	b := start(t, nil)
	f := dial(t, b.addr, database)
	got := f.talk("set search_path = evil, pg_catalog", "set role plain_user", "/*ask: run: select 1 as a*/")
	if !strings.Contains(got, "D \"1\"") {
		t.Fatal(got)
	}
	s := b.fake.asked()[0].Session
	if s.Database != database || s.Settings["search_path"] != "evil, pg_catalog" || s.Settings["TimeZone"] == "evil" || len(s.Ask) != 0 {
		t.Fatalf("%+v", s)
	}
	if got := f.talk("select a from ask('run: select 1 as a') r"); !strings.Contains(got, "D \"1\"") {
		t.Fatal(got)
	}
}

// Reading the session disturbs neither statements of the client nor its
// transaction.
func TestSession_LeavesNoTrace(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	f.send(parse("", "select 7"), sync_)
	f.trace(1)
	f.send(query("begin"))
	f.trace(1)
	f.talk("-- ask: how many customers", "commit")
	f.send(parse("mine", "select 8"), sync_)
	f.trace(1)
	f.send(parse("x", "-- ask: how many customers"), bind("", "x"), execute("", 0), sync_)
	f.trace(1)
	if got := f.talk("select string_agg(name, ',') from pg_prepared_statements"); !strings.Contains(got, "D \"mine\"") {
		t.Fatal(got)
	}
	f.send(parse("", "select 7"), parse("y", "-- ask: how many customers"), bind("", ""), execute("", 0), sync_)
	if got := f.trace(1); !strings.Contains(got, "D \"7\"") {
		t.Fatal(got)
	}
}

func TestNotices(t *testing.T) {
	b := start(t, nil)
	count := func(setup ...string) (list []string) {
		f := dial(t, b.addr, sampleDB(t))
		f.talk(setup...)
		f.send(query("-- ask: how many customers"))
		for {
			switch m := f.receive().(type) {
			case *pgproto3.NoticeResponse:
				list = append(list, m.Severity+" "+m.Code+" "+m.Message+m.Detail)
			case *pgproto3.ReadyForQuery:
				return list
			}
		}
	}
	got := count()
	if len(got) != 1 || got[0] != "NOTICE 00000 SELECT count(*) FROM customers\n-- the customers, counted; 3 of 2 candidates agree, confidence 75 %" {
		t.Fatalf("%q", got)
	}
	for _, off := range []string{"set askpg.notices = off", "set client_min_messages = warning"} {
		if got := count(off); len(got) != 0 {
			t.Fatalf("%s: %q", off, got)
		}
	}
}

func TestNotices_Progress(t *testing.T) {
	b := start(t, func(c *proxy.Config) { c.Listen.NoticeInterval = 1 })
	f := dial(t, b.addr, sampleDB(t))
	f.send(query("-- ask: how many customers"))
	if n, ok := f.receive().(*pgproto3.NoticeResponse); !ok || n.Message != "thinking" {
		t.Fatalf("%+v", n)
	}
}

func TestAuto(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	if got := f.talk("how many customers"); !strings.HasPrefix(got, "E ERROR 42601 syntax error") {
		t.Fatal(got)
	}
	f.talk("set askpg.mode = 'auto'")
	if got := f.talk("how many customers;"); !strings.Contains(got, "D \"100\"") {
		t.Fatal(got)
	}
	if got := f.talk("select 7"); !strings.Contains(got, "D \"7\"") {
		t.Fatal(got)
	}
	if got := f.talk("show me the customers"); !strings.HasPrefix(got, "E ERROR ASK01 not understood: \"show me the customers\"") {
		t.Fatal(got)
	}
	f.send(parse("", "how many customers"), bind("", ""), execute("", 0), sync_)
	if got := f.trace(1); !strings.Contains(got, "D \"100\"") {
		t.Fatal(got)
	}
	f.talk("reset askpg.mode")
	if got := f.talk("how many customers"); !strings.HasPrefix(got, "E ERROR 42601 syntax error") {
		t.Fatal(got)
	}
	// However it is set: the names of settings have no case.
	for _, set := range []string{"SET Askpg.Mode = 'auto'", `SET "askpg"."mode" = auto`, "BEGIN; SET askpg.mode = auto; COMMIT", "select set_config('ASKPG.MODE', 'auto', false)"} {
		f := dial(t, b.addr, sampleDB(t))
		f.talk(set)
		if got := f.talk("show me the customers"); !strings.HasPrefix(got, "E ERROR ASK01 not understood") {
			t.Errorf("%s: %s", set, got)
		}
	}
	// From the start, by options.
	conn, err := pgx.Connect(within(t), b.url(sampleDB(t))+"&options=-c%20askpg.mode%3Dauto")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(within(t))
	var n int
	if err := conn.QueryRow(within(t), "how many customers").Scan(&n); err != nil || n != 100 {
		t.Fatalf("%d, %v", n, err)
	}
	if _, err := conn.Exec(within(t), "show me the customers"); ask.CodeOf(executorError(err)) != "ASK01" {
		t.Fatal(err)
	}
}

// TestStatements_Names has statements of the server and of askpg get the same name.
func TestStatements_Names(t *testing.T) {
	b := start(t, nil)
	for _, mode := range []string{"comment", "auto"} {
		f := dial(t, b.addr, sampleDB(t))
		f.talk("set askpg.mode = '" + mode + "'")
		f.send(parse("s", "-- ask: how many customers"), sync_)
		f.trace(1)
		for _, text := range []string{"SET askpg.tenant = 'a'", "select 7", "deallocate q", "select ask(7)"} {
			f.send(parse("s", text), sync_)
			if got := f.trace(1); got != "E ERROR 42P05 prepared statement \"s\" already exists\nZ I" {
				t.Errorf("%s, %s: %s", mode, text, got)
			}
		}
		f.send(bind("", "s"), execute("", 0), sync_)
		if got := f.trace(1); !strings.Contains(got, "D \"100\"") {
			t.Errorf("%s: %s", mode, got)
		}
		f.talk("begin")
		f.send(bind("p", "s"), sync_)
		f.trace(1)
		if got := f.talk("move 1 from p"); got != "C MOVE 1\nZ T" {
			t.Errorf("%s: %s", mode, got)
		}
		f.talk("commit")
		if got := f.talk("deallocate s"); got != "C DEALLOCATE\nZ I" {
			t.Errorf("%s: %s", mode, got)
		}
		f.send(parse("", "-- ask: how many customers"), parse("", "select 7"), bind("", ""), execute("", 0), sync_)
		if got := f.trace(1); !strings.Contains(got, "D \"7\"") {
			t.Errorf("%s: %s", mode, got)
		}
	}
}

func TestCalls(t *testing.T) {
	database := pgtest.NewDatabase(t, "create table customers (); create table orders as select i as id, i * 10 as amount from generate_series(1, 9) i")
	pgtest.CatchUp(t)
	b := start(t, nil)
	f := dial(t, b.addr, database)
	for text, want := range map[string]string{
		"select sum(amount) from ask('run: select * from orders') as r where id > 5":                     "D \"300\"",
		"select count(*) from orders o join ask('run: select id from orders where id < 4') x using (id)": "D \"3\"",
		"select * from ask('run: select 1 as one')":                                                      "T one:23:0\nD \"1\"",
		"with q as (select * from ask('run: select 2 as two')) select two from q":                        "D \"2\"",
	} {
		if got := f.talk(text); !strings.Contains(got, want) {
			t.Fatalf("%s\n%s", text, got)
		}
	}
	f.talk("create view v as select * from ask('run: select max(id) as m from orders') r")
	if got := f.talk("select m from v"); !strings.Contains(got, "D \"9\"") {
		t.Fatal(got)
	}
	// With parameters beside it.
	conn, err := pgx.Connect(within(t), b.url(database))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(within(t))
	var n int
	if err := conn.QueryRow(within(t), "select count(*) from ask('run: select * from orders') r where id > $1", 5).Scan(&n); err != nil || n != 4 {
		t.Fatalf("%d, %v", n, err)
	}
	// It takes the place of a question in the unnamed statement.
	f.send(parse("", "-- ask: how many customers"), parse("", "select a from ask('run: select 5 as a') r"), bind("", ""), execute("", 0), sync_)
	if got := f.trace(1); got != "ParseComplete\nParseComplete\nBindComplete\nD \"5\"\nC SELECT 1\nZ I" {
		t.Fatal(got)
	}
	// A function of that name is the user's own.
	f.talk("create function ask(text) returns setof int language sql as 'select 42'")
	if got := f.talk("select * from ask('run: select 1') r"); !strings.Contains(got, "D \"42\"") {
		t.Fatal(got)
	}
}

func TestEncoding(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	f.talk("set client_encoding = 'LATIN1'")
	got := f.talk("-- ask: run: select '\xe9t\xe9'::text as \"\xe9\"")
	if q := b.fake.asked()[0]; q.Text != "run: select 'été'::text as \"é\"" {
		t.Fatalf("%q", q.Text)
	}
	// The fake's executor takes client_encoding over, so the value is Latin-1.
	if !strings.Contains(got, `D "\xe9t\xe9"`) {
		t.Fatal(got)
	}
	if got := f.talk("-- ask(sql): run: select '\xe9'"); !strings.Contains(got, `D "select '\xe9'"`) {
		t.Fatal(got)
	}
	if got := f.talk("select * from ask('run: select ''\xe9'' as x') r"); !strings.Contains(got, `D "\xe9"`) {
		t.Fatal(got)
	}
}

func TestAnnotations(t *testing.T) {
	b := start(t, nil)
	conn, err := pgx.Connect(within(t), b.url(sampleDB(t))+"&application_name=tool")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(within(t))
	if _, err := conn.Exec(within(t), "-- Metabase:: userID: 1 queryType: native\n-- ask: how many customers"); err != nil {
		t.Fatal(err)
	}
	c := b.fake.asked()[0].Client
	if c.ApplicationName != "tool" || len(c.Annotations) != 1 || !strings.HasPrefix(c.Address, "127.0.0.1:") {
		t.Fatalf("%+v", c)
	}
}
