// Package warehouse makes large databases for tests and benchmarks: as SQL for
// a server, and as a catalog snapshot of the same database for what needs no
// server.
//
// A warehouse of n tables has 20 columns a table and 34 tables a schema. It has .8 foreign keys a table, an eighth of
// them into other schemas, and .2 partitions a table. Every third table has comments. Each table has 30 rows, with
// statistics. The same n gives the same warehouse.
package warehouse

import (
	"fmt"
	"math"
	"math/rand/v2"
)

const (
	rows           = 30 // of each table
	columnsOfTable = 20
)

// keys are how many foreign keys ten tables in a row have: one that joins many,
// some that join a few, and those that are referred to.
var keys = [10]int{0, 0, 1, 0, 0, 2, 0, 1, 0, 5}

// table is what both the scripts and the snapshot are made of.
type table struct {
	schema, name string
	columns      []column // the first is the key, id
	partitions   int
	comment      string // on the table; empty for none
	keyComment   string // on id
}

type column struct {
	name   string
	typ    string // as format_type prints it
	value  string // SQL, of the row's number i
	parent int    // table that the column refers to, -1 for none
	town   int    // of a label that is one of five towns, the first; -1 for other columns
	prefix string // of a label that is a word and the row's number; empty for other columns
	coined int    // of a label that is a word of its own in each row, what it is made from; 0 for other columns
}

// values returns the label of each row, nil if the column is no label.
func (c *column) values() []string {
	out := make([]string, rows)
	for i := range out {
		switch {
		case c.town >= 0:
			out[i] = towns[c.town+(i+1)%5]
		case c.prefix != "":
			out[i] = fmt.Sprintf("%s %d", c.prefix, i+1)
		case c.coined > 0:
			for _, at := range coin(i+1, c.coined) {
				out[i] += syllables[at]
			}
		default:
			return nil
		}
	}
	return out
}

// coin returns the syllables of a word.
func coin(row, seed int) [4]int {
	n := len(syllables)
	return [4]int{(row + seed) % n, (row*7 + row/n*5 + seed/n) % n, (row*5 + seed/n/n) % n, (row + seed*11) % n}
}

// tables returns the tables of a warehouse, ordered by schema.
func tables(n int) []table {
	m := maker{rnd: rand.New(rand.NewPCG(20, uint64(n))), out: make([]table, 0, n)}
	schemas := max(1, n*3/100)
	for s := range schemas {
		m.schema = fmt.Sprintf("%s_%03d", domains[s%len(domains)], s)
		m.first = len(m.parents)
		m.names = map[string]bool{}
		for i := n * s / schemas; i < n*(s+1)/schemas; i++ {
			m.add(i)
		}
	}
	return m.out
}

// maker makes the tables one after the other.
type maker struct {
	rnd     *rand.Rand
	out     []table
	parents []int           // tables that a key may refer to
	schema  string          // of the next tables
	first   int             // of its tables in parents
	names   map[string]bool // of its tables
}

func (m *maker) pick(words []string) string { return words[m.rnd.IntN(len(words))] }

// add makes table number i.
func (m *maker) add(i int) {
	t := table{schema: m.schema, name: m.name()}
	if i%50 == 0 {
		t.partitions = 10
	}
	t.columns = append(t.columns, column{name: "id", typ: "bigint", value: "i", parent: -1, town: -1})
	seen := map[string]bool{"id": true}
	add := func(c column) {
		if !seen[c.name] {
			seen[c.name] = true
			t.columns = append(t.columns, c)
		}
	}
	for range keys[i%len(keys)] {
		if c, ok := m.key(); ok {
			add(c)
		}
	}
	for len(t.columns) < columnsOfTable {
		add(m.column(i, len(t.columns)))
	}
	if i%3 == 0 {
		t.comment = fmt.Sprintf("the %s of each %s", m.pick(parts), m.pick(subjects))
		t.keyComment = "number given by " + m.pick(subjects)
	}
	if t.partitions == 0 {
		m.parents = append(m.parents, len(m.out))
	}
	m.out = append(m.out, t)
}

// name returns a name that no table of the schema has.
func (m *maker) name() string {
	name := m.pick(subjects) + "_" + m.pick(parts)
	for m.names[name] {
		name = m.pick(subjects) + "_" + m.pick(subjects) + "_" + m.pick(parts)
	}
	m.names[name] = true
	return name
}

// key returns a column that refers to an earlier table, mostly of the same
// schema. Some tables are referred to much more often than others.
func (m *maker) key() (column, bool) {
	from := m.parents[m.first:]
	if m.rnd.IntN(8) == 0 && m.first > 0 {
		from = m.parents[:m.first]
	}
	if len(from) == 0 {
		return column{}, false
	}
	p := from[int(float64(len(from))*math.Pow(m.rnd.Float64(), 3))]
	return column{name: m.out[p].name + "_id", typ: "bigint", value: "i", parent: p, town: -1}, true
}

// column returns a number, a time or a label, for place j of table number i.
func (m *maker) column(i, j int) column {
	c := column{parent: -1, town: -1}
	subject := m.pick(subjects)
	switch m.rnd.IntN(4) {
	case 0:
		c.name, c.typ, c.value = subject+"_"+m.pick(measures), "numeric(12,2)", "i * 1.5"
	case 1:
		c.name, c.typ = m.pick(moments), "timestamp with time zone"
		c.value = fmt.Sprintf("timestamptz '2025-01-01 00:00Z' + i * interval '%d hours'", 1+m.rnd.IntN(40))
	case 2:
		c.town = m.rnd.IntN(len(towns) - 5)
		c.name, c.typ, c.value = subject+"_"+m.pick(labels), "text", "(array["+quoted(towns[c.town:c.town+5])+"])[i % 5 + 1]"
	default:
		c.name, c.typ = subject+"_"+m.pick(labels), "character varying(40)"
		if m.rnd.IntN(2) == 0 {
			c.coined = i*20 + j
			c.value = coinedSQL(c.coined)
		} else {
			c.prefix = subject
			c.value = fmt.Sprintf("'%s ' || i", subject)
		}
	}
	return c
}

// coinedSQL is coin as SQL, over the array of syllables.
func coinedSQL(seed int) string {
	n := len(syllables)
	return fmt.Sprintf("word[(i + %d) %% %d + 1] || word[(i * 7 + i / %d * 5 + %d) %% %d + 1] || word[(i * 5 + %d) %% %d + 1] || word[(i + %d) %% %d + 1]",
		seed, n, n, seed/n, n, seed/n/n, n, seed*11, n)
}
