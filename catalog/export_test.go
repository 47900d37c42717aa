package catalog

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// DifferentMetadata says in which part the metadata of a database differ that two
// catalogs hold, "" if in none. Row estimates are left out: they come of
// ANALYZE, which is not looked for.
func DifferentMetadata(a, b *Catalog, database string) string {
	both := [2]metadata{}
	for i, c := range []*Catalog{a, b} {
		c.mu.Lock()
		both[i] = *c.databases[database].meta
		c.mu.Unlock()
		both[i].baseline, both[i].read, both[i].privateOnce, both[i].namedPrivate = nil, time.Time{}, nil, nil
		both[i].relations = slices.Clone(both[i].relations)
		for j := range both[i].relations {
			both[i].relations[j].rows, both[i].relations[j].pages = 0, 0
		}
	}
	for oid, t := range both[0].types {
		if o := both[1].types[oid]; o == nil || *o != *t {
			return fmt.Sprintf("type %s", t.name)
		}
	}
	if len(both[0].types) != len(both[1].types) {
		return "types"
	}
	both[0].types, both[1].types = nil, nil
	x, y := reflect.ValueOf(both[0]), reflect.ValueOf(both[1])
	for i := range x.NumField() { // fmt prints maps in order
		if p, q := fmt.Sprintf("%+v", x.Field(i)), fmt.Sprintf("%+v", y.Field(i)); p != q {
			return fmt.Sprintf("%s: %s and %s", x.Type().Field(i).Name, p, q)
		}
	}
	return ""
}

// CheckStep makes one check, of one step, and returns how many steps there are.
func (c *Catalog) CheckStep(database, role string) (steps int, err error) {
	d := c.database(database)
	d.reading.Lock()
	defer d.reading.Unlock()
	_, err = c.check(c.ctx, d, role, false)
	return len(d.meta.baseline.steps), err
}

// Dump writes all that a snapshot says in lines, in an order of its own.
func Dump(s *Snapshot) []string {
	var out []string
	line := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	cols := func(list []*Column) string {
		var names []string
		for _, c := range list {
			names = append(names, c.Relation.Schema+"."+c.Relation.Name.Name+"."+c.Name)
		}
		return strings.Join(names, ",")
	}
	line("version %s, %v denied, %v unusable, %v %+v", s.Version, s.Denied, s.Unusable, s.extensions, s.Problems)
	for _, r := range s.Relations {
		line("relation %v %d %c %q pk %s checks %q secure %v shared %v view %q synonyms %q time %v filter %q plain %v fingerprint %x",
			r.Name, r.OID, r.Kind, r.Comment, cols(r.PrimaryKey), r.Checks, r.RowSecure, r.Shared(), r.Definition, r.Synonyms, r.Time != nil, r.Condition.Text, r.Plain, r.Fingerprint)
		for _, u := range r.Unique {
			line("unique %v %s", r.Name, cols(u))
		}
		for _, c := range r.Columns {
			if c.Relation != r || s.Lookup(r.Schema, r.Name.Name) != r {
				line("%s of another snapshot", c.Name)
			}
			v := *c
			v.Relation, v.Profile, v.Collation = nil, nil, nil
			line("column %v %+v collation %+v profile %+v", r.Name, v, c.Collation, c.Profile)
		}
	}
	for _, k := range s.ForeignKeys {
		if s.Lookup(k.From.Schema, k.From.Name.Name) != k.From || s.Lookup(k.To.Schema, k.To.Name.Name) != k.To {
			line("key %s of another snapshot", k.Name)
		}
		line("key %s %s > %s implied %v cost %d", k.Name, cols(k.FromCols), cols(k.ToCols), k.Implied, k.Cost)
	}
	for _, f := range s.Functions {
		line("function %+v", f)
	}
	for _, c := range s.Collations {
		line("collation %+v", c)
	}
	for c, value := range s.Values.All() {
		line("value %s %s", cols([]*Column{c}), value)
	}
	slices.Sort(out)
	return out
}
