package translator

import (
	"cmp"
	"slices"
	"strings"

	"askpg/catalog"
	"askpg/translator/refs"
	"askpg/translator/sentence"
)

// inWords says in plain words what a statement answers, and which definitions of an administrator it goes by.
func (s *state) inWords(sql string) string {
	return strings.Join(slices.DeleteFunc([]string{s.sentence(sql), s.followed(sql)}, func(p string) bool { return p == "" }), "; ")
}

func (s *state) sentence(sql string) string { return Sentence(s.snap, s.set.searchPath, sql) }

// Sentence says in plain words what a statement answers, "" if there are none for it.
func Sentence(snap *catalog.Snapshot, path []string, sql string) string {
	text, _ := sentence.Of(sql, &sentenceSchema{snap, path})
	return text
}

// sentenceSchema is what a snapshot knows of the columns of a statement.
type sentenceSchema struct {
	snap *catalog.Snapshot
	path []string
}

// IsKey says whether columns join by a key that is declared or implied, or refer to the same column. Where several keys join two
// relations none does: which one is taken makes a difference. Of a column that a query has made it goes by the other one, and of two by their names.
func (t *sentenceSchema) IsKey(a, b sentence.Column) bool {
	left, right := t.column(a), t.column(b)
	switch {
	case left == nil && right == nil:
		return a.Name == b.Name
	case left == nil || right == nil:
		return len(t.targets(cmp.Or(left, right))) > 0
	case t.keys(left.Relation, right.Relation) > 1:
		return false
	}
	return slices.ContainsFunc(t.targets(left), func(c *catalog.Column) bool { return slices.Contains(t.targets(right), c) })
}

// keys counts the keys from one of two relations to the other.
func (t *sentenceSchema) keys(a, b *catalog.Relation) int {
	n := 0
	for _, k := range t.snap.ForeignKeys {
		if k.From == a && k.To == b || k.From == b && k.To == a {
			n++
		}
	}
	return n
}

// targets returns the columns that a column identifies or refers to as part of a key.
func (t *sentenceSchema) targets(c *catalog.Column) []*catalog.Column {
	var out []*catalog.Column
	if c.Unique || slices.Contains(c.Relation.PrimaryKey, c) {
		out = append(out, c)
	}
	for _, k := range t.snap.ForeignKeys {
		if i := slices.Index(k.FromCols, c); i >= 0 {
			out = append(out, k.ToCols[i])
		}
		if slices.Contains(k.ToCols, c) {
			out = append(out, c)
		}
	}
	return out
}

// NotNull says whether a column of a table has a value in each row.
func (t *sentenceSchema) NotNull(c sentence.Column) bool {
	column := t.column(c)
	return column != nil && column.NotNull
}

// IsUnique says whether a column is a key of its table by itself.
func (t *sentenceSchema) IsUnique(c sentence.Column) bool {
	column := t.column(c)
	return column != nil && column.Unique
}

func (t *sentenceSchema) column(c sentence.Column) *catalog.Column {
	r := refs.Find(t.snap, t.path, c.Schema, c.Relation)
	if r == nil {
		return nil
	}
	return r.Column(c.Name)
}
