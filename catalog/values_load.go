package catalog

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
)

// loadValues fills a value index for the snapshot: enum labels, values that
// checks list, common values from the statistics, and what a bounded read of
// each relation finds in its text columns of low and middle cardinality.
//
// Relations that are kept from an earlier snapshot have their values in old.
func loadValues(ctx context.Context, tx pgx.Tx, cfg *Config, s *Snapshot, old *Values, kept *keptRelations) (*Values, error) {
	if old == nil || old.mostlyGone(kept) {
		old, kept = nil, nil
	}
	v := newValues(old, kept)
	if !cfg.Values {
		return v, nil
	}
	until := time.Now().Add(cfg.ValuesTime.Duration())
	for _, r := range s.Relations {
		if kept.has(r) {
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
			if r.secured { // labels are schema, but the values that one user sees need not be another's
				v.omit(c, v.columns[c] > 0, r.withheld())
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
				v.omit(c, v.columns[c] > 0, "foreign table")
			}
			continue
		}
		if err := v.readColumns(ctx, tx, cfg, r, read, until); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// withheld says why the values of a relation are not read.
func (r *Relation) withheld() string {
	switch {
	case r.RowSecure:
		return "row security"
	case r.Closed:
		return "may depend on private columns"
	}
	return "may differ by who is asking"
}

func (v *Values) addLimited(cfg *Config, c *Column, value string) {
	if len(value) <= cfg.ValuesLength && v.count < cfg.ValuesTotal {
		v.add(c, value)
	}
}

// readColumns reads the distinct values of a relation's columns. A relation
// that cannot be read in time, or at all, is left out, not the snapshot.
func (v *Values) readColumns(ctx context.Context, tx pgx.Tx, cfg *Config, r *Relation, cols []*Column, until time.Time) error {
	omit := func(why string) {
		for _, c := range cols {
			v.omit(c, v.columns[c] > 0, why)
		}
	}
	left := time.Until(until)
	switch {
	case left < time.Millisecond:
		omit("values_time used up")
		return nil
	case v.count >= cfg.ValuesTotal:
		omit("values_total reached")
		return nil
	}
	// No relation may use up the time of all.
	values, err := distinct(ctx, tx, cfg, r, cols, max(left/4, 50*time.Millisecond))
	if err != nil {
		if ctx.Err() != nil || tx.Conn().IsClosed() {
			return err
		}
		omit("could not be read: " + err.Error())
		return nil
	}
	for i, c := range cols {
		if len(values[i]) > cfg.ValuesDistinct {
			v.omit(c, v.columns[c] > 0, fmt.Sprintf("more than %d distinct values", cfg.ValuesDistinct))
			continue
		}
		for _, value := range values[i] {
			v.addLimited(cfg, c, value)
		}
		if r.Rows > float64(cfg.ValuesRows) {
			v.omit(c, true, fmt.Sprintf("only %d rows read", cfg.ValuesRows))
		}
	}
	return nil
}

// distinct reads at most ValuesDistinct+1 values of each column in a savepoint
// of its own, so that a failure leaves the transaction as it was.
func distinct(ctx context.Context, tx pgx.Tx, cfg *Config, r *Relation, cols []*Column, limit time.Duration) ([][]string, error) {
	var sql strings.Builder
	for i, c := range cols {
		if i > 0 {
			sql.WriteString(" union all ")
		}
		fmt.Fprintf(&sql, `(select %d, v::text from (select distinct v from (select %s as v from %s limit %d) s where v is not null limit %d) d
where octet_length(v::text) between 1 and %d)`,
			i, pgx.Identifier{c.Name}.Sanitize(), r.sql(), cfg.ValuesRows, cfg.ValuesDistinct+1, cfg.ValuesLength)
	}
	values := make([][]string, len(cols))
	err := within(ctx, tx, limit, func(sp pgx.Tx) error {
		if err := judge(ctx, tx, sql.String(), r); err != nil {
			return err
		}
		rows, err := sp.Query(ctx, sql.String(), pgx.QueryExecModeExec)
		if err != nil {
			return err
		}
		var i int32
		var value string
		_, err = pgx.ForEachRow(rows, []any{&i, &value}, func() error {
			values[i] = append(values[i], value)
			return nil
		})
		return err
	})
	for _, list := range values {
		sort.Strings(list)
	}
	return values, err
}

// within runs f in a savepoint with a time limit for each of its statements.
func within(ctx context.Context, tx pgx.Tx, limit time.Duration, f func(pgx.Tx) error) error {
	sp, err := tx.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = sp.Rollback(ctx) }()
	if _, err := sp.Exec(ctx, "select set_config('statement_timeout', $1, true)", strconv.FormatInt(limit.Milliseconds()+1, 10)); err != nil {
		return err
	}
	return f(sp)
}

// guarded is what a Source's transaction may have to judge what is read.
type guarded interface {
	Judge(ctx context.Context, sql string) error
	Trust(ctx context.Context, relations ...uint32) error
	Exposed(ctx context.Context) ([]string, error)
}

// judge has the transaction's guard judge what is read. Whoever owns something
// that a relation depends on would have his code run otherwise: that of views, of
// casts and operators of types, of indexes and statistics. Of a plain relation it is enough that
// the owners are trusted.
func judge(ctx context.Context, tx pgx.Tx, sql string, relations ...*Relation) error {
	guard, ok := tx.(guarded)
	if !ok {
		return nil
	}
	oids := make([]uint32, len(relations))
	for i, r := range relations {
		if oids[i] = r.OID; !r.plain {
			return guard.Judge(ctx, sql)
		}
	}
	return guard.Trust(ctx, oids...)
}

// trustAll has the owners of all plain relations judged at once, so that each
// is known when it is read. What it finds is said then.
func trustAll(ctx context.Context, tx pgx.Tx, relations []*Relation) error {
	guard, ok := tx.(guarded)
	if !ok {
		return nil
	}
	var oids []uint32
	for _, r := range relations {
		if r.plain {
			oids = append(oids, r.OID)
		}
	}
	err := guard.Trust(ctx, oids...)
	var refused *ask.Error
	if errors.As(err, &refused) && refused.Code == ask.CodeInsufficientRights {
		return nil
	}
	return err
}

// markPlain says which relations run nobody's code when they are read: tables
// of built-in types whose rows are their own.
func markPlain(relations []*Relation, parents map[uint32]bool) {
	for _, r := range relations {
		r.plain = (r.Kind == Table || r.Kind == MaterializedView) && !parents[r.OID]
		for _, c := range r.Columns {
			r.plain = r.plain && c.TypeOID < firstUserOID
		}
	}
}
