package translator_test

import (
	"context"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/replica"
	"askpg/translator"
)

// executor runs candidates on the real standby as the program does.
type executor struct{ *replica.Replica }

func newExecutor(t testing.TB) executor {
	t.Helper()
	cfg := replica.DefaultConfig()
	cfg.URL = pgtest.Shared(t).Standby.URL("askpg", "postgres")
	cfg.MaxLag = ask.Duration(time.Minute)
	r, err := replica.New(cfg, quiet, prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return executor{r}
}

func (e executor) Begin(ctx context.Context, s ask.Session) (translator.Snapshot, error) {
	snap, err := e.Replica.Begin(ctx, s)
	if err != nil {
		return nil, err
	}
	return snap, nil
}
