package vote

import "askpg/ask"

// Equal says whether two results are of one group.
func Equal(a, b *ask.Result, ordered bool) bool {
	x, y := newTable(a), newTable(b)
	return x.fingerprint(ordered) == y.fingerprint(ordered) || x.near(y, ordered)
}

// Fingerprint returns the fingerprint of a result.
func Fingerprint(r *ask.Result, ordered bool) string { return newTable(r).fingerprint(ordered) }

// The grades, for tests.
const (
	Easy   = easy
	Medium = medium
	Hard   = hard
	Extra  = extra
)
