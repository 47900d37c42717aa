package proxy_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"

	"askpg/proxy"
)

// The ask box of an application: the question itself is bound.
func TestOpen(t *testing.T) {
	b := start(t, func(c *proxy.Config) { c.Listen.MaxQuestion = 2000 })
	f := dial(t, b.addr, sampleDB(t))
	for _, tt := range []struct {
		text   string
		types  []uint32
		values []string
		want   string
	}{
		{text: "select * from ask($1) r", values: []string{"how many customers"}, want: "T count:20:0\nD \"100\""},
		{text: "select * from ask($1::text) r where r.count > $2", values: []string{"how many customers", "7"}, want: "D \"100\""},
		{text: "select * from ask($2) r where id = $1", values: []string{"3", "which customers"}, want: "D \"3\""},
		{text: "select r.*, $1 as asked from ask($1) r", types: []uint32{25}, values: []string{"how many customers"}, want: `D "100" "how many customers"`},
		{text: "select * from ask($1) r", types: []uint32{705}, values: []string{"how many customers"}, want: "D \"100\""},
		{text: "select sql from ask(question => $1, options => 'sql')", values: []string{"how many customers"}, want: `D "SELECT count(*) FROM customers"`},
		{text: "select * from \"ask\"(N'how many customers') r", want: "D \"100\""},
		{text: "select * from (/* ask: run: select $1 as a */) r where a <> $2", values: []string{"x", "y"}, want: `D "x"`},
		// What an end user types is the question, whatever it looks like.
		{text: "select * from ask($1) r", values: []string{"'; drop table customers; -- $1"}, want: `E ERROR ASK01 not understood: "'; drop table customers; -- $1"`},
		{text: "select * from ask($1) r", values: []string{"how many$1"}, want: `E ERROR ASK01 not understood: "how many$1"`},
		{text: "select * from ask($1) r", values: []string{" "}, want: "E ERROR 42601 the question is empty"},
		{text: "select * from ask($1) r", values: []string{strings.Repeat("x", 2001)}, want: "E ERROR 54000"},
		{text: "select * from ask($1) r", values: nil, want: "E ERROR 08P01 bind message supplies 0 parameters"},
		{text: "select * from ask($1) r", values: []string{"how many customers", "x"}, want: "E ERROR 08P01 bind message supplies 2 parameters"},
		{text: "create temp table x as select * from ask($1) r", values: []string{"how many customers"}, want: "E ERROR 0A000 ask(…) takes no parameter"},
	} {
		m := &pgproto3.Bind{}
		for _, v := range tt.values {
			m.Parameters = append(m.Parameters, []byte(v))
		}
		f.send(&pgproto3.Parse{Query: tt.text, ParameterOIDs: tt.types}, m, describe('P', ""), execute("", 0), sync_)
		if got := f.trace(1); !strings.Contains(got, tt.want) {
			t.Errorf("%s %q: got\n%s\nwant\n%s", tt.text, tt.values, got, tt.want)
		}
	}
	f.send(parse("", "select * from ask($1)"), &pgproto3.Bind{Parameters: [][]byte{nil}}, execute("", 0), sync_)
	if got := f.trace(1); !strings.Contains(got, "E ERROR 22004") {
		t.Error(got)
	}
	if got := f.talk("select * from ask($1)"); !strings.HasPrefix(got, "E ERROR 42P02") {
		t.Error(got)
	}
	// A statement that was parsed for the replica is not bound in a transaction that has written.
	f.talk("begin", "create temp table t (i int)")
	f.send(parse("", "select * from ask($1)"), sync_)
	if got := f.trace(1); !strings.Contains(got, "E ERROR 0A000") {
		t.Error(got)
	}
	f.talk("rollback")
}

// A driver that describes the prepared statement gets one column, by setting, or is told what to do.
func TestOpen_Described(t *testing.T) {
	b := start(t, nil)
	conn := b.connect(t)
	for _, text := range []string{"select * from ask($1) r", "-- ask: run: select $1 as a"} {
		if _, err := conn.Exec(within(t), text, "how many customers"); err == nil || !strings.Contains(err.Error(), "0A000") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := conn.Exec(within(t), "set askpg.describe = 'jsonb'"); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeDescribeExec} {
		for question, want := range map[string]string{
			"how many customers":                        `{"count": 100}`,
			"run: select 1 as a, 'x'::text as b":        `{"a": 1, "b": "x"}`,
			"run: select id from customers where false": "",
		} {
			rows, _ := conn.Query(within(t), "select * from ask($1) r", mode, question)
			got, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil || strings.Join(got, "") != want {
				t.Errorf("%v, %s: %s, %v", mode, question, got, err)
			}
		}
		var row map[string]any
		if err := conn.QueryRow(within(t), "-- ask: run: select $1::text as a, $2::text as b", mode, "O'Neil", "x").Scan(&row); err != nil || row["a"] != "O'Neil" || row["b"] != "x" {
			t.Errorf("%v: %v, %v", mode, row, err)
		}
		if err := conn.QueryRow(within(t), "select * from ask($1) r where id = $2::int", mode, "which customers", "7").Scan(&row); err != nil || row["id"] != 7.0 {
			t.Errorf("%v: %v, %v", mode, row, err)
		}
		// In one object a column would hide another one.
		if err := conn.QueryRow(within(t), "select * from ask($1) r", mode, "run: select 1 as a, 2 as a").Scan(&row); err == nil || !strings.Contains(err.Error(), "two columns") {
			t.Errorf("%v: %v, %v", mode, row, err)
		}
	}
}
