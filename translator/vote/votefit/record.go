package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

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

func list(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// record loads the databases of a set into a throwaway server and runs what
// the systems answered there.
func record(ctx context.Context, dir string) ([]*question, error) {
	set, err := eval.Load(dir)
	if err != nil {
		return nil, err
	}
	answers, systems, err := predictions(dir)
	if err != nil {
		return nil, err
	}
	cluster, err := pgserver.Start(ctx, pgserver.Options{NoStandby: true})
	if err != nil {
		return nil, err
	}
	defer cluster.Close()
	conns := map[string]*pgx.Conn{}
	var out []*question
	for _, q := range set.Questions {
		if q.Unanswerable {
			continue
		}
		conn := conns[q.Database]
		if conn == nil {
			if conn, err = create(ctx, cluster.Primary, q.Database, filepath.Join(dir, "databases", q.Database+".sql")); err != nil {
				return nil, err
			}
			defer conn.Close(ctx)
			conns[q.Database] = conn
		}
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

// predictions reads what systems answered, by system and question.
func predictions(dir string) (map[string]map[string]string, []string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "predictions", "*.jsonl"))
	if err != nil || len(files) == 0 {
		return nil, nil, fmt.Errorf("no predictions in %s", dir)
	}
	out := map[string]map[string]string{}
	var systems []string
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		systems = append(systems, name)
		out[name] = map[string]string{}
		f, err := os.Open(file)
		if err != nil {
			return nil, nil, err
		}
		s := bufio.NewScanner(f)
		s.Buffer(nil, 1<<20)
		for s.Scan() {
			var p struct{ ID, SQL string }
			if err := json.Unmarshal(s.Bytes(), &p); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", file, err)
			}
			out[name][p.ID] = p.SQL
		}
		f.Close()
		if err := s.Err(); err != nil {
			return nil, nil, err
		}
	}
	return out, systems, nil
}

// create loads a script into a new database and returns a read-only connection to it.
func create(ctx context.Context, server *pgserver.Server, db, file string) (*pgx.Conn, error) {
	script, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	admin, err := pgx.Connect(ctx, server.URL(pgserver.Superuser, "postgres"))
	if err != nil {
		return nil, err
	}
	defer admin.Close(ctx)
	if _, err := admin.Exec(ctx, "create database "+pgx.Identifier{db}.Sanitize()); err != nil {
		return nil, err
	}
	loader, err := pgx.Connect(ctx, server.URL(pgserver.Superuser, db))
	if err != nil {
		return nil, err
	}
	defer loader.Close(ctx)
	for _, text := range []string{string(script), "analyze"} {
		if _, err := loader.PgConn().Exec(ctx, text).ReadAll(); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	conn, err := pgx.Connect(ctx, server.URL(pgserver.Superuser, db)+"&default_transaction_read_only=on&statement_timeout=10000")
	return conn, err
}

// maxRows bounds a result; a system that answers more is wrong anyway.
const maxRows = 100_000

func fetch(ctx context.Context, conn *pgx.Conn, sql string) (*ask.Result, float64, error) {
	if strings.TrimSpace(sql) == "" {
		return nil, 0, fmt.Errorf("no SQL")
	}
	result, err := eval.Fetch(ctx, conn.PgConn(), sql, maxRows)
	if err != nil {
		return nil, 0, err
	}
	var text string
	if err := conn.QueryRow(ctx, "explain (format json) "+sql, pgx.QueryExecModeExec).Scan(&text); err != nil {
		return result, 0, nil
	}
	var plans []struct {
		Plan struct {
			Cost float64 `json:"Total Cost"`
		}
	}
	if err := json.Unmarshal([]byte(text), &plans); err != nil || len(plans) == 0 {
		return result, 0, nil
	}
	return result, plans[0].Plan.Cost, nil
}
