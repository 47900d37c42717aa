package llm_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

// The closest form that a server takes is asked for, found out once, and never
// more than is configured.
func TestClient_Structured(t *testing.T) {
	form := &llm.Form{Name: "answer", Schema: json.RawMessage(`{"type":"object"}`), Note: "Answer with JSON."}
	for _, tt := range []struct {
		setting string
		takes   []string // forms of the server
		status  int
		forms   []string // of the requests for two answers
	}{
		{"off", []string{"", "json_object", "json_schema"}, 400, []string{"", ""}},
		{"auto", []string{"", "json_object", "json_schema"}, 400, []string{"json_schema", "json_schema"}},
		{"auto", []string{"", "json_object"}, 400, []string{"json_schema", "json_object", "json_object"}},
		{"auto", []string{""}, 422, []string{"json_schema", "json_object", "", ""}},
		{"json_object", []string{"", "json_object", "json_schema"}, 400, []string{"json_object", "json_object"}},
		{"json_object", []string{""}, 400, []string{"json_object", "", ""}},
		{"json_schema", []string{"json_schema"}, 400, []string{"json_schema", "json_schema"}},
		// What is refused in any form says nothing of the form: each answer tries anew.
		{"auto", nil, 400, []string{"json_schema", "json_object", "", "json_schema", "json_object", ""}},
		// Another failure is none of the form's.
		{"auto", nil, 403, []string{"json_schema", "json_schema"}},
	} {
		t.Run(fmt.Sprint(tt.setting, tt.takes, tt.status), func(t *testing.T) {
			s := llmtest.New(t, func(c llmtest.Call) llmtest.Reply {
				if slices.Contains(tt.takes, c.Form) {
					return llmtest.Reply{Texts: []string{`{"sql": "select 1"}`}}
				}
				return llmtest.Reply{Status: tt.status, Message: "no"}
			})
			c := configured(t, s, func(c *llm.Config) { c.Structured, c.Retries = tt.setting, 0 })
			r := request(1)
			r.Form = form
			for range 2 {
				_, _ = c.Complete(t.Context(), r)
			}
			var forms []string
			for _, call := range s.Calls() {
				forms = append(forms, call.Form)
				last := call.Messages[len(call.Messages)-1].Content
				if noted := last == request(1).Messages[0].Content+"\n\nAnswer with JSON."; noted != (call.Form != "") {
					t.Errorf("form %q, last message %q", call.Form, last)
				}
				if call.Form == "json_schema" && call.Schema != `{"type":"object"}` {
					t.Errorf("schema %s", call.Schema)
				}
			}
			if fmt.Sprint(forms) != fmt.Sprint(tt.forms) {
				t.Errorf("forms %q, want %q", forms, tt.forms)
			}
		})
	}
}

// A request without a form is sent without one, whatever is configured.
func TestClient_NoForm(t *testing.T) {
	s := llmtest.New(t, func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Texts: []string{"x"}} })
	c := configured(t, s, func(c *llm.Config) { c.Structured = "json_schema" })
	if _, err := c.Complete(t.Context(), request(1)); err != nil || s.Calls()[0].Form != "" {
		t.Fatalf("form %q, %v", s.Calls()[0].Form, err)
	}
}

// Where the form is not asked for, what the request says in its place is added, and nothing else.
func TestClient_Plain(t *testing.T) {
	s := llmtest.New(t, func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Texts: []string{"x"}} })
	for _, tt := range []struct{ setting, plain, want string }{
		{"off", "as plain text", "as plain text"}, {"off", "", ""}, {"json_object", "as plain text", "as JSON"},
	} {
		c := configured(t, s, func(c *llm.Config) { c.Structured = tt.setting })
		r := request(1)
		before := r.Messages[len(r.Messages)-1].Content
		r.Form = &llm.Form{Name: "f", Schema: []byte("{}"), Note: "as JSON", Plain: tt.plain}
		if _, err := c.Complete(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		calls := s.Calls()
		messages := calls[len(calls)-1].Messages
		if got := strings.TrimSpace(strings.TrimPrefix(messages[len(messages)-1].Content, before)); got != tt.want {
			t.Errorf("%s with %q: told %q, want %q", tt.setting, tt.plain, got, tt.want)
		}
	}
}

func configured(t *testing.T, s *llmtest.Server, set func(*llm.Config)) *llm.Client {
	t.Helper()
	c := s.Config("main")
	set(&c)
	return client(t, c)
}
