package vote

import "math"

// StopProbability is the default for Stop.
const StopProbability = 0.93

// Stop says whether more samples are not worth their price: the leader can't
// be overtaken by the remaining ones, or the probability that it is really
// ahead of the second has reached p. The latter is the Beta criterion of Adaptive-
// Consistency (Aggarwal et al. 2023, section 3): with v₁ and v₂ votes for the
// leader and the second, P(θ > ½) for θ ~ Beta(v₁+1, v₂+1). With the default p three
// votes against none stop, and five against one.
func Stop(groups []Group, remaining int, p float64) bool {
	if remaining <= 0 {
		return true
	}
	if len(groups) == 0 {
		return false
	}
	lead, _ := Winner(groups, true)
	v1, v2 := groups[lead].Votes, next(groups, lead)
	if v1 < v2 {
		return false
	}
	return v1-v2 > float64(remaining) || !groups[lead].Blank && leadProbability(v1, v2) >= p
}

// leadProbability is P(θ > ½) for θ ~ Beta(a+1, b+1), which for whole counts
// is the probability of at most a heads in a+b+1 tosses. Weighted votes are rounded.
func leadProbability(v1, v2 float64) float64 {
	a, b := int(math.Round(v1)), int(math.Round(v2))
	n := a + b + 1
	if n > 500 {
		return 1
	}
	sum, term := 0.0, math.Pow(0.5, float64(n))
	for k := 0; k <= a; k++ {
		sum += term
		term *= float64(n-k) / float64(k+1)
	}
	return sum
}
