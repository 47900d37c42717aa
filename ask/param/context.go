package param

import (
	"slices"
	"strings"

	"askpg/ask"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// placed is a constant of a statement and what its place says of it.
type placed struct {
	value   string
	typ     Type
	pattern pattern
	equal   bool
	column  string // that it is compared with
}

// castTypes are the types that a cast gives, by pg_type.typname.
var castTypes = map[string]Type{
	"date": typeDate, "timestamp": typeTimestamp, "timestamptz": typeTimestamp, "interval": typeInterval, "bool": typeBoolean,
	"int2": typeInteger, "int4": typeInteger, "int8": typeInteger, "numeric": typeNumeric, "float4": typeNumeric, "float8": typeNumeric,
	"text": typeText, "varchar": typeText, "bpchar": typeText,
}

// unitFunctions take a unit of time as their first argument.
var unitFunctions = []string{"date_trunc", "date_part", "extract"}

// constants returns the constants of a statement by their places.
func constants(tree *pg_query.ParseResult) map[int]*placed {
	at := map[int]*placed{}
	of := func(n *pg_query.Node) *placed {
		if c := n.GetAConst(); c != nil {
			return at[int(c.Location)]
		}
		return nil
	}
	root := tree.ProtoReflect()
	ask.Walk(root, func(m protoreflect.Message) {
		if c, ok := m.Interface().(*pg_query.A_Const); ok && !c.Isnull && c.GetBsval() == nil {
			at[int(c.Location)] = place(c)
		}
	})
	whole := func(n *pg_query.Node) {
		if p := of(n); p != nil && p.typ == typeNumeric && !strings.Contains(p.value, ".") {
			p.typ = typeInteger
		}
	}
	ask.Walk(root, func(m protoreflect.Message) {
		switch n := m.Interface().(type) {
		case *pg_query.TypeCast:
			if p := of(n.Arg); p != nil && n.TypeName != nil && len(n.TypeName.Names) > 0 && p.typ != typeBoolean {
				p.typ = castTypes[n.TypeName.Names[len(n.TypeName.Names)-1].GetString_().GetSval()]
			}
		case *pg_query.FuncCall:
			name := n.Funcname[len(n.Funcname)-1].GetString_().GetSval()
			for i, a := range n.Args {
				if p := of(a); i == 0 && p != nil && slices.Contains(unitFunctions, name) {
					p.typ = typeUnit
				}
				whole(a)
			}
		case *pg_query.SelectStmt:
			whole(n.LimitCount)
			whole(n.LimitOffset)
		case *pg_query.A_Expr:
			operator(n, of)
		}
	})
	return at
}

// place returns a constant with the type that it has wherever it stands.
func place(c *pg_query.A_Const) *placed {
	p := &placed{value: valueOf(c)}
	switch {
	case c.GetIval() != nil || c.GetFval() != nil:
		p.typ = typeNumeric
	case c.GetBoolval() != nil:
		p.typ = typeBoolean
	}
	return p
}

// operator notes what an operator makes of the constants beside it.
func operator(n *pg_query.A_Expr, of func(*pg_query.Node) *placed) {
	name := ""
	if len(n.Name) > 0 {
		name = n.Name[len(n.Name)-1].GetString_().GetSval()
	}
	sides := []*pg_query.Node{n.Lexpr, n.Rexpr}
	for i, s := range sides {
		if fields := s.GetColumnRef().GetFields(); len(fields) > 0 {
			within(sides[1-i], of, func(p *placed) { p.column = fields[len(fields)-1].GetString_().GetSval() })
		}
	}
	switch n.Kind {
	case pg_query.A_Expr_Kind_AEXPR_LIKE, pg_query.A_Expr_Kind_AEXPR_ILIKE:
		within(n.Rexpr, of, func(p *placed) { p.pattern = like })
	case pg_query.A_Expr_Kind_AEXPR_SIMILAR:
		within(n.Rexpr, of, func(p *placed) { p.pattern = regular })
	case pg_query.A_Expr_Kind_AEXPR_OP:
		switch name {
		case "~", "~*", "!~", "!~*":
			within(n.Rexpr, of, func(p *placed) { p.pattern = regular })
		case "=", "<>":
			for _, s := range sides {
				if p := of(s); p != nil {
					p.equal = true
				}
			}
		}
	case pg_query.A_Expr_Kind_AEXPR_IN, pg_query.A_Expr_Kind_AEXPR_OP_ANY:
		within(n.Rexpr, of, func(p *placed) { p.equal = true })
	}
}

// within calls f with every constant of an expression.
func within(n *pg_query.Node, of func(*pg_query.Node) *placed, f func(*placed)) {
	if n == nil {
		return
	}
	ask.Walk(n.ProtoReflect(), func(m protoreflect.Message) {
		if node, ok := m.Interface().(*pg_query.Node); ok {
			if p := of(node); p != nil {
				f(p)
			}
		}
	})
}
