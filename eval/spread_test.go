package eval

import (
	"fmt"
	"testing"
)

// Lots at different offsets share no question while the set is large enough.
func TestSpread_Offset(t *testing.T) {
	list := func(n int) (out []Question) {
		for i := range n {
			out = append(out, Question{ID: fmt.Sprint(i)})
		}
		return out
	}
	for _, test := range []struct{ all, n, offset, offset2, shared int }{
		{167, 40, 0, 1, 0}, {167, 40, 0, 2, 0}, {167, 40, 0, 3, 0}, {167, 40, 1, 3, 0}, {60, 20, 0, 1, 0}, {60, 20, 1, 2, 0},
		{60, 40, 0, 1, 20}, {60, 40, 0, 0, 40}, {5, 9, 0, 3, 5}, {10, 10, 0, 3, 10},
	} {
		first := map[string]bool{}
		for _, q := range spread(list(test.all), test.n, test.offset) {
			first[q.ID] = true
		}
		shared := 0
		for _, q := range spread(list(test.all), test.n, test.offset2) {
			if first[q.ID] {
				shared++
			}
		}
		if len(first) != min(test.n, test.all) || shared != test.shared {
			t.Errorf("%+v: %d questions, %d shared", test, len(first), shared)
		}
	}
	// What 40 of 60 leave out is the third lot of 20.
	in := map[string]bool{}
	for _, q := range spread(list(60), 40, 0) {
		in[q.ID] = true
	}
	for _, q := range spread(list(60), 20, 2) {
		if in[q.ID] {
			t.Errorf("%s is among both", q.ID)
		}
	}
}
