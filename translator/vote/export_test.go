package vote

// Equal and Fingerprint are what the tests of grouping compare by.
var (
	Equal       = equal
	Fingerprint = fingerprint
)

// The grades, for tests.
const (
	Easy   = easy
	Medium = medium
	Hard   = hard
	Extra  = extra
)
