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

// Gate holds every call until all calls of its round are there, and answers
// none before. Calls that get through it together depend on none of each other, and
// their rounds are the depth of dependent calls: what a clock would only suggest on an idle
// machine is sure on any. A round that never fills up ends with the client's timeout.
type Gate struct {
	kind   func(Call) string
	rounds []Round

	mu    sync.Mutex
	got   []Round
	open  []chan struct{} // of each round, closed when it is full
	spare []string        // kinds of calls after the last round
}

// NewGate returns a gate for these rounds; kind names what a call is for.
func NewGate(kind func(Call) string, rounds ...Round) *Gate {
	g := &Gate{kind: kind, rounds: rounds, got: []Round{{}}}
	for range rounds {
		g.open = append(g.open, make(chan struct{}))
	}
	return g
}

// Script returns a script that answers as reply does, a round at a time.
func (g *Gate) Script(reply func(Call) Reply) func(Call) Reply {
	return func(c Call) Reply {
		out := reply(c)
		out.Until = g.enter(g.kind(c))
		return out
	}
}

// enter counts a call in and returns what to wait for.
func (g *Gate) enter(kind string) <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := len(g.got) - 1
	if i >= len(g.rounds) {
		g.spare = append(g.spare, kind)
		return nil
	}
	g.got[i][kind]++
	if g.got[i].total() >= g.rounds[i].total() {
		close(g.open[i])
		g.got = append(g.got, Round{})
	}
	return g.open[i]
}

// Err says what came otherwise than expected, nil if every round came as it was
// to come and nothing after the last.
func (g *Gate) Err() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, want := range g.rounds {
		got := Round{}
		if i < len(g.got) {
			got = g.got[i]
		}
		if !maps.Equal(got, want) {
			return fmt.Errorf("round %d has calls [%s], want [%s]", i+1, got, want)
		}
	}
	if len(g.spare) > 0 {
		return fmt.Errorf("calls after the last round: %s", strings.Join(g.spare, ", "))
	}
	return nil
}
