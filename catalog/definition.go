package catalog

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"

	"askpg/ask"
	"askpg/catalog/schema"
)

// maxDefined bounds the relations over which a name is defined at once: what every table has says little.
const maxDefined = 8

// Define binds what an asker says a name means: a condition, such as tier = 'gold', makes a term, and an aggregate, such as
// sum(price * pieces), a measure. There is one for each relation that has all columns which the text names without a table.
// The snapshot stays as it is. The error says why the text defines nothing.
func (s *Snapshot) Define(name, text string) ([]*Measure, error) {
	refs, expression, err := columnRefs(text)
	if err != nil {
		return nil, err
	}
	aggregate, err := definitionKind(expression)
	if err != nil {
		return nil, err
	}
	b := &builder{snap: s}
	bare, named, err := b.namesOf(refs)
	if err != nil {
		return nil, err
	}
	relation := func(name string) (*Relation, error) { return named[name], nil }
	var out []*Measure
	for _, r := range s.Relations {
		if len(bare) == 0 && !slices.Contains(slices.Collect(maps.Values(named)), r) || slices.ContainsFunc(bare, func(name string) bool { return r.Column(name) == nil }) {
			continue
		}
		e, rels, bad := b.bindRefs(r, text, refs, relation)
		if bad != nil || !slices.Contains(rels, r) {
			err = bad
			continue
		}
		m := &Measure{Name: name, Relation: r, Relations: []*Relation{r}}
		for _, other := range rels {
			if !slices.Contains(m.Relations, other) {
				m.Relations = append(m.Relations, other)
			}
		}
		if m.Condition = e; aggregate {
			m.Aggregate, m.Condition = e, schema.Expression{}
		}
		if out = append(out, m); len(out) > maxDefined {
			return nil, fmt.Errorf("more than %d tables have its columns: name the table", maxDefined)
		}
	}
	if len(out) == 0 {
		return nil, errors.Join(errors.New("no table has all of its columns"), err)
	}
	return out, nil
}

// namesOf returns the columns that are named without a table, and the tables by which others are named, each once: a text may have
// thousands of places.
func (b *builder) namesOf(refs []columnRef) (bare []string, named map[string]*Relation, err error) {
	named = map[string]*Relation{}
	for _, c := range refs {
		of := strings.Join(c.names[:len(c.names)-1], ".")
		switch {
		case of == "" && !slices.Contains(bare, c.names[0]):
			bare = append(bare, c.names[0])
		case of != "" && named[of] == nil:
			if named[of], err = b.relation(of); err != nil {
				return nil, nil, err
			}
		}
	}
	return bare, named, nil
}

// definitionKind reports whether an expression aggregates rows. One that is neither an aggregate nor a condition is an error.
func definitionKind(expression *pg_query.Node) (aggregate bool, err error) {
	ask.Walk(expression.ProtoReflect(), func(m protoreflect.Message) {
		if call, ok := m.Interface().(*pg_query.FuncCall); ok {
			name := call.Funcname[len(call.Funcname)-1].GetString_().GetSval()
			aggregate = aggregate || call.AggStar || slices.Contains(aggregates, name)
		}
	})
	if aggregate {
		return true, nil
	}
	switch n := expression.GetNode().(type) {
	case *pg_query.Node_BoolExpr, *pg_query.Node_NullTest, *pg_query.Node_BooleanTest:
		return false, nil
	case *pg_query.Node_AExpr:
		operator := n.AExpr.Name[len(n.AExpr.Name)-1].GetString_().GetSval()
		if slices.Contains(comparisons, operator) {
			return false, nil
		}
	}
	return false, errors.New("it is neither a condition nor an aggregate")
}

// aggregates are PostgreSQL's aggregate functions of general use (PostgreSQL documentation, 9.21) that a measure is made with.
var aggregates = []string{"sum", "avg", "count", "min", "max"}

// comparisons are operators that make a condition. IN, BETWEEN and LIKE have operators of these names in the parse tree.
var comparisons = []string{"=", "<>", "<", "<=", ">", ">=", "IN", "BETWEEN", "NOT BETWEEN", "~~", "!~~", "~~*", "!~~*", "~", "~*"}
