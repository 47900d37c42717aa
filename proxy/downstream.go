package proxy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"time"

	"askpg/ask"
	"askpg/wire"
	"askpg/wire/scram"
)

// downstream is what is kept of the server's messages by who reads them.
type downstream struct {
	binding binding
	raw     wire.Walker // of a replication session
}

// binding is what becomes of SCRAM channel binding between a client and the server in a relayed login.
type binding byte

const (
	bindingPasses  binding = iota
	bindingHidden          // the client has no TLS, so it is not offered
	bindingForeign         // the client sees another certificate than the server's, so it can't work
	bindingOffered         // and the server has offered it
)

var errDownstream = errors.New("the server broke the protocol")

// fromServer follows what the server has sent and returns what is for the client. After an error the session ends once
// that is sent. b may be overwritten.
func (s *session) fromServer(b []byte) (out []byte, err error) {
	s.srv.metrics.fromServer.Add(float64(len(b)))
	s.mu.Lock()
	defer s.mu.Unlock()
	out, err = s.core.FromBackend(b, s)
	s.srv.metrics.serverMessages.Add(float64(s.core.Messages.Backend))
	s.core.Messages.Backend = 0
	s.idleSince = time.Time{}
	s.wake()
	if err == nil {
		return out, nil
	}
	switch {
	case errors.Is(err, wire.ErrUnknowable):
		err = s.lose("unknowable", err)
	case errors.Is(err, wire.ErrUnexpected):
		err = s.lose("unexpected", err)
	case errors.Is(err, wire.ErrLength):
		return out, errDownstream
	default:
		s.become(stateEnded)
	}
	return append(slices.Clip(out), s.srv.errorResponse(severityFatal, err)...), err
}

// Withholds says whether a message of the server's login is changed on its way.
func (s *session) Withholds(typ byte) bool {
	return s.state == stateLogin && (typ == wire.Authentication && s.binding == bindingHidden ||
		typ == wire.ReadyForQuery && s.set.Listen.MaxSessionsPerUser > 0 && !s.counted)
}

// Rewrite takes channel binding out of what the server offers, and refuses a user's session that is one too many.
func (s *session) Rewrite(message []byte) ([]byte, error) {
	if message[0] == wire.Authentication {
		return stripPlus(message), nil
	}
	return message, s.srv.countUser(s)
}

// Passing keeps the cancel key and, for a connection that can be reused, the server's parameters.
func (s *session) Passing(typ byte, piece []byte, complete bool) {
	switch {
	case typ == wire.BackendKeyData && s.state == stateLogin && len(s.key) < wire.HeaderLen+260:
		s.key = append(s.key, piece...)
	case typ == wire.ParameterStatus && s.reused != nil:
		s.reused.Report(piece, complete)
	}
}

// Received takes note of what the server's messages say about the session.
func (s *session) Received(head []byte, injected bool) {
	switch head[0] {
	case wire.ReadyForQuery:
		if len(head) > wire.HeaderLen && head[wire.HeaderLen] == wire.StatusIdle && !injected {
			s.ended = endedAll
		}
		if s.state == stateLogin {
			s.logIn()
		}
	case wire.Authentication:
		if s.binding >= bindingForeign {
			s.binding = bindingForeign
			if len(head) >= wire.HeaderLen+4 && binary.BigEndian.Uint32(head[wire.HeaderLen:]) == wire.AuthSASL {
				s.binding = bindingOffered
			}
		}
	case wire.ErrorResponse:
		if !injected {
			s.srv.metrics.countError(sideServer, wire.ErrorCode(head))
		}
	case wire.CommandComplete:
		if !injected {
			s.noteTag(head[wire.HeaderLen:])
		}
	}
}

// noteTag takes note of commands that end what belongs to statements and
// portals.
func (s *session) noteTag(tag []byte) {
	tag, _, _ = bytes.Cut(tag, []byte{0})
	switch string(tag) {
	case "COMMIT", "PREPARE TRANSACTION", "CLOSE CURSOR ALL":
		s.ended = endedAll
	case "ROLLBACK":
		s.ended = max(s.ended, endedSinceSavepoint)
	case "DEALLOCATE ALL":
		s.cleared = max(s.cleared, clearedStatements)
	case "DISCARD ALL":
		s.cleared = clearedSession
	case "LOAD":
		s.unfit = true // a library can't be unloaded
	}
}

// logIn is called at the first ReadyForQuery, with mu held.
func (s *session) logIn() {
	s.become(stateRelaying)
	s.arrived()
	if len(s.key) > wire.HeaderLen {
		s.key = s.key[wire.HeaderLen:]
		s.srv.mu.Lock()
		s.srv.keys[string(s.key)] = s
		s.srv.mu.Unlock()
	} else {
		s.key = nil
	}
	if s.login != nil {
		s.login.Stop()
	}
	s.srv.metrics.logins.Observe(time.Since(s.began).Seconds())
}

// trackReplication follows the server's messages of a replication session: whether it waits for a
// command, streams, or does what can't be taken up again.
func (s *session) trackReplication(b []byte) {
	received := 0
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(b) > 0 && s.replication != replicationUnreadable {
		n, complete, err := s.raw.Step(b)
		if err != nil {
			s.replication = replicationUnreadable
			return
		}
		head := s.raw.Head()
		if head[0] == wire.BackendKeyData && s.state == stateLogin && len(s.key) < wire.HeaderLen+260 {
			s.key = append(s.key, b[:n]...)
		}
		b = b[n:]
		if !complete {
			break
		}
		received++
		switch head[0] {
		case wire.ReadyForQuery:
			s.replication = replicationIdle
			if s.state == stateLogin {
				s.logIn()
			}
		case wire.CopyBothResponse:
			s.replication = replicationStreams
		case wire.CopyDone:
			s.replication = replicationBusy
		case wire.ErrorResponse:
			s.srv.metrics.countError(sideServer, wire.ErrorCode(head))
		}
	}
	s.srv.metrics.serverMessages.Add(float64(received))
}

// errBinding is for a client that binds its authentication to the certificate
// that it sees: the server, which sees another, would take that for an attack.
var errBinding = &ask.Error{
	Code:    "28000",
	Message: "SCRAM channel binding can't pass through askpg, which ends the TLS connection",
	Detail:  "The client binds its authentication to the certificate of askpg, and the server expects its own.",
	Hint:    "Connect with channel_binding=disable, or give askpg the server's certificate (tls.cert), or take TLS off one side (primary.sslmode = \"disable\").",
}

// bindsToForeign says whether a client's message begins SASL authentication with
// a channel binding that can't work. b is its beginning; more says that more
// of it has to be seen.
func (s *session) bindsToForeign(b []byte) (binds, more bool) {
	if s.state != stateLogin || s.binding != bindingOffered {
		return false, false
	}
	body := b[min(len(b), wire.HeaderLen):]
	if len(body) <= len(scram.MechanismPlus) {
		size, err := wire.MessageLen(b)
		return false, err == nil && (size == 0 || int64(len(b)) < size)
	}
	return string(body[:len(scram.MechanismPlus)]) == scram.MechanismPlus && body[len(scram.MechanismPlus)] == 0, false
}

// stripPlus takes the mechanisms with channel binding out of an
// AuthenticationSASL message. It is used where the client's side has no TLS
// and the server's has: such a client can't bind to anything, and libpq gives
// up if it is offered. Without TLS the client says that it does not support
// channel binding, which the server accepts.
func stripPlus(message []byte) []byte {
	body := message[wire.HeaderLen:]
	if len(body) < 4 || binary.BigEndian.Uint32(body) != wire.AuthSASL {
		return message
	}
	out := append([]byte(nil), message[:wire.HeaderLen+4]...)
	list := body[4:]
	for len(list) > 0 && list[0] != 0 {
		name, rest, ok := wire.CutString(list)
		if !ok {
			return message
		}
		if !strings.HasSuffix(string(name), "-PLUS") {
			out = append(append(out, name...), 0)
		}
		list = rest
	}
	out = append(out, 0)
	binary.BigEndian.PutUint32(out[1:], uint32(len(out)-1))
	return out
}
