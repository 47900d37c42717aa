package sentence

import (
	"strconv"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
)

// expression tells what makes a value.
func (t *teller) expression(f *scope, n *pg_query.Node) string {
	if !t.enter() {
		return ""
	}
	return t.bounded(t.value(f, n))
}

func (t *teller) value(f *scope, n *pg_query.Node) string {
	switch v := n.GetNode().(type) {
	case *pg_query.Node_ColumnRef:
		return t.columnName(f, v.ColumnRef)
	case *pg_query.Node_AConst:
		return t.constant(v.AConst)
	case *pg_query.Node_TypeCast:
		return t.cast(f, v.TypeCast)
	case *pg_query.Node_FuncCall:
		return t.call(f, v.FuncCall)
	case *pg_query.Node_SqlvalueFunction:
		return t.present(v.SqlvalueFunction)
	case *pg_query.Node_AExpr:
		return t.arithmetic(f, v.AExpr)
	case *pg_query.Node_CoalesceExpr:
		return t.coalesce(f, v.CoalesceExpr)
	case *pg_query.Node_CaseExpr:
		return t.choice(f, v.CaseExpr)
	case *pg_query.Node_MinMaxExpr:
		word := "the larger of "
		if v.MinMaxExpr.Op == pg_query.MinMaxOp_IS_LEAST {
			word = "the smaller of "
		}
		return word + list(t.expressions(f, v.MinMaxExpr.Args), "and")
	case *pg_query.Node_SubLink, *pg_query.Node_BoolExpr, *pg_query.Node_NullTest, *pg_query.Node_BooleanTest:
		return t.condition(f, n)
	}
	return t.noWords()
}

func (t *teller) expressions(f *scope, list []*pg_query.Node) []string {
	var out []string
	for _, n := range list {
		out = append(out, t.expression(f, n))
	}
	return out
}

// columnName tells a column, with its relation where there are several.
func (t *teller) columnName(f *scope, c *pg_query.ColumnRef) string {
	n := len(c.Fields)
	if n == 0 || n > 2 {
		return t.noWords()
	}
	name := c.Fields[n-1].GetString_().GetSval()
	if c.Fields[n-1].GetAStar() != nil {
		name = "all columns"
	}
	if name == "" {
		return t.noWords()
	}
	if n == 1 {
		return name
	}
	r, here, ok := f.find(c.Fields[0].GetString_().GetSval())
	switch {
	case !ok:
		return t.noWords()
	case !here:
		return name + " of that row of " + r.name
	case len(f.relations) == 1:
		return name
	}
	return name + " of " + f.display(r)
}

func (t *teller) constant(c *pg_query.A_Const) string {
	switch v := c.Val.(type) {
	case *pg_query.A_Const_Ival:
		return strconv.Itoa(int(v.Ival.Ival))
	case *pg_query.A_Const_Fval:
		return v.Fval.Fval
	case *pg_query.A_Const_Boolval:
		return strconv.FormatBool(v.Boolval.Boolval)
	case *pg_query.A_Const_Sval:
		return quoted(v.Sval.Sval)
	}
	if c.Isnull {
		return "nothing"
	}
	return t.noWords()
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// present tells CURRENT_DATE and its kin.
func (t *teller) present(v *pg_query.SQLValueFunction) string {
	switch v.Op {
	case pg_query.SQLValueFunctionOp_SVFOP_CURRENT_DATE:
		return "today"
	case pg_query.SQLValueFunctionOp_SVFOP_CURRENT_TIMESTAMP, pg_query.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP:
		return "now"
	}
	return t.noWords()
}

// typeName returns the last name of a type.
func typeName(n *pg_query.TypeName) string {
	if names := n.GetNames(); len(names) > 0 && len(n.GetArrayBounds()) == 0 {
		return names[len(names)-1].GetString_().GetSval()
	}
	return ""
}

// cast tells a cast. One between numbers, or to text, is told without a word, if it changes no more than the form.
func (t *teller) cast(f *scope, c *pg_query.TypeCast) string {
	text := t.expression(f, c.Arg)
	switch name := typeName(c.TypeName); {
	case c.Arg.GetAConst().GetSval() != nil && (name == "interval" || timeTypes[name]):
		return strings.Trim(text, "'")
	case name == "date" && functionName(c.Arg.GetFuncCall()) != "date_trunc" && c.Arg.GetSqlvalueFunction() == nil:
		return "day of " + text
	case name == "numeric" && len(c.TypeName.Typmods) > 0, name == "int2", name == "int4", name == "int8":
		return text + " as " + map[bool]string{true: "a rounded number", false: "a whole number"}[name == "numeric"]
	case name == "numeric", name == "float4", name == "float8", name == "text", name == "varchar", timeTypes[name]:
		return text
	}
	if _, ok := c.Arg.GetAConst().GetVal().(*pg_query.A_Const_Boolval); ok || c.Arg.GetAConst() != nil && typeName(c.TypeName) == "bool" {
		return text
	}
	return t.noWords()
}

var timeTypes = map[string]bool{"date": true, "timestamp": true, "timestamptz": true}

// isTime says whether an expression is surely a time.
func isTime(n *pg_query.Node) bool {
	switch v := n.GetNode().(type) {
	case *pg_query.Node_SqlvalueFunction:
		return true
	case *pg_query.Node_TypeCast:
		return timeTypes[typeName(v.TypeCast.TypeName)]
	case *pg_query.Node_FuncCall:
		name := functionName(v.FuncCall)
		return name == "now" || name == "date_trunc" || name == "make_date" || name == "to_date"
	case *pg_query.Node_AExpr:
		return v.AExpr.Lexpr != nil && isTime(v.AExpr.Lexpr) && !isTime(v.AExpr.Rexpr)
	case *pg_query.Node_AConst:
		s := v.AConst.GetSval().GetSval()
		return len(s) >= 10 && s[4] == '-' && s[7] == '-'
	}
	return false
}

// signs are the operators that make numbers and texts, as they are told.
var signs = map[string]string{"+": "+", "-": "−", "*": "×", "/": "÷", "%": "modulo", "||": "followed by"}

// arithmetic tells an operator.
func (t *teller) arithmetic(f *scope, e *pg_query.A_Expr) string {
	sign, ok := signs[ask.Operator(e)]
	switch {
	case e.Kind == pg_query.A_Expr_Kind_AEXPR_NULLIF:
		return t.expression(f, e.Lexpr) // what a division by zero is guarded with
	case e.Kind != pg_query.A_Expr_Kind_AEXPR_OP || !ok:
		return t.comparison(f, e)
	case e.Lexpr == nil:
		return "−" + t.expression(f, e.Rexpr)
	}
	days := e.Rexpr.GetAConst().GetIval()
	if days != nil && e.Lexpr.GetSqlvalueFunction() != nil && sign == "−" {
		return strconv.Itoa(int(days.Ival)) + " days before " + t.expression(f, e.Lexpr)
	}
	if isTime(e.Lexpr) && (sign == "−" || sign == "+") && typeName(e.Rexpr.GetTypeCast().GetTypeName()) == "interval" {
		side := map[string]string{"−": " before ", "+": " after "}[sign]
		return weekday(t.expression(f, e.Rexpr) + side + t.expression(f, e.Lexpr))
	}
	return t.operand(f, e.Lexpr) + " " + sign + " " + t.operand(f, e.Rexpr)
}

// operand tells one side of an operator, in parentheses if it is an operation itself.
func (t *teller) operand(f *scope, n *pg_query.Node) string {
	text := t.expression(f, n)
	if e := n.GetAExpr(); e != nil && e.Kind == pg_query.A_Expr_Kind_AEXPR_OP {
		return "(" + text + ")"
	}
	return text
}

// coalesce tells what stands for an empty value.
func (t *teller) coalesce(f *scope, c *pg_query.CoalesceExpr) string {
	words := t.expressions(f, c.Args)
	return words[0] + " (if empty: " + strings.Join(words[1:], ", else ") + ")"
}

// choice tells CASE.
func (t *teller) choice(f *scope, c *pg_query.CaseExpr) string {
	var parts []string
	arg := ""
	if c.Arg != nil {
		arg = t.expression(f, c.Arg)
	}
	for _, n := range c.Args {
		w := n.GetCaseWhen()
		cond := ""
		if c.Arg != nil {
			cond = arg + " is " + t.expression(f, w.Expr)
		} else {
			cond = t.condition(f, w.Expr)
		}
		parts = append(parts, t.expression(f, w.Result)+" where "+cond)
	}
	if c.Defresult != nil && !c.Defresult.GetAConst().GetIsnull() {
		parts = append(parts, "else "+t.expression(f, c.Defresult))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
