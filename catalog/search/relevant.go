package search

import (
	"slices"

	"askpg/catalog/schema"
)

const (
	neighboured = 6    // best relations that bring in what they refer to and what refers to them
	likelyNear  = 4    // best relations that are near from a lower score on
	likelyShare = 0.25 // of the best score, from which on these are near
	nearShare   = 0.4  // of the best score, from which on all are near
)

// Bounds of a table that says what codes stand for.
const (
	codeRows    = 100
	codeColumns = 4
	codeUses    = 4 // rows that use a code, on average
)

// Relevant returns the relations that a text is likely about which mentions values, as Values.Find has them, the best first. near are those among
// the n best of FindRelations whose score comes near the best one. So are small tables that say
// what the codes of these stand for, and what those of them join that only link others. beside are
// the others of the n best, and what keys join to the first of them. They are at most 2n in all.
func (x *Index) Relevant(text string, values []Hit, n int) (near, beside []*schema.Relation) {
	best := x.findRelations(text, values, n)
	seen := map[*schema.Relation]bool{}
	add := func(to *[]*schema.Relation, r *schema.Relation) {
		if !seen[r] && len(seen) < 2*n {
			seen[r] = true
			*to = append(*to, r)
		}
	}
	for i, m := range best {
		if share := m.Score / best[0].Score; share >= nearShare || i < likelyNear && share >= likelyShare {
			add(&near, m.Relation)
		}
	}
	for _, r := range near[:min(len(near), neighboured)] {
		for _, k := range x.Graph.Keys(r) {
			if k.From == r && (toCodes(k) || x.linksByKey(r)) {
				add(&near, k.To)
			}
		}
	}
	for _, m := range best {
		add(&beside, m.Relation)
	}
	for _, m := range best[:min(len(best), neighboured)] {
		for _, k := range x.Graph.Keys(m.Relation) {
			add(&beside, k.To)
			add(&beside, k.From)
		}
	}
	return near, beside
}

// toCodes reports whether a key leads to a small table that says what codes
// stand for.
func toCodes(k *schema.ForeignKey) bool {
	rows := k.To.Rows
	return len(k.ToCols) == 1 && len(k.To.Columns) <= codeColumns && rows > 0 && rows <= codeRows && k.From.Rows >= codeUses*rows
}

// linksByKey reports whether the primary key of a relation is made of the keys of others.
func (x *Index) linksByKey(r *schema.Relation) bool {
	return len(r.PrimaryKey) > 1 && !slices.ContainsFunc(r.PrimaryKey, func(c *schema.Column) bool {
		return !slices.ContainsFunc(x.Graph.Keys(r), func(k *schema.ForeignKey) bool { return k.From == r && slices.Contains(k.FromCols, c) })
	})
}
