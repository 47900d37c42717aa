package translator

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"askpg/ask"
	"askpg/translator/vote"
)

// grammarName is the model name of the built-in grammar's candidates.
const grammarName = "grammar"

// decide counts the votes and chooses, or says why there is no answer.
func (s *state) decide() error { return s.budgeted(s.count()) }

func (s *state) count() error {
	ballots := s.ballots()
	groups := s.rank(ballots)
	literals := true
	for i, b := range ballots {
		if b.Result != nil && vote.Blank(b.Result) && !s.checkedLiterals(s.candidates[i]) {
			literals = false
		}
	}
	win, tie := vote.Winner(groups, literals)
	if i := slices.IndexFunc(groups, func(g vote.Group) bool { return g.Fingerprint == s.selected }); i >= 0 && s.selected != "" {
		win, tie = i, false
	}
	s.fates(groups, win)
	if win < 0 {
		return s.nothing()
	}
	g := groups[win]
	refusals := len(s.missing)
	if float64(refusals) >= g.Votes && refusals > 0 {
		return s.unanswerable()
	}
	if err := s.outweighed(g); err != nil {
		return err
	}
	s.chosen = s.candidates[g.Members[0]]
	s.votes = int(g.Votes + 0.5)
	s.confidence = s.sure(ballots, groups, win)
	s.source = ask.SourceModel
	for _, i := range g.Members {
		if r := s.candidates[i].reading; r != nil {
			s.understood, s.linked = r.Understood, r.Linked
			break
		}
	}
	if s.chosen.Origin.Model == grammarName && len(g.Members) == 1 {
		s.source = ask.SourceGrammar
	}
	if s.grammarAlone() {
		s.source = ask.SourceGrammar
		s.confidence = s.chosen.reading.Score
		if s.sampled > 0 {
			s.notice("no model answered in time; the built-in grammar did")
		}
	}
	if !(s.confidence >= s.set.minConfidence) || tie && s.confidence <= 0.5 && s.set.minConfidence > 0 {
		// Readings are listed by their votes, none of them as the answer.
		s.chosen.Fate, s.chosen = ask.FateOutvoted, nil
		return s.lowConfidence(groups, tie)
	}
	s.chosen.Fate = ask.FateChosen
	if len(s.linked) == 0 {
		s.linked = s.links(s.chosen.SQL)
	}
	return nil
}

// outweighed returns the refusal of candidates that the asker may not run, if they
// weigh more than the winner: what is left over is likely an answer to another question.
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

func deniedError(e *ask.Error) error {
	return &ask.Error{Code: e.Code, Message: e.Message, Detail: e.Detail,
		Hint: or(e.Hint, "Ask the database's owner for the privilege, or ask without it."), Err: e.Err}
}

// rank groups the ballots and puts the likeliest group first.
func (s *state) rank(ballots []vote.Ballot) []vote.Group {
	if s.ranked != nil && slices.Equal(ballots, s.rankedBallots) {
		return slices.Clone(s.ranked) // stages in a row ask for the same
	}
	groups := vote.Groups(ballots, s.ordered)
	if s.t.cfg.FittedVote && !s.plain && !s.grammarAlone() {
		groups = vote.Fitted.Rank(s.q.Text, ballots, groups)
	}
	s.ranked, s.rankedBallots = groups, ballots
	return slices.Clone(groups)
}

// sure is the confidence in a winner: what the weights of the vote say, votes
// alone where they do not count, and where a judge chose its word as well.
func (s *state) sure(ballots []vote.Ballot, groups []vote.Group, win int) float64 {
	if s.selected != "" {
		// The candidates and the judge count alike.
		return (vote.Confidence(groups[win].Votes, s.asked) + vote.Confidence(float64(s.judgedFor), s.judged)) / 2
	}
	weights := vote.Fitted
	if !s.t.cfg.FittedVote || s.plain {
		weights = nil
	}
	return weights.Sure(s.q.Text, ballots, groups, win, s.asked)
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
	for _, c := range s.candidates {
		if c.Origin.Model != grammarName && c.Fate != ask.FateNoAnswer {
			return false
		}
	}
	return len(s.readings) > 0
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

// nothing says why no candidate survived.
func (s *state) nothing() error {
	count := map[ask.Fate]int{}
	var denied, refused, full *ask.Error
	rights, answered := 0, 0
	for _, c := range s.candidates {
		count[c.Fate]++
		if c.Fate == ask.FateNoAnswer {
			continue
		}
		answered++
		if c.Err == nil {
			continue
		}
		switch c.Err.Code {
		case ask.CodeInsufficientRights:
			rights++
			denied = c.Err
		case ask.CodeRefused:
			refused = c.Err
		case ask.CodeOutOfMemory:
			full = c.Err
		}
	}
	switch {
	case answered == 0 && s.sampled == 0 && s.refusal != nil:
		return s.refusal
	case answered == 0 && s.sampled > 0:
		e := ask.Errorf(ask.CodeNoModel, "no model answered in time").
			WithDetail("%s", s.fallen()).
			WithHint("Check that the models of the configuration are up (askpg check), or ask again later.")
		if s.refusal != nil {
			e.Detail += "\nThe built-in grammar did not understand the question either: " + s.refusal.Error()
		}
		return e
	case answered == 0:
		return ask.Errorf(ask.CodeNoCandidate, "no strategy had a candidate for the question").
			WithHint("Ask it in other words, or configure a model.")
	case len(s.missing) > 0 && 2*len(s.missing) >= answered:
		return s.unanswerable()
	case full != nil:
		return full // another time they may have room
	case denied != nil && 2*rights >= answered:
		return deniedError(denied)
	case refused != nil && countCode(s.candidates, ask.CodeRefused) == answered:
		return ask.Errorf(ask.CodeRefused, "%s", refused.Message).WithDetail("%s", s.fallen()).
			WithHint("%s", or(refused.Hint, "Questions can only read. Ask for what the data says."))
	}
	return ask.Errorf(ask.CodeNoCandidate, "no candidate answers the question").WithDetail("%s", s.fallen()).
		WithHint("Ask it in other words, or add a line -- hint: that says what the words stand for.")
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func countCode(cs []*candidate, code string) int {
	n := 0
	for _, c := range cs {
		if c.Err != nil && c.Err.Code == code {
			n++
		}
	}
	return n
}

// unanswerable says what the data lacks, as models have it.
func (s *state) unanswerable() error {
	s.lacking = true
	missing := ""
	for _, m := range s.missing {
		if missing == "" || m != "" && len(m) < len(missing) {
			missing = m
		}
	}
	e := ask.Errorf(ask.CodeNoCandidate, "the data that role %q can read does not answer the question", s.q.Session.Role)
	if missing != "" {
		e.Message += ": " + oneLine(missing, 300)
	}
	return e.WithDetail("%d of %d candidates say so.", len(s.missing), max(s.sampled, len(s.missing))).
		WithHint("Ask for what the tables hold: ask 'which tables are there' lists them.")
}

// lowConfidence lists the readings that there are.
func (s *state) lowConfidence(groups []vote.Group, tie bool) error {
	var b strings.Builder
	for i, g := range groups {
		if i == 3 {
			fmt.Fprintf(&b, "and %d more readings", len(groups)-i)
			break
		}
		c := s.candidates[g.Members[0]]
		fmt.Fprintf(&b, "reading %d (%.0f of %d candidates, %d rows): %s\n", i+1, g.Votes, s.asked, c.Rows, oneLine(c.SQL, 400))
	}
	what := fmt.Sprintf("only %.0f of %d candidates agree: confidence %.2f is below the minimum of %.2f", groups[0].Votes, s.asked, s.confidence, s.set.minConfidence)
	if tie && s.confidence >= s.set.minConfidence {
		what = fmt.Sprintf("the candidates disagree: two readings have %.0f of %d votes each", groups[0].Votes, s.asked)
	}
	if s.grammarAlone() {
		what = fmt.Sprintf("the built-in grammar is not sure of its reading: confidence %.2f is below the minimum of %.2f", s.confidence, s.set.minConfidence)
	}
	return ask.Errorf(ask.CodeLowConfidence, "%s", what).WithDetail("%s", strings.TrimSpace(b.String())).
		WithHint("ask(candidates) shows the readings and ask(run 1) runs the first; or ask more precisely, or add a hint; SET askpg.min_confidence lowers the minimum.")
}

// fallen lists what became of the candidates, a line each.
func (s *state) fallen() string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, c := range s.candidates {
		why := string(c.Fate)
		if c.Err != nil {
			why += ": " + oneLine(c.Err.Message, 200)
		}
		l := fmt.Sprintf("%s, %s: %s", c.Origin.Model, c.Origin.Prompt, why)
		if !seen[l] {
			seen[l] = true
			b.WriteString(l + "\n")
		}
	}
	return strings.TrimSpace(b.String())
}

// asksForOrder says whether the order of the rows is part of the answer.
func asksForOrder(question string) bool { return orderWords.MatchString(question) }

var orderWords = regexp.MustCompile(`(?i)\b(sort(ed|ing)?|order(ed)? by|in (the )?(ascending|descending|alphabetical|chronological|reverse|lexicographic\w*)\b|(ascending|descending) order|alphabetically|chronologically|rank(ed|ing)? by|from (the )?(highest|lowest|largest|smallest|oldest|newest|youngest|most|least|earliest|latest|best|worst|first)\b.* to\b|(highest|lowest|largest|smallest|oldest|newest|latest|earliest) first)\b`)
