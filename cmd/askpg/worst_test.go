package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"askpg/ask"
	"askpg/internal/shop"
)

// metricSum returns the sum of a metric's values whose line holds every part.
func metricSum(t *testing.T, r *running, name string, parts ...string) float64 {
	t.Helper()
	sum := 0.0
	for _, m := range regexp.MustCompile(`(?m)^`+name+`(\{[^}]*\})? (\S+)$`).FindAllStringSubmatch(get(t, r, "/metrics", ""), -1) {
		all := true
		for _, p := range parts {
			all = all && strings.Contains(m[1], p)
		}
		if n, err := strconv.ParseFloat(m[2], 64); err == nil && all {
			sum += n
		}
	}
	return sum
}

// many is a completion of n choices, each with other SQL, whatever was asked for.
func many(n int, sql func() string) reply {
	choices := make([]map[string]any, n)
	for i := range choices {
		choices[i] = map[string]any{"index": i, "finish_reason": "stop", "message": map[string]string{"role": "assistant", "content": "```sql\n" + sql() + "\n```"}}
	}
	out, _ := json.Marshal(map[string]any{"id": "1", "object": "chat.completion", "model": "test-1", "choices": choices,
		"usage": map[string]int{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}})
	return reply{raw: string(out)}
}

// TestWorst has a model answer with the worst that it may, without end: what one
// question does on the replica reaches its bound, exactly, and does not pass it.
func TestWorst(t *testing.T) {
	var number atomic.Int64
	fresh := func(format string) func() string {
		return func() string { return fmt.Sprintf(format, number.Add(1)) }
	}
	const bound = 30
	failing, running := fresh("SELECT nosuch%d FROM orders"), fresh("SELECT count(*) + %d FROM orders")
	for _, tt := range []struct {
		name   string
		answer func(string) reply
		change func(*Config)
		bound  string
	}{
		{"a hundred turns", func(string) reply { return many(1, running) }, func(c *Config) {
			c.Translator.Strategy, c.Translator.Interactive.Turns, c.Translator.MaxCalls, c.Replica.QuestionStatements = "interactive", 100, 200, bound
		}, "statements"},
		{"a hundred turns that fail", func(string) reply { return many(1, failing) }, func(c *Config) {
			c.Translator.Strategy, c.Translator.Interactive.Turns, c.Translator.MaxCalls, c.Replica.QuestionStatements = "interactive", 100, 200, bound
		}, "statements"},
		{"a thousand choices", func(string) reply { return many(1000, running) }, func(c *Config) {
			c.Translator.Strategy, c.Replica.QuestionStatements = "mcs", bound
		}, "statements"},
		{"repairs without end", func(string) reply { return many(20, failing) }, func(c *Config) {
			c.Translator.MaxRepairs, c.Translator.MaxSamples, c.Translator.MaxCalls, c.Replica.QuestionStatements = 1000, 1000, 200, bound
		}, "statements"},
		{"many rows", func(string) reply { return many(1, fresh("SELECT generate_series(1, 9000 + %d)")) }, func(c *Config) {
			c.Translator.Strategy, c.Replica.QuestionRows = "mcs", 20_000
		}, "rows"},
		{"long rows", func(string) reply { return many(1, fresh("SELECT %d, repeat('x', 100000)")) }, func(c *Config) {
			c.Translator.Strategy, c.Replica.QuestionBytes = "mcs", 1<<20
		}, "bytes"},
		{"endless statements", func(string) reply {
			return many(1, fresh("WITH RECURSIVE x AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM x) SELECT count(*) + %d FROM x"))
		}, func(c *Config) {
			c.Translator.Strategy, c.Replica.QuestionWork, c.Replica.StatementTimeout = "mcs", ask.Duration(4*time.Second), ask.Duration(time.Second)
		}, "work"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			model := newModelServer(t)
			model.answer(tt.answer)
			r := start(t, func(c *Config) {
				model.configure(c)
				c.Models[0].Timeout = ask.Duration(20 * time.Second)
				tt.change(c)
			})
			tr, err := r.translator.Translate(testContext(t), ask.Question{ID: ask.NewID(), Text: "how many of the orders are beautiful", Asked: time.Now(), Fresh: true,
				Session: shellSession("shop", shop.Analyst)})
			if tr == nil {
				tr = ask.TranslationOf(err)
			}
			if tr == nil || len(tr.Candidates) == 0 {
				t.Fatalf("no candidates: %v", err)
			}
			if n := metricSum(t, r, "askpg_replica_question_exhausted_total", tt.bound); n != 1 {
				t.Errorf("the bound was reached by %.0f questions", n)
			}
			statements := metricSum(t, r, "askpg_replica_statement_seconds_count", `"explain"`) + metricSum(t, r, "askpg_replica_statement_seconds_count", `"candidate"`)
			rows := int64(0)
			for _, c := range tr.Candidates {
				if c.Fate != ask.FateDuplicate {
					rows += max(c.Rows, 0)
				}
			}
			switch {
			case tt.bound == "statements" && statements != bound:
				t.Errorf("%.0f statements, and the bound is %d", statements, bound)
			case tt.bound == "rows" && rows != 20_000:
				t.Errorf("%d rows, and the bound is 20000", rows)
			case tt.bound == "bytes" && rows != 10:
				t.Errorf("%d rows of 100000 bytes, and the bound is a megabyte", rows)
			}
			message := ""
			if err != nil {
				message = strings.SplitN(err.Error(), "\n", 2)[0]
			}
			t.Logf("%d calls, %d candidates, %.0f statements, %d rows, %.1f s on the replica: %v", model.calls(), len(tr.Candidates), statements, rows,
				metricSum(t, r, "askpg_replica_statement_seconds_sum"), message)
		})
	}
}
