package guard

import (
	"sync"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// shape is a message type of the parse tree.
type shape struct {
	name   string
	number int32
	rule   rule
	known  bool // to the policy
	kind   kind
	fields []field           // in the order of pg_query.proto, which is the JSON's too
	nodes  map[string]*field // of Node, which wraps one of all the others: these by name
}

// field is a field of a message type.
type field struct {
	key   string // as the JSON has it: "name":
	id    fieldID
	shape *shape // scalar for what is no message
}

// fieldID stands for a field's name, which may be one of several message types.
type fieldID uint16

// fieldIDs are the names that have one. Names are added while the package
// starts and by shapes, which does it once.
var fieldIDs = map[string]fieldID{}

func idOf(name string) fieldID {
	id, ok := fieldIDs[name]
	if !ok {
		id = fieldID(len(fieldIDs) + 1)
		fieldIDs[name] = id
	}
	return id
}

// scalar is the shape of numbers, strings, enumerations and booleans.
var scalar = &shape{}

// grammar is the message types of pg_query.proto.
type grammar struct {
	root *shape
	all  []*shape // by their numbers; scalar is 0
}

// shapes returns the message types, from the root of all trees on.
var shapes = sync.OnceValue(func() *grammar {
	r := builtinRules()
	g := &grammar{all: []*shape{scalar}}
	made := map[protoreflect.FullName]*shape{}
	var of func(protoreflect.MessageDescriptor) *shape
	of = func(d protoreflect.MessageDescriptor) *shape {
		if s := made[d.FullName()]; s != nil {
			return s
		}
		s := &shape{name: string(d.Name()), number: int32(len(g.all)), fields: make([]field, d.Fields().Len())}
		s.rule, s.known = r.nodes[s.name]
		s.kind = kinds[s.name]
		made[d.FullName()] = s
		g.all = append(g.all, s)
		for i := range s.fields {
			f := d.Fields().Get(i)
			inner := scalar
			if f.Kind() == protoreflect.MessageKind {
				inner = of(f.Message())
			}
			s.fields[i] = field{key: `"` + f.JSONName() + `":`, id: idOf(f.JSONName()), shape: inner}
		}
		if s.name == "Node" {
			s.nodes = make(map[string]*field, len(s.fields))
			for i := range s.fields {
				s.nodes[d.Fields().Get(i).JSONName()] = &s.fields[i]
			}
		}
		return s
	}
	g.root = of((*pg_query.ParseResult)(nil).ProtoReflect().Descriptor())
	return g
})
