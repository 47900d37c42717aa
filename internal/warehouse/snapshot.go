package warehouse

import (
	"fmt"
	"slices"
	"sort"

	"askpg/catalog"
)

// Snapshot returns a warehouse of n tables as a role would see it that may
// read all of it: the relations, keys, statistics and values that a server
// with Scripts would have. It has the values that fit into as many as
// catalog.DefaultConfig allows.
func Snapshot(n int) *catalog.Snapshot {
	all := tables(n)
	relations := make([]*catalog.Relation, len(all))
	s := &catalog.Snapshot{Version: fmt.Sprintf("warehouse %d", n), Database: "warehouse", Role: "analyst", ServerVersion: 170000}
	values := map[*catalog.Column][]string{}
	for i := range all {
		relations[i] = relation(&all[i], i, values)
	}
	s.ForeignKeys = declared(all, relations)
	slices.SortFunc(relations, func(a, b *catalog.Relation) int { return a.Name.Compare(b.Name) })
	s.Relations = relations
	s.ForeignKeys = append(s.ForeignKeys, implied(s.Relations)...)
	limit := catalog.DefaultConfig().ValuesTotal
	s.Values = catalog.NewValues(func(yield func(*catalog.Column, string) bool) {
		for _, r := range s.Relations {
			for _, c := range r.Columns {
				for _, v := range values[c] {
					if limit--; limit < 0 || !yield(c, v) {
						return
					}
				}
			}
		}
	})
	return s
}

// declared returns the foreign keys of the tables.
func declared(all []table, relations []*catalog.Relation) []*catalog.ForeignKey {
	var out []*catalog.ForeignKey
	for i := range all {
		for j, c := range all[i].columns {
			if c.parent < 0 {
				continue
			}
			from, to := relations[i], relations[c.parent]
			out = append(out, &catalog.ForeignKey{
				Name: all[i].name + "_" + c.name + "_fkey", From: from, To: to,
				FromCols: []*catalog.Column{from.Columns[j]}, ToCols: to.PrimaryKey,
			})
		}
	}
	return out
}

func relation(t *table, number int, values map[*catalog.Column][]string) *catalog.Relation {
	r := &catalog.Relation{
		Name: catalog.Name{Schema: t.schema, Name: t.name}, OID: uint32(20000 + number),
		Kind: catalog.Table, Rows: rows, Comment: t.comment,
	}
	if t.partitions > 0 {
		r.Kind = catalog.PartitionedTable
	}
	for i := range t.columns {
		in := &t.columns[i]
		c := &catalog.Column{
			Relation: r, Name: in.name, Num: int16(i + 1), Type: in.typ,
			Profile: &catalog.Profile{Distinct: rows, Width: 8},
		}
		switch {
		case in.town >= 0:
			c.Class = catalog.Text
			c.Profile.Distinct, c.Profile.Common = 5, towns[in.town:in.town+5]
			c.Profile.Freqs = []float64{.2, .2, .2, .2, .2}
			values[c] = c.Profile.Common
		case in.prefix != "" || in.coined > 0:
			c.Class = catalog.Text
			list := in.values()
			sort.Strings(list)
			c.Profile.Min, c.Profile.Max = list[0], list[rows-1]
			values[c] = list
		case in.typ == "bigint":
			c.Class = catalog.Number
			c.Profile.Min, c.Profile.Max = "1", fmt.Sprint(rows)
		case in.typ == "numeric(12,2)":
			c.Class = catalog.Number
			c.Profile.Min, c.Profile.Max = "1.50", fmt.Sprintf("%.2f", rows*1.5)
		default:
			c.Class = catalog.Timestamp
			c.Profile.Min, c.Profile.Max = "2025-01-01 01:00:00+00", "2025-02-20 00:00:00+00"
		}
		if i == 0 {
			c.NotNull, c.Unique, c.Comment = true, true, t.keyComment
			r.PrimaryKey = []*catalog.Column{c}
		}
		r.Columns = append(r.Columns, c)
	}
	return r
}

// implied returns keys between labels of one name in one schema of which all
// values are different, and the same: more than a search for undeclared keys
// finds, as searches for paths have to bear many.
func implied(relations []*catalog.Relation) []*catalog.ForeignKey {
	var out []*catalog.ForeignKey
	first := map[catalog.Name]*catalog.Column{}
	for _, r := range relations {
		for _, c := range r.Columns {
			if c.Class != catalog.Text || c.Profile.Distinct < rows {
				continue
			}
			name := catalog.Name{Schema: r.Schema, Name: c.Name}
			if to := first[name]; to == nil {
				first[name] = c
			} else if to.Profile.Min == c.Profile.Min {
				out = append(out, &catalog.ForeignKey{Name: c.Name, Implied: true, From: r, To: to.Relation,
					FromCols: []*catalog.Column{c}, ToCols: []*catalog.Column{to}})
			}
		}
	}
	return out
}
