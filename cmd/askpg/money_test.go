package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"askpg/internal/shop"
	"askpg/store"
	"askpg/translator/llm"
)

// billing is a model's server that keeps its own bill: each answer has other numbers of tokens. Of ten requests one is
// told to come again, one fails, one gets no choice and one SQL that has to be repaired.
type billing struct {
	*httptest.Server
	in, out float64 // prices of a million tokens
	hang    func() bool

	mu    sync.Mutex
	calls int
	bill  float64
}

func newBilling(t *testing.T, in, out float64) *billing {
	b := &billing{in: in, out: out, hang: func() bool { return false }}
	b.Server = httptest.NewServer(http.HandlerFunc(b.serve))
	t.Cleanup(func() { b.CloseClientConnections(); b.Close() })
	return b
}

// charge bills one answer.
func (b *billing) charge(prompt, completion int) map[string]int {
	b.bill += (float64(prompt)*b.in + float64(completion)*b.out) / 1e6
	return map[string]int{"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
}

func (b *billing) serve(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Input []string
		N     int
	}
	_ = json.NewDecoder(r.Body).Decode(&q)
	b.mu.Lock()
	b.calls++
	n := b.calls
	b.mu.Unlock()
	if b.hang() {
		<-r.Context().Done()
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if strings.HasSuffix(r.URL.Path, "/embeddings") {
		data := []map[string]any{}
		for i := range q.Input {
			data = append(data, map[string]any{"index": i, "embedding": []float32{1, float32(i)}})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data, "usage": b.charge(7*len(q.Input)+n, 0)})
		return
	}
	choices := []map[string]any{}
	for i := range max(1, q.N) {
		sql := fmt.Sprintf("SELECT count(*) + %d FROM customers", (n+i)%3)
		if n%10 == 6 {
			sql = "SELECT no_such_column FROM customers"
		}
		choices = append(choices, map[string]any{"index": i, "message": map[string]string{"role": "assistant", "content": "```sql\n" + sql + "\n```"}})
	}
	switch n % 10 {
	case 3:
		w.Header().Set("Retry-After-Ms", "1")
		w.WriteHeader(http.StatusTooManyRequests)
		return
	case 4:
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	case 5:
		choices = choices[:0]
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"choices": choices, "usage": b.charge(100+n, 11*len(choices)+n%7)})
}

// TestMoney asks 200 questions of three models with different prices, and a fourth that embeds, with repairs, retries
// and calls that another model takes over. The overview, SHOW askpg.budget, the log and the metrics have the sum of the
// servers' own bills, of each model too; and one sum still after askers who leave in the middle.
func TestMoney(t *testing.T) {
	if testing.Short() {
		t.Skip("asks 200 questions, which -short leaves out")
	}
	prices := map[string][2]float64{"cheap": {10, 40}, "middle": {150, 600}, "dear": {3000, 15000}, "vectors": {900, 0}}
	servers := map[string]*billing{}
	r := start(t, func(c *Config) {
		for _, name := range []string{"cheap", "middle", "dear", "vectors"} {
			b := newBilling(t, prices[name][0], prices[name][1])
			servers[name] = b
			m := llm.DefaultConfig()
			m.Name, m.BaseURL, m.Model, m.PriceIn, m.PriceOut = name, b.URL+"/v1", name, b.in, b.out
			m.BreakerFailures, m.Retries = 1000, 1
			if name == "vectors" {
				m.Roles, m.NativeN = []string{llm.RoleEmbed}, false
			}
			c.Models = append(c.Models, m)
		}
		c.Cache.Enabled = false
	})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	day := time.Now().UTC().Format(time.DateOnly)
	var workers sync.WaitGroup
	for w := range 20 { // most of a question is waiting before a retry
		conn := r.connect(t, []string{shop.Analyst, shop.Support}[w%2])
		workers.Go(func() {
			for i := range 10 {
				_, _ = asked(ctx, conn, fmt.Sprintf("-- ask: how many of the customers of batch %d are number %d", w, i))
			}
		})
	}
	workers.Wait()

	bill := 0.0
	for name, b := range servers {
		b.mu.Lock()
		if b.calls < 20 && name != "vectors" || b.bill == 0 {
			t.Errorf("model %s had %d calls and bills %v", name, b.calls, b.bill)
		}
		bill += b.bill
		if got := metricSum(t, r, "askpg_model_cost_total", `model="`+name+`"`); !sameMoney(got, b.bill) {
			t.Errorf("the metric has %v of model %s, the bill %v", got, name, b.bill)
		}
		b.mu.Unlock()
	}
	sums := func() map[string]float64 { return r.moneySums(t, day) }
	for what, got := range sums() {
		if !sameMoney(got, bill) {
			t.Errorf("%s has a cost of %v, the bill %v", what, got, bill)
		}
	}
	o, err := r.store.Overview(ctx, store.OverviewFilter{})
	if err != nil {
		t.Fatal(err)
	}
	byModel := map[string]float64{}
	for _, m := range o.Models {
		byModel[m.Label] = m.Cost
	}
	for name, b := range servers {
		if !sameMoney(byModel[name], b.bill) {
			t.Errorf("the overview has %v of model %s, its bill %v", byModel[name], name, b.bill)
		}
	}
	if byModel["grammar"] != 0 {
		t.Errorf("the engine is said to cost %v", byModel["grammar"])
	}
	t.Logf("%d questions cost %.4f, of it vectors of the catalog %.4f; by model %v", o.Questions, bill, o.Catalog, byModel)

	for _, b := range servers {
		b.hang = func() bool { b.mu.Lock(); defer b.mu.Unlock(); return b.calls%3 == 0 }
	}
	conn := r.connect(t, shop.Analyst)
	for i := range 6 {
		leaving, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
		_, _ = asked(leaving, conn, fmt.Sprintf("-- ask: how many customers left %d", i))
		cancel()
		if conn.IsClosed() {
			conn = r.connect(t, shop.Analyst)
		}
	}
	eventually(t, "the questions of those who left have ended", func() bool {
		page, err := r.store.List(ctx, store.Filter{})
		return err == nil && len(page.Records) > 0 && metricSum(t, r, "askpg_questions_open") == 0 && metricSum(t, r, "askpg_model_requests_in_flight") == 0
	})
	eventually(t, "one sum", func() bool {
		want := metricSum(t, r, "askpg_model_cost_total")
		for _, got := range sums() {
			if !sameMoney(got, want) {
				return false
			}
		}
		return true
	})
	if got := metricSum(t, r, "askpg_model_cost_total"); sameMoney(got, bill) {
		t.Error("those who left cost nothing")
	}
	if t.Failed() {
		t.Logf("%v, metrics %v", sums(), metricSum(t, r, "askpg_model_cost_total"))
	}
}

func sameMoney(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

var costFigure = regexp.MustCompile(`<dt>Cost</dt><dd>([^<]*)</dd>`)

// moneySums returns what each place says that everything cost.
func (r *running) moneySums(t *testing.T, day string) map[string]float64 {
	t.Helper()
	ctx := testContext(t)
	sums := map[string]float64{"metrics": metricSum(t, r, "askpg_model_cost_total")}
	o, err := r.store.Overview(ctx, store.OverviewFilter{})
	if err != nil {
		t.Fatal(err)
	}
	sums["the overview"] = o.Cost
	figure := costFigure.FindStringSubmatch(get(t, r, "/", ""))
	if figure == nil {
		t.Fatal("the page has no cost")
	}
	if page, err := strconv.ParseFloat(strings.ReplaceAll(figure[1], "\u202f", ""), 64); err != nil || math.Abs(page-o.Cost) > 0.005 {
		t.Errorf("the page says %s, the overview has %v", figure[1], o.Cost)
	}
	for _, m := range o.Models {
		sums["the overview by model"] += m.Cost
	}
	sums["the overview by day"] = o.Days[len(o.Days)-1].Cost
	list, err := r.store.Spending(ctx, shop.Analyst, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, sp := range list {
		if sp.Subject == "all" && sp.Period == day {
			sums["the budget"] = sp.Cost
		}
	}
	conn := r.connect(t, shop.Analyst)
	results, err := conn.PgConn().Exec(ctx, "SHOW askpg.budget").ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range results[0].Rows {
		if string(row[0]) == "all" {
			sums["SHOW askpg.budget"], _ = strconv.ParseFloat(string(row[8]), 64)
		}
	}
	// The vectors of the catalog are nobody's question.
	sums["the log"], sums["the log by model"] = o.Catalog, o.Catalog
	f := store.Filter{Limit: 100}
	for {
		page, err := r.store.List(ctx, f)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range page.Records {
			full, err := r.store.Get(ctx, line.ID)
			if err != nil {
				t.Fatal(err)
			}
			sums["the log"] += full.Cost
			for _, m := range full.Spending {
				sums["the log by model"] += m.Cost
			}
		}
		if f.Before = page.Next; f.Before == "" {
			return sums
		}
	}
}
