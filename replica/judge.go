package replica

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

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
// (debug_print_parse). In it every function, operator, cast and relation
// stands by OID. That is judged too: it knows the types that overloads depend
// on. Preparing analyses a statement and neither plans nor runs it.
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
	clear(l.seen) // what was read for the statement before is forgotten
	l.bodies = 0
	defer func() { t.r.metrics.guard.Observe(time.Since(start).Seconds()) }()
	v, err := t.guard.Judge(ctx, sql, l)
	if err != nil {
		return err
	}
	t.reads = nil
	exact := len(v.Problems) == 0 && t.exact()
	if exact {
		tree, err := t.analyse(ctx, sql, name)
		if err != nil {
			return early(err)
		}
		if v, err = t.guard.JudgeTree(ctx, tree, l); err != nil {
			return err
		}
		t.reads = reads(tree, l)
	}
	if err := v.Err(); err != nil {
		t.r.metrics.refused.WithLabelValues("guard").Inc()
		return err
	}
	if !exact {
		t.described, err = t.c.PgConn().Prepare(ctx, name, sql, t.types)
	}
	return early(err)
}

// exact says whether the server's analysis of a statement can be had. What the
// session would print goes to the server's log too, unless the server or the
// login is set up to be quiet.
func (t *tx) exact() bool { return t.srv.quiet && !t.r.byName }

// analyse prepares the statement under the name and returns the server's tree of it, "" if it cannot be told which one it is.
//
// The server prints a tree for each query that it analyses. Reading a constant can run code, as a domain's CHECK does,
// and its queries are analysed, and printed, before the statement's own. So the tree counts only if it
// is the one that was printed until the statement was prepared, and no code was running (CONTEXT).
func (t *tx) analyse(ctx context.Context, sql, name string) (string, error) {
	var trees []string
	t.described = nil
	t.srv.onLog = func(n *pgconn.Notice) {
		detail := strings.TrimSpace(n.Detail)
		if t.described != nil || !strings.HasPrefix(detail, "{QUERY") {
			return // of askpg's own statement behind it, or no tree
		}
		if n.Where != "" {
			detail = "" // of a query within
		}
		trees = append(trees, detail)
	}
	defer func() { t.srv.onLog = nil }()
	print := func(level, on string) step {
		return setStep([]string{"debug_pretty_print", "debug_print_parse", "client_min_messages"}, []string{"off", on, level})
	}
	err := run(ctx, t.c.PgConn(), print("log", "on"), step{sql: sql, name: name, prepare: true, types: t.types, described: &t.described}, print("warning", "off"))
	if err != nil || len(trees) != 1 {
		return "", err
	}
	return trees[0], nil
}

// Explain judges a statement for a session and says why, for `askpg check`.
func (r *Replica) Explain(ctx context.Context, s ask.Session, sql string) (v guard.Verdict, err error) {
	err = r.beside(ctx, s, r.guard, func(ctx context.Context, t *tx) error {
		l, err := t.lookup(ctx)
		if err != nil {
			return err
		}
		if v, err = t.guard.Explain(ctx, sql, l); err != nil || len(v.Problems) > 0 || !t.exact() {
			return err
		}
		tree, err := t.analyse(ctx, sql, statementName)
		if err != nil {
			return err
		}
		v, err = t.guard.ExplainTree(ctx, tree, l)
		return err
	})
	return v, err
}
