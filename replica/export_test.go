package replica

import (
	"context"
	"strings"

	"askpg/ask"
)

// RunUnguarded runs a statement as Run does, but without the guard and after
// another statement, so that the walls behind it can be seen alone.
func (s *Snapshot) RunUnguarded(ctx context.Context, before, sql string) (*ask.Result, error) {
	var res *ask.Result
	err := s.with(ctx, "test", func(ctx context.Context, t *tx) (err error) {
		conn := t.c.PgConn()
		if before != "" {
			if _, err := conn.Exec(ctx, before).ReadAll(); err != nil {
				return err
			}
		}
		if _, err = conn.Prepare(ctx, statementName, sql, nil); err != nil {
			return err
		}
		res, err = t.fetch(ctx, nil)
		return err
	})
	return res, err
}

// PlanUnguarded plans a statement as Check does, but without the guard.
func (s *Snapshot) PlanUnguarded(ctx context.Context, sql string) (ask.Plan, error) {
	var plan ask.Plan
	err := s.with(ctx, "test", func(ctx context.Context, t *tx) (err error) {
		plan, err = t.explain(ctx, sql)
		return err
	})
	return plan, err
}

// SearchPath is searchPath.
var SearchPath = searchPath

// Repeated says whether the rows are of a statement that was not judged anew.
func (rows *Rows) Repeated() bool { return rows.pl != nil }

// BeginSQL begins a question's transaction.
const BeginSQL = beginSQL

// Misremember makes the schemas of all judgements of a database others.
func (r *Replica) Misremember(database string, path ...string) {
	for _, h := range r.hosts {
		p, err := h.pool(database)
		if err != nil {
			continue
		}
		p.judged.mu.Lock()
		for q, v := range p.judged.by {
			v.path = path
			p.judged.by[q] = v
		}
		p.judged.mu.Unlock()
	}
}

// JudgeByName has statements judged by their text alone.
func (r *Replica) JudgeByName() { r.byName = true }

// JoinPath writes a search_path setting.
func JoinPath(list []string) string {
	if len(list) == 0 {
		return "pg_catalog"
	}
	quoted := make([]string, len(list))
	for i, name := range list {
		quoted[i] = quoteIdent(name)
	}
	return strings.Join(quoted, ", ")
}
