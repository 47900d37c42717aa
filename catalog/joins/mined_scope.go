package joins

import (
	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/catalog/schema"
)

// scope is one FROM and the equalities between its relations.
type scope struct {
	*miner
	hidden map[string]bool
	tables map[string]*schema.Relation // by alias, or by name; nil for what is no relation of the snapshot
	count  int
	equal  [][2]*aliased
}

// aliased is a column of one place in FROM: a table may stand there twice.
type aliased struct {
	alias  string
	column *schema.Column
}

func (sc *scope) from(n *pg_query.Node) {
	switch {
	case n.GetRangeVar() != nil:
		v := n.GetRangeVar()
		var r *schema.Relation
		switch {
		case v.Schemaname != "":
			r = sc.Lookup(v.Schemaname, v.Relname)
		case !sc.hidden[v.Relname]:
			if r = sc.Lookup("public", v.Relname); r == nil {
				r = sc.byName[v.Relname]
			}
		}
		alias := v.Relname
		if v.Alias != nil {
			alias = v.Alias.Aliasname
			if len(v.Alias.Colnames) > 0 {
				r = nil
			}
		}
		sc.tables[alias] = r
		sc.count++
	case n.GetJoinExpr() != nil:
		j := n.GetJoinExpr()
		sc.from(j.Larg)
		before := make(map[string]bool, len(sc.tables))
		for alias := range sc.tables {
			before[alias] = true
		}
		sc.from(j.Rarg)
		for _, u := range j.UsingClause {
			sc.using(u.GetString_().GetSval(), before)
		}
		sc.condition(j.Quals)
	case n.GetRangeSubselect() != nil:
		if a := n.GetRangeSubselect().Alias; a != nil {
			sc.tables[a.Aliasname] = nil
		}
	}
}

// using joins the one relation on each side that has the column.
func (sc *scope) using(name string, left map[string]bool) {
	var sides [2][]*aliased
	for alias, r := range sc.tables {
		if r == nil {
			continue
		}
		if c := r.Column(name); c != nil {
			side := 1
			if left[alias] {
				side = 0
			}
			sides[side] = append(sides[side], &aliased{alias, c})
		}
	}
	if len(sides[0]) == 1 && len(sides[1]) == 1 {
		sc.equal = append(sc.equal, [2]*aliased{sides[0][0], sides[1][0]})
	}
}

// condition collects the equalities that all rows fulfil.
func (sc *scope) condition(n *pg_query.Node) {
	switch {
	case n == nil:
	case n.GetBoolExpr() != nil && n.GetBoolExpr().Boolop == pg_query.BoolExprType_AND_EXPR:
		for _, a := range n.GetBoolExpr().Args {
			sc.condition(a)
		}
	case n.GetAExpr() != nil:
		e := n.GetAExpr()
		if !ask.Equates(e) {
			return
		}
		if a, b := sc.column(e.Lexpr), sc.column(e.Rexpr); a != nil && b != nil && a.alias != b.alias {
			sc.equal = append(sc.equal, [2]*aliased{a, b})
		}
	}
}

// column resolves a column reference, nil if it is not a column of one relation.
func (sc *scope) column(n *pg_query.Node) *aliased {
	ref := n.GetColumnRef()
	if ref == nil {
		return nil
	}
	var parts []string
	for _, f := range ref.Fields {
		parts = append(parts, f.GetString_().GetSval())
	}
	name := parts[len(parts)-1]
	if len(parts) == 1 {
		var found *aliased
		for alias, r := range sc.tables {
			if r == nil {
				return nil // it could be there
			}
			if c := r.Column(name); c != nil {
				if found != nil {
					return nil
				}
				found = &aliased{alias, c}
			}
		}
		return found
	}
	alias := parts[len(parts)-2]
	if r := sc.tables[alias]; r != nil && name != "" {
		if c := r.Column(name); c != nil {
			return &aliased{alias, c}
		}
	}
	return nil
}

// add counts the joins of the scope: all equalities between two places of FROM
// are one join.
func (sc *scope) add(calls int64) {
	type places struct{ a, b string }
	joins := map[places][][2]*schema.Column{}
	var order []places
	for _, e := range sc.equal {
		if e[0].alias > e[1].alias {
			e[0], e[1] = e[1], e[0]
		}
		p := places{e[0].alias, e[1].alias}
		if joins[p] == nil {
			order = append(order, p)
		}
		joins[p] = append(joins[p], [2]*schema.Column{e[0].column, e[1].column})
	}
	for _, p := range order {
		var a, b []*schema.Column
		for _, pair := range joins[p] {
			a, b = append(a, pair[0]), append(b, pair[1])
		}
		sc.join(a, b, calls)
	}
}
