package catalog

import (
	"cmp"
	"math"
	"slices"
)

// builder makes a Snapshot of what the queries returned.
type builder struct {
	*raw
	snap    *Snapshot
	visible map[uint32]*Relation // by OID; partitions map to the relation that they are shown as part of
	seal    *seal
	avoided []string // identities of joins that an admin does not want

	parents map[uint32][]uint32     // OIDs of the parents of partitions and children
	byOID   map[uint32]*rawRelation // all relations
	checked map[uint32]bool         // relations with a CHECK constraint

	analyse func(sql string) error // has the server analyse a statement; nil for what loads a snapshot

	hiddenRelations map[*Relation]bool // by an admin
	hiddenColumns   map[*Column]bool
}

// build makes a snapshot without implied keys and values.
func build(r *raw, cfg *Config, file *semantics, database, role string, analyse func(sql string) error) *Snapshot {
	b := &builder{
		analyse:         analyse,
		raw:             r,
		snap:            &Snapshot{Database: database, Role: role, ServerVersion: r.serverVersion},
		visible:         map[uint32]*Relation{},
		seal:            r.metadata.seal(cfg, file, database),
		hiddenRelations: map[*Relation]bool{}, hiddenColumns: map[*Column]bool{},
	}
	b.addRelations()
	b.addColumns()
	b.addKeys()
	b.addForeignKeys()
	b.snap.Problems = b.apply(file)
	b.finish()
	return b.snap
}

// addRelations puts in what is readable and is not shown as part of a parent,
// and names what the role may not read.
func (b *builder) addRelations() {
	b.findParents()
	roots := map[uint32]uint32{}  // of relations that are shown as part of another
	extra := map[uint32]float64{} // rows of these, by their root
	addRows := func(root, rel *rawRelation) {
		if rel.kind != PartitionedTable { // whose rows are its partitions'
			extra[root.oid] += math.Max(0, estimate(rel, b.serverVersion))
		}
	}
	for i := range b.relations {
		rel := &b.relations[i]
		if !rel.readable {
			switch parent := b.readableParent(rel); {
			case parent != nil: // its rows can be read through the parent
				addRows(b.root(parent), rel)
			case !rel.trusted:
				b.leaveOut(rel)
			case !rel.partition:
				b.snap.Denied = append(b.snap.Denied, Name{Schema: rel.schema, Name: rel.name})
			}
			continue
		}
		if r := b.root(rel); r != rel {
			roots[rel.oid] = r.oid
			addRows(r, rel)
			continue
		}
		if !rel.trusted {
			b.leaveOut(rel)
			continue
		}
		if !rel.usable(b.recovery) {
			b.snap.Unusable = append(b.snap.Unusable, Name{Schema: rel.schema, Name: rel.name})
			continue
		}
		b.addRelation(rel)
	}
	for oid, root := range roots {
		if r := b.visible[root]; r != nil {
			b.visible[oid] = r
		}
	}
	for oid, rows := range extra {
		if r := b.visible[oid]; r != nil {
			if r.Kind == PartitionedTable {
				r.Rows = rows
			} else {
				r.Rows = math.Max(0, r.Rows) + rows
			}
		}
	}
}

// leaveOut notes the name of a relation whose owner is not trusted.
func (b *builder) leaveOut(rel *rawRelation) {
	b.snap.Untrusted = append(b.snap.Untrusted, Name{Schema: rel.schema, Name: rel.name})
}

// addRelation puts in a relation.
func (b *builder) addRelation(rel *rawRelation) {
	r := &Relation{
		Name: Name{Schema: rel.schema, Name: rel.name}, OID: rel.oid, Kind: rel.kind,
		Comment: b.comments[object{rel.oid, 0}], Rows: estimate(rel, b.serverVersion),
		RowSecure: rel.rowSecure, Owner: rel.owner, Definition: b.views[rel.oid].definition,
	}
	if rel.kind == View {
		r.Rows = -1
	}
	b.snap.Relations = append(b.snap.Relations, r)
	b.visible[rel.oid] = r
}

// findParents collects what shows which relations as part of which.
func (b *builder) findParents() {
	b.parents, b.byOID, b.checked = map[uint32][]uint32{}, make(map[uint32]*rawRelation, len(b.relations)), map[uint32]bool{}
	for _, in := range b.inherits {
		b.parents[in.child] = append(b.parents[in.child], in.parent)
	}
	for i := range b.relations {
		b.byOID[b.relations[i].oid] = &b.relations[i]
	}
	for i := range b.constraints {
		if c := &b.constraints[i]; c.kind == 'c' {
			b.checked[c.relation] = true
		}
	}
}

// maxDepth bounds the way up a chain of parents. A chain has no loop, but it
// was not read at one instant.
const maxDepth = 100

// root returns the relation that a readable relation is shown as part of:
// itself, or the last of its parents.
func (b *builder) root(rel *rawRelation) *rawRelation {
	for range maxDepth {
		parent := b.shownIn(rel)
		if parent == nil {
			break
		}
		rel = parent
	}
	return rel
}

// shownIn returns the readable parent that a relation is shown as part of, or
// nil. To a user a partition is rows of its parent. So is a child of the older
// kind of partitioning, which adds a CHECK and no column.
func (b *builder) shownIn(rel *rawRelation) *rawRelation {
	if b.parents[rel.oid] == nil {
		return nil
	}
	addsColumn := slices.ContainsFunc(b.raw.columns[rel.oid], func(c rawColumn) bool { return c.local })
	if !rel.partition && (addsColumn || !b.checked[rel.oid]) {
		return nil
	}
	for _, p := range b.parents[rel.oid] {
		if parent := b.byOID[p]; parent != nil && parent.readable {
			return parent
		}
	}
	return nil
}

// readableParent returns the first readable table that an unreadable relation
// is a partition of, or nil.
func (b *builder) readableParent(rel *rawRelation) *rawRelation {
	for range maxDepth {
		if !rel.partition || b.parents[rel.oid] == nil {
			return nil
		}
		if rel = b.byOID[b.parents[rel.oid][0]]; rel == nil || rel.readable {
			return rel
		}
	}
	return nil
}

// estimate returns the planner's row estimate, -1 if there is none. Before
// PostgreSQL 14 a relation that was never analyzed had 0 rows on 0 pages.
func estimate(rel *rawRelation, serverVersion int) float64 {
	if rel.rows < 0 || serverVersion < 140000 && rel.rows == 0 && rel.pages == 0 {
		return -1
	}
	return rel.rows
}

func (b *builder) addColumns() {
	for _, rel := range b.snap.Relations {
		cols := b.raw.columns[rel.OID]
		list := make([]Column, len(cols)) // one allocation for all
		rel.Columns = make([]*Column, len(cols))
		for i := range cols {
			rel.Columns[i] = &list[i]
			b.setColumn(&list[i], rel, &cols[i])
		}
		for _, c := range b.metadata.columns[rel.OID] {
			if !slices.ContainsFunc(cols, func(o rawColumn) bool { return o.num == c.num }) {
				rel.Denied = append(rel.Denied, c.name)
			}
		}
	}
}

func (b *builder) setColumn(col *Column, rel *Relation, c *rawColumn) {
	*col = Column{
		Relation: rel, Name: c.name, Num: c.num,
		Type: b.typeNames[c.typ], TypeOID: c.typ.oid, Class: b.class(c.typ.oid),
		NotNull: c.notNull, Private: b.seal.private[c.object], Comment: b.comments[c.object],
		Generated: c.generated, Identity: c.identity,
	}
	for t, oid := b.types[c.typ.oid], c.typ.oid; t != nil; t, oid = b.types[t.base], t.base {
		col.NotNull = col.NotNull || t.notNull
		if t.kind == 'e' {
			col.Enum = b.enums[oid]
		}
		for _, def := range b.domainChecks[oid] {
			col.Allowed = append(col.Allowed, allowed(def, "VALUE")...)
		}
		if t.base == 0 {
			break
		}
	}
	if t := b.types[c.typ.oid]; t != nil && c.collation != 0 && c.collation != t.collation {
		known := b.metadata.collations[c.collation]
		col.Collation = &known.Collation
	}
}

// class follows domains to their base type.
func (b *builder) class(oid uint32) Class {
	for range 100 {
		t := b.types[oid]
		if t == nil {
			return Other
		}
		if t.kind != 'd' {
			return classOf(t)
		}
		oid = t.base
	}
	return Other
}

func (b *builder) finish() {
	s := b.snap
	slices.SortFunc(s.Relations, func(a, b *Relation) int { return a.Name.Compare(b.Name) })
	slices.SortFunc(s.Denied, Name.Compare)
	slices.SortStableFunc(s.ForeignKeys, func(a, b *ForeignKey) int {
		return cmp.Or(a.From.Name.Compare(b.From.Name), cmp.Compare(a.Name, b.Name))
	})
	b.markPlain()
	for _, r := range b.snap.Relations {
		r.PerRole, r.Closed, r.HasPrivate = b.seal.perRole[r.OID], b.seal.closed[r.OID], b.seal.anyPrivate(b.metadata.columns[r.OID])
	}
	s.extensions = b.extensions
	s.Functions, s.Collations = b.raw.functions, b.raw.collations
	s.avoided = b.avoided
	s.Version = s.fingerprint()
}

// markPlain marks the relations that run nobody's code when they are read:
// tables without children whose types are all built in.
func (b *builder) markPlain() {
	parents := map[uint32]bool{}
	for _, in := range b.inherits {
		parents[in.parent] = true
	}
	for _, r := range b.snap.Relations {
		r.Plain = (r.Kind == Table || r.Kind == MaterializedView) && !parents[r.OID]
		for _, c := range r.Columns {
			r.Plain = r.Plain && c.TypeOID < firstUserOID
		}
	}
}
