package catalog

import (
	"sync"
	"time"

	"askpg/catalog/schema"
)

// metadata is what the system catalogs of a database say of its relations to
// every role. Rights are in it as data: each role's snapshot is made of the same
// metadata (see project). Statistics and values, which PostgreSQL shows by
// privilege, are no part of it.
//
// Metadata is immutable. Later metadata shares with it what has not changed.
type metadata struct {
	baseline *baseline // with which a later scan is compared
	read     time.Time // when all of it was read, not changes only

	serverVersion int
	recovery      bool
	extensions    []string
	schemas       map[uint32]rawSchema
	relations     []rawRelation // ordered by schema and name
	inherits      []rawInherits
	columns       map[uint32][]rawColumn // of each relation, in order of attnum
	types         map[uint32]*rawType
	typeNames     map[typeMod]string
	typeParts     []rawTypePart // of the types that columns have, and of their parts
	enums         map[uint32][]string
	domainChecks  map[uint32][]string
	constraints   []rawConstraint // ordered by relation and name
	uniques       []rawUnique
	comments      map[object]string
	views         map[uint32]rawView
	functions     []rawFunction           // that users made, in order of schema, name and arguments
	functionNames map[uint32]string       // of all that are not built in; definitions show them
	collations    map[uint32]rawCollation // that columns have, and those that users made

	privateOnce  *sync.Once // see privateByName
	namedPrivate map[object]bool
}

// object is a relation (num 0) or one of its columns.
type object struct {
	oid uint32
	num int16
}

type typeMod struct {
	oid uint32
	mod int32
}

type rawSchema struct {
	name    string
	readers []uint32 // roles with USAGE, 0 for PUBLIC
}

type rawRelation struct {
	oid                 uint32
	xmin                uint32
	schemaOID, owner    uint32
	schema, name        string
	kind                Kind
	rows                float64
	pages               int32
	partition           bool
	populated, unlogged bool
	secured             bool     // has row security
	readers             []uint32 // roles with SELECT on all of it, 0 for PUBLIC

	// what a role may do with it, in a projection
	all, readable, rowSecure, trusted bool
}

type rawInherits struct{ child, parent uint32 }

type rawColumn struct {
	object
	name      string
	typ       typeMod
	notNull   bool
	local     bool
	generated bool
	identity  bool
	collation uint32   // 0 for none and for the database's
	readers   []uint32 // roles with SELECT on it, beside those of the relation
}

type rawType struct {
	category, kind byte
	base           uint32
	name           string
	notNull        bool
	collation      uint32
}

// rawTypePart is a type that values of another type hold: of its attribute if
// that is a composite type, else of its elements, bounds or base type.
type rawTypePart struct {
	whole, part uint32
	attribute   object // of pg_attribute, as a column; of none but composite types
	of          Name   // the composite type, or the relation whose row type it is
	name        string // the attribute's
}

type rawFunction struct {
	schema  uint32
	callers []uint32 // roles with EXECUTE, 0 for PUBLIC
	Function
}

type rawCollation struct {
	schema uint32
	schema.Collation
}

type rawConstraint struct {
	oid, xmin   uint32
	name        string
	kind        byte
	relation    uint32
	cols        []int16
	foreign     uint32
	foreignCols []int16
	definition  string // of a check
}

type rawUnique struct {
	relation uint32
	cols     []int16
	primary  bool
}

// usable reports whether a query on this server could read the relation at
// all: a standby has no unlogged data, and an unpopulated materialised view
// has none anywhere.
func (rel *rawRelation) usable(recovery bool) bool {
	return rel.populated && !(rel.unlogged && recovery)
}
