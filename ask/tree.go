package ask

import (
	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Operator returns the name of an expression's operator, "" if it has none or one with a schema.
func Operator(e *pg_query.A_Expr) string {
	if len(e.GetName()) != 1 {
		return ""
	}
	return e.Name[0].GetString_().GetSval()
}

// Nodes calls visit with every node of a parse tree, parents first.
func Nodes(tree *pg_query.ParseResult, visit func(*pg_query.Node)) {
	Walk(tree.ProtoReflect(), func(m protoreflect.Message) {
		if n, ok := m.Interface().(*pg_query.Node); ok {
			visit(n)
		}
	})
}

// Walk visits a message of a parse tree and every message below it, parents
// first.
func Walk(m protoreflect.Message, visit func(protoreflect.Message)) {
	WalkInto(m, func(m protoreflect.Message) bool { visit(m); return true })
}

// WalkInto is Walk that goes no deeper where visit returns false.
func WalkInto(m protoreflect.Message, visit func(protoreflect.Message) bool) {
	if !visit(m) {
		return
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Kind() != protoreflect.MessageKind:
		case f.IsList():
			for i := range v.List().Len() {
				WalkInto(v.List().Get(i).Message(), visit)
			}
		default:
			WalkInto(v.Message(), visit)
		}
		return true
	})
}
