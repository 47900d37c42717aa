package grammar

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// errForm says that a logical form has no SQL, such as a superlative within a
// relation that has no key.
var errForm = errors.New("no SQL for this reading")

// builder writes the SQL of a logical form.
type builder struct {
	lexicon *lexicon
	path    []string // search_path
	multi   bool     // more than one relation is read: columns are qualified
	used    map[string]int
	aliases map[int]string
	count   int
	joinAll bool // relate to-many sets by joins, which keeps duplicates
	ties    bool // superlatives keep ties
	err     error
}

// render writes a phrase as one SELECT.
func render(x *lexicon, searchPath []string, n *phrase, joinAll, ties bool) (string, error) {
	b := &builder{lexicon: x, path: searchPath, joinAll: joinAll, ties: ties}
	b.reset()
	b.selectSQL(n)
	if b.err != nil {
		return "", b.err
	}
	b.multi = b.count > 1
	b.reset()
	sql := b.selectSQL(n)
	return sql, b.err
}

// reset begins the query anew.
func (b *builder) reset() {
	b.used, b.aliases, b.count = map[string]int{}, map[int]string{}, 0
}

// noSQL notes that the form has no SQL.
func (b *builder) noSQL() string {
	b.err = errForm
	return ""
}

// alias names a place of a relation in the query.
func (b *builder) alias(r *catalog.Relation) string {
	b.count++
	b.used[r.Name.Name]++
	if n := b.used[r.Name.Name]; n > 1 {
		return fmt.Sprintf("%s_%d", r.Name.Name, n)
	}
	return r.Name.Name
}

// relation writes a relation of the FROM list.
func (b *builder) relation(r *catalog.Relation, alias string) string {
	name := quoteIdentifier(r.Name.Name)
	if b.qualified(r) {
		name = quoteIdentifier(r.Schema) + "." + name
	}
	if alias != r.Name.Name {
		name += " AS " + quoteIdentifier(alias)
	}
	return name
}

// qualified reports whether a relation's schema has to be written: when the
// search path leads to another relation of that name, or to none.
func (b *builder) qualified(r *catalog.Relation) bool {
	for _, s := range b.path {
		if s == r.Schema {
			return false
		}
		if b.lexicon.snapshot.Lookup(s, r.Name.Name) != nil {
			return true
		}
	}
	return true
}

// column writes a column, qualified where several relations are read.
func (b *builder) column(alias string, c *catalog.Column) string {
	if !b.multi {
		return quoteIdentifier(c.Name)
	}
	return quoteIdentifier(alias) + "." + quoteIdentifier(c.Name)
}

// query is the parts of a SELECT being written.
type query struct {
	from   string
	where  []string
	toMany map[int]bool // joined sets of which a row of the root may have several
}

// selectSQL writes a phrase as a SELECT, with a scope of aliases of its own
// within that of what surrounds it.
func (b *builder) selectSQL(n *phrase) string {
	if len(n.ratio) == 2 {
		return "SELECT (" + b.nested(n.ratio[0]) + ")::float8 / NULLIF((" + b.nested(n.ratio[1]) + "), 0)"
	}
	if n.set == nil || b.err != nil {
		return b.noSQL()
	}
	n = b.withoutRoot(n)
	if minus := withoutValues(n); minus != nil {
		return b.difference(n, minus)
	}
	if n.attributeHead && !n.distinct && n.set.superlative == nil && (hasToMany(n.set) || repeatsValues(n)) {
		n = n.clone()
		n.distinct = true // the values of an attribute, each once
	}
	if len(n.items) > 0 && !n.distinct && n.set.superlative == nil && len(n.group) == 0 && !n.hasAggregate() && len(n.order) == 0 && ofOthers(n) {
		n = n.clone()
		n.distinct = true // what several rows point to, once
	}
	items := n.items
	group := n.group
	if len(items) == 0 && !hasEntity(group) {
		items = b.display(n.set)
	}
	aggregated := false
	for _, it := range items {
		aggregated = aggregated || it.aggregate != ""
	}
	superlative := n.set.superlative
	needed := map[int]bool{}
	for _, list := range [][]item{items, group} {
		for _, it := range list {
			needed[it.setID] = true
			for y := it.divisor; y != nil; y = y.divisor {
				needed[y.setID] = true
			}
		}
	}
	for _, o := range n.order {
		needed[o.by.setID] = true
	}
	for _, h := range n.having {
		needed[h.by.setID] = true
	}
	if superlative != nil {
		needed[superlative.by.setID] = true
	}
	q := &query{toMany: map[int]bool{}}
	q.from = b.relation(n.set.relation, b.aliasSet(n.set))
	b.writeConditions(n.set, q, needed, false)
	q.where = append(q.where, b.usual(n.set, n.shows)...)
	if superlative != nil && (aggregated && superlative.by.aggregate == "" || len(group) > 0) {
		// what is counted are the rows of the extreme ones
		q.where = append(q.where, b.superlativeCondition(n.set))
		superlative = nil
	}

	var outs, keys []string
	grouped := len(group) > 0 && (aggregated || len(n.order) > 0 && n.order[0].by.aggregate != "" || len(n.having) > 0)
	key := func(s string) {
		if s != "" && !slices.Contains(keys, s) {
			keys = append(keys, s)
		}
	}
	out := func(s string) {
		if !slices.Contains(outs, s) {
			outs = append(outs, s)
		}
	}
	root := n.set
	if aggregated || grouped {
		for _, g := range group {
			if g.entity {
				s := root.find(g.setID)
				if s == nil {
					return b.noSQL()
				}
				for _, k := range b.lexicon.relationInfo[s.relation].key {
					key(b.column(b.aliases[s.id], k))
				}
				shown := false
				for _, it := range items {
					shown = shown || it.aggregate == "" && it.setID == g.setID
				}
				if !shown {
					for _, d := range b.display(s) {
						out(b.expr(d, q, root))
						key(b.expr(d, q, root))
					}
				}
				continue
			}
			e := b.expr(g, q, root)
			key(e)
			shown := false
			for _, it := range items {
				shown = shown || it.aggregate == "" && it.column == g.column && it.setID == g.setID && it.trunc == g.trunc
			}
			if !shown {
				out(e)
			}
		}
		for _, it := range items {
			e := b.expr(it, q, root)
			if it.aggregate == "" {
				key(e)
			}
			outs = append(outs, e)
		}
		if len(outs) == 0 {
			return b.noSQL()
		}
	} else {
		for _, g := range group {
			if g.entity {
				for _, d := range b.display(root.find(g.setID)) {
					out(b.expr(d, q, root))
				}
				continue
			}
			out(b.expr(g, q, root))
		}
		for _, it := range items {
			out(b.expr(it, q, root))
		}
	}
	var order []string
	limit := ""
	if superlative != nil {
		e := b.expr(superlative.by, q, root)
		if superlative.by.aggregate != "" {
			for _, o := range outs {
				key(o)
			}
			if aggregated {
				keys = keys[:0]
				for _, it := range items {
					if it.aggregate == "" {
						key(b.expr(it, q, root))
					}
				}
			}
			if !n.attributeHead {
				for _, k := range b.lexicon.relationInfo[root.relation].key {
					key(b.column(b.aliases[root.id], k))
				}
			}
		} else {
			q.where = append(q.where, e+" IS NOT NULL")
			if nn := superlative.by.column; nn != nil && nn.NotNull {
				q.where = q.where[:len(q.where)-1]
			}
		}
		order = append(order, sortKey(e, superlative.descending))
		limit = superlative.count
	}
	if len(n.having) > 0 && len(keys) == 0 {
		if n.attributeHead {
			for _, o := range outs {
				key(o)
			}
		} else {
			for _, k := range b.lexicon.relationInfo[root.relation].key {
				key(b.column(b.aliases[root.id], k))
			}
			for _, o := range outs {
				key(o)
			}
		}
	}
	orders := n.order
	if len(orders) == 0 && aggregated && len(group) > 0 && n.number == "" && n.set.superlative == nil {
		orders = b.usualOrder(n)
	}
	for _, o := range orders {
		e := b.expr(o.by, q, root)
		if len(keys) > 0 && o.by.aggregate == "" {
			key(e)
		}
		order = append(order, sortKey(e, o.descending))
	}
	if n.number != "" && len(order) > 0 {
		limit = n.number
	} else if n.number != "" {
		return b.noSQL()
	}
	var s strings.Builder
	s.WriteString("SELECT ")
	if n.distinct && !aggregated && len(keys) == 0 && orderShown(order, outs) {
		s.WriteString("DISTINCT ")
	}
	s.WriteString(strings.Join(outs, ", "))
	s.WriteString(" FROM ")
	s.WriteString(q.from)
	if len(q.where) > 0 {
		s.WriteString(" WHERE ")
		s.WriteString(strings.Join(q.where, " AND "))
	}
	if len(keys) > 0 {
		s.WriteString(" GROUP BY ")
		s.WriteString(strings.Join(keys, ", "))
	}
	if len(n.having) > 0 {
		var hs []string
		for _, h := range n.having {
			hs = append(hs, b.expr(h.by, q, root)+" "+h.op+" "+strings.Join(h.value.literals, " AND "))
		}
		s.WriteString(" HAVING ")
		s.WriteString(strings.Join(hs, " AND "))
	}
	if len(order) > 0 {
		s.WriteString(" ORDER BY ")
		s.WriteString(strings.Join(order, ", "))
	}
	if limit != "" {
		if (b.ties || n.ties) && limit == "1" && superlative != nil && superlative.by.aggregate == "" {
			s.WriteString(" FETCH FIRST 1 ROW WITH TIES")
		} else {
			s.WriteString(" LIMIT " + limit)
		}
	}
	return s.String()
}

// shows reports whether a column is among what a phrase shows, groups or sorts by.
func (n *phrase) shows(c *catalog.Column) bool {
	of := func(it item) bool { return it.column == c }
	return slices.ContainsFunc(n.items, of) || slices.ContainsFunc(n.group, of) || slices.ContainsFunc(n.order, func(o ordering) bool { return of(o.by) }) ||
		n.set.superlative != nil && of(n.set.superlative.by)
}

// usualOrder is the order of groups that nobody asked to be in another: of
// times, theirs; else of the first measure, the largest first.
func (b *builder) usualOrder(n *phrase) []ordering {
	for _, k := range n.group {
		if c := k.column; c != nil && (k.trunc != "" || c.Class == catalog.Date || c.Class == catalog.Timestamp || b.lexicon.holdsYears(c)) {
			return []ordering{{by: k}}
		}
	}
	for _, it := range n.items {
		if it.aggregate != "" {
			return []ordering{{by: it, descending: true}}
		}
	}
	return nil
}

// orderShown reports whether all that the rows are ordered by is among the outputs.
func orderShown(order, outs []string) bool {
	for _, o := range order {
		e, _, _ := strings.Cut(o, " DESC")
		if !slices.Contains(outs, e) {
			return false
		}
	}
	return true
}

// sortKey writes a sort key.
func sortKey(e string, descending bool) string {
	if descending {
		return e + " DESC NULLS LAST"
	}
	return e
}
