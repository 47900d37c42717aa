// Package refs says what a statement reads: the relations and columns of a
// catalog snapshot that its text names, and the values that it compares columns with.
package refs

import (
	"encoding/json"
	"slices"
	"strings"

	"askpg/ask"
	"askpg/catalog"
)

// Refs are what a statement refers to, aliases resolved. A column that could
// be of two relations is left out.
type Refs struct {
	Relations   []*catalog.Relation
	Columns     []*catalog.Column
	Comparisons []comparison
}

// comparison is a column compared by = or IN with string literals.
type comparison struct {
	Column *catalog.Column
	Values []string
}

// Of parses a statement. A text that does not parse refers to nothing.
func Of(sql string, s *catalog.Snapshot, searchPath []string) Refs {
	text, err := ask.ParseJSON(sql)
	if err != nil {
		return Refs{}
	}
	var tree any
	if json.Unmarshal([]byte(text), &tree) != nil {
		return Refs{}
	}
	w := &walk{snapshot: s, path: searchPath, tables: map[string][]*catalog.Relation{}}
	w.relations(tree)
	w.expressions(tree)
	return w.refs
}

// Find returns the relation that a name means under a search path, or nil.
func Find(s *catalog.Snapshot, searchPath []string, schema, name string) *catalog.Relation {
	if schema != "" {
		return s.Lookup(schema, name)
	}
	for _, p := range searchPath {
		if r := s.Lookup(p, name); r != nil {
			return r
		}
	}
	return nil
}

// walk goes over a parse tree in its JSON form.
type walk struct {
	snapshot *catalog.Snapshot
	path     []string
	tables   map[string][]*catalog.Relation // by alias, over all scopes
	refs     Refs
}

func children(node any, f func(key string, child any)) {
	switch n := node.(type) {
	case map[string]any:
		for k, v := range n {
			f(k, v)
		}
	case []any:
		for _, v := range n {
			f("", v)
		}
	}
}

func (w *walk) relations(node any) {
	children(node, func(key string, child any) {
		if m, ok := child.(map[string]any); ok && key == "RangeVar" {
			schema, _ := m["schemaname"].(string)
			name, _ := m["relname"].(string)
			if r := Find(w.snapshot, w.path, schema, name); r != nil {
				alias := name
				if a, ok := m["alias"].(map[string]any); ok {
					alias, _ = a["aliasname"].(string)
				}
				if !slices.Contains(w.tables[alias], r) {
					w.tables[alias] = append(w.tables[alias], r)
				}
				if !slices.Contains(w.refs.Relations, r) {
					w.refs.Relations = append(w.refs.Relations, r)
				}
			}
		}
		w.relations(child)
	})
}

func (w *walk) expressions(node any) {
	children(node, func(key string, child any) {
		m, ok := child.(map[string]any)
		if ok && key == "ColumnRef" {
			if c := w.column(m); c != nil && !slices.Contains(w.refs.Columns, c) {
				w.refs.Columns = append(w.refs.Columns, c)
			}
		}
		if ok && key == "A_Expr" {
			w.compare(m)
		}
		w.expressions(child)
	})
}

// column resolves a column reference, nil if nothing or more than one column
// fits it.
func (w *walk) column(ref map[string]any) *catalog.Column {
	fields, _ := ref["fields"].([]any)
	if len(fields) == 0 {
		return nil
	}
	name := stringOf(fields[len(fields)-1])
	from := w.refs.Relations
	if len(fields) > 1 {
		from = w.tables[stringOf(fields[len(fields)-2])]
	}
	var found *catalog.Column
	for _, r := range from {
		if c := r.Column(name); c != nil {
			if found != nil {
				return nil
			}
			found = c
		}
	}
	return found
}

func (w *walk) compare(e map[string]any) {
	kind, _ := e["kind"].(string)
	op := ""
	if names, ok := e["name"].([]any); ok && len(names) == 1 {
		op = stringOf(names[0])
	}
	if kind != "AEXPR_OP" && kind != "AEXPR_IN" || op != "=" && op != "<>" {
		return
	}
	for _, side := range [][2]any{{e["lexpr"], e["rexpr"]}, {e["rexpr"], e["lexpr"]}} {
		m, _ := side[0].(map[string]any)
		ref, ok := m["ColumnRef"].(map[string]any)
		if !ok {
			continue
		}
		if c, values := w.column(ref), literals(side[1]); c != nil && len(values) > 0 {
			w.refs.Comparisons = append(w.refs.Comparisons, comparison{c, values})
		}
	}
}

func stringOf(node any) string {
	m, _ := node.(map[string]any)
	s, _ := m["String"].(map[string]any)
	v, _ := s["sval"].(string)
	return v
}

func literals(node any) []string {
	var out []string
	m, _ := node.(map[string]any)
	if c, ok := m["A_Const"].(map[string]any); ok {
		if v, ok := c["sval"].(map[string]any); ok {
			s, _ := v["sval"].(string)
			return []string{s}
		}
	}
	if t, ok := m["TypeCast"].(map[string]any); ok {
		return literals(t["arg"])
	}
	if l, ok := m["List"].(map[string]any); ok {
		items, _ := l["items"].([]any)
		for _, i := range items {
			out = append(out, literals(i)...)
		}
	}
	return out
}

// Held says whether a column holds a value, as far as it is known: known is
// false if it may hold values that the snapshot does not know.
func Held(s *catalog.Snapshot, c *catalog.Column, value string) (held, known bool) {
	if len(c.Enum) > 0 {
		return slices.Contains(c.Enum, value), true
	}
	if c.Class != catalog.Text || c.Private {
		return false, false
	}
	if held, known = s.Values.Has(c, value); held || known {
		return held, known
	}
	if p := c.Profile; p != nil && len(p.Common) > 0 {
		all := float64(len(p.Common)) >= p.Distinct-0.5 && !strings.HasPrefix(c.Type, "char")
		return slices.Contains(p.Common, value), all || slices.Contains(p.Common, value)
	}
	return false, false
}
