package translator_test

import (
	"strings"
	"testing"

	"askpg/ask"
	"askpg/translator"
	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

// Calls that want SQL ask for the form, those that do not want SQL do not, and
// what comes in it is an answer like any other.
func TestStructured(t *testing.T) {
	form := func(sql, missing string) llmtest.Reply {
		return llmtest.Reply{Texts: []string{`{"reason": "r", "sql": "` + sql + `", "cannot_answer": "` + missing + `"}`}}
	}
	for _, tt := range []struct {
		name  string
		reply func(llmtest.Call) llmtest.Reply
		value string
		code  string
	}{
		{"SQL", func(llmtest.Call) llmtest.Reply { return form(count, "") }, "30", ""},
		{"a repair", func(c llmtest.Call) llmtest.Reply {
			if kindOf(c) == "repair" {
				return form(count, "")
			}
			return form("select broken", "")
		}, "30", ""},
		{"what is missing", func(llmtest.Call) llmtest.Reply { return form("", "the weather") }, "", ask.CodeNoCandidate},
		{"a server that ignores the form", func(llmtest.Call) llmtest.Reply { return llmtest.SQL(count) }, "30", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, server := model(t, tt.reply, func(c *llm.Config) { c.Structured = "auto" })
			w := newWorld(t, nil, []translator.Model{m})
			tr, err := w.ask(t, "how many customers are there")
			if ask.CodeOf(err) != tt.code {
				t.Fatalf("error %v, want %q", err, tt.code)
			}
			if err == nil && string(tr.Result.Rows[0][0]) != tt.value {
				t.Errorf("answer %s", tr.Result.Rows[0][0])
			}
			if tt.code != "" && !strings.Contains(ask.AsError(err).Message, "the weather") {
				t.Errorf("%q does not say what is missing", ask.AsError(err).Message)
			}
			for _, c := range server.Calls() {
				if wants := kindOf(c) == "generate" || kindOf(c) == "repair"; wants != (c.Form == "json_schema") {
					t.Errorf("a call to %s has form %q", kindOf(c), c.Form)
				}
			}
		})
	}
}
