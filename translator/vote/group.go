package vote

import (
	"cmp"
	"slices"

	"askpg/ask"
)

// Ballot is one candidate's vote.
type Ballot struct {
	Result *ask.Result // nil if it did not run: it never votes
	Weight float64     // 1 for a plain vote
	Cost   float64     // of its plan
	Length int         // of its SQL
	SQL    string      // tells whether it sorts its rows
	// Volatile results differ from run to run: such a ballot is compared by
	// its SQL alone, which the caller sets as Key.
	Volatile bool
	Key      string
	// Echo says that the ballot repeats another one's, which is in the same
	// group: it never stands for it.
	Echo bool
}

// Group is the ballots whose results agree.
type Group struct {
	Members     []int // indexes of ballots; the representative comes first
	Votes       float64
	Fingerprint string
	Blank       bool // no rows, or NULLs only

	table *table
}

// Groups groups the ballots by result, those with most votes first, equal
// ones by their cheapest plan. The representative of a group is its member
// with the cheapest plan, of equal ones the shortest, of equal ones the first;
// where half of the group or more sorts its rows, it is one of those that sort
// them in the way that most do.
func Groups(ballots []Ballot, ordered bool) []Group {
	var groups []Group
	byPrint := make(map[string]int)
	for i, b := range ballots {
		if b.Result == nil {
			continue
		}
		t := newTable(b.Result)
		fp := t.fingerprint(ordered)
		if b.Volatile {
			fp = "v:" + b.Key
		}
		g, ok := byPrint[fp]
		if !ok && !b.Volatile {
			g = slices.IndexFunc(groups, func(g Group) bool { return g.table != nil && g.table.near(t, ordered) })
			ok = g >= 0
		}
		if !ok {
			g = len(groups)
			groups = append(groups, Group{Fingerprint: fp, Blank: Blank(b.Result)})
			if !b.Volatile {
				groups[g].table = t
			}
		}
		byPrint[fp] = g
		groups[g].Members = append(groups[g].Members, i)
		groups[g].Votes += b.Weight
	}
	better := func(a, b int) int {
		x, y := ballots[a], ballots[b]
		return cmp.Or(count(x.Echo)-count(y.Echo), cmp.Compare(x.Cost, y.Cost), x.Length-y.Length, a-b)
	}
	for i := range groups {
		slices.SortStableFunc(groups[i].Members, better)
		sortedFirst(groups[i].Members, ballots)
	}
	slices.SortStableFunc(groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Votes, a.Votes), better(a.Members[0], b.Members[0]))
	})
	return groups
}

// blankShare is the share of the votes that a blank group needs against
// groups that say something: an empty result is more often a wrong literal
// than an answer.
const blankShare = 2.0 / 3

// Winner returns the index of the group that won, and whether another one has
// as many votes. Blank groups win only if there is no other, or with
// blankShare of the votes while literals says that their literals were
// checked. The index is -1 if there are no groups.
func Winner(groups []Group, literals bool) (index int, tie bool) {
	if len(groups) == 0 {
		return -1, false
	}
	total := 0.0
	for _, g := range groups {
		total += g.Votes
	}
	index = slices.IndexFunc(groups, func(g Group) bool {
		return !g.Blank || literals && g.Votes >= blankShare*total-1e-9
	})
	if index < 0 {
		return 0, len(groups) > 1 && groups[1].Votes == groups[0].Votes
	}
	for i, g := range groups {
		if i != index && g.Votes == groups[index].Votes && !g.Blank {
			tie = true
		}
	}
	return index, tie
}
