package translator

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/catalog"
)

// literalsOf compares the string literals that a statement compares columns with
// to what the columns are known to hold. wrong says, a line each, what is not held and what
// is held instead; checked is false if some could not be compared.
func (s *state) literalsOf(sql string) (wrong []string, checked bool) {
	if len(sql) > maxSQL || ask.Parseable(sql) != nil {
		return nil, false
	}
	text, err := pg_query.ParseToJSON(sql)
	if err != nil {
		return nil, false
	}
	var tree any
	if json.Unmarshal([]byte(text), &tree) != nil {
		return nil, false
	}
	w := &literalWalk{s: s, tables: map[string][]*catalog.Relation{}, checked: true}
	w.relations(tree)
	w.comparisons(tree)
	return w.wrong, w.checked
}

// literalWalk walks a parse tree in its JSON form.
type literalWalk struct {
	s       *state
	tables  map[string][]*catalog.Relation // by alias and by name, over all scopes
	all     []*catalog.Relation
	wrong   []string
	checked bool
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

func (w *literalWalk) relations(node any) {
	children(node, func(key string, child any) {
		if m, ok := child.(map[string]any); ok && key == "RangeVar" {
			schema, _ := m["schemaname"].(string)
			name, _ := m["relname"].(string)
			if r := w.s.relation(schema, name); r != nil {
				alias := name
				if a, ok := m["alias"].(map[string]any); ok {
					alias, _ = a["aliasname"].(string)
				}
				w.tables[alias] = append(w.tables[alias], r)
				w.all = append(w.all, r)
			}
		}
		w.relations(child)
	})
}

// relation finds a relation as the search path does.
func (s *state) relation(schema, name string) *catalog.Relation {
	path := s.set.searchPath
	if schema != "" {
		path = []string{schema}
	}
	for _, p := range path {
		if r := s.snap.Lookup(p, name); r != nil {
			return r
		}
	}
	return nil
}

func (w *literalWalk) comparisons(node any) {
	children(node, func(key string, child any) {
		if e, ok := child.(map[string]any); ok && key == "A_Expr" {
			w.compare(e)
		}
		w.comparisons(child)
	})
}

func (w *literalWalk) compare(e map[string]any) {
	kind, _ := e["kind"].(string)
	op := ""
	if names, ok := e["name"].([]any); ok && len(names) == 1 {
		op = stringOf(names[0])
	}
	if kind != "AEXPR_OP" && kind != "AEXPR_IN" || op != "=" {
		return
	}
	column := w.column(e["lexpr"])
	values := literalsIn(e["rexpr"])
	if column == nil {
		column, values = w.column(e["rexpr"]), literalsIn(e["lexpr"])
	}
	if column == nil || len(values) == 0 {
		return
	}
	for _, v := range values {
		w.value(column, v)
	}
}

// column resolves a column reference, nil if it is none or an ambiguous one.
func (w *literalWalk) column(node any) *catalog.Column {
	m, ok := node.(map[string]any)
	if !ok {
		return nil
	}
	ref, ok := m["ColumnRef"].(map[string]any)
	if !ok {
		return nil
	}
	fields, _ := ref["fields"].([]any)
	if len(fields) == 0 {
		return nil
	}
	name := stringOf(fields[len(fields)-1])
	from := w.all
	if len(fields) > 1 {
		from = w.tables[stringOf(fields[len(fields)-2])]
	}
	var found *catalog.Column
	for _, r := range from {
		if c := r.Column(name); c != nil && c != found {
			if found != nil {
				return nil
			}
			found = c
		}
	}
	return found
}

func stringOf(node any) string {
	m, _ := node.(map[string]any)
	s, _ := m["String"].(map[string]any)
	v, _ := s["sval"].(string)
	return v
}

func literalsIn(node any) []string {
	var out []string
	m, _ := node.(map[string]any)
	if c, ok := m["A_Const"].(map[string]any); ok {
		if v, ok := c["sval"].(map[string]any); ok {
			s, _ := v["sval"].(string)
			return []string{s}
		}
	}
	if t, ok := m["TypeCast"].(map[string]any); ok {
		return literalsIn(t["arg"])
	}
	if l, ok := m["List"].(map[string]any); ok {
		items, _ := l["items"].([]any)
		for _, i := range items {
			out = append(out, literalsIn(i)...)
		}
	}
	return out
}

// value compares a literal with what the column is known to hold.
func (w *literalWalk) value(c *catalog.Column, v string) {
	if c.Class != catalog.Text && c.Class != catalog.Enum || c.Private {
		if c.Class == catalog.Text {
			w.checked = false
		}
		return
	}
	known, complete := c.Enum, len(c.Enum) > 0
	if !complete {
		has, all := w.s.snap.Values.Has(c, v)
		if has {
			return
		}
		known, complete = w.s.snap.Values.Of(c), all
		if p := c.Profile; p != nil && len(known) == 0 {
			known = p.Common
			complete = len(known) > 0 && float64(len(known)) >= p.Distinct-0.5
		}
	}
	if slices.Contains(known, v) {
		return
	}
	var near []string
	for _, h := range w.s.snap.Values.Find(v) {
		if h.Column == c {
			near = append(near, h.Value)
		}
	}
	for _, k := range known {
		if alike(k, v) {
			near = append(near, k)
		}
	}
	where := c.Relation.Name.Name + "." + c.Name
	switch {
	case !w.s.mayShow(c):
		w.checked = w.checked && complete
	case len(near) > 0:
		slices.Sort(near)
		near = slices.Compact(near)
		w.wrong = append(w.wrong, fmt.Sprintf("%s does not hold %s; it holds %s", where, quote(v), quoteAll(near, 5)))
	case complete && len(known) <= 12:
		w.wrong = append(w.wrong, fmt.Sprintf("%s does not hold %s; it holds only %s", where, quote(v), quoteAll(known, 12)))
	case !complete:
		w.checked = false
	}
}

// mayShow says whether a column's values may go to a model.
func (s *state) mayShow(c *catalog.Column) bool {
	return !c.Private && (len(c.Enum) > 0 || s.t.cfg.Privacy.Values != "none")
}

func alike(a, b string) bool {
	a, b = strings.ToLower(strings.TrimSpace(a)), strings.ToLower(strings.TrimSpace(b))
	return a == b || len(b) > 3 && strings.Contains(a, b) || len(a) > 3 && strings.Contains(b, a)
}

func quote(s string) string { return "'" + strings.ReplaceAll(oneLine(s, 60), "'", "''") + "'" }

func quoteAll(values []string, n int) string {
	out := make([]string, 0, n)
	for _, v := range values[:min(len(values), n)] {
		out = append(out, quote(v))
	}
	return strings.Join(out, ", ")
}

// namesNear says which columns and relations come near a name that the server
// does not know.
func (s *state) namesNear(e *ask.Error) []string {
	if e.Code != "42703" && e.Code != "42P01" {
		return nil
	}
	name := quoted(e.Message)
	if name == "" {
		return nil
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	var near []string
	for _, r := range s.snap.Relations {
		if e.Code == "42P01" {
			if similar(r.Name.Name, name) {
				near = append(near, r.Schema+"."+r.Name.Name)
			}
			continue
		}
		for _, c := range r.Columns {
			if !c.Private && similar(c.Name, name) {
				near = append(near, r.Name.Name+"."+c.Name)
			}
		}
	}
	if len(near) == 0 {
		return nil
	}
	return []string{"names that exist and come near: " + strings.Join(near[:min(len(near), 8)], ", ")}
}

// quoted returns the name that an error message of the server speaks of:
// column "x" does not exist, column a.x does not exist.
func quoted(message string) string {
	if i := strings.IndexByte(message, '"'); i >= 0 {
		if j := strings.IndexByte(message[i+1:], '"'); j >= 0 {
			return message[i+1 : i+1+j]
		}
	}
	if rest, ok := strings.CutPrefix(message, "column "); ok {
		name, _, _ := strings.Cut(rest, " ")
		return name
	}
	return ""
}

func similar(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	plain := func(s string) string { return strings.TrimSuffix(strings.ReplaceAll(s, "_", ""), "s") }
	a, b = plain(a), plain(b)
	if a == b || len(b) > 3 && strings.Contains(a, b) || len(a) > 3 && strings.Contains(b, a) {
		return true
	}
	return len(a) > 3 && len(b) > 3 && distance(a, b) <= 1+min(len(a), len(b))/6
}

// distance is Levenshtein's.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// volatile says whether a statement gives another result each time it runs.
func volatile(sql string) bool {
	l := strings.ToLower(sql)
	for _, f := range []string{"random(", "random_normal(", "clock_timestamp(", "timeofday(", "gen_random_uuid(", "uuid_generate_", "tablesample"} {
		if strings.Contains(l, f) {
			return true
		}
	}
	return false
}
