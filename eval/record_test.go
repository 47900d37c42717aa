package eval_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"askpg/eval"
	"askpg/translator"
	"askpg/translator/llm"
)

// counter answers with the number of the call; every third one fails.
type counter struct{ n int }

func (c *counter) Name() string       { return "counter" }
func (c *counter) Traits() llm.Traits { return llm.Traits{Window: 7, Local: true} }

func (c *counter) Complete(_ context.Context, r llm.Request) (llm.Response, error) {
	c.n++
	if c.n%3 == 0 {
		return llm.Response{}, errors.New("overloaded")
	}
	return llm.Response{Texts: []string{fmt.Sprint(c.n, " ", r.Messages[0].Content)}}, nil
}

func TestRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.jsonl")
	request := func(text string) llm.Request {
		return llm.Request{Messages: []llm.Message{{Role: llm.User, Content: text}}, Stage: "generate"}
	}
	ask := func(m translator.Model, text string) string {
		r, err := m.Complete(t.Context(), request(text))
		if err != nil {
			return "error: " + err.Error()
		}
		return r.Texts[0]
	}
	models, recorder, err := eval.Record([]translator.Model{&counter{}}, path)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{ask(models[0], "a"), ask(models[0], "a"), ask(models[0], "b")}
	if err := recorder.Close(); err != nil {
		t.Fatal(err)
	}
	// A recording goes on where it ended, even in the middle of a line.
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"key":"half a li`)
	f.Close()
	later := &counter{n: 10}
	if models, recorder, err = eval.Record([]translator.Model{later}, path); err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{"a", "a"} {
		if got := ask(models[0], text); got != want[i] {
			t.Errorf("recorded call %d: got %q, want %q", i, got, want[i])
		}
	}
	if got := ask(models[0], "b"); got != "11 b" {
		t.Errorf("a call that failed when it was recorded: got %q, want a new answer", got)
	}
	if got := ask(models[0], "a"); got != "error: overloaded" || later.n != 12 {
		t.Errorf("a further call: got %q, want the model's", got)
	}
	if err := recorder.Close(); err != nil {
		t.Fatal(err)
	}
	want[2] = "error: overloaded"

	again, err := eval.Replay(path)
	if err != nil {
		t.Fatal(err)
	}
	m := again[0]
	if traits := m.(interface{ Traits() llm.Traits }).Traits(); m.Name() != "counter" || traits.Window != 7 || !traits.Local {
		t.Fatalf("replayed model %s with traits %+v", m.Name(), traits)
	}
	for i, text := range []string{"a", "a", "b"} {
		if got := ask(m, text); got != want[i] {
			t.Errorf("call %d: got %q, want %q", i, got, want[i])
		}
	}
	if got := ask(m, "a"); got != "error: overloaded" {
		t.Errorf("the third answer: got %q", got)
	}
	if got := ask(m, "a"); got != want[0] {
		t.Errorf("after the last answer: got %q, want the first again", got)
	}
	if _, err := m.Complete(t.Context(), request("changed")); !errors.Is(err, eval.ErrNotRecorded) {
		t.Errorf("a changed prompt: got %v, want ErrNotRecorded", err)
	}
	hotter := request("a")
	hotter.Temperature = new(float64)
	if _, err := m.Complete(t.Context(), hotter); !errors.Is(err, eval.ErrNotRecorded) {
		t.Errorf("another temperature: got %v, want ErrNotRecorded", err)
	}
}
