package ask

import "google.golang.org/protobuf/reflect/protoreflect"

// Walk visits a message of a parse tree and every message below it, parents
// first.
func Walk(m protoreflect.Message, visit func(protoreflect.Message)) {
	visit(m)
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Kind() != protoreflect.MessageKind:
		case f.IsList():
			for i := range v.List().Len() {
				Walk(v.List().Get(i).Message(), visit)
			}
		default:
			Walk(v.Message(), visit)
		}
		return true
	})
}
