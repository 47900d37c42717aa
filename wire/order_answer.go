package wire

// answer says whether a message of the backend may come in the answer to a request, at stage
// s of that answer. next is the stage after it, and ends whether the answer is complete.
func answer(request byte, s stage, typ byte) (next stage, ends, ok bool) {
	between := s == fresh || s == done
	switch request {
	case Query, flushedQuery:
		switch typ {
		case DataRow:
			return rows, false, s == rows
		case RowDescription: // a rule can add a result of its own
			return rows, false, between || s == rows
		case CommandComplete:
			return done, false, between || s == rows || s == copyIn || s == copied
		case EmptyQueryResponse:
			return done, false, between
		case ReadyForQuery:
			return fresh, true, s == done || s == failed
		}
		return answerCopy(s, typ, between)
	case Execute:
		switch typ {
		case DataRow:
			return rows, false, s == fresh || s == rows
		case CommandComplete:
			return fresh, true, s == fresh || s == rows || s == copyIn || s == copied
		case PortalSuspended:
			return fresh, true, s == fresh || s == rows
		case EmptyQueryResponse:
			return fresh, true, s == fresh
		}
		return answerCopy(s, typ, s == fresh)
	case Parse:
		return fresh, true, typ == ParseComplete
	case Bind:
		return fresh, true, typ == BindComplete
	case Close:
		return fresh, true, typ == CloseComplete
	case Describe:
		if typ == ParameterDescription {
			return done, false, s == fresh
		}
		return fresh, true, typ == RowDescription || typ == NoData
	case Sync:
		return fresh, true, typ == ReadyForQuery
	case FunctionCall, flushedCall:
		if typ == FunctionCallResponse {
			return done, false, s == fresh
		}
		return fresh, true, typ == ReadyForQuery && s != fresh
	case startup:
		switch typ {
		case Authentication, BackendKeyData, NegotiateVersion:
			return fresh, false, true
		}
		return fresh, true, typ == ReadyForQuery
	}
	return fresh, false, false
}

func answerCopy(s stage, typ byte, begins bool) (next stage, ends, ok bool) {
	switch typ {
	case CopyInResponse:
		return copyIn, false, begins
	case CopyOutResponse:
		return copyOut, false, begins
	case CopyData:
		return copyOut, false, s == copyOut
	case CopyDone:
		return copied, false, s == copyOut
	}
	return fresh, false, false
}

func endsReady(request byte) bool {
	switch request {
	case Query, FunctionCall, Sync, flushedQuery, flushedCall:
		return true
	}
	return false
}
