// Package eventloop waits for many connections in one goroutine. A goroutine for each connection costs a wake-up for
// each message, and a stack for each connection that is idle.
//
// It knows nothing of what is read and written. It is made of epoll, so it exists on Linux; elsewhere, and with the
// build tag noeventloop, New returns ErrUnsupported.
package eventloop

import "errors"

var (
	// ErrUnsupported says that there are no event loops in this program.
	ErrUnsupported = errors.New("event loops are not supported here")
	// ErrWait says that epoll_ctl has failed, so that a connection can't be waited for.
	ErrWait = errors.New("the connection can't be waited for")
	// ErrNothing is returned by Conn.Read if nothing has come.
	ErrNothing = errors.New("nothing has come")
)

// Handler is told what has become of a connection. Its methods are called by the loop's goroutine and must
// not block.
type Handler interface {
	// Readable says that Conn.Read is worth a try: bytes have come, or the end of the connection.
	Readable()
	// Flushed says that everything is written that Conn.Write has kept.
	Flushed()
	// Failed says that the connection can't be written or waited for any more.
	Failed(err error)
}

// Options of a Loop.
type Options struct {
	// Control replaces epoll_ctl(2) in tests; nil is epoll_ctl itself.
	Control func(epoll, op, fd int, events uint32) error
}
