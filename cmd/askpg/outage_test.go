package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/store"
	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

// oracle is a model that is right often, and as often with each prompt and whoever else is up: what it says depends on its
// seed, its name, and what it is sent.
type oracle struct {
	*llmtest.Server
	name    string
	seed    int
	revoked atomic.Bool
}

var asksFor = regexp.MustCompile(`nickname suits customer (\d+)`)

func newOracle(t *testing.T, name string, seed int) *oracle {
	o := &oracle{name: name, seed: seed}
	o.Server = llmtest.New(t, o.say)
	return o
}

func (o *oracle) say(c llmtest.Call) llmtest.Reply {
	if o.revoked.Load() {
		return llmtest.Reply{Status: 401, Message: "Incorrect API key provided"}
	}
	all := asksFor.FindAllStringSubmatch(c.Text(), -1)
	if all == nil {
		return llmtest.Reply{Status: 400, Message: "another question"}
	}
	var texts []string
	for i := range c.N {
		h := fnv.New64a()
		fmt.Fprintln(h, o.seed, o.name, c.Temperature, i, c.Text())
		texts = append(texts, wordOf(h.Sum64(), all[len(all)-1][1]))
	}
	return llmtest.SQL(texts...)
}

// wordOf returns what a model says that is right in 78 of 100 cases, takes the question for another in 16, and fails in 6.
func wordOf(draw uint64, customer string) string {
	column := "name"
	switch n := draw >> 17 % 100; {
	case n < 6:
		column = "nickname"
	case n < 16:
		column = "region"
	case n < 22:
		column = "country"
	}
	return "SELECT " + column + " FROM customers WHERE id = " + customer
}

// outageAnswer is what came of a question.
type outageAnswer struct {
	text, code string
	confidence float64
	elapsed    float64 // ms
}

// outageAskers is how many ask at the same time, so that many questions may be under way when a model goes or comes.
const outageAskers = 4

// outageRun asks questions of an askpg with two models, outageAskers at a time, and returns what came of them. An event happens while the
// questions before it may still be under way.
func outageRun(t *testing.T, questions, seed int, events func(r *running, first, second *oracle) map[int]func()) []outageAnswer {
	t.Helper()
	first, second := newOracle(t, "first", seed), newOracle(t, "second", seed)
	r := start(t, func(c *Config) {
		for _, o := range []*oracle{first, second} {
			m := o.Config(o.name)
			m.BreakerCooldown = ask.Duration(time.Second)
			c.Models = append(c.Models, m)
		}
		c.Cache.Enabled = false
	})
	defer r.stop()
	when := map[int]func(){}
	if events != nil {
		when = events(r, first, second)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	out := make([]outageAnswer, questions)
	next := make(chan int)
	var workers sync.WaitGroup
	for range outageAskers {
		conn := r.connect(t, shop.Analyst)
		workers.Go(func() {
			for i := range next {
				text, err := asked(ctx, conn, "-- ask: which nickname suits customer "+strconv.Itoa(i+1))
				out[i].text = text
				if err != nil {
					out[i].code = err.Code
				}
			}
		})
	}
	for i := range questions {
		if event := when[i]; event != nil {
			event()
		}
		next <- i
	}
	close(next)
	workers.Wait()
	if event := when[questions]; event != nil {
		event()
	}
	f := store.Filter{Limit: store.MaxPage}
	page, err := r.store.List(ctx, f)
	if err != nil || len(page.Records) != questions {
		t.Fatalf("%d questions are in the log, %v", len(page.Records), err)
	}
	for _, rec := range page.Records {
		n, _ := strconv.Atoi(asksFor.FindStringSubmatch(rec.Question)[1])
		out[n-1].confidence, out[n-1].elapsed = rec.Confidence, rec.Elapsed
	}
	return out
}

// TestOutage asks questions of two models. In the middle the first one is killed and comes back. Then the key of the
// second is revoked. Then the first is killed again, so that none is left. Then both come back. As long as one is up,
// answers and confidence are those of a run without an outage, within the noise between two such runs. Prometheus fires
// one alert for each model that is out, and nothing else. With ASKPG_TEST_OUTAGE=500 it asks so many questions.
func TestOutage(t *testing.T) {
	if testing.Short() {
		t.Skip("asks hundreds of questions, which -short leaves out")
	}
	questions := 100
	if n, err := strconv.Atoi(os.Getenv("ASKPG_TEST_OUTAGE")); err == nil {
		questions = n
	}
	names := customerNames(t, questions)
	usual, again := outageRun(t, questions, 1, nil), outageRun(t, questions, 2, nil)
	fifth := questions / 5
	phases := []outagePhase{
		{"both are up", 0, fifth, nil},
		{"the first is killed", fifth, 2 * fifth, []string{killedFirst}},
		{"both are up again", 2 * fifth, 3 * fifth, nil},
		{"the key of the second is revoked", 3 * fifth, 4 * fifth, []string{refusedSecond}},
		{"none is up", 4 * fifth, 4*fifth + fifth/2, []string{killedFirst, refusedSecond}},
		{"both are back", 4*fifth + fifth/2, questions, nil},
	}
	if questions >= 500 { // else too few fail for the alert
		phases[4].alerts = append(phases[4].alerts, questionsFail)
	}
	var scrapes []map[string]sample
	during := outageRun(t, questions, 1, func(r *running, first, second *oracle) map[int]func() {
		scrape := func(then func()) func() {
			return func() {
				scrapes = append(scrapes, scraped(t, r))
				then()
			}
		}
		// A phase may be shorter than the time for which a model that failed is left alone.
		triedAgain := func() {
			eventually(t, "the models are tried again", func() bool {
				return !slices.ContainsFunc(r.current.Load().models, func(m *llm.Client) bool { return !m.Up() })
			})
		}
		return map[int]func(){
			phases[1].from: scrape(first.Kill),
			phases[2].from: scrape(func() { first.Restart(t); triedAgain() }),
			phases[3].from: scrape(func() { second.revoked.Store(true) }),
			phases[4].from: scrape(first.Kill),
			phases[5].from: scrape(func() {
				second.revoked.Store(false)
				first.Restart(t)
				triedAgain()
			}),
			questions: scrape(func() {}),
		}
	})
	for i, p := range phases {
		a, b, d := phaseFigures(usual[p.from:p.to], names[p.from:p.to]), phaseFigures(again[p.from:p.to], names[p.from:p.to]), phaseFigures(during[p.from:p.to], names[p.from:p.to])
		// The mean difference of two runs has this error; three of them are noise.
		noise := 3 * pairedError(usual[p.from:p.to], again[p.from:p.to])
		t.Logf("%-33s usual %s | again %s | outage %s | noise of the confidence %.3f", p.name, a, b, d, noise)
		// Questions that are under way as the last model goes may still be answered or not, and those as the models
		// come back, too: each model is tried by one request first.
		if i == 4 {
			if answered := p.to - p.from - d.failed; answered > outageAskers {
				t.Errorf("%s, and %d questions were answered", p.name, answered)
			}
			continue
		}
		if diff := math.Abs(d.confidence - a.confidence); diff > noise {
			t.Errorf("%s: the mean confidence differs by %.4f, the noise is %.4f", p.name, diff, noise)
		}
		if spread := 3 * math.Sqrt(float64(p.to-p.from)*2*0.15*0.85); math.Abs(float64(d.right-a.right)) > spread || math.Abs(float64(d.refused-a.refused)) > spread {
			t.Errorf("%s: %d are right and %d refused, %d and %d without an outage", p.name, d.right, d.refused, a.right, a.refused)
		}
		if d.failed > 0 && i < 3 || d.failed > outageAskers {
			t.Errorf("%s: %d questions failed for the models", p.name, d.failed)
		}
	}
	fires(t, phases, scrapes)
}

// customerNames returns the right answers.
func customerNames(t *testing.T, n int) (names []string) {
	t.Helper()
	conn := connect(t, pgtest.Shared(t).Primary.URL(pgtest.Superuser, shopDatabase(t)))
	rows, err := conn.Query(testContext(t), "SELECT name FROM customers WHERE id BETWEEN 1 AND $1 ORDER BY id", n)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if len(names) != n {
		t.Fatalf("%d customers, %v", len(names), rows.Err())
	}
	return names
}

// outagePhase are questions that were asked while some models were out.
type outagePhase struct {
	name     string
	from, to int
	alerts   []string // keys of expectedAlerts
}

type figures struct {
	right, refused, failed int     // refused as unsure; failed for want of a model
	confidence             float64 // mean of those that did not fail
	median                 float64 // ms
	slow                   float64 // ms, the 95th percentile
}

func (f figures) String() string {
	return fmt.Sprintf("right %3d, unsure %2d, failed %2d, confidence %.3f, %4.0f ms, p95 %4.0f ms", f.right, f.refused, f.failed, f.confidence, f.median, f.slow)
}

func phaseFigures(answers []outageAnswer, right []string) (f figures) {
	var took []float64
	for i, a := range answers {
		f.confidence += a.confidence
		took = append(took, a.elapsed)
		switch a.code {
		case "":
			if a.text == right[i] {
				f.right++
			}
		case ask.CodeNoCandidate, ask.CodeLowConfidence:
			f.refused++
		default:
			f.failed++
		}
	}
	f.confidence /= float64(max(len(answers)-f.failed, 1))
	slices.Sort(took)
	f.median, f.slow = took[len(took)/2], took[len(took)*95/100]
	return f
}

// pairedError is the standard error of the mean difference of the confidence of two runs.
func pairedError(a, b []outageAnswer) float64 {
	n := float64(len(a))
	mean, squares := 0.0, 0.0
	for i := range a {
		d := b[i].confidence - a[i].confidence
		mean += d / n
		squares += d * d / n
	}
	return math.Sqrt((squares - mean*mean) / (n - 1))
}

// sample is a counter or a gauge as it was scraped.
type sample struct {
	value   float64
	counter bool
}

// scraped returns the counters and gauges of askpg by name and labels.
func scraped(t *testing.T, r *running) map[string]sample {
	families, err := r.registry.Gather()
	if err != nil {
		t.Error(err)
	}
	out := map[string]sample{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			labels := []string{`job="askpg"`, `instance="askpg1:6433"`}
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetName()+"="+strconv.Quote(l.GetValue()))
			}
			series := f.GetName() + "{" + strings.Join(labels, ", ") + "}"
			if m.GetCounter() != nil {
				out[series] = sample{m.GetCounter().GetValue(), true}
			} else if m.GetGauge() != nil && strings.HasPrefix(series, "askpg_") {
				out[series] = sample{m.GetGauge().GetValue(), false}
			}
		}
	}
	return out
}

const (
	killedFirst   = "AskpgModelAway"
	refusedSecond = "AskpgModelKeyRefused"
	questionsFail = "AskpgQuestionsFail"
)

// failedShare is the share of the questions between two scrapes that no model answered. Some of it were under way before.
func failedShare(before, after map[string]sample) float64 {
	all, failed := 0.0, 0.0
	for series, now := range after {
		if strings.HasPrefix(series, "askpg_questions_total{") {
			all += now.value - before[series].value
		}
		if strings.HasPrefix(series, "askpg_questions_total{") && strings.Contains(series, `"`+ask.CodeNoModel+`"`) {
			failed += now.value - before[series].value
		}
	}
	return failed / all
}

// expectedAlerts are the alerts of deploy that an outage fires, as promtool wants them.
var expectedAlerts = map[string]string{
	killedFirst:   `{ exp_labels: { severity: ticket, model: first }, exp_annotations: { summary: "Model first fails so often that no instance asks it" } }`,
	refusedSecond: `{ exp_labels: { severity: page, model: second }, exp_annotations: { summary: "The server of model second does not accept the API key of an instance; no question of its reaches the model" } }`,
	questionsFail: `{ exp_labels: { severity: page }, exp_annotations: { summary: "%.4g%% of the questions fail for want of a model, a replica or the log" } }`,
}

// fires lets Prometheus' own tool evaluate the alerts of deploy over what was scraped at the end of each phase: each phase lasts for
// half an hour, in which counters rise evenly and gauges are what they are at its end.
func fires(t *testing.T, phases []outagePhase, scrapes []map[string]sample) {
	t.Helper()
	const minutes = 30
	rules, err := filepath.Abs(deployDir + "/prometheus/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "rule_files: [%s]\nevaluation_interval: 1m\ntests:\n- interval: 1m\n  input_series:\n", rules)
	for _, series := range slices.Sorted(maps.Keys(scrapes[len(scrapes)-1])) {
		var values []string
		before := 0.0
		for _, s := range scrapes {
			now := s[series]
			if now.counter {
				values = append(values, fmt.Sprintf("%f+%fx%d", before, (now.value-before)/minutes, minutes-1))
			} else {
				values = append(values, fmt.Sprintf("%fx%d", now.value, minutes-1))
			}
			before = now.value
		}
		fmt.Fprintf(&b, "  - series: %s\n    values: %s\n", strconv.Quote(series), strconv.Quote(strings.Join(values, " ")))
	}
	b.WriteString("  alert_rule_test:\n")
	text, err := os.ReadFile(rules)
	if err != nil {
		t.Fatal(err)
	}
	alerts := regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(string(text), -1)
	for i, p := range phases {
		for _, a := range alerts {
			fmt.Fprintf(&b, "  - eval_time: %dm\n    alertname: %s\n", (i+1)*minutes-1, a[1])
			if expected := expectedAlerts[a[1]]; a[1] == questionsFail && slices.Contains(p.alerts, a[1]) {
				fmt.Fprintf(&b, "    exp_alerts: ["+expected+"]\n", 100*failedShare(scrapes[i-1], scrapes[i]))
			} else if slices.Contains(p.alerts, a[1]) {
				fmt.Fprintf(&b, "    exp_alerts: [%s]\n", expected)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "outage.yml")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	tool(t, ".", "promtool", "test", "rules", file)
}
