package vote

import (
	"slices"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
)

// Grade is Spider's grade of a query's complexity (Yu et al. 2018; the rules
// are those of its evaluation script, on PostgreSQL's syntax tree).
type Grade string

// The grades.
const (
	easy   Grade = "easy"
	medium Grade = "medium"
	hard   Grade = "hard"
	extra  Grade = "extra"
)

// ParseGrade reads a grade's name.
func ParseGrade(s string) (Grade, bool) {
	g := Grade(s)
	return g, slices.Contains([]Grade{easy, medium, hard, extra}, g)
}

// GradeOf grades a statement; one that does not parse is extra hard.
//
// Component 1 counts WHERE, GROUP BY, ORDER BY, LIMIT, joins, OR and LIKE;
// component 2 counts nested and set-operation queries; others are more than one aggregate,
// column, condition or grouping.
func GradeOf(sql string) Grade {
	tree, err := ask.Parse(sql)
	if err != nil {
		return extra
	}
	var component1, queries, setOperations, relations, calls, columns, conditions, groupings int
	ask.Nodes(tree, func(n *pg_query.Node) {
		switch n := n.Node.(type) {
		case *pg_query.Node_SelectStmt:
			if queries++; queries > 1 {
				return
			}
			s := n.SelectStmt
			for _, has := range []bool{s.WhereClause != nil, len(s.GroupClause) > 0, len(s.SortClause) > 0, s.LimitCount != nil} {
				component1 += count(has)
			}
			columns, groupings, setOperations = len(s.TargetList), len(s.GroupClause), count(s.Larg != nil)
		case *pg_query.Node_AExpr:
			conditions++
			kind := n.AExpr.Kind
			component1 += count(kind == pg_query.A_Expr_Kind_AEXPR_LIKE || kind == pg_query.A_Expr_Kind_AEXPR_ILIKE)
		case *pg_query.Node_BoolExpr:
			component1 += count(n.BoolExpr.Boolop == pg_query.BoolExprType_OR_EXPR)
		case *pg_query.Node_RangeVar:
			relations++
		case *pg_query.Node_FuncCall:
			calls++
		}
	})
	nested := max(0, queries-1) + setOperations
	component1 += max(0, relations-1-nested)
	others := count(calls > 1) + count(columns > 1) + count(conditions > 1) + count(groupings > 1)
	switch {
	case component1 <= 1 && others == 0 && nested == 0:
		return easy
	case others <= 2 && component1 <= 1 && nested == 0, component1 <= 2 && others < 2 && nested == 0:
		return medium
	case others > 2 && component1 <= 2 && nested == 0, component1 == 3 && others <= 2 && nested == 0,
		component1 <= 1 && others == 0 && nested <= 1:
		return hard
	default:
		return extra
	}
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}
