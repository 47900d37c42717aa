// Package vote compares the results of candidates, groups those that agree,
// and says when to stop asking and how sure the outcome is.
package vote

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"slices"
	"strconv"

	"askpg/ask"
)

// table is a result in canonical values, rows by columns.
type table struct {
	rows     [][]value
	width    int
	complete bool
}

func newTable(r *ask.Result) *table {
	t := &table{width: len(r.Columns), complete: r.Complete, rows: make([][]value, len(r.Rows))}
	cells := make([]value, len(r.Rows)*t.width)
	for i, row := range r.Rows {
		t.rows[i] = cells[i*t.width : (i+1)*t.width : (i+1)*t.width]
		for j := range t.width {
			t.rows[i][j] = canonical(row[j], r.Columns[j].TypeOID)
		}
	}
	return t
}

// maxOrders bounds the column orders that are tried where refinement leaves
// columns alike.
const maxOrders = 120

type colour [16]byte

func compareColours(a, b colour) int { return bytes.Compare(a[:], b[:]) }

// fingerprint returns a text that is the same for results that mean the same:
// the same bag of rows, in the same order if ordered, whatever the order and
// the names of the columns. Fractions are compared to six significant digits;
// two that lie either side of a rounding edge differ in fingerprint and are
// brought together by near.
//
// The columns are brought into a canonical order: by colour refinement (Weisfeiler and
// Leman 1968) of the bipartite graph of rows and columns, and where it
// leaves columns alike by the order that gives the least text.
func (t *table) fingerprint(ordered bool) string {
	columns := t.columnColours(ordered)
	orders := ordersOf(columns)
	best := ""
	for _, o := range orders {
		if h := t.hash(o, ordered); best == "" || h < best {
			best = h
		}
	}
	shape := "b"
	if ordered {
		shape = "o"
	}
	if !t.complete {
		shape += "+" // cut off: never equal to a complete result
	}
	return shape + strconv.Itoa(len(t.rows)) + "x" + strconv.Itoa(t.width) + ":" + best
}

// columnColours gives columns that differ in content different colours,
// whatever their position and that of the rows.
func (t *table) columnColours(ordered bool) []colour {
	columns := make([]colour, t.width)
	rows := make([]colour, len(t.rows))
	if ordered {
		for i := range rows {
			binary.LittleEndian.PutUint64(rows[i][:], uint64(i)+1)
		}
	}
	cells := make([]colour, max(len(rows), len(columns)))
	for range 3 {
		for j := range columns {
			for i := range rows {
				cells[i] = mix(rows[i][:], t.rows[i][j].text)
			}
			columns[j] = sum(cells[:len(rows)])
		}
		if distinct(columns) {
			break
		}
		for i := range rows {
			for j := range columns {
				cells[j] = mix(columns[j][:], t.rows[i][j].text)
			}
			c := sum(cells[:len(columns)])
			rows[i] = mix(c[:], string(rows[i][:]))
		}
	}
	return columns
}

// hash returns the digest of the table with its columns in the given order.
func (t *table) hash(order []int, ordered bool) string {
	digests := make([]colour, len(t.rows))
	h := sha256.New()
	for i, row := range t.rows {
		h.Reset()
		for _, j := range order {
			writeText(h, row[j].text)
		}
		copy(digests[i][:], h.Sum(nil))
	}
	if !ordered {
		slices.SortFunc(digests, compareColours)
	}
	h.Reset()
	for _, d := range digests {
		h.Write(d[:])
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// ordersOf returns the orders of the columns that their colours allow: one if
// the colours differ.
func ordersOf(columns []colour) [][]int {
	first := make([]int, len(columns))
	for i := range first {
		first[i] = i
	}
	slices.SortStableFunc(first, func(a, b int) int { return compareColours(columns[a], columns[b]) })
	orders := [][]int{first}
	for start := 0; start < len(first); {
		end := start + 1
		for end < len(first) && columns[first[end]] == columns[first[start]] {
			end++
		}
		var more [][]int
		for _, o := range orders {
			more = append(more, permute(o, start, end, maxOrders/len(orders))...)
		}
		orders = more
		start = end
	}
	return orders
}

// permute returns the orders that differ in positions start to end, at most
// limit of them.
func permute(order []int, start, end, limit int) [][]int {
	if end-start < 2 || limit < 2 {
		return [][]int{order}
	}
	var out [][]int
	for i := start; i < end; i++ {
		o := slices.Clone(order)
		o[start], o[i] = o[i], o[start]
		out = append(out, permute(o, start+1, end, limit/(end-start))...)
	}
	return out
}

func distinct(columns []colour) bool {
	seen := make(map[colour]bool, len(columns))
	for _, c := range columns {
		if seen[c] {
			return false
		}
		seen[c] = true
	}
	return true
}

func mix(c []byte, text string) colour {
	h := sha256.New()
	h.Write(c)
	writeText(h, text)
	return colour(h.Sum(nil)[:16])
}

// sum digests a bag of colours.
func sum(bag []colour) colour {
	sorted := slices.Clone(bag)
	slices.SortFunc(sorted, compareColours)
	h := sha256.New()
	for _, c := range sorted {
		h.Write(c[:])
	}
	return colour(h.Sum(nil)[:16])
}

func writeText(h hash.Hash, s string) {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(len(s)))
	h.Write(n[:])
	h.Write([]byte(s))
}
