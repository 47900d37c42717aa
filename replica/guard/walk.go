package guard

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// walk collects what a parse tree uses.
type walk struct {
	rules     *rules
	tree      *parseTree // while it is read
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

func newWalk(r *rules) *walk {
	return &walk{rules: r, operators: map[Name]bool{}, types: map[Name]bool{}, relations: map[Name]bool{}, fields: map[string]bool{}, refused: map[string]bool{}}
}

func (w *walk) problem(what, format string, args ...any) {
	w.problems = append(w.problems, Problem{What: what, Why: fmt.Sprintf(format, args...)})
}

// read takes down what a tree uses, as ask.ParseJSON gives it.
func (w *walk) read(json string) error {
	t, err := readTree(json)
	if err != nil {
		return err
	}
	w.tree = t
	w.statements()
	err = t.err
	w.tree = nil
	t.release()
	return err
}

// statements walks the tree if it is one query.
func (w *walk) statements() {
	n := w.tree.count(0, "stmts")
	if n != 1 {
		w.problem(fmt.Sprintf("%d statements", n), "one statement is run, and no more")
		return
	}
	i := w.tree.get(w.tree.get(0, "stmts"), "stmt")
	if i != 0 {
		w.message(i)
	}
	if i == 0 || w.tree.elements[i].shape.name != "SelectStmt" {
		w.problem("statement", "only SELECT, VALUES and TABLE are run")
	}
}

// message visits a message and everything below it. Every message type must be
// allowed by name.
func (w *walk) message(i int) {
	s := w.tree.elements[i].shape
	if !s.known || !s.rule.allow {
		if !w.refused[s.name] {
			w.refused[s.name] = true
			why := "not on the list of allowed nodes"
			if s.known {
				why = s.rule.reason
			}
			w.problem("node "+s.name, "%s", why)
		}
		return
	}
	w.inspect(s.name, i)
	for c := w.tree.elements[i].child; c != 0; c = w.tree.elements[c].next {
		if w.tree.elements[c].shape != scalar {
			w.message(c)
		}
	}
}

var equals = Name{"", "="}

// inspect takes down the names in a node.
func (w *walk) inspect(kind string, i int) {
	t := w.tree
	switch kind {
	case "FuncCall":
		w.call(i)
	case "A_Expr":
		w.expr(i)
	case "SubLink":
		switch {
		case t.get(i, "operName") != 0:
			w.operator(i, "operName")
		case t.scalar(i, "subLinkType") == "ANY_SUBLINK":
			w.operators[equals] = true // IN (SELECT …)
		}
	case "SortBy":
		if t.get(i, "useOp") != 0 {
			w.operator(i, "useOp")
		}
	case "CaseExpr":
		if t.get(i, "arg") != 0 {
			w.operators[equals] = true
		}
	case "JoinExpr":
		if t.get(i, "isNatural") != 0 || t.get(i, "usingClause") != 0 {
			w.operators[equals] = true
		}
	case "TypeName":
		if name, ok := w.name("type", i, "names"); ok {
			w.types[name] = true
		}
		if t.get(i, "pct_type") != 0 {
			w.problem("%TYPE", "has no place in a query")
		}
	case "RangeVar":
		name := Name{t.string(i, "schemaname"), t.string(i, "relname")}
		if p := t.scalar(i, "relpersistence"); p != "p" && p != "" {
			w.problem("temporary relation", "%s", name.Name)
		}
		w.relations[name] = true
	case "RangeTableSample":
		if name, ok := w.name("sampling method", i, "method"); ok {
			w.calls = append(w.calls, call{name: name, args: 1})
		}
	case "ColumnRef":
		first := true
		for c := t.elements[i].child; c != 0; c = t.elements[c].next {
			if t.elements[c].field == "fields" {
				if !first {
					w.field(c)
				}
				first = false
			}
		}
	case "A_Indirection":
		for c := t.elements[i].child; c != 0; c = t.elements[c].next {
			if t.elements[c].field == "indirection" {
				w.field(c)
			}
		}
	case "SelectStmt":
		if op := t.scalar(i, "op"); op != "SETOP_NONE" && t.get(i, "larg") == 0 {
			w.problem("set operation", "without a query")
		}
	}
}

func (w *walk) call(i int) {
	t := w.tree
	name, ok := w.name("function", i, "funcname")
	if !ok {
		return
	}
	c := call{name: name, args: t.count(i, "args")}
	if t.get(i, "agg_within_group") != 0 || t.get(i, "func_variadic") != 0 {
		c.args = -1
	}
	size, makesSize := w.rules.sizes[name.Name]
	for a := t.elements[i].child; a != 0; a = t.elements[a].next {
		if t.elements[a].field != "args" {
			continue
		}
		if t.elements[a].shape.name == "NamedArgExpr" {
			c.args, c.named = -1, true
		}
		if makesSize && w.large(a) {
			makesSize = false
			w.problem("function "+name.String(), "%s, and the limit is %d", size.reason, maxSize)
		}
	}
	w.calls = append(w.calls, c)
}

// maxSize bounds the numbers in arguments of functions that make values of
// that size.
const maxSize = 1_000_000

// large says whether a number over maxSize stands in an expression.
func (w *walk) large(i int) bool {
	t := w.tree
	if t.elements[i].shape.name == "A_Const" {
		word := ""
		if c := t.get(i, "fval"); c != 0 { // what does not fit 32 bits, too
			word = t.scalar(c, "fval")
		} else if c := t.get(i, "ival"); c != 0 {
			word = t.scalar(c, "ival")
		}
		if word == "" {
			return false
		}
		x, err := strconv.ParseFloat(word, 64)
		return err != nil || x > maxSize
	}
	for c := t.elements[i].child; c != 0; c = t.elements[c].next {
		if t.elements[c].shape != scalar && w.large(c) {
			return true
		}
	}
	return false
}

func (w *walk) field(i int) {
	if w.tree.elements[i].shape.name == "String" {
		w.fields[w.tree.string(i, "sval")] = true
	}
}

// expr takes down the operators of an A_Expr; some kinds stand for others than
// the one that is written (transformAExprOp and its kin in parse_expr.c).
func (w *walk) expr(i int) {
	switch kind := w.tree.scalar(i, "kind"); kind {
	case "AEXPR_BETWEEN", "AEXPR_NOT_BETWEEN", "AEXPR_BETWEEN_SYM", "AEXPR_NOT_BETWEEN_SYM":
		for _, op := range []string{"<=", ">=", "<", ">"} {
			w.operators[Name{"", op}] = true
		}
	case "AEXPR_OP", "AEXPR_OP_ANY", "AEXPR_OP_ALL", "AEXPR_DISTINCT", "AEXPR_NOT_DISTINCT", "AEXPR_NULLIF",
		"AEXPR_IN", "AEXPR_LIKE", "AEXPR_ILIKE", "AEXPR_SIMILAR":
		w.operator(i, "name")
	default:
		w.problem("expression", "kind %s is not known", kind)
	}
}

func (w *walk) operator(i int, field string) {
	if name, ok := w.name("operator", i, field); ok {
		w.operators[name] = true
	}
}

// name reads the possibly qualified name in a list of strings. A third part in
// front is the database; the server refuses any but its own.
func (w *walk) name(kind string, i int, field string) (Name, bool) {
	t := w.tree
	var parts [3]string
	n := 0
	for c := t.elements[i].child; c != 0; c = t.elements[c].next {
		switch {
		case t.elements[c].field != field:
			continue
		case t.elements[c].shape.name != "String":
			w.problem(kind, "with a name that is no string")
			return Name{}, false
		case n < len(parts):
			parts[n] = t.string(c, "sval")
		}
		n++
	}
	switch n {
	case 1:
		return Name{"", parts[0]}, true
	case 2:
		return Name{parts[0], parts[1]}, true
	case 3:
		return Name{parts[1], parts[2]}, true
	}
	w.problem(kind, "with a name of %d parts", n)
	return Name{}, false
}

// sorted returns the names of a set in order, so that verdicts are stable.
func sorted(m map[Name]bool) []Name {
	list := make([]Name, 0, len(m))
	for n := range m {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b Name) int {
		if c := strings.Compare(a.Schema, b.Schema); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	return list
}
