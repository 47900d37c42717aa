package translator_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/translator"
)

// leftOut is an executor that finds no relation, since a schema was left out of the search_path.
type leftOut struct{ executor }

type leftOutSnapshot struct{ translator.Snapshot }

func (e leftOut) Begin(ctx context.Context, s ask.Session) (translator.Snapshot, error) {
	snap, err := e.executor.Begin(ctx, s)
	return leftOutSnapshot{snap}, err
}

func (s leftOutSnapshot) Try(ctx context.Context, sql string) (ask.Plan, *ask.Result, time.Duration, error) {
	_, err := s.Run(ctx, sql)
	return ask.Plan{}, nil, 0, err
}

func (leftOutSnapshot) Run(context.Context, string) (*ask.Result, error) {
	return nil, ask.Errorf("42P01", `relation "bands" does not exist`).WithHint("Names are not looked up in schema public")
}

// TestRefusal_LeftOutSchema holds that an asker all of whose candidates fail for a schema that was left out of the
// search_path is told so.
func TestRefusal_LeftOutSchema(t *testing.T) {
	m, _ := model(t, answers("select count(*) from bands"))
	database, exec := pgtest.NewDatabase(t, shop), newExecutor(t)
	cat := catalog.New(catalog.DefaultConfig(), exec, quiet, prometheus.NewRegistry())
	t.Cleanup(cat.Close)
	w := &world{translator.New(translator.DefaultConfig(), cat, leftOut{exec}, []translator.Model{m}, quiet, prometheus.NewRegistry(), translator.WithInterpreter(misunderstood("x"))), database}
	_, err := w.ask(t, "how many bands")
	if e := ask.AsError(err); e == nil || e.Code != ask.CodeNoCandidate || !strings.Contains(e.Hint, "schema public") {
		t.Errorf("got %#v", e)
	}
}
