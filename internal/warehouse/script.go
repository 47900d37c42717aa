package warehouse

import (
	"fmt"
	"strings"
)

// Scripts returns SQL that creates a warehouse of n tables and fills and
// analyzes it: two scripts a schema, in order, each for a transaction of its
// own.
func Scripts(n int) []string {
	all := tables(n)
	var scripts []string
	for from := 0; from < len(all); {
		to := from
		for to < len(all) && all[to].schema == all[from].schema {
			to++
		}
		scripts = append(scripts, create(all, from, to), fill(all[from:to]))
		from = to
	}
	return scripts
}

func create(all []table, from, to int) string {
	var b strings.Builder
	schema := all[from].schema
	fmt.Fprintf(&b, "create schema %s; grant usage on schema %s to public;\n", schema, schema)
	for i := from; i < to; i++ {
		t := &all[i]
		name := t.schema + "." + t.name
		fmt.Fprintf(&b, "create table %s (", name)
		for j, c := range t.columns {
			fmt.Fprintf(&b, "%s %s", c.name, c.typ)
			if j == 0 {
				b.WriteString(" not null")
			}
			if c.parent >= 0 {
				fmt.Fprintf(&b, " references %s.%s", all[c.parent].schema, all[c.parent].name)
			}
			b.WriteString(", ")
		}
		b.WriteString("primary key (id))")
		if t.partitions > 0 {
			b.WriteString(" partition by hash (id)")
		}
		b.WriteString(";\n")
		for p := range t.partitions {
			fmt.Fprintf(&b, "create table %s_p%d partition of %s for values with (modulus %d, remainder %d);\n", name, p, name, t.partitions, p)
		}
		fmt.Fprintf(&b, "grant select on %s to public;\n", name)
		if t.comment != "" {
			fmt.Fprintf(&b, "comment on table %s is '%s';\ncomment on column %s.id is '%s';\n", name, t.comment, name, t.keyComment)
		}
	}
	return b.String()
}

func fill(tables []table) string {
	var b strings.Builder
	for i := range tables {
		t := &tables[i]
		fmt.Fprintf(&b, "insert into %s.%s select ", t.schema, t.name)
		for j, c := range t.columns {
			if j > 0 {
				b.WriteString(", ")
			}
			b.WriteString(c.value)
		}
		fmt.Fprintf(&b, " from generate_series(1, %d) i, (select array[%s]) w(word);\nanalyze %s.%s;\n", rows, quoted(syllables), t.schema, t.name)
	}
	return b.String()
}

func quoted(list []string) string { return "'" + strings.Join(list, "','") + "'" }
