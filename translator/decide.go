package translator

import (
	"regexp"
	"slices"

	"askpg/ask"
	"askpg/translator/vote"
)

// grammarName is the model name of the built-in engine's candidates.
const grammarName = "grammar"

// decide counts the votes and chooses, or says why there is no answer.
func (s *state) decide() error {
	ballots := s.ballots()
	groups := s.rankedGroups(ballots)
	literals := true
	for i, b := range ballots {
		if b.Result != nil && vote.Blank(b.Result) && !s.checkedLiterals(s.candidates[i]) {
			literals = false
		}
	}
	win, tie := s.winner(groups, literals)
	s.won = whyWon(groups, win, s.selected)
	s.fates(groups, win)
	if win < 0 {
		return s.noCandidate()
	}
	g := groups[win]
	refusals := len(s.missing)
	if float64(refusals) >= g.Votes && refusals > 0 {
		return s.unanswerable()
	}
	if err := s.outweighed(g); err != nil {
		return err
	}
	s.chosen = s.candidates[s.standsFor(g)]
	s.confidence = s.confidenceIn(groups, win)
	s.source = ask.SourceModel
	for _, i := range slices.Sorted(slices.Values(g.Members)) {
		if r := s.candidates[i].reading; r != nil {
			s.linked = r.Linked
			break
		}
	}
	if s.chosen.Origin.Model == grammarName && len(g.Members) == 1 {
		s.source = ask.SourceGrammar
	}
	if s.grammarAlone() {
		s.source = ask.SourceGrammar
		s.confidence = s.chosen.reading.Score
		if s.ambiguous(g) {
			s.confidence /= 2 // it is one of two at least
		}
		if s.sampled > 0 {
			what, _ := s.whyNoModel()
			s.notice(what + "; the built-in engine did")
		}
	}
	if !(s.confidence >= s.set.minConfidence) || tie && s.confidence <= 0.5 && s.set.minConfidence > 0 {
		// Readings are listed by their votes, none of them as the answer.
		s.chosen.Fate, s.chosen = ask.FateOutvoted, nil
		return s.lowConfidence(groups, tie)
	}
	s.chosen.Fate = ask.FateChosen
	if len(s.linked) == 0 {
		s.linked = s.linksOf(s.chosen.SQL)
	}
	s.understood = s.inWords(s.chosen.SQL)
	return nil
}

// winner returns the group that a judge chose, and else that of the vote.
func (s *state) winner(groups []vote.Group, literals bool) (win int, tie bool) {
	if i := slices.IndexFunc(groups, func(g vote.Group) bool { return g.Fingerprint == s.selected }); i >= 0 && s.selected != "" {
		return i, false
	}
	return vote.Winner(groups, literals)
}

// whyWon says why a group won that has fewer votes than another one.
func whyWon(groups []vote.Group, win int, selected string) ask.Won {
	switch {
	case win < 0 || !slices.ContainsFunc(groups, func(g vote.Group) bool { return g.Votes > groups[win].Votes }):
		return ""
	case groups[win].Fingerprint == selected:
		return ask.WonByJudge
	}
	return ask.WonByBlank
}

// outweighed returns the refusal of candidates that the asker may not run, if they are
// more than the winner's votes: the winner then likely answers another question.
func (s *state) outweighed(g vote.Group) error {
	var first *ask.Error
	denied := 0
	for _, c := range s.candidates {
		if c.Err == nil || c.Err.Code != ask.CodeInsufficientRights {
			continue
		}
		if first = c.Err; c.reading != nil && c.Origin.Sample == 1 && s.grammarAlone() {
			return deniedError(first) // the engine's best reading
		}
		denied++
	}
	if first == nil || s.grammarAlone() || float64(denied) <= g.Votes {
		return nil
	}
	return deniedError(first)
}

// rankedGroups groups the ballots, those with most votes first.
func (s *state) rankedGroups(ballots []vote.Ballot) []vote.Group {
	if s.ranked == nil || !slices.Equal(ballots, s.rankedBallots) { // stages in a row ask for the same
		s.ranked, s.rankedBallots = vote.Groups(ballots, s.ordered), ballots
	}
	return slices.Clone(s.ranked)
}

// confidenceIn is the confidence in a winner. Where a judge chose, the candidates and
// the judge count alike; in the published strategies it is the share of the votes.
func (s *state) confidenceIn(groups []vote.Group, win int) float64 {
	voters := s.voters()
	if groups[win].Votes < 2 {
		voters = s.asked // one vote is no agreement, however few others were answered
	}
	share := vote.Share(groups[win].Votes, voters)
	switch {
	case s.selected != "":
		return (share + vote.Share(float64(s.judgedFor), s.judged)) / 2
	case s.votesOnly:
		return share
	}
	return vote.Confidence(groups, win, voters)
}

// checkedLiterals says whether a blank result can't come from a wrong
// literal.
func (s *state) checkedLiterals(c *candidate) bool {
	if c.literals {
		return true
	}
	wrong, checked := s.literalsOf(c.SQL)
	c.literals = checked && len(wrong) == 0
	return c.literals
}

// grammarAlone says that the grammar's candidates are the only ones there are.
func (s *state) grammarAlone() bool {
	return len(s.readings) > 0 && !slices.ContainsFunc(s.candidates, (*candidate).ofAnsweringModel)
}

// standsFor returns the candidate that stands for a group of equal rows: of models' the one that the vote put first, of
// the grammar's readings the likeliest. Other readings may have its rows by chance, and say another question.
func (s *state) standsFor(g vote.Group) int {
	if s.grammarAlone() {
		return slices.Min(g.Members)
	}
	return g.Members[0]
}

// fates notes votes and fates.
func (s *state) fates(groups []vote.Group, win int) {
	for gi, g := range groups {
		for _, i := range g.Members {
			c := s.candidates[i]
			c.Votes, c.Fingerprint = int(g.Votes+0.5), g.Fingerprint
			if c.Fate != "" {
				continue // duplicate
			}
			c.Fate = ask.FateOutvoted
			if gi == win {
				c.Fate = ask.FateAgreed
			}
		}
	}
	for _, c := range s.candidates {
		if c.Fate == "" && c.result != nil {
			c.Fate = ask.FateOutvoted
		}
	}
}

// asksForOrder says whether the order of the rows is part of the answer.
func asksForOrder(question string) bool { return orderWords.MatchString(question) }

var orderWords = regexp.MustCompile(`(?i)\b(sort(ed|ing)?|order(ed)? by|in (the )?(ascending|descending|alphabetical|chronological|reverse|lexicographic\w*)\b|(ascending|descending) order|alphabetically|chronologically|rank(ed|ing)? by|from (the )?(highest|lowest|largest|smallest|oldest|newest|youngest|most|least|earliest|latest|best|worst|first)\b.* to\b|(highest|lowest|largest|smallest|oldest|newest|latest|earliest) first)\b`)
