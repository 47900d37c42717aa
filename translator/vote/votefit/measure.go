package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"askpg/translator/vote"
)

// tally is how decisions fared.
type tally struct {
	right []bool
	sure  []float64
}

func (t tally) accuracy() float64 {
	n := 0
	for _, r := range t.right {
		if r {
			n++
		}
	}
	return float64(n) / float64(max(1, len(t.right)))
}

// calibration is the expected calibration error in ten bins, and how many of
// the surest 80 % are right.
func (t tally) calibration() string {
	if len(t.sure) == 0 {
		return "not calibrated"
	}
	var sure, right [10]float64
	order := make([]int, len(t.sure))
	for i, p := range t.sure {
		b := min(int(10*p), 9)
		sure[b] += p
		if t.right[i] {
			right[b]++
		}
		order[i] = i
	}
	e := 0.0
	for b := range sure {
		e += math.Abs(sure[b]-right[b]) / float64(len(t.sure))
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if t.sure[a] > t.sure[b] {
			return -1
		} else if t.sure[a] < t.sure[b] {
			return 1
		}
		return 0
	})
	n := 0
	surest := order[:len(order)*8/10]
	for _, i := range surest {
		if t.right[i] {
			n++
		}
	}
	return fmt.Sprintf("calibration error %.3f, %.3f right at 80 %% coverage", e, float64(n)/float64(max(1, len(surest))))
}

// outcomes takes the vote of every question, and describes the decisions for
// a calibration.
func outcomes(questions []*question, systems []string, w *vote.Weights) (t tally, decisions []vote.Example) {
	for _, q := range questions {
		ballots, right := q.pick(systems)
		groups := w.Rank(q.text, ballots, vote.Groups(ballots, q.ordered))
		win, _ := vote.Winner(groups, true)
		if win < 0 {
			t.right, t.sure = append(t.right, false), append(t.sure, 0)
			continue
		}
		d := vote.Decision(q.text, ballots, groups, win, len(ballots))
		ok := right[groups[win].Members[0]]
		t.right = append(t.right, ok)
		p, _ := w.Calibrated(d)
		t.sure = append(t.sure, p)
		decisions = append(decisions, vote.Example{X: d, Right: ok})
	}
	return t, decisions
}

// subsets is how many random sets of systems each question is learned from,
// and how large they are: weights must do for few voters and for many.
var subsets = []int{3, 3, 4, 5, 5, 7, 9, 14}

// leaveOneOut measures each database with weights of the others and returns
// those of all.
func leaveOneOut(questions []*question, systems []string, ridge, calibration float64) *vote.Weights {
	random := rand.New(rand.NewPCG(7, 7))
	lessons := map[string][]vote.Lesson{}
	byDB := map[string][]*question{}
	for _, q := range questions {
		byDB[q.db] = append(byDB[q.db], q)
		for _, n := range subsets {
			var chosen []string
			for _, i := range random.Perm(len(q.systems))[:min(n, len(q.systems))] {
				chosen = append(chosen, q.systems[i])
			}
			ballots, right := q.pick(chosen)
			if groups := vote.Groups(ballots, q.ordered); len(groups) > 0 {
				lessons[q.db] = append(lessons[q.db], vote.NewLesson(q.text, ballots, groups,
					func(g vote.Group) bool { return right[g.Members[0]] }))
			}
		}
	}
	others := func(db string) (out []vote.Lesson) {
		for _, o := range sorted(byDB) {
			if o != db {
				out = append(out, lessons[o]...)
			}
		}
		return out
	}
	weights := map[string]*vote.Weights{}
	decisions := map[string][]vote.Example{}
	for _, db := range sorted(byDB) {
		weights[db] = &vote.Weights{Groups: vote.FitGroups(others(db), ridge)}
		_, decisions[db] = outcomes(byDB[db], systems, weights[db])
	}
	var plain, weighed tally
	var all []vote.Example
	for _, db := range sorted(byDB) {
		var rest []vote.Example
		for _, o := range sorted(byDB) {
			if o != db {
				rest = append(rest, decisions[o]...)
			}
		}
		all = append(all, decisions[db]...)
		weights[db].Confidence = vote.FitConfidence(rest, calibration)
		p, _ := outcomes(byDB[db], systems, nil)
		w, _ := outcomes(byDB[db], systems, weights[db])
		fmt.Printf("%-16s %4d questions: votes alone %.3f, weighed %.3f\n", db, len(byDB[db]), p.accuracy(), w.accuracy())
		plain.right = append(plain.right, p.right...)
		weighed.right, weighed.sure = append(weighed.right, w.right...), append(weighed.sure, w.sure...)
	}
	fmt.Printf("%-16s %4d questions: votes alone %.3f, weighed %.3f, %s\n", "all", len(questions), plain.accuracy(), weighed.accuracy(), weighed.calibration())
	return &vote.Weights{Groups: vote.FitGroups(others(""), ridge), Confidence: vote.FitConfidence(all, calibration)}
}

func sorted(m map[string][]*question) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
