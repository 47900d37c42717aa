package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"askpg/ask"
	"askpg/translator/llm"
)

// modelServer is an OpenAI-compatible server that behaves, and misbehaves, as
// it is told.
type modelServer struct {
	*httptest.Server
	asked   chan struct{} // a request has come
	dropped chan struct{} // a hanging request was given up by the client

	mu      sync.Mutex
	reply   func(prompt string) reply
	prompts []string
}

// reply is what the server does with a request.
type reply struct {
	text   string
	status int    // other than 200
	hang   bool   // until the client gives up
	half   bool   // the connection breaks in the middle of the body
	raw    string // body to send as it is
	moved  string // where the client is redirected to
}

func newModelServer(t *testing.T) *modelServer {
	t.Helper()
	m := &modelServer{asked: make(chan struct{}, 1000), dropped: make(chan struct{}, 1000)}
	m.Server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(m.Close)
	return m
}

// configure makes m the only model.
func (m *modelServer) configure(c *Config) {
	model := llm.DefaultConfig()
	model.Name, model.BaseURL, model.Model = "test", m.URL+"/v1", "test-1"
	model.Timeout, model.MaxRetryAfter = ask.Duration(2*time.Second), ask.Duration(time.Second)
	c.Models = append(c.Models, model)
}

func (m *modelServer) answer(f func(prompt string) reply) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reply = f
}

// calls returns how often the server was asked.
func (m *modelServer) calls() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.prompts)
}

// seen returns every prompt that came.
func (m *modelServer) seen() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.Join(m.prompts, "\n")
}

func (m *modelServer) serve(w http.ResponseWriter, req *http.Request) {
	var body struct {
		Model    string
		N        int
		Messages []struct{ Role, Content string }
	}
	if err := json.NewDecoder(req.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var prompt strings.Builder
	for _, msg := range body.Messages {
		prompt.WriteString(msg.Content + "\n")
	}
	m.mu.Lock()
	m.prompts = append(m.prompts, prompt.String())
	r := m.reply(prompt.String())
	m.mu.Unlock()
	m.asked <- struct{}{}
	switch {
	case r.moved != "":
		http.Redirect(w, req, r.moved+"/chat/completions", http.StatusTemporaryRedirect)
	case r.hang:
		<-req.Context().Done()
		m.dropped <- struct{}{}
	case r.status != 0:
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(r.status)
		fmt.Fprintf(w, `{"error": {"message": "status %d", "type": "server_error"}}`, r.status)
	case r.raw != "":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, r.raw)
	default:
		choices := make([]map[string]any, max(body.N, 1))
		for i := range choices {
			choices[i] = map[string]any{"index": i, "finish_reason": "stop", "message": map[string]string{"role": "assistant", "content": r.text}}
		}
		out, _ := json.Marshal(map[string]any{"id": "1", "object": "chat.completion", "model": body.Model, "choices": choices,
			"usage": map[string]int{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}})
		if r.half {
			w.Header().Set("Content-Length", fmt.Sprint(len(out)))
			_, _ = w.Write(out[:len(out)/2])
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(out)
	}
}
