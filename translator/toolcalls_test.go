package translator_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"askpg/ask"
	"askpg/translator"
	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

// calling answers with tool calls: name and arguments in turn.
func calling(text string, calls ...string) llmtest.Reply {
	var out []llm.ToolCall
	for i := 0; i < len(calls); i += 2 {
		out = append(out, llm.ToolCall{ID: fmt.Sprint("call-", i/2), Name: calls[i], Arguments: calls[i+1]})
	}
	return llmtest.Reply{Texts: []string{text}, Tools: [][]llm.ToolCall{out}}
}

func executing(sql string) string {
	b, _ := json.Marshal(map[string]string{"sql": sql})
	return string(b)
}

// The loop with tool calls of the API: what a model may get wrong in a call is
// told to it, and a call does nothing that a written action can't.
func TestInteractive_ToolCalls(t *testing.T) {
	b := newBench(t)
	for _, tt := range []struct {
		name    string
		replies []llmtest.Reply // by turn; the last goes on
		calls   int
		value   string
		code    string
		seen    []string // in what the tools returned
		unseen  []string
	}{
		{name: "one call a message", replies: []llmtest.Reply{
			calling("", "SearchColumn", `{"semantic": "country of a customer"}`),
			calling("", "SearchValue", `{"value": "shipped", "table": "orders", "column": "status"}`),
			calling("", "FindShortestPath", `{"start": "customers.country", "end": "orders.status"}`),
			calling("", "ExecuteSQL", executing("select count(*) from custommers")),
			calling("", "ExecuteSQL", executing(count)),
			calling("", "Done", "{}"),
		}, calls: 6, value: "30", seen: []string{"customers.country text", "orders.status holds 'shipped'", "orders.customer_id = customers.id",
			`relation "custommers" does not exist`, "1 row of (count); the values are not shown"}},
		{name: "several calls in one message", replies: []llmtest.Reply{
			calling("first look", "SearchColumn", `{"semantic": "country"}`, "SearchValue", `{"value": "open"}`, "ExecuteSQL", executing(count), "Done", ""),
		}, calls: 1, value: "30"},
		{name: "too many calls in one message", replies: []llmtest.Reply{
			calling("", "ExecuteSQL", executing("select 1"), "ExecuteSQL", executing("select 2"), "ExecuteSQL", executing("select 3"),
				"ExecuteSQL", executing("select 4"), "ExecuteSQL", executing(count), "ExecuteSQL", executing("select 6")),
			calling("", "Done", "{}"),
		}, calls: 2, value: "30", seen: []string{"at most 5 calls a message"}},
		{name: "malformed arguments", replies: []llmtest.Reply{
			calling("", "ExecuteSQL", `{"sql": "select 1`), calling("", "ExecuteSQL", `["select 1"]`), calling("", "ExecuteSQL", `{"sql": 5}`),
			calling("", "SearchColumn", ""), calling("", "FindShortestPath", `{"start": "customers.id"}`), calling("", "ExecuteSQL", executing(count)), calling("", "Done", "nonsense"),
		}, calls: 7, value: "30", seen: []string{"the arguments are no JSON object", "the argument sql is missing", "the argument semantic is missing", "the argument end is missing"}},
		{name: "unknown tools", replies: []llmtest.Reply{
			calling("", "run_shell", `{"command": "id"}`, "executesql", executing("select 1"), "", "{}"), calling("", "ExecuteSQL", executing(count)), calling("", "Done", "{}"),
		}, calls: 3, value: "30", seen: []string{"there is no tool of that name; there are SearchColumn"}},
		{name: "words in place of Done", replies: []llmtest.Reply{calling("", "ExecuteSQL", executing(count)), calling("There are 30.")}, calls: 2, value: "30"},
		{name: "SQL in place of a call", replies: []llmtest.Reply{calling(fence(count))}, calls: 1, value: "30"},
		{name: "words in place of a call", replies: []llmtest.Reply{calling("Hm."), calling("", "ExecuteSQL", executing(count)), calling("Done.")}, calls: 3, value: "30", seen: []string{"Call a tool"}},
		{name: "only words", replies: []llmtest.Reply{calling("Hm.")}, calls: 2, code: ask.CodeNoCandidate},
		{name: "cannot answer", replies: []llmtest.Reply{calling("", "SearchColumn", `{"semantic": "weather"}`), calling("CANNOT ANSWER: the weather")}, calls: 2, code: ask.CodeNoCandidate},
		{name: "writing is refused", replies: []llmtest.Reply{calling("", "ExecuteSQL", executing("delete from orders")), calling("", "ExecuteSQL", executing(count)), calling("", "Done", "")}, calls: 3, value: "30"},
		{name: "what the role may not read", replies: []llmtest.Reply{
			calling("", "SearchColumn", `{"semantic": "amount of salaries"}`), calling("", "FindShortestPath", `{"start": "salaries.staff", "end": "orders.id"}`),
			calling("", "SearchValue", `{"value": "1000", "table": "salaries"}`), calling("", "ExecuteSQL", executing("select amount from salaries")),
			calling("", "ExecuteSQL", executing(count)), calling("", "Done", "")},
			calls: 6, value: "30", seen: []string{"permission denied for table salaries"}, unseen: []string{"salaries.amount", "salaries holds"}},
		{name: "turns used up", replies: []llmtest.Reply{calling("", "SearchColumn", `{"semantic": "x"}`)}, calls: 8, code: ask.CodeNoCandidate},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := llmtest.New(t, func(c llmtest.Call) llmtest.Reply {
				if fmt.Sprint(c.Tools) != "[SearchColumn SearchValue FindShortestPath ExecuteSQL Done]" {
					t.Errorf("tools %v", c.Tools)
				}
				return tt.replies[min(c.Number, len(tt.replies))-1]
			})
			cfg := server.Config("main")
			cfg.Tools = true
			w := b.with(t, []translator.Model{newModel(t, cfg)}, nil, func(c *translator.Config) { c.Strategy, c.Interactive.Turns = "interactive", 8 })
			tr, err := w.ask(t, "how many customers are there")
			if ask.CodeOf(err) != tt.code {
				t.Fatalf("error %v, want %q", err, tt.code)
			}
			if err == nil && string(tr.Result.Rows[0][0]) != tt.value {
				t.Errorf("answer %s of %s, want %s", tr.Result.Rows[0][0], tr.SQL, tt.value)
			}
			calls := server.Calls()
			if len(calls) != tt.calls {
				t.Errorf("%d calls, want %d", len(calls), tt.calls)
			}
			last := calls[len(calls)-1]
			for _, want := range tt.seen {
				if !strings.Contains(last.Text(), want) {
					t.Errorf("the observations lack %q:\n%s", want, last.Text())
				}
			}
			for _, no := range tt.unseen {
				if strings.Contains(last.Text(), no) {
					t.Errorf("the observations hold %q:\n%s", no, last.Text())
				}
			}
			checkConversation(t, last.Messages)
		})
	}
}

// checkConversation checks that every tool call has its one answer, right after
// the message that it is in, as servers insist.
func checkConversation(t *testing.T, messages []llm.Message) {
	t.Helper()
	var open []string
	for i, m := range messages {
		if m.Role == llm.ToolRole {
			if len(open) == 0 || open[0] != m.CallID {
				t.Errorf("message %d answers %q, open are %q", i, m.CallID, open)
				return
			}
			open = open[1:]
			continue
		}
		if len(open) > 0 {
			t.Errorf("message %d comes before the answers to %q", i, open)
		}
		open = nil
		for _, c := range m.Calls {
			open = append(open, c.ID)
		}
	}
}

// Where the server takes no tools, the model writes its actions.
func TestInteractive_ToolsRefused(t *testing.T) {
	server := llmtest.New(t, func(c llmtest.Call) llmtest.Reply {
		if len(c.Tools) > 0 {
			return llmtest.Reply{Status: 400, Message: "tools are not supported"}
		}
		if strings.Contains(c.Messages[len(c.Messages)-1].Content, "Observation: 1 row") {
			return llmtest.Reply{Texts: []string{"Action: Done"}}
		}
		return llmtest.Reply{Texts: []string{"Action: ExecuteSQL(\"" + count + "\")"}}
	})
	cfg := server.Config("main")
	cfg.Tools, cfg.Retries = true, 0
	w := newWorld(t, nil, []translator.Model{newModel(t, cfg)}, func(c *translator.Config) { c.Strategy = "interactive" })
	tr, err := w.ask(t, "how many customers are there")
	if err != nil || string(tr.Result.Rows[0][0]) != "30" || len(server.Calls()) != 3 {
		t.Fatalf("%v after %d calls", err, len(server.Calls()))
	}
}
