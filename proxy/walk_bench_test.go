package proxy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"net"
	"testing"

	"askpg/wire"
)

// rows returns a stream of messages of one size, the header included.
func rows(typ byte, size, messages int) []byte {
	m := make([]byte, size)
	m[0] = typ
	binary.BigEndian.PutUint32(m[1:], uint32(size-1))
	return bytes.Repeat(m, messages)
}

// pipe is two TCP connections: a stream is written into the first, a relay
// reads it at from and writes it to to, and what arrives is thrown away.
type pipe struct {
	write, from, to net.Conn
	arrived         chan int64
}

func newPipe(b *testing.B) *pipe {
	connect := func() (near, far net.Conn) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		defer l.Close()
		if near, err = net.Dial("tcp", l.Addr().String()); err != nil {
			b.Fatal(err)
		}
		if far, err = l.Accept(); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { near.Close(); far.Close() })
		return near, far
	}
	p := &pipe{arrived: make(chan int64, 64)}
	var end net.Conn
	p.write, p.from = connect()
	p.to, end = connect()
	go func() {
		buf := make([]byte, 256<<10)
		for {
			n, err := end.Read(buf)
			if err != nil {
				return
			}
			p.arrived <- int64(n)
		}
	}()
	return p
}

// sizes are those of the messages, and of the streams of them.
var sizes = []struct{ size, messages int }{{10, 10000}, {15, 10000}, {170, 10000}, {320, 500}, {2900, 9000}, {30000, 5000}}

// plain hides that a connection can splice, which no relay that looks at the
// bytes can do.
type plain struct {
	io.Reader
	io.Writer
}

// BenchmarkRelay is the relay's work between two sockets: reading, following
// the messages, writing. copy is io.Copy in its place, with a buffer of the
// same size: the two differ by the header walk.
func BenchmarkRelay(b *testing.B) {
	for _, tt := range sizes {
		stream := rows(wire.DataRow, tt.size, tt.messages)
		run := func(name string, relay func(p *pipe)) {
			b.Run(fmt.Sprintf("%d×%d/%s", tt.messages, tt.size, name), func(b *testing.B) {
				p := newPipe(b)
				go relay(p)
				b.SetBytes(int64(len(stream)))
				b.ReportAllocs()
				for b.Loop() {
					go func() { _, _ = p.write.Write(stream) }()
					for left := int64(len(stream)); left > 0; {
						left -= <-p.arrived
					}
				}
			})
		}
		run("copy", func(p *pipe) {
			_, _ = io.CopyBuffer(plain{Writer: p.to}, plain{Reader: p.from}, make([]byte, loopBuffer))
		})
		run("relay", func(p *pipe) {
			s, buf := benchSession(), make([]byte, loopBuffer)
			for {
				n, err := p.from.Read(buf)
				if err != nil {
					return
				}
				s.mu.Lock()
				out, _ := s.track(buf[:n])
				s.mu.Unlock()
				_, _ = p.to.Write(out)
			}
		})
	}
}

func benchSession() *session {
	set := &settings{Config: DefaultConfig()}
	s := &session{set: set, srv: &Server{metrics: newMetrics(nil)}, loggedIn: true, log: slog.Default()}
	s.order.Reset()
	s.order.Backend([]byte{wire.ReadyForQuery, 0, 0, 0, 5, 'I'})
	return s
}

// The walk over rows allocates nothing, in pieces of whatever size.
func TestTrack_NoAllocation(t *testing.T) {
	for _, tt := range sizes {
		stream := rows(wire.DataRow, tt.size, 100)
		buf := make([]byte, loopBuffer)
		s := benchSession()
		for _, piece := range []int{7, 4096, loopBuffer} {
			if n := testing.AllocsPerRun(5, func() {
				for b := stream; len(b) > 0; {
					k := copy(buf[:piece], b)
					b = b[k:]
					if out, err := s.track(buf[:k]); err != nil || len(out) != k {
						t.Fatal(len(out), k, err)
					}
				}
			}); n != 0 {
				t.Errorf("%v allocations for rows of %d bytes in pieces of %d", n, tt.size, piece)
			}
		}
	}
}
