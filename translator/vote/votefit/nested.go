package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"askpg/translator/vote"
)

// subsets is how many random sets of systems each question is learned from,
// and how large they are: weights must do for few voters and for many.
var subsets = []int{3, 3, 4, 5, 5, 7, 9, 14}

// study fits weights on databases and measures them on others.
type study struct {
	questions map[string][]*question // by database
	lessons   map[string][]vote.Lesson
	systems   []string // that decisions are calibrated and measured on, all if there are none
	ridge     float64  // pull of the groups' weights towards a plain vote
	pull      float64  // of the calibration's weights towards 0

	// groups fits the groups' weights on databases.
	groups func(databases []string) map[string]float64
}

func newStudy(questions []*question, systems []string, ridge, pull float64) *study {
	s := &study{questions: map[string][]*question{}, lessons: map[string][]vote.Lesson{}, systems: systems, ridge: ridge, pull: pull}
	random := rand.New(rand.NewPCG(7, 7))
	for _, q := range questions {
		s.questions[q.db] = append(s.questions[q.db], q)
		for _, n := range subsets {
			var chosen []string
			for _, i := range random.Perm(len(q.systems))[:min(n, len(q.systems))] {
				chosen = append(chosen, q.systems[i])
			}
			ballots, right := q.pick(chosen)
			if groups := vote.Groups(ballots, q.ordered); len(groups) > 0 {
				s.lessons[q.db] = append(s.lessons[q.db], vote.NewLesson(q.text, ballots, groups,
					func(g vote.Group) bool { return right[g.Members[0]] }))
			}
		}
	}
	known := map[string]map[string]float64{}
	s.groups = func(databases []string) map[string]float64 {
		key := strings.Join(databases, "\n")
		if known[key] == nil {
			var lessons []vote.Lesson
			for _, db := range databases {
				lessons = append(lessons, s.lessons[db]...)
			}
			known[key] = vote.FitGroups(lessons, s.ridge)
		}
		return known[key]
	}
	return s
}

func (s *study) databases() []string { return sorted(s.questions) }

// fit fits weights on databases and on nothing else. A calibration learns from
// decisions as they fare on databases that the groups' weights have not seen: those of
// each database are taken by weights of the others given.
func (s *study) fit(databases []string) *vote.Weights {
	var decisions []vote.Example
	for _, db := range databases {
		_, more := outcomes(s.questions[db], s.systems, &vote.Weights{Groups: s.groups(without(databases, db))})
		decisions = append(decisions, more...)
	}
	return &vote.Weights{Groups: s.groups(databases), Confidence: vote.FitConfidence(decisions, s.pull)}
}

// leftOut returns the weights for each database, fitted on the others: nothing
// of a database, neither its groups nor its decisions, is in the weights that it is
// measured with.
func (s *study) leftOut() map[string]*vote.Weights {
	all := s.databases()
	out := map[string]*vote.Weights{}
	for _, db := range all {
		out[db] = s.fit(without(all, db))
	}
	return out
}

// report measures each database with its weights for some systems, all if
// there are none.
func (s *study) report(w io.Writer, weights map[string]*vote.Weights, databases, systems []string) tally {
	var plain, weighed tally
	var right, asked, n float64
	for _, db := range databases {
		p, _ := outcomes(s.questions[db], systems, nil)
		v, _ := outcomes(s.questions[db], systems, weights[db])
		plain.add(p)
		weighed.add(v)
		early, voters := stopped(s.questions[db], systems, weights[db])
		k := float64(len(s.questions[db]))
		right, asked, n = right+early*k, asked+voters*k, n+k
		fmt.Fprintf(w, "%-28s %4.0f questions: votes alone %.3f, weighed %.3f\n", db, k, p.accuracy(), v.accuracy())
	}
	fmt.Fprintf(w, "%-28s %4.0f questions: votes alone %.3f, weighed %.3f, with early stop %.3f by %.2f voters, %s\n", "all", n,
		plain.accuracy(), weighed.accuracy(), right/max(n, 1), asked/max(n, 1), weighed.calibration())
	return weighed
}

// voted returns the databases on whose questions one of the systems voted.
func (s *study) voted(databases, systems []string) []string {
	return slices.DeleteFunc(slices.Clone(databases), func(db string) bool {
		ballots, _ := s.questions[db][0].pick(systems)
		return len(ballots) == 0
	})
}

// without returns the others.
func without(databases []string, db string) []string {
	return slices.DeleteFunc(slices.Clone(databases), func(o string) bool { return o == db })
}

func sorted[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
