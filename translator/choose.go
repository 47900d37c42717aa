package translator

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"askpg/ask"
	"askpg/translator/llm"
	"askpg/translator/prompt"
)

// maxChoices bounds a multiple choice.
const maxChoices = 6

// chooseAmong asks the first of the judges n times to choose among groups of results, and notes what most
// answers chose. It offers the groups that have at least threshold of all votes, the largest
// first. With fewer than two such groups it asks nothing.
func (s *state) chooseAmong(ctx context.Context, judges []model, threshold float64, n int, temperature *float64, demos int) error {
	ballots := s.ballots()
	groups := s.rankedGroups(ballots)
	total := 0.0
	for _, g := range groups {
		total += g.Votes
	}
	var choices []prompt.Choice
	var prints, sqls []string
	for _, g := range groups {
		if g.Votes >= threshold*total-1e-9 && len(choices) < maxChoices {
			c := s.candidates[g.Members[0]]
			choices = append(choices, prompt.Choice{SQL: c.SQL, Result: s.describeResult(c, chosenRows)})
			prints, sqls = append(prints, g.Fingerprint), append(sqls, c.SQL)
		}
	}
	if len(choices) < 2 || len(judges) == 0 {
		return nil
	}
	ask.Progress(ctx, fmt.Sprintf("choosing among %d readings", len(choices)))
	in := s.linkedInput(judges[0], variant{style: prompt.Profile})
	in.Tables, in.Cols = s.tablesOf(sqls), nil
	if len(in.Tables) == 0 {
		in.Tables = s.tables
	}
	if demos > 0 {
		in.Demos, _ = s.demonstrations(ctx, "", demos)
		s.noteDemos(in.Demos)
	}
	texts, err := s.task(ctx, judges[0], prompt.Choose, in, choices, n, temperature)
	if err != nil {
		return err
	}
	count := make([]int, len(choices))
	answers := 0
	for _, t := range texts {
		if i := choiceIn(t, len(choices)); i > 0 {
			count[i-1]++
			answers++
		}
	}
	if answers == 0 {
		return nil
	}
	most := slices.Max(count)
	s.selected, s.judged, s.judgedFor = prints[slices.Index(count, most)], answers, most
	return nil
}

var (
	choiceLine = regexp.MustCompile(`(?i)choice\W*(\d+)`)
	lastNumber = regexp.MustCompile(`(\d+)\D*$`)
)

// choiceIn reads the number that a judge chose, 0 if there is none.
func choiceIn(text string, n int) int {
	text = withoutThoughts(text)
	m := choiceLine.FindAllStringSubmatch(text, -1)
	if m == nil {
		if one := lastNumber.FindStringSubmatch(text); one != nil {
			m = [][]string{one}
		}
	}
	if m == nil {
		return 0
	}
	i, err := strconv.Atoi(m[len(m)-1][1])
	if err != nil || i < 1 || i > n {
		return 0
	}
	return i
}

// selectDisputed has a judge choose where no group has a majority after the last wave. The
// confidence is then the mean of the candidates' share and the judge's.
func selectDisputed(ctx context.Context, s *state) error {
	groups := s.rankedGroups(s.ballots())
	if len(groups) < 2 || s.outOfTime(ctx) || s.callsLeft() == 0 || s.sampled == 0 {
		return nil
	}
	if groups[0].Votes > float64(s.voters())/2 {
		return nil
	}
	return s.chooseAmong(ctx, large(s.t.up(llm.RoleJudge)), chooseShare, chooseSamples, new(s.t.cfg.Temperature), 0)
}

// exploreDisputed runs one thought–action loop where the answer would be refused because
// candidates disagree. What the loop finds votes.
func exploreDisputed(ctx context.Context, s *state) error {
	models := large(s.t.up(llm.RoleGenerate))
	groups := s.rankedGroups(s.ballots())
	if !s.t.cfg.Explore || len(models) == 0 || len(groups) < 2 || s.sampled == 0 || s.callsLeft() < minExploration || s.outOfTime(ctx) {
		return nil
	}
	win, _ := s.winner(groups, true)
	if s.confidenceIn(groups, win) >= s.set.minConfidence {
		return nil
	}
	ask.Progress(ctx, "candidates disagree; looking into the database")
	return s.loop(ctx, models[0], 1)
}

// minExploration is the fewest calls that a loop needs to get anywhere.
const minExploration = 4

const (
	chooseShare   = 0.2
	chooseSamples = 3
	chosenRows    = 5 // of each result that a judge or a review is shown
)
