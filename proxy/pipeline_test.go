package proxy_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"

	"askpg/internal/pgtest"
)

// A pipeline is sent twice: to the proxy with questions in it, and to the
// server with the SQL that answers them in their place. The answers must be
// the same.

// asks are messages whose text is a question at the proxy and SQL at the server.
func asks(sql string) string { return "/*ask: run: " + sql + "*/" }

// plain makes of a message what the server is to get.
func plain(m pgproto3.FrontendMessage) pgproto3.FrontendMessage {
	strip := func(s string) string {
		if rest, ok := strings.CutPrefix(s, "/*ask: run: "); ok {
			return strings.TrimSuffix(rest, "*/")
		}
		if s == "/*ask: error: 42703*/" {
			return "select nosuch"
		}
		return s
	}
	switch m := m.(type) {
	case *pgproto3.Parse:
		c := *m
		c.Query = strip(m.Query)
		return &c
	case *pgproto3.Query:
		return &pgproto3.Query{String: strip(m.String)}
	}
	return m
}

type messages []pgproto3.FrontendMessage

func parse(name, sql string) pgproto3.FrontendMessage {
	return &pgproto3.Parse{Name: name, Query: sql}
}
func bind(portal, statement string, formats ...int16) pgproto3.FrontendMessage {
	return &pgproto3.Bind{DestinationPortal: portal, PreparedStatement: statement, ResultFormatCodes: formats}
}
func describe(kind byte, name string) pgproto3.FrontendMessage {
	return &pgproto3.Describe{ObjectType: kind, Name: name}
}
func execute(portal string, max uint32) pgproto3.FrontendMessage {
	return &pgproto3.Execute{Portal: portal, MaxRows: max}
}
func closing(kind byte, name string) pgproto3.FrontendMessage {
	return &pgproto3.Close{ObjectType: kind, Name: name}
}
func query(sql string) pgproto3.FrontendMessage { return &pgproto3.Query{String: sql} }

var sync_ = &pgproto3.Sync{}

// unit is a run of messages that answers one statement.
func unit(sql string, max uint32) messages {
	return messages{parse("", sql), bind("", ""), describe('P', ""), execute("", max)}
}

func concat(lists ...messages) messages {
	var out messages
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

// compare runs a sequence at both places; it must contain ready
// ReadyForQuery answers at the server.
func compare(t *testing.T, b *bench, seq messages) {
	t.Helper()
	database := sampleDB(t)
	last := query("select 'end'")
	oracle := dial(t, b.cluster.Primary.Address(), database)
	var forServer messages
	for _, m := range seq {
		forServer = append(forServer, plain(m))
	}
	oracle.send(forServer...)
	oracle.send(sync_, last)
	want := oracle.until("D \"end\"")
	f := b.route.dial(t, b.addr, database)
	f.send(seq...)
	f.send(sync_, last)
	got := f.until("D \"end\"")
	normal := func(s string) string {
		var out []string
		for l := range strings.SplitSeq(s, "\n") {
			if strings.HasPrefix(l, "E ") {
				l = strings.Join(strings.Fields(l)[:3], " ")
			}
			out = append(out, l)
		}
		return strings.Join(out, "\n")
	}
	if normal(got) != normal(want) {
		var names []string
		for _, m := range seq {
			names = append(names, fmt.Sprintf("%T%+v", m, m))
		}
		t.Fatalf("sequence\n  %s\ngot\n%s\nwant\n%s", strings.Join(names, "\n  "), got, want)
	}
	oracle.send(&pgproto3.Terminate{})
	oracle.conn.Close()
	f.send(&pgproto3.Terminate{})
	f.conn.Close()
}

// until reads up to a line and the ReadyForQuery after it.
func (f *frontend) until(end string) string {
	f.t.Helper()
	var lines []string
	for seen := false; ; {
		l := f.trace1()
		if l == "" {
			continue
		}
		lines = append(lines, l)
		seen = seen || l == end
		if seen && strings.HasPrefix(l, "Z") {
			return strings.Join(lines, "\n")
		}
	}
}

func (f *frontend) trace1() string {
	m, err := f.Receive()
	if err != nil {
		f.t.Fatalf("%v", err)
	}
	if n, ok := m.(*pgproto3.NoticeResponse); ok && n.File == "" {
		return ""
	}
	return line(m)
}

// Every unit of a pipeline in turn is a question, and every position in turn
// an error, in one segment, in one for each unit, and in a transaction block.
// failsOnSimpleQuery says whether the server itself fails with XX000 after a
// simple query in a pipeline without Sync, as PostgreSQL 18 does.
func failsOnSimpleQuery(t *testing.T, b *bench) bool { return serverVersion(t, b) >= 180000 }

// serverVersion returns server_version_num.
func serverVersion(t *testing.T, b *bench) (number int) {
	t.Helper()
	conn, err := pgx.Connect(within(t), b.cluster.Primary.URL(pgtest.Superuser, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(within(t))
	if err := conn.QueryRow(within(t), "select current_setting('server_version_num')::int").Scan(&number); err != nil {
		t.Fatal(err)
	}
	return number
}

func TestPipeline_QuestionsAndErrorsAtEveryPosition(t *testing.T) {
	b := start(t, nil)
	good := func(i int) string { return fmt.Sprintf("select %d as c%d", i, i) }
	const n = 3
	for ask := range n {
		for bad := -1; bad < n; bad++ {
			for _, shape := range []string{"one sync", "sync each", "block", "flush", "simple last"} {
				switch {
				case shape == "block" && bad == ask:
					continue // leaves the block alone, see TestPipeline_FailingQuestionInBlock
				case shape == "simple last" && bad < 0 && failsOnSimpleQuery(t, b):
					continue
				}
				t.Run(fmt.Sprintf("ask %d, error %d, %s", ask, bad, shape), func(t *testing.T) {
					var seq messages
					if shape == "block" {
						seq = append(seq, unit("begin", 0)...)
					}
					for i := range n {
						sql := good(i)
						if i == bad {
							sql = "select nosuch"
							if i == ask {
								sql = "/*ask: error: 42703*/"
							}
						} else if i == ask {
							sql = asks(sql)
						}
						if shape == "simple last" && i == n-1 {
							seq = append(seq, query(sql))
							break
						}
						seq = append(seq, unit(sql, 0)...)
						switch shape {
						case "sync each":
							seq = append(seq, sync_)
						case "flush":
							seq = append(seq, &pgproto3.Flush{})
						}
					}
					if shape == "block" {
						seq = append(seq, sync_)
						seq = append(seq, unit("rollback", 0)...)
					}
					compare(t, b, seq)
				})
			}
		}
	}
}

// questionSequences are sequences with questions in them.
func questionSequences() map[string]messages {
	q := asks("select i from generate_series(1, 5) i")
	return map[string]messages{
		"describe statement":       {parse("s", q), describe('S', "s"), sync_},
		"describe portal":          {parse("s", q), bind("p", "s", 1), describe('P', "p"), sync_},
		"max rows":                 {parse("s", q), bind("p", "s"), execute("p", 2), execute("p", 2), execute("p", 2), execute("p", 2), sync_},
		"max rows exactly":         {parse("s", q), bind("p", "s"), execute("p", 5), execute("p", 5), sync_},
		"binary":                   {parse("", q), bind("", "", 1), execute("", 0), sync_},
		"two portals":              {parse("s", q), bind("a", "s"), bind("b", "s"), execute("a", 2), execute("b", 3), execute("a", 0), execute("b", 0), sync_},
		"executed again":           {parse("s", q), bind("", "s"), execute("", 0), bind("", "s"), execute("", 0), sync_},
		"portal dies with sync":    {parse("s", q), bind("p", "s"), execute("p", 2), sync_, execute("p", 2), sync_},
		"portal lives in a block":  {query("begin"), parse("s", q), bind("p", "s"), execute("p", 2), sync_, execute("p", 2), sync_, query("commit"), execute("p", 1), sync_},
		"statement lives":          {parse("s", q), sync_, bind("", "s"), execute("", 0), sync_, bind("", "s"), execute("", 0), sync_},
		"closed statement":         {parse("s", q), closing('S', "s"), bind("", "s"), sync_},
		"closed portal":            {parse("s", q), bind("p", "s"), closing('P', "p"), execute("p", 0), sync_},
		"close of nothing":         {closing('S', "x"), closing('P', "x"), sync_},
		"duplicate statement":      {parse("s", q), parse("s", q), sync_},
		"duplicate of a server's":  {parse("s", "select 1"), parse("s", q), sync_},
		"duplicate at the server":  {parse("s", q), parse("s", "select 1"), sync_},
		"duplicate portal":         {parse("s", q), bind("p", "s"), bind("p", "s"), sync_},
		"portal name taken":        {parse("s", q), parse("t", "select 7"), bind("p", "s"), bind("p", "t"), sync_},
		"unnamed replaced":         {parse("", q), parse("", "select 7"), bind("", ""), execute("", 0), sync_},
		"unnamed replaced by call": {parse("", q), sync_, parse("", "select a from (select 7) r(a) -- ask("), bind("", ""), execute("", 0), sync_},
		"unnamed replaced by ask":  {parse("", "select 7"), parse("", q), bind("", ""), execute("", 0), sync_},
		"unnamed portal replaced":  {parse("s", q), parse("t", "select 7"), bind("", "s"), bind("", "t"), execute("", 0), sync_},
		"failed parse, name again": {parse("s", "/*ask: error: 42703*/"), sync_, parse("s", q), bind("", "s"), execute("", 0), sync_},
		"discard all":              {parse("s", q), sync_, query("discard all"), bind("", "s"), sync_},
		"deallocate all":           {parse("s", q), sync_, query("deallocate all"), bind("", "s"), sync_},
		"deallocate":               {parse("s", q), sync_, query("deallocate s"), bind("", "s"), sync_},
		"wrong formats":            {parse("s", asks("select 1, 2, 3")), bind("", "s", 1, 0), sync_},
		"mixed formats":            {parse("s", asks("select 1, 2::text, null::int")), bind("", "s", 1, 0, 1), describe('P', ""), execute("", 0), sync_},
		"simple between":           {parse("s", q), bind("p", "s"), query("select 1"), execute("p", 0), sync_},
		"ask simple between":       {parse("s", "select 1"), bind("", "s"), query(q), bind("", "s"), execute("", 0), sync_},
		"simple in failed":         {parse("", "select nosuch"), query(q), sync_, query(q)},
		"failed block":             {query("begin"), query("select nosuch"), query(q), parse("", q), bind("", ""), sync_, query("rollback"), query(q)},
		"failed block, unnoticed":  concat(messages{query("begin")}, unit("select nosuch", 0), messages{sync_}, unit("rollback", 0), unit(q, 0), messages{sync_}),
		"block stays":              {query("begin"), query(q), query("rollback")},
		"empty before":             {query(""), query(q), parse("", ""), bind("", ""), execute("", 0), sync_},
		"error in Execute":         {parse("s", asks("select 1/(i-3) from generate_series(1,5) i")), bind("", "s"), execute("", 0), sync_},
		"error in simple":          {query(asks("select nosuch")), query("select 1")},
		"rolled back":              {query("create temp table r (i int)"), parse("", "insert into r values (1)"), bind("", ""), execute("", 0), parse("x", "/*ask: error: 42703*/"), bind("", "x"), sync_, query("select count(*) from r")},
		"rolled back by simple":    {query("create temp table r (i int)"), parse("", "insert into r values (1)"), bind("", ""), execute("", 0), query("/*ask: error: 42703*/"), query("select count(*) from r")},
		"kept by simple":           {query("create temp table r (i int)"), parse("", "insert into r values (1)"), bind("", ""), execute("", 0), query(q), query("select count(*) from r")},
		"kept":                     concat(messages{query("create temp table r (i int)")}, unit("insert into r values (1)", 0), unit(q, 0), messages{sync_, query("select count(*) from r")}),
		"many requests":            many(q, 3000),
		"stray copy messages":      {&pgproto3.CopyData{Data: []byte("x")}, &pgproto3.CopyDone{}, &pgproto3.CopyFail{Message: "m"}, query(q)},
		"function call":            {&pgproto3.FunctionCall{Function: 1598 /* random */, ResultFormatCode: 0, Arguments: nil}, query(q)},
		"copy in":                  {query("create temp table c (i int)"), query("copy c from stdin"), &pgproto3.CopyData{Data: []byte("1\n2\n")}, &pgproto3.CopyDone{}, query(q), query("select count(*) from c")},
		"copy in fails at once":    {query("copy nosuch from stdin"), &pgproto3.CopyData{Data: []byte("1\n2\n")}, &pgproto3.CopyDone{}, query(q)},
		"copy in fails":            {query("create temp table c (i int)"), query("copy c from stdin"), &pgproto3.CopyData{Data: []byte("1\nx\n")}, &pgproto3.CopyDone{}, query(q), query("select count(*) from c")},
		"copy extended with sync":  {query("create temp table c (i int)"), parse("", "copy c from stdin"), bind("", ""), execute("", 0), sync_, &pgproto3.CopyData{Data: []byte("1\n2\n")}, sync_, &pgproto3.Flush{}, &pgproto3.CopyDone{}, sync_, query(q)},
		"copy out":                 {query("copy (select 1) to stdout"), query(q), query("copy (select 2) to stdout")},
		"notify":                   {query("listen l"), query("notify l, 'hello'"), query(q)},
		"parameter status":         {query("set timezone to 'Asia/Tokyo'"), query(q), query("select now()::text like '%+09'")},
		"call in from":             {query("select * from ask('run: select 1 as a') as r where a > 0"), parse("", "select a + 1 from ask('run: select 1 as a') r"), bind("", ""), execute("", 0), sync_},
	}
}

func TestPipeline_Sequences(t *testing.T) {
	b := start(t, nil)
	tests := questionSequences()
	if failsOnSimpleQuery(t, b) {
		delete(tests, "kept by simple")
	}
	for name, seq := range tests {
		t.Run(name, func(t *testing.T) {
			if name == "call in from" {
				got := func() string {
					f := dial(t, b.addr, sampleDB(t))
					f.send(seq...)
					return f.trace(2)
				}()
				want := "T a:23:0\nD \"1\"\nC SELECT 1\nZ I\nParseComplete\nBindComplete\nD \"2\"\nC SELECT 1\nZ I"
				if got != want {
					t.Fatalf("got\n%s\nwant\n%s", got, want)
				}
				return
			}
			compare(t, b, seq)
		})
	}
}

func many(q string, n int) messages {
	seq := messages{parse("s", "select 1")}
	for range n {
		seq = append(seq, bind("", "s"), execute("", 0))
	}
	return append(seq, parse("q", q), bind("", "q"), execute("", 0), sync_)
}

// TestPipeline_ComesMeanwhile sends messages while askpg answers those before them, at ever other moments: none is lost.
func TestPipeline_ComesMeanwhile(t *testing.T) {
	everyRoute(t, func(t *testing.T, l route, s *site) {
		b := l.start(t, s, nil)
		f := l.dial(t, b.addr, sampleDB(t))
		f.send(parse("s", asks("select 7 as seven")))
		f.send(sync_)
		f.trace(1)
		const first, later, rounds = 30, 30, 400
		var binds messages
		for range first {
			binds = append(binds, bind("", "s"))
		}
		want := strings.Repeat("BindComplete\n", first+later) + "Z I"
		for round := range rounds {
			f.send(binds...)
			for range later {
				for until := time.Now().Add(time.Duration(round%20) * time.Microsecond); time.Now().Before(until); {
				}
				f.send(bind("", "s"))
			}
			f.send(sync_)
			if got := f.trace(1); got != want {
				t.Fatalf("round %d: %d of %d were answered", round, strings.Count(got, "BindComplete"), first+later)
			}
		}
	})
}
