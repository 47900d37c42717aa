package guard

import (
	"fmt"
	"slices"
	"strconv"
	"sync"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// walk collects what a parse tree uses.
type walk struct {
	rules     *rules
	shapes    *shapes
	problems  []Problem
	calls     []call
	operators map[Name]bool
	types     map[Name]bool
	relations map[Name]bool
	fields    map[string]bool // x.name, which may be a call of name(x)
	refused   map[string]bool // nodes, each told once
}

// call is a function call as written.
type call struct {
	name Name
	args int // -1 if the number does not narrow the choice
	// named says that arguments are given by name, which may pass over an
	// overload of the same types.
	named bool
}

func newWalk(r *rules, s *shapes) *walk {
	return &walk{rules: r, shapes: s, operators: map[Name]bool{}, types: map[Name]bool{}, relations: map[Name]bool{}, fields: map[string]bool{}, refused: map[string]bool{}}
}

func (w *walk) problem(what, format string, args ...any) {
	w.problems = append(w.problems, Problem{What: what, Why: fmt.Sprintf(format, args...)})
}

// shape is what the walk needs to know of a message type.
type shape struct {
	wrapper bool // Node, which holds one of all the others
	name    string
	rule    rule
	known   bool
	fields  []protoreflect.FieldDescriptor // those that hold messages
	oneof   protoreflect.OneofDescriptor
}

// shapes holds the message types met so far, by descriptor.
type shapes struct{ m sync.Map }

func (s *shapes) of(d protoreflect.MessageDescriptor, r *rules) *shape {
	if v, ok := s.m.Load(d); ok {
		return v.(*shape)
	}
	sh := &shape{name: string(d.Name())}
	if sh.wrapper = sh.name == "Node"; sh.wrapper {
		sh.oneof = d.Oneofs().Get(0)
	}
	sh.rule, sh.known = r.nodes[sh.name]
	for i := 0; i < d.Fields().Len(); i++ {
		if fd := d.Fields().Get(i); fd.Kind() == protoreflect.MessageKind {
			sh.fields = append(sh.fields, fd)
		}
	}
	v, _ := s.m.LoadOrStore(d, sh)
	return v.(*shape)
}

// message visits m and everything below it. Every message type but the Node
// wrapper must be allowed by name.
func (w *walk) message(m protoreflect.Message) {
	sh := w.shapes.of(m.Descriptor(), w.rules)
	if sh.wrapper {
		if fd := m.WhichOneof(sh.oneof); fd != nil && fd.Kind() == protoreflect.MessageKind {
			w.message(m.Get(fd).Message())
		} else if fd != nil {
			w.problem("node "+string(fd.Name()), "is no message")
		}
		return
	}
	if !sh.known || !sh.rule.allow {
		if !w.refused[sh.name] {
			w.refused[sh.name] = true
			why := "not on the list of allowed nodes"
			if sh.known {
				why = sh.rule.reason
			}
			w.problem("node "+sh.name, "%s", why)
		}
		return
	}
	w.inspect(m.Interface())
	for _, fd := range sh.fields {
		switch {
		case !m.Has(fd):
		case fd.IsList():
			list := m.Get(fd).List()
			for i := 0; i < list.Len(); i++ {
				w.message(list.Get(i).Message())
			}
		default:
			w.message(m.Get(fd).Message())
		}
	}
}

// inspect takes down the names in a node.
func (w *walk) inspect(m any) {
	switch n := m.(type) {
	case *pg_query.FuncCall:
		name, ok := w.name("function", n.Funcname)
		if !ok {
			return
		}
		if u, ok := w.rules.sizes[name.Name]; ok {
			for _, a := range n.Args {
				if w.large(a.ProtoReflect()) {
					w.problem("function "+name.String(), "%s, and the limit is %d", u.reason, maxSize)
					break
				}
			}
		}
		c := call{name: name, args: len(n.Args)}
		if n.AggWithinGroup || n.FuncVariadic {
			c.args = -1
		}
		for _, a := range n.Args {
			if a.GetNamedArgExpr() != nil {
				c.args, c.named = -1, true
			}
		}
		w.calls = append(w.calls, c)
	case *pg_query.A_Expr:
		w.expr(n)
	case *pg_query.SubLink:
		switch {
		case len(n.OperName) > 0:
			w.operator(n.OperName)
		case n.SubLinkType == pg_query.SubLinkType_ANY_SUBLINK:
			w.operators[Name{"", "="}] = true // IN (SELECT …)
		}
	case *pg_query.SortBy:
		if len(n.UseOp) > 0 {
			w.operator(n.UseOp)
		}
	case *pg_query.CaseExpr:
		if n.Arg != nil {
			w.operators[Name{"", "="}] = true
		}
	case *pg_query.JoinExpr:
		if n.IsNatural || len(n.UsingClause) > 0 {
			w.operators[Name{"", "="}] = true
		}
	case *pg_query.TypeName:
		if name, ok := w.name("type", n.Names); ok {
			w.types[name] = true
		}
		if n.PctType {
			w.problem("%TYPE", "has no place in a query")
		}
	case *pg_query.RangeVar:
		if n.Relpersistence != "p" && n.Relpersistence != "" {
			w.problem("temporary relation", "%s", n.Relname)
		}
		w.relations[Name{n.Schemaname, n.Relname}] = true
	case *pg_query.RangeTableSample:
		name, ok := w.name("sampling method", n.Method)
		if ok {
			w.calls = append(w.calls, call{name: name, args: 1})
		}
	case *pg_query.ColumnRef:
		for i, f := range n.Fields {
			if i > 0 {
				w.field(f)
			}
		}
	case *pg_query.A_Indirection:
		for _, f := range n.Indirection {
			w.field(f)
		}
	case *pg_query.SelectStmt:
		if n.Op != pg_query.SetOperation_SETOP_NONE && n.Larg == nil {
			w.problem("set operation", "without a query")
		}
	}
}

// maxSize bounds the numbers in arguments of functions that make values of
// that size.
const maxSize = 1_000_000

// large says whether a number over maxSize stands in an expression.
func (w *walk) large(m protoreflect.Message) bool {
	if c, ok := m.Interface().(*pg_query.A_Const); ok {
		if f := c.GetFval(); f != nil { // what does not fit 32 bits, too
			x, err := strconv.ParseFloat(f.Fval, 64)
			return err != nil || x > maxSize
		}
		return c.GetIval().GetIval() > maxSize
	}
	found := false
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.Kind() != protoreflect.MessageKind:
		case fd.IsList():
			for i := 0; i < v.List().Len() && !found; i++ {
				found = w.large(v.List().Get(i).Message())
			}
		default:
			found = w.large(v.Message())
		}
		return !found
	})
	return found
}

func (w *walk) field(n *pg_query.Node) {
	if s := n.GetString_(); s != nil {
		w.fields[s.Sval] = true
	}
}

// expr takes down the operators of an A_Expr; some kinds stand for others than
// the one that is written (transformAExprOp and its kin in parse_expr.c).
func (w *walk) expr(n *pg_query.A_Expr) {
	switch n.Kind {
	case pg_query.A_Expr_Kind_AEXPR_BETWEEN, pg_query.A_Expr_Kind_AEXPR_NOT_BETWEEN,
		pg_query.A_Expr_Kind_AEXPR_BETWEEN_SYM, pg_query.A_Expr_Kind_AEXPR_NOT_BETWEEN_SYM:
		for _, op := range []string{"<=", ">=", "<", ">"} {
			w.operators[Name{"", op}] = true
		}
	case pg_query.A_Expr_Kind_AEXPR_OP, pg_query.A_Expr_Kind_AEXPR_OP_ANY, pg_query.A_Expr_Kind_AEXPR_OP_ALL,
		pg_query.A_Expr_Kind_AEXPR_DISTINCT, pg_query.A_Expr_Kind_AEXPR_NOT_DISTINCT, pg_query.A_Expr_Kind_AEXPR_NULLIF,
		pg_query.A_Expr_Kind_AEXPR_IN, pg_query.A_Expr_Kind_AEXPR_LIKE, pg_query.A_Expr_Kind_AEXPR_ILIKE, pg_query.A_Expr_Kind_AEXPR_SIMILAR:
		w.operator(n.Name)
	default:
		w.problem("expression", "kind %s is not known", n.Kind)
	}
}

func (w *walk) operator(names []*pg_query.Node) {
	if name, ok := w.name("operator", names); ok {
		w.operators[name] = true
	}
}

// name reads a possibly qualified name. A third part in front is the database;
// the server refuses any but its own.
func (w *walk) name(kind string, parts []*pg_query.Node) (Name, bool) {
	words := make([]string, len(parts))
	for i, p := range parts {
		s := p.GetString_()
		if s == nil {
			w.problem(kind, "with a name that is no string")
			return Name{}, false
		}
		words[i] = s.Sval
	}
	switch len(words) {
	case 1:
		return Name{"", words[0]}, true
	case 2:
		return Name{words[0], words[1]}, true
	case 3:
		return Name{words[1], words[2]}, true
	}
	w.problem(kind, "with a name of %d parts", len(words))
	return Name{}, false
}

// sorted returns the names of a set in order, so that verdicts are stable.
func sorted(m map[Name]bool) []Name {
	list := make([]Name, 0, len(m))
	for n := range m {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b Name) int {
		if a.String() < b.String() {
			return -1
		}
		return 1
	})
	return list
}
