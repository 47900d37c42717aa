package eval

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

func meanAndDeviation(values []float64) (mean, deviation float64) {
	if len(values) == 0 {
		return 0, 0
	}
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values))
	for _, v := range values {
		deviation += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(deviation / float64(len(values)))
}

// mcNemar returns the exact two-sided p-value of McNemar's test: how likely a
// split at least as uneven as b to c is if either way is as likely (McNemar
// 1947; Dietterich 1998 §3.1).
func mcNemar(b, c int) float64 {
	n, k := b+c, min(b, c)
	if n == 0 {
		return 1
	}
	var p float64
	for i := 0; i <= k; i++ {
		p += math.Exp(logChoose(n, i) - float64(n)*math.Ln2)
	}
	return math.Min(1, 2*p)
}

func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// bootstrap returns the 95 % interval of the mean by resampling with
// replacement (Efron 1979), the same on every call.
func bootstrap(values []float64) (low, high float64) {
	if len(values) == 0 {
		return 0, 0
	}
	const rounds = 2000
	r := rand.New(rand.NewPCG(1, uint64(len(values))))
	means := make([]float64, rounds)
	for i := range means {
		var sum float64
		for range values {
			sum += values[r.IntN(len(values))]
		}
		means[i] = sum / float64(len(values))
	}
	slices.Sort(means)
	return means[rounds*25/1000], means[rounds*975/1000]
}

// calibrationBin is the answers whose confidence falls into a tenth of the scale.
type calibrationBin struct {
	From, To   float64
	N          int
	Confidence float64 // mean
	Accuracy   float64
}

// Calibration sorts answers into ten bins of equal width and returns them with
// the expected calibration error (Guo et al. 2017, eq. 3) and the Brier score.
func Calibration(confidence, right []float64) (bins []calibrationBin, ece, brier float64) {
	if len(confidence) == 0 {
		return nil, 0, 0
	}
	bins = make([]calibrationBin, 10)
	for i := range bins {
		bins[i].From, bins[i].To = float64(i)/10, float64(i+1)/10
	}
	for i, c := range confidence {
		b := &bins[min(int(c*10), 9)]
		b.N++
		b.Confidence += c
		b.Accuracy += right[i]
		brier += (c - right[i]) * (c - right[i])
	}
	n := float64(len(confidence))
	for i := range bins {
		if b := &bins[i]; b.N > 0 {
			b.Confidence /= float64(b.N)
			b.Accuracy /= float64(b.N)
			ece += float64(b.N) / n * math.Abs(b.Confidence-b.Accuracy)
		}
	}
	return bins, ece, brier / n
}

// calibrationPoint is one point of the coverage–risk curve: answering only the questions
// of at least this confidence, so many are answered and so many of them right.
type calibrationPoint struct {
	Confidence, Coverage, Accuracy float64
}

// CoverageRisk returns the curve over all of n questions, most confident first
// (El-Yaniv and Wiener 2010).
func CoverageRisk(confidence, right []float64, n int) []calibrationPoint {
	rightAt := map[float64][]float64{}
	for i, c := range confidence {
		rightAt[c] = append(rightAt[c], right[i])
	}
	var points []calibrationPoint
	var sum, answered float64
	for _, c := range slices.Backward(slices.Sorted(maps.Keys(rightAt))) {
		for _, r := range rightAt[c] {
			sum += r
			answered++
		}
		points = append(points, calibrationPoint{c, answered / float64(n), sum / answered})
	}
	return points
}

// CoverageAt returns the largest share of the questions on the curve at which so many of the answers are right.
func CoverageAt(precision float64, curve []calibrationPoint) (coverage float64) {
	for _, p := range curve {
		if p.Accuracy >= precision {
			coverage = p.Coverage
		}
	}
	return coverage
}
