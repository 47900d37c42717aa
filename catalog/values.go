package catalog

import (
	"sort"
	"strings"
)

// Values finds the columns that hold what a question mentions. It is
// immutable and safe for concurrent use; nil finds nothing.
type Values struct {
	entries []entry
	exact   map[string][]int32 // key of the value
	stems   map[string][]int32 // stemKey of the value, where it is another than its key
	grams   map[gram][]int32   // entries by trigram of their key
	sizes   []uint8            // number of trigrams of each entry's key
	longest int                // tokens of the longest key
	columns map[*Column]int    // values of each indexed column
	nouns   map[string]bool    // stems of the words in names of indexed columns and their relations
	omitted []Omitted
}

type entry struct {
	column *Column
	value  string
}

// Hit is a value of the database found in a question.
type Hit struct {
	Column     *Column
	Value      string  // as the column holds it
	Start, End int     // byte offsets in the question
	Exact      bool    // equal but for case and accents; false for stemmed or fuzzy matches
	Score      float64 // 1 for exact, less the less alike
}

// Omitted is a column whose values the index does not hold, or not all of
// them, and why.
type Omitted struct {
	Column  *Column
	Partial bool
	Why     string
}

// Omitted returns what was left out of the index, in order of the snapshot.
func (v *Values) Omitted() []Omitted {
	if v == nil {
		return nil
	}
	return v.omitted
}

// Len returns the number of values in the index; a value of two columns counts
// twice.
func (v *Values) Len() int {
	if v == nil {
		return 0
	}
	return len(v.entries)
}

// Of returns the column's indexed values in alphabetical order.
func (v *Values) Of(c *Column) []string {
	if v == nil || v.columns[c] == 0 {
		return nil
	}
	var out []string
	for i := range v.entries {
		if v.entries[i].column == c {
			out = append(out, v.entries[i].value)
		}
	}
	sort.Strings(out)
	return out
}

// Has reports whether the column is known to hold just this value. known is
// false if the index does not hold all values of the column.
func (v *Values) Has(c *Column, value string) (has, known bool) {
	if v == nil {
		return false, false
	}
	for _, i := range v.exact[key(tokens(value))] {
		if v.entries[i].column == c && v.entries[i].value == value {
			return true, true
		}
	}
	if v.columns[c] == 0 {
		return false, false
	}
	for _, o := range v.omitted {
		if o.Column == c {
			return false, false
		}
	}
	return false, true
}

func newValues() *Values {
	return &Values{exact: map[string][]int32{}, stems: map[string][]int32{}, grams: map[gram][]int32{}, columns: map[*Column]int{}, nouns: map[string]bool{}}
}

// add puts a value of the column into the index, once.
func (v *Values) add(c *Column, value string) {
	ts := tokens(value)
	k := key(ts)
	if k == "" {
		return
	}
	for _, i := range v.exact[k] {
		if e := &v.entries[i]; e.column == c && e.value == value {
			return
		}
	}
	n := int32(len(v.entries))
	v.entries = append(v.entries, entry{c, value})
	if v.columns[c]++; v.columns[c] == 1 {
		for _, name := range []string{c.Name, c.Relation.Name.Name} {
			for _, w := range Words(name) {
				v.nouns[stem(singular(w))] = true
			}
		}
	}
	v.longest = max(v.longest, len(ts))
	v.exact[k] = append(v.exact[k], n)
	if s := stemKey(ts); s != k {
		v.stems[s] = append(v.stems[s], n)
	}
	gs := trigrams(k)
	v.sizes = append(v.sizes, uint8(min(len(gs), 255)))
	for _, g := range gs {
		v.grams[g] = append(v.grams[g], n)
	}
}

func (v *Values) omit(c *Column, partial bool, why string) {
	v.omitted = append(v.omitted, Omitted{c, partial, why})
}

// gram is three bytes of a key.
type gram [3]byte

// trigrams returns the distinct trigrams of a key, padded as pg_trgm does:
// two blanks before and one after each word.
func trigrams(key string) []gram {
	var out []gram
	seen := map[gram]bool{}
	for _, word := range strings.Split(key, " ") {
		w := "  " + word + " "
		for i := 0; i+3 <= len(w); i++ {
			if g := (gram{w[i], w[i+1], w[i+2]}); !seen[g] {
				seen[g] = true
				out = append(out, g)
			}
		}
	}
	return out
}
