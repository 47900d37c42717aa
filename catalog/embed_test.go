package catalog_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/translator/llm"
)

const clinic = `
create table physicians (id int primary key, surname text, ward text);
create table invoices (id int primary key, amount numeric);
create table beds (id int primary key, floor int, card_number text);
comment on column beds.card_number is 'a secret of the house';
`

// concepts are words that the server below takes for the same.
var concepts = []string{"physicians doctors medic", "invoices bills", "beds"}

// embedServer is a server of vectors that knows a few synonyms; faulty is
// asked first.
func embedServer(t *testing.T, faulty func(w http.ResponseWriter, texts []string) bool) (*llm.Client, *atomic.Int32) {
	t.Helper()
	var texts atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Input []string `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		texts.Add(int32(len(q.Input)))
		if faulty != nil && faulty(w, q.Input) {
			return
		}
		var data []map[string]any
		for i, text := range q.Input {
			v := make([]float32, len(concepts)+1)
			v[len(concepts)] = 0.1
			for _, word := range catalog.Words(text) {
				for k, c := range concepts {
					if slices.Contains(strings.Fields(c), word) {
						v[k]++
					}
				}
			}
			data = append(data, map[string]any{"index": i, "embedding": v})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	t.Cleanup(s.Close)
	cfg := llm.DefaultConfig()
	cfg.Name, cfg.BaseURL, cfg.Model, cfg.Retries, cfg.BreakerFailures = "vectors", s.URL, "m", 0, 1000
	c, err := llm.New(cfg, quiet(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c, &texts
}

// first returns the relation found first for a prepared text, waiting until it
// is the one that is wanted.
func first(ctx context.Context, s *catalog.Snapshot, text, want string) string {
	got := ""
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		s.Prepare(ctx, text)
		got = ""
		if m := s.SearchRelations(text, 3); len(m) > 0 {
			got = m[0].Relation.Name.Name
		}
		if got == want {
			break
		}
	}
	return got
}

func TestSnapshot_Prepare(t *testing.T) {
	database := pgtest.NewDatabase(t, clinic)
	var secret atomic.Bool
	by, texts := embedServer(t, func(_ http.ResponseWriter, texts []string) bool {
		for _, text := range texts {
			if strings.Contains(text, "secret") || strings.Contains(text, "card") {
				secret.Store(true)
			}
		}
		return false
	})
	c := catalog.New(settings(), newSource(t), quiet(), prometheus.NewRegistry())
	defer c.Close()
	c.UseEmbedder(by)
	s := snapshot(t, c, database, pgtest.Superuser)
	const text = "how many doctors are there"
	if m := s.SearchRelations(text, 3); len(m) != 0 {
		t.Errorf("without its vector the question finds %v", m[0].Relation.Name)
	}
	if got := first(t.Context(), s, text, "physicians"); got != "physicians" {
		t.Errorf("doctors are %q", got)
	}
	if m := s.Search(text, 3); len(m) == 0 || m[0].Relation.Name.Name != "physicians" {
		t.Errorf("columns of doctors: %v", names(m))
	}
	if secret.Load() {
		t.Error("a private column's name or comment left the house")
	}
	// After a change only what has changed gets a new vector.
	before := texts.Load()
	primary(t, database, "comment on table beds is 'where patients lie'")
	s2 := changed(t, c, database, s.Version)
	if got := first(t.Context(), s2, "unpaid bills", "invoices"); got != "invoices" {
		t.Errorf("bills are %q", got)
	}
	if n := texts.Load() - before; n > 2 { // the relation and the question
		t.Errorf("%d texts after a change of one relation", n)
	}
}

// changed waits for a snapshot of another version.
func changed(t *testing.T, c *catalog.Catalog, database, version string) *catalog.Snapshot {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if s := snapshot(t, c, database, pgtest.Superuser); s.Version != version {
			return s
		}
	}
	t.Fatal("the change is not noticed")
	return nil
}

// What is wrong with a server of vectors takes nothing from the search by
// words, and no time beyond the deadline.
func TestSnapshot_PrepareFaults(t *testing.T) {
	database := pgtest.NewDatabase(t, clinic)
	question := func(texts []string) bool { return len(texts) == 1 && strings.HasPrefix(texts[0], "how") }
	for name, faulty := range map[string]func(http.ResponseWriter, []string) bool{
		"slow": func(_ http.ResponseWriter, texts []string) bool {
			if question(texts) {
				time.Sleep(2 * time.Second)
			}
			return false
		},
		"too few": func(w http.ResponseWriter, texts []string) bool {
			if question(texts) {
				_, _ = w.Write([]byte(`{"data":[]}`))
			}
			return question(texts)
		},
		"other length": func(w http.ResponseWriter, texts []string) bool {
			if question(texts) {
				_, _ = w.Write([]byte(`{"data":[{"index":0,"embedding":[1]}]}`))
			}
			return question(texts)
		},
		"too many requests": func(w http.ResponseWriter, _ []string) bool {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			by, _ := embedServer(t, faulty)
			cfg := settings()
			cfg.Embeddings.Deadline = ask.Duration(200 * time.Millisecond)
			c := catalog.New(cfg, newSource(t), quiet(), prometheus.NewRegistry())
			defer c.Close()
			c.UseEmbedder(by)
			s := snapshot(t, c, database, pgtest.Superuser)
			if name != "too many requests" {
				if got := first(t.Context(), s, "unpaid bills", "invoices"); got != "invoices" {
					t.Fatalf("bills are %q", got)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
			defer cancel()
			s.Prepare(ctx, "how many doctors and invoices")
			if ctx.Err() != nil {
				t.Error("the question waited longer than the deadline")
			}
			if m := s.SearchRelations("how many doctors and invoices", 3); len(m) != 1 || m[0].Relation.Name.Name != "invoices" {
				t.Errorf("by words alone: %v", m)
			}
		})
	}
}
