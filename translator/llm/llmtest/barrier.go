package llmtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Round is the calls, by kind, that are to be under way at the same time.
type Round map[string]int

func (r Round) total() int {
	n := 0
	for _, v := range r {
		n += v
	}
	return n
}

// String lists the kinds in the order of their names.
func (r Round) String() string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(r)) {
		parts = append(parts, fmt.Sprintf("%d %s", r[k], k))
	}
	return strings.Join(parts, ", ")
}

// Barrier holds every call until all calls of its round are there, and answers
// none before. Calls that get through it together depend on none of each other, and
// their rounds are the depth of dependent calls: what a clock would only suggest on an idle
// machine is sure on any. A round that never fills up ends with the client's timeout.
type Barrier struct {
	kind   func(Call) string
	rounds []Round

	mu    sync.Mutex
	got   []Round
	open  []chan struct{} // of each round, closed when it is full
	spare []string        // kinds of calls after the last round
}

// NewBarrier returns a barrier for these rounds; kind names what a call is for.
func NewBarrier(kind func(Call) string, rounds ...Round) *Barrier {
	b := &Barrier{kind: kind, rounds: rounds, got: []Round{{}}}
	for range rounds {
		b.open = append(b.open, make(chan struct{}))
	}
	return b
}

// Script returns a script that answers as reply does, a round at a time.
func (b *Barrier) Script(reply func(Call) Reply) func(Call) Reply {
	return func(c Call) Reply {
		out := reply(c)
		out.Until = b.enter(b.kind(c))
		return out
	}
}

// enter counts a call in and returns what to wait for.
func (b *Barrier) enter(kind string) <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := len(b.got) - 1
	if i >= len(b.rounds) {
		b.spare = append(b.spare, kind)
		return nil
	}
	b.got[i][kind]++
	if b.got[i].total() >= b.rounds[i].total() {
		close(b.open[i])
		b.got = append(b.got, Round{})
	}
	return b.open[i]
}

// Err says what came otherwise than expected, nil if every round came as it was
// to come and nothing after the last.
func (b *Barrier) Err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, want := range b.rounds {
		got := Round{}
		if i < len(b.got) {
			got = b.got[i]
		}
		if !maps.Equal(got, want) {
			return fmt.Errorf("round %d has calls [%s], want [%s]", i+1, got, want)
		}
	}
	if len(b.spare) > 0 {
		return fmt.Errorf("calls after the last round: %s", strings.Join(b.spare, ", "))
	}
	return nil
}
