package proxy

import "askpg/ask"

// errLost says that what the server sends can't be told to be the answer to
// what it was sent. The message is PostgreSQL's own.
var errLost = &ask.Error{
	Code:    ask.CodeProtocolViolation,
	Message: "terminating connection because protocol synchronization was lost",
	Detail:  "askpg can't tell any more which request a message of the server answers.",
}

// lose ends what the session relays because it has lost step with the server.
// The caller tells the client, with the error that it returns, and closes the connections. It is called with
// mu held.
func (s *session) lose(reason string, why error) error {
	s.become(stateEnded)
	s.srv.metrics.lost.WithLabelValues(reason).Inc()
	s.log.Warn("the session has lost step with the server and ends", "reason", reason, "error", why)
	return errLost
}
