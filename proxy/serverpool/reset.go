package serverpool

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"math"
	"net"
	"syscall"
	"time"

	"github.com/jackc/pgproto3/v2"

	"askpg/wire"
)

// OIDs of functions (pg_proc.dat). They are called by the function call protocol, so
// that they are neither parsed nor planned nor counted by pg_stat_statements.
const (
	setseedOID      = 1599
	myTempSchemaOID = 2854
)

// resetAnswers is how many ReadyForQuery answer the messages of resetMessages.
const resetAnswers = 4

// resetMessages take away what a client has left: DISCARD ALL, then what that
// leaves. DISCARD ALL ends in no role although the role's or the startup packet's
// settings say one, and it keeps the seed of random(). Nothing takes away the schema of temporary objects: the last
// message asks for it.
func resetMessages() []byte {
	var seed [8]byte
	_, _ = rand.Read(seed[:]) // never fails
	argument := binary.BigEndian.AppendUint64(nil, math.Float64bits(float64(binary.NativeEndian.Uint64(seed[:])>>11)/(1<<53)))
	return encode(nil, &pgproto3.Query{String: "DISCARD ALL"}, &pgproto3.Query{String: "RESET ROLE"},
		&pgproto3.FunctionCall{Function: setseedOID, ArgFormatCodes: []uint16{1}, Arguments: [][]byte{argument}, ResultFormatCode: 1},
		&pgproto3.FunctionCall{Function: myTempSchemaOID, ResultFormatCode: 1})
}

// finishReset reads the answers to resetMessages, of which received has come, within the deadline that the connection has.
func (c *Conn) finishReset(received []byte) error {
	ready, err := c.receive(received)
	if err == nil {
		err = c.answered(resetAnswers - ready)
	}
	if err == nil {
		err = c.unfit
	}
	if err == nil {
		err = c.conn.SetDeadline(noDeadline)
	}
	return err
}

// exchange sends messages and reads until they have been answered by so many
// ReadyForQuery.
func (c *Conn) exchange(ctx context.Context, messages []byte, answers int) error {
	if deadline, ok := ctx.Deadline(); ok {
		_ = c.conn.SetDeadline(deadline)
	}
	if _, err := c.conn.Write(messages); err != nil {
		return err
	}
	if err := c.answered(answers); err != nil {
		return err
	}
	return c.conn.SetDeadline(noDeadline)
}

// answered reads until so many ReadyForQuery have come.
func (c *Conn) answered(answers int) error {
	var b [1 << 10]byte
	for answers > 0 {
		n, err := c.conn.Read(b[:])
		if n > 0 {
			ready, rerr := c.receive(b[:n])
			if rerr != nil {
				return rerr
			}
			answers -= ready
		}
		if err != nil {
			return err
		}
	}
	if answers < 0 || c.down.Open() {
		return errProtocol
	}
	return nil
}

// receive takes what the server says while no client has the connection, and
// counts the ReadyForQuery in it. An error of the server's, such as 57P01, is
// the end of the connection.
func (c *Conn) receive(text []byte) (ready int, err error) {
	for len(text) > 0 {
		n, complete, err := c.down.Step(text)
		if err != nil {
			return ready, errProtocol
		}
		piece := text[:n]
		text = text[n:]
		if c.down.Type() == wire.ParameterStatus {
			if err := c.report(piece, complete); err != nil {
				return ready, err
			}
		}
		if !complete {
			continue
		}
		head := c.down.Head()
		body := head[wire.HeaderLen:]
		switch head[0] {
		case wire.ErrorResponse:
			return ready, fmt.Errorf("the server says %s", wire.ErrorCode(head))
		case wire.FunctionCallResponse:
			// The length of the value, then the value: pg_my_temp_schema() is an OID, 0 if there is none.
			if len(body) == 8 && binary.BigEndian.Uint32(body) == 4 && binary.BigEndian.Uint32(body[4:]) != 0 {
				c.unfit = errTemporary
			}
		case wire.ReadyForQuery:
			if len(body) == 0 || body[0] != wire.StatusIdle {
				return ready, errProtocol
			}
			ready++
		}
	}
	return ready, nil
}

// alive has the server answer a Sync. The server ends instead if it has been told to before, by pg_terminate_backend or
// by a shutdown, and what it has to report comes before the answer.
func (c *Conn) alive(ctx context.Context) error {
	return c.exchange(ctx, encode(nil, &pgproto3.Sync{}), 1)
}

// receivePending takes what the server has said while the connection waited: notices
// and parameters, which a reload of its configuration changes. It fails if the
// server has ended the connection.
func (c *Conn) receivePending() error {
	for {
		silent, err := nothingToRead(c.conn)
		if err != nil || silent {
			return err
		}
		var b [1 << 10]byte
		_ = c.conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		n, err := c.conn.Read(b[:])
		if n > 0 {
			ready, rerr := c.receive(b[:n])
			if rerr == nil && ready > 0 {
				rerr = errProtocol
			}
			if rerr != nil {
				return rerr
			}
		}
		if err != nil {
			return err
		}
		if err := c.conn.SetReadDeadline(noDeadline); err != nil {
			return err
		}
	}
}

// nothingToRead looks without waiting, and takes nothing: the end of a
// connection is something to read.
func nothingToRead(conn net.Conn) (nothing bool, err error) {
	if t, ok := conn.(interface{ NetConn() net.Conn }); ok { // TLS
		conn = t.NetConn()
	}
	c, ok := conn.(syscall.Conn)
	if !ok {
		return false, syscall.ENOTSUP
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return false, err
	}
	err = raw.Control(func(fd uintptr) {
		var one [1]byte
		_, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		nothing = err == syscall.EAGAIN || err == syscall.EINTR
	})
	return nothing, err
}
