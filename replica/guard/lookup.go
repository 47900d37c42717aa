package guard

import "context"

// Lookup resolves names and OIDs in the database that a statement is meant
// for. With an empty schema it answers along the session's search path, in the
// order of the path, pg_catalog where the server would look at it. What it
// returns is shared and is not changed by anyone.
type Lookup interface {
	// Functions returns every function, aggregate and window function of the
	// name, the overloads of one schema together.
	Functions(schema, name string) []*Function
	// Operators returns every operator of the name.
	Operators(schema, name string) []*Operator
	// Types returns the types of the name; empty if there is none.
	Types(schema, name string) []*Type
	// Relations returns what the names stand for, index by index; a zero OID
	// where there is no such relation.
	Relations(ctx context.Context, names []Name) ([]Relation, error)

	// HaveColumn says whether each of these relations has a column of the name.
	HaveColumn(ctx context.Context, oids []uint32, name string) (bool, error)

	// The same by OID; nil where there is no such object.
	FunctionOf(oid uint32) *Function
	OperatorOf(oid uint32) *Operator
	TypeOf(oid uint32) *Type
	RelationsOf(ctx context.Context, oids []uint32) ([]Relation, error)
	// CastsOf returns the casts made by users, from or to the type.
	CastsOf(typeOID uint32) []Cast
	// Owners says what is wrong with the owners of all that stands behind
	// names and objects: what reading or calling them may run. It is empty
	// where everything belongs to owners who are trusted.
	Owners(ctx context.Context, mentions []Mention, objects []Object) ([]Problem, error)
}

// Mention is a name in a statement and what it may stand for.
type Mention struct {
	Kind mentionKind
	Name Name
}

// mentionKind says what a name may stand for.
type mentionKind byte

const (
	mentionRelation  mentionKind = 'r'
	mentionType      mentionKind = 't'
	mentionFunction  mentionKind = 'f' // or a type that is called like one
	mentionOperator  mentionKind = 'o'
	mentionCollation mentionKind = 'c'
	mentionAttribute mentionKind = 'a' // name in x.name, where x is a column or a relation
	mentionField     mentionKind = 'i' // name in (expression).name
	MentionAny       mentionKind = 'x' // no name: the statement may open any relation by its OID
	mentionSearch    mentionKind = 's' // no name: the statement may use any text search configuration or dictionary
)

// Object is an object as pg_depend has it.
type Object struct{ Class, OID uint32 }

// OIDs of catalogs, which are the same in all versions.
const (
	classType     = 1247
	classFunction = 1255
	ClassRelation = 1259
	classOperator = 2617

	classCollation  = 3456
	classDictionary = 3600
	ClassConfig     = 3602 // pg_ts_config
)

// namedBy are the classes of the objects that constants of types such as regclass name, by the
// types' OIDs. They are those that PostgreSQL itself takes for a dependency
// (find_expr_references_walker) and that have, or run, code.
var namedBy = map[uint32]uint32{
	24: classFunction, 2202: classFunction, 2203: classOperator, 2204: classOperator, // regproc, regprocedure, regoper, regoperator
	2205: ClassRelation, 2206: classType, 4191: classCollation, // regclass, regtype, regcollation
	regconfig: ClassConfig, regdictionary: classDictionary,
}

// OIDs of types whose values name what text search runs, and of their arrays.
const (
	regconfig       = 3734
	regconfigs      = 3735
	regdictionary   = 3769
	regdictionaries = 3770
)

// Name is the name of an object; Schema is empty where it was not written.
type Name struct{ Schema, Name string }

func (n Name) String() string {
	if n.Schema == "" {
		return n.Name
	}
	return n.Schema + "." + n.Name
}

// Function is what the guard needs to know of a pg_proc row.
type Function struct {
	OID      uint32
	Schema   string
	Name     string
	ArgTypes string // OIDs as in proargtypes, so that identical overloads can be told
	Args     string // for people: "integer, text"
	MinArgs  int    // arguments without a default
	MaxArgs  int    // -1 if it is variadic
	Volatile byte   // i, s or v
	Definer  bool   // SECURITY DEFINER

	Extension string // extension that it belongs to
	MadeFor   bool   // the server made it for a range type, to construct its values
	Trusted   bool   // owned by a superuser or by the database's owner
	Superuser bool   // owned by a superuser

	Procedural bool // written in a procedural language, such as PL/pgSQL, which can run SQL that it makes from texts

	known   *Guard       // that has judged it beforehand, see Guard.Know
	allowed [places]bool // by it, by the place of the call
}

// Operator is a pg_operator row.
type Operator struct {
	OID      uint32
	Schema   string
	Name     string
	Left     uint32 // 0 for a prefix operator
	Right    uint32
	Function uint32
}

// Type is a pg_type row.
type Type struct {
	OID       uint32
	Schema    string
	Name      string
	Kind      byte     // as typtype: b, c, d, e, p, r, m
	Parts     []uint32 // of a domain its base, of a composite type its columns' types, those made by users
	Extension string
	Check     *Tree // of a domain: its constraints; nil without one
}

// Relation is a pg_class row.
type Relation struct {
	OID      uint32
	Schema   string
	Name     string
	Kind     byte     // as relkind
	Trusted  bool     // owned by a superuser or by the database's owner
	Foreign  bool     // a foreign table, or one with foreign partitions or children
	Body     string   // node trees: a view's query, row security policies; empty if there are none
	TypeOIDs []uint32 // of columns, types made by users only
}

// Cast is a pg_cast row made by a user.
type Cast struct {
	Source, Target uint32
	Function       uint32 // 0 if binary or by I/O functions
}
