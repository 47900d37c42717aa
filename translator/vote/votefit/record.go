package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/eval"
	"askpg/internal/pgserver"
	"askpg/translator/vote"
)

// question is a question with what each system answered.
type question struct {
	db, text string
	ordered  bool
	systems  []string
	ballots  []vote.Ballot // parallel to systems
	right    []bool
}

// pick returns the ballots of some systems, of all if there are none named.
func (q *question) pick(systems []string) (ballots []vote.Ballot, right []bool) {
	if len(systems) == 0 {
		return q.ballots, q.right
	}
	for i, s := range q.systems {
		if slices.Contains(systems, s) {
			ballots, right = append(ballots, q.ballots[i]), append(right, q.right[i])
		}
	}
	return ballots, right
}

// record loads the databases of a set into a throwaway server and runs what
// the systems answered there.
func record(ctx context.Context, dir string) ([]*question, error) {
	set, err := eval.Load(dir)
	if err != nil {
		return nil, err
	}
	systems := set.Recorded()
	if len(systems) == 0 {
		return nil, fmt.Errorf("no predictions in %s", dir)
	}
	answers := map[string]map[string]string{} // by system and question
	for _, name := range systems {
		if answers[name], err = set.Predictions(name); err != nil {
			return nil, err
		}
	}
	cluster, err := pgserver.Start(ctx, pgserver.Options{NoStandby: true})
	if err != nil {
		return nil, err
	}
	defer cluster.Close()
	servers := eval.Cluster{Primary: cluster.Primary.URL(pgserver.Superuser, "postgres")}
	if err := servers.Create(ctx, set, &eval.Options{Sets: []string{dir}}); err != nil {
		return nil, err
	}
	conns := map[string]*pgx.Conn{}
	for _, db := range set.Databases {
		conn, err := pgx.Connect(ctx, cluster.Primary.URL(pgserver.Superuser, db))
		if err != nil {
			return nil, err
		}
		defer conn.Close(ctx)
		if _, err := conn.PgConn().Exec(ctx, "analyze; set default_transaction_read_only = on; set statement_timeout = 10000").ReadAll(); err != nil {
			return nil, fmt.Errorf("database %s: %w", db, err)
		}
		conns[db] = conn
	}
	var out []*question
	for _, q := range set.Questions {
		if q.Unanswerable {
			continue
		}
		conn := conns[q.Database].PgConn()
		var golds []*ask.Result
		for _, g := range q.Gold {
			gold, _, err := fetch(ctx, conn, g)
			if err != nil {
				return nil, fmt.Errorf("gold of %s: %w", q.ID, err)
			}
			golds = append(golds, gold)
		}
		r := &question{db: q.Database, text: q.Text, ordered: q.Ordered, systems: systems}
		for _, s := range systems {
			sql := answers[s][q.ID]
			result, cost, _ := fetch(ctx, conn, sql)
			r.ballots = append(r.ballots, vote.Ballot{Result: result, Weight: 1, Cost: cost, Length: len(sql), SQL: sql})
			r.right = append(r.right, result != nil && eval.CompareAny(golds, result, q.Ordered).Perm)
		}
		out = append(out, r)
	}
	return out, nil
}

// maxRows bounds a result; a system that answers more is wrong anyway.
const maxRows = 100_000

func fetch(ctx context.Context, conn *pgconn.PgConn, sql string) (*ask.Result, float64, error) {
	if strings.TrimSpace(sql) == "" {
		return nil, 0, fmt.Errorf("no SQL")
	}
	result, err := eval.Fetch(ctx, conn, sql, maxRows)
	if err != nil {
		return nil, 0, err
	}
	cost, _ := eval.PlanCost(ctx, conn, sql)
	return result, cost, nil
}
