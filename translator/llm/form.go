package llm

import (
	"encoding/json"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// Form is a JSON object that an answer is to be (OpenAI's structured outputs).
type Form struct {
	Name   string
	Schema json.RawMessage // a JSON schema; strict, so every property is required
	Note   string          // added to the last message where the form is asked for, as servers that know no schema want the word JSON in it
	Plain  string          // added to it where the form is not asked for, if the messages do not say how to answer
}

// The values of Config.Structured.
const (
	structuredOff    = "off"
	structuredAuto   = "auto" // by schema if the server takes it, else any object, else not at all
	structuredObject = "json_object"
	structuredSchema = "json_schema"
)

// formLevel is how closely a form can be asked for.
type formLevel = int32

const (
	formOff formLevel = iota
	formObject
	formSchema
)

// firstLevels are the levels that requests begin with, by Config.Structured.
var firstLevels = map[string]formLevel{structuredOff: formOff, structuredAuto: formSchema, structuredObject: formObject, structuredSchema: formSchema}

// formed adds the wanted form to a request.
func formed(q *openai.ChatCompletionRequest, f *Form, level formLevel) {
	if f == nil || len(q.Messages) == 0 {
		return
	}
	note := f.Note
	switch level {
	case formOff:
		note = f.Plain
	case formObject:
		q.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	case formSchema:
		q.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: f.Name, Schema: f.Schema, Strict: true}}
	}
	if note == "" {
		return
	}
	last := &q.Messages[len(q.Messages)-1]
	last.Content = strings.TrimRight(last.Content, "\n") + "\n\n" + note
}

// level is how closely the form of a request is asked for.
func (c *Client) level(r Request) formLevel {
	if r.Form == nil || len(r.Messages) == 0 {
		return formOff
	}
	return c.form.Load()
}

// keepForm remembers that the server took a request only with less form than
// before.
func (c *Client) keepForm(level formLevel) {
	for {
		old := c.form.Load()
		if level >= old {
			return
		}
		if c.form.CompareAndSwap(old, level) {
			c.log.Info("model takes no such response_format", "model", c.cfg.Name, "left", []string{"none", structuredObject}[level])
			return
		}
	}
}
