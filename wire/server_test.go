package wire_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"askpg/internal/pgtest"
	"askpg/wire"
)

// TestOrder_Server holds the model of the order to a real server. Random sequences of all frontend messages go to it, in
// one piece or in several with answers read in between. The order is told of every message in both directions:
//
//   - it never meets a message that it does not expect, and the answers that it waits for
//     come;
//   - whenever it says that nothing is due, the server is idle: a query of the
//     test's own with a nonce is answered at once, by exactly what such a query is answered
//     by, and in the transaction status that the order says.
//
// What it says cannot be known is counted, and must be rare. ASKPG_SEQUENCES says
// how many sequences there are, ASKPG_WORKERS how many sessions play them.
func TestOrder_Server(t *testing.T) {
	number := func(name string, usual int) int {
		n, err := strconv.Atoi(os.Getenv(name))
		if err != nil {
			return usual
		}
		return n
	}
	total, workers := int64(number("ASKPG_SEQUENCES", 3000)), number("ASKPG_WORKERS", 4)
	c := pgtest.NewCluster(t, pgtest.Options{NoStandby: true, Settings: map[string]string{"log_min_messages": "log", "autovacuum": "off"}})
	// A server that crashes ends all sessions; see serverSession.send.
	crashes := func() int {
		log, _ := os.ReadFile(c.Primary.Dir + ".log")
		return bytes.Count(log, []byte("was terminated by signal"))
	}
	seed := uint64(time.Now().UnixNano())
	var played, begun, messages, probes, unknowable, ended, crashed atomic.Int64
	var work sync.WaitGroup
	began := time.Now()
	for w := range workers {
		work.Go(func() {
			g := &generator{Rand: rand.New(rand.NewPCG(seed, uint64(w)))}
			var s *serverSession
			defer func() { s.close() }()
			for begun.Add(1) <= total && !t.Failed() {
				if s == nil || s.played == 300 {
					s.close()
					known, until := crashes(), time.Now().Add(time.Minute)
					var err error
					for s, err = openSession(c.Primary.Address()); err != nil && time.Now().Before(until); {
						time.Sleep(100 * time.Millisecond) // it recovers from a crash
						known = crashes()
						s, err = openSession(c.Primary.Address())
					}
					if err != nil {
						t.Error(err)
						return
					}
					s.crashes = known
				}
				s.trace = s.trace[:0]
				err := s.play(g)
				messages.Add(int64(s.messages))
				probes.Add(int64(s.probes))
				s.messages, s.probes = 0, 0
				switch {
				case errors.Is(err, wire.ErrUnknowable):
					unknowable.Add(1)
				case errors.Is(err, errOver):
					ended.Add(1)
				case errors.Is(err, errClosed) && crashes() > s.crashes:
					crashed.Add(1)
				case err != nil:
					t.Errorf("seed %d: %v, after\n%s", seed, err, strings.Join(s.trace, "\n"))
				}
				if err != nil {
					s.close()
					s = nil
				}
				if n := played.Add(1); n%50000 == 0 {
					t.Logf("%d sequences, %d messages, %d probes, %d ended as unknowable, %d by FATAL, %d by crashes of the server, %.0f sequences a second",
						n, messages.Load(), probes.Load(), unknowable.Load(), ended.Load(), crashed.Load(), float64(n)/time.Since(began).Seconds())
				}
			}
		})
	}
	work.Wait()
	n := played.Load()
	t.Logf("%d sequences, %d messages, %d probes, %d ended as unknowable, %d by FATAL, %d by crashes of the server, %.0f sequences a second",
		n, messages.Load(), probes.Load(), unknowable.Load(), ended.Load(), crashed.Load(), float64(n)/time.Since(began).Seconds())
	if share := float64(unknowable.Load()) / float64(max(n, 1)); n >= 1000 && share > .05 {
		t.Errorf("%.1f %% of the sequences ended as unknowable", 100*share)
	}
}
