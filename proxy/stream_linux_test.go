package proxy

import (
	"bytes"
	"context"
	"net"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"askpg/wire"
)

// steps is a session whose loop is run by the test, step by step.
type steps struct {
	t      *testing.T
	l      *loop
	s      *session
	client net.Conn // the client's end
	server net.Conn // the server's end
	sent   []byte
}

func newSteps(t *testing.T) *steps {
	epoll, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(epoll) })
	s := benchSession()
	s.ctx = context.Background()
	l := &loop{epoll: epoll, srv: s.srv, buf: make([]byte, loopBuffer), pauses: true}
	s.lp = &looped{loop: l}
	x := &steps{t: t, l: l, s: s}
	leg := func(isClient bool) (leg, net.Conn) {
		near, far := tcpPair(t)
		if err := near.(*net.TCPConn).SetReadBuffer(1 << 20); err != nil {
			t.Fatal(err)
		}
		fd, err := takeFD(near)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { syscall.Close(fd) })
		return leg{fd: fd, s: s, isClient: isClient}, far
	}
	s.lp.client, x.client = leg(true)
	s.lp.server, x.server = leg(false)
	l.watch(&s.lp.client, syscall.EPOLLIN)
	l.watch(&s.lp.server, syscall.EPOLLIN)
	s.order.Frontend(wire.Sync) // behind the Execute that benchSession has sent
	return x
}

func tcpPair(t *testing.T) (near, far net.Conn) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if near, err = net.Dial("tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if far, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { near.Close(); far.Close() })
	return near, far
}

// send has the server send b, which is there when send returns.
func (x *steps) send(b []byte) {
	x.t.Helper()
	want := x.waiting() + len(b)
	if _, err := x.server.Write(b); err != nil {
		x.t.Fatal(err)
	}
	x.sent = append(x.sent, b...)
	for deadline := time.Now().Add(10 * time.Second); x.waiting() < want; time.Sleep(10 * time.Microsecond) {
		if time.Now().After(deadline) {
			x.t.Fatalf("%d of %d bytes came", x.waiting(), want)
		}
	}
}

// waiting returns how many bytes of the server's have not been read.
func (x *steps) waiting() int {
	n, err := unix.IoctlGetInt(x.s.lp.server.fd, unix.SIOCINQ)
	if err != nil {
		x.t.Fatal(err)
	}
	return n
}

// takes reads what the server has sent so far at the client.
func (x *steps) takes() {
	x.t.Helper()
	got := make([]byte, len(x.sent))
	_ = x.client.SetReadDeadline(time.Now().Add(10 * time.Second))
	for n := 0; n < len(got); {
		k, err := x.client.Read(got[n:])
		if err != nil {
			x.t.Fatalf("the client has %d of %d bytes: %v", n, len(got), err)
		}
		n += k
	}
	if !bytes.Equal(got, x.sent) {
		x.t.Fatal("the client has other bytes than the server sent")
	}
	x.sent = x.sent[:0]
}

// events deals with what epoll tells.
func (x *steps) events() {
	var events [8]syscall.EpollEvent
	for _, e := range events[:poll(x.l.epoll, events[:])] {
		if g := x.l.legs[e.Fd]; g != nil {
			x.l.ready(g, e.Events)
		}
	}
}

// tick reads the streams.
func (x *steps) tick() {
	x.l.next = time.Time{}
	x.l.readStreams()
}

// piece is two of the server's sends.
var piece = rows(wire.DataRow, 64, 256)

func (x *steps) begin() {
	x.t.Helper()
	for sent := x.s.lp.came; sent < streamBegins; sent += len(piece) {
		x.wants(false)
		x.send(piece)
		x.events()
		x.takes()
	}
	x.wants(true)
}

func (x *steps) wants(streams bool) {
	x.t.Helper()
	interest, list := uint32(syscall.EPOLLIN), 0
	if streams {
		interest, list = syscall.EPOLLERR, 1
	}
	if lp := x.s.lp; lp.streams != streams || lp.server.interest != interest || len(x.l.streams) != list {
		x.t.Fatalf("streams %v, interest %x, %d in the list; want %v", lp.streams, lp.server.interest, len(x.l.streams), streams)
	}
}

// readyForQuery ends an answer.
var readyForQuery = []byte{wire.CommandComplete, 0, 0, 0, 5, 0, wire.ReadyForQuery, 0, 0, 0, 5, 'I'}

// A session comes to be read by the clock, and goes back to events with
// whatever is no stream, and nothing is lost on the way.
func TestStream(t *testing.T) {
	t.Run("goes on", func(t *testing.T) {
		x := newSteps(t)
		x.begin()
		for range 5 {
			x.send(piece)
			x.events() // none tells of it
			x.wants(true)
			x.tick()
			x.takes()
			x.wants(true)
		}
		x.tick() // late once
		x.wants(true)
		x.send(piece)
		x.tick()
		x.takes()
		x.wants(true)
	})
	t.Run("pauses", func(t *testing.T) {
		x := newSteps(t)
		x.begin()
		x.tick()
		x.tick()
		x.wants(false)
		x.send(piece)
		x.events()
		x.takes()
		x.wants(false)
		x.begin() // and again
	})
	t.Run("ends", func(t *testing.T) {
		x := newSteps(t)
		x.begin()
		x.send(readyForQuery)
		x.tick()
		x.takes()
		x.wants(false)
		x.s.order.Frontend(wire.Query)
		x.send(readyForQuery) // the answer to the next statement comes by an event
		x.events()
		x.takes()
	})
	t.Run("ends with a large piece", func(t *testing.T) {
		x := newSteps(t)
		x.begin()
		x.send(append(bytes.Clone(piece), readyForQuery...))
		x.tick()
		x.takes()
		x.wants(false)
	})
	t.Run("comes faster than it is read", func(t *testing.T) {
		x := newSteps(t)
		x.begin()
		x.send(rows(wire.DataRow, 64, 2*loopBuffer/64))
		x.tick()
		x.events()
		x.takes()
		x.wants(false)
	})
	t.Run("client does not keep up", func(t *testing.T) {
		x := newSteps(t)
		x.begin()
		for len(x.s.lp.client.out) == 0 {
			x.send(piece)
			x.tick()
		}
		if lp := x.s.lp; lp.streams || lp.server.interest != syscall.EPOLLERR || lp.came != 0 {
			t.Fatal("the server is read although the client does not take it")
		}
		done := make(chan struct{})
		go func() { defer close(done); x.takes() }()
		for deadline := time.Now().Add(10 * time.Second); len(x.s.lp.client.out) > 0 && time.Now().Before(deadline); {
			x.events()
		}
		<-done
		x.tick()
		x.wants(false)
	})
	t.Run("server goes", func(t *testing.T) {
		x := newSteps(t)
		x.begin()
		x.send(piece)
		x.server.Close()
		x.tick()
		x.takes()
	})
}
