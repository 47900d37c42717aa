//go:build linux && !noeventloop

package eventloop_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
	"time"

	"askpg/proxy/eventloop"
)

// side is a connection on a loop whose other end the test has.
type side struct {
	t        *testing.T
	loop     *eventloop.Loop
	conn     *eventloop.Conn
	fd       int
	far      net.Conn
	readable chan struct{}
	flushed  chan struct{}
	failed   chan error
}

func (s *side) Readable() {
	select {
	case s.readable <- struct{}{}:
	default:
	}
}
func (s *side) Flushed()         { s.flushed <- struct{}{} }
func (s *side) Failed(err error) { s.failed <- err }

// do runs f in the loop's goroutine and waits for it.
func (s *side) do(f func()) {
	done := make(chan struct{})
	s.loop.Do(func() { defer close(done); f() })
	<-done
}

func newSide(t *testing.T, o eventloop.Options) (*side, error) {
	t.Helper()
	l, err := eventloop.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	near, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	far, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { far.Close() })
	_ = far.SetDeadline(time.Now().Add(30 * time.Second))
	fd, err := eventloop.Take(near)
	near.Close()
	if err != nil {
		t.Fatal(err)
	}
	s := &side{t: t, loop: l, fd: fd, far: far, readable: make(chan struct{}, 1), flushed: make(chan struct{}, 1), failed: make(chan error, 1)}
	s.do(func() { s.conn, err = l.Add(fd, s) })
	t.Cleanup(func() {
		s.do(func() {
			if s.conn != nil {
				s.conn.Remove()
			}
		})
		eventloop.Close(fd)
	})
	return s, err
}

func TestConn_Read(t *testing.T) {
	s, err := newSide(t, eventloop.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	var end error
	// Two bytes at a time: what a read leaves is told of once more, and so is the end that came with it.
	if _, err := s.far.Write([]byte("messages")); err != nil {
		t.Fatal(err)
	}
	s.far.Close()
	for end == nil {
		<-s.readable
		s.do(func() {
			var b [2]byte
			n, err := s.conn.Read(b[:])
			got = append(got, b[:n]...)
			if err != nil && !errors.Is(err, eventloop.ErrNothing) {
				end = err
			} else {
				s.Readable()
			}
		})
	}
	if string(got) != "messages" || !errors.Is(end, io.EOF) {
		t.Fatalf("%q, %v", got, end)
	}
}

// A connection that is not to be read is not told of, until it is.
func TestConn_SetReads(t *testing.T) {
	s, err := newSide(t, eventloop.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.do(func() { err = s.conn.SetReads(false) })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.far.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	s.do(func() { err = s.conn.SetReads(true) })
	if err != nil {
		t.Fatal(err)
	}
	<-s.readable
}

// What a connection does not take is kept, in order, and Flushed follows.
func TestConn_Write(t *testing.T) {
	s, err := newSide(t, eventloop.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := bytes.Repeat([]byte("0123456789abcdef"), 1<<20)
	s.do(func() {
		if err = s.conn.Write(want[:16<<19]); err == nil {
			err = s.conn.Write(want[16<<19:])
		}
		if err == nil && !s.conn.Unwritten() {
			t.Error("16 MB went out at once")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, len(want))
	if _, err := io.ReadFull(s.far, got); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatal("other bytes came than were written")
	}
	<-s.flushed
}

// epoll_ctl that fails is an error of the one connection.
func TestLoop_Control(t *testing.T) {
	deny := false
	s, err := newSide(t, eventloop.Options{Control: func(epoll, op, fd int, events uint32) error {
		if deny {
			return syscall.ENOMEM
		}
		return syscall.EpollCtl(epoll, op, fd, &syscall.EpollEvent{Events: events, Fd: int32(fd)})
	}})
	if err != nil {
		t.Fatal(err)
	}
	s.do(func() {
		deny = true
		err = s.conn.SetReads(false)
		deny = false
	})
	if !errors.Is(err, syscall.ENOMEM) {
		t.Fatalf("%v, want ENOMEM", err)
	}
	_, err = newSide(t, eventloop.Options{Control: func(int, int, int, uint32) error { return syscall.ENOMEM }})
	if !errors.Is(err, syscall.ENOMEM) {
		t.Fatalf("%v, want ENOMEM", err)
	}
}

// Do runs what it is given in its order, and after Close too.
func TestLoop_Do(t *testing.T) {
	l, err := eventloop.New(eventloop.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for i := range 100 {
		l.Do(func() { got = append(got, i) })
	}
	l.Close()
	for i := range 100 {
		if len(got) != 100 || got[i] != i {
			t.Fatal(got)
		}
	}
	done := make(chan struct{})
	l.Do(func() { close(done) })
	<-done
}
