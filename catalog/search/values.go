package search

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"strings"

	"askpg/catalog/schema"
	"askpg/catalog/words"
)

// Values finds the columns that hold what a question mentions. It is
// immutable and safe for concurrent use; nil finds nothing.
type Values struct {
	// After a change only the values of changed relations are read anew: they
	// get a part of their own. Of the older parts only those columns count that
	// are still in columns.
	parts   []*valuePart
	count   int
	columns map[*schema.Column]int // number of values of each indexed column
	omitted []omitted
}

// valuePart is an index over values.
type valuePart struct {
	texts    []text
	exact    map[string]int32    // text by its key
	stems    map[string][]int32  // texts by words.StemKey, where it is another than their key
	trigrams map[trigram][]int32 // texts by trigram of their key
	longest  int                 // tokens of the longest key
	nouns    map[string]bool     // stems of the words in names of indexed columns and their relations
}

// text is what values have in common that differ in case, accents and
// punctuation only.
type text struct {
	key     string
	entries []entry // by column
}

type entry struct {
	column *schema.Column
	value  string
}

// omitted is a column whose values the index does not hold, or not all of
// them, and why.
type omitted struct {
	Column *schema.Column
	Why    string
}

// Omitted returns what was left out of the index, in order of the snapshot.
func (v *Values) Omitted() []omitted {
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
func (v *Values) Of(c *schema.Column) []string {
	if v == nil || v.columns[c] == 0 {
		return nil
	}
	var out []string
	for column, value := range v.All() {
		if column == c {
			out = append(out, value)
		}
	}
	sort.Strings(out)
	return out
}

// Has reports whether the column holds just this value. known is false if the
// index does not tell: if it does not hold all values of the column.
func (v *Values) Has(c *schema.Column, value string) (has, known bool) {
	if v == nil {
		return false, false
	}
	if slices.Contains(v.spellings(c, value), value) {
		return true, true
	}
	return false, v.complete(c)
}

// Spellings returns the column's values that are a text but for case, accents
// and punctuation. known is false if the index does not hold all values of the
// column, so that there may be others.
func (v *Values) Spellings(c *schema.Column, text string) (values []string, known bool) {
	if v == nil || v.columns[c] == 0 {
		return nil, false
	}
	return v.spellings(c, text), v.complete(c)
}

func (v *Values) spellings(c *schema.Column, text string) (values []string) {
	for e := range v.entries(words.Key(words.Tokens(text))) {
		if e.column == c {
			values = append(values, e.value)
		}
	}
	return values
}

// complete reports whether the index holds all values of a column.
func (v *Values) complete(c *schema.Column) bool {
	return v.columns[c] > 0 && !slices.ContainsFunc(v.omitted, func(o omitted) bool { return o.Column == c })
}

// All yields the columns' values, in no order.
func (v *Values) All() iter.Seq2[*schema.Column, string] {
	return func(yield func(*schema.Column, string) bool) {
		if v == nil {
			return
		}
		for _, p := range v.parts {
			for e := range p.entries() {
				if v.columns[e.column] > 0 && !yield(e.column, e.value) {
					return
				}
			}
		}
	}
}

// Containing yields the columns' values that have a text in them, but for case, accents and punctuation, in no order.
func (v *Values) Containing(text string) iter.Seq2[*schema.Column, string] {
	return func(yield func(*schema.Column, string) bool) {
		key := words.Key(words.Tokens(text))
		if v == nil || key == "" {
			return
		}
		for _, p := range v.parts {
			for _, i := range p.rarest(trigramsOf(key)) {
				for _, e := range p.texts[i].entries {
					if v.columns[e.column] > 0 && strings.Contains(p.texts[i].key, key) && !yield(e.column, e.value) {
						return
					}
				}
			}
		}
	}
}

// rarest returns the texts that have the trigram of which there are the fewest.
func (p *valuePart) rarest(trigrams []trigram) []int32 {
	return p.trigrams[slices.MinFunc(trigrams, func(a, b trigram) int { return cmp.Compare(len(p.trigrams[a]), len(p.trigrams[b])) })]
}

func (p *valuePart) entries() iter.Seq[entry] {
	return func(yield func(entry) bool) {
		for i := range p.texts {
			for _, e := range p.texts[i].entries {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// NewValues returns an index over values that were not read from a server. The
// values of a column come one after the other.
func NewValues(values iter.Seq2[*schema.Column, string]) *Values {
	v := extend(nil, nil)
	for c, value := range values {
		v.add(c, value)
	}
	return v
}

// extend returns an index to add to: empty, or with the values that an earlier
// one has of the relations that are unchanged.
func extend(old *Values, unchanged map[*schema.Relation]bool) *Values {
	v := &Values{columns: map[*schema.Column]int{}}
	var merged []entry
	if old != nil {
		v.parts = slices.Clip(old.parts)
		if len(old.parts) >= maxParts { // the first part is the large one; the others become one
			v.parts = slices.Clip(old.parts[:1])
			merged = old.entriesOf(old.parts[1:], unchanged)
		}
		v.takeOver(old, merged, unchanged)
	}
	v.parts = append(v.parts, &valuePart{exact: map[string]int32{}, stems: map[string][]int32{}, trigrams: map[trigram][]int32{}, nouns: map[string]bool{}})
	for _, e := range merged {
		v.add(e.column, e.value)
	}
	return v
}

// entriesOf returns what the parts have of unchanged relations, column by
// column.
func (v *Values) entriesOf(parts []*valuePart, unchanged map[*schema.Relation]bool) []entry {
	var out []entry
	for _, p := range parts {
		for e := range p.entries() {
			if v.columns[e.column] > 0 && unchanged[e.column.Relation] {
				out = append(out, e)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b entry) int {
		return cmp.Or(a.column.Relation.Name.Compare(b.column.Relation.Name), strings.Compare(a.column.Name, b.column.Name))
	})
	return out
}

// takeOver takes over what an earlier index knows of the columns of unchanged
// relations. Those of the merged values are counted when these are added.
func (v *Values) takeOver(old *Values, merged []entry, unchanged map[*schema.Relation]bool) {
	later := map[*schema.Column]bool{}
	for _, e := range merged {
		later[e.column] = true
	}
	for c, n := range old.columns {
		if unchanged[c.Relation] && !later[c] {
			v.columns[c] = n
			v.count += n
		}
	}
	for _, o := range old.omitted {
		if unchanged[o.Column.Relation] {
			v.omitted = append(v.omitted, o)
		}
	}
}

// mostlyStale reports whether, in an index of many parts, less than half of the
// values in the first and largest part are of unchanged relations. Then it is
// better to read everything anew.
func (v *Values) mostlyStale(unchanged map[*schema.Relation]bool) bool {
	if len(v.parts) < maxParts {
		return false
	}
	total, current := 0, 0
	for e := range v.parts[0].entries() {
		total++
		if v.columns[e.column] > 0 && unchanged[e.column.Relation] {
			current++
		}
	}
	return 2*current < total
}

// add puts a value of the column into the index, once. The values of a column
// come one after the other.
func (v *Values) add(c *schema.Column, value string) {
	tokens := words.Tokens(value)
	k := words.Key(tokens)
	if k == "" {
		return
	}
	p := v.parts[len(v.parts)-1]
	t := p.text(k, tokens)
	for i := len(t.entries) - 1; i >= 0 && t.entries[i].column == c; i-- {
		if t.entries[i].value == value {
			return
		}
	}
	t.entries = append(t.entries, entry{c, value})
	v.count++
	if v.columns[c]++; v.columns[c] == 1 {
		p.addNouns(c)
	}
}

// text returns the text of a key, a new one if need be.
func (p *valuePart) text(k string, tokens []words.Token) *text {
	i, ok := p.exact[k]
	if !ok {
		i = int32(len(p.texts))
		p.texts = append(p.texts, text{key: k})
		p.exact[k] = i
		p.longest = max(p.longest, len(tokens))
		if s := words.StemKey(tokens); s != k {
			p.stems[s] = append(p.stems[s], i)
		}
		for _, g := range trigramsOf(k) {
			p.trigrams[g] = append(p.trigrams[g], i)
		}
	}
	return &p.texts[i]
}

// addNouns adds the words in the names of a column and its relation.
func (p *valuePart) addNouns(c *schema.Column) {
	for _, name := range []string{c.Name, c.Relation.Name.Name} {
		for _, w := range words.Split(name) {
			p.nouns[words.Stem(words.Singular(w))] = true
		}
	}
}

func (v *Values) omit(c *schema.Column, why string) { v.omitted = append(v.omitted, omitted{c, why}) }
