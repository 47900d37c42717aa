package wire

// frontendInCopy takes note of a message that is sent while COPY reads.
func (o *Order) frontendInCopy(typ byte) {
	switch typ {
	case CopyData, Flush, Terminate:
	case Sync:
		o.ignored++
	case CopyDone, CopyFail:
		o.end = typ
	default:
		o.end = broken
	}
}

// beginCopy is told that the backend now reads COPY data: of what was sent
// after the request it ignores Syncs, up to the end of the data.
func (o *Order) beginCopy() {
	mask := len(o.ring) - 1
	last := 0 // of what the COPY takes out of the ring
	for i := 1; i < o.n && o.end == 0; i++ {
		switch typ := o.ring[(o.first+i)&mask]; typ {
		case Sync:
			o.ignored++
			last = i
		case CopyDone, CopyFail:
			o.end = typ
			last = i
		default:
			o.end = broken
		}
	}
	o.ring[(o.first+last)&mask] = o.ring[o.first]
	o.first, o.n = (o.first+last)&mask, o.n-last
	// A Sync that is ignored does not end the pipeline.
	o.open = o.open || o.ring[o.first] == Execute && !o.synced()
}

// synced says whether a Sync, or what does the same to a pipeline, is behind
// the first request.
func (o *Order) synced() bool {
	for i := 1; i < o.n; i++ {
		if endsReady(o.ring[(o.first+i)&(len(o.ring)-1)] &^ injected) {
			return true
		}
	}
	return false
}

// maybeReady is told of a ReadyForQuery that may answer a Sync of maybes.
func (o *Order) maybeReady() error {
	switch {
	case o.n > 0 && o.ring[o.first] == Sync:
		o.pop() // or it: either way one answer less is to come
		o.dropIgnored()
	case o.n > 0 && o.doubt:
		return ErrUnknowable
	case o.doubt:
		o.open = false
		fallthrough
	default:
		o.maybes--
	}
	o.doubt = false
	return nil
}

// fail is told of an ErrorResponse.
func (o *Order) fail(message []byte) error {
	switch {
	case o.over || fatal(message):
		// It can come at any time, and nothing comes behind it.
		o.over, o.stage = true, failed
		return nil
	case o.doubt, o.stage == failed, o.skipping && o.n == 0:
		return ErrUnexpected
	case o.n == 0 && o.flushed && canceled(message):
		o.maybes, o.skipping = 0, true
		return nil
	case o.n == 0:
		return ErrUnexpected
	}
	head := o.ring[o.first] &^ injected
	switch {
	case o.stage == copyIn && o.end == broken:
		return ErrUnknowable
	case o.stage == copyIn:
		o.maybes, o.ignored, o.end = o.ignored, 0, 0
	case o.stage == fresh && (head == flushedQuery || head == flushedCall) && canceled(message):
		return ErrUnknowable
	case o.stage == fresh && head == Sync && o.maybes > 0:
		return ErrUnexpected // there was nothing in it that could fail
	default:
		o.maybes = 0
	}
	switch {
	case head == startup:
	case endsReady(head):
		o.stage = failed
	case o.maybes > 0:
		o.stage, o.doubt = fresh, true
		o.pop()
		o.dropIgnored()
	default:
		o.stage = fresh
		for o.n > 0 && o.ring[o.first]&^injected != Sync {
			o.pop()
		}
		o.skipping = o.n == 0
		o.dropIgnored()
	}
	return nil
}

// canceled says whether an ErrorResponse is that of a statement_timeout.
func canceled(message []byte) bool { return ErrorCode(message) == "57014" }
