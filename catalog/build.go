package catalog

import (
	"math"
	"slices"
	"sort"
)

// builder makes a Snapshot of what the queries returned.
type builder struct {
	*raw
	cfg       *Config
	snap      *Snapshot
	visible   map[uint32]*Relation // folded partitions map to the relation that stands for them
	reused    map[*Relation]bool   // taken over from an earlier snapshot as they are
	seal      *seal
	parentsOf map[uint32][]uint32
	avoided   []string // identities of joins that an admin does not want

	hiddenRelations map[*Relation]bool
	hiddenColumns   map[*Column]bool
}

// build makes a snapshot without implied keys and values. What reuse has of an
// earlier one, it takes over.
func build(r *raw, cfg *Config, file *Semantics, database, role string, reuse *reuse) *Snapshot {
	b := &builder{
		raw: r, cfg: cfg,
		snap:            &Snapshot{Database: database, Role: role, ServerVersion: r.serverVersion},
		visible:         map[uint32]*Relation{},
		reused:          map[*Relation]bool{},
		seal:            r.image.seal(cfg, file, database),
		hiddenRelations: map[*Relation]bool{}, hiddenColumns: map[*Column]bool{},
	}
	b.addRelations(reuse)
	b.addColumns()
	b.addKeys()
	b.addForeignKeys()
	b.snap.Problems = b.apply(file)
	b.finish()
	parents := map[uint32]bool{}
	for _, in := range b.inherits {
		parents[in.parent] = true
	}
	markPlain(b.changed(), parents)
	return b.snap
}

// addRelations puts in what is readable and is not folded into a parent, and
// names what the role may not read.
func (b *builder) addRelations(reuse *reuse) {
	b.parentsOf = map[uint32][]uint32{}
	for _, in := range b.inherits {
		b.parentsOf[in.child] = append(b.parentsOf[in.child], in.parent)
	}
	byOID := make(map[uint32]*rawRelation, len(b.relations))
	for i := range b.relations {
		byOID[b.relations[i].oid] = &b.relations[i]
	}
	checked := map[uint32]bool{}
	for i := range b.constraints {
		if c := &b.constraints[i]; c.kind == 'c' {
			checked[c.relation] = true
		}
	}

	// A partition is its parent's rows to a user; so is a child of the older
	// kind of partitioning, which adds a CHECK and no column.
	folds := func(rel *rawRelation) *rawRelation {
		if b.parentsOf[rel.oid] == nil {
			return nil
		}
		own := slices.ContainsFunc(b.raw.columns[rel.oid], func(c rawColumn) bool { return c.local }) // a column that no parent has
		if !rel.partition && (own || !checked[rel.oid]) {
			return nil
		}
		for _, p := range b.parentsOf[rel.oid] {
			if parent := byOID[p]; parent != nil && parent.readable {
				return parent
			}
		}
		return nil
	}

	top := func(rel *rawRelation) *rawRelation {
		for range 100 { // a chain of parents has no loop, but it was not read at one instant
			parent := folds(rel)
			if parent == nil {
				break
			}
			rel = parent
		}
		return rel
	}

	roots := map[uint32]uint32{}
	extra := map[uint32]float64{}
	for i := range b.relations {
		rel := &b.relations[i]
		if !rel.readable {
			parent := rel
			for depth := 0; depth < 100 && parent != nil && !parent.readable && parent.partition && b.parentsOf[parent.oid] != nil; depth++ {
				parent = byOID[b.parentsOf[parent.oid][0]]
			}
			switch {
			case parent != nil && parent.readable: // its rows can be read through the parent
				if rel.kind != PartitionedTable {
					extra[top(parent).oid] += math.Max(0, estimate(rel, b.serverVersion))
				}
			case !rel.partition:
				b.snap.Denied = append(b.snap.Denied, Name{Schema: rel.schema, Name: rel.name})
			}
			continue
		}
		root := top(rel)
		if root != rel {
			roots[rel.oid] = root.oid
			if rel.kind != PartitionedTable {
				extra[root.oid] += math.Max(0, estimate(rel, b.serverVersion))
			}
			continue
		}
		if !rel.usable(b.recovery) {
			b.snap.Unusable = append(b.snap.Unusable, Name{Schema: rel.schema, Name: rel.name})
			continue
		}
		if r := reuse.relation(rel); r != nil && b.seal.fits(r, b.image.columns[rel.oid]) {
			b.snap.Relations = append(b.snap.Relations, r)
			b.visible[rel.oid], b.reused[r] = r, true
			continue
		}
		r := &Relation{
			Name: Name{Schema: rel.schema, Name: rel.name}, OID: rel.oid, Kind: rel.kind,
			Comment: b.comments[object{rel.oid, 0}], Rows: estimate(rel, b.serverVersion),
			RowSecure: rel.rowSecure, Definition: b.views[rel.oid].definition,
		}
		if rel.kind == View {
			r.Rows, r.ViewOwner = -1, rel.owner
		}
		b.snap.Relations = append(b.snap.Relations, r)
		b.visible[rel.oid] = r
	}
	for oid, root := range roots {
		if r := b.visible[root]; r != nil {
			b.visible[oid] = r
		}
	}
	for oid, rows := range extra {
		if r := b.visible[oid]; r != nil && !b.reused[r] {
			if r.Kind == PartitionedTable {
				r.Rows = rows
			} else {
				r.Rows = math.Max(0, r.Rows) + rows
			}
		}
	}
}

// estimate returns the planner's row estimate, -1 if there is none. Before
// PostgreSQL 14 a relation that was never analyzed had 0 rows on 0 pages.
func estimate(rel *rawRelation, serverVersion int) float64 {
	if rel.rows < 0 || serverVersion < 140000 && rel.rows == 0 && rel.pages == 0 {
		return -1
	}
	return rel.rows
}

// changed returns the relations that are not taken over.
func (b *builder) changed() (list []*Relation) {
	for _, r := range b.snap.Relations {
		if !b.reused[r] {
			list = append(list, r)
		}
	}
	return list
}

func (b *builder) addColumns() {
	for _, rel := range b.changed() {
		cols := b.raw.columns[rel.OID]
		list := make([]Column, len(cols)) // one allocation for all
		rel.Columns = make([]*Column, len(cols))
		for i := range cols {
			rel.Columns[i] = &list[i]
			b.setColumn(&list[i], rel, &cols[i])
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
		known := b.image.collations[c.collation]
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
	sort.Slice(s.Relations, func(i, j int) bool { return s.Relations[i].Name.Compare(s.Relations[j].Name) < 0 })
	sort.Slice(s.Denied, func(i, j int) bool { return s.Denied[i].Compare(s.Denied[j]) < 0 })
	sort.SliceStable(s.ForeignKeys, func(i, j int) bool {
		a, b := s.ForeignKeys[i], s.ForeignKeys[j]
		if a.From != b.From {
			return a.From.Name.Compare(b.From.Name) < 0
		}
		return a.Name < b.Name
	})
	for _, r := range b.changed() {
		r.PerRole, r.Closed, r.HasPrivate = b.seal.own[r.OID], b.seal.closed[r.OID], b.seal.any(b.image.columns[r.OID])
	}
	s.Extensions = b.extensions
	s.Functions, s.Collations = b.raw.functions, b.raw.collations
	s.avoided = b.avoided
	s.Version = s.fingerprint(b.reused)
}

// markPlain says which relations run nobody's code when they are read: tables
// of built-in types whose rows are their own.
func markPlain(relations []*Relation, parents map[uint32]bool) {
	for _, r := range relations {
		r.Plain = (r.Kind == Table || r.Kind == MaterializedView) && !parents[r.OID]
		for _, c := range r.Columns {
			r.Plain = r.Plain && c.TypeOID < firstUserOID
		}
	}
}
