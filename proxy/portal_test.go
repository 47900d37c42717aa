package proxy_test

import (
	"strings"
	"testing"
)

// A question's portal lives as long as one of the server's, and has the session that Bind has found.
func TestPortal_Transaction(t *testing.T) {
	b := start(t, nil)
	q := parse("q", asks("select i from generate_series(1, 5) i"))
	made := func(names ...string) (list messages) {
		for _, name := range names {
			list = append(list, bind(name, "q"))
		}
		return append(list, sync_)
	}
	fetched := func(names ...string) (list messages) {
		for _, name := range names {
			list = append(list, execute(name, 1), sync_)
		}
		return list
	}
	said := func(texts ...string) (list messages) {
		for _, text := range texts {
			list = append(list, query(text))
		}
		return list
	}
	first := append(said("begin"), q)
	for name, seq := range map[string]messages{
		"savepoint":            concat(first, made("p"), fetched("p"), said("savepoint a", "rollback to a"), fetched("p", "p")),
		"not executed before":  concat(first, made("p"), said("savepoint a", "rollback to a"), fetched("p")),
		"made since":           concat(first, made("p"), said("savepoint a"), made("r"), fetched("p", "r"), said("rollback to a"), fetched("p", "r")),
		"savepoint made again": concat(first, made("p"), said("savepoint a"), made("r"), said("rollback to a"), made("s"), said("rollback to a"), fetched("p", "s")),
		"name used again":      concat(first, said("savepoint a"), made("p"), said("rollback to a"), made("p"), fetched("p")),
		"nested":               concat(first, said("savepoint a"), made("p"), said("savepoint b"), made("r"), said("rollback to b"), fetched("p", "r")),
		"nested, outer":        concat(first, said("savepoint a"), made("p"), said("savepoint b"), made("r"), said("rollback to b", "rollback to a"), fetched("p")),
		"released":             concat(first, said("savepoint a"), made("p"), said("release a", "savepoint b", "rollback to b"), fetched("p")),
		"released within":      concat(first, said("savepoint a", "savepoint b"), made("p"), said("release b", "rollback to a"), fetched("p")),
		"failed":               concat(first, made("p"), fetched("p"), said("savepoint a", "select 1/0"), messages{closing('P', "x"), sync_}, said("rollback to a"), fetched("p")),
		"failed, closed":       concat(first, made("p"), said("savepoint a", "rollback to a; select 1/0"), messages{closing('P', "p"), sync_}, said("rollback to a"), fetched("p")),
		"fails and goes on":    concat(first, made("p"), said("savepoint a"), made("r"), said("rollback to a; select 1/0"), messages{closing('P', "x"), sync_}, said("rollback to a"), fetched("p", "r")),
		"by the protocol":      concat(first, made("p"), unit("savepoint a", 0), messages{bind("r", "q")}, unit("rollback to a", 0), messages{execute("p", 1), execute("r", 1), sync_}),
		"all in a pipeline":    concat(unit("begin", 0), messages{q, bind("p", "q")}, unit("savepoint a", 0), messages{bind("r", "q")}, unit("rollback to a", 0), messages{execute("p", 1), execute("r", 1), sync_}),
		"failed in a pipeline": concat(first, made("p"), said("savepoint a", "select 1/0"), unit("rollback to a", 0), messages{execute("p", 1), sync_}),
		"chain":                concat(first, made("p"), said("rollback and chain"), fetched("p")),
		"another transaction":  concat(first, made("p"), said("rollback; begin"), fetched("p")),
		"committed":            concat(first, made("p"), said("commit; begin"), fetched("p")),
		"CLOSE ALL":            concat(first, made("p"), said("close all"), fetched("p")),
		"search_path": concat(said("begin", "set local search_path = information_schema"), messages{parse("q", asks("select count(*) > 0 as some from columns")), bind("p", "q"), sync_},
			said("set local search_path = pg_catalog"), fetched("p")),
		"role":                             concat(said("begin"), messages{parse("q", asks("select count(*) > 0 as some from pg_authid")), bind("p", "q"), sync_}, said("set local role pg_monitor"), fetched("p")),
		"the name of a question":           concat(said("begin"), messages{q, parse("q", "select 1"), sync_}),
		"the name of a question, pipeline": concat(unit("begin", 0), messages{q, parse("q", "select 1"), sync_}),
		"the name of a portal":             concat(first, made("p"), messages{parse("", "select 1"), bind("p", ""), sync_}),
	} {
		t.Run(name, func(t *testing.T) { compare(t, b, append(seq, query("rollback"))) })
	}
}

// SQL commands about a question's statement or portal work or say what to do, and leave the transaction block as it is.
func TestQuestion_NamedBySQL(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	const not = " can't be used with %, which is a question's\nZ T"
	for _, tt := range []struct{ text, simple, extended string }{
		{"execute q", "E ERROR 0A000 EXECUTE" + not, "E ERROR 0A000 EXECUTE" + not},
		{"Execute Q (1)", "E ERROR 0A000 EXECUTE" + not, "E ERROR 0A000 EXECUTE" + not},
		{"fetch 2 from p", "E ERROR 0A000 FETCH" + not, "E ERROR 0A000 FETCH" + not},
		{"fetch p", "E ERROR 0A000 FETCH" + not, "E ERROR 0A000 FETCH" + not},
		{"move 2 from p", "C MOVE 2\nZ T", "E ERROR 0A000 MOVE" + not},
		{"move backward all from p", "E ERROR 0A000 MOVE" + not, "E ERROR 0A000 MOVE" + not},
		{"close p", "C CLOSE CURSOR\nZ T", "E ERROR 0A000 CLOSE" + not},
		{"execute nosuch", "E ERROR 26000 prepared statement \"nosuch\" does not exist\nZ E", "26000"},
		{"fetch nosuch", "E ERROR 34000 cursor \"nosuch\" does not exist\nZ E", "34000"},
		{"prepare x as /* ask: how many customers */", "E ERROR 0A000 a question can't be prepared by the SQL command PREPARE\nZ T", "PREPARE\nZ T"},
		{"prepare x as select * from ask('how many customers') r", "E ERROR 0A000 a question can't be prepared by the SQL command PREPARE\nZ T", "PREPARE\nZ T"},
	} {
		for _, extended := range []bool{false, true} {
			f.send(query("begin"), parse("q", "-- ask: run: select i from generate_series(1, 5) i"), bind("p", "q"), sync_)
			f.trace(2)
			want := tt.simple
			if extended {
				want = tt.extended
				f.send(parse("", tt.text), bind("", ""), execute("", 0), sync_)
			} else {
				f.send(query(tt.text))
			}
			got := f.trace(1)
			if normal := strings.NewReplacer(`"q"`, "%", `"p"`, "%").Replace(got); !strings.Contains(normal, want) {
				t.Errorf("%s, extended %v: got\n%s\nwant\n%s", tt.text, extended, got, want)
			}
			f.send(query("rollback"), closing('S', "q"), sync_)
			f.trace(2)
		}
	}
	f.send(query("begin"), parse("q", "-- ask: how many customers"), bind("p", "q"), sync_, query("close p"), bind("p", "q"), execute("p", 0), sync_)
	if got := f.trace(4); !strings.Contains(got, "C CLOSE CURSOR\nZ T\nBindComplete\nD \"100\"") {
		t.Error(got)
	}
}
