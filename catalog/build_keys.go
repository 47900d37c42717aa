package catalog

import (
	"slices"
)

func (b *builder) addKeys() {
	for _, u := range b.uniques {
		cols := b.cols(u.relation, u.cols)
		if cols == nil {
			continue
		}
		if len(cols) == 1 {
			cols[0].Unique = true
		}
		if rel := b.visible[u.relation]; u.primary {
			rel.PrimaryKey = cols
		} else {
			rel.Unique = append(rel.Unique, cols)
		}
	}
	for i := range b.constraints {
		c := &b.constraints[i]
		if c.kind != 'c' {
			continue
		}
		cols := b.cols(c.relation, c.cols)
		if cols == nil {
			continue // it names a column that the role may not read
		}
		rel := b.visible[c.relation]
		rel.Checks = append(rel.Checks, c.definition)
		if len(cols) == 1 {
			cols[0].Allowed = append(cols[0].Allowed, allowed(c.definition, cols[0].Name)...)
		}
	}
}

// cols returns the columns of a relation, nil if one is not readable or if the
// relation is shown as part of another.
func (b *builder) cols(relation uint32, nums []int16) []*Column {
	rel := b.visible[relation]
	if rel == nil || rel.OID != relation {
		return nil
	}
	cols := make([]*Column, len(nums))
	for i, n := range nums {
		if cols[i] = rel.ColumnNumber(n); cols[i] == nil {
			return nil
		}
	}
	return cols
}

// visibleCols returns the columns of the relation that a relation is shown as
// part of: a partition may number them differently than its parent.
func (b *builder) visibleCols(relation uint32, nums []int16) []*Column {
	rel := b.visible[relation]
	if rel == nil {
		return nil
	}
	if rel.OID == relation {
		return b.cols(relation, nums)
	}
	cols := make([]*Column, len(nums))
	for i, n := range nums {
		of := b.raw.columns[relation]
		j := slices.IndexFunc(of, func(c rawColumn) bool { return c.num == n })
		if j < 0 {
			return nil
		}
		if cols[i] = rel.Column(of[j].name); cols[i] == nil {
			return nil
		}
	}
	return cols
}

// addForeignKeys adds the keys between visible relations, each once: those of
// partitions as their parent's.
func (b *builder) addForeignKeys() {
	seen := map[string]bool{}
	for i := range b.constraints {
		c := &b.constraints[i]
		if c.kind != 'f' {
			continue
		}
		from, to := b.visibleCols(c.relation, c.cols), b.visibleCols(c.foreign, c.foreignCols)
		if len(from) == 0 || len(from) != len(to) {
			continue
		}
		k := &ForeignKey{Name: c.name, From: from[0].Relation, To: to[0].Relation, FromCols: from, ToCols: to}
		id := k.Identity()
		if !seen[id] {
			seen[id] = true
			b.snap.ForeignKeys = append(b.snap.ForeignKeys, k)
		}
	}
}
