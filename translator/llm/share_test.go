package llm_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

// TestClient_Share has a model hang for one role with all requests that it may have: another
// role is answered, and what the first asks beside them waits no longer than its deadline.
func TestClient_Share(t *testing.T) {
	begun, hang := make(chan struct{}, 10), make(chan struct{})
	s := llmtest.New(t, func(c llmtest.Call) llmtest.Reply {
		if strings.Contains(c.Text(), "hang") {
			begun <- struct{}{}
			<-hang
		}
		return llmtest.Reply{Texts: []string{"a"}}
	})
	cfg := s.Config("m")
	cfg.MaxConcurrency, cfg.Retries = 4, 0
	c := client(t, cfg)
	hanging := llm.WithAsker(context.Background(), "one")
	ended := make(chan error, 10)
	ask := func(ctx context.Context, text string) {
		_, err := c.Complete(ctx, llm.Request{Messages: []llm.Message{{Role: llm.User, Content: text}}})
		ended <- err
	}
	for range 2 { // half of four
		go ask(hanging, "hang")
		<-begun
	}
	late, cancel := context.WithCancel(hanging)
	go ask(late, "hang")
	ask(llm.WithAsker(context.Background(), "two"), "answer")
	if err := <-ended; err != nil {
		t.Fatalf("another role: %v", err)
	}
	cancel()
	if err := <-ended; llm.KindOf(err) != llm.Canceled {
		t.Fatalf("a request beyond the share: %v", err)
	}
	select {
	case <-begun:
		t.Error("a request beyond the share was sent")
	default:
	}
	close(hang)
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	ask(hanging, "answer")
	if err := <-ended; err != nil {
		t.Error(errors.Join(errors.New("after those that hung"), err))
	}
}
