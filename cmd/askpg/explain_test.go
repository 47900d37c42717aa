package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"askpg/internal/shop"
)

// A person who asks why is shown what the words were linked to and what examples the model had. Every candidate follows
// with its group, the repair of the one that failed, and the plan.
func TestExplain(t *testing.T) {
	demos := filepath.Join(t.TempDir(), "demos.jsonl")
	if err := os.WriteFile(demos, []byte(`{"question": "how many shops do we have in Berlin", "sql": "select 1"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	model := newModelServer(t)
	n := 0
	model.answer(func(prompt string) reply {
		if strings.Contains(prompt, "how many shops do we have") || strings.Contains(prompt, "no_such_column") {
			return reply{text: "```sql\nSELECT count(*) FROM customers\n```"}
		}
		switch n++; n {
		case 1:
			return reply{text: "```sql\nSELECT count(no_such_column) FROM customers\n```"}
		case 2:
			return reply{text: "```sql\nSELECT count(*) + 1 FROM customers\n```"}
		}
		return reply{text: "```sql\nSELECT count(c.*) FROM customers AS c\n```"}
	})
	r := start(t, func(c *Config) {
		model.configure(c)
		c.Translator.DemoFile, c.Translator.PET.Demos, c.Translator.MinConfidence = demos, 1, 0
	})
	got := r.psql(t, shop.Analyst, "ASK(explain) how many customers do we have;\nASK(explain, strategy=pet) how many customers do we have;\n", "-q")
	for _, want := range []string{
		"Linked:\n", `"customers" is `, "public.customers",
		"Demonstrations:\n  how many shops do we have in Berlin\n",
		"Candidates, in 2 groups by their results:", "group 1", "group 2", "repair 1", "no_such_column", "repaired",
		"SQL:\n", "Plan:\n", "Aggregate",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}
