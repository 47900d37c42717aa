package wire

import (
	"bytes"
	"errors"
)

// maxOutstanding is how many unanswered requests an Order holds. A backend
// keeps at most 8 KB of answers to itself before it sends them (PostgreSQL's
// PQ_SEND_BUFFER_SIZE), and no answer is shorter than 5 bytes. So a relay that
// stops reading the frontend at this limit always gets an answer that takes it
// below.
const maxOutstanding = 1 << 16

// injected marks a request of the relay's own in the ring.
const injected = 0x80

// startup is what a session begins with: it ends with the first ReadyForQuery.
const startup = '^'

// After these errors it is not known what the backend's messages answer, and
// the session has to end.
var (
	// ErrUnexpected says that the backend sent what it can't send where the
	// model believes it to be.
	ErrUnexpected = errors.New("the server sent a message that answers nothing it was sent")
	// ErrUnknowable says that what the frontend sent into COPY leaves open which
	// of its messages the backend has executed.
	ErrUnknowable = errors.New("the client sent into COPY what leaves open which of its messages the server has executed")
)

// Order knows which requests of a session have not been answered yet, in the
// order in which the backend will answer them. It is told of every message
// before it is passed on, in either direction. The zero value is not usable;
// see Reset.
//
// It is a model of the backend (PostgreSQL 12 to 18: SocketBackend and
// PostgresMain in tcop/postgres.c, CopyGetData in commands/copyfromparse.c, which is
// commands/copy.c before 14). The first request in the ring is the one that the backend
// works on; stage says how far its answer has come, and so which messages may come
// next. Any other message is an error, and the model holds no longer.
//
// Three rules of the backend make the order:
//
//   - After an error in the extended protocol it discards everything until Sync,
//     simple queries and function calls included. After one of a Query, a
//     FunctionCall or a Sync it sends ReadyForQuery and goes on.
//   - While it reads COPY data it takes CopyData up to CopyDone or CopyFail, and
//     ignores Sync and Flush: libpq sends Parse, Bind, Execute and Sync before it
//     knows that the statement is COPY. Any other message is an error 08P01; it is not
//     executed, and from PostgreSQL 14 on the session ends.
//   - Outside of COPY it ignores CopyData, CopyDone and CopyFail.
//
// A COPY can fail before its end has been read (bad data, a trigger). Then a Sync that was
// sent before that end has been ignored if the backend read it before the failure. It is
// answered if the backend read it afterwards, and nobody but the backend knows which. Such a
// Sync leaves the ring and is counted in maybes: so many more ReadyForQuery may come than the
// ring says. A ReadyForQuery that may answer one of them, or a Sync behind them, leaves one
// answer less that may come. Any message that no Sync is answered by says that none of them
// comes any more. Requests that were sent between such a Sync and one that is surely answered
// have been executed or discarded, and nobody knows which: ErrUnknowable.
type Order struct {
	ring       []byte // circular; its length is a power of two
	first      int
	n          int
	injections int  // requests of the relay's own in the ring
	status     byte // of the last ReadyForQuery
	stage      stage
	// end is what has ended the data of the COPY that is being read: CopyDone or CopyFail.
	// It is 0 if nothing has yet, and broken if it was a message that has no place there.
	end byte
	// skipping: the backend discards until a Sync that has not been sent yet.
	skipping bool
	// doubt: the backend discards until a Sync, which may be one of maybes.
	doubt bool
	// open: the frontend has sent extended-protocol messages since the last
	// Sync, Query or FunctionCall.
	open bool
	// flushed: and a Flush behind them.
	flushed bool
	// inBlock: a transaction block is open, as far as answers have come.
	inBlock bool
	over    bool // a FATAL error has come
	ignored int  // Syncs that COPY has read or will read, unless it fails before
	maybes  int  // Syncs that may be answered, before what is in the ring but a failed Query
	small   [32]byte
}

// stage is how far the answer to the first request in the ring has come.
type stage byte

const (
	fresh   stage = iota // nothing has come
	rows                 // a RowDescription or a DataRow
	copyIn               // the backend reads COPY data
	copyOut              // it sends COPY data
	copied               // it has sent all of it
	done                 // a result has ended, another one or ReadyForQuery may follow
	failed               // an error, which ReadyForQuery follows
)

const broken = '!'

// A Query and a FunctionCall that follow a Flush in a pipeline are marked. A
// statement_timeout that has passed while the backend waited is the error of the message
// that it reads next. If that was the Flush, they are discarded.
const (
	flushedQuery = 'q'
	flushedCall  = 'x'
)

// Reset makes o the order of a session whose startup packet has been sent.
func (o *Order) Reset() {
	*o = Order{}
	o.ring = o.small[:]
	o.push(startup)
}

// Status returns the status of the last ReadyForQuery, 0 before the first.
func (o *Order) Status() byte { return o.status }

// InBlock says whether a transaction block is open, as far as answers have come: before
// ReadyForQuery the tags of commands say so. ROLLBACK TO SAVEPOINT and COMMIT AND CHAIN have the tags of
// ROLLBACK and COMMIT, so that a block may be open where it says none.
func (o *Order) InBlock() bool { return o.inBlock }

// completed takes note of the tag of a command.
func (o *Order) completed(tag []byte) {
	tag, _, _ = bytes.Cut(tag, []byte{0})
	switch string(tag) {
	case "BEGIN", "START TRANSACTION":
		o.inBlock = true
	case "COMMIT", "ROLLBACK", "PREPARE TRANSACTION":
		o.inBlock = false
	}
}

// Answered says whether every request that is surely answered has been.
func (o *Order) Answered() bool { return o.n == 0 }

// Idle says whether every request has been answered and the backend waits
// for a new one rather than for the rest of a pipeline.
func (o *Order) Idle() bool { return o.n == 0 && !o.open && !o.skipping && !o.doubt }

// CertainlyIdle says whether nothing comes any more that is not asked for: no Sync
// is left that may yet be answered.
func (o *Order) CertainlyIdle() bool { return o.Idle() && o.maybes == 0 }

// Skipping says whether the backend discards what comes until a Sync, or may
// do so.
func (o *Order) Skipping() bool { return o.skipping || o.doubt }

// Copying says whether the backend reads COPY data whose end has not been sent.
func (o *Order) Copying() bool { return o.stage == copyIn && o.end == 0 }

// Open says whether the frontend's last extended-protocol messages have not
// been followed by a Sync yet.
func (o *Order) Open() bool { return o.open }

// AwaitsInjected says whether requests of the relay's own are unanswered.
func (o *Order) AwaitsInjected() bool { return o.injections > 0 }

// Full says whether no further request may be sent before one is answered.
func (o *Order) Full() bool { return o.n >= maxOutstanding }

// Frontend takes note of a message of the frontend that is about to be sent.
func (o *Order) Frontend(typ byte) {
	if o.Copying() {
		o.frontendInCopy(typ)
		return
	}
	switch typ {
	case Parse, Bind, Describe, Execute, Close:
		if !o.skipping {
			o.push(typ)
		}
		o.open = true
	case Flush:
		o.flushed = o.open
	case Query, FunctionCall:
		if o.skipping {
			return
		}
		switch {
		case o.flushed && typ == Query:
			typ = flushedQuery
		case o.flushed:
			typ = flushedCall
		}
		o.push(typ)
		o.open, o.flushed = false, false
	case Sync:
		o.skipping, o.open, o.flushed = false, false, false
		o.push(Sync)
	case CopyDone, CopyFail:
		if o.n > 0 && !o.skipping {
			o.push(typ) // it ends the data of a COPY before it, or is ignored
		}
	}
}

// Injects takes note of a message of the relay's own that is about to be sent:
// one of the extended protocol's, or a Query.
func (o *Order) Injects(typ byte) {
	switch typ {
	case Parse, Bind, Describe, Execute, Close:
		if o.skipping {
			return
		}
	case Query:
		if o.skipping {
			return
		}
		o.open = false
	case Sync:
		o.skipping, o.open, o.flushed = false, false, false
	default:
		return
	}
	o.push(typ | injected)
	o.injections++
}

// AnswersInjected says whether a message that the backend begins to send answers a
// request of the relay's own.
func (o *Order) AnswersInjected(typ byte) bool {
	return o.injections > 0 && o.ring[o.first]&injected != 0 && !async(typ) && !(typ == ReadyForQuery && o.maybes > 0)
}

// Backend takes note of a complete message of the backend. head is what
// Walker.Head returns. After an error the order knows nothing any more.
func (o *Order) Backend(head []byte) error {
	typ := head[0]
	switch {
	case typ == DataRow && o.stage == rows, typ == CopyData && o.stage == copyOut:
		return nil // most of what comes
	case async(typ):
		return nil
	case typ == ErrorResponse:
		return o.fail(head)
	case o.over:
		return ErrUnexpected
	case typ == ReadyForQuery:
		if len(head) > HeaderLen {
			o.status = head[HeaderLen]
			o.inBlock = o.status != StatusIdle
		}
		if o.maybes > 0 && (o.n == 0 || o.stage == fresh) {
			return o.maybeReady()
		}
	case o.doubt:
		return ErrUnexpected
	case o.stage == fresh:
		o.maybes = 0
	}
	if o.n == 0 {
		return ErrUnexpected
	}
	next, ends, ok := answer(o.ring[o.first]&^injected, o.stage, typ)
	if !ok {
		return ErrUnexpected
	}
	if o.stage == copyIn {
		if o.end != CopyDone {
			return ErrUnexpected
		}
		o.end, o.ignored = 0, 0
	}
	o.stage = next
	if typ == CommandComplete {
		o.completed(head[HeaderLen:])
	}
	if ends {
		o.pop()
		o.dropIgnored()
	} else if next == copyIn {
		o.beginCopy()
	}
	return nil
}

// dropIgnored drops ends of COPY data that the backend ignores.
func (o *Order) dropIgnored() {
	for o.n > 0 && (o.ring[o.first] == CopyDone || o.ring[o.first] == CopyFail) {
		o.pop()
	}
	if o.n == 0 && len(o.ring) > 1024 {
		o.ring, o.first = o.small[:], 0 // gives a large ring back
	}
}

func (o *Order) push(typ byte) {
	if o.n == len(o.ring) {
		bigger := make([]byte, 2*len(o.ring))
		k := copy(bigger, o.ring[o.first:])
		copy(bigger[k:], o.ring[:o.first])
		o.ring, o.first = bigger, 0
	}
	o.ring[(o.first+o.n)&(len(o.ring)-1)] = typ
	o.n++
}

func (o *Order) pop() {
	if o.ring[o.first]&injected != 0 {
		o.injections--
	}
	o.first = (o.first + 1) & (len(o.ring) - 1)
	o.n--
}
