package catalog

import (
	"maps"
	"slices"
	"strings"
)

// reuse is what a snapshot can take over from an earlier one of the same role
// without making it again: relations of which the system catalogs say what they
// said before. Nil has none.
type reuse struct {
	snap    *Snapshot
	changed map[uint32]bool // relations that the system catalogs say something else of
	inFile  map[string]bool // names, with a schema or without, that the semantics file speaks of
}

// newReuse compares the metadata that a snapshot was made of to later metadata.
// It returns nil if there is nothing to take over.
//
// The two have the same semantics file, and the earlier one's profiles stand.
func newReuse(old, k *cached) *reuse {
	if old.role != k.role || !old.rights.equal(k.rights) ||
		old.meta.serverVersion != k.meta.serverVersion || old.meta.recovery != k.meta.recovery || typesDiffer(old.meta, k.meta) {
		return nil
	}
	return &reuse{snap: old.snap, changed: changedRelations(old.meta, k.meta), inFile: k.file.semantics.named()}
}

// relation returns the earlier snapshot's relation in place of rel, or nil.
func (u *reuse) relation(rel *rawRelation) *Relation {
	if u == nil || u.changed[rel.oid] {
		return nil
	}
	if u.inFile[rel.name] || u.inFile[rel.schema+"."+rel.name] {
		return nil
	}
	r := u.snap.Lookup(rel.schema, rel.name)
	if r == nil || r.OID != rel.oid || r.Trimmed || len(r.Condition.Refs) > 0 {
		return nil
	}
	return r
}

// typesDiffer reports whether a column's type may be another without a change
// of its relation.
func typesDiffer(a, b *metadata) bool {
	for t, name := range a.typeNames {
		if now, ok := b.typeNames[t]; ok && now != name {
			return true
		}
	}
	for oid, t := range a.types {
		if now, ok := b.types[oid]; ok && *now != *t {
			return true
		}
	}
	for _, m := range [][2]map[uint32][]string{{a.enums, b.enums}, {a.domainChecks, b.domainChecks}} {
		for oid := range a.types {
			if _, used := b.types[oid]; used && !slices.Equal(m[0][oid], m[1][oid]) {
				return true
			}
		}
	}
	for oid, c := range a.collations {
		if now, ok := b.collations[oid]; ok && now != c {
			return true
		}
	}
	return false
}

// changedRelations returns the relations of which two metadata do not say the
// same, row estimates aside, and those that they are partitions or children of.
func changedRelations(a, b *metadata) map[uint32]bool {
	changed := map[uint32]bool{}
	before := make(map[uint32]*rawRelation, len(a.relations))
	for i := range a.relations {
		before[a.relations[i].oid] = &a.relations[i]
	}
	for i := range b.relations {
		now := &b.relations[i]
		if old := before[now.oid]; old == nil || !sameRelation(a, b, old, now) {
			changed[now.oid] = true
		}
		delete(before, now.oid)
	}
	for oid := range before { // dropped
		changed[oid] = true
	}
	markComments(a.comments, b.comments, changed)
	markDifferent(a.constraints, b.constraints, changed, func(c *rawConstraint) uint32 { return c.relation }, (*rawConstraint).same)
	markDifferent(a.uniques, b.uniques, changed, func(u *rawUnique) uint32 { return u.relation }, (*rawUnique).same)
	markDifferent(a.inherits, b.inherits, changed, func(i *rawInherits) uint32 { return i.child }, func(i, j *rawInherits) bool { return *i == *j })
	for range maxDepth { // up the tree of parents
		if !markParents(a, changed) && !markParents(b, changed) {
			break
		}
	}
	return changed
}

// sameRelation reports whether two metadata say the same of a relation, its
// columns, its query if it is a view, and its schema.
func sameRelation(a, b *metadata, old, now *rawRelation) bool {
	if !old.same(now) || !sameColumns(a.columns[now.oid], b.columns[now.oid]) {
		return false
	}
	if (now.kind == View || now.kind == MaterializedView) && !a.views[now.oid].same(b.views[now.oid]) {
		return false
	}
	s, t := a.schemas[old.schemaOID], b.schemas[now.schemaOID]
	return s.name == t.name && slices.Equal(s.readers, t.readers)
}

// markComments marks the relations whose comments are not the same.
func markComments(a, b map[object]string, changed map[uint32]bool) {
	for o, text := range a {
		if now, ok := b[o]; !ok || now != text {
			changed[o.oid] = true
		}
	}
	for o := range b {
		if _, ok := a[o]; !ok {
			changed[o.oid] = true
		}
	}
}

// markParents marks the parents of what is marked, and reports whether it has
// marked any.
func markParents(meta *metadata, changed map[uint32]bool) (marked bool) {
	for _, in := range meta.inherits {
		if changed[in.child] && !changed[in.parent] {
			changed[in.parent], marked = true, true
		}
	}
	return marked
}

// markDifferent marks the relations of which two lists, ordered by relation, do
// not have the same entries.
func markDifferent[T any](a, b []T, changed map[uint32]bool, relation func(*T) uint32, same func(*T, *T) bool) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && relation(&a[0]) < relation(&b[0]):
			changed[relation(&a[0])] = true
			a = a[1:]
		case len(a) == 0 || relation(&b[0]) < relation(&a[0]):
			changed[relation(&b[0])] = true
			b = b[1:]
		default:
			if !same(&a[0], &b[0]) {
				changed[relation(&a[0])] = true
			}
			a, b = a[1:], b[1:]
		}
	}
}

func (rel *rawRelation) same(o *rawRelation) bool {
	return rel.schemaOID == o.schemaOID && rel.owner == o.owner && rel.name == o.name && rel.kind == o.kind && rel.partition == o.partition &&
		rel.populated == o.populated && rel.unlogged == o.unlogged && rel.secured == o.secured && slices.Equal(rel.readers, o.readers)
}

func (c *rawConstraint) same(o *rawConstraint) bool {
	return c.oid == o.oid && c.name == o.name && c.definition == o.definition && c.foreign == o.foreign &&
		slices.Equal(c.cols, o.cols) && slices.Equal(c.foreignCols, o.foreignCols)
}

func (u *rawUnique) same(o *rawUnique) bool {
	return u.relation == o.relation && u.primary == o.primary && slices.Equal(u.cols, o.cols)
}

func (v rawView) same(o rawView) bool {
	return v.definition == o.definition && v.pure == o.pure && v.asks == o.asks && maps.EqualFunc(v.reads, o.reads, slices.Equal[[]int16])
}

// sameColumns reports whether two lists of columns are the same. It does not
// look at a list that later metadata has taken over.
func sameColumns(a, b []rawColumn) bool {
	if len(a) != len(b) {
		return false
	}
	if len(a) == 0 || &a[0] == &b[0] {
		return true
	}
	return slices.EqualFunc(a, b, func(c, d rawColumn) bool {
		return slices.Equal(c.readers, d.readers) && c.object == d.object && c.name == d.name && c.typ == d.typ && c.notNull == d.notNull && c.local == d.local &&
			c.generated == d.generated && c.identity == d.identity && c.collation == d.collation
	})
}

// named returns the names of the tables that the file speaks of, as it has them.
func (f *semantics) named() map[string]bool {
	m := map[string]bool{}
	if f == nil {
		return m
	}
	for _, t := range f.Tables {
		m[t.Name] = true
	}
	for _, c := range f.Columns {
		first, _, _ := strings.Cut(c.Name, ",")
		if i := strings.LastIndexByte(first, '.'); i >= 0 {
			m[strings.TrimSpace(first[:i])] = true
		}
	}
	return m
}
