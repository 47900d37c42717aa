package catalog

import (
	"fmt"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/catalog/schema"
)

// Conjuncts returns the conditions that an expression joins by AND, or the expression alone where it is something else.
func Conjuncts(e schema.Expression) []schema.Expression {
	whole := []schema.Expression{e}
	refs, expression, err := columnRefs(e.Text)
	if err != nil {
		return whole
	}
	column := map[string]*Column{}
	for _, ref := range refs {
		for _, r := range e.Refs {
			if r.Start == ref.start {
				column[fmt.Sprintf("%q", ref.names)] = r.Column
			}
		}
	}
	and := expression.GetBoolExpr()
	if and.GetBoolop() != pg_query.BoolExprType_AND_EXPR {
		return whole
	}
	var parts []schema.Expression
	for _, arg := range and.Args {
		part := schema.Expression{Text: ask.DeparseExpression(arg)}
		if arg.GetBoolExpr().GetBoolop() == pg_query.BoolExprType_OR_EXPR {
			part.Text = "(" + part.Text + ")"
		}
		if refs, _, err = columnRefs(part.Text); err != nil {
			return whole
		}
		for _, ref := range refs {
			if c := column[fmt.Sprintf("%q", ref.names)]; c != nil {
				part.Refs = append(part.Refs, schema.Reference{Start: ref.start, End: ref.end, Column: c})
			}
		}
		parts = append(parts, part)
	}
	return parts
}
