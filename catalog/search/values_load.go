package search

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/catalog/guarded"
	"askpg/catalog/schema"
)

// ValueLimits bound the values that an index holds and what is read for them.
type ValueLimits struct {
	Distinct int           // columns with more distinct values are left out
	Rows     int           // read of a relation
	Length   int           // bytes; longer values are left out
	Total    int           // values in the index
	Time     time.Duration // of reading
}

// LoadValues fills an index of the relations' values. It takes enum labels,
// values that checks list, and common values from the statistics. A bounded
// read of each relation finds those of its text columns of low and middle
// cardinality.
//
// Relations that are unchanged since an earlier snapshot have their values in
// old. Columns of which no value may be read are named in Omitted.
func LoadValues(ctx context.Context, tx pgx.Tx, limits ValueLimits, relations []*schema.Relation, old *Values, unchanged map[*schema.Relation]bool) (*Values, error) {
	if old == nil || old.mostlyStale(unchanged) {
		old, unchanged = nil, nil
	}
	l := valueLoader{extend(old, unchanged), limits, time.Now().Add(limits.Time)}
	for _, r := range relations {
		if unchanged[r] {
			continue
		}
		var read []*schema.Column
		for _, c := range r.Columns {
			if l.addKnown(c) {
				read = append(read, c)
			}
		}
		if len(read) == 0 {
			continue
		}
		if r.Kind == schema.ForeignTable {
			l.omitAll(read, "foreign table")
			continue
		}
		if err := l.readColumns(ctx, tx, r, read); err != nil {
			return nil, err
		}
	}
	return l.Values, nil
}

// valueLoader fills an index.
type valueLoader struct {
	*Values
	limits ValueLimits
	until  time.Time
}

// addKnown adds the values of a column that are known without reading its
// relation, and reports whether that has to be read for others.
func (l *valueLoader) addKnown(c *schema.Column) (read bool) {
	if c.Private {
		if c.Class == schema.Text {
			l.omit(c, "private")
		}
		return false
	}
	l.add(c, c.Enum)
	l.add(c, c.Allowed)
	if c.Class != schema.Text {
		return false
	}
	if !c.Relation.Shared() { // labels are schema, but the values that one user sees need not be another's
		l.omit(c, whyNotShared(c.Relation))
		return false
	}
	p := c.Profile
	if p == nil {
		return true
	}
	l.add(c, p.Common)
	switch {
	case p.Width > l.limits.Length:
		l.omit(c, fmt.Sprintf("values are %d bytes long on average", p.Width))
		return false
	case p.Distinct > float64(l.limits.Distinct):
		l.omit(c, fmt.Sprintf("about %.0f distinct values", p.Distinct))
		return false
	}
	return p.Distinct <= 0 || float64(len(p.Common)) < p.Distinct
}

// whyNotShared says why the values of a relation are not read.
func whyNotShared(r *schema.Relation) string {
	switch {
	case r.RowSecure:
		return "row security"
	case r.Closed:
		return "may depend on private columns"
	}
	return "may differ by who is asking"
}

// add adds values within the limits.
func (l *valueLoader) add(c *schema.Column, values []string) {
	for _, value := range values {
		if len(value) <= l.limits.Length && l.count < l.limits.Total {
			l.Values.add(c, value)
		}
	}
}

func (l *valueLoader) omitAll(cols []*schema.Column, why string) {
	for _, c := range cols {
		l.omit(c, why)
	}
}

// readColumns reads the distinct values of a relation's columns. A relation
// that cannot be read in time, or at all, is left out, not the snapshot.
func (l *valueLoader) readColumns(ctx context.Context, tx pgx.Tx, r *schema.Relation, cols []*schema.Column) error {
	left := time.Until(l.until)
	switch {
	case left < time.Millisecond:
		l.omitAll(cols, "values_time used up")
		return nil
	case l.count >= l.limits.Total:
		l.omitAll(cols, "values_total reached")
		return nil
	}
	// No relation may use up the time of all.
	values, err := l.distinct(ctx, tx, r, cols, max(left/4, 50*time.Millisecond))
	if err != nil {
		if ctx.Err() != nil || tx.Conn().IsClosed() {
			return err
		}
		l.omitAll(cols, "could not be read: "+err.Error())
		return nil
	}
	for i, c := range cols {
		if len(values[i]) > l.limits.Distinct {
			l.omit(c, fmt.Sprintf("more than %d distinct values", l.limits.Distinct))
			continue
		}
		l.add(c, values[i])
		if r.Rows > float64(l.limits.Rows) {
			l.omit(c, fmt.Sprintf("only %d rows read", l.limits.Rows))
		}
	}
	return nil
}

// distinct reads the distinct values of each column, one more at most than
// the limit allows.
func (l *valueLoader) distinct(ctx context.Context, tx pgx.Tx, r *schema.Relation, cols []*schema.Column, limit time.Duration) ([][]string, error) {
	var sql strings.Builder
	for i, c := range cols {
		if i > 0 {
			sql.WriteString(" union all ")
		}
		fmt.Fprintf(&sql, `(select %d, v::text from (select distinct v from (select %s as v from %s limit %d) s where v is not null limit %d) d
where octet_length(v::text) between 1 and %d)`,
			i, schema.Quote(c.Name), r.QuotedName(), l.limits.Rows, l.limits.Distinct+1, l.limits.Length)
	}
	values := make([][]string, len(cols))
	var i int32
	var value string
	err := guarded.Each(ctx, tx, limit, []*schema.Relation{r}, sql.String(), []any{&i, &value}, func() { values[i] = append(values[i], value) })
	for _, list := range values {
		sort.Strings(list)
	}
	return values, err
}
