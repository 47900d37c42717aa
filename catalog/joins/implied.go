package joins

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/catalog/guarded"
	"askpg/catalog/schema"
)

// Limits of the search for implied keys.
const (
	impliedSample  = 500    // values of a column looked up in its target
	impliedMissing = 0.05   // share of them that may be missing there
	impliedRows    = 500000 // a target of more rows without an index on the key is not scanned
)

// Pair is a pair of columns that look like a foreign key, across snapshots.
type Pair struct{ From, To schema.ColumnID }

// FindImplied adds the implied keys: those of which the columns really hold
// values of their target.
//
// verdicts says of pairs of columns whether they did so when an earlier
// snapshot was made, and gets what is found out now. The columns of the
// relations in searched have their keys already. A pair of unchanged relations
// that there was no time for is decided by names again, until everything is
// read anew.
func (f *Finder) FindImplied(ctx context.Context, tx pgx.Tx, verdicts map[Pair]bool, searched, unchanged map[*schema.Relation]bool) error {
	until := time.Now().Add(f.Limit)
	joined := map[*schema.Column]bool{}
	for _, g := range guesses(f.Relations, f.Keys, searched) {
		if joined[g.from] {
			continue
		}
		pair := Pair{g.from.ID(), g.to.ID()}
		holds, ok := verdicts[pair]
		switch left := time.Until(until); {
		case ok:
		case unchanged[g.from.Relation] && unchanged[g.to.Relation]:
			holds = g.strong
		case !g.readable() || left < time.Millisecond:
			holds = g.strong // by name alone
		default:
			var err error
			if holds, err = g.contained(ctx, tx, left); err != nil {
				if ctx.Err() != nil || tx.Conn().IsClosed() {
					return err
				}
				holds = g.strong
			}
			verdicts[pair] = holds
		}
		if !holds {
			continue
		}
		k := &schema.ForeignKey{
			Name: g.from.Name, Implied: true, From: g.from.Relation, To: g.to.Relation,
			FromCols: []*schema.Column{g.from}, ToCols: []*schema.Column{g.to},
		}
		if !f.avoided(k) {
			joined[g.from] = true
			f.Keys = append(f.Keys, k)
		}
	}
	return nil
}

// readable reports whether values of both columns may be read.
func (g *guess) readable() bool {
	for _, r := range []*schema.Relation{g.from.Relation, g.to.Relation} {
		if !r.Shared() || r.Kind == schema.ForeignTable {
			return false
		}
	}
	return true
}

// contained looks up a sample of the column's values in its target. Without
// values the names decide.
func (g *guess) contained(ctx context.Context, tx pgx.Tx, limit time.Duration) (bool, error) {
	if !g.to.Unique && g.to.Relation.Rows > impliedRows {
		return false, nil
	}
	from, c := g.from.Relation.QuotedName(), schema.Quote(g.from.Name)
	to, k := g.to.Relation.QuotedName(), schema.Quote(g.to.Name)
	unique := "true"
	if !g.to.Unique {
		unique = fmt.Sprintf("(select count(*) = count(distinct %s) from %s)", k, to)
	}
	sql := fmt.Sprintf(`with sample as materialized (select distinct v from (select %s as v from %s where %s is not null limit %d) s limit %d)
select (select count(*) from sample), (select count(*) from sample where not exists (select from %s t where t.%s = sample.v)), %s`,
		c, from, c, 20*impliedSample, impliedSample, to, k, unique)
	var total, missing int
	var different bool
	err := guarded.Within(ctx, tx, limit, func(sp pgx.Tx) error {
		if err := guarded.Judge(ctx, tx, sql, g.from.Relation, g.to.Relation); err != nil {
			return err
		}
		return sp.QueryRow(ctx, sql, pgx.QueryExecModeExec).Scan(&total, &missing, &different)
	})
	if err != nil {
		return false, err
	}
	if total == 0 {
		return g.strong, nil
	}
	return different && float64(missing) <= impliedMissing*float64(total), nil
}
