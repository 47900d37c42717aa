package catalog

import (
	"context"
	"math"
	"strings"

	"github.com/jackc/pgx/v5"
)

// loadStats gives the columns of relations that are not kept the profiles that
// pg_stats has of them. Profiles under row security and values of private
// columns are left out.
func loadStats(ctx context.Context, tx pgx.Tx, cfg *Config, s *Snapshot, unchanged map[*Relation]bool) error {
	var names []string
	for _, r := range s.Relations {
		if !unchanged[r] && r.Kind != View {
			names = append(names, r.Name.Name)
		}
	}
	if names == nil {
		return nil
	}
	rows, err := tx.Query(ctx, sqlStats, names)
	if err != nil {
		return err
	}
	inherits := map[*Column]bool{}
	var name Name
	var column, common, histogram string
	var inherited bool
	var p Profile
	var width int32
	_, err = pgx.ForEachRow(rows, []any{&name.Schema, &name.Name, &column, &inherited, &p.NullFrac, &p.Distinct, &width, &common, &p.Freqs, &histogram}, func() error {
		c := p
		p = Profile{}
		r := s.Lookup(name.Schema, name.Name)
		if r == nil || unchanged[r] || !r.Shared() {
			return nil
		}
		// Statistics over a relation and its children say more than those over
		// the relation alone.
		if col := r.Column(column); col != nil && !inherits[col] {
			c.Width = int(width)
			c.Common, _ = arrayElements(common, cfg.CommonValues)
			c.Freqs = c.Freqs[:min(len(c.Freqs), len(c.Common))]
			absolute(&c, col.Relation.Rows)
			setBounds(&c, col.Class, common, histogram)
			if col.Private {
				c.Common, c.Freqs, c.Min, c.Max = nil, nil, "", ""
			}
			col.Profile = &c
			inherits[col] = inherited
		}
		return nil
	})
	return err
}

// arrayElements returns the first elements of an array in text format, at most
// limit, and its last one (PostgreSQL documentation, "Array Input and Output
// Syntax"). Statistics hold no NULL and no nested array; of an array of arrays
// it returns nothing.
func arrayElements(array string, limit int) (first []string, last string) {
	if len(array) < 3 || array[0] != '{' || array[1] == '{' {
		return nil, ""
	}
	rest := array[1:]
	for len(rest) > 0 && rest[0] != '}' {
		var element string
		if rest[0] == '"' {
			end, escaped := 1, false
			for ; end < len(rest) && rest[end] != '"'; end++ {
				if rest[end] == '\\' {
					escaped = true
					end++
				}
			}
			if end >= len(rest) {
				return first, last
			}
			element, rest = rest[1:end], rest[end+1:]
			if escaped {
				element = unescape(element)
			}
		} else {
			end := strings.IndexAny(rest, ",}")
			if end < 0 {
				return first, last
			}
			element, rest = rest[:end], rest[end:]
		}
		last = element
		if len(first) < limit {
			first = append(first, strings.Clone(element))
		}
		rest = strings.TrimPrefix(rest, ",")
	}
	return first, strings.Clone(last)
}

func unescape(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b = append(b, s[i])
	}
	return string(b)
}

// absolute makes the number of distinct values one of values, where it is a
// share of the rows.
func absolute(p *Profile, rows float64) {
	if p.Distinct < 0 {
		p.Distinct = math.Round(-p.Distinct * math.Max(rows, 0))
	}
}

// setBounds takes a column's bounds from its most common values and its histogram,
// arrays in text format. The histogram leaves the common values out, and without one
// they are all only if they are as many as there are (PostgreSQL documentation, pg_stats).
func setBounds(p *Profile, class Class, common, histogram string) {
	first, last := arrayElements(histogram, 1)
	values, _ := arrayElements(common, math.MaxInt)
	switch {
	case class != Number && class != Date && class != Timestamp:
		if first != nil {
			p.Min, p.Max = first[0], last
		}
	case first != nil:
		p.Min, p.Max = bounds(class, append(values, first[0], last))
	case float64(len(values)) >= p.Distinct:
		p.Min, p.Max = bounds(class, values)
	}
}
