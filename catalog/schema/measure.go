package schema

import (
	"slices"
	"strings"
)

// Measure is an aggregate with a name, by an admin, or a term: rows that meet a
// condition, which have no aggregate, or a value of each row. Those over
// something that the role may not read are not in its snapshot.
type Measure struct {
	Name        string
	Synonyms    []string
	Description string
	Relation    *Relation   // whose rows are aggregated or meant
	Relations   []*Relation // all that the expression and the filter read, Relation first
	Aggregate   Expression  // of a term the value, empty if it has a condition
	Condition   Expression  // on the rows; may be empty
	Agreed      string      // when and by whom, as an admin has it
	Time        *Column     // of Relation, that a question's dates are about; nil for the relation's own
}

// Expression returns the SQL of the aggregate, with columns qualified by what
// alias returns for their relation.
func (m *Measure) Expression(alias func(*Relation) string) string { return m.Aggregate.sql(alias) }

// ValueColumns returns the columns that Expression reads.
func (m *Measure) ValueColumns() []*Column { return m.Aggregate.Columns() }

// Filter returns the SQL of the condition on the aggregated rows, or "".
func (m *Measure) Filter(alias func(*Relation) string) string { return m.Condition.sql(alias) }

// FilterColumns returns the columns that Filter reads.
func (m *Measure) FilterColumns() []*Column { return m.Condition.Columns() }

// Query is a statement by which an admin says how something is computed that
// takes more than an expression over one relation. Those that name something
// which the role may not read, or something private, are not in its snapshot.
type Query struct {
	Names       []string // of what it computes
	Description string
	SQL         string
	Relations   []*Relation // that it reads
}

// Expression is SQL text with the places of its columns. The zero value is
// empty.
type Expression struct {
	Text string
	Refs []Reference // in order of the text
}

// Reference is a column's place in an expression.
type Reference struct {
	Start, End int // byte offsets
	Column     *Column
}

// sql returns the expression with its columns qualified by what alias returns
// for their relation.
func (e Expression) sql(alias func(*Relation) string) string {
	return e.With(func(c *Column) string { return alias(c.Relation) + "." + Quote(c.Name) })
}

// With returns the expression with what column returns in place of each of its columns.
func (e Expression) With(column func(*Column) string) string {
	var b strings.Builder
	at := 0
	for _, r := range e.Refs {
		b.WriteString(e.Text[at:r.Start])
		b.WriteString(column(r.Column))
		at = r.End
	}
	b.WriteString(e.Text[at:])
	return b.String()
}

// Private reports whether a column of it is private: what it is compared with may be a value of it, so
// that no model is told the expression.
func (e Expression) Private() bool {
	return slices.ContainsFunc(e.Refs, func(r Reference) bool { return r.Column.Private })
}

// Columns returns the columns that an expression reads, as often as it does.
func (e Expression) Columns() []*Column {
	var out []*Column
	for _, r := range e.Refs {
		out = append(out, r.Column)
	}
	return out
}
