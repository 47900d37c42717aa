package prompt_test

import (
	"fmt"
	"testing"

	"askpg/internal/warehouse"
	"askpg/translator/prompt"
	"askpg/translator/token"
)

// Prompts about 10,000 tables use the window that they are given, and never
// more of it.
func TestRender_window(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of processor time, which -short leaves out")
	}
	s := warehouse.Snapshot(10000)
	questions := warehouse.Questions(10000, 6)
	for _, window := range []int{8000, 32000, 128000} {
		for _, style := range prompt.Styles {
			t.Run(fmt.Sprintf("%s/%d", style, window), func(t *testing.T) {
				least, first := 1.0, 0
				for _, question := range questions {
					p, err := prompt.Render(prompt.Input{Snapshot: s, Question: question, Hits: s.Values.Find(question), Privacy: prompt.DefaultPrivacy(),
						SearchPath: []string{"sales_000"}, Style: style, Frame: prompt.Direct, Budget: window})
					if err != nil {
						t.Fatal(err)
					}
					if n := token.Count(p.System) + token.Count(p.User); p.Tokens > window || n > window {
						t.Errorf("%q: %d tokens in a window of %d", question, max(n, p.Tokens), window)
					}
					least = min(least, float64(p.Tokens)/float64(window))
					if m := s.SearchRelations(question, 1); len(m) == 1 && p.Shown[0] == m[0].Relation {
						first++
					}
				}
				t.Logf("at least %.3f of the window used", least)
				if least < 0.95 {
					t.Errorf("only %.3f of the window used", least)
				}
				if first < len(questions)-1 {
					t.Errorf("the likeliest relation came first for %d of %d questions", first, len(questions))
				}
			})
		}
	}
}
