package vote

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Weights weigh what speaks for a group beside its votes. They know no model
// by name: they are fitted on the questions and recorded answers of some databases, and measured
// on others.
type Weights struct {
	Groups     map[string]float64 `json:"groups"`     // of the features of a group, in a conditional logit over a question's groups
	Confidence map[string]float64 `json:"confidence"` // of what a decision looks like, in a logit of its being right
}

//go:embed weights.json
var fitted []byte

// Fitted are the weights that askpg comes with.
var Fitted = func() *Weights {
	w := new(Weights)
	if err := json.Unmarshal(fitted, w); err != nil {
		panic(fmt.Sprintf("vote: weights.json: %v", err))
	}
	return w
}()

// Rank orders the groups by how likely each is the right one and sets their
// Probability, that they share among them. Blank groups keep their rule, see
// Winner. Without weights the groups stay in the order of their votes.
func (w *Weights) Rank(question string, ballots []Ballot, groups []Group) []Group {
	if w == nil || len(groups) == 0 {
		return groups
	}
	xs := groupFeatures(question, ballots, groups)
	out := slices.Clone(groups)
	scores := make([]float64, len(out))
	for i, x := range xs {
		scores[i] = dot(w.Groups, x)
	}
	for i, p := range softmax(scores) {
		out[i].Probability = p
	}
	slices.SortStableFunc(out, func(a, b Group) int {
		switch {
		case a.Probability > b.Probability:
			return -1
		case a.Probability < b.Probability:
			return 1
		}
		return 0
	})
	return out
}

// The features of a decision that its confidence is calibrated on; those of the
// winning group are among them, their names after cWinner.
const (
	cConstant    = "constant"
	cProbability = "log odds"     // of the winner among the groups, bounded
	cShare       = "winner share" // of the samples asked for
	cAgainst     = "second share" // of the next group by votes
	cVotes       = "winner votes" // ln
	cAlone       = "no other"     // there is no other group
	cTables      = "tables read"
	cNesting     = "statements nested"
	cLength      = "ln of the length"
	cWords       = "words of the question"
	cCost        = "ln of the cost"
	cJudges      = "ln of the samples"
	cWinner      = "winner: "
)

// Decision describes a decision for its confidence: the groups as Rank left
// them, the winner's index, and the samples asked for.
func Decision(question string, ballots []Ballot, groups []Group, winner, asked int) map[string]float64 {
	g := groups[winner]
	second := 0.0
	for i, o := range groups {
		if i != winner {
			second = math.Max(second, o.Votes)
		}
	}
	total := math.Max(float64(asked), 1)
	p := math.Min(math.Max(g.Probability, 0.01), 0.99)
	b := ballots[g.Members[0]]
	tables, _ := namesIn(b.SQL)
	x := map[string]float64{
		cConstant: 1, cProbability: math.Log(p / (1 - p)), cShare: g.Votes / total, cAgainst: second / total,
		cVotes: math.Log(math.Max(g.Votes, 0.5)), cAlone: flag(len(groups) == 1), cTables: float64(len(tables)),
		cNesting: float64(strings.Count(strings.ToLower(b.SQL), "select") - 1), cLength: math.Log1p(float64(len(b.SQL))) - 4,
		cWords: float64(min(len(strings.Fields(question)), 50))/10 - 1, cCost: math.Log1p(max(b.Cost, 0))/5 - 1, cJudges: math.Log(total),
	}
	for k, v := range groupFeatures(question, ballots, groups)[winner] {
		x[cWinner+k] = v
	}
	return x
}

// Calibrated returns the probability that a decision is right; ok is false if
// the weights hold no calibration.
func (w *Weights) Calibrated(decision map[string]float64) (p float64, ok bool) {
	if w == nil || len(w.Confidence) == 0 {
		return 0, false
	}
	return logistic(dot(w.Confidence, decision)), true
}

const (
	// minCalibrated is the least number of ballots that a calibration is asked
	// of; fewer say too little about each other.
	minCalibrated = 3
	// maxOverShare bounds how far a calibration may go beyond the share of the
	// samples: a few that agree among many that do not are no agreement, however likely they
	// look.
	maxOverShare = 1.5
)

// Sure is the confidence in a winner: calibrated where enough ballots ran and
// the weights hold a calibration, else its share of the samples asked for.
func (w *Weights) Sure(question string, ballots []Ballot, groups []Group, winner, asked int) float64 {
	share := Confidence(groups[winner].Votes, asked)
	ran := 0
	for _, b := range ballots {
		if b.Result != nil {
			ran++
		}
	}
	if w == nil || len(w.Confidence) == 0 || ran < minCalibrated || groups[winner].Votes < 2 {
		return share
	}
	p, _ := w.Calibrated(Decision(question, ballots, groups, winner, asked))
	return math.Min(p, maxOverShare*share)
}

func softmax(scores []float64) []float64 {
	top := slices.Max(scores)
	sum := 0.0
	out := make([]float64, len(scores))
	for i, s := range scores {
		out[i] = math.Exp(s - top)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// dot adds up in the order of the names, so that a sum is the same each time.
func dot(w, x map[string]float64) float64 {
	sum := 0.0
	for _, k := range slices.Sorted(maps.Keys(x)) {
		sum += w[k] * x[k]
	}
	return sum
}
