package grammar

import (
	"errors"
	"fmt"
	"strings"

	"askpg/catalog"
)

// errForm says that a logical form has no SQL, such as a superlative within a
// relation that has no key.
var errForm = errors.New("no SQL for this reading")

// builder writes the SQL of a logical form.
type builder struct {
	x       *lexicon
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
func render(x *lexicon, searchPath []string, n *np, joinAll, ties bool) (string, error) {
	b := &builder{x: x, path: searchPath, joinAll: joinAll, ties: ties}
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

func (b *builder) reset() {
	b.used, b.aliases, b.count = map[string]int{}, map[int]string{}, 0
}

func (b *builder) fail() string {
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

func (b *builder) relation(r *catalog.Relation, alias string) string {
	name := quoteIdent(r.Name.Name)
	if b.qualified(r) {
		name = quoteIdent(r.Schema) + "." + name
	}
	if alias != r.Name.Name {
		name += " AS " + quoteIdent(alias)
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
		if b.x.snap.Lookup(s, r.Name.Name) != nil {
			return true
		}
	}
	return true
}

func (b *builder) column(alias string, c *catalog.Column) string {
	if !b.multi {
		return quoteIdent(c.Name)
	}
	return quoteIdent(alias) + "." + quoteIdent(c.Name)
}

// query is the parts of a SELECT being written.
type query struct {
	from   string
	where  []string
	fanned map[int]bool // joined sets of which a row of the root may have several
}

// selectSQL writes a phrase as a SELECT, with a scope of aliases of its own
// within that of what surrounds it.
func (b *builder) selectSQL(n *np) string {
	if len(n.ratio) == 2 {
		return "SELECT (" + b.nested(n.ratio[0]) + ")::float8 / NULLIF((" + b.nested(n.ratio[1]) + "), 0)"
	}
	if n.set == nil || b.err != nil {
		return b.fail()
	}
	n = b.withoutRoot(n)
	if minus := withoutValues(n); minus != nil {
		return b.difference(n, minus)
	}
	if n.byItems && !n.distinct && n.set.sup == nil && (hasMany(n.set) || repeated(n)) {
		n = n.clone()
		n.distinct = true // the values of an attribute, each once
	}
	items := n.items
	group := n.group
	if len(items) == 0 && !hasEntity(group) {
		items = b.display(n.set)
	}
	aggregated := false
	for _, it := range items {
		aggregated = aggregated || it.agg != ""
	}
	sup := n.set.sup
	needed := map[int]bool{}
	for _, list := range [][]item{items, group} {
		for _, it := range list {
			needed[it.sid] = true
			for y := it.over; y != nil; y = y.over {
				needed[y.sid] = true
			}
		}
	}
	for _, o := range n.order {
		needed[o.by.sid] = true
	}
	for _, h := range n.having {
		needed[h.by.sid] = true
	}
	if sup != nil {
		needed[sup.by.sid] = true
	}
	q := &query{fanned: map[int]bool{}}
	q.from = b.relation(n.set.rel, b.enter(n.set))
	b.conds(n.set, q, needed, false)
	if sup != nil && (aggregated && sup.by.agg == "" || len(group) > 0) {
		// what is counted are the rows of the extreme ones
		q.where = append(q.where, b.extreme(n.set))
		sup = nil
	}

	var outs, keys []string
	grouped := len(group) > 0 && (aggregated || len(n.order) > 0 && n.order[0].by.agg != "" || len(n.having) > 0)
	key := func(s string) {
		if s != "" && !containsString(keys, s) {
			keys = append(keys, s)
		}
	}
	out := func(s string) {
		if !containsString(outs, s) {
			outs = append(outs, s)
		}
	}
	root := n.set
	if aggregated || grouped {
		for _, g := range group {
			if g.entity {
				s := root.find(g.sid)
				if s == nil {
					return b.fail()
				}
				for _, k := range b.x.info[s.rel].key {
					key(b.column(b.aliases[s.id], k))
				}
				shown := false
				for _, it := range items {
					shown = shown || it.agg == "" && it.sid == g.sid
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
				shown = shown || it.agg == "" && it.col == g.col && it.sid == g.sid && it.trunc == g.trunc
			}
			if !shown {
				out(e)
			}
		}
		for _, it := range items {
			e := b.expr(it, q, root)
			if it.agg == "" {
				key(e)
			}
			outs = append(outs, e)
		}
		if len(outs) == 0 {
			return b.fail()
		}
	} else {
		for _, g := range group {
			if g.entity {
				for _, d := range b.display(root.find(g.sid)) {
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
	if sup != nil {
		e := b.expr(sup.by, q, root)
		if sup.by.agg != "" {
			for _, o := range outs {
				key(o)
			}
			if aggregated {
				keys = keys[:0]
				for _, it := range items {
					if it.agg == "" {
						key(b.expr(it, q, root))
					}
				}
			}
			if !n.byItems {
				for _, k := range b.x.info[root.rel].key {
					key(b.column(b.aliases[root.id], k))
				}
			}
		} else {
			q.where = append(q.where, e+" IS NOT NULL")
			if nn := sup.by.col; nn != nil && nn.NotNull {
				q.where = q.where[:len(q.where)-1]
			}
		}
		order = append(order, direction_(e, sup.desc))
		limit = sup.n
	}
	if len(n.having) > 0 && len(keys) == 0 {
		if n.byItems {
			for _, o := range outs {
				key(o)
			}
		} else {
			for _, k := range b.x.info[root.rel].key {
				key(b.column(b.aliases[root.id], k))
			}
			for _, o := range outs {
				key(o)
			}
		}
	}
	orders := n.order
	if k := series(n); k != nil && len(orders) == 0 && aggregated {
		orders = []ordering{{by: *k}}
	}
	for _, o := range orders {
		e := b.expr(o.by, q, root)
		if len(keys) > 0 && o.by.agg == "" {
			key(e)
		}
		order = append(order, direction_(e, o.desc))
	}
	if n.num != "" && len(order) > 0 {
		limit = n.num
	} else if n.num != "" {
		return b.fail()
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
			hs = append(hs, b.expr(h.by, q, root)+" "+h.op+" "+strings.Join(h.val.lits, " AND "))
		}
		s.WriteString(" HAVING ")
		s.WriteString(strings.Join(hs, " AND "))
	}
	if len(order) > 0 {
		s.WriteString(" ORDER BY ")
		s.WriteString(strings.Join(order, ", "))
	}
	if limit != "" {
		if (b.ties || n.ties) && limit == "1" && sup != nil && sup.by.agg == "" {
			s.WriteString(" FETCH FIRST 1 ROW WITH TIES")
		} else {
			s.WriteString(" LIMIT " + limit)
		}
	}
	return s.String()
}

// series returns the first key of groups that is a time, by which they are in
// order; nil if there is none.
func series(n *np) *item {
	for i := range n.group {
		if c := n.group[i].col; c != nil && (n.group[i].trunc != "" || c.Class == catalog.Date || c.Class == catalog.Timestamp) {
			return &n.group[i]
		}
	}
	return nil
}

// orderShown reports whether all that the rows are ordered by is among the outputs.
func orderShown(order, outs []string) bool {
	for _, o := range order {
		e, _, _ := strings.Cut(o, " DESC")
		if !containsString(outs, e) {
			return false
		}
	}
	return true
}

func direction_(e string, desc bool) string {
	if desc {
		return e + " DESC NULLS LAST"
	}
	return e
}

// conds writes the conditions of a set whose alias is known, joining what is
// needed into the FROM list.
// join adds a related set to the FROM list.
// cond writes one condition without touching the FROM list.
// exists writes the subquery of a related set, tied to the outer alias.
// counted compares the number of related rows. The rows are grouped once, and
// not counted for each outer row.
// extreme writes the superlative of a set within a larger query as a
// condition on its rows.
// nested writes a subquery; the aliases of the sets in it are its own.
