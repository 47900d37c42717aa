package main

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/ask/param"
	"askpg/store"
)

// seededQuestion is a question of the seeded log, with a second reading that some
// candidates took; err is what became of it instead of an answer.
type seededQuestion struct {
	text, sql, other, understood string
	links                        []ask.Link
	err                          *ask.Error
}

var seeded = []seededQuestion{
	{text: "What's the average order total by region this year?",
		sql:        "SELECT c.region, round(avg(o.total), 2) AS average_total FROM orders AS o JOIN customers AS c ON c.id = o.customer_id WHERE o.ordered_at >= date_trunc('year', now()) AND o.status <> 'cancelled' GROUP BY c.region ORDER BY average_total DESC",
		other:      "SELECT c.region, round(avg(o.total), 2) AS average_total FROM orders AS o JOIN customers AS c ON c.id = o.customer_id WHERE o.ordered_at >= date_trunc('year', now()) GROUP BY c.region ORDER BY average_total DESC",
		understood: "average of orders.total for each customers.region, since 1 January",
		links:      []ask.Link{{Words: "order total", Object: "public.orders.total", Why: "comment"}, {Words: "region", Object: "public.customers.region", Why: "name"}}},
	{text: "Which products were returned most often last quarter, and why?",
		sql:        "SELECT p.name, r.reason, sum(r.quantity) AS returned FROM returns AS r JOIN products AS p ON p.id = r.product_id WHERE r.returned_at >= date_trunc('quarter', now()) - interval '3 months' AND r.returned_at < date_trunc('quarter', now()) GROUP BY p.name, r.reason ORDER BY returned DESC LIMIT 20",
		other:      "SELECT p.name, r.reason, count(*) AS returned FROM returns AS r JOIN products AS p ON p.id = r.product_id WHERE r.returned_at >= now() - interval '3 months' GROUP BY p.name, r.reason ORDER BY returned DESC LIMIT 20",
		understood: "products by number of pieces returned, with the reason, in the last full quarter",
		links:      []ask.Link{{Words: "products", Object: "public.products", Why: "name"}, {Words: "returned", Object: "public.returns", Why: "name"}, {Words: "why", Object: "public.returns.reason", Why: "synonym"}}},
	{text: "how many gold customers have not ordered for six months",
		sql:   "SELECT count(*) FROM customers AS c WHERE c.tier = 'gold' AND NOT EXISTS (SELECT 1 FROM orders AS o WHERE o.customer_id = c.id AND o.ordered_at >= now() - interval '6 months')",
		other: "SELECT count(DISTINCT c.id) FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id WHERE c.tier = 'gold' AND o.ordered_at < now() - interval '6 months'",
		links: []ask.Link{{Words: "gold", Object: "public.customers.tier", Value: "gold", Why: "value"}, {Words: "customers", Object: "public.customers", Why: "name"}, {Words: "ordered", Object: "public.orders", Why: "name"}}},
	{text: "monthly revenue by channel since January",
		sql:   "SELECT date_trunc('month', ordered_at)::date AS month, channel, sum(total) AS revenue FROM orders WHERE ordered_at >= date_trunc('year', now()) GROUP BY 1, 2 ORDER BY 1, 2",
		links: []ask.Link{{Words: "revenue", Object: "public.orders.total", Why: "comment"}, {Words: "channel", Object: "public.orders.channel", Why: "name"}}},
	{text: "top 10 customers by revenue, with their tier", sql: "SELECT c.name, c.tier, sum(o.total) AS revenue FROM orders AS o JOIN customers AS c ON c.id = o.customer_id GROUP BY c.id, c.name, c.tier ORDER BY revenue DESC LIMIT 10",
		links: []ask.Link{{Words: "customers", Object: "public.customers", Why: "name"}, {Words: "tier", Object: "public.customers.tier", Why: "name"}}},
	{text: "how many orders were placed last month?", sql: "SELECT count(*) FROM orders WHERE ordered_at >= date_trunc('month', now()) - interval '1 month' AND ordered_at < date_trunc('month', now())",
		links: []ask.Link{{Words: "orders", Object: "public.orders", Why: "name"}}},
	{text: "how long does a parcel take on average, by carrier?", sql: "SELECT carrier, avg(delivered_at - shipped_at) AS duration FROM shipments WHERE delivered_at IS NOT NULL GROUP BY carrier ORDER BY duration",
		links: []ask.Link{{Words: "parcel", Object: "public.shipments", Why: "comment"}, {Words: "carrier", Object: "public.shipments.carrier", Why: "name"}}},
	{text: "which stores sell more than they did a year ago", sql: "SELECT s.name FROM stores AS s JOIN orders AS o ON o.store_id = s.id GROUP BY s.id, s.name HAVING sum(o.total) FILTER (WHERE o.ordered_at >= now() - interval '1 year') > sum(o.total) FILTER (WHERE o.ordered_at < now() - interval '1 year')",
		other: "SELECT name FROM stores WHERE opened_on < now() - interval '1 year'", links: []ask.Link{{Words: "stores", Object: "public.stores", Why: "name"}}},
	{text: "average rating of products that are out of stock", sql: "SELECT avg(r.rating) FROM reviews AS r JOIN products AS p ON p.id = r.product_id WHERE p.stock = 0",
		links: []ask.Link{{Words: "rating", Object: "public.reviews.rating", Why: "name"}, {Words: "stock", Object: "public.products.stock", Why: "name"}}},
	{text: "what do our cashiers earn?", err: ask.Errorf(ask.CodeInsufficientRights, "the answer needs staff.salary, which support may not read").WithHint("Ask somebody to grant SELECT on the column.")},
	{text: "best region?", sql: "SELECT c.region FROM customers AS c GROUP BY c.region ORDER BY count(*) DESC LIMIT 1", other: "SELECT c.region FROM orders AS o JOIN customers AS c ON c.id = o.customer_id GROUP BY c.region ORDER BY sum(o.total) DESC LIMIT 1",
		err: ask.Errorf(ask.CodeLowConfidence, "the question can be read in 2 ways").WithDetail("1. region with most customers\n2. region with highest revenue").WithHint("Say what makes a region best, or run a reading with ask(run 1).")},
	{text: "what's the churn of our newsletter audience", err: ask.Errorf(ask.CodeNoCandidate, "no candidate survived").WithDetail("Nothing says when somebody left the newsletter.")},
	{text: "revenue forecast for next year", err: ask.Errorf(ask.CodeNoModel, "no model answered").WithDetail("main: 503, tried 3 times")},
}

// seedLog writes two months of questions into the log of a configuration, the same on every run but for their dates. It
// returns two ids: of a question that shows everything that a translation's page can show, and of one whose words can be
// marked.
func seedLog(t *testing.T, cfg store.Config) (shown, markable string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cfg.WriteTimeout = ask.Duration(time.Minute) // what is spilled could not be approved at once
	st, err := store.Open(ctx, cfg, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}()
	random := rand.New(rand.NewPCG(8, 1))
	now := time.Now().UTC()
	for day := 59; day >= 0; day-- {
		questions := 4 + random.IntN(9)
		if w := now.AddDate(0, 0, -day).Weekday(); w == time.Saturday || w == time.Sunday {
			questions = random.IntN(3)
		}
		for range questions {
			a := seeded[min(random.IntN(len(seeded)), random.IntN(len(seeded)))]
			e := seedEntry(a, now.AddDate(0, 0, -day).Add(-time.Duration(random.IntN(300))*time.Minute), random)
			if err := st.Append(ctx, e); err != nil {
				t.Fatal(err)
			}
		}
	}
	last := seedEntry(seeded[1], now.Add(-20*time.Minute), rand.New(rand.NewPCG(3, 3)))
	last.Translation.Source, last.Translation.Confidence = ask.SourceModel, 0.56
	if err := st.Append(ctx, last); err != nil {
		t.Fatal(err)
	}
	for id, reason := range map[string]string{last.Question.ID: "pieces, not returns"} {
		if err := st.Feedback(ctx, id, false, "ann", reason); err != nil {
			t.Fatal(err)
		}
	}
	page, err := st.List(ctx, store.Filter{Text: "monthly revenue", Outcome: store.Answered, Limit: 1})
	if err != nil || len(page.Records) == 0 {
		t.Fatalf("nothing to approve: %v", err)
	}
	if _, err := st.Approve(ctx, page.Records[0].ID, nil, store.Reviewer{Name: "Rita"}, "what finance calls revenue"); err != nil {
		t.Fatal(err)
	}
	page, err = st.List(ctx, store.Filter{Text: "top 10 customers", Outcome: store.Answered, Limit: 1})
	if err != nil || len(page.Records) == 0 {
		t.Fatalf("nothing to mark: %v", err)
	}
	marked, err := param.Compile("top {n:10} customers by revenue, with their tier", strings.Replace(page.Records[0].SQL, "LIMIT 10", "LIMIT {n:10}", 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.Approve(ctx, page.Records[0].ID, marked, store.Reviewer{Name: "Rita"}, ""); err != nil {
		t.Fatal(err)
	}
	page, err = st.List(ctx, store.Filter{Text: "placed last month", Role: "analyst", Limit: 1})
	if err != nil || len(page.Records) == 0 {
		t.Fatalf("nothing to suggest marks for: %v", err)
	}
	return last.Question.ID, page.Records[0].ID
}

// seedEntry makes one question and what came of it.
func seedEntry(a seededQuestion, asked time.Time, random *rand.Rand) store.Entry {
	id := ask.NewID()
	client := []ask.Client{
		{Address: "10.0.4.17:50122", ApplicationName: "Metabase", Annotations: []string{"Metabase:: userID: 7 queryType: native"}},
		{Address: "10.0.4.31:41810", ApplicationName: "psql"},
		{Address: "10.0.4.44:38100", ApplicationName: "DBeaver"},
	}[random.IntN(3)]
	role := []string{"analyst", "analyst", "finance", "support"}[random.IntN(4)]
	q := ask.Question{ID: id, Text: a.text, Asked: asked, Client: client,
		Session: ask.Session{Database: "shop", Role: role, SessionUser: map[string]string{"Metabase": "mara", "psql": "jonas", "DBeaver": "ines"}[client.ApplicationName], Settings: map[string]string{"TimeZone": "Europe/Berlin", "search_path": `"$user", public`, "DateStyle": "ISO, DMY"}}}
	e := store.Entry{Question: q, Elapsed: time.Duration(300+random.ExpFloat64()*2500) * time.Millisecond}
	if a.err != nil {
		e.Err = a.err
	}
	if a.sql == "" {
		return e
	}
	tr := &ask.Translation{ID: id, SQL: a.sql, Strategy: "auto", Source: ask.SourceModel, Confidence: 0.97 - random.ExpFloat64()*0.06, Understood: a.understood, Linked: a.links,
		Replica: ask.Replica{Name: "standby-1:5432", Lag: 12 * time.Millisecond}, Plan: "Limit  (cost=1843.02..1843.07 rows=20 width=59)\n  ->  Sort  (cost=1843.02..1849.11 rows=2436 width=59)\n        Sort Key: (sum(r.quantity)) DESC\n        ->  HashAggregate  (cost=1753.84..1778.20 rows=2436 width=59)\n              Group Key: p.name, r.reason\n              ->  Hash Join  (cost=30.50..1735.57 rows=2436 width=55)\n                    Hash Cond: (r.product_id = p.id)\n                    ->  Seq Scan on returns r  (cost=0.00..1698.66 rows=2436 width=20)\n                    ->  Hash  (cost=18.00..18.00 rows=1000 width=39)"}
	switch n := random.IntN(10); {
	case n < 3:
		tr.Source = ask.SourceCache
		e.Elapsed = time.Duration(3+random.IntN(20)) * time.Millisecond
		e.Translation = tr
		return e
	case n < 5:
		tr.Source = ask.SourceGrammar
		e.Elapsed = time.Duration(40+random.IntN(120)) * time.Millisecond
		tr.Candidates = []ask.Candidate{{SQL: a.sql, Origin: ask.Origin{Model: "grammar", Prompt: "interpretation", Sample: 1}, Fate: ask.FateChosen, Votes: 1, Fingerprint: "f1", Rows: 20, Cost: 1843.07, Elapsed: 12 * time.Millisecond}}
		e.Translation = tr
		return e
	}
	prompts := []string{"ddl", "compact", "ddl-reversed", "column-first"}
	for i := range 5 {
		c := ask.Candidate{SQL: a.sql, Origin: ask.Origin{Model: []string{"main", "main", "small"}[i%3], Prompt: prompts[i%4], Sample: 1 + i/4}, Fate: ask.FateAgreed, Votes: 3, Fingerprint: "f1", Rows: 20, Cost: 1843.07, Elapsed: time.Duration(9+i) * time.Millisecond}
		switch {
		case i == 0:
			c.Fate = ask.FateChosen
		case i == 4:
			c = ask.Candidate{SQL: strings.Replace(a.sql, "SELECT ", "SELECT sku, ", 1), Origin: c.Origin, Fate: ask.FateRepaired, Rows: -1, Err: ask.Errorf("42703", `column "sku" does not exist`)}
		case i == 2 && a.other != "":
			c.SQL, c.Fingerprint, c.Votes, c.Rows, c.Fate = a.other, "f2", 1, 18, ask.FateOutvoted
			tr.Confidence -= 0.25
		}
		tr.Candidates = append(tr.Candidates, c)
	}
	if e.Err != nil {
		tr.Confidence = 0.41
	}
	tr.Usage = ask.Usage{Calls: 4, PromptTokens: 5200 + random.IntN(900), CompletionTokens: 400 + random.IntN(200), Cost: 0.008 + 0.012*random.Float64()}
	small := ask.Usage{Calls: 1, PromptTokens: tr.Usage.PromptTokens / 4, CompletionTokens: tr.Usage.CompletionTokens / 4, Cost: tr.Usage.Cost / 10}
	main := ask.Usage{Calls: 3, PromptTokens: tr.Usage.PromptTokens - small.PromptTokens, CompletionTokens: tr.Usage.CompletionTokens - small.CompletionTokens, Cost: tr.Usage.Cost - small.Cost}
	tr.Spending = []ask.Spending{{Model: "main", Usage: main}, {Model: "small", Usage: small}}
	ms := time.Millisecond
	tr.Stages = []ask.Stage{{Name: "catalog", Elapsed: 4 * ms}, {Name: "link", Elapsed: 18 * ms}, {Name: "generate", Elapsed: time.Duration(900+random.IntN(900)) * ms}, {Name: "check", Elapsed: 31 * ms}, {Name: "repair", Elapsed: 420 * ms}, {Name: "execute", Elapsed: 64 * ms}, {Name: "select", Elapsed: ms}}
	tr.Notices = []string{fmt.Sprintf("4 candidates, %d results", map[bool]int{false: 1, true: 2}[a.other != ""])}
	e.Translation = tr
	return e
}
