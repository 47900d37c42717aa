package vote_test

import (
	"testing"

	"askpg/ask"
	"askpg/translator/vote"
)

func ballots(results ...*ask.Result) []vote.Ballot {
	var out []vote.Ballot
	for _, r := range results {
		out = append(out, vote.Ballot{Result: r, Weight: 1})
	}
	return out
}

func TestWinner(t *testing.T) {
	one, two, empty, nulls := result("int", "1"), result("int", "2"), result("int"), result("int", "∅")
	for _, tt := range []struct {
		name     string
		ballots  []vote.Ballot
		literals bool
		want     int // index of the ballot that represents the winner, -1 for none
		tie      bool
		votes    float64
	}{
		{"none", nil, true, -1, false, 0},
		{"failures do not vote", ballots(nil, nil, one), true, 2, false, 1},
		{"majority", ballots(one, two, two), true, 1, false, 2},
		{"tie", ballots(one, two), true, 0, true, 1},
		{"tie, the cheaper plan first", []vote.Ballot{{Result: one, Weight: 1, Cost: 9}, {Result: two, Weight: 1, Cost: 3}}, true, 1, true, 1},
		{"an echo stands for nothing", []vote.Ballot{
			{Result: one, Weight: 1, Echo: true, SQL: "select x from t order by 1"}, {Result: one, Weight: 1, Cost: 3, SQL: "select x from t order by 1"}}, true, 1, false, 2},
		{"empty unopposed", ballots(empty, empty), false, 0, false, 2},
		{"empty loses to a value", ballots(empty, one), true, 1, false, 1},
		{"empty with half", ballots(empty, empty, one, two), true, 2, true, 1},
		{"empty with two thirds", ballots(empty, empty, one), true, 0, false, 2},
		{"empty with two thirds, literals unchecked", ballots(empty, empty, one), false, 2, false, 1},
		{"empty and NULLs are not the same", ballots(empty, nulls, nulls), true, 1, false, 2},
		{"weights", []vote.Ballot{{Result: one, Weight: 0.5}, {Result: one, Weight: 0.5}, {Result: two, Weight: 1.5}}, true, 2, false, 1.5},
		{"volatile results agree by their SQL", []vote.Ballot{
			{Result: one, Weight: 1, Volatile: true, Key: "q"}, {Result: two, Weight: 1, Volatile: true, Key: "q"}}, true, 0, false, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			groups := vote.Groups(tt.ballots, false)
			i, tie := vote.Winner(groups, tt.literals)
			if i < 0 {
				if tt.want != -1 {
					t.Fatal("no winner")
				}
				return
			}
			if groups[i].Members[0] != tt.want || tie != tt.tie || groups[i].Votes != tt.votes {
				t.Fatalf("ballot %d with %v votes (tie %v) won, want %d with %v (tie %v)",
					groups[i].Members[0], groups[i].Votes, tie, tt.want, tt.votes, tt.tie)
			}
		})
	}
}

func TestStop(t *testing.T) {
	one, two, empty := result("int", "1"), result("int", "2"), result("int")
	for _, tt := range []struct {
		name      string
		ballots   []vote.Ballot
		remaining int
		want      bool
	}{
		{"nothing yet", nil, 4, false},
		{"two agree", ballots(one, one), 4, false},
		{"three agree", ballots(one, one, one), 4, true},
		{"two against one", ballots(one, one, two), 4, false},
		{"two against one, none left", ballots(one, one, two), 0, true},
		{"can't be overtaken", ballots(one, one), 1, true},
		{"can be caught up with", ballots(one, one, two), 1, false},
		{"three agree on nothing", ballots(empty, empty, empty), 4, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := vote.Stop(vote.Groups(tt.ballots, false), tt.remaining, vote.StopProbability); got != tt.want {
				t.Fatalf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestGroups_RepresentativeSorts(t *testing.T) {
	up, down := result("int", "1", "2", "3"), result("int", "3", "2", "1")
	plain := vote.Ballot{Result: down, Weight: 1, Cost: 1, SQL: "SELECT n FROM t"}
	asc := vote.Ballot{Result: up, Weight: 1, Cost: 2, SQL: "SELECT n FROM t ORDER BY n"}
	desc := vote.Ballot{Result: down, Weight: 1, Cost: 1.5, SQL: "SELECT n FROM t ORDER BY n DESC"}
	for _, tt := range []struct {
		name    string
		ballots []vote.Ballot
		want    int
	}{
		{"half sorts", []vote.Ballot{plain, asc}, 1},
		{"most sort, in the order that most have", []vote.Ballot{plain, desc, asc, asc}, 2},
		{"few sort", []vote.Ballot{plain, plain, asc}, 0},
		{"nobody sorts", []vote.Ballot{plain, plain}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			groups := vote.Groups(tt.ballots, false)
			if len(groups) != 1 || groups[0].Members[0] != tt.want {
				t.Errorf("got %+v, want ballot %d to represent one group", groups, tt.want)
			}
		})
	}
}
