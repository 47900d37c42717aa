package wire_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"askpg/internal/pgtest"
	"askpg/wire"
)

var (
	errOver   = errors.New("the server has ended the session") // as it may
	errClosed = errors.New("the server has closed the connection")
)

// serverSession is a session with a server whose order is followed.
type serverSession struct {
	conn  net.Conn
	order wire.Order
	walk  wire.Walker
	out   []byte
	buf   [16 << 10]byte

	own              [][]byte // messages that answer the test's own query
	part             []byte   // of one that has not come whole
	mine             bool
	fatal            bool
	piped, amid      bool // messages of the extended protocol were sent, and a Query or FunctionCall behind them
	synced           bool // a Sync was sent behind the last error and ReadyForQuery
	played, crashes  int
	messages, probes int
	trace            []string
}

func openSession(addr string) (*serverSession, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := &serverSession{conn: conn}
	s.order.Reset()
	body := "\x00\x03\x00\x00user\x00" + pgtest.Superuser + "\x00database\x00postgres\x00\x00"
	s.out = append(binary.BigEndian.AppendUint32(nil, uint32(4+len(body))), body...)
	if err = s.wait(); err == nil {
		s.order.Frontend(wire.Query)
		s.out = message('Q', sessionScript+"\x00")
		err = s.wait()
	}
	if err != nil || s.order.Status() != wire.StatusIdle {
		s.close()
		return nil, fmt.Errorf("beginning a session: %w, status %q", err, s.order.Status())
	}
	return s, nil
}

func (s *serverSession) close() {
	if s != nil {
		s.conn.Close()
	}
}

// play plays a sequence and brings the session to where nothing is due.
func (s *serverSession) play(g *generator) error {
	s.played++
	cut := one(g, 0, 0, 5, 20, 50, 100) // per cent of the messages behind which answers are read
	for _, m := range g.sequence() {
		s.send(m)
		if !g.chance(cut) {
			continue
		}
		if err := one(g, s.wait, s.look, s.look, s.flush, s.probe)(); err != nil {
			return err
		}
	}
	if err := s.flush(); err != nil {
		return err
	}
	// What a COPY is waiting for is known once what came before is answered.
	if g.chance(50) {
		if err := s.wait(); err != nil {
			return err
		}
	}
	for s.order.Copying() || !s.order.Answered() || s.order.Open() || s.order.Skipping() {
		if s.order.Copying() {
			s.send(one(g, message('c', ""), message('f', "the end\x00")))
		}
		if s.order.Open() || s.order.Skipping() {
			s.send(message('S', ""))
		}
		if err := s.wait(); err != nil {
			return err
		}
	}
	return s.probe()
}

// send sends a message with the next flush. In a failed transaction Execute is
// left out: PostgreSQL 15.18 can crash at one of a portal from before the failure.
func (s *serverSession) send(m []byte) {
	if m[0] == wire.Execute && s.order.Status() == wire.StatusFailed {
		return
	}
	s.note(">", m)
	s.synced = s.synced || m[0] == wire.Sync && !s.order.Copying()
	switch m[0] {
	case wire.Parse, wire.Bind, wire.Execute:
		s.piped = true
	case wire.Query, wire.FunctionCall:
		s.amid = s.amid || s.piped
	}
	s.order.Frontend(m[0])
	s.out = append(s.out, m...)
	s.messages++
}

func (s *serverSession) note(side string, m []byte) {
	s.trace = append(s.trace, fmt.Sprintf("%s %c %.100q", side, m[0], m[min(len(m), wire.HeaderLen):]))
}

func (s *serverSession) flush() error {
	if len(s.out) == 0 {
		return nil
	}
	_ = s.conn.SetWriteDeadline(time.Now().Add(30 * time.Second))
	_, err := s.conn.Write(s.out)
	s.out = s.out[:0]
	if err != nil {
		return s.read(30 * time.Second) // it may have said why
	}
	return nil
}

// wait reads until nothing is due, or the server waits for COPY data or for Sync.
func (s *serverSession) wait() error {
	if !s.order.Answered() {
		s.send(message('H', "")) // or the server may keep answers to itself
	}
	if err := s.flush(); err != nil {
		return err
	}
	for !s.order.Answered() && !s.order.Copying() && (!s.order.Skipping() || s.synced) {
		if err := s.read(30 * time.Second); err != nil {
			return err
		}
	}
	return nil
}

// look reads what has come already, or comes within a moment.
func (s *serverSession) look() error {
	if err := s.flush(); err != nil {
		return err
	}
	err := s.read(200 * time.Microsecond)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil
	}
	return err
}

func (s *serverSession) read(timeout time.Duration) error {
	_ = s.conn.SetReadDeadline(time.Now().Add(timeout))
	n, err := s.conn.Read(s.buf[:])
	for b := s.buf[:n]; len(b) > 0; {
		if !s.walk.Open() {
			s.mine = s.order.AnswersInjected(b[0])
		}
		k, complete, err := s.walk.Step(b)
		if err != nil {
			return err
		}
		if s.mine {
			s.part = append(s.part, b[:k]...)
		}
		b = b[k:]
		if !complete {
			continue
		}
		s.messages++
		head := s.walk.Head()
		s.note("<", head)
		if s.mine {
			s.own = append(s.own, bytes.Clone(s.part))
			s.part = s.part[:0]
		}
		s.fatal = s.fatal || head[0] == wire.ErrorResponse && wire.Fatal(head)
		s.synced = s.synced && head[0] != wire.ErrorResponse && head[0] != wire.ReadyForQuery
		if err := s.order.Backend(head); err != nil {
			return err
		}
	}
	switch {
	case err == nil:
		return nil
	case s.fatal && !os.IsTimeout(err):
		return errOver
	case errors.Is(err, os.ErrDeadlineExceeded) && timeout < time.Second:
		return err
	}
	if !os.IsTimeout(err) {
		err = errClosed
	}
	return fmt.Errorf("%w, %d answers are due, copying %v, skipping %v", err, s.order.Len(), s.order.Copying(), s.order.Skipping())
}

// probe checks that the server is idle if nothing is due, as askpg asks of a
// session before a question: with Sync between two pipelines, with Flush within one.
func (s *serverSession) probe() error {
	if err := s.wait(); err != nil {
		return err
	}
	if !s.order.Answered() || s.order.Copying() || s.order.Skipping() {
		return nil
	}
	s.probes++
	status, open := s.order.Status(), s.order.Open()
	nonce := strconv.FormatUint(rand.Uint64(), 36)
	s.own = s.own[:0]
	for _, m := range [][]byte{
		message('P', nonce+"\x00select $1::pg_catalog.text\x00\x00\x00"),
		message('B', nonce+"\x00"+nonce+"\x00\x00\x00\x00\x01\x00\x00\x00"+string(rune(len(nonce)))+nonce+"\x00\x00"),
		message('E', nonce+"\x00\x00\x00\x00\x00"), message('C', "P"+nonce+"\x00"), message('C', "S"+nonce+"\x00"),
	} {
		s.note("=", m)
		s.order.Injects(m[0])
		s.out = append(s.out, m...)
	}
	want := "12DC33"
	if open {
		s.order.Frontend(wire.Flush)
		s.out = append(s.out, message('H', "")...)
	} else {
		s.order.Injects(wire.Sync)
		s.out = append(s.out, message('S', "")...)
		want += "Z"
	}
	if err := s.flush(); err != nil {
		return err
	}
	for s.order.AwaitsInjected() {
		if err := s.read(30 * time.Second); err != nil {
			return err
		}
	}
	var got strings.Builder
	for _, m := range s.own {
		got.WriteByte(m[0])
	}
	row := message('D', "\x00\x01\x00\x00\x00"+string(rune(len(nonce)))+nonce)
	// In a failed transaction nothing is executed, which is the error's to say;
	// PostgreSQL 18 fails with XX000 after a simple query within a pipeline.
	refused := len(s.own) > 0 && s.own[0][0] == wire.ErrorResponse &&
		(wire.ErrorCode(s.own[0]) == "25P02" && (status == wire.StatusFailed || open) || wire.ErrorCode(s.own[0]) == "XX000" && s.amid)
	switch {
	case refused && got.String() == "E"+want[6:]:
	case s.amid && got.String() == "12DC33EZ": // of what the pipeline's transaction has deferred
	case got.String() != want || !bytes.Equal(s.own[2], row):
		return fmt.Errorf("the server was not idle: the own query %q got %q: %q", nonce, got.String(), s.own)
	}
	if open {
		return nil
	}
	// From PostgreSQL 18 on a simple query within a pipeline does not end the
	// pipeline's implicit transaction, which Sync does.
	implicit := s.amid && status == wire.StatusInTx && s.order.Status() == wire.StatusIdle
	s.amid, s.piped = false, false
	if s.order.Status() != status && !implicit || !s.order.CertainlyIdle() {
		return fmt.Errorf("the status is %q, and was said to be %q; certainly idle: %v", s.order.Status(), status, s.order.CertainlyIdle())
	}
	return nil
}
