package main

import (
	"context"
	"slices"
	"sort"
	"strings"
	"unicode"

	"askpg/ask"
	"askpg/catalog"
	"askpg/store"
	"askpg/translator"
	"askpg/translator/refs"
)

// examples are the store's verified examples as the translator wants them:
// demonstrations for prompts. A question that is one of them is answered before
// the translator is asked, by store.VerifiedFirst.
type examples struct{ *app }

// maxForeign bounds the examples of other roles that are planned for one question.
const maxForeign = 10

// Similar returns the examples that share the most words with the question, by
// Jaccard's index of the normalised texts: those that the asking role asked
// itself, and those of others that tell it nothing new.
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
	foreign := 0
	for i := range all {
		x := &all[i]
		if len(out) == k || score[x.ID] == 0 {
			break
		}
		if x.Role != q.Session.Role {
			if foreign++; foreign > maxForeign || !e.readable(ctx, &q.Session, x) {
				continue
			}
		}
		out = append(out, translator.Example{Question: x.Question, SQL: x.SQL})
	}
	return out, nil
}

// readable says whether an asker may know an example of another role. Its words
// may be values, so all rows and columns of what it reads must be the asker's
// to see, as they are everybody's: no private column, no row security, nothing
// that differs by role. PostgreSQL's planner has the last word.
func (e examples) readable(ctx context.Context, s *ask.Session, x *store.Example) bool {
	snap, err := e.catalog.Snapshot(ctx, s.Database, s.Role)
	if err != nil || snap.Serves(s) != nil {
		return false
	}
	read := refs.Of(x.SQL, snap, translator.SearchPath(s.Settings["search_path"], s.Role)).Relations
	if slices.ContainsFunc(read, func(r *catalog.Relation) bool { return !r.Shared() || !r.Open() }) {
		return false
	}
	_, _, _, err = e.execute(ctx, *s, x.SQL, false)
	return err == nil
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
