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
	touched map[uint32]bool
	file    map[string]bool // names, with a schema or without, that the semantics file speaks of
}

// newReuse compares the image that a snapshot was made of to a later one. It
// returns nil if there is nothing to take over.
//
// The two have the same semantics file, and the earlier one's profiles stand.
func newReuse(old, k *cached) *reuse {
	if old.role != k.role || !old.may.equal(k.may) ||
		old.img.serverVersion != k.img.serverVersion || old.img.recovery != k.img.recovery || typesDiffer(old.img, k.img) {
		return nil
	}
	return &reuse{snap: old.snap, touched: touched(old.img, k.img), file: k.file.semantics.named()}
}

// relation returns the earlier snapshot's relation in place of rel, or nil.
func (u *reuse) relation(rel *rawRelation) *Relation {
	if u == nil || u.touched[rel.oid] {
		return nil
	}
	if u.file[rel.name] || u.file[rel.schema+"."+rel.name] {
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
func typesDiffer(a, b *image) bool {
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

// touched returns the relations of which two images do not say the same, row
// estimates aside, and those that they are partitions or children of.
func touched(a, b *image) map[uint32]bool {
	t := map[uint32]bool{}
	was := make(map[uint32]*rawRelation, len(a.relations))
	for i := range a.relations {
		was[a.relations[i].oid] = &a.relations[i]
	}
	for i := range b.relations {
		now := &b.relations[i]
		old := was[now.oid]
		delete(was, now.oid)
		if old == nil || !old.same(now) || !sameColumns(a.columns[now.oid], b.columns[now.oid]) ||
			(now.kind == View || now.kind == MaterializedView) && !a.views[now.oid].same(b.views[now.oid]) ||
			a.schemas[old.schemaOID].name != b.schemas[now.schemaOID].name || !slices.Equal(a.schemas[old.schemaOID].readers, b.schemas[now.schemaOID].readers) {
			t[now.oid] = true
		}
	}
	for oid := range was { // gone
		t[oid] = true
	}
	for o, text := range a.comments {
		if now, ok := b.comments[o]; !ok || now != text {
			t[o.oid] = true
		}
	}
	for o := range b.comments {
		if _, ok := a.comments[o]; !ok {
			t[o.oid] = true
		}
	}
	differ(a.constraints, b.constraints, t, func(c *rawConstraint) uint32 { return c.relation }, (*rawConstraint).same)
	differ(a.uniques, b.uniques, t, func(u *rawUnique) uint32 { return u.relation }, (*rawUnique).same)
	differ(a.inherits, b.inherits, t, func(i *rawInherits) uint32 { return i.child }, func(i, j *rawInherits) bool { return *i == *j })
	for range 100 { // up the tree; it was not read at one instant and could have a loop
		more := false
		for _, img := range []*image{a, b} {
			for _, in := range img.inherits {
				if t[in.child] && !t[in.parent] {
					t[in.parent], more = true, true
				}
			}
		}
		if !more {
			break
		}
	}
	return t
}

// differ marks the relations that lists ordered by relation do not have the
// same entries of.
func differ[T any](a, b []T, t map[uint32]bool, relation func(*T) uint32, same func(*T, *T) bool) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && relation(&a[0]) < relation(&b[0]):
			t[relation(&a[0])] = true
			a = a[1:]
		case len(a) == 0 || relation(&b[0]) < relation(&a[0]):
			t[relation(&b[0])] = true
			b = b[1:]
		default:
			if !same(&a[0], &b[0]) {
				t[relation(&a[0])] = true
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

// sameColumns needs no look at what a later image has taken over.
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

// named returns the names of the tables that the file says something of, as it
// has them.
func (s *Semantics) named() map[string]bool {
	m := map[string]bool{}
	if s == nil {
		return m
	}
	for _, t := range s.Tables {
		m[t.Name] = true
	}
	for _, c := range s.Columns {
		first, _, _ := strings.Cut(c.Name, ",")
		if i := strings.LastIndexByte(first, '.'); i >= 0 {
			m[strings.TrimSpace(first[:i])] = true
		}
	}
	return m
}
