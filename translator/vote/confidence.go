package vote

import "math"

// calibration weighs the evidence of a decision in a logistic regression of its
// being right. Command votefit fits it on recorded answers, see docs/accuracy.md.
var calibration = []float64{-0.0084, 0.7738, -0.3386, 0.8499, 1.5039, -0.3467}

const (
	// minVoters is the least number of results that a calibration is asked of:
	// fewer say too little about each other.
	minVoters = 3
	// maxOverShare bounds the confidence by a multiple of the winner's share.
	maxOverShare = 1.5
)

// Share is the share of the voters that agree with the winner. A voter is a
// sample that was answered: one whose SQL failed counts against the winner, a call that
// brought no answer is no vote.
func Share(votes float64, voters int) float64 {
	if voters <= 0 {
		return 0
	}
	return math.Min(1, votes/float64(voters))
}

// Confidence is the probability, from 0 to 1, that the group at index winner is
// right, where there were so many voters (see Share). Where fewer than three results came or
// fewer than two agree, it is at most the winner's share. It is never above the
// winner's part of its own votes and the next group's: a tie is at most 0.5.
func Confidence(groups []Group, winner, voters int) float64 {
	return ConfidenceBy(calibration, groups, winner, voters)
}

// ConfidenceBy is Confidence by other weights.
func ConfidenceBy(weights []float64, groups []Group, winner, voters int) float64 {
	votes := groups[winner].Votes
	share := Share(votes, voters)
	results := 0
	for _, g := range groups {
		results += len(g.Members)
	}
	bound := share
	if results >= minVoters && votes >= 2 {
		bound = math.Min(maxOverShare*share, votes/(votes+next(groups, winner)))
	}
	return math.Min(Calibrated(weights, Evidence(groups, winner, voters)), bound)
}

// next returns the votes of the group that has most beside the winner.
func next(groups []Group, winner int) float64 {
	most := 0.0
	for i, g := range groups {
		if i != winner {
			most = math.Max(most, g.Votes)
		}
	}
	return most
}

// Evidence says how the votes fell: a constant, the shares of the winner and of
// the next group, the logarithm of the winner's votes, whether there is no
// other group, and the logarithm of the voters.
func Evidence(groups []Group, winner, voters int) []float64 {
	alone := 0.0
	if len(groups) == 1 {
		alone = 1
	}
	samples, votes := math.Max(float64(voters), 1), groups[winner].Votes
	return []float64{1, votes / samples, next(groups, winner) / samples, math.Log(math.Max(votes, 0.5)), alone, math.Log(samples)}
}

// Calibrated is the logistic function of the weighed evidence.
func Calibrated(weights, evidence []float64) float64 {
	sum := 0.0
	for i, w := range weights {
		sum += w * evidence[i]
	}
	return 1 / (1 + math.Exp(-sum))
}
