package refs

import (
	"encoding/json"
	"strings"

	"askpg/ask"
	"askpg/catalog"
)

// ReadsPrivate says whether the values of a statement's result may come from
// private columns: it names one, or reads whole rows of a relation that has one. A text that does
// not parse may. Joins by USING and NATURAL count for nothing, as they show no values.
func ReadsPrivate(sql string, s *catalog.Snapshot, searchPath []string) bool {
	text, err := ask.ParseJSON(sql)
	if err != nil {
		return true
	}
	var tree any
	if json.Unmarshal([]byte(text), &tree) != nil {
		return true
	}
	w := &walk{snapshot: s, path: searchPath, tables: map[string][]*catalog.Relation{}}
	w.relations(tree)
	private := map[string]bool{}
	for _, r := range w.refs.Relations {
		for _, c := range r.Columns {
			if c.Private {
				private[strings.ToLower(c.Name)] = true
			}
		}
	}
	return len(private) > 0 && w.names(tree, private)
}

// names says whether an expression refers to one of the columns, to whole rows,
// or gives the columns of a relation other names.
func (w *walk) names(node any, columns map[string]bool) bool {
	found := false
	children(node, func(key string, child any) {
		m, _ := child.(map[string]any)
		switch key {
		case "ColumnRef":
			fields, _ := m["fields"].([]any)
			last := ""
			if len(fields) > 0 {
				last = stringOf(fields[len(fields)-1])
			}
			_, row := w.tables[last]
			found = found || last == "" || row || columns[strings.ToLower(last)] // last is "" for a star
		case "RangeVar":
			if a, ok := m["alias"].(map[string]any); ok && a["colnames"] != nil {
				found = true
			}
		}
		found = found || w.names(child, columns)
	})
	return found
}
