package main

import (
	"maps"
	"math"
	"slices"

	"askpg/translator/vote"
)

// decision is how the votes on a question fell, and whether the winner is right.
type decision struct {
	evidence []float64
	right    bool
}

// fit fits a logistic regression of decisions being right: it maximises the
// likelihood, less ridge times half the squared weights, by Adam (Kingma and Ba 2015).
func fit(decisions []decision, ridge float64) []float64 {
	const steps, rate, b1, b2 = 400, 0.05, 0.9, 0.99
	if len(decisions) == 0 {
		return nil
	}
	n := len(decisions[0].evidence)
	w, first, second := make([]float64, n), make([]float64, n), make([]float64, n)
	for step := 1; step <= steps; step++ {
		gradient := make([]float64, n)
		for k, v := range w {
			gradient[k] = -ridge * v
		}
		for _, d := range decisions {
			miss := -vote.Calibrated(w, d.evidence)
			if d.right {
				miss++
			}
			for k, v := range d.evidence {
				gradient[k] += miss * v
			}
		}
		for k, g := range gradient {
			first[k] = b1*first[k] + (1-b1)*g
			second[k] = b2*second[k] + (1-b2)*g*g
			m := first[k] / (1 - math.Pow(b1, float64(step)))
			v := second[k] / (1 - math.Pow(b2, float64(step)))
			w[k] += rate * m / (math.Sqrt(v) + 1e-9)
		}
	}
	for k, v := range w {
		w[k] = math.Round(v*1e4) / 1e4
	}
	return w
}

// study fits the calibration on databases and measures it on others.
type study struct {
	questions map[string][]*question // by database
	systems   []string               // whose decisions are learned from, all if there are none
	ridge     float64                // pull of the weights towards 0
}

func newStudy(questions []*question, systems []string, ridge float64) *study {
	s := &study{questions: map[string][]*question{}, systems: systems, ridge: ridge}
	for _, q := range questions {
		s.questions[q.db] = append(s.questions[q.db], q)
	}
	return s
}

func (s *study) databases() []string { return slices.Sorted(maps.Keys(s.questions)) }

// fitted returns the weights of some databases' questions.
func (s *study) fitted(databases []string) []float64 {
	var decisions []decision
	for _, db := range databases {
		for _, q := range s.questions[db] {
			if d, ok := q.decide(s.systems); ok {
				decisions = append(decisions, d)
			}
		}
	}
	return fit(decisions, s.ridge)
}

// leftOut returns the weights for each database, fitted on the others.
func (s *study) leftOut() map[string][]float64 {
	out := map[string][]float64{}
	for _, db := range s.databases() {
		others := slices.DeleteFunc(s.databases(), func(o string) bool { return o == db })
		out[db] = s.fitted(others)
	}
	return out
}
