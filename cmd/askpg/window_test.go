package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"askpg/ask"
	"askpg/eval"
	"askpg/translator"
	"askpg/translator/llm"
	"askpg/translator/prompt"
)

// The window of a small model, as the documentation proposes it.
const (
	smallWindow = 8000
	smallAnswer = 1000
)

// TestEval_SmallWindow holds every request of auto about the shop to a window of 8,000 tokens, with its answer: about the
// sets in ASKPG_BENCH, if that is set, each database by itself, or with ASKPG_WAREHOUSE all of a set as one. ASKPG_SETS
// names the sets, separated by commas. The model is a small one, or with ASKPG_LARGE none.
func TestEval_SmallWindow(t *testing.T) {
	if testing.Short() {
		t.Skip("asks questions on servers of its own, which -short leaves out")
	}
	sets, limit := []string{"../../eval/testdata/shop"}, 12
	if bench := os.Getenv("ASKPG_BENCH"); bench != "" {
		sets, limit = nil, 40
		for _, set := range ask.SplitList(cmp.Or(os.Getenv("ASKPG_SETS"), "spider,defog,geoquery,everyday_saas,everyday_logistics")) {
			sets = append(sets, filepath.Join(bench, set))
		}
	}
	for _, dir := range sets {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			m := &smallModel{t: t}
			cfg := defaultConfig()
			cfg.Translator.Privacy.Values, cfg.Privacy.Values = prompt.ValuesSamples, prompt.ValuesSamples
			_, err := eval.Run(t.Context(), eval.Options{
				Sets: []string{dir}, Strategies: []string{"auto"}, Out: t.TempDir(), Limit: limit, Refusals: -1, Warehouse: os.Getenv("ASKPG_WAREHOUSE") != "",
				Open: func(ctx context.Context, c *eval.Cluster) (ask.Translator, func(), error) {
					return openMeasured(ctx, cfg, []translator.Model{m}, c, false)
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if m.first < 3*limit || m.repairs == 0 {
				t.Errorf("%d first requests and %d repairs of %d questions", m.first, m.repairs, limit)
			}
			t.Logf("%d requests, of %d tokens at most and %d on average; first ones %d on average", m.requests, m.longest, m.sum/max(1, m.requests), m.firstSum/max(1, m.first))
		})
	}
}

// smallModel is a model with a small window, whose SQL the server refuses, so that it is sent back.
type smallModel struct {
	t *testing.T

	mu                                               sync.Mutex
	requests, first, repairs, longest, sum, firstSum int
}

func (m *smallModel) Name() string { return "small" }

func (m *smallModel) Traits() llm.Traits {
	return llm.Traits{Window: smallWindow, MaxTokens: smallAnswer, Small: os.Getenv("ASKPG_LARGE") == "", Roles: []string{llm.RoleGenerate, llm.RoleJudge}}
}

func (m *smallModel) Complete(_ context.Context, r llm.Request) (llm.Response, error) {
	n := llm.PromptTokens(r)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests++
	m.sum += n
	m.longest = max(m.longest, n)
	switch r.Stage {
	case "generate":
		m.first++
		m.firstSum += n
	case "repair":
		m.repairs++
	}
	if n+smallAnswer > smallWindow {
		m.t.Errorf("a request of %d tokens (%s) and an answer of %d do not fit %d", n, r.Stage, smallAnswer, smallWindow)
	}
	texts := make([]string, max(1, r.N))
	for i := range texts {
		texts[i] = "```sql\nSELECT no_such_column FROM no_such_table\n```"
	}
	return llm.Response{Texts: texts, Usage: ask.Usage{Calls: 1, PromptTokens: n}}, nil
}
