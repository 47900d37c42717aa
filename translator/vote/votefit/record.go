package main

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"

	"askpg/eval"
	"askpg/translator/vote"
)

// question is a question with what each system answered.
type question struct {
	id, db  string
	ordered bool
	systems []string
	ballots []vote.Ballot // parallel to systems
	right   []bool
}

// pick returns the ballots of some systems, of all if there are none named.
func (q *question) pick(systems []string) (ballots []vote.Ballot, right []bool) {
	if len(systems) == 0 {
		return q.ballots, q.right
	}
	for i, s := range q.systems {
		if slices.Contains(systems, s) {
			ballots, right = append(ballots, q.ballots[i]), append(right, q.right[i])
		}
	}
	return ballots, right
}

// record runs what the systems of a set answered.
func record(ctx context.Context, dir string) (list []*question, err error) {
	out, err := os.MkdirTemp("", "votefit-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(out)
	var mu sync.Mutex
	_, err = eval.Run(ctx, eval.Options{Sets: []string{dir}, Out: out, Predictions: []string{"all"}, Ballots: func(q *eval.Question, systems []*eval.Outcome, ballots []vote.Ballot) {
		if q.Unanswerable {
			return
		}
		r := &question{id: q.ID, db: q.Database, ordered: q.Ordered, ballots: ballots}
		for _, o := range systems {
			r.systems, r.right = append(r.systems, o.System), append(r.right, o.Perm == 1)
		}
		mu.Lock()
		defer mu.Unlock()
		list = append(list, r)
	}})
	slices.SortFunc(list, func(a, b *question) int { return strings.Compare(a.id, b.id) })
	return list, err
}
