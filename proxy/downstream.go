package proxy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"time"

	"askpg/ask"
	"askpg/wire"
)

// downstream is what the goroutine that reads the server keeps.
type downstream struct {
	down    wire.Walker
	holding bool // writing is held: a message of the server is half sent
	mine    bool // the message that down stands in answers a request of the session's own
	taken   bool // it is kept back for another reason
	// blindRaw: the server's messages can't be told apart any more.
	blindRaw bool
	// pendingClient is what an event loop could not write.
	pendingClient []byte
	auth          struct {
		strip   bool   // SCRAM-SHA-256-PLUS can't work: see stripPlus
		foreign bool   // it can't work either: the client sees another certificate than the server's
		offered bool   // the server has asked for SASL
		message []byte // an authentication request that is collected
	}
}

// maxOwn is the longest answer to a request of the session's own.
const maxOwn = 1 << 20

var errDownstream = errors.New("the server broke the protocol")

// relayServer relays the server's messages to the client until either side
// ends. Bytes go out as they come in, one write for each read.
func (s *session) relayServer() error {
	err := s.relayMessages()
	if s.holding && !errors.Is(err, errHandover) {
		s.holding = false
		s.writing.Unlock()
	}
	return err
}

func (s *session) relayMessages() error {
	if s.raw {
		return s.relayRaw()
	}
	if len(s.pendingClient) > 0 {
		if _, err := s.client.Write(s.pendingClient); err != nil {
			return errClientGone
		}
		s.pendingClient = nil
		s.betweenMessages()
	}
	for r := newIdleReader(s.server); ; {
		b, n, err := r.read()
		if n > 0 {
			s.srv.metrics.fromServer.Add(float64(n))
			if werr := s.fromServer((*b)[:n]); werr != nil {
				return werr
			}
			putBuffer(b)
		}
		if err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) && s.goesToLoop() {
				return errHandover
			}
			return err
		}
	}
}

func (s *session) goesToLoop() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.handover
}

// betweenMessages lets others write to the client if no message of the server
// is half sent.
func (s *session) betweenMessages() {
	if s.holding && (!s.down.Open() || s.mine || s.taken) {
		s.holding = false
		s.writing.Unlock()
	}
}

func (s *session) fromServer(b []byte) error {
	if !s.holding {
		s.writing.Lock()
		s.holding = true
	}
	s.mu.Lock()
	out, err := s.track(b)
	s.active = true
	if s.waiting {
		s.wake()
	}
	if s.parted && s.order.Answered() {
		_ = s.server.SetReadDeadline(time.Now().Add(lastWait))
	}
	s.mu.Unlock()
	if len(out) > 0 {
		if _, werr := s.client.Write(out); werr != nil && err == nil {
			err = errClientGone
		}
	}
	s.betweenMessages()
	if !s.holding && s.dismissal() != nil {
		s.drain()
	}
	return err
}

// track follows the messages in b and returns what is for the client, which
// is all of b but for what answers requests of the session's own. b may be
// overwritten.
func (s *session) track(b []byte) (out []byte, err error) {
	kept := 0 // b[:kept] is for the client
	received := 0
	defer func() { s.srv.metrics.serverMessages.Add(float64(received)) }()
	for i := 0; i < len(b); {
		if !s.down.Open() {
			if typ := b[i]; (typ == wire.DataRow || typ == wire.CopyData) && !s.order.Owned() {
				if n, messages := wire.Run(b[i:]); n > 0 {
					if err := s.order.Backend(b[i : i+n]); err != nil {
						return s.endLost(b[:kept], err)
					}
					received += messages
					if kept != i {
						copy(b[kept:], b[i:i+n])
					}
					i, kept = i+n, kept+n
					continue
				}
			}
			s.mine = s.order.Mine(b[i])
			s.taken = !s.loggedIn && (b[i] == wire.Authentication && s.auth.strip || b[i] == wire.ReadyForQuery && s.set.Listen.MaxSessionsPerUser > 0 && !s.counted)
			received++
		}
		n, complete, err := s.down.Step(b[i:])
		if err != nil {
			return b[:kept], errDownstream
		}
		chunk := b[i : i+n]
		i += n
		head := s.down.Head()
		switch {
		case s.mine:
			if len(s.own)+len(chunk) > maxOwn {
				return b[:kept], errDownstream
			}
			s.own = append(s.own, chunk...)
		case s.taken:
			if len(s.auth.message)+len(chunk) > maxOwn {
				return b[:kept], errDownstream
			}
			s.auth.message = append(s.auth.message, chunk...)
			if complete {
				// The result is never longer, and b[:i] holds the message's
				// last bytes only, so it may need a buffer of its own.
				m := stripPlus(s.auth.message)
				if head[0] == wire.ReadyForQuery {
					if err := s.srv.countUser(s); err != nil {
						// In the place of the server's word that all is well.
						return append(b[:kept:kept], s.srv.errorResponse(severityFatal, err)...), err
					}
					m = s.auth.message
				}
				if kept+len(m) <= i {
					kept += copy(b[kept:], m)
				} else {
					b = append(append(append([]byte(nil), b[:kept]...), m...), b[i:]...)
					kept += len(m)
					i = kept
				}
				s.auth.message = nil
			}
		default:
			if !s.loggedIn && head[0] == wire.BackendKeyData && len(s.key) < wire.HeaderLen+260 {
				s.key = append(s.key, chunk...)
			}
			if s.backend != nil && head[0] == wire.ParameterStatus {
				s.spoiled = s.backend.reportPart(chunk, complete) != nil || s.spoiled
			}
			if kept != i-n {
				copy(b[kept:], chunk)
			}
			kept += n
		}
		if complete {
			own := s.mine
			switch head[0] {
			case wire.ReadyForQuery:
				if len(head) > wire.HeaderLen && head[wire.HeaderLen] == wire.StatusIdle && !own {
					s.txEnded = true
				}
				if !s.loggedIn {
					s.logIn()
				}
			case wire.Authentication:
				s.auth.offered = len(head) >= wire.HeaderLen+4 && binary.BigEndian.Uint32(head[wire.HeaderLen:]) == authSASL
			case wire.ErrorResponse:
				if !own {
					s.srv.metrics.errors.add(sideServer, wire.ErrorCode(head))
				}
			case wire.CommandComplete:
				if s.watched && !own {
					s.noteTag(head[wire.HeaderLen:])
				}
			}
			if err := s.order.Backend(head); err != nil {
				return s.endLost(b[:kept], err)
			}
		}
	}
	return b[:kept], nil
}

// endLost ends the session at a message of the server's that the order does
// not know what to make of; out is what is for the client up to there.
func (s *session) endLost(out []byte, err error) ([]byte, error) {
	reason := "unexpected"
	if errors.Is(err, wire.ErrUnknowable) {
		reason = "unknowable"
	}
	err = s.lose(reason, err)
	return append(out[:len(out):len(out)], s.srv.errorResponse(severityFatal, err)...), err
}

// errBinding is for a client that binds its authentication to the certificate
// that it sees: the server, which sees another, would take that for an attack.
var errBinding = &ask.Error{
	Code:    "28000",
	Message: "SCRAM channel binding can't pass through askpg, which ends the TLS connection",
	Detail:  "The client binds its authentication to the certificate of askpg, and the server expects its own.",
	Hint:    "Connect with channel_binding=disable, or give askpg the server's certificate (tls.cert), or take TLS off one side (primary.sslmode = \"disable\").",
}

const mechanismPlus = "SCRAM-SHA-256-PLUS"

// bindsInVain says whether a client's message begins SASL authentication with
// a channel binding that can't work. b is its beginning; more says that more
// of it has to be seen.
func (s *session) bindsInVain(b []byte) (vain, more bool) {
	if s.loggedIn || !s.auth.offered || !s.auth.foreign {
		return false, false
	}
	body := b[min(len(b), wire.HeaderLen):]
	if len(body) <= len(mechanismPlus) {
		size, err := wire.MessageLen(b)
		return false, err == nil && (size == 0 || int64(len(b)) < size)
	}
	return string(body[:len(mechanismPlus)]) == mechanismPlus && body[len(mechanismPlus)] == 0, false
}

// noteTag takes note of commands that end what belongs to statements and
// portals.
func (s *session) noteTag(tag []byte) {
	tag, _, _ = bytes.Cut(tag, []byte{0})
	switch string(tag) {
	case "COMMIT", "ROLLBACK", "PREPARE TRANSACTION":
		s.txEnded = true
	case "DEALLOCATE ALL", "DISCARD ALL":
		s.cleared = true
	}
}

// logIn is called at the first ReadyForQuery.
func (s *session) logIn() {
	s.loggedIn = true
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

// relayRaw relays the server's bytes to a replication client. What is followed
// is where messages end, so that a shutdown does not fall into one.
func (s *session) relayRaw() error {
	b := getBuffer()
	defer putBuffer(b)
	for {
		n, err := s.server.Read(*b)
		if n > 0 {
			s.srv.metrics.fromServer.Add(float64(n))
			if !s.holding {
				s.writing.Lock()
				s.holding = true
			}
			s.trackRaw((*b)[:n])
			if _, werr := s.client.Write((*b)[:n]); werr != nil {
				return errClientGone
			}
			if !s.blindRaw {
				s.betweenMessages()
			}
			if !s.holding && s.dismissal() != nil {
				s.drain()
			}
		}
		if err != nil {
			return err
		}
	}
}

// trackRaw follows a replication session's messages: whether it waits for a
// command, streams, or does what can't be taken up again.
func (s *session) trackRaw(b []byte) {
	received := 0
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(b) > 0 && !s.blindRaw {
		n, complete, err := s.down.Step(b)
		if err != nil {
			s.blindRaw = true
			return
		}
		head := s.down.Head()
		if head[0] == wire.BackendKeyData && !s.loggedIn && len(s.key) < wire.HeaderLen+260 {
			s.key = append(s.key, b[:n]...)
		}
		b = b[n:]
		if !complete {
			break
		}
		received++
		switch head[0] {
		case wire.ReadyForQuery:
			s.rawBusy, s.rawStreams = false, false
			if !s.loggedIn {
				s.logIn()
			}
		case wire.CopyBothResponse:
			s.rawStreams = true
		case wire.CopyDone:
			s.rawStreams = false
		case wire.ErrorResponse:
			s.srv.metrics.errors.add(sideServer, wire.ErrorCode(head))
		}
	}
	s.srv.metrics.serverMessages.Add(float64(received))
}

// stripPlus takes the mechanisms with channel binding out of an
// AuthenticationSASL message. It is used where the client's side has no TLS
// and the server's has: such a client can't bind to anything, and libpq gives
// up if it is offered. Without TLS the client says that it does not support
// channel binding, which the server accepts.
func stripPlus(message []byte) []byte {
	body := message[wire.HeaderLen:]
	if len(body) < 4 || binary.BigEndian.Uint32(body) != authSASL {
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
