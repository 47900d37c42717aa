package serverpool

import (
	"errors"
	"io"
	"net"
	"slices"
	"time"

	"github.com/jackc/pgproto3/v2"

	"askpg/wire"
	"askpg/wire/scram"
)

// Conn is a server connection that can serve one client after another, and what is known of it. It belongs to its
// client from Open or Take on, and to the pool again from Reserve on.
type Conn struct {
	pool   *Pool
	login  string // wire.StartupKey of what it was opened with
	user   string
	secret *scram.Secret // what its clients have been verified with
	opened time.Time

	key      []byte // process id and secret of the server's; nil if it gave none
	version  []byte // its NegotiateProtocolVersion message; nil if it sent none
	statuses []status
	notices  []byte // what it said besides to the login; clients that would have logged in hear it too
	unfit    error  // why it can't serve another client; nil if it can

	conn  net.Conn  // while no client has it
	since time.Time // when it began to wait
	down  wire.Walker
	part  []byte // the beginning of a ParameterStatus
}

// status is a parameter as the server has reported it last.
type status struct{ name, value string }

// Limits in number and bytes of what is kept of a server's reports and notices: PostgreSQL 18 reports 16
// parameters, and extensions may add to them.
const (
	maxStatuses = 256
	maxStatus   = 64 << 10
	maxNotices  = 64 << 10
)

// noDeadline takes the deadline of a connection away.
var noDeadline time.Time

var (
	errProtocol  = errors.New("the server broke the protocol")
	errStatuses  = errors.New("the server reports too many parameters, or too long ones")
	errNotices   = errors.New("the server's notices to the login are too long")
	errTemporary = errors.New("the session has used temporary objects")
)

// Key returns the process id and secret that the server gave the connection; nil if it gave none. Its clients have keys
// of their own.
func (c *Conn) Key() []byte { return c.key }

// Report takes note of a ParameterStatus message, which may come in pieces. What can't be kept has the connection serve
// no other client.
func (c *Conn) Report(piece []byte, complete bool) {
	if err := c.report(piece, complete); err != nil {
		c.unfit = err
	}
}

func (c *Conn) report(piece []byte, complete bool) error {
	message := piece
	if !complete || len(c.part) > 0 {
		if len(c.part)+len(piece) > maxStatus {
			return errStatuses
		}
		c.part = append(c.part, piece...)
		message = c.part
	}
	if !complete {
		return nil
	}
	c.part = nil
	name, rest, ok := wire.CutString(message[wire.HeaderLen:])
	value, _, ok2 := wire.CutString(rest)
	if !ok || !ok2 {
		return errProtocol
	}
	if i := slices.IndexFunc(c.statuses, func(s status) bool { return s.name == string(name) }); i >= 0 {
		c.statuses[i].value = string(value)
		return nil
	}
	if len(c.statuses) >= maxStatuses || len(message) > maxStatus {
		return errStatuses
	}
	c.statuses = append(c.statuses, status{string(name), string(value)})
	return nil
}

// close ends the connection as a client does.
func (c *Conn) close() {
	c.terminate()
	c.conn.Close()
}

// closeAndWait returns when the server has given up its process, so that there
// is room for another one, and after a second at the latest.
func (c *Conn) closeAndWait() {
	c.terminate()
	_, _ = io.Copy(io.Discard, c.conn)
	c.conn.Close()
}

// terminate tells the server that the session ends. Nothing on the connection takes longer than a second from then on.
func (c *Conn) terminate() {
	_ = c.conn.SetDeadline(time.Now().Add(time.Second))
	_, _ = c.conn.Write(encode(nil, &pgproto3.Terminate{}))
}

// encode appends messages to b.
func encode(b []byte, messages ...pgproto3.Message) []byte {
	for _, m := range messages {
		var err error
		if b, err = m.Encode(b); err != nil {
			panic(err) // only messages above 1 GB
		}
	}
	return b
}
