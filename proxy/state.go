package proxy

import (
	"slices"
)

// state is where a session is in its life. docs/sessions.md has the diagram.
type state byte

const (
	// stateLogin: the client logs in; the server has not sent its first ReadyForQuery.
	stateLogin state = iota
	// stateRelaying: messages pass.
	stateRelaying
	// stateAnswering: a goroutine answers a message of the client. What the client sends meanwhile waits.
	stateAnswering
	// stateClientLeft: the client has closed its connection. The server is waited for, and its answers are relayed.
	stateClientLeft
	// stateServerLeft: the server has closed its connection. The client gets what the server said last.
	stateServerLeft
	// stateReleased: the client has ended the session, and its server connection is reset for another client.
	stateReleased
	// stateEnded: askpg ends the session. Nothing is relayed any more, and the client has been told why, if that was possible.
	stateEnded

	states
)

// transitions are those of the diagram, by the state that they begin in.
var transitions = [states][]state{
	stateLogin:      {stateRelaying, stateClientLeft, stateServerLeft, stateEnded},
	stateRelaying:   {stateAnswering, stateClientLeft, stateServerLeft, stateReleased, stateEnded},
	stateAnswering:  {stateRelaying, stateClientLeft, stateServerLeft, stateReleased, stateEnded},
	stateClientLeft: {stateEnded},
	stateServerLeft: {stateEnded},
	stateReleased:   {},
	stateEnded:      {},
}

// become takes the session to a state, if the diagram has a transition from where it is, and reports whether
// it is there. It is the only place that changes the state, and is called with mu held.
func (s *session) become(to state) bool {
	if slices.Contains(transitions[s.state], to) {
		s.state = to
		s.changed.Broadcast()
		return true
	}
	return s.state == to
}

// ends says whether nothing of the client's is relayed any more. It is called with mu held.
func (s *session) ends() bool { return s.state >= stateServerLeft }
