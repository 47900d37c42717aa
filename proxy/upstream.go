package proxy

import (
	"bytes"
	"time"

	"askpg/wire"
)

// upstream is what is kept of the client's messages by who deals with them: the driver, and while a message is answered
// the goroutine that does.
type upstream struct {
	verdict verdict // on the message that the core has stopped at
	// modeSeen: askpg.mode may have been set to auto, in which a text that is no SQL is a question, or the server said so.
	// Whether the session is in that mode the server says when such a text comes.
	modeSeen bool
	executed uint64 // how often settings may have changed
	// unsynced: settings may have changed since the last Sync.
	unsynced bool
	info     *sessionInfo
	infoAt   uint64 // executed when info was read

	statements map[string]*statement
	portals    map[string]*portal
	marks      uint64              // portals that were marked, see turn.mark
	onPrimary  map[string][]string // the chosen SQL in the server's statements that have some, by their names
	conversation
}

// maxHeld is how much of the client is read while a message of it is being answered; a
// client that sends more is not read until the answer is out.
const maxHeld = 64 << 10

// terminate is a Terminate message.
var terminate = []byte{wire.Terminate, 0, 0, 0, 4}

// fromClient follows what the client has sent. It is false if nothing of the client's is relayed any more.
func (s *session) fromClient(b []byte) (step wire.Step, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ends() {
		return step, false
	}
	step = s.core.FromFrontend(b, s)
	if step.Next == wire.Answer && s.state == stateLogin && s.verdict.kind != farewell && s.verdict.kind != foreignBinding {
		step.Next = wire.Wait // a client may send statements right behind its startup packet
	}
	if n := s.core.Messages.Frontend; n > 0 {
		s.srv.metrics.clientMessages.Add(float64(n))
		s.core.Messages.Frontend = 0
	}
	s.idleSince = time.Time{}
	return step, true
}

// waits says whether the server has to answer before the client's next message is dealt with. It is called with mu held.
func (s *session) waits() bool { return s.core.Full() || s.state == stateLogin }

// Decide says whether a message is for askpg. It is called with mu held.
func (s *session) Decide(b []byte) wire.Decision {
	switch s.verdict = s.judge(b); s.verdict.kind {
	case foreign:
		return wire.Backends
	case unknown:
		return wire.Undecided
	}
	return wire.Relays
}

// Forwarding takes note of a message that is about to go to the server. It is called with mu held.
//
// Settings may have changed whenever the server may have run a function. It also does so without an Execute: planning,
// for a Bind, calls immutable functions, and reading the values of a Bind calls those of a domain's CHECK.
func (s *session) Forwarding(typ byte) {
	switch typ {
	case wire.Query, wire.Execute, wire.FunctionCall, wire.Parse, wire.Bind, wire.Describe:
		s.executed++
		s.unsynced = true
	case wire.Sync: // ends the implicit transaction, with what was set in it
		if s.unsynced {
			s.executed++
			s.unsynced = false
		}
	case wire.Terminate:
		s.terminated = true
	}
}

// beginAnswer has a goroutine answer the message that b begins with and on which the core has stopped. What is behind it
// in b waits, before what has come meanwhile: after an answer another goroutine reads the client.
func (s *session) beginAnswer(b []byte) {
	s.mu.Lock()
	v := s.verdict
	n := min(v.size, int64(len(b)))
	s.core.Take(v.size - n)
	s.held = append(bytes.Clone(b[n:]), s.held...)
	s.become(stateAnswering)
	s.mu.Unlock()
	message := bytes.Clone(b[:n])
	s.answering.Add(1)
	go func() {
		err := s.serve(message, v)
		driver := s.currentDriver()
		s.answering.Done()
		driver.answered(err)
	}()
}

// refuseBinding ends a login that binds to another certificate than the server's.
func (s *session) refuseBinding() error {
	s.log.Info("login refused", "error", errBinding)
	_ = s.writeClient(s.srv.errorResponse(severityFatal, errBinding))
	return errBinding
}

// clientLeft takes note that the client has left while a message of it is answered, which ends the answer. It is false if none is.
func (s *session) clientLeft(err error) bool {
	s.mu.Lock()
	if s.state != stateAnswering {
		s.mu.Unlock()
		return false
	}
	s.clientEnd = err
	abandon := s.abandon
	s.mu.Unlock()
	if abandon != nil {
		abandon(errClientLeft)
	}
	return true
}

// forward passes a message on to the server, or sends one in the client's place.
func (s *session) forward(message []byte) error {
	s.mu.Lock()
	s.core.Forwards(message[0], s)
	s.mu.Unlock()
	return s.writeServer(message)
}

// giveBack passes a message of the client on after all, as far as it has come; the rest is relayed as it comes.
func (s *session) giveBack(part []byte) error {
	s.mu.Lock()
	s.core.GiveBack(part, s)
	s.mu.Unlock()
	return s.writeServer(part)
}
