package replica

import (
	"context"
	"slices"
	"strings"
	"time"

	"askpg/ask"
	"askpg/replica/guard"
)

// statementName is the prepared statement that a transaction judges and runs.
const statementName = "answer"

// judge has the guard judge a statement and prepares it under statementName,
// so that what is run is what was judged.
//
// The text is judged first, by name. Then, where the server's log stays quiet
// about it, the server prints the tree of its own analysis
// (debug_print_parse), in which every function, operator, cast and relation
// stands by OID, and that is judged too: it knows the types that overloads
// depend on. Preparing analyses a statement and neither plans nor runs it.
func (t *tx) judge(ctx context.Context, sql string) error {
	l, err := t.lookup(ctx)
	if err != nil {
		return err
	}
	return t.judgeWith(ctx, l, sql, statementName)
}

// judgeWith judges with names looked up before and prepares the statement
// under the name, empty for the unnamed one.
func (t *tx) judgeWith(ctx context.Context, l *lookup, sql, name string) error {
	start := time.Now()
	defer func() { t.r.metrics.guard.Observe(time.Since(start).Seconds()) }()
	v, err := t.r.guard.Judge(ctx, sql, l)
	if err != nil {
		return err
	}
	tree, exact := "", false
	if len(v.Problems) == 0 {
		if tree, exact, err = t.analysis(ctx, sql, name); err != nil {
			return early(err)
		}
	}
	t.reads = nil
	if exact {
		if v, err = t.r.guard.JudgeTree(ctx, tree, l); err != nil {
			return err
		}
		t.reads = reads(tree, l)
	}
	if err := v.Err(); err != nil {
		t.r.metrics.refused.WithLabelValues("guard").Inc()
		return err
	}
	if !exact {
		_, err = t.c.PgConn().Prepare(ctx, name, sql, nil)
	}
	return early(err)
}

// analysis prepares the statement under the name and returns the server's
// analysis of it, if that can be had.
//
// What an asker's own session would print goes to the server's log too, unless
// the standby is set up to be quiet. Then the analysis is had of a session of the
// service login, which stands where the asker's does: same role, same settings,
// same path.
func (t *tx) analysis(ctx context.Context, sql, name string) (tree string, exact bool, err error) {
	switch {
	case t.r.byName:
		return "", false, nil
	case t.srv.quiet:
		tree, err = t.analyse(ctx, sql, name)
		return tree, true, err
	case !t.user:
		return "", false, nil
	}
	beside, err := t.r.openAt(ctx, t.h, t.p, t.s, txOptions{role: t.role, service: true, timeout: t.r.cfg.StatementTimeout.Duration()})
	if err != nil {
		return "", false, err
	}
	defer beside.endLater(func() {})
	switch {
	case !beside.srv.quiet:
		return "", false, nil
	case !slices.Equal(beside.path, t.path):
		return "", false, ask.Errorf(ask.CodeRefused, "the statement can't be judged: names mean something else in the service login's session").
			WithDetail("Schemas of the asker's session: %s; of the service login's: %s.", strings.Join(t.path, ", "), strings.Join(beside.path, ", "))
	}
	if tree, err = beside.analyse(ctx, sql, ""); err == nil {
		_, err = t.c.PgConn().Prepare(ctx, name, sql, nil)
	}
	return tree, true, err
}

// analyse prepares the statement under the name and returns the server's tree of it.
func (t *tx) analyse(ctx context.Context, sql, name string) (string, error) {
	var tree string
	t.srv.onLog = func(detail string) {
		// The first is the statement's; later ones are of askpg's own. What
		// else a server logs, it tells without such a detail.
		if detail = strings.TrimSpace(detail); tree == "" && strings.HasPrefix(detail, "{QUERY") {
			tree = detail
		}
	}
	defer func() { t.srv.onLog = nil }()
	print := func(level, on string) step {
		return setStep([]string{"debug_pretty_print", "debug_print_parse", "client_min_messages"}, []string{"off", on, level})
	}
	err := run(ctx, t.c.PgConn(), print("log", "on"), step{sql: sql, name: name, prepare: true}, print("warning", "off"))
	return tree, err
}

// Explain says how the guard judges a statement and why, for people.
func (s *Snapshot) Explain(ctx context.Context, sql string) (guard.Verdict, error) {
	var v guard.Verdict
	err := s.with(ctx, "judge", func(ctx context.Context, t *tx) error {
		l, err := t.lookup(ctx)
		if err != nil {
			return err
		}
		if v, err = t.r.guard.Explain(ctx, sql, l); err != nil || len(v.Problems) > 0 {
			return err
		}
		tree, exact, err := t.analysis(ctx, sql, statementName)
		if err != nil || !exact {
			return err
		}
		v, err = t.r.guard.ExplainTree(ctx, tree, l)
		return err
	})
	return v, err
}

// Explain judges a statement for a session and says why, for `askpg check`.
func (r *Replica) Explain(ctx context.Context, s ask.Session, sql string) (guard.Verdict, error) {
	snap, err := r.Begin(ctx, s)
	if err != nil {
		return guard.Verdict{}, err
	}
	defer snap.Close()
	return snap.Explain(ctx, sql)
}
