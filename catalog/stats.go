package catalog

import (
	"context"
	"math"
	"strings"

	"github.com/jackc/pgx/v5"
)

// loadStats gives the columns of changed relations the profiles that pg_stats
// has of them. It leaves out profiles of relations that roles do not share, and
// values of private columns.
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
	inherits := map[*Column]bool{}
	var name Name
	var column, common, histogram string
	var inherited bool
	var p Profile
	var width int32
	return each(ctx, tx, sqlStats, []any{&name.Schema, &name.Name, &column, &inherited, &p.NullFrac, &p.Distinct, &width, &common, &p.Freqs, &histogram}, func() {
		c := p
		p = Profile{}
		r := s.Lookup(name.Schema, name.Name)
		if r == nil || unchanged[r] || !r.Shared() {
			return
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
	}, names)
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
		element, length := arrayElement(rest)
		if length < 0 {
			return first, last
		}
		last, rest = element, strings.TrimPrefix(rest[length:], ",")
		if len(first) < limit {
			first = append(first, strings.Clone(element))
		}
	}
	return first, strings.Clone(last)
}

// arrayElement returns the element that begins here and the bytes that it takes,
// -1 if it does not end.
func arrayElement(text string) (element string, length int) {
	if text[0] != '"' {
		end := strings.IndexAny(text, ",}")
		if end < 0 {
			return "", -1
		}
		return text[:end], end
	}
	end, escaped := 1, false
	for ; end < len(text) && text[end] != '"'; end++ {
		if text[end] == '\\' {
			escaped = true
			end++
		}
	}
	if end >= len(text) {
		return "", -1
	}
	if element = text[1:end]; escaped {
		element = unescape(element)
	}
	return element, end + 1
}

// unescape takes the backslashes out of a quoted element.
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

// absolute makes Distinct a number of values where pg_stats gives a share of the
// rows, as a negative number.
func absolute(p *Profile, rows float64) {
	if p.Distinct < 0 {
		p.Distinct = math.Round(-p.Distinct * math.Max(rows, 0))
	}
}

// setBounds takes a column's bounds from its most common values and its
// histogram, which are arrays in text format. The histogram leaves out the
// common values. Without a histogram the common values are all there are only if
// their number is that of the distinct values (PostgreSQL documentation,
// "pg_stats").
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
