package main

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"askpg/ask"
	"askpg/translator/vote"
)

// ballot is one that a system cast for an answer.
func ballot(answer, cost int) vote.Ballot {
	return vote.Ballot{Weight: 1, Cost: float64(cost), Length: 40, SQL: fmt.Sprintf("select n from t where n = %d", answer),
		Result: &ask.Result{Complete: true, Columns: []ask.Column{{Name: "n", TypeOID: 23}}, Rows: [][][]byte{{fmt.Append(nil, answer)}}}}
}

// synthetic returns questions of some databases in which five systems vote
// and a wrong literal, not the number of votes, tells who is wrong: three agree on an
// answer with a literal that no column holds, two on the right one.
func synthetic(databases, each int) (out []*question) {
	random := rand.New(rand.NewPCG(1, 2))
	for db := range databases {
		for i := range each {
			q := &question{db: fmt.Sprintf("db%d", db), text: fmt.Sprintf("how many of kind %d", i)}
			majority := i%4 != 0 // is wrong
			for s := range 5 {
				right := (s < 2) == majority
				answer := 1
				if !right {
					answer = 2
				}
				b := ballot(answer, 10+random.IntN(5))
				b.WrongLiteral = !right
				q.systems = append(q.systems, fmt.Sprint("system", s))
				q.ballots, q.right = append(q.ballots, b), append(q.right, right)
			}
			out = append(out, q)
		}
	}
	return out
}

// What is fitted puts right answers before wrong ones on databases that it
// did not see, where votes alone do not.
func TestLeaveOneOut_learns(t *testing.T) {
	w := leaveOneOut(synthetic(4, 20), nil, 1, 1)
	unseen := synthetic(6, 20)[4*20:]
	plain, _ := outcomes(unseen, nil, nil)
	weighed, _ := outcomes(unseen, nil, w)
	if plain.accuracy() > 0.3 {
		t.Fatalf("votes alone are right for %.2f: nothing to learn", plain.accuracy())
	}
	if weighed.accuracy() < 0.95 {
		t.Errorf("weighed votes are right for %.2f", weighed.accuracy())
	}
	for i, p := range weighed.sure {
		if p <= 0 || p >= 1 {
			t.Fatalf("question %d: probability %v", i, p)
		}
	}
}

// The order of the databases' questions and the run do not matter.
func TestLeaveOneOut_deterministic(t *testing.T) {
	a, b := leaveOneOut(synthetic(3, 8), nil, 10, 20), leaveOneOut(synthetic(3, 8), nil, 10, 20)
	if !reflect.DeepEqual(a, b) {
		t.Errorf("two fits of the same differ:\n%v\n%v", a, b)
	}
}

// Each vote of a system is picked with what it is right about.
func TestPick(t *testing.T) {
	q := synthetic(1, 2)[1]
	ballots, right := q.pick([]string{"system4", "system1"})
	if len(ballots) != 2 || !slices.Equal(right, []bool{true, false}) || ballots[1].SQL != q.ballots[4].SQL {
		t.Errorf("%d ballots, right %v", len(ballots), right)
	}
	if ballots, _ := q.pick(nil); len(ballots) != 5 {
		t.Errorf("%d ballots of all systems", len(ballots))
	}
}
