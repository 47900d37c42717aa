package replica_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// fuzzType is a type that the object fuzz knows how to write values of.
type fuzzType struct {
	name   string // in SQL, qualified
	array  string // the array type's own name, in SQL; empty if it is name[]
	kind   byte   // b base, d domain, e enum, c composite, r range, a array
	elem   *fuzzType
	fields []fuzzColumn
	values []string // of a base type
}

type fuzzColumn struct {
	name string
	t    *fuzzType
}

// fuzzRelation is a relation, whose rows are a type too.
type fuzzRelation struct {
	name string
	cols []fuzzColumn
	row  *fuzzType
}

// builtins are the types that everybody has.
func builtins() []*fuzzType {
	base := func(name string, values ...string) *fuzzType {
		return &fuzzType{name: name, kind: 'b', values: values}
	}
	return []*fuzzType{
		base("int", "1", "2", "7"), base("text", "x", "item 1"), base("numeric", "1.5", "3"), base("float8", "2.5", "1"),
		base("date", "2024-01-02"), base("timestamptz", "2024-01-02 03:04:05+00"), base("bool", "t", "f"), base("varchar", "x"),
		base("jsonb", `{"a": 1, "b": "q", "f1": "1"}`), base("json", `{"a": 1}`), base("public.citext", "tag"), base("public.hstore", "a=>1"),
		base("bigint", "1", "9"), base("uuid", "00000000-0000-0000-0000-000000000001"),
	}
}

// arrayOf returns the type's array type.
func arrayOf(t *fuzzType) *fuzzType {
	name := t.name + "[]"
	if t.array != "" {
		name = t.array
	}
	return &fuzzType{name: name, kind: 'a', elem: t}
}

// text returns a value of the type as the server reads it.
func (t *fuzzType) text(r *rand.Rand) string {
	quoted := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
	}
	switch t.kind {
	case 'd':
		return t.elem.text(r)
	case 'e':
		return "a"
	case 'a':
		return "{" + quoted(t.elem.text(r)) + "}"
	case 'r':
		v := quoted(t.elem.text(r))
		return "[" + v + "," + v + "]"
	case 'c':
		var list []string
		for _, f := range t.fields {
			list = append(list, quoted(f.t.text(r)))
		}
		return "(" + strings.Join(list, ",") + ")"
	}
	return t.values[r.IntN(len(t.values))]
}

// literal returns text as a constant of unknown type.
func (t *fuzzType) literal(r *rand.Rand) string {
	return "'" + strings.ReplaceAll(t.text(r), "'", "''") + "'"
}

// value returns a value of the type, in one of the ways to write it.
func (t *fuzzType) value(r *rand.Rand) string {
	l := t.literal(r)
	switch r.IntN(8) {
	case 0:
		return fmt.Sprintf("cast(%s as %s)", l, t.name)
	case 1:
		return fmt.Sprintf("%s %s", t.name, l)
	case 2:
		return fmt.Sprintf("%s(%s)", t.name, l)
	case 3:
		return "null::" + t.name
	case 4:
		if t.kind == 'd' {
			return t.elem.value(r) + "::" + t.name
		}
	}
	return l + "::" + t.name
}
