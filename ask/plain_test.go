package ask_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"askpg/ask"
)

// SQL with no question in it: words that look like one, and everything around statements.
var (
	plainStatements = []string{
		"select 1", "SELECT", "select $1, $2::text", "select 'ask: how many', 'ASK $$x$$'", "select $$-- ask: x$$", "select \"ask\", \"/* ask: x */\" from t",
		"select ask from ask", "select t.ask from t ask", "select task(1), my_ask('x')", "select asks, asked from tasks", "insert into t values (E'\\' -- ask: x', $q$ ask('x') $q$)",
		"set work_mem = '1MB'", "begin", "commit", "rollback to s", "savepoint ask_1", "release ask_1", "reset all", "show all", "values (1), (2)",
		"create table ask_log (ask text)", "comment on table t is 'ask: Bob'", "do $$ begin perform 1; -- asked\n end $$", "declare c cursor for select 1", "fetch 5 in c",
		"prepare p as select $1", "execute p(1)", "copy t from stdin", "copy (select 1) to stdout", "explain select 1", "with ask as (select 1) select * from ask",
		"create function f() returns int begin atomic; select 1; select 2; end", "select U&'\\0061sk'", "select * from t limit $1 offset $2", "table ask", "listen ask", "notify ask, 'ask: x'",
	}
	plainComments = []string{
		"", "", "", " ", "\n", "-- ask Bob about it\n", "/* task: x */", "/* asked: how many */", "-- ask (the team) about it\n", "/* a /* nested */ one */", "-- {\"user\": 1}\n", "/*application:Shop*/", "--ask\n",
	}
)

// TestPlainSQL holds that SQL which does not ask goes to the server as it is: it has no ask comment, no ASK '…' in a
// place for a statement, and no ask( in FROM.
func TestPlainSQL(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 7))
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	parsed := 0
	for range 3000 {
		var b strings.Builder
		for range 1 + random.IntN(4) {
			b.WriteString(pick(plainComments) + pick(plainStatements) + pick(plainComments) + ";" + pick(plainComments))
		}
		text := b.String()
		if random.IntN(2) == 0 {
			text = strings.TrimRight(text, "; \n")
		}
		if _, err := ask.Parse(text); err != nil {
			continue
		}
		parsed++
		if ask.Detect([]byte(text), true) != ask.No {
			t.Fatalf("%q is taken for a question", text)
		}
		if back, calls, err := ask.FindCalls(text); back != text || len(calls) > 0 || err != nil {
			t.Fatalf("%q became %q, %d calls, %v", text, back, len(calls), err)
		}
		if cut, ok := ask.CutScript(text); !ok || len(cut.Questions) > 0 || cut.Tail != text {
			t.Fatalf("%q is cut into %q, %v", text, cut, ok)
		}
		if !strings.Contains(strings.ToLower(text), "ask") && (ask.MayCall([]byte(text)) || ask.MayHold([]byte(text))) {
			t.Fatalf("%q is looked into", text)
		}
	}
	if parsed < 1000 {
		t.Errorf("%d texts were SQL", parsed)
	}
}
