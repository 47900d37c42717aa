package eval

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// progress tells how far a run is: a bar on a terminal, a line for each tenth
// elsewhere.
type progress struct {
	mu       sync.Mutex
	out      io.Writer
	terminal bool
	total, n int
	started  time.Time
}

func newProgress(out io.Writer, terminal bool, total int) *progress {
	if out == nil {
		out = io.Discard
	}
	return &progress{out: out, terminal: terminal, total: total, started: time.Now()}
}

func (p *progress) say(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintln(p.out, what)
}

func (p *progress) step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	elapsed := time.Since(p.started)
	left := (elapsed / time.Duration(p.n) * time.Duration(p.total-p.n)).Round(time.Second)
	if p.terminal {
		filled := 30 * p.n / p.total
		fmt.Fprintf(p.out, "\r[%s%s] %d of %d, %s left   ", strings.Repeat("#", filled), strings.Repeat(".", 30-filled), p.n, p.total, left)
	} else if 10*p.n/p.total != 10*(p.n-1)/p.total {
		fmt.Fprintf(p.out, "%d of %d questions, %s left\n", p.n, p.total, left)
	}
}

func (p *progress) end() {
	if p.terminal && p.n > 0 {
		fmt.Fprintln(p.out)
	}
}
