package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"askpg/ask"
	"askpg/eval"
	"askpg/translator"
	"askpg/translator/llm"
	"askpg/translator/prompt"
)

// TestEval_Tokens counts what a question of the sets in ASKPG_BENCH costs: calls and tokens of prompts, by set and
// strategy, for a model that always answers the first gold query. ASKPG_SETS, ASKPG_STRATEGIES and ASKPG_VALUES name
// sets, strategies and levels of privacy.values, separated by commas; ASKPG_PROMPTS is a folder to write the prompts to.
// With ASKPG_WAREHOUSE all databases of a set are one; then all answers are the same.
func TestEval_Tokens(t *testing.T) {
	bench := os.Getenv("ASKPG_BENCH")
	if bench == "" {
		t.Skip("ASKPG_BENCH does not name a folder of question sets")
	}
	named := func(variable, others string) []string { return ask.SplitList(cmp.Or(os.Getenv(variable), others)) }
	warehouse := os.Getenv("ASKPG_WAREHOUSE") != ""
	for _, values := range named("ASKPG_VALUES", prompt.ValuesStats+","+prompt.ValuesSamples) {
		for _, set := range named("ASKPG_SETS", "") {
			for _, strategy := range named("ASKPG_STRATEGIES", "auto") {
				m := &goldModel{answers: map[string]eval.Question{}, out: os.Getenv("ASKPG_PROMPTS"), same: warehouse}
				if m.out != "" {
					m.out = filepath.Join(m.out, values, set, strategy)
				}
				dir := filepath.Join(bench, set)
				questions, err := eval.Load(dir)
				if err != nil {
					t.Fatal(err)
				}
				for _, q := range questions.Questions {
					m.answers[q.Text] = q
				}
				cfg := defaultConfig()
				cfg.Translator.Privacy.Values, cfg.Privacy.Values = values, values
				report, err := eval.Run(t.Context(), eval.Options{
					Sets: []string{dir}, Strategies: []string{strategy}, Out: t.TempDir(), Refusals: -1, Warehouse: warehouse,
					Open: func(ctx context.Context, c *eval.Cluster) (ask.Translator, func(), error) {
						return openMeasured(ctx, cfg, []translator.Model{m}, c, false)
					},
				})
				if err != nil {
					t.Fatal(err)
				}
				s := report.Systems[0]
				n := float64(s.Questions)
				t.Logf("%-18s %-11s values %-7s: %d questions, %.2f calls and %.0f tokens of prompts a question; right %.3f, contained %.3f",
					set, strategy, values, s.Questions, float64(m.calls)/n, float64(m.tokens)/n, s.Perm, s.Contained)
			}
		}
	}
}

// goldModel answers every question with its first gold query, and counts what it is sent.
type goldModel struct {
	answers map[string]eval.Question
	out     string // folder for the prompts; "" for none
	same    bool   // all answers are the same

	mu            sync.Mutex
	calls, tokens int
}

func (m *goldModel) Name() string { return "gold" }

var askedQuestion = regexp.MustCompile(`(?s)<question>([^<]*)</question>[^<]*$`)

func (m *goldModel) Complete(_ context.Context, r llm.Request) (llm.Response, error) {
	n := llm.PromptTokens(r)
	m.mu.Lock()
	m.calls++
	m.tokens += n
	call := m.calls
	m.mu.Unlock()
	var q eval.Question
	for _, msg := range r.Messages {
		if found := askedQuestion.FindStringSubmatch(msg.Content); found != nil {
			q = m.answers[found[1]]
		}
	}
	if m.out != "" {
		if err := os.MkdirAll(m.out, 0o755); err != nil {
			return llm.Response{}, err
		}
		name := fmt.Sprintf("%s-%s-%05d.txt", strings.ReplaceAll(q.ID, "/", "-"), r.Stage, call)
		if err := os.WriteFile(filepath.Join(m.out, name), fmt.Appendf(nil, "%d tokens\n%s", n, promptText(r)), 0o644); err != nil {
			return llm.Response{}, err
		}
	}
	text := "CANNOT ANSWER: it is not held"
	if m.same {
		text = "SELECT 1"
	} else if len(q.Gold) > 0 {
		text = "```sql\n" + q.Gold[0] + "\n```"
	}
	texts := make([]string, max(1, r.N))
	for i := range texts {
		texts[i] = text
	}
	return llm.Response{Texts: texts, Usage: ask.Usage{Calls: 1, PromptTokens: n}}, nil
}
