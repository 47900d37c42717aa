package replica

import (
	"io"
	"runtime"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgproto3"
)

// meter counts the memory of a replica's long messages. pgx reads each into a buffer of
// its own length, and short ones into a buffer of a fixed size.
type meter struct {
	r        io.Reader
	memory   *memory
	reserved *atomic.Int64
	left     int // what the last read left of its buffer
}

// longMessage is the length from which on a buffer is counted.
const longMessage = 256 << 10

func (m *memory) frontend(r io.Reader, w io.Writer) *pgproto3.Frontend {
	t := &meter{r: r, memory: m, reserved: new(atomic.Int64)}
	// A connection may be closed in the middle of a message.
	runtime.AddCleanup(t, func(reserved *atomic.Int64) { m.give(reserved.Swap(0)) }, t.reserved)
	return pgproto3.NewFrontend(t, w)
}

// Read reads into what is left of a buffer of pgx's. The error is 53200 if there is no
// memory for a long one, and ends the connection.
func (t *meter) Read(p []byte) (int, error) {
	reserved := t.reserved.Load()
	switch need := copies * int64(len(p)); {
	case reserved > 0 && len(p) == t.left: // goes on with the same one
	case len(p) <= longMessage:
		t.memory.give(t.reserved.Swap(0))
	case need > reserved:
		if err := t.memory.take(need - reserved); err != nil {
			t.memory.give(t.reserved.Swap(0))
			return 0, err
		}
		t.reserved.Store(need)
	}
	n, err := t.r.Read(p)
	t.left = len(p) - n
	if err != nil {
		t.memory.give(t.reserved.Swap(0))
	}
	return n, err
}
