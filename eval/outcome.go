package eval

import (
	"slices"
	"time"

	"askpg/ask"
)

// Outcome is what a system did with one question. Outcomes are the lines of
// the journal, and every figure of a report is computed from them.
type Outcome struct {
	Set        string  `json:"set"`
	Question   string  `json:"question"`
	System     string  `json:"system"`
	SQL        string  `json:"sql,omitempty"`
	Code       string  `json:"code,omitempty"` // SQLSTATE of the refusal or failure
	Message    string  `json:"message,omitempty"`
	Answered   bool    `json:"answered"` // rows came back
	Confidence float64 `json:"confidence"`

	figures
	AnyRight bool `json:"any_right"`         // at least one candidate is right (permuted)
	NoGold   bool `json:"no_gold,omitempty"` // no gold runs: the question counts for nothing

	Candidates []candidateOutcome `json:"candidates,omitempty"`
	Elapsed    time.Duration      `json:"elapsed"` // until the translation came
	Stages     []ask.Stage        `json:"stages,omitempty"`
	Usage      ask.Usage          `json:"usage"`
	Cause      Cause              `json:"cause,omitempty"` // why it is wrong
}

// figures are shares of 1, because a vote that ends in a tie is counted by halves.
type figures struct {
	Strict    float64 `json:"strict"`
	Perm      float64 `json:"perm"`
	Contained float64 `json:"contained"`
	BIRD      float64 `json:"bird"`
	SoftF1    float64 `json:"soft_f1"`
	Suite     float64 `json:"suite"`  // Perm on every state of the database
	Reward    float64 `json:"reward"` // square root of R-VES's reward; 0 if not timed or wrong
}

func (f *figures) all() []*float64 {
	return []*float64{&f.Strict, &f.Perm, &f.Contained, &f.BIRD, &f.SoftF1, &f.Suite, &f.Reward}
}

func (f *figures) add(other *figures) {
	for i, v := range other.all() {
		*f.all()[i] += *v
	}
}

func (f *figures) divide(n float64) {
	for _, v := range f.all() {
		*v /= n
	}
}

// candidateOutcome is a candidate of an answer, for the list of failures.
type candidateOutcome struct {
	Origin string   `json:"origin"` // model/prompt/sample
	SQL    string   `json:"sql"`
	Fate   ask.Fate `json:"fate"`
	Votes  int      `json:"votes"`
	Right  bool     `json:"right"`
	Error  string   `json:"error,omitempty"`
}

// right reports whether the outcome is what was wanted: equal rows with the
// columns permuted, or a refusal of what can't be answered.
func (o *Outcome) right(q *Question) float64 {
	if q.Unanswerable {
		return share(!o.Answered && !o.failed())
	}
	return o.Perm
}

// refused reports whether the system declined to answer, as opposed to failing.
func (o *Outcome) refused() bool { return !o.Answered && refusals[o.Code] }

// failed reports whether there was no answer for reasons outside the question.
func (o *Outcome) failed() bool { return !o.Answered && o.Message != "" && failures[o.Code] }

// disturbed reports whether the outcome might be another if every model had
// answered in time.
func (o *Outcome) disturbed() bool {
	return o.failed() || slices.ContainsFunc(o.Candidates, func(c candidateOutcome) bool { return c.Fate == ask.FateNoAnswer })
}

// failures are the SQLSTATEs of questions that were not answered for reasons
// outside the question.
var failures = map[string]bool{
	"": true, ask.CodeNoModel: true, ask.CodeQueryCanceled: true, ask.CodeBudget: true, ask.CodeInternal: true,
}

// refusals are the SQLSTATEs by which askpg declines to answer, as opposed to
// failing.
var refusals = map[string]bool{
	ask.CodeNoCandidate: true, ask.CodeLowConfidence: true, ask.CodeRefused: true, ask.CodeInsufficientRights: true,
}
