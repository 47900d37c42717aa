package vote

import (
	"math"
	"slices"
)

// Lesson is a question with the groups of its candidates and which of them
// are right: what Weights are fitted on.
type Lesson struct {
	groups []features
	right  []bool
}

// NewLesson makes a lesson of a question's groups.
func NewLesson(question string, ballots []Ballot, groups []Group, right func(Group) bool) Lesson {
	l := Lesson{groups: groupFeatures(question, ballots, groups)}
	for _, g := range groups {
		l.right = append(l.right, right(g))
	}
	return l
}

// FitGroups fits the weights of a conditional logit (McFadden 1974): of the
// groups of a question, the probability of each being the right one is proportional to the
// exponential of its score. ridge pulls the weights towards those of a plain vote. Lessons
// without a right group, or with one group only, teach nothing.
func FitGroups(lessons []Lesson, ridge float64) map[string]float64 {
	var useful []Lesson
	for _, l := range lessons {
		if len(l.groups) > 1 && slices.Contains(l.right, true) {
			useful = append(useful, l)
		}
	}
	names := newIndex()
	dense := make([][][]float64, len(useful))
	for i, l := range useful {
		for _, x := range l.groups {
			dense[i] = append(dense[i], names.vector(x))
		}
	}
	prior := make([]float64, len(names.names))
	for i, n := range names.names {
		if n == fVotes {
			prior[i] = 1
		}
	}
	w := ascend(prior, ridge, func(w, gradient []float64) {
		for li, groups := range dense {
			scores := make([]float64, len(groups))
			for i, x := range groups {
				scores[i] = product(w, x)
			}
			p := softmax(scores)
			mass := 0.0
			for i, right := range useful[li].right {
				if right {
					mass += p[i]
				}
			}
			for i, x := range groups {
				d := -p[i]
				if useful[li].right[i] {
					d += p[i] / math.Max(mass, 1e-12)
				}
				for k, v := range x {
					gradient[k] += d * v
				}
			}
		}
	})
	return names.weights(w)
}

// Example is a decision and whether it was right.
type Example struct {
	X     map[string]float64
	Right bool
}

// FitConfidence fits a logistic regression of decisions being right.
func FitConfidence(examples []Example, ridge float64) map[string]float64 {
	names := newIndex()
	dense := make([][]float64, len(examples))
	for i, e := range examples {
		dense[i] = names.vector(e.X)
	}
	w := ascend(make([]float64, len(names.names)), ridge, func(w, gradient []float64) {
		for i, x := range dense {
			d := flag(examples[i].Right) - logistic(product(w, x))
			for k, v := range x {
				gradient[k] += d * v
			}
		}
	})
	return names.weights(w)
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// ascend maximises a likelihood, less ridge times half the squared distance
// from the prior, by Adam (Kingma and Ba 2015).
func ascend(prior []float64, ridge float64, add func(w, gradient []float64)) []float64 {
	const steps, rate, b1, b2 = 400, 0.05, 0.9, 0.99
	w := slices.Clone(prior)
	first, second, gradient := make([]float64, len(w)), make([]float64, len(w)), make([]float64, len(w))
	for i := 1; i <= steps; i++ {
		for k, v := range w {
			gradient[k] = -ridge * (v - prior[k])
		}
		add(w, gradient)
		for k, g := range gradient {
			first[k] = b1*first[k] + (1-b1)*g
			second[k] = b2*second[k] + (1-b2)*g*g
			m := first[k] / (1 - math.Pow(b1, float64(i)))
			v := second[k] / (1 - math.Pow(b2, float64(i)))
			w[k] += rate * m / (math.Sqrt(v) + 1e-9)
		}
	}
	return w
}

// index numbers the names of all features that there are.
type index struct {
	names  []string
	number map[string]int
}

func newIndex() *index {
	x := &index{number: map[string]int{}}
	for _, n := range allFeatures {
		x.number[n] = len(x.names)
		x.names = append(x.names, n)
	}
	return x
}

func (x *index) vector(f map[string]float64) []float64 {
	v := make([]float64, len(x.names))
	for k, value := range f {
		v[x.number[k]] = value
	}
	return v
}

func (x *index) weights(w []float64) map[string]float64 {
	out := map[string]float64{}
	for i, n := range x.names {
		if w[i] != 0 {
			out[n] = math.Round(w[i]*1e4) / 1e4
		}
	}
	return out
}

func product(w, x []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += w[i] * v
	}
	return sum
}
