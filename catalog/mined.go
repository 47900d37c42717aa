package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
)

// Limits of what is read of pg_stat_statements.
const (
	minedStatements = 500  // those called most
	minedBytes      = 8000 // of a statement; longer ones are left out
	minedJoins      = 12   // relations in one FROM; statements with more are left out
)

// mineJoins adds what pg_stat_statements shows the role of how relations are
// joined: calls to the keys there are, and keys that nobody declared. It does
// nothing where the extension is not there.
//
// The view shows statements of other roles only to members of
// pg_read_all_stats; statements of the server that is read from, which on a
// standby are its own.
func mineJoins(ctx context.Context, tx pgx.Tx, cfg *Config, s *Snapshot) error {
	if !cfg.MinedJoins || !slices.Contains(s.Extensions, "pg_stat_statements") {
		return nil
	}
	statements, err := readStatements(ctx, tx, cfg)
	if err != nil {
		if ctx.Err() != nil || tx.Conn().IsClosed() {
			return err
		}
		return nil // not preloaded, or not this role's to read
	}
	m := newMiner(s)
	for _, st := range statements {
		m.statement(st.text, st.calls)
	}
	m.finish()
	return nil
}

type statement struct {
	text  string
	calls int64
}

func readStatements(ctx context.Context, tx pgx.Tx, cfg *Config) (list []statement, err error) {
	err = within(ctx, tx, cfg.ImpliedTime.Duration(), func(sp pgx.Tx) error {
		var schema string
		var view uint32
		if err := sp.QueryRow(ctx, sqlStatementsSchema).Scan(&schema, &view); err != nil {
			return err
		}
		if guard, ok := tx.(guarded); ok {
			if err := guard.Trust(ctx, view); err != nil {
				return err
			}
		}
		rows, err := sp.Query(ctx, fmt.Sprintf(sqlStatements, pgx.Identifier{schema}.Sanitize()), pgx.QueryExecModeExec, minedBytes, minedStatements)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (st statement, err error) {
			return st, row.Scan(&st.text, &st.calls)
		})
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return list, err
}

// miner collects the joins of statements.
type miner struct {
	snap   *Snapshot
	byName map[string]*Relation // by name alone, nil for those of several schemas
	keys   map[string]*ForeignKey
	found  []*ForeignKey // not in the snapshot
}

func newMiner(s *Snapshot) *miner {
	m := &miner{snap: s, byName: map[string]*Relation{}, keys: map[string]*ForeignKey{}}
	for _, r := range s.Relations {
		if _, ok := m.byName[r.Name.Name]; ok {
			m.byName[r.Name.Name] = nil
		} else {
			m.byName[r.Name.Name] = r
		}
	}
	for _, k := range s.ForeignKeys {
		m.keys[joined(k.FromCols, k.ToCols)] = k
	}
	return m
}

// joined names the join of columns pair by pair, whatever their order.
func joined(a, b []*Column) string {
	pairs := make([]string, len(a))
	for i := range a {
		x, y := fmt.Sprintf("%d.%d", a[i].Relation.OID, a[i].Num), fmt.Sprintf("%d.%d", b[i].Relation.OID, b[i].Num)
		pairs[i] = min(x, y) + "=" + max(x, y)
	}
	slices.Sort(pairs)
	return strings.Join(slices.Compact(pairs), ",")
}

// statement adds the joins of a statement. What does not parse, as with a
// parameter in a place where the text had a keyword, is left out.
func (m *miner) statement(text string, calls int64) {
	tree, err := ask.Parse(text)
	if err != nil {
		return
	}
	for _, st := range tree.Stmts {
		m.walk(st.Stmt, calls)
	}
}

// walk looks for SELECTs wherever a statement's data comes from: its branches,
// WITH, FROM and the source of an INSERT. Subqueries in conditions are left out.
func (m *miner) walk(n *pg_query.Node, calls int64) {
	if n == nil {
		return
	}
	switch {
	case n.GetSelectStmt() != nil:
		m.query(n.GetSelectStmt(), calls)
	case n.GetInsertStmt() != nil:
		m.walk(n.GetInsertStmt().SelectStmt, calls)
	case n.GetRangeSubselect() != nil:
		m.walk(n.GetRangeSubselect().Subquery, calls)
	case n.GetJoinExpr() != nil:
		m.walk(n.GetJoinExpr().Larg, calls)
		m.walk(n.GetJoinExpr().Rarg, calls)
	}
}

func (m *miner) query(q *pg_query.SelectStmt, calls int64) {
	if q == nil {
		return
	}
	if q.Op != pg_query.SetOperation_SETOP_NONE {
		m.query(q.Larg, calls)
		m.query(q.Rarg, calls)
	}
	hidden := map[string]bool{} // names of WITH, which hide those of tables
	if q.WithClause != nil {
		for _, c := range q.WithClause.Ctes {
			hidden[c.GetCommonTableExpr().GetCtename()] = true
			m.walk(c.GetCommonTableExpr().GetCtequery(), calls)
		}
	}
	sc := scope{miner: m, hidden: hidden, tables: map[string]*Relation{}}
	for _, f := range q.FromClause {
		m.walk(f, calls)
		sc.from(f)
	}
	sc.condition(q.WhereClause)
	if sc.count <= minedJoins {
		sc.add(calls)
	}
}

// scope is one FROM and the equalities between its relations.
type scope struct {
	*miner
	hidden map[string]bool
	tables map[string]*Relation // by alias, or by name; nil for what is no relation of the snapshot
	count  int
	equal  [][2]*aliased
}

// aliased is a column of one place in FROM: a table may stand there twice.
type aliased struct {
	alias  string
	column *Column
}

func (sc *scope) from(n *pg_query.Node) {
	switch {
	case n.GetRangeVar() != nil:
		v := n.GetRangeVar()
		var r *Relation
		switch {
		case v.Schemaname != "":
			r = sc.snap.Lookup(v.Schemaname, v.Relname)
		case !sc.hidden[v.Relname]:
			if r = sc.snap.Lookup("public", v.Relname); r == nil {
				r = sc.byName[v.Relname]
			}
		}
		alias := v.Relname
		if v.Alias != nil {
			alias = v.Alias.Aliasname
			if len(v.Alias.Colnames) > 0 {
				r = nil
			}
		}
		sc.tables[alias] = r
		sc.count++
	case n.GetJoinExpr() != nil:
		j := n.GetJoinExpr()
		sc.from(j.Larg)
		before := make(map[string]bool, len(sc.tables))
		for alias := range sc.tables {
			before[alias] = true
		}
		sc.from(j.Rarg)
		for _, u := range j.UsingClause {
			sc.using(u.GetString_().GetSval(), before)
		}
		sc.condition(j.Quals)
	case n.GetRangeSubselect() != nil:
		if a := n.GetRangeSubselect().Alias; a != nil {
			sc.tables[a.Aliasname] = nil
		}
	}
}

// using joins the one relation on each side that has the column.
func (sc *scope) using(name string, left map[string]bool) {
	var sides [2][]*aliased
	for alias, r := range sc.tables {
		if r == nil {
			continue
		}
		if c := r.Column(name); c != nil {
			side := 1
			if left[alias] {
				side = 0
			}
			sides[side] = append(sides[side], &aliased{alias, c})
		}
	}
	if len(sides[0]) == 1 && len(sides[1]) == 1 {
		sc.equal = append(sc.equal, [2]*aliased{sides[0][0], sides[1][0]})
	}
}

// condition collects the equalities that all rows fulfil.
func (sc *scope) condition(n *pg_query.Node) {
	switch {
	case n == nil:
	case n.GetBoolExpr() != nil && n.GetBoolExpr().Boolop == pg_query.BoolExprType_AND_EXPR:
		for _, a := range n.GetBoolExpr().Args {
			sc.condition(a)
		}
	case n.GetAExpr() != nil:
		e := n.GetAExpr()
		if e.Kind != pg_query.A_Expr_Kind_AEXPR_OP || len(e.Name) != 1 || e.Name[0].GetString_().GetSval() != "=" {
			return
		}
		if a, b := sc.column(e.Lexpr), sc.column(e.Rexpr); a != nil && b != nil && a.alias != b.alias {
			sc.equal = append(sc.equal, [2]*aliased{a, b})
		}
	}
}

// column resolves a column reference, nil if it is not a column of one relation.
func (sc *scope) column(n *pg_query.Node) *aliased {
	ref := n.GetColumnRef()
	if ref == nil {
		return nil
	}
	var parts []string
	for _, f := range ref.Fields {
		parts = append(parts, f.GetString_().GetSval())
	}
	name := parts[len(parts)-1]
	if len(parts) == 1 {
		var found *aliased
		for alias, r := range sc.tables {
			if r == nil {
				return nil // it could be there
			}
			if c := r.Column(name); c != nil {
				if found != nil {
					return nil
				}
				found = &aliased{alias, c}
			}
		}
		return found
	}
	alias := parts[len(parts)-2]
	if r := sc.tables[alias]; r != nil && name != "" {
		if c := r.Column(name); c != nil {
			return &aliased{alias, c}
		}
	}
	return nil
}

// add counts the joins of the scope: all equalities between two places of FROM
// are one join.
func (sc *scope) add(calls int64) {
	type places struct{ a, b string }
	joins := map[places][][2]*Column{}
	var order []places
	for _, e := range sc.equal {
		if e[0].alias > e[1].alias {
			e[0], e[1] = e[1], e[0]
		}
		p := places{e[0].alias, e[1].alias}
		if joins[p] == nil {
			order = append(order, p)
		}
		joins[p] = append(joins[p], [2]*Column{e[0].column, e[1].column})
	}
	for _, p := range order {
		var a, b []*Column
		for _, pair := range joins[p] {
			a, b = append(a, pair[0]), append(b, pair[1])
		}
		sc.join(a, b, calls)
	}
}

func (m *miner) join(a, b []*Column, calls int64) {
	if a[0].Relation == b[0].Relation && slices.Equal(a, b) {
		return
	}
	id := joined(a, b)
	k := m.keys[id]
	if k == nil {
		for i := range a {
			if a[i].Private || b[i].Private || !comparableTypes(a[i], b[i]) {
				return
			}
		}
		if isKey(a) && !isKey(b) { // a key is what the others refer to
			a, b = b, a
		}
		k = &ForeignKey{Name: a[0].Name, Implied: true, mined: true, From: a[0].Relation, To: b[0].Relation, FromCols: a, ToCols: b}
		if slices.Contains(m.snap.avoided, k.identity()) {
			return
		}
		m.keys[id] = k
		m.found = append(m.found, k)
	}
	k.Calls += calls
}

// isKey reports whether a key or unique index is among the columns.
func isKey(cols []*Column) bool {
	if slices.ContainsFunc(cols, func(c *Column) bool { return c.Unique }) {
		return true
	}
	for _, key := range append([][]*Column{cols[0].Relation.PrimaryKey}, cols[0].Relation.Unique...) {
		if len(key) > 0 && !slices.ContainsFunc(key, func(c *Column) bool { return !slices.Contains(cols, c) }) {
			return true
		}
	}
	return false
}

// finish adds the keys that were found, those in use most first.
func (m *miner) finish() {
	slices.SortStableFunc(m.found, func(a, b *ForeignKey) int { return int(min(1, max(-1, b.Calls-a.Calls))) })
	m.snap.ForeignKeys = append(m.snap.ForeignKeys, m.found...)
}
