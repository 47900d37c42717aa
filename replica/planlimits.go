package replica

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
)

// planNode is what is read of EXPLAIN (FORMAT JSON).
type planNode struct {
	Type string     `json:"Node Type"`
	Cost float64    `json:"Total Cost"`
	Rows float64    `json:"Plan Rows"`
	Name string     `json:"Relation Name"`
	Sub  []planNode `json:"Plans"`
}

// forbiddenNodes do more than read this server's data.
var forbiddenNodes = map[string]string{
	"ModifyTable": "it writes",
	"LockRows":    "it locks rows",
}

// Check judges a statement and plans it without running it. Errors are
// *ask.Error: ASK05 if the guard refuses it, 54000 if the planner's figures
// are over the limits, else the server's own.
func (s *Snapshot) Check(ctx context.Context, sql string) (ask.Plan, error) {
	plan, err := s.Plan(ctx, sql)
	if err == nil {
		err = s.r.withinLimits(plan)
	}
	return plan, err
}

// Plan judges and plans a statement without the limits of cost and rows. Whether a plan is over a limit tells
// something of the values that its conditions compare.
func (s *Snapshot) Plan(ctx context.Context, sql string) (ask.Plan, error) {
	var plan ask.Plan
	err := s.with(ctx, "explain", func(ctx context.Context, t *tx) (err error) {
		if err = t.judge(ctx, sql); err != nil {
			return err
		}
		plan, err = t.explain(ctx, sql)
		plan.Reads = t.reads
		return err
	})
	return plan, err
}

// explain plans the statement. It was judged to be one SELECT, so that the
// words in front of it make one EXPLAIN.
func (t *tx) explain(ctx context.Context, sql string) (ask.Plan, error) {
	var plan ask.Plan
	var text strings.Builder
	var raw []byte
	err := run(ctx, t.c.PgConn(),
		step{sql: explainJSON + sql, row: func(v [][]byte) error { raw = append(raw, v[0]...); return nil }, fail: func(pg *pgconn.PgError) error {
			e := pgError(pg)
			e.Position = max(0, e.Position-len(explainJSON))
			return e
		}},
		step{sql: explainText + sql, row: func(v [][]byte) error { text.Write(v[0]); text.WriteByte('\n'); return nil }},
	)
	if err != nil {
		return plan, err
	}
	root, err := readPlan(raw)
	if err != nil {
		return plan, err
	}
	plan = ask.Plan{Cost: root.Cost, Rows: root.Rows, Text: text.String()}
	return plan, t.r.nodes(root)
}

const (
	explainJSON = "EXPLAIN (FORMAT JSON) "
	explainText = "EXPLAIN (FORMAT TEXT) "
)

// nodes refuses plans with nodes that the guard should have kept out.
func (r *Replica) nodes(n planNode) error {
	if why, ok := forbiddenNodes[n.Type]; ok {
		r.metrics.refused.WithLabelValues("plan").Inc()
		return ask.Errorf(ask.CodeRefused, "refused by its plan: a %s node, %s", n.Type, why)
	}
	if n.Type == "Foreign Scan" && !r.foreign(n.Name) {
		r.metrics.refused.WithLabelValues("plan").Inc()
		return ask.Errorf(ask.CodeRefused, "refused by its plan: foreign table %q is read by another server", n.Name).
			WithHint("An admin can name it in replica.allow_relations.")
	}
	for _, sub := range n.Sub {
		if err := r.nodes(sub); err != nil {
			return err
		}
	}
	return nil
}

// foreign says whether the configuration names a foreign table; a scan that
// joins several on the other server has no name, and the guard has judged them.
func (r *Replica) foreign(name string) bool {
	return slices.ContainsFunc(r.cfg.AllowRelations, func(allowed string) bool { return name == "" || strings.HasSuffix(allowed, "."+name) })
}

// withinLimits holds the planner's figures against the limits.
func (r *Replica) withinLimits(p ask.Plan) error {
	// The planner's figures are made of statistics, which the error does not tell.
	over := func(what, setting string, limit float64) error {
		r.metrics.refused.WithLabelValues("limits").Inc()
		return ask.Errorf(ask.CodeProgramLimit, "the planner expects %s of more than the limit of %s", what, fmt.Sprintf("%.4g", limit)).
			WithHint("Ask for less, or raise replica.%s.", setting)
	}
	switch {
	case r.cfg.MaxCost > 0 && p.Cost > r.cfg.MaxCost:
		return over("a cost", "max_cost", r.cfg.MaxCost)
	case r.cfg.MaxPlanRows > 0 && p.Rows > r.cfg.MaxPlanRows:
		return over("a number of rows", "max_plan_rows", r.cfg.MaxPlanRows)
	}
	return nil
}
