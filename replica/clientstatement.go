package replica

import (
	"context"
	"encoding/json"

	"askpg/ask"
	"askpg/replica/guard"
)

// OpenStatement runs a client's own statement around chosen SQL, as Open runs
// the chosen SQL itself. No candidate of a question had it, so it is planned
// here and held against the limits on plans first. It may have parameters.
func (r *Replica) OpenStatement(ctx context.Context, s ask.Session, st ask.Statement, formats []int16) (*Rows, error) {
	return r.answer(ctx, s, st, formats, true)
}

// Describe judges a client's own statement around chosen SQL without running
// it, and returns the types of its parameters and its columns.
func (r *Replica) Describe(ctx context.Context, s ask.Session, sql string, types []uint32) (parameters []uint32, cols []ask.Column, err error) {
	err = r.beside(ctx, s, r.clients, func(ctx context.Context, t *tx) error {
		t.types = types
		if err := t.judge(ctx, sql); err != nil {
			return err
		}
		parameters, cols = t.described.ParamOIDs, columns(t.described.Fields)
		return t.parameters(ctx)
	})
	return parameters, cols, err
}

// ForPrimary returns chosen SQL as it may run on the primary, in a session of the
// asker's own. Nothing in it tells where it runs (guard.Anywhere). No setting of that
// session changes how it is read (ask.Portable).
func (r *Replica) ForPrimary(ctx context.Context, s ask.Session, sql string) (string, error) {
	text, err := ask.Portable(sql)
	if err != nil {
		return "", err
	}
	// What is judged is what runs.
	return text, r.beside(ctx, s, r.primary, func(ctx context.Context, t *tx) error {
		if t.left != "" {
			// There the names would be looked up anew, along the whole path.
			return ask.Errorf(ask.CodeInsufficientRights, "chosen SQL does not run on the primary: names in it could come to mean something else there").
				WithDetail("Your search_path has schema %s, where roles that are not trusted may create objects. It is not looked at on the replica.", t.left).
				WithHint("SET search_path to schemas where they may not, or on the primary REVOKE CREATE ON SCHEMA %s FROM them.", t.left)
		}
		return t.judge(ctx, text)
	})
}

// beside runs fn in a transaction of its own, whose statement the guard judges.
func (r *Replica) beside(ctx context.Context, s ask.Session, g *guard.Guard, fn func(ctx context.Context, t *tx) error) error {
	snap, err := r.Begin(ctx, s)
	if err != nil {
		return err
	}
	defer snap.Close()
	return snap.with(ctx, "judge", func(ctx context.Context, t *tx) error {
		t.guard = g
		return fn(ctx, t)
	})
}

// parameters judges the types of the prepared statement's parameters.
func (t *tx) parameters(ctx context.Context) error {
	if len(t.described.ParamOIDs) == 0 {
		return nil
	}
	l, err := t.lookup(ctx)
	if err != nil {
		return err
	}
	v, err := t.guard.Parameters(ctx, t.described.ParamOIDs, l)
	if err != nil {
		return err
	}
	return v.Err()
}

// prepareGate prepares the statement's EXPLAIN beside it, as the unnamed
// statement: from here on the session may read texts in the client's encoding.
func (t *tx) prepareGate(ctx context.Context, st ask.Statement) error {
	if n := len(t.described.ParamOIDs); n != len(st.Values) {
		return ask.Errorf(ask.CodeUndefinedParameter, "there is no parameter $%d", n)
	}
	if err := t.parameters(ctx); err != nil {
		return err
	}
	_, err := t.c.PgConn().Prepare(ctx, "", explainJSON+st.SQL, t.described.ParamOIDs)
	return err
}

// planWithValues plans the prepared statement with its values and holds the plan against
// the limits.
func (t *tx) planWithValues(ctx context.Context, st ask.Statement) error {
	result := t.c.PgConn().ExecPrepared(ctx, "", st.Values, st.Formats, nil).Read()
	if result.Err != nil {
		return result.Err
	}
	var raw []byte
	for _, row := range result.Rows {
		raw = append(raw, row[0]...)
	}
	plan, err := readPlan(raw)
	if err != nil {
		return err
	}
	if err := t.r.nodes(plan); err != nil {
		return err
	}
	return t.r.withinLimits(ask.Plan{Cost: plan.Cost, Rows: plan.Rows})
}

// readPlan reads what EXPLAIN (FORMAT JSON) returns for one statement.
func readPlan(raw []byte) (planNode, error) {
	var out []struct{ Plan planNode }
	if err := json.Unmarshal(raw, &out); err != nil || len(out) != 1 {
		return planNode{}, ask.Errorf(ask.CodeInternal, "the replica's EXPLAIN is not understood").Because(err)
	}
	return out[0].Plan, nil
}
