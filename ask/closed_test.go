package ask_test

import (
	"strings"
	"testing"
	"time"

	"askpg/ask"
)

// TestCheckClosed has what a driver makes of a value that ends the comment in which it is written, and what people write beside it.
func TestCheckClosed(t *testing.T) {
	for text, closed := range map[string]bool{
		"-- ask: orders of 'x\ndrop table orders --'":                              false,
		"-- ask: orders of 'x\n; drop table orders --'":                            false,
		"-- ask: orders of ('x\runion select 1 --')":                               false,
		"-- ask: orders of ARRAY['a','x\ndrop table orders --']":                   false,
		"-- ask: orders of  E'a\\'\ndrop table orders --'":                         false,
		"-- ask: orders of 'a''\ndrop table orders --'":                            false,
		"-- ask: hits of the '90s in 'x\ndrop table orders --'":                    false,
		"/* ask: what's new in 'x */ drop table orders /*' */":                     false,
		"/* tool */ -- ask: orders of 'x\n-- more\ndrop table orders --'":          false,
		"select * from (-- ask: orders of 'x\n) t; drop table orders; select ('a'": false,
		"ASK $$orders of 'x$$; drop table orders; --'$$":                           false,
		"select U&'\\0061', (-- ask: orders of 'x\n) --'":                          false,
		"select '-- ask: ''x' from (-- ask: orders of 'x\n) t --'":                 false,

		"-- ask: orders of 'x'\nselect 1":                                                    true,
		"-- ask: hits of the '90s":                                                           true,
		"-- ask: hits of the '90s\n-- by year;\n":                                            true,
		"-- ask: hits of the '90s in 'Berlin'\nselect 1":                                     true,
		"-- ask: what's new, and customers' orders\nselect 1":                                true,
		"-- ask: orders of 'Berlin '\nselect 1":                                              true,
		"-- ask: orders of 'O''Neil', E'a\\'b' and ('c'::text)\nselect 1":                    true,
		"select '-- ask: orders of ''x', 1":                                                  true,
		"select $$\n-- ask: orders of 'x\n$$, 1":                                             true,
		"-- no -- ask: orders of 'x\nselect 1":                                               true,
		"/* -- ask: orders of 'x */ select 1":                                                true,
		"-- asked: 'x\nselect 1":                                                             true,
		"ASK $$hits of the '90s$$;":                                                          true,
		"select 1 - 2 / 3, $1":                                                               true,
		"insert into t values ('-- ask: ''x'" + strings.Repeat(", '-- ask: ''x'", 100) + ")": true,
	} {
		err := ask.CheckClosed(text, true)
		if (err == nil) != closed || err != nil && (ask.CodeOf(err) != ask.CodeSyntax || ask.AsError(err).Hint == "") {
			t.Errorf("%.200q: %v", text, err)
		}
	}
	// Of a message that is too long to be read whole.
	if ask.CheckClosed("select * from (-- ask: orders of 'x", false) == nil || ask.CheckClosed("-- ask: orders of 'x'", false) != nil {
		t.Error("the beginning of a text")
	}
	began := time.Now()
	for _, part := range []string{"/*ask ", "-- ask: 'x\n", "$ask$", "ask $", "'-- ask: ''x',", "1+"} {
		_ = ask.CheckClosed("select 1/"+strings.Repeat(part, 1<<16/len(part)), true)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}
