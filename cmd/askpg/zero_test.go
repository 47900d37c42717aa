package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

var (
	counterOfAlert = regexp.MustCompile(`(askpg_\w+_total)(\{[^}]*\})?`)
	labelOfAlert   = regexp.MustCompile(`(\w+)(=~?)"([^"]*)"`)
)

// TestMetrics_FromZero: before anybody has asked, /metrics has each counter that an alert looks at, for each value of a
// label that it names. Otherwise the first of a burst would begin its series, and no increase would be seen.
func TestMetrics_FromZero(t *testing.T) {
	model := llmtest.New(t, func(llmtest.Call) llmtest.Reply { return llmtest.SQL("SELECT 1") })
	r := start(t, func(c *Config) { c.Models = []llm.Config{model.Config("m")} })
	series := get(t, r, "/metrics", "")
	rules, err := os.ReadFile("../../deploy/prometheus/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, m := range counterOfAlert.FindAllStringSubmatch(string(rules), -1) {
		found++
		labels := labelOfAlert.FindAllStringSubmatch(m[2], -1)
		if len(labels) == 0 && !regexp.MustCompile(`(?m)^`+m[1]+`(\{.*\})? 0$`).MatchString(series) {
			t.Errorf("/metrics lacks %s at 0", m[1])
		}
		for _, l := range labels {
			for value := range strings.SplitSeq(l[3], "|") {
				if !regexp.MustCompile(`(?m)^` + m[1] + `\{.*` + l[1] + `="` + value + `".*\} 0$`).MatchString(series) {
					t.Errorf("/metrics lacks %s{%s=%q} at 0", m[1], l[1], value)
				}
			}
		}
	}
	if found < 8 {
		t.Errorf("%d counters are found in the alerts", found)
	}
}
