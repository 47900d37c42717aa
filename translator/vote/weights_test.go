package vote_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"askpg/translator/vote"
)

func TestWeights_Rank(t *testing.T) {
	held, missing := result("int", "12"), result("int", "0")
	ballots := []vote.Ballot{
		{Result: missing, Weight: 1, SQL: "select count(*) from pets where kind = 'Dog'", WrongLiteral: true, Cost: 3},
		{Result: missing, Weight: 1, SQL: "select count(*) from pets p where p.kind = 'Dog'", WrongLiteral: true, Cost: 3},
		{Result: held, Weight: 1, SQL: "select count(*) from pets where kind = 'dog'", Cost: 3},
	}
	groups := vote.Groups(ballots, false)
	if ballots[groups[0].Members[0]].Result != missing {
		t.Fatal("votes alone put the majority first")
	}
	ranked := vote.Fitted.Rank("how many dogs are there", ballots, groups)
	if ballots[ranked[0].Members[0]].Result != held {
		t.Fatalf("two votes for a value that is not held outweigh one for a value that is: %.2f and %.2f", ranked[0].Probability, ranked[1].Probability)
	}
	if sum := ranked[0].Probability + ranked[1].Probability; math.Abs(sum-1) > 1e-9 {
		t.Fatalf("probabilities add up to %v", sum)
	}
	var none *vote.Weights
	if got := none.Rank("how many dogs", ballots, groups); got[0].Fingerprint != groups[0].Fingerprint {
		t.Fatal("without weights the votes count")
	}
}

// More votes never make a group less likely, all else alike.
func TestWeights_MoreVotes(t *testing.T) {
	last := 0.0
	for n := 1; n < 8; n++ {
		var ballots []vote.Ballot
		for range n {
			ballots = append(ballots, vote.Ballot{Result: result("int", "1"), Weight: 1, SQL: "select a from t"})
		}
		for range 3 {
			ballots = append(ballots, vote.Ballot{Result: result("int", "2"), Weight: 1, SQL: "select b from t"})
		}
		for _, g := range vote.Fitted.Rank("what is a", ballots, vote.Groups(ballots, false)) {
			if len(g.Members) == n && string(ballots[g.Members[0]].Result.Rows[0][0]) == "1" {
				if g.Probability <= last {
					t.Fatalf("%d votes: probability %v, with one less %v", n, g.Probability, last)
				}
				last = g.Probability
			}
		}
	}
}

func TestWeights_Calibrated(t *testing.T) {
	sure := func(votes, others int) float64 {
		var ballots []vote.Ballot
		for i := range votes {
			ballots = append(ballots, vote.Ballot{Result: result("int", "30"), Weight: 1, SQL: fmt.Sprintf("select count(*) from customers c%d", i), Cost: 2})
		}
		for i := range others {
			ballots = append(ballots, vote.Ballot{Result: result("int", fmt.Sprint(i)), Weight: 1, SQL: fmt.Sprintf("select count(*) from orders where id = %d", i), Cost: 2})
		}
		groups := vote.Fitted.Rank("how many customers", ballots, vote.Groups(ballots, false))
		for i, g := range groups {
			if len(g.Members) == votes {
				p, ok := vote.Fitted.Calibrated(vote.Decision("how many customers", ballots, groups, i, votes+others))
				if !ok || p <= 0 || p >= 1 {
					t.Fatalf("confidence %v, %v", p, ok)
				}
				return p
			}
		}
		t.Fatal("no group")
		return 0
	}
	if a, b := sure(5, 0), sure(2, 3); a < 0.85 || b > a-0.1 {
		t.Fatalf("five of five: %.2f, two of five: %.2f", a, b)
	}
	var none *vote.Weights
	if _, ok := none.Calibrated(nil); ok {
		t.Fatal("no weights calibrate nothing")
	}
}

// The fit finds what makes groups right, and what does not.
func TestFitGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var lessons []vote.Lesson
	for range 200 {
		// The result with the wrong literal has more votes and is never right.
		wrong := r.IntN(2)
		var ballots []vote.Ballot
		for i := range 5 {
			side := flagInt(i >= 3-wrong)
			ballots = append(ballots, vote.Ballot{Result: result("int", fmt.Sprint(10+side)), Weight: 1, SQL: fmt.Sprintf("select %d", side),
				WrongLiteral: side == wrong})
		}
		lessons = append(lessons, vote.NewLesson("what", ballots, vote.Groups(ballots, false),
			func(g vote.Group) bool { return !ballots[g.Members[0]].WrongLiteral }))
	}
	w := vote.FitGroups(lessons, 1)
	if w["literal not held"] > -1 {
		t.Fatalf("weights %v", w)
	}
	if w["numbers missing"] != 0 {
		t.Fatalf("what never differs has weight %v", w["numbers missing"])
	}
}

func flagInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestFitConfidence(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	var examples []vote.Example
	for range 2000 {
		x := r.Float64()
		examples = append(examples, vote.Example{X: map[string]float64{"constant": 1, "winner share": x}, Right: r.Float64() < x})
	}
	w := &vote.Weights{Confidence: vote.FitConfidence(examples, 0.1)}
	for _, x := range []float64{0.2, 0.5, 0.8} {
		if p, _ := w.Calibrated(map[string]float64{"constant": 1, "winner share": x}); math.Abs(p-x) > 0.08 {
			t.Errorf("at %.1f the confidence is %.2f", x, p)
		}
	}
}

func TestGradeOf(t *testing.T) {
	for sql, want := range map[string]vote.Grade{
		"select count(*) from singer":                                                                  vote.Easy,
		"select name from singer where age > 20":                                                       vote.Easy,
		"select name, country from singer where age > 20":                                              vote.Medium,
		"select name from singer where age > 20 order by age":                                          vote.Medium,
		"select a.x, b.y, count(*) from a join b on a.i = b.i where a.z = 1 and b.w = 2 group by 1, 2": vote.Extra,
		"select name from t where id in (select id from s)":                                            vote.Hard,
		"select x from a where y = 1 intersect select x from a where y = 2 and z like 'b%' order by 1": vote.Extra,
		"no sql": vote.Extra,
	} {
		if got := vote.GradeOf(sql); got != want {
			t.Errorf("%s: %s, want %s", sql, got, want)
		}
	}
}
