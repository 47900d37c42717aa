package admin

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"askpg/ask"
	"askpg/store"
)

// group are the candidates with the same result.
type group struct {
	Name       string // A for the chosen one, then by votes
	Class      string // its colour
	Chosen     bool
	Votes      int64
	Share      int // of all votes, in percent
	Rows       int64
	Candidates []store.Candidate
	Difference []change // of its SQL from the chosen one's
}

// vote is a candidate in the picture of the votes.
type vote struct {
	X, W  float64 // in percent
	Class string
	Title string
}

// groupCandidates puts candidates with the same result together, the chosen
// group first, then by votes. Beside them are those whose result had no vote, and those without one.
func groupCandidates(r *store.Record) (groups []group, withoutVote, withoutResult []store.Candidate) {
	chosen := ""
	var votes int64
	for i, c := range r.Candidates {
		if c.Fingerprint == "" && c.Rows >= 0 {
			withoutVote = append(withoutVote, c)
			continue
		}
		if c.Fingerprint == "" {
			withoutResult = append(withoutResult, c)
			continue
		}
		if int64(i) == r.Chosen {
			chosen = c.SQL
		}
		at := slices.IndexFunc(groups, func(g group) bool { return g.Candidates[0].Fingerprint == c.Fingerprint })
		if at < 0 {
			at = len(groups)
			groups = append(groups, group{Rows: c.Rows})
		}
		g := &groups[at]
		g.Candidates = append(g.Candidates, c)
		g.Chosen = g.Chosen || int64(i) == r.Chosen
		if c.Votes > g.Votes {
			votes += c.Votes - g.Votes
			g.Votes = c.Votes
		}
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		switch {
		case a.Chosen:
			return -1
		case b.Chosen:
			return 1
		}
		return cmp.Compare(b.Votes, a.Votes)
	})
	for i := range groups {
		groups[i].Name, groups[i].Class = letter(i), "other"+strconv.Itoa(min(i, 4))
		if groups[i].Chosen {
			groups[i].Class = "answered"
		}
		if votes > 0 {
			groups[i].Share = int(100 * groups[i].Votes / votes)
		}
		if !groups[i].Chosen && chosen != "" {
			groups[i].Difference = differences(chosen, groups[i].Candidates[0].SQL)
		}
	}
	return groups, withoutVote, withoutResult
}

// letter names the groups A to Z, then by number.
func letter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return strconv.Itoa(i + 1)
}

// votePicture lays all candidates in a row, those with the same result beside each
// other, with a wider gap between two results.
func votePicture(groups []group, withoutVote, withoutResult []store.Candidate) []vote {
	var votes []vote
	var ends []int // of the groups
	add := func(class, title string, c *store.Candidate) {
		votes = append(votes, vote{Class: class, Title: fmt.Sprintf("%s: candidate %d, %s %s", title, c.Position+1, ask.Visible(truncate(c.Model, maxName)), ask.Visible(truncate(c.Prompt, maxName)))})
	}
	for i := range groups {
		for j := range groups[i].Candidates {
			add(groups[i].Class, "result "+groups[i].Name, &groups[i].Candidates[j])
		}
		ends = append(ends, len(votes))
	}
	for i := range withoutVote {
		add("novote", "a result without a vote", &withoutVote[i])
	}
	ends = append(ends, len(votes))
	for i := range withoutResult {
		add("track", "no result", &withoutResult[i])
	}
	if len(votes) < 2 {
		return nil
	}
	n := float64(len(votes))
	gap, between := min(0.05, 0.002*n), min(0.3, 0.012*n) // of a candidate's place, which may be half of the picture
	ends = slices.DeleteFunc(slices.Compact(ends), func(n int) bool { return n == 0 || n == len(votes) })
	step := 100 / (n - gap + between*float64(len(ends)))
	gaps := 0
	for i := range votes {
		if slices.Contains(ends, i) {
			gaps++
		}
		votes[i].X, votes[i].W = round((float64(i)+between*float64(gaps))*step), round(step*(1-gap))
	}
	return votes
}
