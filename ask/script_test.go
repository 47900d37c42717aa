package ask_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"askpg/ask"
)

func TestCutScript(t *testing.T) {
	for text, want := range map[string]string{ // questions, then the tail
		"-- ask: a":                                    "-- ask: a|",
		"select 1; select 2":                           "select 1; select 2",
		"/* ask: a */; COMMIT":                         "/* ask: a */;| COMMIT",
		"ask 'a' hint 'b';select 1; x":                 "ask 'a' hint 'b';|select 1; x",
		"ask what's new; or old":                       "ask what's new; or old|",
		"/* ask: a */; /* ask: b */;":                  "/* ask: a */;| /* ask: b */;|",
		"-- ask: a\n; -- bye":                          "-- ask: a\n; -- bye|",
		"; -- ask: a":                                  "; -- ask: a|",
		"select 1; -- ask: a":                          "refused",
		"select 1; -- ask: a\nselect 2":                "select 1; -- ask: a\nselect 2",
		"/* ask: a */; select 1":                       "/* ask: a */;| select 1",
		"/* ask: a */; set x = 1; ask 'b'":             "refused",
		"/* ask: a */; select U&'d\\0061ta'; select 1": "/* ask: a */;| select U&'d\\0061ta'; select 1",
		"/* ask: a */; create function f() returns int begin atomic; select 1; end":              "/* ask: a */;| create function f() returns int begin atomic; select 1; end",
		"/* ask: a */; create function f() returns int begin atomic; /* ask: b */ select 1; end": "refused",
		"declare c cursor for -- ask: a\n;fetch 100 in c":                                        "declare c cursor for -- ask: a\n;fetch 100 in c|",
		"select -- ask: a\n; select 1":                                                           "select -- ask: a\n;| select 1",
		"select * from (-- ask: a\n) t limit 5; -- bye":                                          "select * from (-- ask: a\n) t limit 5; -- bye|",
		"create function f() returns int begin atomic; select 1; -- ask: a\n; end":               "create function f() returns int begin atomic; select 1; -- ask: a\n; end",
		"select /* ask: a */ /* ask: b */; select 1":                                             "select /* ask: a */ /* ask: b */;| select 1",
		"": "",
	} {
		cut, ok := ask.CutScript(text)
		got := strings.Join(append(slices.Clone(cut.Questions), cut.Tail), "|")
		if !ok {
			got = "refused"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	// Work grows with the length, not with its square.
	const question = "/* ask: a */"
	for _, text := range []string{
		question + strings.Repeat(";", 1<<20), strings.Repeat(";", 1<<16) + "-- ask: a", strings.Repeat(question+";", 1<<14), strings.Repeat("-", 1<<20) + "\n" + question,
		// PostgreSQL's scanner itself is quadratic in these.
		"select " + strings.Repeat("+-", 1<<16) + "1" + question, strings.Repeat("/**/", 1<<16) + "select" + question, strings.Repeat("/*", 1<<16) + question,
		strings.Repeat("/*", 1<<16) + strings.Repeat("*/", 1<<16) + "select" + question, "select " + strings.Repeat("ask(", 1<<16) + question,
	} {
		done := make(chan bool)
		go func() {
			ask.MayHold([]byte(text))
			ask.CutScript(text)
			_, _, _ = ask.FindCalls(text)
			_, _ = ask.Parse(text)
			close(done)
		}()
		select {
		case <-done:
		case <-time.After(5 * time.Minute):
			t.Fatalf("a text of %d bytes is cut for five minutes: %.20s", len(text), text)
		}
	}
}

func TestCommands(t *testing.T) {
	for text, want := range map[string][]ask.Command{
		`set"role"=g2; reset all; set local x to 1; set transaction read only`:              {ask.SetCommand, ask.SetCommand, ask.SetCommand, ask.SetCommand},
		"begin; start transaction read only; savepoint a; release a":                        {ask.BeginCommand, ask.BeginCommand, ask.SavepointCommand, ask.SavepointCommand},
		"commit; end; rollback; abort and no chain; rollback to a":                          {ask.EndCommand, ask.EndCommand, ask.EndCommand, ask.EndCommand, ask.RollbackToCommand},
		"commit and chain; prepare transaction 'x'; set constraints all deferred; select 1": {ask.OtherCommand, ask.OtherCommand, ask.OtherCommand, ask.OtherCommand},
		"set nonsense": {ask.OtherCommand},
	} {
		if got := ask.Commands(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
