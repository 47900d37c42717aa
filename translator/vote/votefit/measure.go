package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"askpg/eval"
	"askpg/translator/vote"
)

// tally is how decisions fared.
type tally struct {
	right []float64 // 1 or 0
	sure  []float64
}

func (t *tally) add(o tally) {
	t.right, t.sure = append(t.right, o.right...), append(t.sure, o.sure...)
}

func (t tally) accuracy() float64 {
	return mean(t.right)
}

// calibrationError is the expected one in ten bins (Guo et al. 2017).
func (t tally) calibrationError() float64 {
	_, e, _ := eval.Calibration(t.sure, t.right)
	return e
}

// covered returns how many of the surest decisions are right, as a share; it
// takes as many of them as coverage says.
func (t tally) covered(coverage float64) float64 {
	order := make([]int, len(t.sure))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.sure[b], t.sure[a]) })
	var right []float64
	for _, i := range order[:int(math.Round(coverage*float64(len(order))))] {
		right = append(right, t.right[i])
	}
	return mean(right)
}

// mean returns the mean of values, 0 if there are none.
func mean(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

// coverage returns the largest share of the decisions, as a limit of the confidence would choose them, of which at least so
// many are right: decisions that are as sure are taken together.
func (t tally) coverage(precision float64) float64 {
	return eval.CoverageAt(precision, eval.CoverageRisk(t.sure, t.right, len(t.sure)))
}

// calibration sums up how far confidences can be trusted.
func (t tally) calibration() string {
	if len(t.sure) == 0 {
		return "not calibrated"
	}
	return fmt.Sprintf("calibration error %.3f, %.3f right at 80 %% coverage, coverage %.3f at 95 %% precision", t.calibrationError(), t.covered(0.8), t.coverage(0.95))
}

// decide takes the vote of some systems, all if there are none named. ok is
// false if no answer of theirs ran.
func (q *question) decide(systems []string) (d decision, ok bool) {
	ballots, right := q.pick(systems)
	groups := vote.Groups(ballots, q.ordered)
	win, _ := vote.Winner(groups, true)
	if win < 0 {
		return d, false
	}
	return decision{vote.Evidence(groups, win, len(ballots)), right[groups[win].Members[0]]}, true
}

// outcomes takes the vote of every question. weights replace those of the
// calibration in force, nil for the plain share of the votes.
func outcomes(questions []*question, systems []string, weights []float64) (t tally) {
	for _, q := range questions {
		ballots, right := q.pick(systems)
		groups := vote.Groups(ballots, q.ordered)
		win, _ := vote.Winner(groups, true)
		o := tally{[]float64{0}, []float64{0}}
		if win >= 0 {
			o.sure[0] = vote.Share(groups[win].Votes, len(ballots))
			if weights != nil {
				o.sure[0] = vote.ConfidenceBy(weights, groups, win, len(ballots))
			}
			if right[groups[win].Members[0]] {
				o.right[0] = 1
			}
		}
		t.add(o)
	}
	return t
}
