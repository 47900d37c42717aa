package llm

import (
	"encoding/json"

	openai "github.com/sashabaranov/go-openai"
)

// Tool is a function that a model may call.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // JSON schema of an object
}

// ToolCall is a model's wish to call a tool. Nothing of it can be trusted: there
// may be no such tool, and the arguments may be no JSON.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string // a JSON object, as the model wrote it
}

// tooled adds tools to a request.
func tooled(q *openai.ChatCompletionRequest, tools []Tool) {
	for _, t := range tools {
		q.Tools = append(q.Tools, openai.Tool{Type: openai.ToolTypeFunction,
			Function: &openai.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: t.Parameters}})
	}
}

// chatMessage writes a message as the API has it.
func chatMessage(m Message) openai.ChatCompletionMessage {
	out := openai.ChatCompletionMessage{Role: m.Role, Content: m.Content, ToolCallID: m.CallID}
	for _, c := range m.Calls {
		out.ToolCalls = append(out.ToolCalls, openai.ToolCall{ID: c.ID, Type: openai.ToolTypeFunction,
			Function: openai.FunctionCall{Name: c.Name, Arguments: c.Arguments}})
	}
	return out
}

// toolCalls reads the calls of a choice.
func toolCalls(m openai.ChatCompletionMessage) []ToolCall {
	var out []ToolCall
	for _, c := range m.ToolCalls {
		out = append(out, ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
	}
	return out
}
