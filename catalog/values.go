package catalog

import (
	"iter"
	"slices"
	"sort"
	"strings"
)

// Values finds the columns that hold what a question mentions. It is
// immutable and safe for concurrent use; nil finds nothing.
type Values struct {
	// After a change only the values of changed relations are read anew: theirs
	// is a part of its own, and of the parts before it only those columns count
	// that are still in columns.
	parts   []*valuePart
	count   int
	columns map[*Column]int // values of each indexed column
	omitted []Omitted
}

// valuePart is an index over values.
type valuePart struct {
	texts   []text
	exact   map[string]int32   // text by its key
	stems   map[string][]int32 // texts by stemKey, where it is another than their key
	grams   map[gram][]int32   // texts by trigram of their key
	longest int                // tokens of the longest key
	nouns   map[string]bool    // stems of the words in names of indexed columns and their relations
}

// text is what values that differ in case, accents and punctuation only have
// in common.
type text struct {
	key     string
	entries []entry // by column
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
	return v.count
}

// Of returns the column's indexed values in alphabetical order.
func (v *Values) Of(c *Column) []string {
	if v == nil || v.columns[c] == 0 {
		return nil
	}
	var out []string
	for e := range v.entries() {
		if e.column == c {
			out = append(out, e.value)
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
	for _, p := range v.parts {
		if i, ok := p.exact[key(tokens(value))]; ok {
			for _, e := range p.texts[i].entries {
				if e.column == c && e.value == value {
					return true, true
				}
			}
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

// All yields the columns' values, in no order.
func (v *Values) All() iter.Seq2[*Column, string] {
	return func(yield func(*Column, string) bool) {
		if v == nil {
			return
		}
		for e := range v.entries() {
			if !yield(e.column, e.value) {
				return
			}
		}
	}
}

// entries yields all values that count.
func (v *Values) entries() iter.Seq[entry] {
	return func(yield func(entry) bool) {
		for _, p := range v.parts {
			for i := range p.texts {
				for _, e := range p.texts[i].entries {
					if v.columns[e.column] > 0 && !yield(e) {
						return
					}
				}
			}
		}
	}
}

// newValues returns an index to add to: empty, or with the values that an
// earlier one has of the columns that are kept.
func newValues(old *Values, kept *keptRelations) *Values {
	v := &Values{columns: map[*Column]int{}}
	var merged []entry
	if old != nil {
		v.parts = old.parts[:len(old.parts):len(old.parts)]
		later := map[*Column]bool{}
		if len(old.parts) >= maxParts { // the first part is the large one
			v.parts = old.parts[:1:1]
			for _, p := range old.parts[1:] {
				for i := range p.texts {
					for _, e := range p.texts[i].entries {
						if old.columns[e.column] > 0 && kept.hasColumn(e.column) {
							merged = append(merged, e)
							later[e.column] = true
						}
					}
				}
			}
		}
		for c, n := range old.columns {
			if kept.hasColumn(c) && !later[c] {
				v.columns[c] = n
				v.count += n
			}
		}
		for _, o := range old.omitted {
			if kept.hasColumn(o.Column) {
				v.omitted = append(v.omitted, o)
			}
		}
	}
	v.parts = append(v.parts, &valuePart{exact: map[string]int32{}, stems: map[string][]int32{}, grams: map[gram][]int32{}, nouns: map[string]bool{}})
	slices.SortStableFunc(merged, func(a, b entry) int {
		if d := strings.Compare(a.column.Relation.Schema, b.column.Relation.Schema); d != 0 {
			return d
		}
		if d := strings.Compare(a.column.Relation.Name.Name, b.column.Relation.Name.Name); d != 0 {
			return d
		}
		return strings.Compare(a.column.Name, b.column.Name)
	})
	for _, e := range merged {
		v.add(e.column, e.value)
	}
	return v
}

// mostlyGone says of an index of many parts that less than half of the values
// in its first and largest part are of columns that are kept: then reading anew is
// better than to carry them along.
func (v *Values) mostlyGone(kept *keptRelations) bool {
	if len(v.parts) < maxParts {
		return false
	}
	total, live := 0, 0
	for i := range v.parts[0].texts {
		for _, e := range v.parts[0].texts[i].entries {
			total++
			if v.columns[e.column] > 0 && kept.hasColumn(e.column) {
				live++
			}
		}
	}
	return 2*live < total
}

// NewValues returns an index over values that were not read from a server; the
// values of a column come one after the other.
func NewValues(values iter.Seq2[*Column, string]) *Values {
	v := newValues(nil, nil)
	for c, value := range values {
		v.add(c, value)
	}
	return v
}

// add puts a value of the column into the index, once; the values of a column
// come one after the other.
func (v *Values) add(c *Column, value string) {
	ts := tokens(value)
	k := key(ts)
	if k == "" {
		return
	}
	p := v.parts[len(v.parts)-1]
	i, ok := p.exact[k]
	if !ok {
		i = int32(len(p.texts))
		p.texts = append(p.texts, text{key: k})
		p.exact[k] = i
		p.longest = max(p.longest, len(ts))
		if s := stemKey(ts); s != k {
			p.stems[s] = append(p.stems[s], i)
		}
		for _, g := range trigrams(k) {
			p.grams[g] = append(p.grams[g], i)
		}
	}
	t := &p.texts[i]
	for j := len(t.entries) - 1; j >= 0 && t.entries[j].column == c; j-- {
		if t.entries[j].value == value {
			return
		}
	}
	t.entries = append(t.entries, entry{c, value})
	v.count++
	if v.columns[c]++; v.columns[c] == 1 {
		for _, name := range []string{c.Name, c.Relation.Name.Name} {
			for _, w := range Words(name) {
				p.nouns[stem(singular(w))] = true
			}
		}
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
	out := make([]gram, 0, len(key)+2)
	for len(key) > 0 {
		word := key
		if i := strings.IndexByte(key, ' '); i >= 0 {
			word, key = key[:i], key[i+1:]
		} else {
			key = ""
		}
		a, b := byte(' '), byte(' ')
		for i := range len(word) + 1 {
			c := byte(' ')
			if i < len(word) {
				c = word[i]
			}
			if g := (gram{a, b, c}); !slices.Contains(out, g) {
				out = append(out, g)
			}
			a, b = b, c
		}
	}
	return out
}
