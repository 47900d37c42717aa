package translator_test

import (
	"fmt"
	"strings"
	"testing"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/translator"
	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

// Before a refusal stands that models made from a part of the schema, what they miss is
// described to one more; if that one finds SQL, further samples see it too, and the refusals are no votes. Where all
// refuse, and miss nothing that was told by name alone, none is asked again.
func TestAuto_Widen(t *testing.T) {
	described := func(c llmtest.Call) bool { // orders are, in any form of the prompt
		return strings.Contains(c.Text(), "total numeric") || strings.Contains(c.Text(), "total: numeric")
	}
	// The columns of orders take more than what relations that are told in a line may take.
	wide := "comment on table orders is 'purchases';"
	for i := range 60 {
		wide += fmt.Sprintf("alter table orders add a_column_with_a_name_that_takes_room_%d_in_a_prompt numeric;", i)
	}
	refuses := func(missing string) func(llmtest.Call) llmtest.Reply {
		return func(llmtest.Call) llmtest.Reply {
			return llmtest.Reply{Texts: []string{"CANNOT ANSWER: " + missing}}
		}
	}
	finds := func(missing string) func(llmtest.Call) llmtest.Reply {
		return func(c llmtest.Call) llmtest.Reply {
			if described(c) {
				return llmtest.SQL("select count(*) from orders where status = 'open'")
			}
			return llmtest.Reply{Texts: []string{"CANNOT ANSWER: " + missing}}
		}
	}
	for _, tt := range []struct {
		name   string
		schema string // what is changed of it
		from   int    // narrow_from
		script func(llmtest.Call) llmtest.Reply
		value  string
		code   string
		calls  int
	}{
		{"Found", wide, 1, finds("there are no orders or the like"), "150", "", 6},
		{"FoundByWords", wide, 1, finds("purchases"), "150", "", 6},
		{"Missing", wide, 1, func(c llmtest.Call) llmtest.Reply {
			if !described(c) && c.Number == 4 {
				t.Error("what models missed is not described to the fourth")
			}
			return llmtest.Reply{Texts: []string{"CANNOT ANSWER: orders do not say how they are packed"}}
		}, "", ask.CodeNoCandidate, 4},
		{"Firm", wide, 1, refuses("nothing says how baskets are packed"), "", ask.CodeNoCandidate, 3},
		{"Told", "", 1, refuses("orders do not say how they are packed"), "", ask.CodeNoCandidate, 3}, // their columns were
		{"NotAll", "", 1, func(c llmtest.Call) llmtest.Reply {
			if c.Number == 1 {
				return llmtest.SQL("select count(*) from customers where country = 'DE'")
			}
			return llmtest.Reply{Texts: []string{"CANNOT ANSWER: orders do not say how they are packed"}}
		}, "", ask.CodeNoCandidate, 4},
		{"NoAnswer", wide, 1, func(c llmtest.Call) llmtest.Reply {
			if c.Number >= 4 {
				return llmtest.Reply{Status: 400}
			}
			return llmtest.Reply{Texts: []string{"CANNOT ANSWER: orders"}}
		}, "", ask.CodeNoCandidate, 4},
		{"Whole", wide, 100_000, refuses("orders"), "", ask.CodeNoCandidate, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, server := model(t, tt.script)
			w := newWorld(t, nil, []translator.Model{m}, func(c *translator.Config) { c.NarrowFrom, c.NarrowTables = tt.from, 1 })
			pgtest.Exec(t, pgtest.Shared(t).Primary.URL(pgtest.Superuser, w.database), tt.schema+"select 1")
			pgtest.CatchUp(t)
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

// TestAuto_Vague: of a question that touches nothing one model is asked first, with the whole schema. Its refusal stands; its SQL has to be
// agreed with like any other.
func TestAuto_Vague(t *testing.T) {
	refuses := func(llmtest.Call) llmtest.Reply {
		return llmtest.Reply{Texts: []string{"CANNOT ANSWER: nothing about the weather is held"}}
	}
	for _, tt := range []struct {
		name, question string
		script         func(llmtest.Call) llmtest.Reply
		small          bool
		code           string
		calls          int
	}{
		{"OffTopic", "will it rain tomorrow?", refuses, false, ask.CodeNoCandidate, 1},
		{"OffTopicSmall", "will it rain tomorrow?", refuses, true, ask.CodeNoCandidate, 3},
		{"OnTopic", "which customers will it rain on?", refuses, false, ask.CodeNoCandidate, 3},
		{"OtherWords", "wie viele kaufen bei uns?", answers(count), false, "", 3},
		{"SecondThoughts", "wie viele kaufen bei uns?", func(c llmtest.Call) llmtest.Reply {
			if c.Number == 1 {
				return llmtest.SQL(count)
			}
			return refuses(c)
		}, false, ask.CodeNoCandidate, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, server := model(t, tt.script, func(c *llm.Config) { c.Small = tt.small })
			w := newWorld(t, misunderstood("x"), []translator.Model{m}, func(c *translator.Config) { c.Explore = false })
			_, err := w.ask(t, tt.question)
			if n := len(server.Calls()); n != tt.calls || ask.CodeOf(err) != tt.code {
				t.Errorf("%d calls and %v, want %d and %s", n, err, tt.calls, tt.code)
			}
			if text := server.Calls()[0].Text(); !strings.Contains(text, "total") || !strings.Contains(text, "country") {
				t.Errorf("the first prompt lacks a part of the schema: %s", text)
			}
		})
	}
}
