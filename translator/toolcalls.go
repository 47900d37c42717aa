package translator

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"askpg/ask"
	"askpg/translator/llm"
	"askpg/translator/prompt"
)

// apiTools are the tools of Interactive-T2S (Xiong et al. 2024) as an API has
// them.
var apiTools = []llm.Tool{
	tool("SearchColumn", "The columns whose names and descriptions come nearest to a meaning, with their statistics.",
		[]string{"semantic"}, "semantic", "what the column is about"),
	tool("SearchValue", "The cells that come nearest to a value, and the columns that they stand in.",
		[]string{"value"}, "value", "the value to look for", "table", "look in this table only", "column", "look in this column only"),
	tool("FindShortestPath", "How two columns are joined by foreign keys.",
		[]string{"start", "end"}, "start", "a column, written table.column", "end", "another one"),
	tool("ExecuteSQL", "Runs one SELECT and shows the first rows of its result. The last one that ran before Done is the answer.",
		[]string{"sql"}, "sql", "one SELECT of PostgreSQL"),
	tool("Done", "Says that the last ExecuteSQL gave the answer.", nil),
}

// tool describes a tool whose arguments, name and meaning in turn, are texts.
func tool(name, description string, required []string, arguments ...string) llm.Tool {
	properties := map[string]any{}
	for i := 0; i < len(arguments); i += 2 {
		properties[arguments[i]] = map[string]string{"type": "string", "description": arguments[i+1]}
	}
	schema := map[string]any{"type": "object", "properties": properties}
	if required != nil {
		schema["required"] = required
	}
	text, err := json.Marshal(schema)
	if err != nil {
		panic(err) // maps of texts always have a JSON
	}
	return llm.Tool{Name: name, Description: description, Parameters: text}
}

// maxToolCalls bounds the tool calls of one message that are carried out.
const maxToolCalls = 5

// calling is the loop with tool calls of the API. taken is false if the server
// takes no tools: nothing happened then but a call.
func (l *loop) calling(ctx context.Context) (taken bool, err error) {
	p, err := prompt.InteractiveTools(l.tools.in)
	if err != nil {
		return true, err
	}
	messages := []llm.Message{{Role: llm.System, Content: p.System}, {Role: llm.User, Content: p.User}}
	misses := 0
	for turn := range l.turns {
		res, err, ok := l.turn(ctx, messages, apiTools)
		if ctx.Err() != nil {
			return true, ctx.Err()
		}
		if !ok {
			if turn == 0 && llm.KindOf(err) == llm.Rejected {
				return false, nil
			}
			l.silent(err)
			return true, nil
		}
		if res.Calls == nil || len(res.Calls[0]) == 0 {
			x := extract(res.Texts[0])
			switch {
			case x.Refuses:
				l.refuses(x)
				return true, nil
			case x.SQL != "":
				_, err := l.tools.execute(ctx, x.SQL, l.origin)
				return true, err
			case l.tools.last != nil: // a closing word
				return true, nil
			}
			if misses++; misses > 1 {
				return true, nil
			}
			messages = append(messages, llm.Message{Role: llm.Assistant, Content: res.Texts[0]},
				llm.Message{Role: llm.User, Content: "Call a tool; the last SQL that ExecuteSQL ran is the answer."})
			continue
		}
		calls := res.Calls[0]
		messages = append(messages, llm.Message{Role: llm.Assistant, Content: res.Texts[0], Calls: calls})
		done := false
		for i, call := range calls {
			seen := fmt.Sprintf("error: not carried out; at most %d calls a message", maxToolCalls)
			if call.Name == "Done" {
				done, seen = true, "done"
			} else if i < maxToolCalls {
				if seen, err = l.tools.call(ctx, call, l.origin); err != nil {
					return true, err
				}
			}
			messages = append(messages, llm.Message{Role: llm.ToolRole, CallID: call.ID, Content: seen})
		}
		if done {
			return true, nil
		}
	}
	return true, nil
}

// call carries out a tool call of the API.
func (t *tools) call(ctx context.Context, c llm.ToolCall, origin ask.Origin) (string, error) {
	var args map[string]any
	text := strings.TrimSpace(c.Arguments)
	if err := json.Unmarshal([]byte(text), &args); err != nil && text != "" {
		return "error: the arguments are no JSON object: " + oneLine(err.Error(), 100), nil
	}
	arg := func(name string) string {
		s, _ := args[name].(string)
		return s
	}
	need := func(names ...string) string {
		for _, n := range names {
			if blank(arg(n)) {
				return "error: the argument " + n + " is missing; it is a text"
			}
		}
		return ""
	}
	switch c.Name {
	case "SearchColumn":
		if e := need("semantic"); e != "" {
			return e, nil
		}
		return t.searchColumn(arg("semantic")), nil
	case "SearchValue":
		if e := need("value"); e != "" {
			return e, nil
		}
		return t.searchValue(arg("value"), arg("table"), arg("column")), nil
	case "FindShortestPath":
		if e := need("start", "end"); e != "" {
			return e, nil
		}
		return t.path([]string{arg("start"), arg("end")}), nil
	case "ExecuteSQL":
		if e := need("sql"); e != "" {
			return e, nil
		}
		return t.execute(ctx, arg("sql"), origin)
	}
	return "error: there is no tool of that name; there are SearchColumn, SearchValue, FindShortestPath, ExecuteSQL and Done", nil
}
