package ask_test

import (
	"testing"

	"askpg/ask"
)

func TestLead(t *testing.T) {
	for text, want := range map[string]string{
		"BEGIN;-- ask: how many":                       "BEGIN;",
		"RELEASE _x;SAVEPOINT _x;ASK 'how many'":       "RELEASE _x;SAVEPOINT _x;",
		" begin ;\n savepoint a ; -- ask: x":           " begin ;\n savepoint a ;",
		"start transaction read only, deferrable;/**/": "start transaction read only, deferrable;",
		"BEGIN":                         "",
		"":                              "",
		"-- ask: BEGIN;":                "",
		"BEGINNING; x":                  "",
		"select 1;-- ask: x":            "",
		"BEGIN;select 1;-- ask: x":      "BEGIN;",
		"SAVEPOINT \"a;b\";-- ask: x":   "SAVEPOINT \"a;b\";",
		"SAVEPOINT a /* ; */;-- ask: x": "",
		"rollback;-- ask: x":            "rollback;",
		"set x = 1;-- ask: x":           "set x = 1;",
		"set x = 'a;''b', \"c;\"; reset y;-- ask: x": "set x = 'a;''b', \"c;\"; reset y;",
		"set x = E'\\';-- ask: x":                    "",
		"set x = $$;$$;-- ask: x":                    "",
		"set x = 1 --;\n;-- ask: x":                  "",
		"savepoints are;-- what":                     "",
		"b;":                                         "",
	} {
		if n := ask.Lead([]byte(text)); text[:n] != want {
			t.Errorf("%q: %q, want %q", text, text[:n], want)
		}
	}
	text := []byte("RELEASE _x;SAVEPOINT _x;ASK 'how many'")
	if n := testing.AllocsPerRun(100, func() { ask.Lead(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
