package translator_test

import (
	"slices"
	"strings"
	"testing"

	"askpg/translator"
	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

// A small model gets one prompt, the same for every sample, which asks for one form of answer only: what it is told in
// words is what its server holds it to. It repairs its SQL in that form too, and is asked for nothing else.
func TestSmall(t *testing.T) {
	few := func(c *llm.Config) { c.Small = true }
	for _, tt := range []struct {
		structured  string
		has, hasNot string // of what it is told
	}{
		{"off", "```sql fence", "JSON"},
		{"json_schema", "one JSON object", "```sql fence"},
	} {
		t.Run(tt.structured, func(t *testing.T) {
			m, server := model(t, func(c llmtest.Call) llmtest.Reply {
				if kindOf(c) == "generate" {
					return llmtest.SQL("select broken")
				}
				return llmtest.SQL(count)
			}, few, func(c *llm.Config) { c.Structured = tt.structured })
			w := newWorld(t, nil, []translator.Model{m})
			tr, err := w.ask(t, "how many customers are there")
			if err != nil || string(tr.Result.Rows[0][0]) != "30" {
				t.Fatalf("%v, %v", tr, err)
			}
			var temperatures []float64
			var prompts []string
			for _, c := range server.Calls() {
				if text := c.Text(); strings.Count(text, tt.has) != 1 || strings.Contains(c.Messages[len(c.Messages)-1].Content, tt.hasNot) || strings.Contains(c.Messages[0].Content, "CANNOT ANSWER") {
					t.Errorf("a call to %s is told:\n%s", kindOf(c), text)
				}
				if kindOf(c) == "generate" {
					prompts, temperatures = append(prompts, c.Text()), append(temperatures, c.Temperature)
				}
			}
			slices.Sort(temperatures)
			if len(slices.Compact(slices.Clone(prompts))) != 1 || len(prompts) < 3 || temperatures[0] > 0.01 || temperatures[1] < 0.5 {
				t.Errorf("%d prompts at %v:\n%s", len(prompts), temperatures, strings.Join(slices.Compact(prompts), "\n"))
			}
		})
	}
}

// Beside a large model a small one still gets its own prompt, and the large one those of every model.
func TestSmall_Beside(t *testing.T) {
	small, of := model(t, func(llmtest.Call) llmtest.Reply { return llmtest.SQL(count) }, func(c *llm.Config) { c.Small, c.Name = true, "small" })
	large, ofLarge := model(t, func(llmtest.Call) llmtest.Reply { return llmtest.SQL(count) })
	if _, err := newWorld(t, nil, []translator.Model{large, small}).ask(t, "how many customers are there"); err != nil {
		t.Fatal(err)
	}
	const order = "else a ranking from its best" // a rule that the short prompt leaves out
	for _, c := range of.Calls() {
		if strings.Contains(c.Text(), order) || c.Temperature > 0.01 {
			t.Errorf("the small model got at %g:\n%s", c.Temperature, c.Text())
		}
	}
	for _, c := range ofLarge.Calls() {
		if !strings.Contains(c.Text(), order) {
			t.Errorf("the large model got:\n%s", c.Text())
		}
	}
	if len(of.Calls()) != 1 || len(ofLarge.Calls()) != 2 {
		t.Errorf("%d calls of the small model, %d of the large one", len(of.Calls()), len(ofLarge.Calls()))
	}
}
