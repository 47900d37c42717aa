package joins

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/catalog/guarded"
	"askpg/catalog/schema"
)

// Limits of what is read of views and pg_stat_statements.
const (
	minedStatements = 500  // of pg_stat_statements, those called most
	minedBytes      = 8000 // of a statement; longer ones are left out
	minedJoins      = 12   // relations in one FROM; statements with more are left out
)

// sqlStatements reads the statements with joins that are called most. Of what
// is not this role's to read the view says "<insufficient privilege>".
const sqlStatements = `
select s.query, sum(s.calls)::int8
from %s.pg_stat_statements s
where s.dbid = (select d.oid from pg_database d where d.datname = current_database())
  and length(s.query) <= $1 and s.query ~* '\m(join|where)\M'
group by s.query order by 2 desc, 1 limit $2`

// Mine adds how relations are joined in use: by the definitions of views and,
// if statements is set, by what pg_stat_statements shows the role. These give
// calls to the keys there are, and keys that nobody declared. Where the
// extension cannot be read it adds nothing of it.
//
// The extension shows statements of other roles only to members of
// pg_read_all_stats, and only statements of the server that is read: a standby
// has its own. Of views it reads for no longer than the finder's limit.
func (f *Finder) Mine(ctx context.Context, tx pgx.Tx, statements bool) error {
	m := newMiner(f)
	began := time.Now()
	for _, r := range f.Relations {
		if time.Since(began) > f.Limit {
			break
		}
		if r.Definition != "" && len(r.Definition) <= minedBytes {
			m.statement(r.Definition, 0)
		}
	}
	if statements {
		list, err := f.readStatements(ctx, tx)
		if err != nil && (ctx.Err() != nil || tx.Conn().IsClosed()) {
			return err
		}
		for _, st := range list { // none if it is not preloaded, or not this role's to read
			m.statement(st.text, st.calls)
		}
	}
	slices.SortStableFunc(m.found, func(a, b *schema.ForeignKey) int { return int(min(1, max(-1, b.Calls-a.Calls))) })
	f.Keys = append(f.Keys, m.found...)
	return nil
}

type statement struct {
	text  string
	calls int64
}

func (f *Finder) readStatements(ctx context.Context, tx pgx.Tx) ([]statement, error) {
	return guarded.Statistics(ctx, tx, f.Limit, sqlStatements, []any{minedBytes, minedStatements}, func(row pgx.CollectableRow) (st statement, err error) {
		return st, row.Scan(&st.text, &st.calls)
	})
}

// miner collects the joins of statements.
type miner struct {
	*Finder
	byName map[string]*schema.Relation // by name alone, nil for those of several schemas
	keys   map[string]*schema.ForeignKey
	view   *schema.Relation     // whose CASE is read; nil while joins are looked for
	found  []*schema.ForeignKey // that are not among the finder's
}

func newMiner(f *Finder) *miner {
	m := &miner{Finder: f, byName: map[string]*schema.Relation{}, keys: map[string]*schema.ForeignKey{}}
	for _, r := range f.Relations {
		if _, ok := m.byName[r.Name.Name]; ok {
			m.byName[r.Name.Name] = nil
		} else {
			m.byName[r.Name.Name] = r
		}
	}
	for _, k := range f.Keys {
		m.keys[joinedColumns(k.FromCols, k.ToCols)] = k
	}
	return m
}

// joinedColumns names the join of columns pair by pair, whatever their order.
func joinedColumns(a, b []*schema.Column) string {
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
		m.walk(st.Stmt, calls, nil)
	}
}

// walk looks for SELECTs wherever a statement's data comes from: its branches,
// WITH, FROM and the source of an INSERT. Subqueries in conditions are left out.
// hidden are the names of WITH around it, which hide those of tables.
func (m *miner) walk(n *pg_query.Node, calls int64, hidden map[string]bool) {
	if n == nil {
		return
	}
	switch {
	case n.GetSelectStmt() != nil:
		m.query(n.GetSelectStmt(), calls, hidden)
	case n.GetInsertStmt() != nil:
		m.walk(n.GetInsertStmt().SelectStmt, calls, hidden)
	case n.GetRangeSubselect() != nil:
		m.walk(n.GetRangeSubselect().Subquery, calls, hidden)
	case n.GetJoinExpr() != nil:
		m.walk(n.GetJoinExpr().Larg, calls, hidden)
		m.walk(n.GetJoinExpr().Rarg, calls, hidden)
	}
}

func (m *miner) query(q *pg_query.SelectStmt, calls int64, hidden map[string]bool) {
	if q == nil {
		return
	}
	if w := q.WithClause; w != nil {
		inner := map[string]bool{}
		maps.Copy(inner, hidden)
		for _, c := range w.Ctes {
			name := c.GetCommonTableExpr().GetCtename()
			inner[name] = inner[name] || w.Recursive // without RECURSIVE its own query sees the table
			m.walk(c.GetCommonTableExpr().GetCtequery(), calls, inner)
			inner[name] = true
		}
		hidden = inner
	}
	if q.Op != pg_query.SetOperation_SETOP_NONE {
		m.query(q.Larg, calls, hidden)
		m.query(q.Rarg, calls, hidden)
	}
	sc := scope{miner: m, hidden: hidden, tables: map[string]*schema.Relation{}}
	for _, f := range q.FromClause {
		m.walk(f, calls, hidden)
		sc.from(f)
	}
	sc.condition(q.WhereClause)
	for _, n := range q.TargetList {
		sc.decode(n)
	}
	if sc.count <= minedJoins {
		sc.add(calls)
	}
}

// join counts one join of columns, by the key that joins them or by a new one.
func (m *miner) join(a, b []*schema.Column, calls int64) {
	if a[0].Relation == b[0].Relation && slices.Equal(a, b) {
		return
	}
	id := joinedColumns(a, b)
	k := m.keys[id]
	if k == nil {
		for i := range a {
			if a[i].Private || b[i].Private || !comparableTypes(a[i], b[i]) {
				return
			}
		}
		if isKey(a) && !isKey(b) || !isKey(b) && maybeKey(a[0]) && !maybeKey(b[0]) { // a key is what the others refer to
			a, b = b, a
		}
		k = &schema.ForeignKey{Name: a[0].Name, Implied: true, Mined: true, From: a[0].Relation, To: b[0].Relation, FromCols: a, ToCols: b}
		if m.avoided(k) {
			return
		}
		m.keys[id] = k
		m.found = append(m.found, k)
	}
	k.Calls += calls
}

// isKey reports whether a key or unique index is among the columns.
func isKey(cols []*schema.Column) bool {
	if slices.ContainsFunc(cols, func(c *schema.Column) bool { return c.Unique }) {
		return true
	}
	for _, key := range append([][]*schema.Column{cols[0].Relation.PrimaryKey}, cols[0].Relation.Unique...) {
		if len(key) > 0 && !slices.ContainsFunc(key, func(c *schema.Column) bool { return !slices.Contains(cols, c) }) {
			return true
		}
	}
	return false
}
