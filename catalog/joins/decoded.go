package joins

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/catalog/schema"
)

// maxDecoded bounds the codes of a column that a view explains.
const maxDecoded = 16

// Decode notes what the CASE of views says that the codes of columns stand for, as labels of the columns. No other snapshot may have
// the relations yet: another role may not read the view, and another version may not have it.
func Decode(relations []*schema.Relation) {
	byName := make(map[schema.Name]*schema.Relation, len(relations))
	for _, r := range relations {
		byName[r.Name] = r
	}
	lookup := func(of, name string) *schema.Relation { return byName[schema.Name{Schema: of, Name: name}] }
	m := newMiner(&Finder{Relations: relations, Lookup: lookup})
	for _, r := range relations {
		if len(r.Definition) <= minedBytes && strings.Contains(r.Definition, "CASE") {
			m.view = r
			m.statement(r.Definition, 0)
		}
	}
}

// decode notes what a view's CASE says that the codes of a column stand for, if nobody has said it yet. Only a view of the
// table's owner is believed.
func (sc *scope) decode(n *pg_query.Node) {
	e := n.GetResTarget().GetVal().GetCaseExpr()
	if e == nil || sc.view == nil {
		return
	}
	var decoded *schema.Column
	var labels []schema.Label
	for _, a := range e.Args {
		when := a.GetCaseWhen()
		subject, code := e.Arg, when.Expr
		if subject == nil {
			x := when.Expr.GetAExpr()
			if !isEqual(x) {
				return
			}
			subject, code = x.Lexpr, x.Rexpr
		}
		c, value, text := sc.column(untext(subject)), constant(code), constant(when.Result)
		if c == nil || decoded != nil && c.column != decoded || value == "" || text == "" ||
			slices.ContainsFunc(labels, func(l schema.Label) bool { return l.Text == text || l.Value == value }) {
			return // texts that repeat are groups, not meanings
		}
		decoded, labels = c.column, append(labels, schema.Label{Value: value, Text: text})
	}
	if len(labels) < 2 || len(labels) > maxDecoded || decoded.Private || decoded.Relation.Owner != sc.view.Owner ||
		len(decoded.Labels) > 0 || strings.Contains(decoded.Comment, "=") {
		return
	}
	slices.SortFunc(labels, func(a, b schema.Label) int { return cmp.Compare(a.Value, b.Value) })
	decoded.Labels = labels
}

// isEqual reports whether an expression compares by "=".
func isEqual(x *pg_query.A_Expr) bool {
	return x != nil && x.Kind == pg_query.A_Expr_Kind_AEXPR_OP && len(x.Name) == 1 && x.Name[0].GetString_().GetSval() == "="
}

// untext takes the type text from an expression: a view's definition has it at columns of other types of text. Other casts may make
// one value of several, as that of 0.8 to an integer does.
func untext(n *pg_query.Node) *pg_query.Node {
	if c := n.GetTypeCast(); len(c.GetTypeName().GetNames()) == 1 && c.TypeName.Names[0].GetString_().GetSval() == "text" {
		return c.Arg
	}
	return n
}

// uncast takes the types from an expression, as a view's definition has them.
func uncast(n *pg_query.Node) *pg_query.Node {
	for n.GetTypeCast() != nil {
		n = n.GetTypeCast().Arg
	}
	return n
}

// constant returns a text or a whole number, "" for anything else.
func constant(n *pg_query.Node) string {
	switch c := uncast(n).GetAConst(); {
	case c == nil || c.Isnull:
	case c.GetSval() != nil:
		return c.GetSval().Sval
	case c.GetIval() != nil:
		return strconv.Itoa(int(c.GetIval().Ival))
	}
	return ""
}
