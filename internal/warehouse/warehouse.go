// Package warehouse makes large databases for tests and benchmarks: as SQL for
// a server, and as a catalog snapshot of the same database for what needs no
// server.
//
// A warehouse of n tables has 20 columns a table, 34 tables a schema, .8
// foreign keys a table, an eighth of them into other schemas, .2 partitions a
// table, comments on every third table, and 30 rows in each with statistics.
// The same n gives the same warehouse.
package warehouse

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// rows is the number of rows of each table.
const rows = 30

// keys are how many foreign keys ten tables in a row have: one that joins many,
// some that join a few, and those that are referred to.
var keys = [10]int{0, 0, 1, 0, 0, 2, 0, 1, 0, 5}

// table is what both the scripts and the snapshot are made of.
type table struct {
	schema, name string
	columns      []column // the first is the key, id
	partitioned  bool
	comment      string // on the table; empty for none
	keyComment   string // on id
}

func (t *table) partitions() int {
	if t.partitioned {
		return 10
	}
	return 0
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
	rnd := rand.New(rand.NewPCG(20, uint64(n)))
	pick := func(words []string) string { return words[rnd.IntN(len(words))] }
	schemas := max(1, n*3/100)
	out := make([]table, 0, n)
	var parents []int // tables that a key may refer to
	for s := range schemas {
		schema := fmt.Sprintf("%s_%03d", domains[s%len(domains)], s)
		first := len(parents)
		used := map[string]bool{}
		for i := n * s / schemas; i < n*(s+1)/schemas; i++ {
			name := pick(subjects) + "_" + pick(parts)
			for used[name] {
				name = pick(subjects) + "_" + pick(subjects) + "_" + pick(parts)
			}
			used[name] = true
			t := table{schema: schema, name: name, partitioned: i%50 == 0}
			t.columns = append(t.columns, column{name: "id", typ: "bigint", value: "i", parent: -1, town: -1})
			seen := map[string]bool{"id": true}
			add := func(c column) {
				if !seen[c.name] {
					seen[c.name] = true
					t.columns = append(t.columns, c)
				}
			}
			for range keys[i%len(keys)] {
				from := parents[first:]
				if rnd.IntN(8) == 0 && first > 0 {
					from = parents[:first]
				}
				if len(from) > 0 {
					// Some tables are referred to much more often than others.
					p := from[int(float64(len(from))*math.Pow(rnd.Float64(), 3))]
					add(column{name: out[p].name + "_id", typ: "bigint", value: "i", parent: p, town: -1})
				}
			}
			for len(t.columns) < 20 {
				c := column{parent: -1, town: -1}
				subject := pick(subjects)
				switch rnd.IntN(4) {
				case 0:
					c.name, c.typ, c.value = subject+"_"+pick(measures), "numeric(12,2)", "i * 1.5"
				case 1:
					c.name, c.typ = pick(moments), "timestamp with time zone"
					c.value = fmt.Sprintf("timestamptz '2025-01-01 00:00Z' + i * interval '%d hours'", 1+rnd.IntN(40))
				case 2:
					c.town = rnd.IntN(len(towns) - 5)
					c.name, c.typ, c.value = subject+"_"+pick(labels), "text", "(array["+quoted(towns[c.town:c.town+5])+"])[i % 5 + 1]"
				default:
					c.name, c.typ = subject+"_"+pick(labels), "character varying(40)"
					if rnd.IntN(2) == 0 {
						c.coined = i*20 + len(t.columns)
						n := len(syllables)
						c.value = fmt.Sprintf("word[(i + %d) %% %d + 1] || word[(i * 7 + i / %d * 5 + %d) %% %d + 1] || word[(i * 5 + %d) %% %d + 1] || word[(i + %d) %% %d + 1]",
							c.coined, n, n, c.coined/n, n, c.coined/n/n, n, c.coined*11, n)
						break
					}
					c.prefix = subject
					c.value = fmt.Sprintf("'%s ' || i", subject)
				}
				add(c)
			}
			if i%3 == 0 {
				t.comment = fmt.Sprintf("the %s of each %s", pick(parts), pick(subjects))
				t.keyComment = "number given by " + pick(subjects)
			}
			if !t.partitioned {
				parents = append(parents, len(out))
			}
			out = append(out, t)
		}
	}
	return out
}
