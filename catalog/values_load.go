package catalog

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// loadValues fills a value index for the snapshot: enum labels, values that
// checks list, common values from the statistics, and what a bounded read of
// each relation finds in its text columns of low and middle cardinality.
func loadValues(ctx context.Context, tx pgx.Tx, cfg *Config, s *Snapshot) (*Values, error) {
	v := newValues()
	if !cfg.Values {
		return v, nil
	}
	until := time.Now().Add(cfg.ValuesTime.Duration())
	for _, r := range s.Relations {
		if r.secured {
			// The values that one user sees need not be another's.
			for _, c := range r.Columns {
				if c.Class == Text && !c.Private {
					v.omit(c, false, "row security")
				}
			}
			continue
		}
		var read []*Column
		for _, c := range r.Columns {
			if c.Private {
				if c.Class == Text {
					v.omit(c, false, "private")
				}
				continue
			}
			for _, list := range [][]string{c.Enum, c.Allowed} {
				for _, value := range list {
					v.addLimited(cfg, c, value)
				}
			}
			if c.Class != Text {
				continue
			}
			if p := c.Profile; p != nil {
				for _, value := range p.Common {
					v.addLimited(cfg, c, value)
				}
				switch {
				case p.Width > cfg.ValuesLength:
					v.omit(c, len(p.Common) > 0, fmt.Sprintf("values are %d bytes long on average", p.Width))
					continue
				case p.Distinct > float64(cfg.ValuesDistinct):
					v.omit(c, len(p.Common) > 0, fmt.Sprintf("about %.0f distinct values", p.Distinct))
					continue
				case p.Distinct > 0 && float64(len(p.Common)) >= p.Distinct:
					continue
				}
			}
			read = append(read, c)
		}
		if len(read) == 0 {
			continue
		}
		if r.Kind == ForeignTable {
			for _, c := range read {
				v.omit(c, len(v.Of(c)) > 0, "foreign table")
			}
			continue
		}
		if err := v.readColumns(ctx, tx, cfg, r, read, until); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (v *Values) addLimited(cfg *Config, c *Column, value string) {
	if len(value) <= cfg.ValuesLength && len(v.entries) < cfg.ValuesTotal {
		v.add(c, value)
	}
}

// readColumns reads the distinct values of a relation's columns. A relation
// that cannot be read in time, or at all, is left out, not the snapshot.
func (v *Values) readColumns(ctx context.Context, tx pgx.Tx, cfg *Config, r *Relation, cols []*Column, until time.Time) error {
	omit := func(cols []*Column, why string) {
		for _, c := range cols {
			v.omit(c, v.columns[c] > 0, why)
		}
	}
	for i, c := range cols {
		left := time.Until(until)
		switch {
		case left < time.Millisecond:
			omit(cols[i:], "values_time used up")
			return nil
		case len(v.entries) >= cfg.ValuesTotal:
			omit(cols[i:], "values_total reached")
			return nil
		}
		values, err := distinct(ctx, tx, cfg, r, c, left)
		if err != nil {
			if ctx.Err() != nil || tx.Conn().IsClosed() {
				return err
			}
			omit(cols[i:], "could not be read: "+err.Error())
			return nil
		}
		if len(values) > cfg.ValuesDistinct {
			v.omit(c, v.columns[c] > 0, fmt.Sprintf("more than %d distinct values", cfg.ValuesDistinct))
			continue
		}
		for _, value := range values {
			v.addLimited(cfg, c, value)
		}
		if r.Rows > float64(cfg.ValuesRows) {
			v.omit(c, true, fmt.Sprintf("only %d rows read", cfg.ValuesRows))
		}
	}
	return nil
}

// distinct reads at most ValuesDistinct+1 values in a savepoint of its own, so
// that a failure leaves the transaction as it was.
func distinct(ctx context.Context, tx pgx.Tx, cfg *Config, r *Relation, c *Column, limit time.Duration) ([]string, error) {
	sp, err := tx.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = sp.Rollback(ctx) }()
	if _, err := sp.Exec(ctx, "select set_config('statement_timeout', $1, true)", fmt.Sprint(limit.Milliseconds()+1)); err != nil {
		return nil, err
	}
	name := pgx.Identifier{c.Name}.Sanitize()
	sql := fmt.Sprintf(`select v::text from (select distinct v from (select %s as v from %s limit %d) s where v is not null limit %d) d
where octet_length(v::text) between 1 and %d order by 1`,
		name, pgx.Identifier{r.Schema, r.Name.Name}.Sanitize(), cfg.ValuesRows, cfg.ValuesDistinct+1, cfg.ValuesLength)
	rows, err := sp.Query(ctx, sql, pgx.QueryExecModeExec)
	if err != nil {
		return nil, err
	}
	values, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	for i, s := range values {
		values[i] = strings.Clone(s)
	}
	return values, nil
}
