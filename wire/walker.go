package wire

import (
	"encoding/binary"
	"unsafe"
)

// HeadLen is how much of a message Walker.Head keeps: the header, and the
// beginning of the body. That holds the status of ReadyForQuery, and the
// longest command tag that matters to a relay. It also holds the SQLSTATE of
// an error, whose severity comes before it in the server's language.
const HeadLen = HeaderLen + 43

// Walker follows one direction of a connection from message to message, over
// bytes that come in pieces of any size. The zero value stands before the
// first message.
type Walker struct {
	left int64  // bytes of the current message that have not come; -1 until its length is known
	n    int    // bytes of head that are filled
	open bool   // inside a message
	view []byte // head of the last complete message, if it came in one piece
	head [HeadLen]byte
}

// Open says whether the walker stands inside a message.
func (w *Walker) Open() bool { return w.open }

// Type returns the type of the message that the walker stands in, or of the
// last one if it stands between two. It must not be called before the first.
func (w *Walker) Type() byte {
	if w.view != nil {
		return w.view[0]
	}
	return w.head[0]
}

// Head returns the first bytes of the current or last message, at most
// HeadLen. They are valid until the next call of Step and of whoever owns the
// bytes that Step was given.
func (w *Walker) Head() []byte {
	if w.view != nil {
		return w.view
	}
	return w.head[:w.n]
}

// Step consumes bytes of b up to the end of the current message, or all of
// them if it does not end in b. It returns how many it consumed and whether
// the message is complete. b must not be empty.
func (w *Walker) Step(b []byte) (n int, complete bool, err error) {
	if !w.open {
		// The usual case: the whole message is at hand.
		if len(b) >= HeaderLen {
			size := binary.BigEndian.Uint32(b[1:])
			if size < 4 {
				return 0, false, ErrLength
			}
			if total := int64(size) + 1; total <= int64(len(b)) {
				w.view = b[:min(total, HeadLen)]
				return int(total), true, nil
			}
		}
		w.open, w.view, w.n, w.left = true, nil, 0, -1
	}
	if w.left < 0 {
		n = copy(w.head[w.n:HeaderLen], b)
		w.n += n
		if w.n < HeaderLen {
			return n, false, nil
		}
		size := binary.BigEndian.Uint32(w.head[1:])
		if size < 4 {
			return n, false, ErrLength
		}
		w.left = int64(size) - 4
	}
	body := b[n:]
	if int64(len(body)) > w.left {
		body = body[:w.left]
	}
	if w.n < HeadLen {
		w.n += copy(w.head[w.n:], body)
	}
	w.left -= int64(len(body))
	n += len(body)
	if w.left == 0 {
		w.open = false
		return n, true, nil
	}
	return n, false, nil
}

// Run returns the length of the complete messages of one type that b begins
// with, and their number. Rows and COPY data come in such runs, and nothing in them matters to a
// relay, so that it need not step through them. A walker that stands between
// two messages stays where it is.
func Run(b []byte) (n, messages int) {
	for len(b)-n >= HeaderLen && b[n] == b[0] {
		size := int64(binary.BigEndian.Uint32(b[n+1:]))
		if size < 4 || size+1 > int64(len(b)-n) {
			break
		}
		total := int(size) + 1
		messages++
		n += total
		if n+max(total, 8) <= len(b) {
			// The next message is most likely as long as this one. To look for
			// the same header there takes no length that has to be loaded
			// first, so the processor looks at several at once.
			same := repeated(b, n, total)
			messages += same
			n += same * total
		}
	}
	return n, messages
}

// repeated returns how many complete messages of size bytes follow at b[at:],
// with the header of the one before them. At least one has to fit, and eight
// bytes.
//
// Four headers are compared with one branch, and bounds are checked for the
// four together: with a check for each the walk takes nearly three times as long.
func repeated(b []byte, at, size int) int {
	p, last := unsafe.Pointer(unsafe.SliceData(b)), len(b)-max(size, 8) // no load is behind last
	header := word(p, at-size)
	if (word(p, at)^header)&headerMask != 0 {
		return 0
	}
	next := at + size
	for ; next <= last-3*size; next += 4 * size {
		if ((word(p, next)^header)|(word(p, next+size)^header)|(word(p, next+2*size)^header)|(word(p, next+3*size)^header))&headerMask != 0 {
			break
		}
	}
	for next <= last && (word(p, next)^header)&headerMask == 0 {
		next += size
	}
	return (next - at) / size
}

// word returns the eight bytes at p[at].
func word(p unsafe.Pointer, at int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(p, at))[:])
}

// headerMask selects the bytes of a header among eight.
const headerMask = 1<<(8*HeaderLen) - 1

// ErrorCode returns the SQLSTATE of an ErrorResponse from what Walker.Head
// returns of it, empty if it is not among that.
func ErrorCode(head []byte) string { return string(errorField(head, 'C')) }

// fatal says whether an ErrorResponse, of which head is what Walker.Head
// returns, is the end of the session.
func fatal(head []byte) bool {
	severity := errorField(head, 'V') // not translated; PostgreSQL has it from 9.6 on
	if severity == nil {
		severity = errorField(head, 'S')
	}
	return string(severity) == "FATAL" || string(severity) == "PANIC"
}

// errorField returns a field of an ErrorResponse, nil if it is not in head.
func errorField(head []byte, field byte) []byte {
	for b := head[min(HeaderLen, len(head)):]; len(b) > 0 && b[0] != 0; {
		value, rest, ok := CutString(b[1:])
		if !ok {
			break
		}
		if b[0] == field {
			return value
		}
		b = rest
	}
	return nil
}
