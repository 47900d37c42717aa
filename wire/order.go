package wire

// MaxOutstanding is how many unanswered requests an Order holds. A backend
// keeps at most 8 KB of answers to itself before it sends them (PostgreSQL's
// PQ_SEND_BUFFER_SIZE), and no answer is shorter than 5 bytes, so a relay that
// stops reading the frontend at this limit always gets an answer that takes
// it below.
const MaxOutstanding = 1 << 16

// own marks a request of the relay's own in the ring.
const own = 0x80

// startup is what a session begins with: it ends with the first ReadyForQuery.
const startup = '^'

// Order knows which requests of a session have not been answered yet, in the
// order in which the backend will answer them. It is told of every message
// before it is passed on, in either direction. The zero value is not usable;
// see Reset.
//
// It follows PostgreSQL's tcop/postgres.c: after an error in the extended
// protocol everything is discarded until Sync, simple queries included; Sync
// and Flush are ignored while the backend reads COPY data, and CopyData,
// CopyDone and CopyFail outside of COPY.
type Order struct {
	ring   []byte // circular; its length is a power of two
	first  int
	n      int
	status byte
	// skipping: the backend discards until a Sync that has not been sent yet.
	skipping bool
	// copying: the backend reads COPY data for the first request, and its end
	// has not been sent yet.
	copying bool
	// open: the frontend has sent extended-protocol messages since the last
	// Sync, Query or FunctionCall.
	open  bool
	owned int // requests of the relay's own in the ring
	small [32]byte
}

// Reset makes o the order of a session whose startup packet has been sent.
func (o *Order) Reset() {
	*o = Order{}
	o.ring = o.small[:]
	o.push(startup)
}

// Status returns the status of the last ReadyForQuery, 0 before the first.
func (o *Order) Status() byte { return o.status }

// Answered says whether every request has been answered.
func (o *Order) Answered() bool { return o.n == 0 }

// Idle says whether every request has been answered and the backend waits
// for a new one rather than for the rest of a pipeline.
func (o *Order) Idle() bool { return o.n == 0 && !o.open && !o.skipping }

// Skipping says whether the backend discards what comes until a Sync.
func (o *Order) Skipping() bool { return o.skipping }

// Copying says whether the backend reads COPY data whose end has not been sent.
func (o *Order) Copying() bool { return o.copying }

// Open says whether the frontend's last extended-protocol messages have not
// been followed by a Sync yet.
func (o *Order) Open() bool { return o.open }

// Owned says whether requests of the relay's own are unanswered.
func (o *Order) Owned() bool { return o.owned > 0 }

// Full says whether no further request may be sent before one is answered.
func (o *Order) Full() bool { return o.n >= MaxOutstanding }

// Len returns the number of requests that have not been answered.
func (o *Order) Len() int { return o.n }

// Frontend takes note of a message of the frontend that is about to be sent.
func (o *Order) Frontend(typ byte) {
	switch typ {
	case CopyData:
	case Parse, Bind, Describe, Execute, Close:
		if !o.skipping {
			o.push(typ)
		}
		o.open = true
	case Query, FunctionCall:
		if !o.skipping {
			o.push(typ)
			o.open = false
		}
	case Sync:
		if !o.copying {
			o.skipping, o.open = false, false
			o.push(Sync)
		}
	case CopyDone, CopyFail:
		if o.copying {
			o.copying = false
		} else if o.n > 0 && !o.skipping {
			o.push(CopyDone)
		}
	}
}

// Own takes note of a message of the relay's own that is about to be sent:
// one of the extended protocol's, or a Query.
func (o *Order) Own(typ byte) {
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
		o.skipping, o.open = false, false
	default:
		return
	}
	o.push(typ | own)
	o.owned++
}

// Mine says whether a message that the backend begins to send answers a
// request of the relay's own.
func (o *Order) Mine(typ byte) bool {
	return o.owned > 0 && o.ring[o.first]&own != 0 && !Async(typ)
}

// Backend takes note of a complete message of the backend. head is what
// Walker.Head returns.
func (o *Order) Backend(head []byte) {
	switch head[0] {
	case DataRow, CopyData, NoticeResponse, ParameterStatus, NotificationResponse:
	case ParseComplete:
		o.answer(Parse)
	case BindComplete:
		o.answer(Bind)
	case CloseComplete:
		o.answer(Close)
	case RowDescription, NoData:
		o.answer(Describe)
	case CommandComplete, EmptyQueryResponse, PortalSuspended:
		o.answer(Execute)
	case CopyInResponse:
		o.beginCopy()
	case ErrorResponse:
		o.fail()
	case ReadyForQuery:
		if len(head) > HeaderLen {
			o.status = head[HeaderLen]
		}
		for o.n > 0 {
			if typ := o.pop(); endsReady(typ) {
				break
			}
		}
		o.copying = false
		o.tidy()
	}
}

// answer removes the first request if it is of the given type; inside a
// simple query the same answers mean nothing to the order.
func (o *Order) answer(typ byte) {
	if o.n > 0 && o.ring[o.first]&^own == typ {
		o.pop()
		o.tidy()
	}
}

// beginCopy is told that the backend now reads COPY data: what was sent after
// the request is read as such, up to the end of the data.
func (o *Order) beginCopy() {
	if o.n == 0 {
		return
	}
	if typ := o.ring[o.first]; typ != Execute && typ != Query {
		return
	}
	mask := len(o.ring) - 1
	end := -1
	for i := 1; i < o.n; i++ {
		if o.ring[(o.first+i)&mask] == CopyDone {
			end = i
			break
		}
	}
	// Syncs before the end of the data get no answer.
	kept := 1
	for i := 1; i < o.n; i++ {
		typ := o.ring[(o.first+i)&mask]
		if i == end || typ == Sync && (end < 0 || i < end) {
			continue
		}
		o.ring[(o.first+kept)&mask] = typ
		kept++
	}
	o.n = kept
	o.copying = end < 0
}

// fail is told of an ErrorResponse.
func (o *Order) fail() {
	o.copying = false
	if o.n == 0 {
		return
	}
	if endsReady(o.ring[o.first]) {
		return // ReadyForQuery follows
	}
	for o.n > 0 && o.ring[o.first]&^own != Sync {
		o.pop()
	}
	o.skipping = o.n == 0
	if o.n == 0 {
		o.shrink()
	}
}

// tidy drops ends of COPY data that the backend ignores.
func (o *Order) tidy() {
	for o.n > 0 && o.ring[o.first] == CopyDone {
		o.pop()
	}
	if o.n == 0 {
		o.shrink()
	}
}

func endsReady(typ byte) bool {
	switch typ &^ own {
	case Query, FunctionCall, Sync, startup:
		return true
	}
	return false
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

func (o *Order) pop() byte {
	typ := o.ring[o.first]
	o.first = (o.first + 1) & (len(o.ring) - 1)
	o.n--
	if typ&own != 0 {
		o.owned--
	}
	return typ
}

// shrink gives a large ring back when nothing is in it.
func (o *Order) shrink() {
	if len(o.ring) > 1024 {
		o.ring, o.first = o.small[:], 0
	}
}
