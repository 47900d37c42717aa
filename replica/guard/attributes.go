package guard

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// ranges is what stands in FROM anywhere in a statement, and what its WITH queries are called: what x in x.name may be. Scopes
// are left aside: a name may be whatever is called so anywhere.
type ranges struct {
	relations map[string][]Name     // relations under their own names, by the name that they have in the statement
	queries   map[string][][]string // output columns of queries in FROM, by their alias
	with      map[string][][]string // output columns of WITH queries
	aliases   map[string]int        // how often something is called so
	read      map[string]int        // how often that is a relation or query above, under its own columns' names
	unnamed   bool                  // something has no name of its own: the server gives it one
}

// relation takes down a relation in FROM.
func (r *ranges) relation(t *parseTree, i int32, name Name) {
	called := name.Name
	if a := t.get(i, fieldAlias); a != 0 {
		if called = t.string(a, fieldAliasname); t.get(a, fieldColnames) == 0 {
			r.read[strings.Clone(called)]++
		} else {
			return // its columns are called otherwise
		}
	}
	called = strings.Clone(called)
	r.relations[called] = append(r.relations[called], Name{strings.Clone(name.Schema), strings.Clone(name.Name)})
}

// item takes down a query, function or table of XML in FROM.
func (r *ranges) item(t *parseTree, i int32) {
	a := t.get(i, fieldAlias)
	if a == 0 {
		r.unnamed = true
		return
	}
	query := t.get(i, fieldSubquery)
	if query == 0 || t.get(a, fieldColnames) != 0 {
		return
	}
	called := strings.Clone(t.string(a, fieldAliasname))
	r.read[called]++
	r.queries[called] = append(r.queries[called], outputs(t, query))
}

// query takes down a WITH query.
func (r *ranges) query(t *parseTree, i int32) {
	var columns []string
	if t.get(i, fieldAliascolnames) == 0 {
		columns = outputs(t, t.get(i, fieldCtequery))
	}
	name := strings.Clone(t.string(i, fieldCtename))
	r.with[name] = append(r.with[name], columns)
}

// alias takes down that something is called so.
func (r *ranges) alias(t *parseTree, i int32) {
	r.aliases[strings.Clone(t.string(i, fieldAliasname))]++
}

// outputs returns names of output columns of a query, those that are certain: written with AS, or of a column (FigureColname in
// parse_target.c). Of a set operation the first query names them.
func outputs(t *parseTree, i int32) (columns []string) {
	for first := i; first != 0; first = t.get(i, fieldLarg) {
		i = first
	}
	for c := t.elements[i].child; c != 0; c = t.elements[c].next {
		if t.elements[c].field != fieldTargetList {
			continue
		}
		name := t.string(c, fieldName)
		if val := t.get(c, fieldVal); name == "" && val != 0 && t.shape(val).kind == columnRef {
			for f := t.elements[val].child; f != 0; f = t.elements[f].next {
				if t.elements[f].field == fieldFields {
					name = t.string(f, fieldSval) // of * none
				}
			}
		}
		if name != "" {
			columns = append(columns, strings.Clone(name))
		}
	}
	return columns
}

// attributes returns the names in x.name, which may be calls of name(x): those that are proved to be columns are left
// out. names are those of the statement's relations, found what they stand for.
func (j *judgement) attributes(ctx context.Context, w *walk, names []Name, found []Relation) (map[string]bool, error) {
	calls := maps.Clone(w.fields)
	for _, x := range sorted(w.attributes) {
		if calls[x.Name] || !j.calledAs(x.Name) {
			calls[x.Name] = true // what nobody objects to needs no proof
			continue
		}
		column, err := j.isColumn(ctx, w, x, names, found)
		if err != nil {
			return nil, err
		}
		if !column {
			calls[x.Name] = true
		}
	}
	return calls, nil
}

// calledAs says whether x.name would be objected to if it were a call, or a cast to a type that a user made.
func (j *judgement) calledAs(name string) bool {
	return len(j.l.Types("", name)) > 0 || slices.ContainsFunc(j.l.Functions("", name), func(f *Function) bool {
		if f.OID >= firstUserOID {
			return true
		}
		_, p := j.function(f, inStatement)
		return p != nil
	})
}

// isColumn says whether x.name is a column, whichever x in the statement is meant: everything that is called x is a relation or a
// query, and has the column. PostgreSQL takes x.name for a call only where x has none (transformColumnRef in parse_expr.c).
func (j *judgement) isColumn(ctx context.Context, w *walk, x Name, names []Name, found []Relation) (bool, error) {
	r, called := &w.ranges, x.Schema
	if r.unnamed || r.aliases[called] != r.read[called] || len(r.relations[called])+len(r.queries[called]) == 0 {
		return false, nil
	}
	queries := r.queries[called]
	var oids []uint32
	for _, n := range r.relations[called] {
		with := r.with[n.Name]
		if n.Schema != "" {
			with = nil
		}
		i := slices.Index(names, n)
		switch {
		case i >= 0 && found[i].OID != 0:
			oids = append(oids, found[i].OID)
		case len(with) == 0:
			return false, nil // there is no such relation
		}
		queries = slices.Concat(queries, with)
	}
	if slices.ContainsFunc(queries, func(columns []string) bool { return !slices.Contains(columns, x.Name) }) {
		return false, nil
	}
	if len(oids) == 0 {
		return true, nil
	}
	slices.Sort(oids)
	return j.l.HaveColumn(ctx, slices.Compact(oids), x.Name)
}
