package learn

import (
	"slices"
	"strings"

	"askpg/catalog"
	"askpg/catalog/words"
)

// names finds relations by name and names them as the semantics file does.
type names struct {
	snap   *catalog.Snapshot
	path   []string
	bare   map[string]int // how many relations have the name
	only   map[string]*catalog.Relation
	things map[string]bool // the names of relations, in stems
}

func newNames(snap *catalog.Snapshot, searchPath []string) *names {
	n := &names{snap: snap, path: searchPath, bare: map[string]int{}, only: map[string]*catalog.Relation{}, things: map[string]bool{}}
	for _, r := range snap.Relations {
		n.bare[r.Name.Name]++
		n.only[r.Name.Name] = r
		n.things[stems(r.Name.Name)] = true
	}
	return n
}

// find returns the relation that a name means: by the search path, else the one
// that has it. Whoever ran the statement may have had another search path.
func (n *names) find(schema, name string) *catalog.Relation {
	if schema != "" {
		return n.snap.Lookup(schema, name)
	}
	for _, p := range n.path {
		if r := n.snap.Lookup(p, name); r != nil {
			return r
		}
	}
	if n.bare[name] == 1 {
		return n.only[name]
	}
	return nil
}

// of names a relation: by its name alone if only one schema has it.
func (n *names) of(r *catalog.Relation) string {
	if n.bare[r.Name.Name] == 1 {
		return r.Name.Name
	}
	return r.Schema + "." + r.Name.Name
}

// column names a column as the semantics file does.
func (n *names) column(c *catalog.Column) string { return n.of(c.Relation) + "." + c.Name }

// spoken makes words of an alias.
func spoken(alias string) string { return strings.Join(catalog.Words(alias), " ") }

// stems of the words of a name.
func stems(name string) string {
	var out []string
	for _, w := range catalog.Words(name) {
		out = append(out, words.Stem(w))
	}
	return strings.Join(out, " ")
}

// plain are words of aliases that name no thing of a business: titles of columns, units, and which of several is shown.
var plain = strings.Fields(stems(`count cnt sum total avg average mean min max n num number of value val result rows row line amount
	id name label code key type status date day week month quarter year hour minute second weekday period bucket rank pct percent
	share ratio first last oldest newest latest earliest best worst biggest largest smallest longest shortest highest lowest median
	x y case coalesce text description title`))

// telling reports whether an alias names a thing of a business.
func telling(alias string) bool {
	w := strings.Fields(stems(alias))
	return (len(w) > 1 || len(alias) > 2) && slices.ContainsFunc(w, func(w string) bool { return !slices.Contains(plain, w) })
}
