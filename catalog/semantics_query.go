package catalog

import (
	"errors"
	"fmt"
	"slices"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"

	"askpg/ask"
)

// queryNames are the names in a statement.
type queryNames struct {
	tables  []*pg_query.RangeVar // but those of WITH
	columns []string             // the last names of column references
	own     map[string]bool      // names that the statement gives itself
	rows    map[string]bool      // names of relations, WITH queries and subqueries: as a column each is a whole row
	renamed bool                 // columns get other names by their place
}

// readQuery parses the statement of a query of the semantics file.
func readQuery(sql string) (*queryNames, error) {
	tree, err := ask.Parse(sql)
	if err != nil {
		return nil, err
	}
	if len(tree.Stmts) != 1 || tree.Stmts[0].Stmt.GetSelectStmt() == nil {
		return nil, errors.New("it must be one SELECT")
	}
	n := &queryNames{own: map[string]bool{}, rows: map[string]bool{}}
	with := map[string]bool{}
	ask.Walk(tree.ProtoReflect(), func(m protoreflect.Message) {
		switch x := m.Interface().(type) {
		case *pg_query.CommonTableExpr:
			with[x.Ctename], n.rows[x.Ctename] = true, true
			n.give(x.Aliascolnames)
		case *pg_query.RangeVar:
			n.tables = append(n.tables, x)
			n.own[x.Relname], n.rows[x.Relname] = true, true
		case *pg_query.Alias:
			n.own[x.Aliasname], n.rows[x.Aliasname] = true, true
			n.give(x.Colnames)
		case *pg_query.ResTarget:
			n.own[x.Name] = true
		case *pg_query.FuncCall: // whose output is named after it
			n.own[x.Funcname[len(x.Funcname)-1].GetString_().GetSval()] = true
		case *pg_query.JoinExpr:
			for _, u := range x.UsingClause {
				n.columns = append(n.columns, u.GetString_().GetSval())
			}
		case *pg_query.ColumnRef:
			if name := x.Fields[len(x.Fields)-1].GetString_(); name != nil {
				n.columns = append(n.columns, name.Sval)
			}
		}
	})
	n.tables = slices.DeleteFunc(n.tables, func(v *pg_query.RangeVar) bool { return v.Schemaname == "" && with[v.Relname] })
	return n, nil
}

func (n *queryNames) give(names []*pg_query.Node) {
	for _, name := range names {
		n.renamed = true
		n.own[name.GetString_().GetSval()] = true
	}
}

// applyQuery adds a query if the role may read all that it names, and nothing of
// it is private or hidden. A name that one of its tables keeps back is believed
// to be that column wherever it stands.
func (b *builder) applyQuery(s *querySemantics) error {
	names, err := readQuery(s.SQL)
	if err != nil {
		return err
	}
	q := &Query{Names: s.Names, Description: s.Description, SQL: s.SQL}
	visible, kept := map[string]bool{}, map[string]bool{}
	for _, v := range names.tables {
		r, err := b.queried(v)
		if err != nil {
			return err
		}
		if !slices.Contains(q.Relations, r) {
			q.Relations = append(q.Relations, r)
		}
		for _, c := range b.metadata.columns[r.OID] {
			if shown := r.Column(c.name); shown == nil || shown.Private {
				kept[c.name] = true
			}
			visible[c.name] = true
		}
	}
	for _, c := range names.columns {
		if kept[c] || !visible[c] && !names.own[c] || len(kept) > 0 && names.rows[c] {
			return fmt.Errorf("role %q can read no column %q of its tables, or it is private", b.snap.Role, c)
		}
	}
	if len(kept) > 0 && names.renamed {
		return errors.New("it gives columns other names by their place, which a query over private columns must not")
	}
	b.snap.Queries = append(b.snap.Queries, q)
	return nil
}

// TellsPrivate reports whether SQL that a person has verified may tell a value of a private column.
// It may if it names such a column of its tables, wherever the name stands, or takes their rows as
// a whole or by other names. It also may if it reads what is not in the snapshot or shown to no
// model. It is what applyQuery asks of queries.
func (s *Snapshot) TellsPrivate(sql string, searchPath []string) bool {
	names, err := readQuery(sql)
	if err != nil {
		return true
	}
	kept, some := map[string]bool{}, false
	for _, v := range names.tables {
		path := searchPath
		if v.Schemaname != "" {
			path = []string{v.Schemaname}
		}
		var r *Relation
		for i := 0; r == nil && i < len(path); i++ {
			r = s.Lookup(path[i], v.Relname)
		}
		if r == nil || r.Closed {
			return true
		}
		some = some || r.HasPrivate
		for _, c := range r.Columns {
			kept[c.Name], some = kept[c.Name] || c.Private, some || c.Private
		}
	}
	return some && (names.renamed || slices.ContainsFunc(names.columns, func(c string) bool { return kept[c] || names.rows[c] }))
}

// queried finds a table that a query reads.
func (b *builder) queried(v *pg_query.RangeVar) (*Relation, error) {
	if v.Schemaname != "" {
		return b.relation(v.Schemaname + "." + v.Relname)
	}
	if r, err := b.relation("public." + v.Relname); err == nil {
		return r, nil
	}
	return b.relation(v.Relname)
}
