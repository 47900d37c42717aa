package catalog

import (
	"slices"

	"askpg/catalog/schema"
)

// replaceUnchanged puts the relations of an earlier snapshot, with their
// profiles, in place of those that are equal to them. It returns these
// relations.
func replaceUnchanged(s, old *Snapshot) (unchanged map[*Relation]bool) {
	unchanged = map[*Relation]bool{}
	r := replacement{map[*Relation]*Relation{}, map[*Column]*Column{}}
	for i, now := range s.Relations {
		before := old.Lookup(now.Schema, now.Name.Name)
		if before == nil || before.OID != now.OID || before.Fingerprint != now.Fingerprint || len(now.Condition.Refs) > 0 ||
			!slices.EqualFunc(before.Columns, now.Columns, sameLabels) {
			continue
		}
		unchanged[before] = true
		r.relations[now] = before
		for j, c := range now.Columns {
			r.columns[c] = before.Columns[j]
		}
		s.Relations[i] = before
	}
	for _, k := range s.ForeignKeys {
		r.relation(&k.From)
		r.relation(&k.To)
		r.list(k.FromCols)
		r.list(k.ToCols)
	}
	for _, m := range slices.Concat(s.Measures, s.Terms) {
		r.relation(&m.Relation)
		r.column(&m.Time)
		for i := range m.Relations {
			r.relation(&m.Relations[i])
		}
		r.expression(&m.Aggregate)
		r.expression(&m.Condition)
	}
	for _, q := range s.Queries {
		for i := range q.Relations {
			r.relation(&q.Relations[i])
		}
	}
	for _, rel := range s.Relations {
		if !unchanged[rel] {
			r.expression(&rel.Condition)
		}
	}
	return unchanged
}

// sameLabels reports whether two columns have the same labels: those that views give are in no fingerprint of the table.
func sameLabels(a, b *Column) bool { return slices.Equal(a.Labels, b.Labels) }

// replacement says which relations and columns of a new snapshot an earlier
// one's take the place of.
type replacement struct {
	relations map[*Relation]*Relation
	columns   map[*Column]*Column
}

func (r replacement) relation(rel **Relation) {
	if old := r.relations[*rel]; old != nil {
		*rel = old
	}
}

func (r replacement) column(c **Column) {
	if old := r.columns[*c]; old != nil {
		*c = old
	}
}

func (r replacement) list(columns []*Column) {
	for i := range columns {
		r.column(&columns[i])
	}
}

func (r replacement) expression(e *schema.Expression) {
	for i := range e.Refs {
		r.column(&e.Refs[i].Column)
	}
}
