package llm

// Kind is kind.
type Kind = kind

// The kinds of errors, for tests.
const (
	Canceled    = kindCanceled
	CircuitOpen = kindCircuitOpen
	Refused     = kindKeyRefused
	Malformed   = kindMalformed
	RateLimited = kindRateLimited
	Rejected    = kindRejected
	Timeout     = kindTimeout
	Unavailable = kindUnavailable
)

// KindOf returns the kind of a failed call.
func KindOf(err error) kind { return kindOf(err) }
