package ask

import (
	"strconv"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
)

// Codes reads a CASE that gives each of several values a text of its own: CASE state WHEN 1 THEN 'open' WHEN 2 THEN 'paid' END. It
// returns what is compared, once for each value, and the texts by value, and nil for any other CASE. One that gives several values
// the same text makes groups, and one that gives numbers makes an order or a sum.
func Codes(e *pg_query.CaseExpr) (subjects []*pg_query.Node, texts map[string]string) {
	texts = map[string]string{}
	said := map[string]bool{}
	for _, a := range e.GetArgs() {
		when := a.GetCaseWhen()
		subject, value := e.Arg, when.Expr
		if subject == nil {
			x := when.Expr.GetAExpr()
			if !Equates(x) {
				return nil, nil
			}
			subject, value = x.Lexpr, x.Rexpr
		}
		code, _ := ConstantText(value)
		text := Uncast(when.Result).GetAConst().GetSval().GetSval()
		if _, again := texts[code]; again || said[text] || code == "" || text == "" || strings.EqualFold(code, text) {
			return nil, nil
		}
		subjects, texts[code], said[text] = append(subjects, Untexted(subject)), text, true
	}
	if len(texts) < 2 {
		return nil, nil
	}
	return subjects, texts
}

// Equates reports whether an expression compares by "=".
func Equates(e *pg_query.A_Expr) bool {
	return e.GetKind() == pg_query.A_Expr_Kind_AEXPR_OP && Operator(e) == "="
}

// Uncast takes the types from an expression, as a view's definition has them.
func Uncast(n *pg_query.Node) *pg_query.Node {
	for n.GetTypeCast() != nil {
		n = n.GetTypeCast().Arg
	}
	return n
}

// Untexted takes the type text from an expression: a view's definition has it at columns of other types of text. Other casts may
// make one value of several, as that of 0.8 to an integer does.
func Untexted(n *pg_query.Node) *pg_query.Node {
	if t := n.GetTypeCast().GetTypeName().GetNames(); len(t) > 0 && t[len(t)-1].GetString_().GetSval() == "text" {
		return n.GetTypeCast().Arg
	}
	return n
}

// ConstantText returns the text of a string or number.
func ConstantText(n *pg_query.Node) (text string, ok bool) {
	switch c := Uncast(n).GetAConst(); {
	case c.GetSval() != nil:
		return c.GetSval().Sval, true
	case c.GetIval() != nil:
		return strconv.Itoa(int(c.GetIval().Ival)), true
	case c.GetFval() != nil:
		return c.GetFval().Fval, true
	}
	return "", false
}
