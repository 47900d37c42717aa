package main

import (
	"fmt"
	"math"
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

// synthetic returns questions of some databases in which five systems vote:
// where three or more agree they are right, where two do they are wrong.
func synthetic(databases, each int) (out []*question) {
	for db := range databases {
		for i := range each {
			q := &question{db: fmt.Sprintf("db%d", db), id: fmt.Sprint(db, i)}
			agree := 2 + i%4
			for s := range 5 {
				answer := 1
				if s >= agree {
					answer = 2 + s
				}
				q.systems = append(q.systems, fmt.Sprint("system", s))
				q.ballots = append(q.ballots, ballot(answer, 10))
				q.right = append(q.right, answer == 1 && agree > 2)
			}
			out = append(out, q)
		}
	}
	return out
}

// What is fitted tells right decisions from wrong ones on a database that it
// did not see, better than the share of the votes does.
func TestFit_Learns(t *testing.T) {
	s := newStudy(synthetic(4, 20), nil, 0.1)
	weights := s.leftOut()["db2"]
	plain, sure := outcomes(s.questions["db2"], nil, nil), outcomes(s.questions["db2"], nil, weights)
	if plain.calibrationError() < 0.2 {
		t.Fatalf("the share has an error of %.3f: nothing to learn", plain.calibrationError())
	}
	if sure.calibrationError() > plain.calibrationError()-0.08 {
		t.Errorf("calibration error %.3f by weights %v", sure.calibrationError(), weights)
	}
}

// Two fits of the same are the same.
func TestFit_Deterministic(t *testing.T) {
	fit := func() map[string][]float64 { return newStudy(synthetic(3, 8), nil, 5).leftOut() }
	if a, b := fit(), fit(); !reflect.DeepEqual(a, b) {
		t.Errorf("two fits of the same differ:\n%v\n%v", a, b)
	}
}

// The weights that measure a database do not depend on who is right in it.
func TestLeftOut_NeverSeesTheHeldOut(t *testing.T) {
	const held = "db2"
	weights := newStudy(synthetic(4, 10), nil, 1).leftOut()
	inverted := synthetic(4, 10)
	for _, q := range inverted {
		if q.db == held {
			for i := range q.right {
				q.right[i] = !q.right[i]
			}
		}
	}
	other := newStudy(inverted, nil, 1).leftOut()
	if !reflect.DeepEqual(weights[held], other[held]) {
		t.Errorf("the weights for %s know its labels:\n%v\n%v", held, weights[held], other[held])
	}
	if reflect.DeepEqual(weights["db1"], other["db1"]) {
		t.Error("the others' weights do not depend on it: the test shows nothing")
	}
}

func TestTally(t *testing.T) {
	good := tally{right: []float64{1, 1, 0, 1, 0}, sure: []float64{.95, .9, .3, .8, 1}}
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

// Coverage is of what a limit of the confidence lets through.
func TestTally_Coverage(t *testing.T) {
	for _, c := range []struct {
		right []float64
		sure  []float64
		want  float64
	}{
		{[]float64{1, 1, 1, 0}, []float64{.9, .8, .7, .6}, .75},
		{[]float64{1, 0, 1, 1}, []float64{.9, .9, .7, .6}, 0},
		{[]float64{0, 1, 1}, []float64{.9, .8, .7}, 0},
		{[]float64{1, 1}, []float64{.1, .1}, 1},
	} {
		if got := (tally{c.right, c.sure}).coverage(.95); got != c.want {
			t.Errorf("%v by %v: %v, want %v", c.right, c.sure, got, c.want)
		}
	}
}
