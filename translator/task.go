package translator

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"askpg/translator/demo"
	"askpg/translator/llm"
	"askpg/translator/prompt"
)

// task asks a model for something else than SQL. Its error ends the
// question; no answer is no error.
func (s *state) task(ctx context.Context, m model, t prompt.Task, in prompt.Input, choices []prompt.Choice, n int, temperature *float64) ([]string, error) {
	p, err := prompt.RenderTask(t, in, choices)
	if err != nil {
		s.notice(err.Error())
		return nil, nil
	}
	res, _, err, ok := s.complete(ctx, m, llm.Request{N: n, Temperature: temperature, Stage: string(t), Messages: opening(p)})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if !ok || err != nil {
		return nil, nil
	}
	return res.Texts, nil
}

// opening is the messages that a prompt begins a conversation with.
func opening(p prompt.Prompt) []llm.Message {
	return []llm.Message{{Role: llm.System, Content: p.System}, {Role: llm.User, Content: p.User}}
}

// listIn reads the list of names of a linking answer: a JSON object, whatever
// stands around it.
func listIn(text, key string) []string {
	var m map[string]json.RawMessage
	if json.Unmarshal(objectIn(text), &m) != nil {
		return nil
	}
	var names []string
	for k, v := range m {
		if strings.EqualFold(k, key) {
			_ = json.Unmarshal(v, &names)
		}
	}
	return names
}

// objectIn returns the JSON object of an answer, whatever stands around it.
func objectIn(text string) []byte {
	text = withoutThoughts(text)
	start, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if start < 0 || end < start {
		return nil
	}
	return []byte(text[start : end+1])
}

// demonstrations returns k examples by the question's words and k by its
// skeleton, from the store's verified examples and the file of demonstrations.
func (s *state) demonstrations(ctx context.Context, masked string, k int) (byWords, bySkeleton []prompt.Demo) {
	join := func(more []demo.Pair) []prompt.Demo {
		all := slices.Clone(s.demos)
		for _, p := range more {
			all = append(all, prompt.Demo(p))
		}
		return all[:min(len(all), k)]
	}
	words, skeleton := s.nearestDemos(ctx, masked, k)
	return join(words), join(skeleton)
}

// interleave takes from a and b in turn, without repeating a question.
func interleave(a, b []prompt.Demo, k int) []prompt.Demo {
	var out []prompt.Demo
	seen := map[string]bool{}
	for i := 0; len(out) < k && i < max(len(a), len(b)); i++ {
		for _, l := range [][]prompt.Demo{a, b} {
			if i < len(l) && len(out) < k && !seen[l[i].Question] {
				seen[l[i].Question] = true
				out = append(out, l[i])
			}
		}
	}
	return out
}
