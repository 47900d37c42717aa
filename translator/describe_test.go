package translator_test

import (
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/translator"
	"askpg/translator/llm/llmtest"
)

// TestDescribe: a model is shown one table as prompts show it, without values of private columns, and its answer is read as what it is asked for; anything else is
// an error.
func TestDescribe(t *testing.T) {
	answer := ""
	m, server := model(t, func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Texts: []string{answer}} })
	database, exec := pgtest.NewDatabase(t, shop+"comment on column orders.status is 'askpg:private';"), newExecutor(t)
	cat := catalog.New(catalog.DefaultConfig(), exec, quiet, prometheus.NewRegistry())
	t.Cleanup(cat.Close)
	w := translator.New(translator.DefaultConfig(), cat, exec, []translator.Model{m}, quiet, prometheus.NewRegistry())
	snap, err := cat.Snapshot(t.Context(), database, "reader")
	if err != nil {
		t.Fatal(err)
	}
	answer = "Here it is:\n```json\n{\"table\": \"an order of a customer\", \"columns\": {\"total\": \"what is to be paid\"}, \"model\": \"x\"}\n```"
	d, err := w.Describe(t.Context(), snap, snap.Lookup("public", "orders"))
	if err != nil || d.Table != "an order of a customer" || d.Columns["total"] != "what is to be paid" || d.Model != "main" || d.Usage.Calls != 1 {
		t.Errorf("%+v, %v", d, err)
	}
	answer = "I do not know."
	if d, err := w.Describe(t.Context(), snap, snap.Lookup("public", "orders")); err == nil || d.Usage.Calls != 1 {
		t.Errorf("%+v, %v", d, err)
	}
	for _, c := range server.Calls() {
		text := c.Messages[len(c.Messages)-1].Content
		if !strings.Contains(text, "CREATE TABLE public.orders") || strings.Contains(text, "CREATE TABLE public.customers") || strings.Contains(text, "shipped") {
			t.Errorf("the prompt is %s", text)
		}
	}
}
