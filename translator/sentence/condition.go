package sentence

import (
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
)

// conditions tells a condition, those that AND joins one by one. Equalities that join relations by a key tell nothing.
func (t *teller) conditions(f *scope, n *pg_query.Node) []string {
	if b := n.GetBoolExpr(); b != nil && b.Boolop == pg_query.BoolExprType_AND_EXPR {
		var out []string
		for _, a := range b.Args {
			out = append(out, t.conditions(f, a)...)
		}
		return onOneDay(out)
	}
	if e := n.GetAExpr(); e != nil {
		if text, ok := t.equates(f, e); ok {
			if text == "" {
				return nil
			}
			return []string{text}
		}
	}
	return []string{t.condition(f, n)}
}

// condition tells one condition.
func (t *teller) condition(f *scope, n *pg_query.Node) string {
	if !t.enter() {
		return ""
	}
	return t.bounded(t.truth(f, n))
}

func (t *teller) truth(f *scope, n *pg_query.Node) string {
	switch v := n.Node.(type) {
	case *pg_query.Node_BoolExpr:
		return t.logical(f, v.BoolExpr)
	case *pg_query.Node_NullTest:
		if relation, ok := t.lacks(f, v.NullTest.Arg); ok && v.NullTest.Nulltesttype == pg_query.NullTestType_IS_NULL {
			return "there are no " + relation
		}
		if v.NullTest.Nulltesttype == pg_query.NullTestType_IS_NULL {
			return t.expression(f, v.NullTest.Arg) + " is empty"
		}
		return t.expression(f, v.NullTest.Arg) + " is not empty"
	case *pg_query.Node_BooleanTest:
		is := map[pg_query.BoolTestType]string{
			pg_query.BoolTestType_IS_TRUE: " is true", pg_query.BoolTestType_IS_NOT_TRUE: " is not true",
			pg_query.BoolTestType_IS_FALSE: " is false", pg_query.BoolTestType_IS_NOT_FALSE: " is not false",
		}[v.BooleanTest.Booltesttype]
		if is == "" {
			return t.noWords()
		}
		return t.condition(f, v.BooleanTest.Arg) + is
	case *pg_query.Node_SubLink:
		return t.subquery(f, v.SubLink, false)
	case *pg_query.Node_AExpr:
		return t.comparison(f, v.AExpr)
	case *pg_query.Node_ColumnRef, *pg_query.Node_AConst:
		return t.expression(f, n)
	}
	return t.noWords()
}

func (t *teller) logical(f *scope, b *pg_query.BoolExpr) string {
	if b.Boolop == pg_query.BoolExprType_NOT_EXPR {
		if s := b.Args[0].GetSubLink(); s != nil {
			return t.subquery(f, s, true)
		}
		if b.Args[0].GetColumnRef() != nil {
			return "not " + t.condition(f, b.Args[0])
		}
		return "not (" + t.condition(f, b.Args[0]) + ")"
	}
	var parts []string
	for _, a := range b.Args {
		parts = append(parts, t.condition(f, a))
	}
	if b.Boolop == pg_query.BoolExprType_OR_EXPR {
		return "(" + strings.Join(parts, " or ") + ")"
	}
	return strings.Join(parts, " and ")
}

// verbs are the words of comparison operators; of two, the second compares times.
var verbs = map[string][2]string{
	"=": {"is", "is"}, "<>": {"is not", "is not"}, "<": {"is below", "is before"}, ">": {"is above", "is after"},
	"<=": {"is at most", "is on or before"}, ">=": {"is at least", "is on or after"}, "~": {"matches", ""}, "~*": {"matches", ""}, "!~": {"does not match", ""},
}

// comparison tells an operator that makes a truth value.
func (t *teller) comparison(f *scope, e *pg_query.A_Expr) string {
	if days := t.onDays(f, e); days != "" {
		return days
	}
	switch e.Kind {
	case pg_query.A_Expr_Kind_AEXPR_OP:
		v, ok := verbs[ask.Operator(e)]
		if !ok || e.Lexpr == nil {
			return t.noWords()
		}
		left, right := t.expression(f, e.Lexpr), t.expression(f, e.Rexpr)
		if v[1] != "" && (isTime(e.Lexpr) || isTime(e.Rexpr)) {
			return left + " " + v[1] + " " + strings.Trim(right, "'")
		}
		return left + " " + v[0] + " " + right
	case pg_query.A_Expr_Kind_AEXPR_IN, pg_query.A_Expr_Kind_AEXPR_OP_ANY:
		not := map[string]string{"=": "", "<>": " not"}
		word, ok := not[ask.Operator(e)]
		if !ok || word != "" && e.Kind == pg_query.A_Expr_Kind_AEXPR_OP_ANY {
			return t.noWords()
		}
		items := e.Rexpr.GetList().GetItems()
		if a := e.Rexpr.GetAArrayExpr(); a != nil {
			items = a.Elements
		}
		if len(items) == 0 {
			return t.noWords()
		}
		words := t.expressions(f, items)
		return t.expression(f, e.Lexpr) + " is" + word + " " + list(words, "or")
	case pg_query.A_Expr_Kind_AEXPR_LIKE, pg_query.A_Expr_Kind_AEXPR_ILIKE:
		return t.like(f, e)
	case pg_query.A_Expr_Kind_AEXPR_BETWEEN, pg_query.A_Expr_Kind_AEXPR_NOT_BETWEEN:
		bounds := e.Rexpr.GetList().GetItems()
		if len(bounds) != 2 {
			return t.noWords()
		}
		is := " is between "
		if e.Kind == pg_query.A_Expr_Kind_AEXPR_NOT_BETWEEN {
			is = " is not between "
		}
		return t.expression(f, e.Lexpr) + is + t.expression(f, bounds[0]) + " and " + t.expression(f, bounds[1])
	case pg_query.A_Expr_Kind_AEXPR_DISTINCT:
		return t.expression(f, e.Lexpr) + " is not " + t.expression(f, e.Rexpr)
	case pg_query.A_Expr_Kind_AEXPR_NOT_DISTINCT:
		return t.expression(f, e.Lexpr) + " is " + t.expression(f, e.Rexpr)
	}
	return t.noWords()
}

// like tells LIKE and ILIKE.
func (t *teller) like(f *scope, e *pg_query.A_Expr) string {
	c := e.Rexpr.GetAConst().GetSval()
	if c == nil {
		return t.noWords()
	}
	not := strings.HasPrefix(ask.Operator(e), "!")
	verb := func(is, isNot string) string {
		if not {
			return " " + isNot + " "
		}
		return " " + is + " "
	}
	left, anyCase := t.expression(f, e.Lexpr), ""
	if e.Kind == pg_query.A_Expr_Kind_AEXPR_ILIKE {
		anyCase = " (upper or lower case)"
	}
	text := strings.TrimPrefix(strings.TrimSuffix(c.Sval, "%"), "%")
	begins, ends := strings.HasPrefix(c.Sval, "%"), strings.HasSuffix(c.Sval, "%")
	switch {
	case strings.ContainsAny(text, `%_\`) || text == "":
		return left + verb("is like", "is not like") + quoted(c.Sval) + anyCase
	case begins && ends:
		return left + verb("contains", "does not contain") + quoted(text) + anyCase
	case ends:
		return left + verb("begins with", "does not begin with") + quoted(text) + anyCase
	case begins:
		return left + verb("ends with", "does not end with") + quoted(text) + anyCase
	}
	return left + verb("is", "is not") + quoted(text) + anyCase
}

// subquery tells EXISTS and IN with a query.
func (t *teller) subquery(f *scope, s *pg_query.SubLink, not bool) string {
	q := s.Subselect.GetSelectStmt()
	if q == nil {
		return t.noWords()
	}
	switch s.SubLinkType {
	case pg_query.SubLinkType_EXISTS_SUBLINK:
		return t.exists(f, q, not)
	case pg_query.SubLinkType_ANY_SUBLINK:
		if op := s.OperName; len(op) > 0 && op[0].GetString_().GetSval() != "=" {
			return t.noWords()
		}
		is := " is among "
		if not {
			is = " is not among "
		}
		return t.expression(f, s.Testexpr) + is + "(" + t.query(q, f) + ")"
	case pg_query.SubLinkType_EXPR_SUBLINK:
		if !not {
			return "(" + t.query(q, f) + ")"
		}
	}
	return t.noWords()
}

// exists tells that there are rows which belong to this one.
func (t *teller) exists(f *scope, q *pg_query.SelectStmt, not bool) string {
	if !plain(q) {
		return t.noWords()
	}
	inner := t.from(q.FromClause, f)
	text := t.rows(inner, q)
	if len(inner.equal) == 0 {
		return t.noWords() // rows of others, whatever this one is
	}
	if not {
		return "there are no " + text
	}
	return "there are " + text
}

// plain reports whether a query has rows wherever its relations have such: it neither groups nor cuts off.
func plain(q *pg_query.SelectStmt) bool {
	return q != nil && q.Op == pg_query.SetOperation_SETOP_NONE && len(q.ValuesLists) == 0 && q.WithClause == nil && len(q.GroupClause) == 0 && q.HavingClause == nil && q.LimitCount == nil && q.LimitOffset == nil
}

// rows tells which rows a plain query has.
func (t *teller) rows(inner *scope, q *pg_query.SelectStmt) string {
	own := t.where(inner, q.WhereClause)
	text := strings.TrimPrefix(strings.TrimPrefix(inner.of(), " of "), " from ")
	if len(own) > 0 {
		text += " where " + strings.Join(own, " and ")
	}
	return text
}
