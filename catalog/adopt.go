package catalog

import "maps"

// keptRelations are the relations that a snapshot has taken over from an
// earlier one, because nothing about them has changed. Nil has none.
type keptRelations struct{ relations map[*Relation]bool }

func (k *keptRelations) has(r *Relation) bool { return k != nil && k.relations[r] }

func (k *keptRelations) hasColumn(c *Column) bool { return k.has(c.Relation) }

// adopt puts the relations of an earlier snapshot in place of those that are
// equal to them, with their profiles.
func adopt(s, old *Snapshot) *keptRelations {
	if old == nil {
		return nil
	}
	kept := &keptRelations{map[*Relation]bool{}}
	relations, columns := map[*Relation]*Relation{}, map[*Column]*Column{}
	for i, r := range s.Relations {
		o := old.Lookup(r.Schema, r.Name.Name)
		if o == nil || o.OID != r.OID || o.mark != r.mark || len(r.filter.refs) > 0 {
			continue
		}
		kept.relations[o] = true
		if r == o {
			continue
		}
		for j, c := range r.Columns {
			columns[c] = o.Columns[j]
		}
		relations[r] = o
		s.Relations[i] = o
	}
	relation := func(r **Relation) {
		if o := relations[*r]; o != nil {
			*r = o
		}
	}
	list := func(cols []*Column) {
		for i, c := range cols {
			if o := columns[c]; o != nil {
				cols[i] = o
			}
		}
	}
	for _, k := range s.ForeignKeys {
		relation(&k.From)
		relation(&k.To)
		list(k.FromCols)
		list(k.ToCols)
	}
	refs := func(e *expression) {
		for i := range e.refs {
			if o := columns[e.refs[i].column]; o != nil {
				e.refs[i].column = o
			}
		}
	}
	for _, m := range s.Measures {
		relation(&m.Relation)
		for i := range m.Relations {
			relation(&m.Relations[i])
		}
		refs(&m.expression)
		refs(&m.filter)
	}
	for _, r := range s.Relations {
		if !kept.relations[r] {
			refs(&r.filter)
		}
	}
	return kept
}

// manyRelations is from how many on only the changed relations are searched
// for implied keys.
const manyRelations = 2000

// keepImplied takes over the implied keys between kept relations.
func keepImplied(s, old *Snapshot, kept *keptRelations) {
	declared := map[*Column]bool{}
	for _, k := range s.ForeignKeys {
		for _, c := range k.FromCols {
			declared[c] = true
		}
	}
	for _, k := range old.ForeignKeys {
		if k.Implied && !k.mined && kept.has(k.From) && kept.has(k.To) && !declared[k.FromCols[0]] {
			c := *k
			c.Cost, c.Calls = 0, 0
			s.ForeignKeys = append(s.ForeignKeys, &c)
		}
	}
}

// twin returns the snapshot for another role with the same rights: all of it
// but the role's name is shared.
func (s *Snapshot) twin(role string) *Snapshot {
	return &Snapshot{
		Version: s.Version, Database: s.Database, Role: role, ServerVersion: s.ServerVersion,
		Relations: s.Relations, ForeignKeys: s.ForeignKeys, Denied: s.Denied, Unusable: s.Unusable, Values: s.Values,
		Measures: s.Measures, Problems: s.Problems, Extensions: s.Extensions, Functions: s.Functions, Collations: s.Collations, Exposed: s.Exposed, avoided: s.avoided, shared: s,
	}
}

func cloneVerdicts(m map[pair]bool) map[pair]bool {
	if m == nil {
		return map[pair]bool{}
	}
	return maps.Clone(m)
}
