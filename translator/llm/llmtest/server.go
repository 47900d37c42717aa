// Package llmtest serves an OpenAI-compatible chat completions API whose
// answers and faults a test scripts.
package llmtest

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"askpg/ask"
	"askpg/translator/llm"
)

// Call is a request that the server got.
type Call struct {
	Number      int // 1-based
	Model       string
	Messages    []llm.Message
	N           int
	Temperature float64
	MaxTokens   int
	Key         string // of the Authorization header
	Form        string // type of the response_format
	Schema      string // of the response_format
}

// Text returns all messages as one text.
func (c Call) Text() string {
	var b strings.Builder
	for _, m := range c.Messages {
		b.WriteString(m.Content)
		b.WriteByte('\n')
	}
	return b.String()
}

// Reply is what the server answers.
type Reply struct {
	Texts   []string          // one choice each
	Status  int               // 200 if 0; others answer Message as an API error
	Message string            // of the error
	Header  map[string]string // further headers
	Body    string            // sent as it is instead of a completion
	Cut     bool              // break the connection off halfway through the body
	Hang    bool              // answer nothing until the client goes away
	Delay   time.Duration     // before the answer
	NoUsage bool              // leave the token counts out
	Until   <-chan struct{}   // closed when the answer may go out; nil for at once
}

// SQL answers each text in a code fence.
func SQL(texts ...string) Reply {
	r := Reply{}
	for _, t := range texts {
		r.Texts = append(r.Texts, "```sql\n"+t+"\n```")
	}
	return r
}

// Server is a running server.
type Server struct {
	URL string // base URL, for Config.BaseURL

	http   *httptest.Server
	mu     sync.Mutex
	calls  []Call
	gone   int
	vector func(text string) []float32
	late   bool
	texts  [][]string
}

// Embed makes the server answer embeddings too; a text whose vector is nil
// makes the request fail.
func (s *Server) Embed(vector func(text string) []float32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.vector = vector
}

// EmbedNever makes the server take requests for embeddings and answer none of
// them: each hangs until the client goes away.
func (s *Server) EmbedNever() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.late = true
}

// Embedded returns the texts of each request for embeddings.
func (s *Server) Embedded() [][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.texts)
}

// New starts a server that answers by script, which must be safe for
// concurrent use, and stops it when the test ends.
func New(tb testing.TB, script func(Call) Reply) *Server {
	s := &Server{}
	end := make(chan struct{})
	s.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.serve(w, r, script, end)
	}))
	tb.Cleanup(func() { close(end); s.Kill() })
	s.URL = s.http.URL + "/v1"
	return s
}

// Kill ends the server as a crash does: requests under way break off, and nobody listens any more.
func (s *Server) Kill() {
	_ = s.http.Listener.Close()
	s.http.CloseClientConnections()
	s.http.Close()
}

// Restart lets a killed server answer again, at the same address.
func (s *Server) Restart(tb testing.TB) {
	tb.Helper()
	l, err := net.Listen("tcp", s.http.Listener.Addr().String())
	if err != nil {
		tb.Error(err)
		return
	}
	s.http = &httptest.Server{Listener: l, Config: &http.Server{Handler: s.http.Config.Handler}}
	s.http.Start()
}

// Config returns a client's configuration for the server, with short waits.
func (s *Server) Config(name string) llm.Config {
	c := llm.DefaultConfig()
	c.Name, c.BaseURL, c.Model = name, s.URL, name
	c.Timeout = ask.Duration(10 * time.Second)
	return c
}

// Calls returns the requests so far.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

// Abandoned returns how many hanging requests the client has called off.
func (s *Server) Abandoned() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gone
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request, script func(Call) Reply, end chan struct{}) {
	body, err := io.ReadAll(r.Body)
	if err == nil && strings.HasSuffix(r.URL.Path, "/embeddings") {
		s.serveVectors(w, r, body, end)
		return
	}
	if err != nil || !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		http.NotFound(w, r)
		return
	}
	c, err := readCall(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c.Key = strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	s.mu.Lock()
	c.Number = len(s.calls) + 1
	s.calls = append(s.calls, c)
	s.mu.Unlock()
	reply := script(c)
	if !s.wait(r, reply, end) {
		return
	}
	reply.write(w)
}

// wait holds an answer back as long as the reply wants; it says false if the
// client or the test ended first.
func (s *Server) wait(r *http.Request, reply Reply, end chan struct{}) bool {
	ready := reply.Until
	if reply.Hang {
		ready = make(chan struct{})
	}
	var late <-chan time.Time
	for {
		if ready == nil && late == nil {
			late = time.After(reply.Delay)
		}
		select {
		case <-ready:
			ready = nil
		case <-late:
			return true
		case <-r.Context().Done():
			s.mu.Lock()
			s.gone++
			s.mu.Unlock()
			return false
		case <-end:
			return false
		}
	}
}

func (reply Reply) write(w http.ResponseWriter) {
	for k, v := range reply.Header {
		w.Header().Set(k, v)
	}
	w.Header().Set("Content-Type", "application/json")
	if reply.Status >= 300 && reply.Body == "" {
		w.WriteHeader(reply.Status)
		_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": reply.Message, "type": "error"}})
		return
	}
	if reply.Status != 0 {
		w.WriteHeader(reply.Status)
	}
	out := []byte(reply.Body)
	if reply.Body == "" {
		out = reply.completion()
	}
	if reply.Cut {
		out = out[:len(out)/2]
	}
	_, _ = w.Write(out)
}

func (reply Reply) completion() []byte {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	type choice struct {
		Index   int     `json:"index"`
		Message message `json:"message"`
		Finish  string  `json:"finish_reason"`
	}
	out := map[string]any{"id": "x", "object": "chat.completion"}
	choices := []choice{}
	for i, text := range reply.Texts {
		choices = append(choices, choice{i, message{"assistant", text}, "stop"})
	}
	out["choices"] = choices
	if !reply.NoUsage {
		out["usage"] = map[string]int{"prompt_tokens": 100, "completion_tokens": 10 * len(reply.Texts), "total_tokens": 100 + 10*len(reply.Texts)}
	}
	b, _ := json.Marshal(out)
	return b
}
