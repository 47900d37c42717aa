package joins

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/catalog/guarded"
	"askpg/catalog/schema"
)

// Limits of looking at values.
const (
	impliedSample  = 500    // values of a column looked up in its target
	impliedMissing = 0.05   // share of them that may be missing there
	impliedRows    = 500000 // a target of more rows without an index on the key is not scanned
)

// Verdict is what the values of two lists of columns say of a key between them.
type Verdict struct {
	values, missing int     // different ones of a sample, and those of them that the target does not hold
	unique          bool    // the target's values are all different
	bits            float64 // how much less likely that is by chance, as a power of two
}

// Verdicts are known by the identity of their keys, across snapshots.
type Verdicts map[string]Verdict

// holds reports whether the values follow the key.
func (v Verdict) holds() bool {
	return v.values > 0 && v.unique && float64(v.missing) <= impliedMissing*float64(v.values)
}

// telling reports whether they do so hardly by chance: less than once in a
// million pairs of columns.
func (v Verdict) telling() bool { return v.holds() && v.bits >= tellingBits }

func (v Verdict) String() string {
	if v.missing == 0 {
		return fmt.Sprintf("all %d values of a sample are found there", v.values)
	}
	return fmt.Sprintf("%d of %d values of a sample are found there", v.values-v.missing, v.values)
}

// What a value that is found says, in bits.
const (
	tellingBits = 20
	valueBits   = 6  // at most: the values of a column resemble each other
	domainBits  = 10 // that both columns have the same domain
)

// readable reports whether values of both relations may be read.
func (g *guess) readable() bool {
	for _, c := range []*schema.Column{g.from[0], g.to[0]} {
		if r := c.Relation; !r.Shared() || r.Kind == schema.ForeignTable {
			return false
		}
	}
	return true
}

// look looks up a sample of the columns' values in their target.
func (g *guess) look(ctx context.Context, tx pgx.Tx, limit time.Duration) (v Verdict, err error) {
	single := len(g.to) == 1
	if single && !g.to[0].Unique && g.to[0].Relation.Rows > impliedRows {
		return v, nil
	}
	var values, filled, equal []string
	for i := range g.from {
		c, k := schema.Quote(g.from[i].Name), schema.Quote(g.to[i].Name)
		values = append(values, fmt.Sprintf("%s as v%d", c, i))
		filled = append(filled, c+" is not null")
		equal = append(equal, fmt.Sprintf("t.%s = sample.v%d", k, i))
	}
	from, to := g.from[0].Relation.QuotedName(), g.to[0].Relation.QuotedName()
	unique, least, greatest := "true", "''", "''"
	if k := schema.Quote(g.to[0].Name); single {
		if !g.to[0].Unique {
			unique = fmt.Sprintf("(select count(*) = count(distinct %s) from %s)", k, to)
		}
		if class := g.to[0].Class; class == schema.Number || class == schema.Text {
			least = fmt.Sprintf("coalesce((select left(min(%s)::text, %d) from %s), '')", k, longestKey, to)
			greatest = fmt.Sprintf("coalesce((select left(max(%s)::text, %d) from %s), '')", k, longestKey, to)
		}
	}
	sql := fmt.Sprintf(`with sample as materialized (select distinct * from (select %s from %s where %s limit %d) s limit %d)
select (select count(*) from sample), (select count(*) from sample where not exists (select from %s t where %s)), %s, %s, %s`,
		strings.Join(values, ", "), from, strings.Join(filled, " and "), 20*impliedSample, impliedSample, to, strings.Join(equal, " and "), unique, least, greatest)
	var lo, hi string
	into := []any{&v.values, &v.missing, &v.unique, &lo, &hi}
	if err := guarded.Each(ctx, tx, limit, []*schema.Relation{g.from[0].Relation, g.to[0].Relation}, sql, into, func() {}); err != nil {
		return Verdict{}, err
	}
	v.bits = g.bits(float64(v.values-v.missing), lo, hi)
	return v, nil
}

// bits returns how telling it is that values are found in a target that has
// values from lo to hi.
//
// A value found says as much as there are values in the target's range that the
// target does not have. Of numbers without gaps it says nothing, and all of
// them together say just that they are in the range. Numbers may stand behind
// letters: T1, T2.
func (g *guess) bits(found float64, lo, hi string) (bits float64) {
	rows := max(1, distinct(g.to[0]))
	prefix, from, to, numbers := numberRange(lo, hi)
	switch {
	case found == 0:
		return 0
	case len(g.to) > 1:
		pairs := 1.0
		for _, c := range g.to {
			pairs *= max(1, distinct(c))
		}
		bits = found * log2(pairs/max(1, g.to[0].Relation.Rows))
	case numbers:
		width := to - from + 1
		bits = found*log2(width/rows) + math.Log2(max(1, (max(math.Abs(from), math.Abs(to))+1)/width)) + float64(prefix)*math.Log2(letters)
	case g.to[0].Class == schema.Text:
		length := 4.0
		if p := g.to[0].Profile; p != nil {
			length = max(1, float64(p.Width)-1) // less its own length's byte
		}
		bits = found * log2(math.Pow(letters, min(length, 4))/rows)
	default:
		bits = found * valueBits
	}
	if sameDomain(g.from[0], g.to[0]) {
		bits += domainBits
	}
	return bits
}

// letters is how many there are in keys, digits among them.
const letters = 36

// numberRange reads the bounds of values that are numbers, behind a prefix of
// some bytes that they share.
func numberRange(lo, hi string) (prefix int, from, to float64, ok bool) {
	for prefix < min(len(lo), len(hi)) && lo[prefix] == hi[prefix] && (lo[prefix] < '0' || lo[prefix] > '9') && lo[prefix] != '-' {
		prefix++
	}
	from, errFrom := strconv.ParseFloat(lo[prefix:], 64)
	to, errTo := strconv.ParseFloat(hi[prefix:], 64)
	return prefix, from, to, errFrom == nil && errTo == nil && from <= to
}

func log2(ratio float64) float64 { return min(valueBits, max(0, math.Log2(ratio))) }

// distinct returns about how many different values a column has.
func distinct(c *schema.Column) float64 {
	switch p := c.Profile; {
	case c.Unique && c.Relation.Rows > 0:
		return c.Relation.Rows
	case p != nil:
		return p.Distinct
	}
	return max(0, c.Relation.Rows)
}
