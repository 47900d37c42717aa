package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"

	"askpg/ask"
	"askpg/catalog"
	"askpg/learn"
)

// wrong makes statements wrong as people get them wrong: a condition is left
// out or turned round, a constant is another one, another date is taken, another
// aggregate is called. Calls and sources stay.
type wrong struct {
	snap *catalog.Snapshot
	rand *rand.Rand
}

// spoil changes a part of the queries and says which.
func (w *wrong) spoil(statements []*learn.Statement, part float64) (said []string) {
	var queries []int
	for i, s := range statements {
		if tree, err := ask.Parse(s.SQL); err == nil && len(tree.Stmts) == 1 && tree.Stmts[0].Stmt.GetSelectStmt() != nil {
			queries = append(queries, i)
		}
	}
	n := int(part*float64(len(queries)) + 0.5)
	for _, k := range w.rand.Perm(len(queries)) {
		if n == 0 {
			break
		}
		s := statements[queries[k]]
		tree, _ := ask.Parse(s.SQL)
		var changes []change
		ask.Walk(tree.ProtoReflect(), func(m protoreflect.Message) { changes = append(changes, w.changes(m)...) })
		if len(changes) == 0 {
			continue
		}
		c := changes[w.rand.IntN(len(changes))]
		c.make()
		sql, err := ask.Deparse(tree)
		if err != nil || sql == s.SQL {
			continue
		}
		s.SQL = sql
		said = append(said, fmt.Sprintf("wrong: statement %d, %d calls: %s", queries[k]+1, s.Calls, c.what))
		n--
	}
	return said
}

// change is one way to make a tree wrong.
type change struct {
	what string
	make func()
}

func (w *wrong) changes(m protoreflect.Message) (out []change) {
	switch n := m.Interface().(type) {
	case *pg_query.SelectStmt:
		out = withoutConditions(n)
	case *pg_query.NullTest:
		out = append(out, change{"NULL test turned round", func() {
			n.Nulltesttype = pg_query.NullTestType_IS_NULL + pg_query.NullTestType_IS_NOT_NULL - n.Nulltesttype
		}})
	case *pg_query.A_Expr:
		for _, side := range []*pg_query.Node{n.Lexpr, n.Rexpr} {
			if v := side.GetAConst().GetIval(); v != nil {
				out = append(out, change{"another number", func() { v.Ival++ }})
			}
			if v := side.GetAConst().GetSval(); v != nil {
				out = append(out, change{"another text", func() { v.Sval = "x" + v.Sval }})
			}
		}
	case *pg_query.FuncCall:
		if len(n.Funcname) == 1 && !n.AggStar {
			if name := n.Funcname[0].GetString_(); name.GetSval() == "sum" || name.GetSval() == "avg" {
				out = append(out, change{"another aggregate", func() { name.Sval = map[string]string{"sum": "avg", "avg": "sum"}[name.Sval] }})
			}
		}
	case *pg_query.ColumnRef:
		last := n.Fields[len(n.Fields)-1].GetString_()
		for _, other := range w.otherDates(last.GetSval()) {
			out = append(out, change{"date " + other + " for " + last.GetSval(), func() { last.Sval = other }})
		}
	}
	return out
}

// withoutConditions leaves out the WHERE clause, or one of the conditions in it.
func withoutConditions(n *pg_query.SelectStmt) (out []change) {
	if n.WhereClause == nil {
		return nil
	}
	out = append(out, change{"no condition", func() { n.WhereClause = nil }})
	b := n.WhereClause.GetBoolExpr()
	if b == nil || b.Boolop != pg_query.BoolExprType_AND_EXPR || len(b.Args) < 2 {
		return out
	}
	for i := range b.Args {
		out = append(out, change{fmt.Sprintf("condition %d left out", i+1), func() {
			if b.Args = slices.Delete(b.Args, i, i+1); len(b.Args) == 1 {
				n.WhereClause = b.Args[0]
			}
		}})
	}
	return out
}

// otherDates are the date columns of tables that have a date column of the name.
func (w *wrong) otherDates(name string) (out []string) {
	isDate := func(c *catalog.Column) bool { return c.Class == catalog.Date || c.Class == catalog.Timestamp }
	for _, r := range w.snap.Relations {
		if c := r.Column(name); c == nil || !isDate(c) || r.Kind != catalog.Table {
			continue
		}
		for _, c := range r.Columns {
			if isDate(c) && c.Name != name && !slices.Contains(out, c.Name) {
				out = append(out, c.Name)
			}
		}
	}
	return out
}
