package llmtest

import (
	"encoding/json"

	"askpg/translator/llm"
)

// readCall reads the body of a request.
func readCall(body []byte) (Call, error) {
	var q struct {
		Model       string        `json:"model"`
		Messages    []llm.Message `json:"messages"`
		N           int           `json:"n"`
		Temperature float64       `json:"temperature"`
		MaxTokens   int           `json:"max_tokens"`
		MaxComplete int           `json:"max_completion_tokens"`
		Format      struct {
			Type   string `json:"type"`
			Schema struct {
				Schema json.RawMessage `json:"schema"`
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return Call{}, err
	}
	c := Call{Model: q.Model, N: max(q.N, 1), Temperature: q.Temperature, MaxTokens: max(q.MaxTokens, q.MaxComplete),
		Form: q.Format.Type, Schema: string(q.Format.Schema.Schema), Messages: q.Messages}
	return c, nil
}
