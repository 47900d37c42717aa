package llmtest

import (
	"encoding/json"

	"askpg/translator/llm"
)

// toolCall is a tool call as the API has it.
type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

func wireCall(c llm.ToolCall) toolCall {
	out := toolCall{ID: c.ID, Type: "function"}
	out.Function.Name, out.Function.Arguments = c.Name, c.Arguments
	return out
}

// readCall reads the body of a request.
func readCall(body []byte) (Call, error) {
	var q struct {
		Model    string `json:"model"`
		Messages []struct {
			Role    string     `json:"role"`
			Content string     `json:"content"`
			Calls   []toolCall `json:"tool_calls"`
			CallID  string     `json:"tool_call_id"`
		} `json:"messages"`
		N           int     `json:"n"`
		Temperature float64 `json:"temperature"`
		MaxTokens   int     `json:"max_tokens"`
		MaxComplete int     `json:"max_completion_tokens"`
		Format      struct {
			Type   string `json:"type"`
			Schema struct {
				Schema json.RawMessage `json:"schema"`
			} `json:"json_schema"`
		} `json:"response_format"`
		Tools []struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return Call{}, err
	}
	c := Call{Model: q.Model, N: max(q.N, 1), Temperature: q.Temperature, MaxTokens: max(q.MaxTokens, q.MaxComplete),
		Form: q.Format.Type, Schema: string(q.Format.Schema.Schema)}
	for _, m := range q.Messages {
		out := llm.Message{Role: m.Role, Content: m.Content, CallID: m.CallID}
		for _, call := range m.Calls {
			out.Calls = append(out.Calls, llm.ToolCall{ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments})
		}
		c.Messages = append(c.Messages, out)
	}
	for _, t := range q.Tools {
		c.Tools = append(c.Tools, t.Function.Name)
	}
	return c, nil
}
