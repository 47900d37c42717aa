package proxy

import (
	"bytes"
	"container/list"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgproto3/v2"

	"askpg/wire"
	"askpg/wire/scram"
)

// backend is what outlives a session of a server connection that serves one
// client after another. It belongs to the session, then to the goroutine that
// resets it, then to the pool.
type backend struct {
	set    *settings // with which it was opened
	login  string    // wire.StartupKey of what it was opened with
	user   string
	secret *scram.Secret // what its clients have been verified with
	opened time.Time

	key      []byte // process id and secret of the server's; nil if it gave none
	version  []byte // its NegotiateProtocolVersion message; nil if it sent none
	statuses []status
	notices  []byte // what it said besides to the login; clients that would have logged in hear it too

	conn  net.Conn // while no session has it
	since time.Time
	place *list.Element
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

var (
	errReset    = errors.New("the server connection can't be reset")
	errStatuses = errors.New("the server reports too many parameters, or too long ones")
)

// report takes note of a ParameterStatus message.
func (b *backend) report(message []byte) error {
	name, rest, ok := wire.CutString(message[wire.HeaderLen:])
	value, _, ok2 := wire.CutString(rest)
	if !ok || !ok2 {
		return errDownstream
	}
	for i := range b.statuses {
		if b.statuses[i].name == string(name) {
			if b.statuses[i].value != string(value) {
				b.statuses[i].value = string(value)
			}
			return nil
		}
	}
	if len(b.statuses) >= maxStatuses || len(message) > maxStatus {
		return errStatuses
	}
	b.statuses = append(b.statuses, status{string(name), string(value)})
	return nil
}

// reportPart takes note of a ParameterStatus message that comes in pieces.
func (b *backend) reportPart(chunk []byte, complete bool) error {
	if complete && len(b.part) == 0 {
		return b.report(chunk)
	}
	if len(b.part)+len(chunk) > maxStatus {
		return errStatuses
	}
	b.part = append(b.part, chunk...)
	if !complete {
		return nil
	}
	defer func() { b.part = nil }()
	return b.report(b.part)
}

// greeting appends what the server says between a login and its first
// ReadyForQuery, that included: the parameters as they are now, and the
// client's own cancel key.
func (b *backend) greeting(out []byte, key []byte) []byte {
	out = append(out, b.notices...)
	for _, s := range b.statuses {
		out = append(out, wire.ParameterStatus)
		out = binary.BigEndian.AppendUint32(out, uint32(4+len(s.name)+1+len(s.value)+1))
		out = append(append(append(append(out, s.name...), 0), s.value...), 0)
	}
	if key != nil {
		out = append(out, wire.BackendKeyData)
		out = binary.BigEndian.AppendUint32(out, uint32(4+len(key)))
		out = append(out, key...)
	}
	return append(out, wire.ReadyForQuery, 0, 0, 0, 5, wire.StatusIdle)
}

// newKey makes a cancel key for a client: the process id is the server's, so
// that it is found in pg_stat_activity, and the secret is the client's alone. A
// request with the key of an earlier client finds no session.
func (b *backend) newKey() []byte {
	if b.key == nil {
		return nil
	}
	key := slices.Clone(b.key)
	for {
		_, _ = rand.Read(key[min(4, len(key)):]) // never fails
		if !bytes.Equal(key, b.key) || len(key) <= 4 {
			return key
		}
	}
}

// setseed's OID (pg_proc.dat); it is called by the function call protocol, so
// that it is neither parsed nor planned nor counted by pg_stat_statements.
const setseedOID = 1599

// resetMessages take away what a client has left: DISCARD ALL, then what that
// leaves. DISCARD ALL ends in no role although the role's or the startup packet's
// settings say one, and it keeps the seed of random().
func resetMessages() (messages []byte, answers int) {
	var seed [8]byte
	_, _ = rand.Read(seed[:]) // never fails
	argument := make([]byte, 8)
	binary.BigEndian.PutUint64(argument, math.Float64bits(float64(binary.NativeEndian.Uint64(seed[:])>>11)/(1<<53)))
	m := encode(nil, &pgproto3.Query{String: "DISCARD ALL"}, &pgproto3.Query{String: "RESET ROLE"},
		&pgproto3.FunctionCall{Function: setseedOID, ArgFormatCodes: []uint16{1}, Arguments: [][]byte{argument}, ResultFormatCode: 1})
	return m, 3
}

// beginReset sends what makes the connection what it was after its login.
func (b *backend) beginReset() error {
	messages, _ := resetMessages()
	_, err := b.conn.Write(messages)
	return err
}

// endReset reads the answers to it, of which received has come, within the deadline that the connection has. err is that of
// reading received.
func (b *backend) endReset(received []byte, err error) error {
	_, answers := resetMessages()
	ready, rerr := b.receive(received)
	if rerr != nil {
		err = rerr
	}
	if err == nil {
		err = b.answered(answers - ready)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errReset, err)
	}
	return b.conn.SetDeadline(noDeadline)
}

// exchange sends messages and reads until they have been answered by so many
// ReadyForQuery.
func (b *backend) exchange(messages []byte, answers int) error {
	if _, err := b.conn.Write(messages); err != nil {
		return err
	}
	return b.answered(answers)
}

// answered reads until so many ReadyForQuery have come.
func (b *backend) answered(answers int) error {
	buf := getBuffer()
	defer putBuffer(buf)
	for answers > 0 {
		n, err := b.conn.Read(*buf)
		if n > 0 {
			ready, rerr := b.receive((*buf)[:n])
			if rerr != nil {
				return rerr
			}
			answers -= ready
		}
		if err != nil {
			return err
		}
	}
	if answers < 0 || b.down.Open() {
		return errDownstream
	}
	return nil
}

// receive takes what the server says while no session has the connection, and
// counts the ReadyForQuery in it. An error of the server's, such as 57P01, is
// the end of the connection.
func (b *backend) receive(text []byte) (ready int, err error) {
	for len(text) > 0 {
		n, complete, err := b.down.Step(text)
		if err != nil {
			return ready, errDownstream
		}
		chunk := text[:n]
		text = text[n:]
		if b.down.Type() == wire.ParameterStatus {
			if err := b.reportPart(chunk, complete); err != nil {
				return ready, err
			}
		}
		if !complete {
			continue
		}
		switch head := b.down.Head(); head[0] {
		case wire.ErrorResponse:
			return ready, fmt.Errorf("the server says %s", wire.ErrorCode(head))
		case wire.ReadyForQuery:
			if len(head) <= wire.HeaderLen || head[wire.HeaderLen] != wire.StatusIdle {
				return ready, errDownstream
			}
			ready++
		}
	}
	return ready, nil
}

// receivePending takes what the server has said while the connection waited: notices
// and parameters, which a reload of its configuration changes. It fails if the
// server has ended the connection.
func (b *backend) receivePending() error {
	for {
		silent, err := nothingToRead(b.conn)
		if err != nil || silent {
			return err
		}
		buf := getBuffer()
		_ = b.conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		n, err := b.conn.Read(*buf)
		ready := 0
		if n > 0 {
			var rerr error
			if ready, rerr = b.receive((*buf)[:n]); rerr != nil {
				err = rerr
			}
		}
		putBuffer(buf)
		if err != nil {
			return err
		}
		if err := b.conn.SetReadDeadline(noDeadline); err != nil {
			return err
		}
		if ready > 0 || b.down.Open() {
			return errDownstream
		}
	}
}

// nothingToRead looks without waiting, and takes nothing: the end of a
// connection is something to read.
func nothingToRead(conn net.Conn) (bool, error) {
	fd, ok := descriptorOf(conn)
	if !ok {
		return false, errors.ErrUnsupported
	}
	var one [1]byte
	_, _, err := syscall.Recvfrom(fd, one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	return err == syscall.EAGAIN || err == syscall.EINTR, nil
}

// name adds the client's address to the application_name, on top of the one
// that the startup packet has, which a reset goes back to.
func (b *backend) name(ctx context.Context, ss *session) error {
	if deadline, ok := ctx.Deadline(); ok {
		_ = b.conn.SetDeadline(deadline)
	}
	name := withAddress(ss.startup.ApplicationName, ss.address)
	// As PostgreSQL does to it; nothing depends on the client's encoding then.
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, name)
	name = strings.NewReplacer(`'`, `''`, `\`, `\\`).Replace(name)
	if err := b.exchange(encode(nil, &pgproto3.Query{String: "SET application_name = E'" + name + "'"}), 1); err != nil {
		return fmt.Errorf("setting application_name: %w", err)
	}
	return b.conn.SetDeadline(noDeadline)
}

// close ends the connection as a client does.
func (b *backend) close() {
	_ = b.conn.SetDeadline(time.Now().Add(time.Second))
	_, _ = b.conn.Write(terminate)
	b.conn.Close()
}

// closeAndWait returns when the server has given up its process, so that there
// is room for another one.
func (b *backend) closeAndWait() {
	_ = b.conn.SetDeadline(time.Now().Add(time.Second))
	if _, err := b.conn.Write(terminate); err == nil {
		drainAndClose(b.conn)
	}
	b.conn.Close()
}
