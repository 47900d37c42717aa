package llmtest_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

func TestGate(t *testing.T) {
	kind := func(c llmtest.Call) string { return c.Messages[0].Content }
	for _, tt := range []struct {
		name  string
		waves [][]string // the calls that are made side by side
		want  string     // of the error
	}{
		{"as expected", [][]string{{"a", "b", "a"}, {"b"}}, ""},
		{"one too few", [][]string{{"a", "b", "a"}}, "round 2 has calls [], want [1 b]"},
		{"one too many", [][]string{{"a", "b", "a"}, {"b"}, {"c"}}, "calls after the last round: c"},
		{"another kind", [][]string{{"a", "b", "b"}, {"b"}}, "round 1 has calls [1 a, 2 b], want [2 a, 1 b]"},
		{"a round that needs the round before", [][]string{{"a"}, {"a", "b"}, {"b"}}, "never"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			barrier := llmtest.NewBarrier(kind, llmtest.Round{"a": 2, "b": 1}, llmtest.Round{"b": 1})
			server := llmtest.New(t, barrier.Script(func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Texts: []string{"yes"}} }))
			m, err := llm.New(server.Config("m"), slog.New(slog.DiscardHandler), prometheus.NewRegistry())
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if tt.want == "never" {
				done := make(chan error, 1)
				go func() {
					_, err := m.Complete(ctx, llm.Request{Messages: []llm.Message{{Role: llm.User, Content: "a"}}})
					done <- err
				}()
				for len(server.Calls()) == 0 {
					time.Sleep(time.Millisecond)
				}
				cancel() // a lone call is not answered
				if err := <-done; err == nil || barrier.Err() == nil {
					t.Fatalf("a call alone was answered: %v, %v", err, barrier.Err())
				}
				return
			}
			for _, wave := range tt.waves {
				var wg sync.WaitGroup
				for _, k := range wave {
					wg.Go(func() {
						_, _ = m.Complete(ctx, llm.Request{Messages: []llm.Message{{Role: llm.User, Content: k}}})
					})
				}
				wg.Wait()
			}
			got := ""
			if err := barrier.Err(); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
