package translator_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/translator"
)

// An answer says which definitions it goes by: those that the question names
// and its SQL reads.
func TestTranslate_Definitions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "semantics.toml")
	if err := os.WriteFile(path, []byte(`
[[measure]]
name = "throughput"
table = "orders"
expression = "count(*)"
filter = "status = 'shipped'"
agreed = "2026-11-03 by ann"
[[term]]
name = "open orders"
table = "orders"
condition = "status = 'open'"
[[table]]
name = "customers"
filter = "id > 1"
agreed = "2026-11-04 by bob"
`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ question, sql, want, never string }{
		"named and read":     {"what is the throughput?", "select count(*) from orders where status = 'shipped'", "throughput is count(*) over rows where orders.status = 'shipped' (agreed 2026-11-03 by ann)", "open orders"},
		"named and not read": {"what is the throughput?", "select count(*) from orders", "number of orders", "throughput"},
		"read and not named": {"how many were sent?", "select count(*) from orders where status = 'shipped'", "number of orders where status is 'shipped'", "throughput"},
		"usual filter":       {"how many customers?", "select count(*) from customers where id > 1", "customers are rows where customers.id > 1 (agreed 2026-11-04 by bob)", "throughput"},
		"without the filter": {"how many customers?", "select count(*) from customers", "number of customers", "agreed"},
		"rows":               {"how many open orders are there", "select count(*) from orders where status = 'open'", "open orders are rows of orders where", "throughput"},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := model(t, answers(c.sql))
			database, exec := pgtest.NewDatabase(t, shop), newExecutor(t)
			cfg := catalog.DefaultConfig()
			cfg.Semantics = path
			cat := catalog.New(cfg, exec, quiet, prometheus.NewRegistry())
			t.Cleanup(cat.Close)
			w := &world{translator.New(translator.DefaultConfig(), cat, exec, []translator.Model{m}, quiet, prometheus.NewRegistry(), translator.WithInterpreter(misunderstood("x"))), database}
			tr, err := w.ask(t, c.question)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(tr.Understood, c.want) || strings.Contains(tr.Understood, c.never) {
				t.Errorf("understood as %q", tr.Understood)
			}
		})
	}
}

// Where readings differ by a definition, the refusal names it: the asker chooses by name or by number.
func TestTranslate_DefinitionsDiffer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "semantics.toml")
	if err := os.WriteFile(path, []byte(`
[[measure]]
name = "shipped volume"
table = "orders"
expression = "count(*)"
filter = "status = 'shipped'"
[[measure]]
name = "booked volume"
table = "orders"
expression = "count(id)"
[[measure]]
name = "paid volume"
table = "orders"
expression = "count(id)"
filter = "status = 'open'"
[[measure]]
name = "head count"
table = "customers"
expression = "count(id)"
`), 0o600); err != nil {
		t.Fatal(err)
	}
	const shipped, booked, paid, neither = "select count(*) from orders where status = 'shipped'", "select count(o.id) from orders o", "select count(id) from orders where status = 'open'", "select count(*) + 70 from customers"
	database, exec := pgtest.NewDatabase(t, shop), newExecutor(t)
	cfg := catalog.DefaultConfig()
	cfg.Semantics = path
	cat := catalog.New(cfg, exec, quiet, prometheus.NewRegistry())
	t.Cleanup(cat.Close)
	for name, c := range map[string]struct{ question, first, second, want string }{
		"two":          {"what is the volume?", shipped, booked, `"shipped volume", "booked volume"`},
		"the narrower": {"what is the volume?", paid, booked, `"paid volume", "booked volume"`},
		"one and none": {"what is the volume?", shipped, neither, `"shipped volume", none`},
		"none":         {"what is the weight?", shipped, booked, ""},
		"the same":     {"what is the volume?", shipped, shipped + " and id > 4", ""},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := model(t, answers(c.first, c.second))
			set := translator.DefaultConfig()
			set.MaxSamples, set.MaxCalls, set.Explore = 2, 2, false
			w := &world{translator.New(set, cat, exec, []translator.Model{m}, quiet, prometheus.NewRegistry(), translator.WithInterpreter(misunderstood("x"))), database}
			_, err := w.ask(t, c.question)
			e := ask.AsError(err)
			if e == nil || e.Code != ask.CodeLowConfidence {
				t.Fatalf("got %v", err)
			}
			first, _, _ := strings.Cut(e.Detail, "\n")
			if one, other, ok := strings.Cut(c.want, ", "); ok {
				said := "The readings differ by a definition: reading 1 goes by %s, reading 2 goes by %s."
				if first != fmt.Sprintf(said, one, other) && first != fmt.Sprintf(said, other, one) || !strings.Contains(e.Hint, "name the definition that you mean") {
					t.Errorf("got %q, hint %q, want %q", e.Detail, e.Hint, c.want)
				}
			}
			if c.want == "" && !strings.HasPrefix(first, "1. ") {
				t.Errorf("got %q", e.Detail)
			}
		})
	}
}
