package catalog

import (
	"iter"

	"askpg/catalog/joins"
	"askpg/catalog/schema"
	"askpg/catalog/search"
	"askpg/catalog/words"
)

// What a snapshot is made of, by the names that its users know it by.
type (
	Name       = schema.Name
	Kind       = schema.Kind
	Relation   = schema.Relation
	Column     = schema.Column
	Class      = schema.Class
	Profile    = schema.Profile
	Function   = schema.Function
	ForeignKey = schema.ForeignKey
	Measure    = schema.Measure
	Label      = schema.Label
	Reference  = schema.Reference
	Query      = schema.Query
	Join       = joins.Join
	Values     = search.Values
	Hit        = search.Hit
	Embedder   = search.Embedder
)

// The kinds of relation that a query may read from.
const (
	Table            = schema.Table
	PartitionedTable = schema.PartitionedTable
	View             = schema.View
	MaterializedView = schema.MaterializedView
	ForeignTable     = schema.ForeignTable
)

// The classes of columns.
const (
	Other     = schema.Other
	Text      = schema.Text
	Number    = schema.Number
	Boolean   = schema.Boolean
	Date      = schema.Date
	Timestamp = schema.Timestamp
	Time      = schema.Time
	Interval  = schema.Interval
	Enum      = schema.Enum
	UUID      = schema.UUID
	Array     = schema.Array
)

// Words splits a name as people write names: at "_" and other punctuation,
// where the case changes, and between letters and digits. Each word is in lower
// case and without accents.
func Words(name string) []string { return words.Split(name) }

// Role returns what the columns of a key say of the thing that they refer to,
// beside its name: owner of accounts.owner_id. Columns that refer to the same
// key join their relations only if their roles are the same.
func Role(k *ForeignKey) string { return joins.Role(k) }

// Stems returns the stems of the words of a name or text.
func Stems(text string) []string {
	list := words.Split(text)
	for i, w := range list {
		list[i] = words.Stem(w)
	}
	return list
}

// Asked returns the stems that a text asks for and how much each counts, at most 1. They are those
// of its content words. What these abbreviate, and words of names that answer them, count less.
func Asked(text string) map[string]float64 { return search.Asked(text) }

// NewValues returns an index over values that were not read from a server; the
// values of a column come one after the other.
func NewValues(values iter.Seq2[*Column, string]) *Values { return search.NewValues(values) }
