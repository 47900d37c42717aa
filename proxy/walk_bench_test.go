package proxy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"syscall"
	"testing"
	"time"

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
	from, to net.Conn
	send     chan []byte // written into the first by a goroutine of its own
	arrived  chan int64
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
	p := &pipe{send: make(chan []byte), arrived: make(chan int64, 64)}
	b.Cleanup(func() { close(p.send) })
	var begin, end net.Conn
	begin, p.from = connect()
	p.to, end = connect()
	go func() {
		for stream := range p.send {
			_, _ = begin.Write(stream)
		}
	}()
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

// BenchmarkRelay is the relay's work between two sockets, reading, following
// the messages, writing, beside io.Copy in its place, with a buffer of the same
// size: the two differ by the header walk. They take turns, so that whatever
// else the machine does meets both; relay/copy is the ratio of their medians, by
// the clock and by the processor time of the process.
func BenchmarkRelay(b *testing.B) {
	for _, tt := range sizes {
		stream := rows(wire.DataRow, tt.size, tt.messages)
		b.Run(fmt.Sprintf("%d×%d", tt.messages, tt.size), func(b *testing.B) {
			relayed, copied := newPipe(b), newPipe(b)
			s, buf, other := benchSession(), make([]byte, loopBuffer), make([]byte, loopBuffer)
			go func() { _, _ = io.CopyBuffer(plain{Writer: copied.to}, plain{Reader: copied.from}, other) }()
			go func() {
				for {
					n, err := relayed.from.Read(buf)
					if err != nil {
						return
					}
					out, _ := s.fromServer(buf[:n])
					_, _ = relayed.to.Write(out)
				}
			}()
			pass := func(p *pipe) (clock, processor time.Duration) {
				before, began := processorTime(b), time.Now()
				p.send <- stream
				for left := int64(len(stream)); left > 0; {
					left -= <-p.arrived
				}
				return time.Since(began), processorTime(b) - before
			}
			pass(relayed)
			pass(copied)
			var clocks, processors [2][]time.Duration
			b.ReportAllocs()
			for b.Loop() {
				for i, p := range []*pipe{copied, relayed} {
					clock, processor := pass(p)
					clocks[i], processors[i] = append(clocks[i], clock), append(processors[i], processor)
				}
			}
			b.SetBytes(int64(2 * len(stream)))
			ratio := func(of [2][]time.Duration) float64 {
				for i := range of {
					slices.Sort(of[i])
				}
				return float64(of[1][len(of[1])/2]) / float64(max(1, of[0][len(of[0])/2]))
			}
			b.ReportMetric(ratio(clocks), "relay/copy-clock")
			b.ReportMetric(ratio(processors), "relay/copy-processor")
		})
	}
}

// processorTime is what the process has taken of the processor.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func benchSession() *session {
	set := &settings{Config: DefaultConfig()}
	s := &session{set: set, srv: &Server{metrics: newMetrics(nil)}, state: stateRelaying, log: slog.Default()}
	s.srv.settings.Store(set)
	s.core.Reset()
	_ = s.core.Backend([]byte{wire.ReadyForQuery, 0, 0, 0, 5, 'I'})
	s.core.Frontend(wire.Execute) // what rows answer
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
					if out, err := s.fromServer(buf[:k]); err != nil || len(out) != k {
						t.Fatal(len(out), k, err)
					}
				}
			}); n != 0 {
				t.Errorf("%v allocations for rows of %d bytes in pieces of %d", n, tt.size, piece)
			}
		}
	}
}
