// Package schema has the parts of a database that the catalog, its joins and
// its search speak of: relations, columns, keys and measures. They are data;
// whoever has them from a snapshot must not change them.
//
// Everything that comes out of a database (names, comments, values) is
// untrusted text to whoever shows it to a model.
package schema

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Kind is the kind of a relation, as in pg_class.relkind.
type Kind byte

// The kinds of relation that a query may read from.
const (
	Table            Kind = 'r'
	PartitionedTable Kind = 'p'
	View             Kind = 'v'
	MaterializedView Kind = 'm'
	ForeignTable     Kind = 'f'
)

// Name is a schema-qualified name, unquoted.
type Name struct {
	Schema, Name string
}

// Compare orders names by schema, then by name.
func (n Name) Compare(m Name) int {
	return cmp.Or(strings.Compare(n.Schema, m.Schema), strings.Compare(n.Name, m.Name))
}

// Relation is a table, view, materialised view, partitioned or foreign table.
type Relation struct {
	Name
	OID        uint32
	Kind       Kind
	Comment    string
	Columns    []*Column // those that the role may read, in order of attnum
	Denied     []string  // names of the columns that it may not read; never shown to a model
	PrimaryKey []*Column // nil if it has none or if the role may not read all of it
	Unique     [][]*Column
	Checks     []string // constraint definitions
	Rows       float64  // estimate, -1 if unknown
	RowSecure  bool     // row security narrows what the role sees
	Closed     bool     // a view that reads private columns, or may: nothing of its rows is shown to a model
	Definition string   // a view's query
	Synonyms   []string // other words for its rows, by an admin
	Time       *Column  // that a question's dates are about unless it says otherwise, by an admin; may be nil

	Condition   Expression // that its rows have to meet unless a question says otherwise, by an admin
	Agreed      string     // when and by whom Condition was
	Owner       uint32     // the role that owns it, by whose rights a view reads
	Fingerprint string     // of all but statistics: equal for equal relations
	HasPrivate  bool       // a column of it is private, also one that the role does not see
	PerRole     bool       // one role may see other values than another, whatever row security says
	Plain       bool       // reading it runs nobody's code and reaches no other server
	Codes       bool       // its rows say what the codes of other relations' columns mean
}

// Open reports whether no column of the relation is private, so that whole
// rows of it may be shown.
func (r *Relation) Open() bool {
	return !r.HasPrivate && !r.Closed && !slices.ContainsFunc(r.Columns, func(c *Column) bool { return c.Private })
}

// Shared reports whether the relation is proved to show the same rows to every
// role that may read it. Then what is read of it for one may be kept for
// another. Values of other relations are not read for a snapshot.
func (r *Relation) Shared() bool { return !r.RowSecure && !r.PerRole && !r.Closed }

// Column returns the relation's column of that name, or nil.
func (r *Relation) Column(name string) *Column {
	for _, c := range r.Columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// ColumnNumber returns the relation's column of that attnum, or nil.
func (r *Relation) ColumnNumber(num int16) *Column {
	if i, ok := slices.BinarySearchFunc(r.Columns, num, func(c *Column, num int16) int { return int(c.Num) - int(num) }); ok {
		return r.Columns[i]
	}
	return nil
}

// Filter returns the SQL of the condition that the relation's rows have to
// meet unless a question says otherwise, or "". Columns are qualified by what
// alias returns for their relation.
func (r *Relation) Filter(alias func(*Relation) string) string { return r.Condition.sql(alias) }

// FilterColumns returns the columns that Filter reads.
func (r *Relation) FilterColumns() []*Column { return r.Condition.Columns() }

// QuotedName returns the relation's qualified name as SQL has it.
func (r *Relation) QuotedName() string { return pgx.Identifier{r.Schema, r.Name.Name}.Sanitize() }

// Quote returns a name as SQL has it, in quotation marks.
func Quote(name string) string { return pgx.Identifier{name}.Sanitize() }
