package proxy_test

import (
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgproto3/v2"

	"askpg/internal/pgtest"
)

const hundred = "T count:20:0\nD \"100\"\nC SELECT 1\n"

// A question in a message with other statements is answered in its place, or the message is refused.
func TestScript(t *testing.T) {
	b := start(t, nil)
	database := sampleDB(t)
	const show = "show work_mem"
	for _, tt := range []struct {
		name, text, want string
		then             string // shows what is left
		left             string
	}{
		{name: "set", text: "set work_mem = '1MB'; -- ask: how many customers", want: "C SET\n" + hundred + "Z I", then: show, left: `"1MB"`},
		{name: "set and reset", text: "set work_mem = '1MB'; /* ask: how many customers */; reset work_mem", want: "C SET\n" + hundred + "C RESET\nZ I", then: show, left: `"4MB"`},
		{name: "set local", text: "set local work_mem = '1MB'; -- ask: how many customers", want: "C SET\n" + hundred + "Z I", then: show, left: `"4MB"`},
		{name: "set, failing question", text: "set work_mem = '1MB'; -- ask: nonsense", want: "C SET\nE ERROR ASK01 not understood: \"nonsense\"\nZ I", then: show, left: `"4MB"`},
		{name: "failing set", text: "set work_mem = '2MB'; set nosuch = 1; -- ask: how many customers", want: "C SET\nE ERROR 42704 unrecognized configuration parameter \"nosuch\"\nZ I", then: show, left: `"4MB"`},
		{name: "block", text: "BEGIN; /* ask: how many customers */; COMMIT", want: "C BEGIN\n" + hundred + "C COMMIT\nZ I"},
		{name: "open block", text: "BEGIN; ASK 'how many customers'; select 1 as x", want: "C BEGIN\n" + hundred + "T x:23:0\nD \"1\"\nC SELECT 1\nZ T"},
		{name: "failing question in a block", text: "BEGIN; -- ask: nonsense", want: "C BEGIN\nE ERROR ASK01 not understood: \"nonsense\"\nZ T", then: "select 1 as x", left: "C SELECT 1\nZ T"},
		{name: "two questions", text: "/* ask: how many customers */; /* ask: how many customers */;", want: hundred + hundred + "Z I"},
		{name: "statements behind", text: "-- ask: how many customers\n; select 1 as x; select 2 as x", want: hundred + "T x:23:0\nD \"1\"\nC SELECT 1\nT x:23:0\nD \"2\"\nC SELECT 1\nZ I"},
		{name: "failing question, statements behind", text: "-- ask: nonsense\n; set work_mem = '3MB'", want: "E ERROR ASK01 not understood: \"nonsense\"\nZ I", then: show, left: `"4MB"`},
		{name: "semicolon before", text: "; -- ask: how many customers", want: hundred + "Z I"},
		{name: "behind a statement", text: "create table never(); -- ask: how many customers", want: "E ERROR 0A000 a question can't be answered beside the other statements of its message\nZ I", then: "select to_regclass('never')", left: "NULL"},
		{name: "by verb, behind a statement", text: "create table never(); ASK how many customers", want: "E ERROR 0A000 a question can't be answered beside the other statements of its message\nZ I", then: "select to_regclass('never')", left: "NULL"},
		{name: "settings between transactions", text: "commit; set work_mem = '1MB'; -- ask: how many customers", want: "E ERROR 0A000 a question can't be answered beside the other statements of its message\nZ I"},
		{name: "settings, then statements", text: "set work_mem = '1MB'; /* ask: how many customers */; begin", want: "E ERROR 0A000 a question can't be answered beside the other statements of its message\nZ I", then: show, left: `"4MB"`},
		{name: "settings in another transaction", text: "begin; commit and no chain; set work_mem = '1MB'; -- ask: nonsense", want: "E ERROR 0A000 a question can't be answered beside the other statements of its message\nZ I", then: show, left: `"4MB"`},
		{name: "savepoint outside of a block", text: "savepoint s; set work_mem = '1MB'; -- ask: how many customers", want: "E ERROR 0A000 a question can't be answered beside the other statements of its message\nZ I", then: show, left: `"4MB"`},
		{name: "settings without blanks, failing question", text: `set"work_mem"='1MB'; -- ask: nonsense`, want: "C SET\nE ERROR ASK01 not understood: \"nonsense\"\nZ I", then: show, left: `"4MB"`},
		{name: "settings, failing call", text: "set work_mem = '1MB'; select * from ask('nonsense') r", want: "C SET\nE ERROR ASK01 not understood: \"nonsense\"\nZ I", then: show, left: `"4MB"`},
		{name: "settings, a call", text: "set work_mem = '1MB'; select * from ask('how many customers') r", want: "C SET\n" + hundred + "Z I", then: show, left: `"1MB"`},
		{name: "a role, given back", text: "set role pg_monitor; /* ask: how many customers */; rollback; /* ask: how many customers */", want: "E ERROR 0A000 a question can't be answered beside the other statements of its message\nZ I", then: "show role", left: `"none"`},
		{name: "statements behind that fail", text: "/* ask: how many customers */; create table never(); set a.b = 1; select 1/0", want: hundred + "C CREATE TABLE\nC SET\nE ERROR 22012 division by zero\nZ I", then: "select to_regclass('never')", left: "NULL"},
		{name: "statements behind, rolled back", text: "/* ask: how many customers */; create table never(); rollback", want: hundred + "C CREATE TABLE\nN 25P01 there is no transaction in progress\nC ROLLBACK\nZ I", then: "select to_regclass('never')", left: "NULL"},
		{name: "a question behind statements", text: "/* ask: how many customers */; create table never(); /* ask: how many customers */", want: "E ERROR 0A000 a question can't be answered beside the other statements of its message\nZ I", then: "select to_regclass('never')", left: "NULL"},
		{name: "what the scanner misplaces", text: `/* ask: how many customers */; select U&'d\0061ta' as x`, want: hundred + "T x:25:0\nD \"data\"\nC SELECT 1\nZ I"},
		{name: "question above its SQL", text: "select 1 as x; -- ask: how many customers\nselect 2 as x", want: "T x:23:0\nD \"1\"\nC SELECT 1\nT x:23:0\nD \"2\"\nC SELECT 1\nZ I"},
		{name: "too many questions", text: strings.Repeat("/* ask: how many customers */;", 101), want: "E ERROR 54000 the message has 101 questions, and at most 100 are answered\nZ I"},
		{name: "too many calls", text: "select 1 from ask('how many customers') a" + strings.Repeat(", ask('how many customers')", 100), want: "E ERROR 54000 the message has 101 questions, and at most 100 are answered\nZ I"},
		{name: "two questions in one statement", text: "select /* ask: how many customers */ /* ask: how many customers */", want: "E ERROR 42601 two questions in one statement\nZ I"},
		{name: "in parentheses, behind set", text: "set work_mem = '1MB'; select * from (-- ask: how many customers\n) t limit 5", want: "C SET\n" + hundred + "Z I"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := dial(t, b.addr, database)
			if got := f.talk(tt.text); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			if tt.then != "" {
				if got := f.talk(tt.then); !strings.Contains(got, tt.left) {
					t.Errorf("then %s, want %s", got, tt.left)
				}
			}
		})
	}
	t.Run("prepared", func(t *testing.T) {
		f := dial(t, b.addr, database)
		for _, text := range []string{"set work_mem = '1MB'; -- ask: how many customers", "/* ask: how many customers */; select 1"} {
			f.send(parse("", text), describe('S', ""), sync_)
			if got := f.trace(1); !strings.HasPrefix(got, "E ERROR 0A000 a question can't be answered beside") {
				t.Error(got)
			}
		}
	})
	t.Run("failed block", func(t *testing.T) {
		f := dial(t, b.addr, database)
		f.talk("begin", "select nosuch")
		if got := f.talk("set work_mem = '1MB'; -- ask: how many customers"); !strings.HasPrefix(got, "E ERROR 25P02") {
			t.Error(got)
		}
		if got := f.talk("select 1; -- ask: how many customers"); !strings.HasPrefix(got, "E ERROR 25P02") {
			t.Error(got)
		}
		// To the server a question is a comment: passed on, the rest would run.
		for text, want := range map[string]string{
			"/* ask: nonsense */; rollback and chain; /* ask: nonsense */":    "E ERROR 25P02",
			"rollback; /* ask: nonsense */; set a.b = 1; /* ask: nonsense */": "E ERROR 0A000",
		} {
			if got := f.talk(text); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "Z E") {
				t.Errorf("%s: %s", text, got)
			}
		}
		if got := f.talk("rollback; -- ask: how many customers"); got != "C ROLLBACK\n"+hundred+"Z I" {
			t.Error(got)
		}
	})
	t.Run("SHOW in a failed block", func(t *testing.T) {
		f := dial(t, b.addr, database)
		f.talk("begin", "select nosuch")
		if got := f.talk("rollback; show askpg.last"); !strings.HasPrefix(got, "C ROLLBACK\nT id:25:0") || !strings.HasSuffix(got, "C SHOW\nZ I") {
			t.Error(got)
		}
		f.talk("begin", "select nosuch")
		if got := f.talk("rollback; select * from ask('how many customers') r"); got != "C ROLLBACK\n"+hundred+"Z I" {
			t.Error(got)
		}
	})
	t.Run("open pipeline", func(t *testing.T) {
		f := dial(t, b.addr, database)
		f.send(parse("", "select 7 as x"), bind("", ""), execute("", 0), query("begin; -- ask: how many customers"))
		if got := f.trace(1); !strings.Contains(got, "E ERROR 0A000 a question can't be answered beside") {
			t.Error(got)
		}
	})
	t.Run("canceled", func(t *testing.T) {
		b := start(t, nil)
		f := dial(t, b.addr, database)
		f.send(query("set work_mem = '1MB'; -- ask: wait"))
		<-b.fake.started
		f.cancel(b.addr)
		if got := f.trace(1); !strings.HasSuffix(got, cancelled+"\nZ I") {
			t.Error(got)
		}
		if got := f.talk(show); !strings.Contains(got, `"4MB"`) {
			t.Error(got)
		}
	})
	t.Run("COPY behind", func(t *testing.T) {
		f := dial(t, b.addr, database)
		f.talk("create temp table lines (l text)")
		f.send(query("/* ask: how many customers */; copy lines from stdin; set a.b = 1"), &pgproto3.CopyData{Data: []byte("one\n")}, &pgproto3.CopyDone{})
		if got := f.trace(1); !strings.HasSuffix(got, "C COPY 1\nC SET\nZ I") {
			t.Error(got)
		}
	})
	t.Run("other encoding, failed block", func(t *testing.T) {
		f := dial(t, b.addr, database)
		f.talk("set client_encoding = 'LATIN1'", "create temp table words (w text)", "begin", "select nosuch")
		if got := f.talk("rollback; /* ask: how many customers */; insert into words values ('caf\xe9 \xc3\xa9') returning w"); !strings.Contains(got, "caf\\xe9 é") {
			t.Error(got)
		}
	})
	t.Run("other encoding", func(t *testing.T) {
		f := dial(t, b.addr, database)
		f.talk("set client_encoding = 'LATIN1'")
		if got := f.talk("set application_name = '\xe9'; -- ask: run: select '\u00e9' as x"); !strings.Contains(got, "C SET\n") || !strings.Contains(got, "C SELECT 1\nZ I") {
			t.Error(got)
		}
	})
}

// What a program has put around a question is done with its answer.
func TestEmbedded(t *testing.T) {
	b := start(t, nil)
	database := sampleDB(t)
	f := dial(t, b.addr, database)
	for text, want := range map[string]string{
		"SELECT * FROM (\n-- ask: how many customers\n) AS virtual_table LIMIT 1000": hundred + "Z I",
		"select -- ask: how many customers":                                          hundred + "Z I",
		"select /* ask: how many customers */ limit 5":                               hundred + "Z I",
		"-- ask: which customers\nLIMIT 0":                                           "C SELECT 0\nZ I",
		"-- ask: how many customers\nWHERE 1=0":                                      "T count:20:0\nC SELECT 0\nZ I",
		"ASK 'which customers' LIMIT 0":                                              "C SELECT 0\nZ I",
		"set work_mem = '1MB'; ASK 'how many customers' where count > 99 order by 1": "C SET\n" + hundred + "Z I",
		"ASK 'how many customers' limit 5; select 7 as x":                            hundred + "T x:23:0\nD \"7\"",
		"select 7 as x; ASK 'how many customers' limit 5":                            "E ERROR 0A000",
		"ASK 'nonsense' limit 5":                                                     "E ERROR ASK01",
		"ASK 'how many customers' limit 5 nonsense":                                  "E ERROR 42601 SQL stands behind the question",
		"ASK 'how many customers' limit 5; ASK 'how many customers' limit 6":         "E ERROR 42601 SQL stands behind the question",
		"with q as (ASK 'how many customers') select count + 1 as x from q":          "D \"101\"",
		"copy (/* ask: how many customers */) to stdout":                             "C COPY 1",
		"select * from (-- ask: how many customers) t limit 10":                      "E ERROR 42601 a parenthesis is closed within the comment of the question",
		"select * from (-- ask: nonsense\n) t":                                       "E ERROR ASK01",
		"select * from (-- ask: of $1\n) t":                                          "E ERROR 42P02",
	} {
		if got := f.talk(text); !strings.Contains(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", text, got, want)
		}
	}
	f.send(parse("", "SELECT * FROM (/* ask: which customers */) t WHERE id > $1 LIMIT $2"),
		&pgproto3.Bind{Parameters: [][]byte{[]byte("98"), []byte("1")}}, describe('P', ""), execute("", 0), sync_)
	if got := f.trace(1); !strings.Contains(got, "D \"99\"") || !strings.Contains(got, "C SELECT 1") {
		t.Error(got)
	}
}

// A question that fails leaves the transaction alone that a driver with autocommit off has begun in the same
// pipeline, and undoes what a pipeline did after its transaction.
func TestPipeline_FailingQuestionBehindBegin(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	f.talk("create temp table kept (i int)")
	run := func(sql string) []pgproto3.FrontendMessage {
		return []pgproto3.FrontendMessage{parse("", sql), bind("", ""), execute("", 0)}
	}
	send := func(texts ...string) string {
		var list []pgproto3.FrontendMessage
		for _, text := range texts {
			list = append(list, run(text)...)
		}
		f.send(append(list, sync_)...)
		return f.trace(1)
	}
	if got := send("BEGIN", "insert into kept values (1)", "-- ask: nonsense"); !strings.Contains(got, "E ERROR ASK01") || !strings.HasSuffix(got, "Z T") {
		t.Fatal(got)
	}
	f.talk("commit")
	if got := send("insert into kept values (2)", "-- ask: nonsense"); !strings.Contains(got, "E ERROR ASK01") || !strings.HasSuffix(got, "Z I") {
		t.Fatal(got)
	}
	f.talk("begin")
	if got := send("insert into kept values (3)", "COMMIT", "insert into kept values (4)", "-- ask: nonsense"); !strings.Contains(got, "E ERROR ASK01") || !strings.HasSuffix(got, "Z I") {
		t.Fatal(got)
	}
	if got := f.talk("select string_agg(i::text, ',') from kept"); !strings.Contains(got, `D "1,3"`) {
		t.Fatal(got)
	}
}

// What was run, for those who see no NOTICE: as rows in FROM, on the replica and on the primary.
func TestEmbedded_Actions(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	for _, tt := range [][2]string{
		{"select s.sql from ask('how many customers', 'sql') s", `D "SELECT count(*) FROM customers"`},
		{"select rank, votes + 1 as v from ask('how many customers', 'candidates') where rank = 2", `D "2" "2"`},
		{"select count(*) > 1 as more from ask('how many customers', 'explain')", `D "t"`},
		{"select count(*) as n from (-- ask(candidates): how many customers\n) c", `D "2"`},
		{`create temporary table what as select * from ask('run: select ''it''''s'' as x', 'sql')`, "C SELECT 1"},
		{"table what", `D "select 'it''s' as x"`},
	} {
		if got := f.talk(tt[0]); !strings.Contains(got, tt[1]) {
			t.Errorf("%s: got\n%s\nwant\n%s", tt[0], got, tt[1])
		}
	}
}

// An application whose connections are pooled sees its last question in another session.
func TestShowLast_Pooled(t *testing.T) {
	b := start(t, nil)
	database := sampleDB(t)
	login := func(application string) *frontend {
		conn, err := net.Dial("tcp", b.addr)
		if err != nil {
			t.Fatal(err)
		}
		return loginWith(t, conn, map[string]string{"user": pgtest.Superuser, "database": database, "application_name": application})
	}
	login("dashboard").talk("-- ask: how many customers")
	if got := login("dashboard").talk("show askpg.last"); !strings.Contains(got, "SELECT count(*) FROM customers") {
		t.Error(got)
	}
	if got := login("dashboard").talk("set role pg_monitor", "show askpg.last"); strings.Contains(got, "customers") {
		t.Errorf("in another role: %s", got)
	}
	for _, other := range []string{"", "another"} {
		if got := login(other).talk("show askpg.last"); !strings.HasSuffix(got, "C SHOW\nZ I") || strings.Contains(got, "\nD ") {
			t.Errorf("%q: %s", other, got)
		}
	}
}
