package search

import "testing"

// TestMistyped_Accent: of an accent without its letter nothing is left to look for.
func TestMistyped_Accent(t *testing.T) {
	x := &Index{parts: []*indexPart{{sorted: []string{"orders"}}}}
	if out := x.mistyped(queryTerm{}, nil); len(out) > 0 {
		t.Error(out)
	}
}
