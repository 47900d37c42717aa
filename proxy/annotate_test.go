package proxy_test

import (
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgproto3/v2"

	"askpg/internal/pgtest"
	"askpg/proxy"
)

// An answer with columns about itself is what the server sends for its SQL with these constants, whatever the protocol, the
// formats and the statement around it.
func TestAnnotate(t *testing.T) {
	database := pgtest.NewDatabase(t, "create table o as select i as id, i * 1.5 as price, 'n' || i as name from generate_series(1, 5) i; create table none()")
	pgtest.CatchUp(t)
	b := start(t, nil)
	const sql = `select id, price, name from o where name <> 'a\''b' order by id`
	const columns = `'` + `select id, price, name from o where name <> ''a\''''b'' order by id` + `'::text as askpg_sql, '0.75'::float8 as askpg_confidence`
	const question = "run: " + sql
	const call = `ask('` + `run: select id, price, name from o where name <> ''a\''''b'' order by id` + `')`
	const want = "select a.*, " + columns + " from (" + sql + ") a"
	byName := func(q string, m ...pgproto3.FrontendMessage) messages {
		return append(messages{query("begin"), parse("s", q), describe('S', "s")}, append(m, sync_, query("commit"))...)
	}
	for name, send := range map[string]func(asks bool) messages{
		"simple": func(asks bool) messages { return messages{query(either(asks, "-- ask: "+question, want))} },
		"described, text": func(asks bool) messages {
			return byName(either(asks, "-- ask: "+question, want), bind("", "s"), execute("", 0))
		},
		"binary": func(asks bool) messages {
			return byName(either(asks, "-- ask: "+question, want), bind("", "s", 1), execute("", 0))
		},
		"a format for each": func(asks bool) messages {
			return byName(either(asks, "-- ask: "+question, want), bind("", "s", 1, 0, 0, 0, 1), describe('P', ""), execute("", 0))
		},
		"another for each": func(asks bool) messages {
			return byName(either(asks, "-- ask: "+question, want), bind("", "s", 0, 1, 0, 1, 0), describe('P', ""), execute("", 0))
		},
		"too few formats": func(asks bool) messages {
			return messages{parse("", either(asks, "-- ask: "+question, want)), describe('S', ""), bind("", "", 0, 1, 0), execute("", 0), sync_}
		},
		"in parts, repeated": func(asks bool) messages {
			return byName(either(asks, "-- ask: "+question, want), bind("p", "s", 1), execute("p", 2), execute("p", 2), execute("p", 2), bind("p2", "s"), execute("p2", 0))
		},
		"no columns, binary": func(asks bool) messages {
			return byName(either(asks, "-- ask: run: select from o", "select 'select from o'::text as askpg_sql, '0.75'::float8 as askpg_confidence from o"), bind("", "s", 0, 1), execute("", 0))
		},
		"in FROM": func(asks bool) messages {
			return messages{query("select * from " + either(asks, call, "("+want+")") + " r where id > 2")}
		},
		"in FROM, prepared": func(asks bool) messages {
			return byName("select askpg_confidence, id, askpg_sql from "+either(asks, call, "("+want+")")+" r where id > 2", bind("", "s", 1), execute("", 0))
		},
		"wrapped": func(asks bool) messages {
			return messages{query("select * from (" + either(asks, "/* ask: "+question+" */", want) + ") as t limit 2")}
		},
		"cursor": func(asks bool) messages {
			return messages{query("begin"), query("declare c cursor for " + either(asks, "select * from "+call+" r", want)), query("fetch 2 from c"), query("commit")}
		},
		"bare cursor": func(asks bool) messages {
			return messages{query("begin"), query("declare c cursor for " + either(asks, "-- ask: "+question, want)), query("fetch 2 from c"), query("commit")}
		},
		"COPY": func(asks bool) messages {
			return messages{query("copy (" + either(asks, "/* ask: "+question+" */", want) + ") to stdout")}
		},
		"a table": func(asks bool) messages {
			return messages{query("create temp table k as select * from " + either(asks, call, "("+want+")") + " r"), query("select * from k"), query("drop table k")}
		},
		"values bound": func(asks bool) messages {
			return messages{parse("", either(asks, "/* ask: run: select 7 as n -- $1 */", "select 7 as n, 'select 7 as n -- ''x'''::text as askpg_sql, '0.75'::float8 as askpg_confidence where $1 = 'x'")),
				&pgproto3.Bind{Parameters: [][]byte{[]byte("x")}, ResultFormatCodes: []int16{1, 0, 1}}, describe('P', ""), execute("", 0), sync_}
		},
		"question bound": func(asks bool) messages {
			return messages{parse("", either(asks, "select * from ask($1) r", "select 7 as n, 'select 7 as n'::text as askpg_sql, '0.75'::float8 as askpg_confidence where $1 <> ''")),
				&pgproto3.Bind{Parameters: [][]byte{[]byte("run: select 7 as n")}, ResultFormatCodes: []int16{1, 0, 1}}, describe('P', ""), execute("", 0), sync_}
		},
	} {
		t.Run(name, func(t *testing.T) {
			traces := [2]string{}
			for i, asks := range []bool{true, false} {
				f := dial(t, b.addr, database)
				if asks {
					f.talk("set askpg.annotate = 'columns'")
				}
				sent := send(asks)
				syncs := 0
				for _, m := range sent {
					switch m.(type) {
					case *pgproto3.Query, *pgproto3.Sync:
						syncs++
					}
				}
				f.send(sent...)
				traces[i] = f.trace(syncs)
			}
			if traces[0] != traces[1] {
				t.Errorf("the answer\n%s\nand its SQL\n%s", traces[0], traces[1])
			}
			if !strings.Contains(traces[0], "askpg") && !strings.Contains(traces[0], "CopyData") {
				t.Errorf("this shows nothing: %s", traces[0])
			}
		})
	}
}

func either(asks bool, question, sql string) string {
	if asks {
		return question
	}
	return sql
}

// What says whether an answer has columns about itself, and which answers have none.
func TestAnnotate_Setting(t *testing.T) {
	byDefault := start(t, nil)
	byConfig := start(t, func(c *proxy.Config) { c.Ask.Annotate = "columns" })
	database := sampleDB(t)
	const with, without = "T count:20:0 askpg_sql:25:0 askpg_confidence:701:0\nD \"100\" \"SELECT count(*) FROM customers\" \"0.75\"\nC SELECT 1\nZ I",
		"T count:20:0\nD \"100\"\nC SELECT 1\nZ I"
	const q = "ask: how many customers"
	login := func(b *bench, options string) *frontend {
		conn, err := net.Dial("tcp", b.addr)
		if err != nil {
			t.Fatal(err)
		}
		return loginWith(t, conn, map[string]string{"user": pgtest.Superuser, "database": database, "options": options})
	}
	for name, tt := range map[string]struct {
		f     *frontend
		texts []string
		want  string
	}{
		"default":              {login(byDefault, ""), []string{"-- " + q}, without},
		"SET":                  {login(byDefault, ""), []string{"set askpg.annotate = 'COLUMNS'", "-- " + q}, with},
		"SET, repeated":        {login(byDefault, ""), []string{"set askpg.annotate = 'columns'", "-- " + q, "-- " + q}, with},
		"RESET":                {login(byDefault, ""), []string{"set askpg.annotate = 'columns'", "reset askpg.annotate", "-- " + q}, without},
		"at startup":           {login(byDefault, "-c askpg.annotate=columns"), []string{"-- " + q}, with},
		"for one question":     {login(byDefault, ""), []string{"-- ask(annotate=columns)" + q[3:]}, with},
		"not for one question": {login(byConfig, ""), []string{"-- ask(annotate=off)" + q[3:]}, without},
		"configured":           {login(byConfig, ""), []string{"-- " + q}, with},
		"configured, SET off":  {login(byConfig, ""), []string{"set askpg.annotate = off", "-- " + q}, without},
		"unknown":              {login(byDefault, "-c askpg.annotate=rows"), []string{"-- " + q}, "E ERROR 22023 invalid value for parameter \"askpg.annotate\": \"rows\"\nZ I"},
		"another candidate": {login(byConfig, ""), []string{"-- " + q, "-- ask(run 2)"},
			"T ?column?:25:0 askpg_sql:25:0 askpg_confidence:701:0\nD \"second\" \"SELECT 'second'\" \"0.5\"\nC SELECT 1\nZ I"},
		"the SQL itself": {login(byConfig, ""), []string{"-- ask(sql)" + q[3:]}, "T sql:25:0\nD \"SELECT count(*) FROM customers\"\nC SELECT 1\nZ I"},
		"plain SQL":      {login(byConfig, ""), []string{"select 1 as one"}, "T one:23:0\nD \"1\"\nC SELECT 1\nZ I"},
		"another encoding": {login(byConfig, ""), []string{"set client_encoding = 'LATIN1'", "-- ask: run: select 'caf\xe9' as c"},
			"T c:25:0 askpg_sql:25:0 askpg_confidence:701:0\nD \"caf\\xe9\" \"select 'caf\\xe9' as c\" \"0.75\"\nC SELECT 1\nZ I"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tt.f.talk(tt.texts...); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
	f := login(byConfig, "-c askpg.describe=jsonb")
	f.send(parse("j", "-- ask: run: select 1 as one -- $1"), describe('S', "j"), &pgproto3.Bind{PreparedStatement: "j", Parameters: [][]byte{[]byte("x")}}, execute("", 0), sync_)
	if got := f.trace(1); !strings.Contains(got, `"{\"one\": 1, \"askpg_sql\": \"select 1 as one -- 'x'\", \"askpg_confidence\": 0.75}"`) {
		t.Errorf("in one column: %s", got)
	}
}
