package main

import (
	"fmt"
	"math"
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
func TestFit_learns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of processor time, which -short leaves out")
	}
	known := newStudy(synthetic(4, 20), nil, 1, 1)
	w := known.fit(known.databases())
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

// The run does not matter.
func TestFit_deterministic(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of processor time, which -short leaves out")
	}
	fit := func() map[string]*vote.Weights { return newStudy(synthetic(3, 8), nil, 10, 20).leftOut() }
	if a, b := fit(), fit(); !reflect.DeepEqual(a, b) {
		t.Errorf("two fits of the same differ:\n%v\n%v", a, b)
	}
}

// Weights that measure a database are fitted on the others only, in the
// calibration as well: there each database's decisions are taken by weights of the
// others but for both.
func TestLeftOut_neverSeesTheHeldOut(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of processor time, which -short leaves out")
	}
	s := newStudy(synthetic(4, 6), nil, 1, 1)
	groups := s.groups
	for _, held := range s.databases() {
		var sizes []int
		s.groups = func(databases []string) map[string]float64 {
			if slices.Contains(databases, held) {
				t.Errorf("the weights for %s were fitted on %v", held, databases)
			}
			sizes = append(sizes, len(databases))
			return groups(databases)
		}
		s.fit(without(s.databases(), held))
		slices.Sort(sizes)
		if !slices.Equal(sizes, []int{2, 2, 2, 3}) {
			t.Errorf("%s: fits on %v databases: want one on the three others and three on two of them", held, sizes)
		}
	}
}

// Whoever is right in a database does not change what is said of it.
func TestLeftOut_labelsOfTheHeldOutDoNotCount(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of processor time, which -short leaves out")
	}
	const held = "db2"
	weights := newStudy(synthetic(4, 10), nil, 1, 1).leftOut()
	lied := synthetic(4, 10)
	for _, q := range lied {
		if q.db == held {
			for i := range q.right {
				q.right[i] = !q.right[i]
			}
		}
	}
	other := newStudy(lied, nil, 1, 1).leftOut()
	if !reflect.DeepEqual(weights[held], other[held]) {
		t.Errorf("the weights for %s know its labels:\n%v\n%v", held, weights[held], other[held])
	}
	if reflect.DeepEqual(weights["db1"], other["db1"]) {
		t.Error("the others' weights do not depend on it: the test shows nothing")
	}
	is, _ := outcomes(lied[20:30], nil, weights[held])
	was, _ := outcomes(synthetic(4, 10)[20:30], nil, other[held])
	if lied[20].db != held || !slices.Equal(is.sure, was.sure) {
		t.Errorf("confidences %v and %v", is.sure, was.sure)
	}
}

func TestTally(t *testing.T) {
	good := tally{right: []bool{true, true, false, true, false}, sure: []float64{.95, .9, .3, .8, 1}}
	if got := good.covered(.8); got != 0.75 {
		t.Errorf("%.3f right at 80 %% coverage", got)
	}
	if got := good.covered(1); got != 0.6 {
		t.Errorf("%.3f right at full coverage", got)
	}
	// Bins: 0.3 with none right, 0.8 with one, 0.9 to 1 with two of three.
	if got, want := good.calibrationError(), (.3+.2+.85)/5; math.Abs(got-want) > 1e-9 {
		t.Errorf("calibration error %.3f, want %.3f", got, want)
	}
}

// Where all agree the first wave suffices; where two and one do not, more are
// asked as long as they can change the outcome.
func TestStopped(t *testing.T) {
	agree, dispute := &question{text: "how many"}, &question{text: "how many"}
	for i := range 5 {
		agree.systems = append(agree.systems, fmt.Sprint(i))
		agree.ballots, agree.right = append(agree.ballots, ballot(1, 1)), append(agree.right, true)
		dispute.ballots, dispute.right = append(dispute.ballots, ballot(i%3, 1)), append(dispute.right, false)
	}
	dispute.systems = agree.systems
	if right, asked := stopped([]*question{agree}, nil, nil); right != 1 || asked != 3 {
		t.Errorf("unanimous: %.2f right by %.2f voters", right, asked)
	}
	if right, asked := stopped([]*question{dispute}, nil, nil); right != 0 || asked <= 3 || asked > 5 {
		t.Errorf("disputed: %.2f right by %.2f voters", right, asked)
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
