package translator_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"askpg/ask"
	"askpg/translator"
	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

// A model that embeds ranks the demonstrations, by the question for one prompt
// and by its skeleton for another, asked once for each text; where it fails or is late,
// words choose them.
func TestDemonstrations_Embedded(t *testing.T) {
	const nearest = "how many customers pay late"
	var lines []string
	for i := range 12 { // lexically as near, and of more words in common
		lines = append(lines, fmt.Sprintf(`{"question": "how many customers are there in region %c", "sql": "select count(*) from customers where region = '%c'"}`, 'a'+i, 'a'+i))
	}
	lines = append(lines, `{"question": "`+nearest+`", "sql": "select count(*) from customers where late"}`)
	demos := filepath.Join(t.TempDir(), "demos.jsonl")
	if err := os.WriteFile(demos, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	meaning := func(text string) []float32 {
		if text == nearest || text == "how many customers are there" {
			return []float32{1, 0.1}
		}
		return []float32{-1, 0.2}
	}
	b := newBench(t)
	for _, tt := range []struct {
		name     string
		strategy string
		vector   func(string) []float32
		timeout  time.Duration
		asked    int // calls for embeddings of two questions
		found    bool
	}{
		{"mcs", "mcs", meaning, time.Minute, 1, true},
		{"pet ranks by skeletons", "pet", func(text string) []float32 {
			if strings.Contains(text, "pay") || strings.HasSuffix(text, "are there") {
				return []float32{1, 0}
			}
			return []float32{0, 1}
		}, time.Minute, 1, true},
		{"auto has no file", "auto", meaning, time.Minute, 0, false},
		{"fails", "mcs", func(string) []float32 { return nil }, time.Minute, 4, false},
		{"late", "mcs", nil, 100 * time.Millisecond, 4, false},
		{"vectors of several lengths", "mcs", func(text string) []float32 { return make([]float32, len(text)) }, time.Minute, 4, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := llmtest.New(t, func(c llmtest.Call) llmtest.Reply { return many(c.N, fence(count), fence("select 1")) })
			server.Embed(tt.vector)
			if tt.vector == nil {
				server.EmbedNever()
			}
			vectors := server.Config("vectors")
			vectors.Roles, vectors.PriceIn, vectors.Retries = []string{llm.RoleEmbed}, 1e6, 0
			embedder := &countingEmbedder{Client: newModel(t, vectors).(*llm.Client)}
			w := b.with(t, []translator.Model{newModel(t, server.Config("main")), embedder}, nil, func(c *translator.Config) {
				c.Strategy, c.DemoFile, c.EmbedTimeout, c.MinConfidence = tt.strategy, demos, ask.Duration(tt.timeout), 0
				c.MCS.TablePrompts, c.MCS.ColumnPrompts, c.MCS.Prompts, c.MCS.Samples, c.MCS.Demos, c.MCS.Threshold = 0, 0, 1, 2, 1, 0
				c.PET.Demos = 1
			})
			for range 2 {
				tr, err := w.ask(t, "how many customers are there")
				if err != nil {
					t.Fatal(err)
				}
				if tt.found && tr.Usage.Cost == 0 && len(server.Embedded()) == 0 {
					t.Error("embeddings cost nothing")
				}
			}
			if got := embedder.calls.Load(); got != int64(tt.asked) {
				t.Errorf("%d calls for embeddings, want %d", got, tt.asked)
			}
			// A call whose time ends before it is connected makes no request.
			if got := len(server.Embedded()); got != tt.asked && tt.vector != nil {
				t.Errorf("%d requests for embeddings, want %d", got, tt.asked)
			}
			for _, call := range server.Calls() {
				if call.Model == "vectors" {
					t.Error("the model that embeds was asked for an answer")
				}
				if kind := kindOf(call); (kind == "generate" || kind == "choose") && strings.Contains(call.Text(), nearest) != tt.found {
					t.Errorf("%s: the nearest by meaning in the prompt: %v, want %v", kind, !tt.found, tt.found)
				}
			}
		})
	}
}

// countingEmbedder counts the calls for embeddings, which need not reach the
// server within their time.
type countingEmbedder struct {
	*llm.Client
	calls atomic.Int64
}

func (e *countingEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	e.calls.Add(1)
	return e.Client.Embed(ctx, texts)
}
