// Package catalog knows a database as one role may see it: relations, columns,
// keys, comments, statistics, the values that columns hold, and how tables
// join. Snapshots are immutable and safe for concurrent use.
//
// Everything that comes out of a database (names, comments, values) is
// untrusted text to whoever shows it to a model.
package catalog

import (
	"slices"
	"sync"
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

// Snapshot is one database as one role may read it at one version.
type Snapshot struct {
	Version       string // changes with every DDL, GRANT or COMMENT that the role could notice
	Database      string
	Role          string
	ServerVersion int         // server_version_num
	Relations     []*Relation // readable ones, partitions folded into their parent, ordered by schema and name
	ForeignKeys   []*ForeignKey
	Denied        []Name      // relations that exist and that the role may not read at all; never shown to a model
	Unusable      []Name      // readable, but without data on this server: unlogged ones on a standby, unpopulated materialised views
	Values        *Values     // never nil
	Measures      []*Measure  // aggregates that an admin has named
	Problems      []Problem   // what of the semantics file does not fit this database and role
	Extensions    []string    // installed ones, such as pg_trgm
	Functions     []Function  // that users made and a query of the role may call, ordered by schema and name
	Collations    []Collation // that users made
	Exposed       []string    // schemas in which roles that are not trusted may create objects: names are written with them

	avoided    []string  // identities of joins that an admin does not want
	shared     *Snapshot // that has the search index, if not this one
	indexed    sync.Once
	byName     map[Name]*Relation
	graph      *graph
	searchable sync.Once
	found      *index
	meaning    meaning
}

// Name is a schema-qualified name, unquoted.
type Name struct {
	Schema, Name string
}

// Relation is a table, view, materialised view, partitioned or foreign table.
type Relation struct {
	Name
	OID        uint32
	Kind       Kind
	Comment    string
	Columns    []*Column // those that the role may read, in order of attnum
	PrimaryKey []*Column // nil if it has none or if the role may not read all of it
	Unique     [][]*Column
	Checks     []string // constraint definitions
	Rows       float64  // estimate, -1 if unknown
	RowSecure  bool     // row security narrows what the role sees
	Closed     bool     // a view that reads private columns, or may: nothing of its rows is shown to a model
	Definition string   // a view's query
	Synonyms   []string // other words for its rows, by an admin
	Time       *Column  // that a question's dates are about unless it says otherwise, by an admin; may be nil

	owner   uint32 // of a view, by whose rights it reads; else 0
	mark    string // equal for equal relations; of all but statistics
	guarded bool   // a column of it is private, among those too that the role does not see
	own     bool   // one role may see other values than another, whatever row security says
	secured bool   // no value is read for a snapshot: RowSecure, own or Closed
	plain   bool   // reading it runs nobody's code and reaches no other server
	hidden  bool
	trimmed bool // without its hidden columns
	filter  expression
}

// Open says whether no column of the relation is private, so that whole rows
// of it may be shown.
func (r *Relation) Open() bool {
	return !r.guarded && !r.Closed && !slices.ContainsFunc(r.Columns, func(c *Column) bool { return c.Private })
}

// Shared says whether the relation is proved to show the same rows to every
// role that may read it: what is read of it for one may be kept for another.
func (r *Relation) Shared() bool { return !r.secured }

// Column is a column that the role may read.
type Column struct {
	Relation  *Relation
	Name      string
	Num       int16
	Type      string // as format_type prints it
	TypeOID   uint32
	Class     Class // what a question can do with it
	NotNull   bool
	Unique    bool     // alone, by a key or index
	Generated bool     // computed from other columns
	Identity  bool     // numbered by the server
	Private   bool     // excluded from prompts, samples and the value index; its name stays
	Allowed   []string // values that a CHECK constraint of the column or its domain lists
	Comment   string
	Enum      []string   // labels of an enum type, in their order
	Synonyms  []string   // other words for it, by an admin
	Unit      string     // of its numbers, by an admin
	Collation *Collation // nil for the database's and for types without one
	Profile   *Profile   // nil without statistics, or if the role may not read them

	hidden bool
}

// Class is what kind of values a column holds.
type Class byte

// The classes of columns.
const (
	Other Class = iota
	Text
	Number
	Boolean
	Date
	Timestamp
	Time
	Interval
	Enum
	UUID
	JSON
	Array
)

// Profile is what pg_stats says of a column.
type Profile struct {
	NullFrac float64
	Distinct float64   // estimated number of distinct values, absolute
	Common   []string  // most common values, most frequent first; of a sample, some values in alphabetical order
	Freqs    []float64 // of Common; nil of a sample
	Min, Max string    // bounds, empty if unknown
	Width    int       // bytes on average
	Sampled  bool      // made of the first rows, because there are no statistics
	Rows     int64     // that it was sampled from
}

// ForeignKey is a join edge from one relation to another.
type ForeignKey struct {
	Name     string
	From, To *Relation
	FromCols []*Column
	ToCols   []*Column
	Implied  bool // found by names, types and values, or in use, not declared
	Cost     int  // of a join over it, 0 for the default: 1, 2 if it is known by its use, 3 if it is implied otherwise

	Calls int64 // of statements that join by it, as far as pg_stat_statements shows them to the role

	mined     bool // known by its use alone
	preferred bool // by an admin
}

// Lookup returns the relation of a schema-qualified name, or nil.
func (s *Snapshot) Lookup(schema, name string) *Relation {
	s.index()
	return s.byName[Name{schema, name}]
}

// index builds, once, what Lookup, Path and Tree look things up in. From then
// on the relations and keys of the snapshot must not be changed.
func (s *Snapshot) index() {
	s.indexed.Do(func() {
		s.byName = make(map[Name]*Relation, len(s.Relations))
		for _, r := range s.Relations {
			s.byName[r.Name] = r
		}
		s.graph = newGraph(s.Relations, s.ForeignKeys)
	})
}

// searchIndex builds, once, what Search looks things up in.
func (s *Snapshot) searchIndex() *index {
	if s.shared != nil {
		return s.shared.searchIndex()
	}
	return s.searchOn(nil)
}

// searchOn does so on top of an earlier snapshot's index.
func (s *Snapshot) searchOn(old *index) *index {
	s.index()
	s.searchable.Do(func() { s.found = newIndex(s, old) })
	return s.found
}

// Column returns the relation's column of that name, or nil.
func (r *Relation) Column(name string) *Column {
	for _, c := range r.Columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}
