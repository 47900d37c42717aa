package wire

// Relay is the core of a relay between a frontend and a backend: the bytes of either side go
// in, and what is to be done comes out. It does no I/O, and it is the only place that reads the
// messages of a session, whoever moves its bytes. It is not safe for concurrent use.
//
// The Order in it knows which requests are unanswered; see there for what may be injected.
type Relay struct {
	Order
	frontend Walker
	backend  Walker
	// unreadable: a message of the frontend has an invalid length; the backend judges what follows.
	unreadable bool
	// discards: a message that the relay answered has failed, so the frontend's messages are
	// discarded up to a Sync.
	discards bool
	// injected: the backend's current message answers a request of the relay's own.
	injected bool
	// withheld: the backend's current message is kept back, for Observer.Rewrite.
	withheld bool
	drop     int64  // bytes of the frontend's current message that are still to be discarded
	answers  []byte // what the backend has answered to the relay's own requests
	message  []byte // a message that is withheld, as far as it has come
	head     [HeadLen]byte
	// Messages counts those that were passed on since they were counted last.
	Messages struct{ Frontend, Backend int }
}

// maxInjected bounds, in bytes, the answers to the relay's own requests, and a message that is withheld.
const maxInjected = 1 << 20

// Action is what comes next for the frontend's bytes that have not been forwarded.
type Action byte

const (
	// Hold: they are the beginning of a message that has to be seen whole, or there are none left.
	Hold Action = iota
	// Again: there may be more to do; call FromFrontend again with them.
	Again
	// Wait: the backend has to answer a request before another one is sent.
	Wait
	// Answer: they begin with a message that the relay itself answers.
	Answer
)

// Step is what to do with bytes of the frontend: forward so many, pass so many over, then act.
type Step struct {
	Forward, Discard int
	Next             Action
}

// Decision says whose a message of the frontend is.
type Decision byte

const (
	// Backends: it is passed on.
	Backends Decision = iota
	// Undecided: more of it has to be seen.
	Undecided
	// Relays: the relay answers it.
	Relays
)

// Policy decides about the frontend's messages.
type Policy interface {
	// Decide is called at the beginning of each message, in the login too, and again with more of
	// it after Undecided. It is not called for messages that are discarded, nor for CopyData that
	// comes in runs. b begins with the message, and may end within it or behind it. After Relays
	// the message stays where it is until Take; without that FromFrontend asks again.
	Decide(b []byte) Decision
	// Forwarding is told of each message that is about to be sent to the backend.
	Forwarding(typ byte)
}

// FromFrontend follows bytes that the frontend has sent, up to the first message that can't just
// be passed on.
func (r *Relay) FromFrontend(b []byte, p Policy) (s Step) {
	if r.drop > 0 && len(b) > 0 {
		n := min(r.drop, int64(len(b)))
		r.drop -= n
		return Step{Discard: int(n), Next: Again}
	}
	n := 0
	for n < len(b) {
		if r.unreadable {
			return Step{Forward: len(b)}
		}
		if !r.frontend.Open() {
			typ := b[n]
			if r.discards && typ != Sync && typ != Terminate {
				return r.discard(b, n)
			}
			r.discards = r.discards && typ != Sync
			if typ == CopyData {
				if k, messages := Run(b[n:]); k > 0 {
					n += k
					r.Messages.Frontend += messages
					continue
				}
			}
			if r.Full() {
				return Step{Forward: n, Next: Wait}
			}
			switch p.Decide(b[n:]) {
			case Undecided:
				return Step{Forward: n}
			case Relays:
				return Step{Forward: n, Next: Answer}
			}
			r.Forwards(typ, p)
			r.Messages.Frontend++
		}
		k, _, err := r.frontend.Step(b[n:])
		r.unreadable = err != nil
		n += k
	}
	return Step{Forward: n}
}

// discard passes the message over that begins at b[n].
func (r *Relay) discard(b []byte, n int) Step {
	size, err := MessageLen(b[n:])
	switch {
	case err != nil:
		r.unreadable = true
		return Step{Forward: n, Next: Again}
	case size == 0:
		return Step{Forward: n}
	}
	now := min(size, int64(len(b)-n))
	r.drop = size - now
	return Step{Forward: n, Discard: int(now), Next: Again}
}

// Forwards takes note of a message that is about to be sent to the backend, whether the frontend
// has sent it or the relay in its place.
func (r *Relay) Forwards(typ byte, p Policy) {
	r.Frontend(typ)
	p.Forwarding(typ)
}

// Take takes the message that FromFrontend has stopped at out of what is forwarded. left is how many bytes of it are still
// to come; they are discarded.
func (r *Relay) Take(left int64) { r.drop = left }

// GiveBack is called for a message that was taken and is the backend's after all: part, which is
// what has come of it, is about to be sent. What follows is forwarded as it comes.
func (r *Relay) GiveBack(part []byte, p Policy) {
	r.Forwards(part[0], p)
	_, _, err := r.frontend.Step(part)
	r.unreadable = r.unreadable || err != nil
	r.drop = 0
}

// DiscardToSync discards what the frontend sends up to its next Sync, as the backend does after an error.
func (r *Relay) DiscardToSync() { r.discards = true }

// Between says whether both sides stand between two messages of which nothing is kept back.
func (r *Relay) Between() bool {
	return !r.frontend.Open() && !r.backend.Open() && !r.unreadable && !r.discards && r.drop == 0
}

// HalfSent says whether the frontend has been sent the beginning of a message and not its end.
func (r *Relay) HalfSent() bool { return r.backend.Open() && !r.injected && !r.withheld }

// Observer is told of the backend's messages.
type Observer interface {
	// Withholds says whether a message that begins is kept back until it is complete, for Rewrite.
	Withholds(typ byte) bool
	// Rewrite returns what the frontend is sent in the place of a message that was withheld. With an error
	// nothing is, and the session has to end.
	Rewrite(message []byte) ([]byte, error)
	// Passing is told of the pieces of BackendKeyData and ParameterStatus.
	Passing(typ byte, piece []byte, complete bool)
	// Received is told of each complete message, of which head is what Walker.Head returns, but not of
	// the rows and COPY data that come in runs. injected says that it answers a request of the relay's own.
	Received(head []byte, injected bool)
}

// FromBackend follows bytes that the backend has sent and returns those that are for the frontend: all but what
// answers requests of the relay's own. b may be overwritten. After an error, which is ErrLength,
// ErrUnexpected, ErrUnknowable, or one of Rewrite's, the session has to end; out is to be sent before.
func (r *Relay) FromBackend(b []byte, o Observer) (out []byte, err error) {
	p := passage{bytes: b}
	for err == nil && p.at < len(p.bytes) {
		var passed bool
		if !r.backend.Open() {
			if passed, err = r.passRun(&p); passed || err != nil {
				continue
			}
			typ := p.bytes[p.at]
			r.injected = r.AnswersInjected(typ)
			r.withheld = !r.injected && o.Withholds(typ)
			r.Messages.Backend++
		}
		err = r.passPiece(&p, o)
	}
	return p.bytes[:p.passed], err
}

// passage is bytes of the backend on their way to the frontend: bytes[:passed] are for it, and bytes[at:] have not been
// looked at.
type passage struct {
	bytes      []byte
	at, passed int
}

// pass lets the next n bytes pass.
func (p *passage) pass(n int) {
	if p.passed != p.at {
		copy(p.bytes[p.passed:], p.bytes[p.at:p.at+n])
	}
	p.at, p.passed = p.at+n, p.passed+n
}

// insert puts what is sent in the place of a message before the bytes that have not been looked at. Between those and
// what has passed are no more than the message's last bytes.
func (p *passage) insert(instead []byte) {
	if p.passed+len(instead) > p.at {
		p.bytes = append(append(append([]byte(nil), p.bytes[:p.passed]...), instead...), p.bytes[p.at:]...)
		p.at = p.passed + len(instead)
	} else {
		copy(p.bytes[p.passed:], instead)
	}
	p.passed += len(instead)
}

// passRun lets complete rows and COPY data pass that come in a run.
func (r *Relay) passRun(p *passage) (passed bool, err error) {
	b := p.bytes[p.at:]
	if b[0] != DataRow && b[0] != CopyData || r.AwaitsInjected() {
		return false, nil
	}
	n, messages := Run(b)
	if n == 0 {
		return false, nil
	}
	if err := r.Backend(b[:n]); err != nil {
		return false, err
	}
	r.Messages.Backend += messages
	p.pass(n)
	return true, nil
}

// passPiece follows the current message as far as it has come.
func (r *Relay) passPiece(p *passage, o Observer) error {
	n, complete, err := r.backend.Step(p.bytes[p.at:])
	if err != nil {
		return err
	}
	piece, typ, head := p.bytes[p.at:p.at+n], r.backend.Type(), r.backend.Head()
	if complete && (p.passed != p.at || r.withheld) {
		head = append(r.head[:0], head...) // what is kept is moved, maybe over it
	}
	switch {
	case r.injected:
		p.at += n
		err = collect(&r.answers, piece)
	case r.withheld:
		p.at += n
		if err = collect(&r.message, piece); err == nil && complete {
			var instead []byte
			if instead, err = o.Rewrite(r.message); err == nil {
				r.message = nil
				p.insert(instead)
			}
		}
	default:
		if typ == BackendKeyData || typ == ParameterStatus {
			o.Passing(typ, piece, complete)
		}
		p.pass(n)
	}
	if err != nil || !complete {
		return err
	}
	o.Received(head, r.injected)
	return r.Backend(head)
}

// collect adds a piece of a message that is kept back.
func collect(to *[]byte, piece []byte) error {
	if len(*to)+len(piece) > maxInjected {
		return ErrUnexpected
	}
	*to = append(*to, piece...)
	return nil
}

// Inject takes note of requests of the relay's own that are about to be sent. What was answered to earlier ones is
// forgotten.
func (r *Relay) Inject(types ...byte) {
	r.answers = r.answers[:0]
	for _, typ := range types {
		r.Injects(typ)
	}
}

// Answers returns what the backend has answered to the relay's own requests, and forgets it.
func (r *Relay) Answers() []byte {
	answers := r.answers
	r.answers = nil
	return answers
}
