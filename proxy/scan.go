package proxy

import "askpg/wire"

// step is what relayClient does next with the bytes that scan did not pass.
type step int

const (
	stepRead  step = iota // they are the beginning of a message that is needed whole
	stepRoom              // too many requests are unanswered
	stepDrop              // a message is to be discarded
	stepServe             // a message is to be answered here
	stepEnd               // nothing is relayed any more
	stepLeave             // the client ends, and the server connection can be kept
)

// terminate is a Terminate message.
var terminate = []byte{wire.Terminate, 0, 0, 0, 4}

// scan follows the messages in b up to the first that can't just be passed
// on. It returns how many bytes can, and what to do next if none can. It is
// called with mu held.
func (s *session) scan(b []byte) (n int, next step, v verdict) {
	if s.ended {
		return 0, stepEnd, v
	}
	for n < len(b) {
		if s.blind {
			return len(b), stepRead, v
		}
		if !s.up.Open() {
			typ := b[n]
			if s.discard {
				switch typ {
				case wire.Sync:
					s.discard = false
				case wire.Terminate:
				default:
					return n, stepDrop, v
				}
			}
			if typ == wire.Terminate && s.keepable() {
				// The whole of it, or its end would come to a closed connection.
				size, err := wire.MessageLen(b[n:])
				switch {
				case err == nil && size == 0, int(size) == len(terminate) && len(b)-n < len(terminate):
					return n, stepRead, v
				case int(size) == len(terminate):
					return n, stepLeave, v
				}
			}
			if typ == wire.CopyData {
				if k, messages := wire.Run(b[n:]); k > 0 {
					n += k
					s.sent += messages
					continue
				}
			}
			if s.order.Full() {
				return n, stepRoom, v
			}
			switch v = s.judge(b[n:]); v.kind {
			case unknown:
				return n, stepRead, v
			case foreign:
			default:
				return n, stepServe, v
			}
			s.note(typ)
			s.sent++
		}
		k, _, err := s.up.Step(b[n:])
		if err != nil {
			s.blind = true
			continue
		}
		n += k
	}
	return n, stepRead, v
}

// note takes note of a message that is about to go to the server.
func (s *session) note(typ byte) {
	s.order.Frontend(typ)
	switch typ {
	case wire.Query, wire.Execute, wire.FunctionCall:
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

// forward passes a whole message on to the server.
func (s *session) forward(message []byte) error {
	s.mu.Lock()
	s.note(message[0])
	s.mu.Unlock()
	return s.writeServer(message)
}

// forwardPart passes the beginning of a message on to the server; what is
// still to come of it is relayed as it comes.
func (s *session) forwardPart(part []byte) error {
	s.mu.Lock()
	s.note(part[0])
	_, _, err := s.up.Step(part)
	s.blind = s.blind || err != nil
	s.mu.Unlock()
	s.drop = int64(len(part)) // the part itself, which is dealt with
	return s.writeServer(part)
}
