package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"askpg/ask"
	"askpg/internal/shop"
	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

// lockedBuffer is a log that is read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.String()
}

// TestModels_KeyRefused refuses the key of one of two models. The questions are answered
// by the other one, and SHOW, readiness, metrics and the log say of the model what it is.
func TestModels_KeyRefused(t *testing.T) {
	const key = "sk-verysecret-0123456789"
	t.Setenv("ASKPG_TEST_MODEL_KEY", key)
	refusing := llmtest.New(t, func(llmtest.Call) llmtest.Reply {
		return llmtest.Reply{Status: 401, Message: "Incorrect API key provided: sk-verysec***6789"}
	})
	steady := llmtest.New(t, func(llmtest.Call) llmtest.Reply { return llmtest.SQL("SELECT count(*) FROM customers") })
	for _, tt := range []struct {
		need   string
		status int
	}{{"none", 200}, {"one", 200}, {"all", 503}} {
		t.Run(tt.need, func(t *testing.T) {
			var log lockedBuffer
			r := startLogging(t, &log, func(c *Config) {
				c.Admin.ReadyModels = tt.need
				a, b := steady.Config("steady"), refusing.Config("refusing")
				b.APIKeyEnv = "ASKPG_TEST_MODEL_KEY"
				c.Models = []llm.Config{a, b}
			})
			conn := r.connect(t, shop.Analyst)
			for range 3 {
				got, err := asked(testContext(t), conn, "-- ask(fresh): how many customers do we have")
				if ask.CodeOf(err) != "" || err != nil || got != fmt.Sprint(count(t, "SELECT count(*) FROM customers")) {
					t.Fatal(got, err)
				}
			}
			out := r.psql(t, shop.Analyst, "SHOW askpg.models;\nSHOW askpg.status;\n", "-q", "-F", "|")
			for _, want := range []string{"steady|generate, judge|ready|", "refusing|generate, judge|key refused|", "|key refused (HTTP 401)|20", "models|ready|1 of 2 answer; refusing: key refused"} {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
			res, err := http.Get("http://" + r.admin.Addr().String() + "/readyz")
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body, _ := io.ReadAll(res.Body)
			if res.StatusCode != tt.status || tt.status == 503 && !strings.Contains(string(body), "model refusing is key refused since 20") {
				t.Errorf("/readyz says %d %s, want %d", res.StatusCode, body, tt.status)
			}
			text := log.text()
			if n := strings.Count(text, "model is not asked any more"); n != 1 || !strings.Contains(text, "ASKPG_TEST_MODEL_KEY") {
				t.Errorf("the log says %d times that the model is not asked:\n%s", n, text)
			}
			if all := out + string(body) + text; strings.Contains(all, "sk-very") {
				t.Errorf("a part of the key is told:\n%s", all)
			}
		})
	}
}
