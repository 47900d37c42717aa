package translator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/translator"
	"askpg/translator/llm/llmtest"
)

// fifty is a schema of fifty tables of twelve columns with keys among them,
// statistics and comments.
func fifty() string {
	var b strings.Builder
	subjects := strings.Fields("customer purchase invoice payment product supplier shipment warehouse employee department contract region city country store brand category review ticket campaign lead account ledger budget asset vehicle driver route visit patient doctor course student teacher grade book author loan member event venue sponsor team player match season referee league stadium coach")[:50]
	for i, s := range subjects {
		fmt.Fprintf(&b, "create table %s (id int primary key, name text not null, status text, kind text, city text, amount numeric(12,2), quantity int, created date, updated timestamptz, note text, active bool, parent_id int", s)
		if i > 0 {
			fmt.Fprintf(&b, ", %s_id int references %s", subjects[(i-1)/2], subjects[(i-1)/2])
		}
		fmt.Fprintf(&b, ");\ncomment on table %s is 'every %s of the company';\ncomment on column %s.amount is 'in euros, taxes included';\n", s, s, s)
		fmt.Fprintf(&b, "insert into %s select n, '%s ' || n, (array['open','closed','late'])[1 + n %% 3], (array['a','b','c','d'])[1 + n %% 4], (array['Berlin','Paris','Rome','Oslo'])[1 + n %% 4], n * 1.5, n, date '2026-01-01' + n, now(), 'note ' || n, n %% 2 = 0, null from generate_series(1, 200) n;\n", s, s)
	}
	b.WriteString("do $$ begin create role reader; exception when duplicate_object then null; end $$;\n" +
		"do $$ begin create role askpg login noinherit; exception when duplicate_object then null; end $$;\n" +
		"grant reader to askpg;\ngrant select on all tables in schema public to reader;\nanalyze;\n")
	return b.String()
}

// BenchmarkOverhead is the time of a question itself: a cache miss over fifty
// tables whose models answer at once, guard, plans, execution and vote
// included. p50-ms and p95-ms are what a person waits.
func BenchmarkOverhead(b *testing.B) {
	const sql = "select city, sum(amount) from invoice group by city order by 2 desc limit 1"
	server := llmtest.New(b, func(c llmtest.Call) llmtest.Reply {
		return llmtest.SQL([]string{sql, sql, "select i.city, sum(i.amount) from invoice i group by i.city order by sum(i.amount) desc limit 1"}[c.Number%3])
	})
	exec := newExecutor(b)
	cat := catalog.New(catalog.DefaultConfig(), exec, quiet, prometheus.NewRegistry())
	b.Cleanup(cat.Close)
	w := &world{translator.New(translator.DefaultConfig(), cat, exec, []translator.Model{newModel(b, server.Config("main"))}, quiet, prometheus.NewRegistry()),
		pgtest.NewDatabase(b, fifty())}
	question := func() {
		if _, err := w.Translate(b.Context(), w.question("which city has the highest total amount of invoices")); err != nil {
			b.Fatal(err)
		}
	}
	question() // the catalog is read
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		question()
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2].Seconds()*1000, "p50-ms")
	b.ReportMetric(took[len(took)*95/100].Seconds()*1000, "p95-ms")
}

// BenchmarkLatency asks a model that takes one second a call. over-ms is what
// an answer takes beyond one second for each of its dependent stages.
func BenchmarkLatency(b *testing.B) {
	shop := newBench(b)
	for _, bm := range []struct {
		name   string
		stages int
		set    option
		reply  func(llmtest.Call) llmtest.Reply
	}{
		{"auto-unanimous", 1, func(*translator.Config) {}, func(c llmtest.Call) llmtest.Reply { return many(c.N, fence(count)) }},
		{"mcs-unanimous", 3, func(c *translator.Config) { c.Strategy = "mcs" }, func(c llmtest.Call) llmtest.Reply {
			return many(c.N, `{"tables": ["customers"], "columns": ["customers.id"]} `+fence(count))
		}},
		{"mcs-choice", 4, func(c *translator.Config) { c.Strategy = "mcs" }, func(c llmtest.Call) llmtest.Reply {
			return many(c.N, `{"tables": ["customers"], "columns": ["customers.id"]} CHOICE: 1 `+fence(count), `{} CHOICE: 1 `+fence("select count(*) from orders"))
		}},
		{"full", 3, func(c *translator.Config) { c.Strategy = "full" }, func(c llmtest.Call) llmtest.Reply { return many(c.N, fence(count)) }},
		{"pet", 2, func(c *translator.Config) { c.Strategy = "pet" }, func(c llmtest.Call) llmtest.Reply { return many(c.N, fence(count)) }},
	} {
		b.Run(bm.name, func(b *testing.B) {
			server := llmtest.New(b, func(c llmtest.Call) llmtest.Reply {
				r := bm.reply(c)
				r.Delay = time.Second
				return r
			})
			w := shop.with(b, []translator.Model{newModel(b, server.Config("main"))}, nil, bm.set, func(c *translator.Config) {
				c.ModelTime, c.Timeout = ask.Duration(50*time.Second), ask.Duration(time.Minute)
			})
			n := 0
			var sum time.Duration
			for b.Loop() {
				began := time.Now()
				if _, err := w.Translate(b.Context(), w.question("how many customers are there")); err != nil {
					b.Fatal(err)
				}
				sum += time.Since(began)
				n++
			}
			b.ReportMetric((sum.Seconds()/float64(n)-float64(bm.stages))*1000, "over-ms")
		})
	}
}
