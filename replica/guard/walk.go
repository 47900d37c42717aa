package guard

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// walk collects what a parse tree uses.
type walk struct {
	rules      *rules
	tree       *parseTree // while it is read
	problems   []Problem
	calls      []call
	called     map[call]bool
	operators  map[Name]bool
	types      map[Name]bool
	relations  map[Name]bool
	attributes map[Name]bool   // x.name, which may be a call of name(x): x as Schema
	fields     map[string]bool // the names of longer ones, but the first
	parts      map[string]bool // the same behind an expression: (x).name
	ranges     ranges
	sorts      map[Name]bool   // collations
	words      []string        // of the statement's text, see words
	refused    map[string]bool // nodes, each told once

	parameters, anywhere bool // the guard's
	tables               int  // relations in FROM, each time they are named
}

// maxTables bounds the relations that a statement names: the columns of joins add up
// while it is analysed, and no setting of the server's bounds that.
const maxTables = 100

// call is a function call as written.
type call struct {
	name Name
	args int // -1 if the number does not narrow the choice
	// named says that arguments are given by name, which may pass over an
	// overload of the same types.
	named bool
}

func newWalk(r *rules) *walk {
	return &walk{rules: r, called: map[call]bool{}, operators: map[Name]bool{}, types: map[Name]bool{}, relations: map[Name]bool{}, attributes: map[Name]bool{}, fields: map[string]bool{}, parts: map[string]bool{}, sorts: map[Name]bool{}, refused: map[string]bool{},
		ranges: ranges{relations: map[string][]Name{}, queries: map[string][][]string{}, with: map[string][][]string{}, aliases: map[string]int{}, read: map[string]int{}}}
}

func (w *walk) problem(what, format string, args ...any) {
	w.problems = append(w.problems, Problem{What: what, Why: fmt.Sprintf(format, args...)})
}

// take adds a name to a set, in memory of its own.
func take(set map[Name]bool, n Name) {
	if !set[n] {
		set[Name{strings.Clone(n.Schema), strings.Clone(n.Name)}] = true
	}
}

// call takes down a call, each kind of one once.
func (w *walk) call(c call) {
	if !w.called[c] {
		c.name = Name{strings.Clone(c.name.Schema), strings.Clone(c.name.Name)}
		w.called[c] = true
		w.calls = append(w.calls, c)
	}
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
	w.tree, w.called = nil, nil
	t.release()
	return err
}

// statements walks the tree if it is one query.
func (w *walk) statements() {
	n := w.tree.count(0, fieldStmts)
	if n != 1 {
		w.problem(fmt.Sprintf("%d statements", n), "one statement is run, and no more")
		return
	}
	i := w.tree.get(w.tree.get(0, fieldStmts), fieldStmt)
	if i != 0 {
		w.message(i)
	}
	if i == 0 || w.tree.shape(i).kind != selectStmt {
		w.problem("statement", "only SELECT, VALUES and TABLE are run")
	}
}

// message visits a message and everything below it. Every message type must be
// allowed by name.
func (w *walk) message(i int32) {
	s := w.tree.shape(i)
	if s.kind == paramRef && w.parameters {
		return // it has nothing but a number
	}
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
	w.inspect(s.kind, i)
	elements := w.tree.elements
	for c := elements[i].child; c != 0; c = elements[c].next {
		if elements[c].shape != 0 {
			w.message(c)
		}
	}
}

var equals = Name{"", "="}

// inspect takes down the names in a node.
func (w *walk) inspect(k kind, i int32) {
	t := w.tree
	switch k {
	case funcCall:
		w.function(i)
	case aExpr:
		w.expr(i)
	case subLink:
		switch {
		case t.get(i, fieldOperName) != 0:
			w.operator(i, fieldOperName)
		case t.scalar(i, fieldSubLinkType) == "ANY_SUBLINK":
			w.operators[equals] = true // IN (SELECT …)
		}
	case sortBy:
		if t.get(i, fieldUseOp) != 0 {
			w.operator(i, fieldUseOp)
		}
	case caseExpr:
		if t.get(i, fieldArg) != 0 {
			w.operators[equals] = true
		}
	case joinExpr:
		if t.get(i, fieldIsNatural) != 0 || t.get(i, fieldUsingClause) != 0 {
			w.operators[equals] = true
		}
	case typeName:
		if name, ok := w.name("type", i, fieldNames); ok {
			take(w.types, name)
		}
		if t.get(i, fieldPctType) != 0 {
			w.problem("%TYPE", "has no place in a query")
		}
	case rangeVar:
		w.relation(i)
	case rangeTableSample:
		if name, ok := w.name("sampling method", i, fieldMethod); ok {
			w.call(call{name: name, args: 1})
		}
	case columnRef:
		w.column(i)
	case aIndirection:
		w.names(i, fieldIndirection, 0, w.parts)
	case sqlValueFunction:
		if op := t.scalar(i, fieldOp); w.anywhere && !isTime(op) {
			w.problem(op, "%s", whereItRuns)
		}
	case collateClause:
		if name, ok := w.name("collation", i, fieldCollname); ok {
			take(w.sorts, name)
		}
	case rangeItem:
		w.ranges.item(t, i)
	case aliasNode:
		w.ranges.alias(t, i)
	case commonTableExpr:
		w.ranges.query(t, i)
	case selectStmt:
		if op := t.scalar(i, fieldOp); op != "SETOP_NONE" && t.get(i, fieldLarg) == 0 {
			w.problem("set operation", "without a query")
		}
	}
}

// relation takes down a relation that the statement names.
func (w *walk) relation(i int32) {
	t := w.tree
	name := Name{t.string(i, fieldSchemaname), t.string(i, fieldRelname)}
	if p := t.scalar(i, fieldRelpersistence); p != "p" && p != "" {
		w.problem("temporary relation", "%s", name.Name)
	}
	take(w.relations, name)
	w.ranges.relation(t, i, name)
	if w.tables++; w.tables == maxTables+1 {
		w.problem("FROM", "names more than %d relations: analysing so many takes the server's memory", maxTables)
	}
}

// column takes down what a reference to a column may call.
func (w *walk) column(i int32) {
	t := w.tree
	if t.count(i, fieldFields) != 2 {
		w.names(i, fieldFields, 1, w.fields)
		return
	}
	x := t.get(i, fieldFields)
	name := t.elements[x].next
	if t.shape(x).kind == stringNode && t.shape(name).kind == stringNode {
		take(w.attributes, Name{t.string(x, fieldSval), t.string(name, fieldSval)})
	}
}

// names takes down the names in a list of a node, without the first so many.
func (w *walk) names(i int32, list fieldID, without int, into map[string]bool) {
	for c := w.tree.elements[i].child; c != 0; c = w.tree.elements[c].next {
		if w.tree.elements[c].field != list {
			continue
		}
		if without--; without < 0 {
			w.field(c, into)
		}
	}
}

func (w *walk) function(i int32) {
	t := w.tree
	name, ok := w.name("function", i, fieldFuncname)
	if !ok {
		return
	}
	c := call{name: name, args: t.count(i, fieldArgs)}
	if t.get(i, fieldAggWithinGroup) != 0 || t.get(i, fieldFuncVariadic) != 0 {
		c.args = -1
	}
	size, makesSize := w.rules.sizes[name.Name]
	for a := t.elements[i].child; a != 0; a = t.elements[a].next {
		if t.elements[a].field != fieldArgs {
			continue
		}
		if t.shape(a).kind == namedArgExpr {
			c.args, c.named = -1, true
		}
		if makesSize && w.large(a) {
			makesSize = false
			w.problem("function "+name.String(), "%s, and the limit is %d", size.reason, maxSize)
		}
	}
	w.call(c)
}

// maxSize bounds the numbers in arguments of functions that make values of
// that size.
const maxSize = 1_000_000

// large says whether a number over maxSize stands in an expression.
func (w *walk) large(i int32) bool {
	t := w.tree
	if t.shape(i).kind == aConst {
		word := ""
		if c := t.get(i, fieldFval); c != 0 { // what does not fit 32 bits, too
			word = t.scalar(c, fieldFval)
		} else if c := t.get(i, fieldIval); c != 0 {
			word = t.scalar(c, fieldIval)
		}
		if word == "" {
			return false
		}
		x, err := strconv.ParseFloat(word, 64)
		return err != nil || x > maxSize
	}
	for c := t.elements[i].child; c != 0; c = t.elements[c].next {
		if t.elements[c].shape != 0 && w.large(c) {
			return true
		}
	}
	return false
}

func (w *walk) field(i int32, into map[string]bool) {
	if w.tree.shape(i).kind != stringNode {
		return
	}
	if name := w.tree.string(i, fieldSval); !into[name] {
		into[strings.Clone(name)] = true
	}
}

// expr takes down the operators of an A_Expr; some kinds stand for others than
// the one that is written (transformAExprOp and its kin in parse_expr.c).
func (w *walk) expr(i int32) {
	switch kind := w.tree.scalar(i, fieldKind); kind {
	case "AEXPR_BETWEEN", "AEXPR_NOT_BETWEEN", "AEXPR_BETWEEN_SYM", "AEXPR_NOT_BETWEEN_SYM":
		for _, op := range []string{"<=", ">=", "<", ">"} {
			w.operators[Name{"", op}] = true
		}
	case "AEXPR_OP", "AEXPR_OP_ANY", "AEXPR_OP_ALL", "AEXPR_DISTINCT", "AEXPR_NOT_DISTINCT", "AEXPR_NULLIF",
		"AEXPR_IN", "AEXPR_LIKE", "AEXPR_ILIKE", "AEXPR_SIMILAR":
		w.operator(i, fieldName)
	default:
		w.problem("expression", "kind %s is not known", kind)
	}
}

func (w *walk) operator(i int32, field fieldID) {
	if name, ok := w.name("operator", i, field); ok {
		take(w.operators, name)
	}
}

// name reads the possibly qualified name in a list of strings. A third part in
// front is the database; the server refuses any but its own. The name may be a
// part of the tree's text.
func (w *walk) name(kind string, i int32, field fieldID) (Name, bool) {
	t := w.tree
	var parts [3]string
	n := 0
	for c := t.elements[i].child; c != 0; c = t.elements[c].next {
		switch {
		case t.elements[c].field != field:
			continue
		case t.shape(c).kind != stringNode:
			w.problem(kind, "with a name that is no string")
			return Name{}, false
		case n < len(parts):
			parts[n] = t.string(c, fieldSval)
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
	return slices.SortedFunc(maps.Keys(m), func(a, b Name) int {
		return cmp.Or(strings.Compare(a.Schema, b.Schema), strings.Compare(a.Name, b.Name))
	})
}
