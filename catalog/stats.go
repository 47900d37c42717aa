package catalog

import (
	"context"
	"math"

	"github.com/jackc/pgx/v5"
)

// someRelations is up to how many relations the statistics are asked for by
// name: beyond it reading them all is faster.
const someRelations = 300

// loadStats gives the columns of relations that are not kept the profiles that
// pg_stats has of them. Profiles under row security and values of private
// columns are left out.
func loadStats(ctx context.Context, tx pgx.Tx, cfg *Config, s *Snapshot, kept *keptRelations) error {
	n := kept.fresh(s)
	if n == 0 {
		return nil
	}
	sql, args := sqlStats, []any{cfg.CommonValues}
	if n <= someRelations {
		var schemas, names []string
		for _, r := range s.Relations {
			if !kept.has(r) {
				schemas, names = append(schemas, r.Schema), append(names, r.Name.Name)
			}
		}
		sql, args = sqlSomeStats, append(args, schemas, names)
	}
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return err
	}
	inherits := map[*Column]bool{}
	var name Name
	var column string
	var inherited bool
	var p Profile
	var width int32
	_, err = pgx.ForEachRow(rows, []any{&name.Schema, &name.Name, &column, &inherited, &p.NullFrac, &p.Distinct, &width, &p.Common, &p.Freqs, &p.Min, &p.Max}, func() error {
		c := p
		p = Profile{}
		r := s.Lookup(name.Schema, name.Name)
		if r == nil || kept.has(r) || r.RowSecure {
			return nil
		}
		// Statistics over a relation and its children say more than those over
		// the relation alone.
		if col := r.Column(column); col != nil && !inherits[col] {
			c.Width = int(width)
			col.Profile = c.fit(col)
			inherits[col] = inherited
		}
		return nil
	})
	return err
}

// fit makes the profile absolute and takes out what is private.
func (p *Profile) fit(c *Column) *Profile {
	if p.Distinct < 0 {
		p.Distinct = math.Round(-p.Distinct * math.Max(c.Relation.Rows, 0))
	}
	if c.Private {
		p.Common, p.Freqs, p.Min, p.Max = nil, nil, "", ""
	}
	if p.Min == "" && p.Max == "" && len(p.Common) > 0 && float64(len(p.Common)) >= p.Distinct {
		p.Min, p.Max = bounds(c.Class, p.Common)
	}
	return p
}
