package eval

// The causes of failures and an error, for tests.
const (
	CauseAnswered = causeAnswered
	CauseFailed   = causeFailed
	CauseLiteral  = causeLiteral
	CauseOrder    = causeOrder
	CauseRefused  = causeRefused
)

// Fetch is fetch.
var Fetch = fetch

// ErrNotRecorded is errNotRecorded.
var ErrNotRecorded = errNotRecorded
