package catalog

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/catalog/guarded"
	"askpg/catalog/schema"
)

// sampleRows is how many rows are read of a relation that has no statistics.
const sampleRows = 2000

// sampleProfiles gives profiles to the columns of relations that were never
// analyzed, from their first rows, within the time limit. Views and foreign
// tables have no statistics and may be slow to read: they get no profiles.
func sampleProfiles(ctx context.Context, tx pgx.Tx, cfg *Config, s *Snapshot, unchanged map[*Relation]bool) error {
	until := time.Now().Add(cfg.SampleTime.Duration())
	for _, r := range s.Relations {
		if unchanged[r] || !r.Shared() || r.Kind == View || r.Kind == ForeignTable || len(r.Columns) == 0 || profiled(r) {
			continue
		}
		left := time.Until(until)
		if left < time.Millisecond {
			return nil
		}
		if err := sampleProfile(ctx, tx, r, max(left/4, 50*time.Millisecond)); err != nil && (ctx.Err() != nil || tx.Conn().IsClosed()) {
			return err
		}
	}
	return nil
}

// profiled reports whether a column of the relation has a profile.
func profiled(r *Relation) bool {
	return slices.ContainsFunc(r.Columns, func(c *Column) bool { return c.Profile != nil })
}

// sampleProfile reads the rows once for all columns. It counts the rows and, for
// each column, the values and the distinct values, and finds bounds and width.
func sampleProfile(ctx context.Context, tx pgx.Tx, r *Relation, limit time.Duration) error {
	var cols []*Column
	var list, names strings.Builder
	for _, c := range r.Columns {
		if c.Class == Other || c.Class == schema.JSON || c.Class == Array {
			continue // types that may not be compared
		}
		name := schema.Quote(c.Name)
		fmt.Fprintf(&names, ", %s", name)
		fmt.Fprintf(&list, ", count(%s), count(distinct %s), coalesce(avg(pg_column_size(%s)), 0)::int", name, name, name)
		if c.Class == UUID || c.Class == Boolean {
			fmt.Fprintf(&list, ", '', ''")
		} else {
			fmt.Fprintf(&list, ", coalesce(left(min(%s)::text, 200), ''), coalesce(left(max(%s)::text, 200), '')", name, name)
		}
		cols = append(cols, c)
	}
	if cols == nil {
		return nil
	}
	sql := fmt.Sprintf("select count(*)%s from (select %s from %s limit %d) s", list.String(), names.String()[2:], r.QuotedName(), sampleRows)
	var rows int64
	type answer struct {
		filled, distinct int64
		width            int32
		min, max         string
	}
	got := make([]answer, len(cols))
	into := []any{&rows}
	for i := range got {
		into = append(into, &got[i].filled, &got[i].distinct, &got[i].width, &got[i].min, &got[i].max)
	}
	if err := guarded.Each(ctx, tx, limit, []*Relation{r}, sql, into, func() {}); err != nil {
		return err
	}
	if rows < sampleRows && r.Rows < 0 {
		r.Rows = float64(rows)
	}
	for i, c := range cols {
		a := &got[i]
		p := &Profile{Sampled: true, Rows: rows, Distinct: float64(a.distinct), Width: int(a.width), Min: a.min, Max: a.max}
		if rows > 0 {
			p.NullFrac = 1 - float64(a.filled)/float64(rows)
		}
		if c.Private {
			p.Min, p.Max = "", ""
		}
		c.Profile = p
	}
	return nil
}

// fillCommon takes the values that the index has read of a sampled column of
// few values over into its profile.
func fillCommon(s *Snapshot, cfg *Config, unchanged map[*Relation]bool) {
	few := map[*Column]bool{}
	for _, r := range s.Relations {
		if unchanged[r] {
			continue
		}
		for _, c := range r.Columns {
			if p := c.Profile; p != nil && p.Sampled && !c.Private && c.Class == Text && p.Distinct <= float64(cfg.CommonValues) {
				few[c] = true
			}
		}
	}
	if len(few) == 0 {
		return
	}
	for c, value := range s.Values.All() {
		if few[c] {
			c.Profile.Common = append(c.Profile.Common, value)
		}
	}
	for c := range few {
		p := c.Profile
		if len(p.Common) > cfg.CommonValues {
			p.Common = nil
		}
		sort.Strings(p.Common)
	}
}
