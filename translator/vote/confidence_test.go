package vote_test

import (
	"fmt"
	"math"
	"testing"

	"askpg/ask"
	"askpg/translator/vote"
)

// poll groups so many votes for the first result and one for each other.
func poll(votes, others int) []vote.Group {
	var results []*ask.Result
	for range votes {
		results = append(results, result("int", "30"))
	}
	for i := range others {
		results = append(results, result("int", fmt.Sprint(i)))
	}
	return vote.Groups(ballots(results...), false)
}

func TestShare(t *testing.T) {
	for _, tt := range []struct {
		votes float64
		asked int
		want  float64
	}{{3, 4, .75}, {4, 4, 1}, {5, 4, 1}, {0, 0, 0}, {.5, 4, .125}} {
		if got := vote.Share(tt.votes, tt.asked); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%v of %d: %v, want %v", tt.votes, tt.asked, got, tt.want)
		}
	}
}

func TestConfidence(t *testing.T) {
	for _, tt := range []struct {
		name          string
		votes, others int
		asked         int
		low, high     float64
	}{
		{"one alone: less than sure", 1, 0, 1, 0.85, 0.95},
		{"two of two: surer than one", 2, 0, 2, 0.92, 0.96},
		{"no two agree: the share", 1, 2, 3, 1.0 / 3, 1.0 / 3},
		{"three of three", 3, 0, 3, 0.85, 0.99},
		{"seven of seven", 7, 0, 7, 0.9, 0.995},
		{"two of three", 2, 1, 3, 0.5, 0.8},
		{"two of five", 2, 3, 5, 0.2, 0.6},
		{"four of five", 4, 1, 5, 0.7, 0.8},
		{"three of seven, the SQL of the others failed: at most 1.5 of the share", 3, 0, 7, 0.1, 1.5 * 3 / 7},
	} {
		if got := vote.Confidence(poll(tt.votes, tt.others), 0, tt.asked); got < tt.low-1e-9 || got > tt.high+1e-9 {
			t.Errorf("%s: %.3f, want %.3f to %.3f", tt.name, got, tt.low, tt.high)
		}
	}
}

// Of two readings with as many votes neither is likelier than the other.
func TestConfidence_Tie(t *testing.T) {
	one, two := result("int", "1"), result("int", "2")
	groups := vote.Groups(ballots(one, two, one, two), false)
	if p := vote.Confidence(groups, 0, 4); p > 0.5 {
		t.Errorf("two of four against two: %.3f", p)
	}
}

// A vote more never makes a winner less sure.
func TestConfidence_MoreVotes(t *testing.T) {
	for asked := 3; asked <= 14; asked++ {
		last := 0.0
		for votes := 2; votes <= asked; votes++ {
			p := vote.Confidence(poll(votes, asked-votes), 0, asked)
			if p < last {
				t.Errorf("%d of %d: %.3f, with a vote less %.3f", votes, asked, p, last)
			}
			last = p
		}
	}
}
