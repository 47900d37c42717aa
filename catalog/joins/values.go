package joins

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"askpg/catalog/guarded"
	"askpg/catalog/schema"
	"askpg/catalog/words"
)

// Limits of looking for keys by their values alone.
const (
	mostRelations = 400 // of a schema that is searched: the work grows with their square
	mostProbed    = 40  // keys that a column's values are looked up in
	probeValues   = 20
	probeRows     = 10000 // of a relation without an index on its key
	leastValues   = 4     // different ones of a column
	longestKey    = 40    // bytes of a value on average
)

// composites adds the keys of several columns: those of which a relation has
// columns of the same names, and of whose pairs of values not any would do.
func (s *search) composites(ctx context.Context) error {
	if len(s.Relations) > mostRelations {
		return nil
	}
	for _, to := range s.Relations {
		for _, key := range append([][]*schema.Column{to.PrimaryKey}, to.Unique...) {
			if len(key) < 2 || slices.ContainsFunc(key, func(k *schema.Column) bool { return !refersable(k) && k.Class != schema.Date }) {
				continue
			}
			for _, r := range s.Relations {
				cols := sameColumns(r, key)
				if r == to || cols == nil || s.g.searched[r] || s.joinedBy(cols, key) || s.g.refersBack[[2]*schema.Column{cols[0], key[0]}] {
					continue
				}
				if err := s.tryKey(ctx, &guess{cols, key, sameName}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// tryKey adds a key if its values speak for it.
func (s *search) tryKey(ctx context.Context, g *guess) error {
	v, known, err := s.verdict(ctx, g)
	if err == nil && known && v.telling() {
		s.add(g, v)
	}
	return err
}

// sameColumns returns a relation's columns of the names and types of a key's,
// nil if one is missing or if it is its own key as much.
func sameColumns(r *schema.Relation, key []*schema.Column) []*schema.Column {
	cols := make([]*schema.Column, len(key))
	for i, k := range key {
		j := slices.IndexFunc(r.Columns, func(c *schema.Column) bool { return strings.EqualFold(c.Name, k.Name) })
		if j < 0 || r.Columns[j].Private || !comparableTypes(r.Columns[j], k) {
			return nil
		}
		cols[i] = r.Columns[j]
	}
	if !slices.ContainsFunc(key, func(k *schema.Column) bool { return !words.Generic(words.Split(k.Name)) }) || isKey(cols) && !(r.Rows < key[0].Relation.Rows) {
		return nil
	}
	return cols
}

// joinedBy reports whether there is a key over these columns.
func (s *search) joinedBy(from, to []*schema.Column) bool {
	return slices.ContainsFunc(s.Keys, func(k *schema.ForeignKey) bool {
		return slices.Equal(k.FromCols, from) && slices.Equal(k.ToCols, to)
	})
}

// byValues adds keys that no name speaks for, if their values do: those that
// are found in one key only, and hardly by chance. Of others that are found in
// one key only it makes guesses.
func (s *search) byValues(ctx context.Context) error {
	if len(s.Relations) > mostRelations {
		return nil
	}
	for _, r := range s.Relations {
		if s.g.searched[r] || !r.Shared() || r.Kind == schema.ForeignTable {
			continue
		}
		for _, c := range r.Columns {
			if !s.g.refers(c) || !maybeReference(c) {
				continue
			}
			if err := s.byValue(ctx, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// maybeReference reports whether values alone may show that a column refers to
// another: numbers have to be called a key at least.
func maybeReference(c *schema.Column) bool {
	p := c.Profile
	if p == nil || p.Distinct < leastValues || p.Width > longestKey {
		return false
	}
	name := nameOf(c)
	return c.Class == schema.UUID || c.Class == schema.Text && !name.isName() || c.Class == schema.Number && name.suffix != "" && len(name.noun) > 0
}

func (s *search) byValue(ctx context.Context, c *schema.Column) error {
	targets, err := s.probe(ctx, c)
	if err != nil {
		return err
	}
	var found []guess
	var verdicts []Verdict
	for _, k := range targets {
		g := guess{[]*schema.Column{c}, []*schema.Column{k}, noNames}
		v, known, err := s.verdict(ctx, &g)
		if err != nil {
			return err
		}
		if known && v.holds() && v.values >= leastValues {
			found, verdicts = append(found, g), append(verdicts, v)
		}
	}
	// Of keys that refer to each other the last one counts.
	for i := len(found) - 1; i >= 0 && len(found) > 1; i-- {
		if s.g.joined[found[i].to[0]] {
			found, verdicts = slices.Delete(found, i, i+1), slices.Delete(verdicts, i, i+1)
		}
	}
	suffix := nameOf(c).suffix
	switch {
	case len(found) != 1:
	case verdicts[0].telling():
		s.add(&found[0], verdicts[0])
	case suffix != "" && suffix == nameOf(found[0].to[0]).suffix:
		s.guess(&found[0], verdicts[0])
	}
	return nil
}

// probe returns the keys that hold a few of the column's values: one statement
// for all keys that may and of which no verdict is known.
func (s *search) probe(ctx context.Context, c *schema.Column) (held []*schema.Column, err error) {
	held, keys := s.toProbe(c)
	left := time.Until(s.until)
	if len(keys) == 0 || left < time.Millisecond {
		return held, nil
	}
	found := make([]bool, len(keys))
	relations := []*schema.Relation{c.Relation}
	var tests []string
	into := make([]any, len(keys))
	for i, k := range keys {
		tests = append(tests, fmt.Sprintf("not exists (select from sample where not exists (select from %s t where t.%s = sample.v))", k.Relation.QuotedName(), schema.Quote(k.Name)))
		into[i] = &found[i]
		relations = append(relations, k.Relation)
	}
	name := schema.Quote(c.Name)
	sql := fmt.Sprintf("with sample as materialized (select distinct v from (select %s as v from %s where %s is not null limit %d) s limit %d) select %s",
		name, c.Relation.QuotedName(), name, 20*probeValues, probeValues, strings.Join(tests, ", "))
	if err := guarded.Each(ctx, s.tx, left, relations, sql, into, func() {}); err != nil {
		if ctx.Err() != nil || s.tx.Conn().IsClosed() {
			return nil, err
		}
		return held, nil
	}
	for i, k := range keys {
		if found[i] {
			held = append(held, k)
		} else {
			s.verdicts[probed(c, k)] = Verdict{values: 1, missing: 1}
		}
	}
	return held, nil
}

// toProbe returns the keys that are known to hold the column's values, and those that may and of which no verdict is known.
func (s *search) toProbe(c *schema.Column) (held, keys []*schema.Column) {
	for _, r := range s.Relations {
		if r == c.Relation || r.Schema != c.Relation.Schema || !r.Shared() || r.Kind == schema.ForeignTable {
			continue
		}
		for _, k := range s.g.keys[r] {
			if !k.Unique && (s.g.ownName(k) == otherName || r.Rows > probeRows) || !s.g.comparable(c, k) || !within(c, k) {
				continue
			}
			v, known := s.verdicts[probed(c, k)]
			switch {
			case v.holds():
				held = append(held, k)
			case !known && !(s.unchanged[c.Relation] && s.unchanged[r]) && len(keys) < mostProbed:
				keys = append(keys, k)
			}
		}
	}
	return held, keys
}

// probed is the identity of the key from c to k, by which its verdict is known.
func probed(c, k *schema.Column) string {
	g := guess{[]*schema.Column{c}, []*schema.Column{k}, noNames}
	return g.key().Identity()
}

// within reports whether statistics let the values of c be among those of k.
func within(c, k *schema.Column) bool {
	if n := distinct(k); n > 0 && c.Profile.Distinct > 1.1*n {
		return false
	}
	if c.Class != schema.Number || k.Profile == nil || c.Profile.Min == "" || k.Profile.Min == "" {
		return true
	}
	a, errA := strconv.ParseFloat(c.Profile.Min, 64)
	b, errB := strconv.ParseFloat(k.Profile.Min, 64)
	x, errX := strconv.ParseFloat(c.Profile.Max, 64)
	y, errY := strconv.ParseFloat(k.Profile.Max, 64)
	return errA != nil || errB != nil || errX != nil || errY != nil || a >= b && x <= y
}
