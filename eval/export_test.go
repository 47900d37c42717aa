package eval

import "fmt"

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

// Summary returns the figures of a system on a set.
func (r *Report) Summary(set, system string) (Summary, error) {
	for _, s := range r.Systems {
		if s.Set == set && s.System == system {
			return s, nil
		}
	}
	return Summary{}, fmt.Errorf("eval: the report has no figures of %s on %s", system, set)
}
