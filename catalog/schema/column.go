package schema

// Column is a column that the role may read.
type Column struct {
	Relation   *Relation
	Name       string
	Num        int16  // attnum
	Type       string // as format_type prints it
	TypeOID    uint32
	Class      Class // what a question can do with it
	NotNull    bool
	Unique     bool     // alone, by a key or index
	Generated  bool     // computed from other columns
	Identity   bool     // numbered by the server
	Private    bool     // excluded from prompts, samples and the value index; its name stays
	Allowed    []string // values that a CHECK constraint of the column or its domain lists
	Comment    string
	Enum       []string   // labels of an enum type, in their order
	Synonyms   []string   // other words for it, by an admin
	Unit       string     // of its numbers, by an admin
	Labels     []Label    // what its values mean, by an admin, a view of the owner or a code table, ordered by value
	LabelsRead bool       // Labels are rows of a table
	Collation  *Collation // nil for the database's and for types without one
	Profile    *Profile   // nil without statistics, or if the role may not read them
}

// Label is what a value means.
type Label struct {
	Value string // as PostgreSQL prints it
	Text  string
}

// ColumnID names a column, or a relation by Num 0, across snapshots.
type ColumnID struct {
	OID uint32 // of the relation
	Num int16  // attnum
}

// ID returns the column's ColumnID.
func (c *Column) ID() ColumnID { return ColumnID{c.Relation.OID, c.Num} }

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

// Collation is one that a column has beside the database's, or that users made.
type Collation struct {
	Name
	OID    uint32
	Locale string // "" where the provider needs none
	Loose  bool   // not deterministic: texts that differ in their bytes, such as in case, can be equal
}
