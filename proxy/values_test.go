package proxy_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"

	"askpg/internal/pgtest"
	"askpg/proxy"
)

// Values that are bound to a question stand in it as data.
func TestValues(t *testing.T) {
	b := start(t, func(c *proxy.Config) { c.Listen.MaxQuestion = 2000 })
	f := dial(t, b.addr, sampleDB(t))
	last := func() string {
		q := b.fake.asked()
		return q[len(q)-1].Text
	}
	int4 := make([]byte, 4)
	binary.BigEndian.PutUint32(int4, 7)
	for _, tt := range []struct {
		name, text, asked, want string
		types                   []uint32
		values                  [][]byte
		formats                 []int16
	}{
		{name: "text", text: "-- ask: run: select $1 as x", values: [][]byte{[]byte("O'Neil")}, asked: "run: select 'O''Neil' as x", want: `D "O'Neil"`},
		{name: "number without a type", text: "ASK run: select 1 + $1 as x;", values: [][]byte{[]byte("41")}, asked: "run: select 1 + 41 as x", want: `D "42"`},
		{name: "number as text", text: "ASK run: select length($1) as x", types: []uint32{25}, values: [][]byte{[]byte("41")}, asked: "run: select length('41') as x", want: `D "2"`},
		{name: "binary", text: "/* ask: run: select $1 + $2 as x */", types: []uint32{23, 20}, values: [][]byte{int4, []byte("3")}, formats: []int16{1, 0}, asked: "run: select 7 + 3 as x", want: `D "10"`},
		{name: "nothing ends the string", text: "-- ask: run: select $1 as x", values: [][]byte{[]byte("a'; drop table customers; -- $1")}, asked: "run: select 'a''; drop table customers; -- $1' as x", want: `D "a'; drop`},
		{name: "question mark", text: "-- ask: how many customers$1", asked: "", want: "E ERROR ASK01 not understood: \"how many customers?\""},
		{name: "question mark with a value", text: "-- ask: how many customers$1", values: [][]byte{[]byte("1")}, want: "E ERROR ASK01"},
		{name: "none bound", text: "-- ask: run: select $1", want: "E ERROR 08P01 bind message supplies 0 parameters, but the question requires 1"},
		{name: "too many bound", text: "-- ask: run: select $1", values: [][]byte{nil, nil}, want: "E ERROR 08P01"},
		{name: "null", text: "-- ask: run: select $1", values: [][]byte{nil}, want: "E ERROR 22004"},
		{name: "day", text: "-- ask: run: select extract(day from $1) as x", types: []uint32{1082}, formats: []int16{1}, values: [][]byte{{0, 0, 0x22, 0xd6}}, asked: "run: select extract(day from 2024-06-01) as x", want: "E ERROR"},
		{name: "moment", text: "-- ask: run: select timestamptz $1 at time zone 'UTC' as x", types: []uint32{1184}, formats: []int16{1}, values: [][]byte{make([]byte, 8)}, asked: "run: select timestamptz '2000-01-01 00:00:00+00' at time zone 'UTC' as x", want: `D "2000-01-01 00:00:00"`},
		{name: "array", text: "-- ask: run: select $1", types: []uint32{1007}, values: [][]byte{[]byte("{1,2}")}, asked: "run: select 1, 2", want: `D "1" "2"`},
		{name: "binary array", text: "-- ask: run: select $1", types: []uint32{1009}, formats: []int16{1}, values: [][]byte{{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, 'i', 't', '\'', 0, 0, 0, 1, ','}}, asked: "run: select 'it''', ','", want: `D "it'" ","`},
		{name: "empty array", text: "-- ask: run: select $1", types: []uint32{1007}, values: [][]byte{[]byte("{}")}, want: "E ERROR 0A000 the array {} can't be put into a question"},
		{name: "array of nulls", text: "-- ask: run: select $1", types: []uint32{1007}, values: [][]byte{[]byte("{1,NULL}")}, want: "E ERROR 0A000 the array {1,NULL}"},
		{name: "array as the question", text: "select * from ask($1) r", types: []uint32{1009}, values: [][]byte{[]byte("{a}")}, want: "E ERROR 0A000 a value of type 1009"},
		{name: "unknown binary", text: "-- ask: run: select $1", types: []uint32{99999}, formats: []int16{1}, values: [][]byte{{1}}, want: "E ERROR 0A000 a value of type 99999"},
		{name: "bad binary", text: "-- ask: run: select $1", types: []uint32{23}, formats: []int16{1}, values: [][]byte{{1}}, want: "E ERROR 22P03"},
		{name: "invalid text", text: "-- ask: run: select $1", values: [][]byte{{0xff}}, want: "E ERROR 22021"},
		{name: "too long", text: "-- ask: run: select $1", values: [][]byte{[]byte(strings.Repeat("x", 2000))}, want: "E ERROR 54000"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f.send(&pgproto3.Parse{Query: tt.text, ParameterOIDs: tt.types},
				&pgproto3.Bind{Parameters: tt.values, ParameterFormatCodes: tt.formats}, describe('P', ""), execute("", 0), sync_)
			if got := f.trace(1); !strings.Contains(got, tt.want) || !strings.HasSuffix(got, "Z I") {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
			if tt.asked != "" && last() != tt.asked {
				t.Errorf("asked %s\nwant %s", last(), tt.asked)
			}
		})
	}
	q := b.fake.asked()
	if a := q[len(q)-1].Client.Annotations; len(a) != 0 && !strings.HasPrefix(a[0], "$1 = ") {
		t.Error(a)
	}
	for _, text := range []string{"-- ask: run: select $1 as x", "ASK orders of $1"} {
		if got := f.talk(text); !strings.HasPrefix(got, "E ERROR 42P02 there is no value for parameter $1 of the question") {
			t.Error(got)
		}
	}
	if got := f.talk("-- ask: run: select '$100' as x"); !strings.Contains(got, `D "$100"`) {
		t.Error(got)
	}
	// Described before the values are known.
	f.send(parse("s", "-- ask: run: select $1 as x"), describe('S', "s"), sync_)
	if got := f.trace(1); !strings.HasPrefix(got, "ParseComplete\nE ERROR 0A000 the columns of a question with parameters are not known") {
		t.Error(got)
	}
	// A prepared statement is asked anew with each Bind. A client that has been told other columns gets no rows.
	bound := func(value string) *pgproto3.Bind {
		return &pgproto3.Bind{PreparedStatement: "s", Parameters: [][]byte{[]byte(value)}}
	}
	f.send(bound("1"), describe('P', ""), execute("", 0), sync_, bound("2"), execute("", 0), sync_, bound("x"), execute("", 0), sync_, bound("x"), describe('P', ""), execute("", 0), sync_)
	got := f.trace(4)
	if !strings.Contains(got, `D "1"`) || !strings.Contains(got, `D "2"`) || strings.Count(got, `D "x"`) != 1 || !strings.Contains(got, "E ERROR 0A000 cached plan must not change result type") {
		t.Error(got)
	}
	// So it is with one that sends a format for each column that it has been told.
	two := &pgproto3.Bind{PreparedStatement: "a", Parameters: [][]byte{[]byte("run: select 1 as x, 2 as y")}}
	one := &pgproto3.Bind{PreparedStatement: "a", Parameters: [][]byte{[]byte("run: select 1 as x")}, ResultFormatCodes: []int16{0, 1}}
	f.send(parse("a", "select * from ask($1) as r"), two, describe('P', ""), execute("", 0), sync_, one, execute("", 0), sync_)
	if got := f.trace(2); !strings.Contains(got, `D "1" "2"`) || !strings.Contains(got, "E ERROR 0A000 cached plan must not change result type") {
		t.Error(got)
	}
	one.ResultFormatCodes = []int16{0, 1, 0}
	f.send(one, sync_)
	if got := f.trace(1); !strings.HasPrefix(got, "E ERROR 08P01 bind message has 3 result formats but query has 1 columns") {
		t.Error(got)
	}
}

// A Bind with very many parameters takes as long as it has to be read, not that many times as long.
func TestValues_Many(t *testing.T) {
	b := start(t, func(c *proxy.Config) { c.Listen.MaxQuestion = 200_000 })
	f := dial(t, b.addr, sampleDB(t))
	const n = 3900                                           // of two tokens each; ask.MaxTokens is 8000
	_ = f.conn.SetDeadline(time.Now().Add(10 * time.Second)) // to read the text once for each takes twice as long
	var text strings.Builder
	text.WriteString("select * from ask($1) as r where '0' in ('0'")
	values := make([][]byte, n)
	for i := range values {
		values[i] = []byte("1")
		if i > 0 {
			fmt.Fprintf(&text, ",$%d", i+1)
		}
	}
	values[0] = []byte("run: select 7 as x")
	f.talk("set askpg.describe = 'jsonb'")
	f.send(parse("s", text.String()+")"), describe('S', "s"), sync_)
	if got := f.trace(1); strings.HasPrefix(got, "E ") || !strings.Contains(got, "row:3802") {
		t.Fatalf("%.300s", got)
	}
	f.send(&pgproto3.Bind{PreparedStatement: "s", Parameters: values}, sync_)
	if got := f.trace(1); !strings.HasPrefix(got, "BindComplete") {
		t.Errorf("%.300s", got)
	}
}

// Values of a driver that sends them with the statement.
func TestValues_PGX(t *testing.T) {
	b := start(t, nil)
	pgtest.CatchUp(t)
	conn := b.connect(t)
	var name string
	var n int
	if err := conn.QueryRow(within(t), "-- ask: run: select $1 as name, $2 as n", pgx.QueryExecModeExec, "O'Neil", 7).Scan(&name, &n); err != nil || name != "O'Neil" || n != 7 {
		t.Error(name, n, err)
	}
}

// DEALLOCATE of a prepared question by the extended protocol, as psycopg sends it.
func TestDeallocate_Extended(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	f.send(parse("q", "-- ask: how many customers"), sync_)
	f.trace(1)
	forget := []pgproto3.FrontendMessage{parse("", "DEALLOCATE q"), bind("", ""), describe('P', ""), execute("", 0), sync_}
	f.send(forget...)
	if got := f.trace(1); got != "ParseComplete\nBindComplete\nNoData\nC DEALLOCATE\nZ I" {
		t.Error(got)
	}
	f.send(forget...)
	if got := f.trace(1); !strings.Contains(got, "26000") {
		t.Error(got)
	}
}

// PREPARE takes no name that a prepared question has, as in PostgreSQL, and DEALLOCATE by other ways than a statement of its own leaves
// the question as it is.
func TestPrepare_BesideQuestion(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	f.send(parse("", "-- ask: which customers"), parse("q", "-- ask: how many customers"), sync_)
	f.trace(1)
	const exists = `E ERROR 42P05 prepared statement "q" already exists`
	for _, tt := range [][2]string{
		{"select 1 as one", "T one:23:0\nD \"1\"\nC SELECT 1\nZ I"},
		{"prepare q as select 7", exists + "\nZ I"},
		{"PREPARE Q (int) AS select $1", exists + "\nZ I"},
		{"prepare r as select 7 as n", "C PREPARE\nZ I"},
		{"begin", "C BEGIN\nZ T"},
		{"prepare q as select 7", exists + "\nZ E"},
		{"rollback", "C ROLLBACK\nZ I"},
		{"do $$ begin execute 'deallocate all'; end $$", "C DO\nZ I"},
		{"execute r", "E ERROR 26000 prepared statement \"r\" does not exist\nZ I"},
	} {
		if got := f.talk(tt[0]); got != tt[1] {
			t.Errorf("%s: %s", tt[0], got)
		}
	}
	f.send(bind("", "q"), execute("", 0), parse("p", "prepare q as select 7"), sync_)
	if got := f.trace(1); got != "BindComplete\nD \"100\"\nC SELECT 1\n"+exists+"\nZ I" {
		t.Error(got)
	}
	if got := f.talk("deallocate q", "prepare q as select 7"); got != "C PREPARE\nZ I" {
		t.Error(got)
	}
}
