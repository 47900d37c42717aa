package eval

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"askpg/ask"
	"askpg/translator/vote"
)

// The systems that voters who were recorded make together.
const (
	pluralityName = "plain majority"
	voteName      = "askpg's vote"
)

// recorded is what a recorded system answered to one question.
type recorded struct{ name, sql string }

type recordedSystem struct {
	name    string
	answers map[string]string
}

// recordedAnswers reads the recorded systems of the set that are named.
func (s *Set) recordedAnswers(names []string) ([]recordedSystem, error) {
	if slices.Equal(names, []string{"all"}) {
		names = s.recorded()
	}
	var systems []recordedSystem
	for _, name := range names {
		answers, err := s.predictions(name)
		if err != nil {
			return nil, fmt.Errorf("recorded answers of %s: %w (there are %v)", name, err, s.recorded())
		}
		systems = append(systems, recordedSystem{strings.TrimSuffix(filepath.Base(name), ".jsonl"), answers})
	}
	return systems, nil
}

// voter is a recorded answer with its rows.
type voter struct {
	outcome *Outcome
	result  *ask.Result // nil if it failed
}

// replay scores the recorded answers of a task, each alone and together: by a
// plain majority, and by the vote that askpg takes.
func (w *worker) replay(ctx context.Context, t *task, key *answerKey) ([]*Outcome, error) {
	voters := make([]voter, len(t.recorded))
	outcomes := make([]*Outcome, 0, len(voters)+2)
	for i, r := range t.recorded {
		o := &Outcome{System: r.name, Confidence: 1}
		outcomes = append(outcomes, o)
		voters[i].outcome = o
		if r.sql == "" {
			o.Message = "no answer was recorded"
			continue
		}
		var err error
		if voters[i].result, err = w.score(ctx, o, key, r.sql); err != nil {
			return nil, err
		}
	}
	if len(voters) > 1 {
		ballots := make([]vote.Ballot, len(voters))
		for i, v := range voters {
			ballots[i] = vote.Ballot{Result: v.result, Weight: 1, Length: len(v.outcome.SQL), SQL: v.outcome.SQL}
			if v.result != nil {
				ballots[i].Cost, _ = planCost(ctx, w.runner.conns[key.answerOn(0)].PgConn(), v.outcome.SQL)
			}
		}
		if w.o.Ballots != nil {
			w.o.Ballots(t.question, outcomes, ballots)
		}
		outcomes = append(outcomes, plurality(voters), takeVote(voters, ballots))
	}
	return outcomes, nil
}

// plurality is the outcome of a plain majority, the yardstick of any vote:
// equal bags of rows with the columns in the same order are one group, errors
// abstain, and the voters of the largest groups share the question evenly.
func plurality(voters []voter) *Outcome {
	o := pooled(pluralityName, voters)
	var groups [][]voter
	for _, v := range voters {
		if v.result == nil {
			continue
		}
		i := slices.IndexFunc(groups, func(g []voter) bool { return Compare(g[0].result, v.result, false).Strict })
		if i < 0 {
			groups = append(groups, nil)
			i = len(groups) - 1
		}
		groups[i] = append(groups[i], v)
	}
	if len(groups) == 0 {
		return o
	}
	most := 0
	for _, g := range groups {
		most = max(most, len(g))
	}
	leading := slices.Concat(slices.DeleteFunc(groups, func(g []voter) bool { return len(g) < most })...)
	for _, v := range leading {
		o.add(&v.outcome.figures)
	}
	o.divide(float64(len(leading)))
	o.Answered, o.SQL = true, leading[0].outcome.SQL
	o.Confidence = float64(most) / float64(len(voters))
	return o
}

// takeVote is the outcome of the vote that askpg takes, see translator/vote,
// with its calibrated confidence. It does not know which rows are right.
func takeVote(voters []voter, ballots []vote.Ballot) *Outcome {
	o := pooled(voteName, voters)
	groups := vote.Groups(ballots, false)
	for _, g := range groups {
		for _, m := range g.Members {
			o.Candidates[m].Votes = len(g.Members)
		}
	}
	winner, _ := vote.Winner(groups, false)
	if winner < 0 {
		return o
	}
	for _, m := range groups[winner].Members {
		o.Candidates[m].Fate = ask.FateAgreed
	}
	chosen := groups[winner].Members[0]
	o.Candidates[chosen].Fate = ask.FateChosen
	from := voters[chosen].outcome
	o.Answered, o.SQL = true, from.SQL
	o.figures = from.figures
	o.Confidence = vote.Confidence(groups, winner, len(voters))
	return o
}

// pooled begins the outcome of voters together.
func pooled(name string, voters []voter) *Outcome {
	o := &Outcome{System: name}
	for _, v := range voters {
		c := candidateOutcome{Origin: v.outcome.System, SQL: v.outcome.SQL, Fate: ask.FateOutvoted, Right: v.outcome.Perm == 1}
		if v.result == nil {
			c.Fate, c.Error = ask.FateFailed, v.outcome.Message
		}
		o.AnyRight = o.AnyRight || c.Right
		o.Candidates = append(o.Candidates, c)
	}
	return o
}
