package sentence

import (
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
)

// scope is what names mean in one SELECT.
type scope struct {
	outer     *scope
	relations []relation
	conds     []string      // of joins, beside those by a key
	measure   string        // the one target beside the groups, "" if there are several
	equal     [][2]resolved // columns of two relations that are equal
}

// relation is one item of FROM.
type relation struct {
	alias, schema, name string
	optional            bool     // an outer join admits rows without it
	only                []string // conditions of the outer join
}

// find returns the relation that an alias means, here or around.
func (f *scope) find(alias string) (r relation, here bool, ok bool) {
	for s := f; s != nil; s = s.outer {
		for _, r := range s.relations {
			if r.alias == alias {
				return r, s == f, true
			}
		}
	}
	return relation{}, false, false
}

// from reads FROM.
func (t *teller) from(items []*pg_query.Node, outer *scope) *scope {
	f := &scope{outer: outer}
	for _, n := range items {
		t.item(f, n, false)
	}
	return f
}

// item adds an item of FROM. optional says that an outer join admits rows without it.
func (t *teller) item(f *scope, n *pg_query.Node, optional bool) {
	switch n := n.Node.(type) {
	case *pg_query.Node_RangeVar:
		v := n.RangeVar
		r := relation{alias: v.Relname, schema: v.Schemaname, name: v.Relname, optional: optional}
		if v.Alias != nil {
			r.alias = v.Alias.Aliasname
			if len(v.Alias.Colnames) > 0 {
				t.noWords()
			}
		}
		f.relations = append(f.relations, r)
	case *pg_query.Node_RangeSubselect:
		v := n.RangeSubselect
		if v.Alias == nil || len(v.Alias.Colnames) > 0 || v.Lateral || v.Subquery.GetSelectStmt() == nil {
			t.noWords()
			return
		}
		t.defined = append(t.defined, v.Alias.Aliasname+" is "+t.query(v.Subquery.GetSelectStmt(), f.outer))
		f.relations = append(f.relations, relation{alias: v.Alias.Aliasname, name: v.Alias.Aliasname, optional: optional})
	case *pg_query.Node_JoinExpr:
		t.join(f, n.JoinExpr, optional)
	default:
		t.noWords()
	}
}

// join adds both sides of a join, and its condition.
func (t *teller) join(f *scope, j *pg_query.JoinExpr, optional bool) {
	if j.IsNatural || j.Alias != nil || j.JoinUsingAlias != nil {
		t.noWords()
		return
	}
	left, right := optional, optional
	switch j.Jointype {
	case pg_query.JoinType_JOIN_INNER:
	case pg_query.JoinType_JOIN_LEFT:
		right = true
	case pg_query.JoinType_JOIN_RIGHT:
		left = true
	case pg_query.JoinType_JOIN_FULL:
		left, right = true, true
	default:
		t.noWords()
		return
	}
	t.item(f, j.Larg, left)
	before := len(f.relations)
	t.item(f, j.Rarg, right)
	if before == 0 || before >= len(f.relations) {
		t.noWords()
		return
	}
	for _, n := range j.UsingClause {
		// USING names a column of both sides; which of the left's is known only if there is one relation.
		name := n.GetString_().GetSval()
		a, b := f.relations[before-1], f.relations[before]
		left, right := Column{a.schema, a.name, name}, Column{b.schema, b.name, name}
		known := left
		if before > 1 {
			known = Column{}
		}
		f.equal = append(f.equal, [2]resolved{{known, a.alias}, {right, b.alias}})
		if !t.schema.IsKey(left, right) {
			f.conds = append(f.conds, "the same "+name)
		}
	}
	if j.Quals == nil {
		return
	}
	conds := t.conditions(f, j.Quals)
	if j.Jointype == pg_query.JoinType_JOIN_INNER {
		f.conds = append(f.conds, conds...)
		return
	}
	// What an outer join asks of a row decides whether it is joined, and leaves the other side as it is.
	side := before
	if j.Jointype == pg_query.JoinType_JOIN_RIGHT {
		side = before - 1
	}
	f.relations[side].only = append(f.relations[side].only, conds...)
}

// equates takes a condition that two columns of different relations are equal. It returns what there is to tell of it, and whether
// the condition is one.
func (t *teller) equates(f *scope, e *pg_query.A_Expr) (string, bool) {
	if e.Kind != pg_query.A_Expr_Kind_AEXPR_OP || ask.Operator(e) != "=" {
		return "", false
	}
	a, aok := t.column(f, e.Lexpr)
	b, bok := t.column(f, e.Rexpr)
	if !aok || !bok || a.alias == b.alias {
		return "", false
	}
	f.equal = append(f.equal, [2]resolved{a, b})
	if a.Column == b.Column {
		return "the same " + a.Name, true
	}
	if t.schema.IsKey(a.Column, b.Column) {
		if a.Relation == b.Relation && a.Schema == b.Schema { // rows of one relation, of which it tells whose is meant
			if _, here, _ := f.find(a.alias); !here {
				a, b = b, a
			}
			if _, here, _ := f.find(b.alias); !here {
				return a.Name + " is the " + b.Name + " of the row", true
			}
		}
		return "", true
	}
	return a.Name + " of " + a.Relation + " is " + b.Name + " of " + b.Relation, true
}

// resolved is a column, and the alias that its relation has.
type resolved struct {
	Column
	alias string
}

// column resolves a column whose relation is certain.
func (t *teller) column(f *scope, n *pg_query.Node) (resolved, bool) {
	fields := n.GetColumnRef().GetFields()
	switch len(fields) {
	case 1:
		if name := fields[0].GetString_().GetSval(); len(f.relations) == 1 && name != "" {
			return resolved{Column{f.relations[0].schema, f.relations[0].name, name}, f.relations[0].alias}, true
		}
	case 2:
		r, _, ok := f.find(fields[0].GetString_().GetSval())
		if name := fields[1].GetString_().GetSval(); ok && name != "" {
			return resolved{Column{r.schema, r.name, name}, r.alias}, true
		}
	}
	return resolved{}, false
}

// display is what a relation is called: its name, and its alias where the name stands for several.
func (f *scope) display(r relation) string {
	if slices.ContainsFunc(f.relations, func(o relation) bool { return o.name == r.name && o.alias != r.alias }) {
		return r.name + " (" + r.alias + ")"
	}
	return r.name
}

// of tells the relations.
func (f *scope) of() string {
	var inner, outer []string
	for _, r := range f.relations {
		name := f.display(r)
		if len(r.only) > 0 {
			name += " (only where " + strings.Join(r.only, " and ") + ")"
		}
		if r.optional {
			outer = append(outer, name)
		} else {
			inner = append(inner, name)
		}
	}
	switch {
	case len(inner)+len(outer) == 0:
		return ""
	case len(inner) == 0:
		return " from " + list(outer, "or")
	case len(f.relations) == 1:
		return " of " + inner[0]
	}
	text := " from " + list(inner, "and")
	if len(outer) > 0 {
		text += ", with or without " + list(outer, "and")
	}
	return text
}

// counted returns the relation each of whose rows is in at most one row of FROM, "" if there is none, and what its rows are joined
// with. The number of rows is the number of those then. Each other relation is joined by a column that is unique in it.
func (t *teller) counted(f *scope) (name, others string) {
	if len(t.defined) > 0 || slices.ContainsFunc(f.relations, func(r relation) bool { return r.optional }) {
		return "", "" // what WITH or a subquery defines may have the name of a table, and another key
	}
	unique := func(c resolved) bool { return t.schema.IsUnique(c.Column) }
	i := slices.IndexFunc(f.relations, func(r relation) bool { return f.reaches(r.alias, unique) })
	if i < 0 {
		return "", ""
	}
	var with []string
	for _, r := range slices.Delete(slices.Clone(f.relations), i, i+1) {
		with = append(with, f.display(r))
	}
	if len(with) > 0 {
		others = " of " + list(with, "and")
	}
	return f.display(f.relations[i]), others
}

// lacks says whether the test that a column is empty finds the rows without a partner: those for which an outer join has
// found no row. Its relation is the one that was joined.
func (t *teller) lacks(f *scope, n *pg_query.Node) (string, bool) {
	c, ok := t.column(f, n)
	if !ok {
		return "", false
	}
	r, here, _ := f.find(c.alias)
	compared := slices.ContainsFunc(f.equal, func(e [2]resolved) bool { return e[0] == c || e[1] == c })
	return r.name, here && r.optional && (compared || t.schema.NotNull(c.Column))
}

// connected says whether equalities join all relations. If not, each row of one stands beside each of another.
func (f *scope) connected() bool {
	return len(f.relations) < 2 || f.reaches(f.relations[0].alias, func(resolved) bool { return true })
}

// reaches says whether equalities lead from a relation to all others, each by a column of the next one that may be taken.
func (f *scope) reaches(alias string, may func(resolved) bool) bool {
	reached := []string{alias}
	for i := 0; i < len(reached); i++ {
		for _, e := range f.equal {
			for side, from := range e {
				if to := e[1-side]; from.alias == reached[i] && !slices.Contains(reached, to.alias) && may(to) {
					reached = append(reached, to.alias)
				}
			}
		}
	}
	return !slices.ContainsFunc(f.relations, func(r relation) bool { return !slices.Contains(reached, r.alias) })
}

// where tells the conditions of joins and of WHERE.
func (t *teller) where(f *scope, n *pg_query.Node) []string {
	var own []string
	if n != nil {
		own = t.conditions(f, n)
	}
	if !f.connected() {
		return []string{t.noWords()}
	}
	return slices.DeleteFunc(slices.Concat(f.conds, own), func(s string) bool { return strings.TrimSpace(s) == "" })
}
