package vote

import (
	"encoding/json"
	"maps"
	"slices"

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
	text, err := ask.ParseJSON(sql)
	if err != nil {
		return extra
	}
	var tree any
	if json.Unmarshal([]byte(text), &tree) != nil {
		return extra
	}
	count := func(key string) (n int) {
		walkTree(tree, key, func(map[string]any) { n++ })
		return n
	}
	var component1, nested, columns, conditions, groupings, ors int
	first := true
	walkTree(tree, "SelectStmt", func(m map[string]any) {
		if !first {
			nested++
			return
		}
		first = false
		for _, k := range []string{"whereClause", "groupClause", "sortClause", "limitCount"} {
			if m[k] != nil {
				component1++
			}
		}
		if l, ok := m["targetList"].([]any); ok {
			columns = len(l)
		}
		if l, ok := m["groupClause"].([]any); ok {
			groupings = len(l)
		}
		if m["larg"] != nil {
			nested++
		}
	})
	walkTree(tree, "A_Expr", func(m map[string]any) {
		conditions++
		if k, _ := m["kind"].(string); k == "AEXPR_LIKE" || k == "AEXPR_ILIKE" {
			component1++
		}
	})
	walkTree(tree, "BoolExpr", func(m map[string]any) {
		if op, _ := m["boolop"].(string); op == "OR_EXPR" {
			ors++
		}
	})
	component1 += max(0, count("RangeVar")-1-nested) + ors
	others := 0
	for _, more := range []bool{count("FuncCall") > 1, columns > 1, conditions > 1, groupings > 1} {
		if more {
			others++
		}
	}
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

// walkTree calls f for each node of a kind in a syntax tree, always in the same order.
func walkTree(node any, kind string, f func(map[string]any)) {
	switch n := node.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(n)) {
			if m, ok := n[k].(map[string]any); ok && k == kind {
				f(m)
			}
			walkTree(n[k], kind, f)
		}
	case []any:
		for _, v := range n {
			walkTree(v, kind, f)
		}
	}
}
