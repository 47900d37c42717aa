package eval_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/catalog"
	"askpg/eval"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/replica"
	"askpg/translator"
)

const shopSet = "testdata/shop"

// Every gold of the shop's questions runs as the role that asks, and says something.
func TestShop_Golds(t *testing.T) {
	set, err := eval.Load(shopSet)
	if err != nil {
		t.Fatal(err)
	}
	db := pgtest.NewDatabase(t, "")
	conns := map[string]*pgx.Conn{}
	for _, role := range []string{pgtest.Superuser, shop.Analyst, shop.Support} {
		if conns[role], err = pgx.Connect(t.Context(), pgtest.Shared(t).Primary.URL(role, db)); err != nil {
			if role == pgtest.Superuser {
				t.Fatal(err)
			}
		}
		if role == pgtest.Superuser {
			if err := shop.Load(t.Context(), conns[role]); err != nil {
				t.Fatal(err)
			}
		}
	}
	answerable, refusals := 0, 0
	texts := map[string]bool{}
	for _, q := range set.Questions {
		if texts[q.Role+q.Text] {
			t.Errorf("%s asks again %q", q.ID, q.Text)
		}
		texts[q.Role+q.Text] = true
		if q.Unanswerable {
			refusals++
			continue
		}
		answerable++
		for _, sql := range q.Gold {
			r, err := eval.Fetch(t.Context(), conns[q.Role].PgConn(), sql, 1e6)
			if err != nil {
				t.Errorf("%s: %v\nin %s", q.ID, err, sql)
			} else if len(r.Rows) == 0 || len(r.Rows) == 1 && len(r.Columns) == 1 && r.Rows[0][0] == nil {
				t.Errorf("%s %q: the gold says nothing: %s", q.ID, q.Text, sql)
			}
		}
	}
	if answerable < 120 || refusals < 30 {
		t.Errorf("%d questions with an answer and %d without", answerable, refusals)
	}
}

// executor is the replica as the translator wants it.
type executor struct{ *replica.Replica }

func (e executor) Begin(ctx context.Context, s ask.Session) (translator.Snapshot, error) {
	snapshot, err := e.Replica.Begin(ctx, s)
	if err != nil {
		return nil, err
	}
	return snapshot, nil
}

// openTranslator puts the real parts together, without a model.
func openTranslator(_ context.Context, c *eval.Cluster) (ask.Translator, func(), error) {
	url, err := c.ServiceURL()
	if err != nil {
		return nil, nil, err
	}
	cfg := replica.DefaultConfig()
	cfg.URL = url
	log := slog.New(slog.DiscardHandler)
	r, err := replica.New(cfg, log, nil)
	if err != nil {
		return nil, nil, err
	}
	cat := catalog.New(catalog.DefaultConfig(), r, log, nil)
	return translator.New(translator.DefaultConfig(), cat, executor{r}, nil, log, nil), func() { cat.Close(); r.Close() }, nil
}
