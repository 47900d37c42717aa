package translator

import (
	"testing"

	"askpg/ask"
	"askpg/translator/vote"
)

// TestWhyWon says why a group won that has fewer votes than another one, and nothing of one that has the most.
func TestWhyWon(t *testing.T) {
	groups := []vote.Group{{Fingerprint: "a", Votes: 3, Blank: true}, {Fingerprint: "b", Votes: 2}, {Fingerprint: "c", Votes: 2}}
	for _, tt := range []struct {
		win      int
		selected string
		want     ask.Won
	}{{-1, "", ""}, {0, "", ""}, {0, "a", ""}, {1, "", ask.WonByBlank}, {2, "c", ask.WonByJudge}} {
		if got := whyWon(groups, tt.win, tt.selected); got != tt.want {
			t.Errorf("group %d, selected %q: %q, want %q", tt.win, tt.selected, got, tt.want)
		}
	}
	if got := whyWon(groups[1:], 0, ""); got != "" {
		t.Errorf("of equals: %q", got)
	}
}
