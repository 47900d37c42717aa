package learn

import (
	"math/big"
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
)

// formula writes the SQL of an expression so that usual spellings of the same one are equal: "100.0 * avg((state = 2)::int)" and
// "count(*) FILTER (WHERE state = 2) * 100 / nullif(count(*), 0)". It is for comparing, and no SQL.
func formula(sql string) string {
	tree, err := ask.Parse("SELECT " + sql)
	if err != nil {
		return sql
	}
	p := product{number: big.NewRat(1, 1)}
	p.add(tree.Stmts[0].Stmt.GetSelectStmt().TargetList[0].GetResTarget().Val, false)
	return p.String()
}

// product is a number times factors, over others.
type product struct {
	number      *big.Rat
	over, under []string
}

func (p *product) String() string {
	slices.Sort(p.over)
	slices.Sort(p.under)
	return p.number.RatString() + " * " + strings.Join(p.over, " * ") + " / " + strings.Join(p.under, " / ")
}

// add adds an expression as a factor, or as one below the line.
func (p *product) add(n *pg_query.Node, below bool) {
	e := n.GetAExpr()
	text, number := ask.ConstantText(n)
	value, rational := new(big.Rat).SetString(text)
	condition, whole := truthAdded(n)
	switch {
	case n.GetTypeCast() != nil && hasAggregate(n):
		p.add(n.GetTypeCast().Arg, below)
	case function(n.GetFuncCall()) == "round", len(n.GetCoalesceExpr().GetArgs()) == 2 && hasAggregate(n):
		p.add(bare(n), below)
	case e != nil && e.Kind == pg_query.A_Expr_Kind_AEXPR_NULLIF:
		p.add(e.Lexpr, below)
	case ask.Operator(e) == "*" && e.Lexpr != nil:
		p.add(e.Lexpr, below)
		p.add(e.Rexpr, below)
	case ask.Operator(e) == "/":
		p.add(e.Lexpr, below)
		p.add(e.Rexpr, !below)
	case (ask.Operator(e) == "+" || ask.Operator(e) == "-") && e.Lexpr != nil:
		p.factor("("+formula(ask.DeparseExpression(e.Lexpr))+" "+ask.Operator(e)+" "+formula(ask.DeparseExpression(e.Rexpr))+")", below)
	case number && rational && (!below || value.Sign() != 0):
		if below {
			value.Inv(value)
		}
		p.number.Mul(p.number, value)
	case condition != nil:
		p.factor("count(*) FILTER (WHERE "+ask.DeparseExpression(condition)+")", below)
		if whole { // an average is over all rows
			p.factor("count(*)", !below)
		}
	default:
		p.factor(ask.DeparseExpression(n), below)
	}
}

func (p *product) factor(text string, below bool) {
	if below {
		p.under = append(p.under, text)
		return
	}
	p.over = append(p.over, text)
}

// truthAdded returns the condition that an aggregate counts as 1, and otherwise as 0: avg((a = b)::int), sum(CASE WHEN a THEN 1 ELSE 0 END),
// count(CASE WHEN a THEN 1 END). average is true for the first: it is the share of rows that meet it.
func truthAdded(n *pg_query.Node) (condition *pg_query.Node, average bool) {
	f := n.GetFuncCall()
	name := function(f)
	if f == nil || len(f.Args) != 1 || f.AggDistinct || f.AggFilter != nil {
		return nil, false
	}
	if name == "sum" || name == "count" {
		if g := filtered(clone(n)).GetFuncCall(); g.AggStar {
			return normalise(g.AggFilter), false
		}
	}
	arg := f.Args[0]
	if c := ask.Uncast(arg).GetCaseExpr(); name == "avg" && c != nil {
		sum := clone(n)
		sum.GetFuncCall().Funcname = []*pg_query.Node{pg_query.MakeStrNode("sum")}
		condition, _ = truthAdded(sum)
		return condition, c.Defresult != nil
	}
	if inner := ask.Uncast(arg); (name == "avg" || name == "sum") && inner != arg && (inner.GetBoolExpr() != nil || inner.GetNullTest() != nil || comparison(inner) || column(inner) && toInteger(arg)) {
		return normalise(clone(inner)), name == "avg"
	}
	return nil, false
}

// comparison reports whether an expression is true or false by its operator.
func comparison(n *pg_query.Node) bool {
	return slices.Contains([]string{"=", "<>", "<", "<=", ">", ">="}, ask.Operator(n.GetAExpr()))
}

// toInteger reports whether an expression is cast to an integer, as a boolean can be.
func toInteger(n *pg_query.Node) bool {
	names := n.GetTypeCast().GetTypeName().GetNames()
	return len(names) > 0 && slices.Contains([]string{"int", "int4", "integer"}, names[len(names)-1].GetString_().GetSval())
}
