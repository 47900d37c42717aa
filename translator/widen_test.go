package translator_test

import (
	"strings"
	"testing"

	"askpg/ask"
	"askpg/translator"
	"askpg/translator/llm/llmtest"
)

// Before a refusal stands that models made from a part of the schema, what they miss is
// described to one more; if that one finds SQL, further samples see it too, and the refusals are no votes.
func TestAuto_Widen(t *testing.T) {
	described := func(c llmtest.Call) bool { // orders are, in any form of the prompt
		return strings.Contains(c.Text(), "total numeric") || strings.Contains(c.Text(), "total: numeric")
	}
	for _, tt := range []struct {
		name   string
		from   int // narrow_from
		script func(llmtest.Call) llmtest.Reply
		value  string
		code   string
		calls  int
	}{
		{"Found", 1, func(c llmtest.Call) llmtest.Reply {
			if described(c) {
				return llmtest.SQL("select count(*) from orders where status = 'open'")
			}
			return llmtest.Reply{Texts: []string{"CANNOT ANSWER: there are no purchases, orders or the like"}}
		}, "150", "", 6},
		{"Missing", 1, func(c llmtest.Call) llmtest.Reply {
			if !described(c) && c.Number == 4 {
				t.Error("what models missed is not described to the fourth")
			}
			return llmtest.Reply{Texts: []string{"CANNOT ANSWER: orders do not say how they are packed"}}
		}, "", ask.CodeNoCandidate, 4},
		{"Told", 1, func(c llmtest.Call) llmtest.Reply { // the columns of all were told, and none is missed
			return llmtest.Reply{Texts: []string{"CANNOT ANSWER: nothing says how things are packed"}}
		}, "", ask.CodeNoCandidate, 3},
		{"NoAnswer", 1, func(c llmtest.Call) llmtest.Reply {
			if c.Number >= 4 {
				return llmtest.Reply{Status: 400}
			}
			return llmtest.Reply{Texts: []string{"CANNOT ANSWER: orders"}}
		}, "", ask.CodeNoCandidate, 4},
		{"Whole", 100_000, func(c llmtest.Call) llmtest.Reply {
			return llmtest.Reply{Texts: []string{"CANNOT ANSWER: orders"}}
		}, "", ask.CodeNoCandidate, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, server := model(t, tt.script)
			w := newWorld(t, nil, []translator.Model{m}, func(c *translator.Config) { c.NarrowFrom, c.NarrowTables = tt.from, 1 })
			tr, err := w.ask(t, "how many customers have a basket")
			if n := len(server.Calls()); n != tt.calls {
				t.Errorf("%d calls, want %d", n, tt.calls)
			}
			if tt.code != "" {
				if ask.CodeOf(err) != tt.code {
					t.Fatalf("got %v, want %s", err, tt.code)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := string(tr.Result.Rows[0][0]); got != tt.value || tr.Confidence < 0.9 {
				t.Errorf("got %s with confidence %.2f, want %s", got, tr.Confidence, tt.value)
			}
		})
	}
}
