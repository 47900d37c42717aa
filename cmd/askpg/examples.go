package main

import (
	"context"
	"sort"
	"strings"
	"unicode"

	"askpg/ask"
	"askpg/store"
	"askpg/translator"
)

// examples are the store's verified examples as the translator wants them:
// demonstrations for prompts. A question that is one of them is answered before
// the translator is asked, by store.VerifiedFirst.
type examples struct{ *app }

// Similar returns the examples that share the most words with the question, by
// Jaccard's index of the normalised texts: those that the asking role asked itself,
// and those of others that tell it nothing new (see others).
func (e examples) Similar(ctx context.Context, q *ask.Question, k int) ([]translator.Example, error) {
	all, err := e.store.Examples(ctx, q.Session.Database, store.Verified)
	if err != nil {
		return nil, err
	}
	words := wordSet(ask.Normalise(q.Text))
	score := map[string]float64{}
	for _, x := range all {
		score[x.ID] = jaccard(words, wordSet(ask.Normalise(x.Question)))
	}
	sort.SliceStable(all, func(i, j int) bool { return score[all[i].ID] > score[all[j].ID] })
	var out []translator.Example
	others := &others{app: e.app, q: q}
	for i := range all {
		x := &all[i]
		if len(out) == k || score[x.ID] == 0 {
			break
		}
		if x.Hint != "" && ask.Normalise(x.Hint) != ask.Normalise(q.Hint) {
			continue // its words mean what its hint says, which the demonstration does not tell
		}
		if x.Role == q.Session.Role || others.tellsNothingNew(ctx, x) {
			out = append(out, translator.Example{Question: x.Question, SQL: x.SQL})
		}
	}
	return out, nil
}

func wordSet(s string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words[w] = true
	}
	return words
}

func jaccard(a, b map[string]bool) float64 {
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	if both == 0 {
		return 0
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
