package catalog

import (
	"maps"
	"slices"
	"strings"

	"askpg/ask/analysed"
)

// seal says which parts of a database are shown to no model, and which are not
// shared between roles. It is the same for every role.
type seal struct {
	private map[object]bool // columns that are private, or may show what is
	closed  map[uint32]bool // views that read something private, or may: no value of them is shown
	perRole map[uint32]bool // relations of which one role may see other values than another
}

// rawView is what a view's definition says.
type rawView struct {
	definition string
	reads      map[uint32][]int16 // columns by relation
	pure       bool               // its query is understood, and every function that it calls is known to read nothing and not to depend on who is asking
	asks       bool               // the query depends on who is asking, as by current_user
}

// privateByName returns the columns, and the attributes of composite types,
// that are private by their name or their comment. They are found once for all
// roles.
func (meta *metadata) privateByName(cfg *Config) map[object]bool {
	meta.privateOnce.Do(func() {
		meta.namedPrivate = map[object]bool{}
		matches := cfg.privateNames()
		look := func(of Name, o object, name string) {
			if matches(of, name) || strings.Contains(meta.comments[o], privateMark) {
				meta.namedPrivate[o] = true
			}
		}
		for i := range meta.relations {
			rel := &meta.relations[i]
			for j := range meta.columns[rel.oid] {
				c := &meta.columns[rel.oid][j]
				look(Name{Schema: rel.schema, Name: rel.name}, c.object, c.name)
			}
		}
		for i := range meta.typeParts {
			if p := &meta.typeParts[i]; p.attribute.num != 0 {
				look(p.of, p.attribute, p.name)
			}
		}
	})
	return meta.namedPrivate
}

// seal follows what is private, and what depends on who is asking, to all that
// shows the same values. That is columns of composite types, children and
// parents, keys, generated columns and views. It repeats that until nothing is
// added.
func (meta *metadata) seal(cfg *Config, file *semantics, database string) *seal {
	s := &seal{private: maps.Clone(meta.privateByName(cfg)), closed: map[uint32]bool{}, perRole: map[uint32]bool{}}
	b := sealer{metadata: meta, seal: s, byOID: make(map[uint32]*rawRelation, len(meta.relations)), privateTypes: map[uint32]bool{}}
	named := file.private(database)
	for i := range meta.relations {
		rel := &meta.relations[i]
		b.byOID[rel.oid] = rel
		if rel.kind == ForeignTable { // its rows are another server's, who may know the asker
			s.perRole[rel.oid] = true
		}
		if slices.ContainsFunc(meta.columns[rel.oid], func(c rawColumn) bool { return c.generated }) {
			b.withGenerated = append(b.withGenerated, rel)
		}
		for _, c := range meta.columns[rel.oid] {
			table := rel.name + "." + c.name
			if slices.Contains(named, table) || slices.Contains(named, rel.schema+"."+table) {
				s.private[c.object] = true
			}
		}
	}
	for b.added = true; b.added; {
		b.added = false
		b.followTypes()
		b.followInheritance()
		b.followKeys()
		b.followGenerated()
		b.followViews()
	}
	return s
}

// sealer fills a seal.
type sealer struct {
	*metadata
	*seal
	byOID         map[uint32]*rawRelation
	withGenerated []*rawRelation  // relations with generated columns
	privateTypes  map[uint32]bool // types whose values hold something private
	added         bool            // something in this round
}

// markPrivate makes a column private.
func (b *sealer) markPrivate(column object) {
	if !b.private[column] {
		b.private[column], b.added = true, true
	}
}

// set adds a relation to closed or perRole.
func (b *sealer) set(relations map[uint32]bool, oid uint32) {
	if !relations[oid] {
		relations[oid], b.added = true, true
	}
}

// followTypes: a column holds what the values of its type hold. A composite
// type holds its attributes, the row type of a relation its columns.
func (b *sealer) followTypes() {
	before := len(b.privateTypes)
	for known := -1; known < len(b.privateTypes); { // up from a part to all that holds it
		known = len(b.privateTypes)
		for i := range b.typeParts {
			p := &b.typeParts[i]
			if b.privateTypes[p.part] || b.private[p.attribute] || b.closed[p.attribute.oid] {
				b.privateTypes[p.whole] = true
			}
		}
	}
	if len(b.privateTypes) == before {
		return
	}
	for _, cols := range b.columns {
		for i := range cols {
			if b.privateTypes[cols[i].typ.oid] {
				b.markPrivate(cols[i].object)
			}
		}
	}
}

// followInheritance: a parent shows its children's rows, and a column of the
// same name is the same column in both.
func (b *sealer) followInheritance() {
	for _, in := range b.inherits {
		if b.perRole[in.child] {
			b.set(b.perRole, in.parent)
		}
		child, parent := b.columns[in.child], b.columns[in.parent]
		if !b.anyPrivate(child) && !b.anyPrivate(parent) {
			continue
		}
		for _, c := range child {
			i := slices.IndexFunc(parent, func(p rawColumn) bool { return p.name == c.name })
			if i >= 0 && (b.private[c.object] || b.private[parent[i].object]) {
				b.markPrivate(c.object)
				b.markPrivate(parent[i].object)
			}
		}
	}
}

// followKeys: a column that refers to another holds its values.
func (b *sealer) followKeys() {
	for i := range b.constraints {
		c := &b.constraints[i]
		for j, n := range c.foreignCols {
			if b.private[object{c.foreign, n}] {
				b.markPrivate(object{c.relation, c.cols[j]})
			}
		}
	}
}

// followGenerated: a generated column may be computed from any other of its
// table.
func (b *sealer) followGenerated() {
	for _, rel := range b.withGenerated {
		if !b.anyPrivate(b.columns[rel.oid]) {
			continue
		}
		for _, c := range b.columns[rel.oid] {
			if c.generated {
				b.markPrivate(c.object)
			}
		}
	}
}

// followViews: a view shows what its query reads.
func (b *sealer) followViews() {
	for oid, v := range b.views {
		rel := b.byOID[oid]
		if rel == nil {
			continue
		}
		open, closed, perRole := b.view(oid, v)
		if closed {
			b.set(b.closed, oid)
		}
		if perRole && rel.kind == View { // what a materialised view holds is the same for all
			b.set(b.perRole, oid)
		}
		if open == nil {
			continue
		}
		for _, c := range b.columns[oid] {
			if !open[c.name] {
				b.markPrivate(c.object)
			}
		}
	}
}

// view says what a view's definition leads to. open is nil if the view reads no
// private column. Else it has the names of the other columns that it reads, for
// a column of the view by another name may show a private one.
func (b *sealer) view(oid uint32, v rawView) (open map[string]bool, closed, perRole bool) {
	closed, perRole = !v.pure, !v.pure || v.asks
	names := map[string]bool{}
	for from, nums := range v.reads {
		rel := b.byOID[from]
		switch {
		case from == oid: // rules name the view itself
			continue
		case rel == nil: // the server's own, which may hold copies of values
			closed, perRole = true, true
			continue
		}
		closed = closed || b.closed[from]
		perRole = perRole || b.perRole[from] || rel.secured
		for _, c := range b.columns[from] {
			switch {
			case !slices.Contains(nums, c.num) && !slices.Contains(nums, analysed.Whole):
			case b.private[c.object]:
				closed, open = true, names
			default:
				names[c.name] = true
			}
		}
	}
	return open, closed, perRole
}

// anyPrivate reports whether one of the columns is private.
func (s *seal) anyPrivate(cols []rawColumn) bool {
	return slices.ContainsFunc(cols, func(c rawColumn) bool { return s.private[c.object] })
}

// private returns the names of the columns that the file makes private.
func (f *semantics) private(database string) (names []string) {
	for i := range f.Columns {
		if c := &f.Columns[i]; c.Private && (c.Database == "" || c.Database == database) {
			first, _, _ := strings.Cut(c.Name, ",")
			names = append(names, strings.TrimSpace(first))
		}
	}
	return names
}
