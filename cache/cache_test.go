package cache_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/cache"
)

// counting answers every question with SQL that names the call's number.
type counting struct {
	calls  atomic.Int64
	change func(*ask.Translation)
	err    error
}

func (c *counting) Translate(_ context.Context, q ask.Question) (*ask.Translation, error) {
	n := c.calls.Add(1)
	if c.err != nil {
		return nil, c.err
	}
	t := &ask.Translation{
		ID: q.ID, SQL: fmt.Sprintf("select %d", n), Source: ask.SourceModel, Confidence: 1,
		Usage: ask.Usage{Calls: 3, Cost: 1}, Result: &ask.Result{Complete: true}, Notices: []string{"lag 3 s"},
		Candidates: []ask.Candidate{{SQL: "select 1", Fate: ask.FateChosen}},
	}
	if c.change != nil {
		c.change(t)
	}
	return t, nil
}

func question(text string) ask.Question {
	return ask.Question{
		ID: ask.NewID(), Text: text,
		Session: ask.Session{
			Database: "shop", Role: "analyst",
			Settings: map[string]string{"TimeZone": "UTC", "search_path": "public"},
			Ask:      map[string]string{"strategy": "auto"},
		},
	}
}

func newCache(t *testing.T, next ask.Translator, change func(*cache.Config)) (*cache.Cache, *prometheus.Registry) {
	t.Helper()
	cfg := cache.DefaultConfig()
	if change != nil {
		change(&cfg)
	}
	reg := prometheus.NewRegistry()
	c, err := cache.New(cfg, func(context.Context, *ask.Question) (string, error) { return "v1", nil }, next, reg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, reg
}

func requests(t *testing.T, reg *prometheus.Registry, result string) float64 {
	t.Helper()
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == "askpg_cache_requests_total" && m.GetLabel()[0].GetValue() == result {
				return m.GetCounter().GetValue()
			}
		}
	}
	return 0
}

func translate(t *testing.T, tr ask.Translator, q ask.Question) *ask.Translation {
	t.Helper()
	got, err := tr.Translate(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestCache_Hit(t *testing.T) {
	next := &counting{}
	c, reg := newCache(t, next, nil)
	first := translate(t, c, question("How many orders?"))
	if first.Source != ask.SourceModel || first.Result == nil || first.Usage.Calls != 3 || first.Key == "" {
		t.Fatalf("the first answer is not the translator's own: %+v", first)
	}
	q := question("how  many orders")
	second := translate(t, c, q)
	if next.calls.Load() != 1 {
		t.Fatalf("%d translations for one question", next.calls.Load())
	}
	if second.SQL != first.SQL || second.ID != q.ID || second.Source != ask.SourceCache {
		t.Fatalf("second answer %+v", second)
	}
	if second.Result != nil || second.Usage != (ask.Usage{}) || second.Notices != nil || second.Key != first.Key {
		t.Fatalf("a hit carries what belongs to the first asker: %+v", second)
	}
	if len(second.Candidates) != 1 {
		t.Fatal("a hit has lost the candidates")
	}
	if kept := c.Kept(first.Key); kept == nil || kept.Result != nil {
		t.Fatalf("kept: %+v; want it without rows", kept)
	}
	if first.Result == nil {
		t.Fatal("keeping the translation took the first asker's rows away")
	}
	if hits, misses := requests(t, reg, "hit"), requests(t, reg, "miss"); hits != 1 || misses != 1 {
		t.Fatalf("counted %v hits and %v misses", hits, misses)
	}
}

// translatedBoth asks a question, and then the same with a change, and returns
// how many of them were translated.
func translatedBoth(t *testing.T, change func(*ask.Question)) int64 {
	t.Helper()
	next := &counting{}
	c, _ := newCache(t, next, nil)
	translate(t, c, question("how many orders"))
	q := question("how many orders")
	change(&q)
	translate(t, c, q)
	return next.calls.Load()
}

func TestCache_Key(t *testing.T) {
	for name, change := range map[string]func(*ask.Question){
		"database":    func(q *ask.Question) { q.Session.Database = "other" },
		"role":        func(q *ask.Question) { q.Session.Role = "support" },
		"text":        func(q *ask.Question) { q.Text = "how many customers" },
		"acronym":     func(q *ask.Question) { q.Text = "how many ORDERS" },
		"hint":        func(q *ask.Question) { q.Hint = "paid ones only" },
		"history":     func(q *ask.Question) { q.History = []ask.Turn{{Question: "orders", SQL: "select 1"}} },
		"setting":     func(q *ask.Question) { q.Session.Settings["TimeZone"] = "Asia/Tokyo" },
		"search path": func(q *ask.Question) { q.Session.Settings["search_path"] = "tenant" },
		"session ask": func(q *ask.Question) { q.Session.Ask["strategy"] = "mcs" },
		"option":      func(q *ask.Question) { q.Options = map[string]string{"strategy": "mcs"} },
		"login that statements run as": func(q *ask.Question) {
			q.Session.SessionUser, q.Session.Login = "mate", ask.NewLogin("mate", ask.LoginKey{1}, ask.LoginKey{2})
		},
		"text in the hint's place": func(q *ask.Question) {
			q.Text, q.Hint = "how many", "orders"
		},
	} {
		t.Run(name, func(t *testing.T) {
			if translatedBoth(t, change) != 2 {
				t.Fatal("the answer to another question was given")
			}
		})
	}
	for _, hint := range []string{"big means kind = $$A b$$", "big means kind = 'a  b'", "big means kind = e'A b'"} {
		next := &counting{}
		c, _ := newCache(t, next, nil)
		q := question("how many orders")
		q.Hint = hint
		translate(t, c, q)
		q.Hint = strings.Replace(strings.Replace(hint, "  ", " ", 1), "A", "a", 1)
		if translate(t, c, q); next.calls.Load() != 2 {
			t.Errorf("the answer with the hint %s was given for %s", hint, q.Hint)
		}
	}
	for name, change := range map[string]func(*ask.Question){
		"notices":     func(q *ask.Question) { q.Session.Ask["notices"] = "off" },
		"annotate":    func(q *ask.Question) { q.Options = map[string]string{"annotate": "columns"} },
		"action":      func(q *ask.Question) { q.Action = ask.ActionSQL },
		"same option": func(q *ask.Question) { q.Options = map[string]string{"strategy": "auto"} },
		"client":      func(q *ask.Question) { q.Client.ApplicationName = "metabase" },
		"login, where all run as the service login": func(q *ask.Question) { q.Session.SessionUser = "mate" },
	} {
		t.Run(name, func(t *testing.T) {
			if translatedBoth(t, change) != 1 {
				t.Fatal("the same question was translated twice")
			}
		})
	}
}

// A question after another answer to the same question is another one.
func TestCache_KeyHistory(t *testing.T) {
	next := &counting{}
	c, _ := newCache(t, next, nil)
	for _, sql := range []string{"select 1", "select 2"} {
		q := question("and last year?")
		q.History = []ask.Turn{{Question: "orders", SQL: sql}}
		translate(t, c, q)
	}
	if next.calls.Load() != 2 {
		t.Fatal("what follows up on one answer was given for what follows up on another")
	}
}

func TestCache_VersionChanges(t *testing.T) {
	next := &counting{}
	version, versionErr := "v1", error(nil)
	c, err := cache.New(cache.DefaultConfig(), func(context.Context, *ask.Question) (string, error) { return version, versionErr }, next, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	translate(t, c, question("q"))
	version = "v2"
	translate(t, c, question("q"))
	if next.calls.Load() != 2 {
		t.Fatal("an answer outlived the schema it was made for")
	}
	versionErr = errors.New("no catalog")
	translate(t, c, question("q"))
	if next.calls.Load() != 3 {
		t.Fatal("an answer was given though nobody knows the rights")
	}
}

func TestCache_FreshOverwrites(t *testing.T) {
	next := &counting{}
	c, _ := newCache(t, next, nil)
	translate(t, c, question("q"))
	fresh := question("q")
	fresh.Fresh = true
	if got := translate(t, c, fresh); got.SQL != "select 2" || got.Source != ask.SourceModel {
		t.Fatalf("fresh answer %+v", got)
	}
	if got := translate(t, c, question("q")); got.SQL != "select 2" || got.Source != ask.SourceCache {
		t.Fatalf("after a fresh one: %+v", got)
	}
}

func TestCache_NotKept(t *testing.T) {
	t.Run("error", func(t *testing.T) {
		next := &counting{err: ask.Errorf(ask.CodeNoModel, "no model answered")}
		c, _ := newCache(t, next, nil)
		for range 2 {
			if _, err := c.Translate(context.Background(), question("q")); ask.CodeOf(err) != ask.CodeNoModel {
				t.Fatal(err)
			}
		}
		if next.calls.Load() != 2 {
			t.Fatal("an error was cached")
		}
	})
	t.Run("fallback", func(t *testing.T) {
		next := &counting{change: func(t *ask.Translation) { t.Fallback = true }}
		c, _ := newCache(t, next, func(cfg *cache.Config) { cfg.FallbackTTL = 0 })
		translate(t, c, question("q"))
		if got := translate(t, c, question("q")); got.Source == ask.SourceCache {
			t.Fatal("a stand-in's answer was kept")
		}
	})
	t.Run("disabled", func(t *testing.T) {
		next := &counting{}
		c, _ := newCache(t, next, func(cfg *cache.Config) { cfg.Enabled = false })
		translate(t, c, question("q"))
		translate(t, c, question("q"))
		if next.calls.Load() != 2 {
			t.Fatal("a disabled cache answered")
		}
	})
	t.Run("too big", func(t *testing.T) {
		next := &counting{change: func(t *ask.Translation) { t.Plan = strings.Repeat("x", 2<<20) }}
		c, _ := newCache(t, next, func(cfg *cache.Config) { cfg.MaxBytes = 1 << 20 })
		translate(t, c, question("q"))
		translate(t, c, question("q"))
		if next.calls.Load() != 2 {
			t.Fatal("a translation over the bound was kept")
		}
	})
}

// A date that was computed from "today" must not be recalled on another day.
func TestCache_PerishableIsNotRecalled(t *testing.T) {
	const sql = "select * from orders where day >= '2026-10-01'"
	next := &counting{change: func(t *ask.Translation) { t.SQL = sql }}
	c, _ := newCache(t, next, nil)
	c.Memory = &memory{recalled: &ask.Translation{SQL: sql}}
	if got := translate(t, c, question("orders of last month")); got.Source == ask.SourceCache {
		t.Fatal("an answer good for one day only was recalled")
	}
	if got := translate(t, c, question("orders since october 2026")); got.Source != ask.SourceCache {
		t.Fatal("a year that the question names makes nothing perish")
	}
	if got := translate(t, c, question("orders of last month")); got.Source != ask.SourceCache {
		t.Fatal("an answer good for today was not kept for today")
	}
}

type memory struct {
	sync.Mutex
	recalled  *ask.Translation
	withdrawn bool
	err       error
}

func (m *memory) Recall(context.Context, string) (*ask.Translation, error) {
	m.Lock()
	defer m.Unlock()
	if m.recalled == nil || m.err != nil {
		return nil, m.err
	}
	t := *m.recalled
	return &t, nil
}

func (m *memory) Withdrawn(string, string) bool {
	m.Lock()
	defer m.Unlock()
	return m.withdrawn
}

func TestCache_Memory(t *testing.T) {
	next := &counting{}
	c, _ := newCache(t, next, nil)
	m := &memory{recalled: &ask.Translation{ID: "old", SQL: "select 'recalled'", Source: ask.SourceModel}}
	c.Memory = m
	q := question("q")
	if got := translate(t, c, q); got.SQL != "select 'recalled'" || got.ID != q.ID || got.Source != ask.SourceCache {
		t.Fatalf("not recalled: %+v", got)
	}
	m.recalled = nil
	if got := translate(t, c, question("q")); got.SQL != "select 'recalled'" {
		t.Fatalf("a recalled answer is not kept: %+v", got)
	}
	m.withdrawn = true
	if got := translate(t, c, question("q")); got.SQL != "select 1" {
		t.Fatalf("a rejected answer was given again: %+v", got)
	}
	m.withdrawn, m.err = false, errors.New("store is away")
	if got := translate(t, c, question("q")); got.SQL != "select 1" || got.Source != ask.SourceCache {
		t.Fatalf("an answer changed because the memory is away: %+v", got)
	}
}

func TestConfig_Validate(t *testing.T) {
	for field, change := range map[string]func(*cache.Config){
		"cache.max_bytes":    func(c *cache.Config) { c.MaxBytes = 0 },
		"cache.ttl":          func(c *cache.Config) { c.TTL = -1 },
		"cache.fallback_ttl": func(c *cache.Config) { c.FallbackTTL = ask.Duration(-time.Second) },
		"cache.max_flights":  func(c *cache.Config) { c.MaxFlights = 0 },
	} {
		cfg := cache.DefaultConfig()
		change(&cfg)
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
}
