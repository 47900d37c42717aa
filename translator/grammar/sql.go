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
	zeros   bool
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
		} else if sup.n == "1" || true {
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
	for _, o := range n.order {
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

// hasMany reports whether a set is narrowed by rows of which there may be
// several for each of its own.
func hasMany(s *set) bool {
	for _, c := range s.conds {
		if c.kind == related && c.count == nil && !c.join && !c.path.toOne() {
			return true
		}
	}
	return false
}

// repeated reports whether an attribute that heads a phrase is one that many
// rows share, such as a country: it is asked for its values.
func repeated(n *np) bool {
	if len(n.items) != 1 || n.items[0].agg != "" || len(n.group) > 0 || len(n.order) > 0 {
		return false
	}
	c := n.items[0].col
	return c != nil && textual(c) && c.Profile != nil && c.Relation.Rows > 20 && c.Profile.Distinct < 0.5*c.Relation.Rows
}

// withoutValues returns the phrase whose values are to be taken away: for
// "countries that show no cartoons", where countries are an attribute of
// channels, the countries of channels that do. nil for other phrases.
func withoutValues(n *np) *np {
	if !n.byItems || len(n.items) != 1 || n.items[0].agg != "" || n.set.sup != nil || len(n.group) > 0 || len(n.order) > 0 || n.items[0].sid != n.set.id {
		return nil
	}
	for i, c := range n.set.conds {
		if c.kind == related && c.neg {
			s := *n.set
			s.conds = append([]cond(nil), n.set.conds...)
			s.conds[i].neg = false
			x := n.clone()
			x.set, x.byItems = &s, false
			return x
		}
	}
	return nil
}

// difference writes n without the values of minus.
func (b *builder) difference(n, minus *np) string {
	s := *n.set
	s.conds = nil
	for _, c := range n.set.conds {
		if !(c.kind == related && c.neg) {
			s.conds = append(s.conds, c)
		}
	}
	all := n.clone()
	all.set, all.byItems, all.distinct = &s, false, false
	first := b.nested(all)
	return first + " EXCEPT " + b.nested(minus)
}

// withoutRoot leaves a relation out that is there only to show the column by
// which another one refers to it, over a join that is not declared: the states
// that a river crosses stand in the river's rows.
func (b *builder) withoutRoot(n *np) *np {
	s := n.set
	if len(s.conds) != 1 || s.sup != nil || len(n.group) > 0 || len(n.order) > 0 || len(n.having) > 0 || len(n.items) > 1 {
		return n
	}
	c := s.conds[0]
	if c.kind != related || c.neg || c.count != nil || c.join || c.rank || len(c.path.edges) != 1 || !c.path.edges[0].implied || c.path.edges[0].toOne {
		return n
	}
	shown := b.display(s)
	it := item{}
	if len(n.items) == 1 {
		it = n.items[0]
		if it.sid != s.id || it.col == nil && it.agg != "count" {
			return n
		}
	}
	if len(shown) != 1 || shown[0].col != c.path.edges[0].fromCols[0] || it.col != nil && it.col != shown[0].col {
		return n
	}
	x := n.clone()
	it.col, it.sid = c.path.edges[0].toCols[0], c.child.id
	x.items, x.byItems, x.set = []item{it}, false, c.child
	x.ties = true // every row of the extreme thing
	if c.child.sup == nil && len(c.child.conds) == 0 {
		x.distinct = it.agg == ""
		x.items[0].distinct = it.agg != ""
	}
	return x
}

func hasEntity(group []item) bool {
	for _, g := range group {
		if g.entity {
			return true
		}
	}
	return false
}

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

// display returns the columns by which rows of a set are shown.
func (b *builder) display(s *set) []item {
	if s == nil {
		b.fail()
		return nil
	}
	var out []item
	for _, c := range b.x.info[s.rel].display {
		out = append(out, item{col: c, sid: s.id})
	}
	return out
}

func (b *builder) enter(s *set) string {
	a := b.alias(s.rel)
	b.aliases[s.id] = a
	return a
}

// expr writes an output, a key or a sort key.
func (b *builder) expr(it item, q *query, root *set) string {
	if it.over != nil {
		return b.quotient(it, q, root)
	}
	alias, ok := b.aliases[it.sid]
	if !ok {
		return b.fail()
	}
	var e string
	if it.col != nil {
		e = b.column(alias, it.col)
		if it.trunc != "" {
			e = fmt.Sprintf("date_trunc('%s', %s)", it.trunc, e)
			if it.col.Class == catalog.Date {
				e += "::date"
			}
		}
	}
	switch it.agg {
	case "":
		if it.col == nil {
			return b.fail()
		}
		return e
	case "count":
		switch {
		case it.col != nil && it.distinct:
			return "count(DISTINCT " + e + ")"
		case it.col != nil:
			return "count(" + e + ")"
		}
		s := root.find(it.sid)
		if s == nil {
			return b.fail()
		}
		if it.distinct || b.fans(q, it.sid) {
			cols := b.x.info[s.rel].key
			if it.distinct && len(cols) > 0 {
				if d := b.x.info[s.rel].display; len(d) == 1 {
					cols = d
				}
			}
			if len(cols) == 1 {
				return "count(DISTINCT " + b.column(alias, cols[0]) + ")"
			}
		}
		return "count(*)"
	}
	if it.distinct {
		e = "DISTINCT " + e
	}
	return it.agg + "(" + e + ")"
}

// fans reports whether joins may repeat the rows of a set.
func (b *builder) fans(q *query, sid int) bool {
	for id := range q.fanned {
		if id != sid {
			return true
		}
	}
	return false
}

// conds writes the conditions of a set whose alias is known, joining what is
// needed into the FROM list.
func (b *builder) conds(s *set, q *query, needed map[int]bool, inside bool) {
	alias := b.aliases[s.id]
	for _, c := range s.conds {
		switch c.kind {
		case related:
			if c.rank && !b.wanted(c.child, needed) {
				continue // the superlative's own subquery has it
			}
			if !c.neg && c.count == nil && (c.join || c.rank || b.wanted(c.child, needed) || c.path.toOne() || b.joinAll && !inside) {
				b.join(alias, c, q, needed, inside)
				continue
			}
		}
		q.where = append(q.where, b.cond(alias, c))
	}
}

func (b *builder) wanted(s *set, needed map[int]bool) bool {
	found := false
	walk(s, func(s *set, _ int) { found = found || needed[s.id] })
	return found
}

// join adds a related set to the FROM list.
func (b *builder) join(alias string, c cond, q *query, needed map[int]bool, inside bool) {
	for i, e := range c.path.edges {
		var to string
		if i == len(c.path.edges)-1 {
			to = b.enter(c.child)
		} else {
			to = b.alias(e.to)
		}
		q.from += " JOIN " + b.relation(e.to, to) + " ON " + b.on(e, alias, to)
		alias = to
	}
	if !c.path.toOne() {
		q.fanned[c.child.id] = true
	}
	b.conds(c.child, q, needed, inside)
	if c.child.sup != nil {
		q.where = append(q.where, b.extreme(c.child))
	}
}

func (b *builder) on(e *edge, from, to string) string {
	var parts []string
	for i := range e.fromCols {
		parts = append(parts, quoteIdent(from)+"."+quoteIdent(e.fromCols[i].Name)+" = "+quoteIdent(to)+"."+quoteIdent(e.toCols[i].Name))
	}
	return strings.Join(parts, " AND ")
}

// cond writes one condition without touching the FROM list.
func (b *builder) cond(alias string, c cond) string {
	switch c.kind {
	case compare:
		return b.comparison(alias, c)
	case related:
		if c.count != nil {
			return b.counted(alias, c)
		}
		prefix := "EXISTS "
		if c.neg {
			prefix = "NOT EXISTS "
		}
		return prefix + b.exists(alias, c)
	case anyOf, allOf, noneOf:
		var parts []string
		for _, sub := range c.subs {
			parts = append(parts, b.cond(alias, sub))
		}
		switch c.kind {
		case anyOf:
			return "(" + strings.Join(parts, " OR ") + ")"
		case allOf:
			return "(" + strings.Join(parts, " AND ") + ")"
		}
		return "NOT (" + strings.Join(parts, " AND ") + ")"
	}
	return b.fail()
}

// exists writes the subquery of a related set, tied to the outer alias.
func (b *builder) exists(alias string, c cond) string {
	q := &query{fanned: map[int]bool{}}
	prev := alias
	for i, e := range c.path.edges {
		var to string
		if i == len(c.path.edges)-1 {
			to = b.enter(c.child)
		} else {
			to = b.alias(e.to)
		}
		if i == 0 {
			q.from = b.relation(e.to, to)
			q.where = append(q.where, b.on(e, alias, to))
		} else {
			q.from += " JOIN " + b.relation(e.to, to) + " ON " + b.on(e, prev, to)
		}
		prev = to
	}
	b.conds(c.child, q, nil, true)
	if c.child.sup != nil {
		q.where = append(q.where, b.extreme(c.child))
	}
	return "(SELECT 1 FROM " + q.from + " WHERE " + strings.Join(q.where, " AND ") + ")"
}

// counted compares the number of related rows. The rows are grouped once, and
// not counted for each outer row.
func (b *builder) counted(alias string, c cond) string {
	first := c.path.edges[0]
	if len(first.fromCols) != 1 {
		return b.fail()
	}
	q := &query{fanned: map[int]bool{}}
	prev, start := alias, ""
	for i, e := range c.path.edges {
		var to string
		if i == len(c.path.edges)-1 {
			to = b.enter(c.child)
		} else {
			to = b.alias(e.to)
		}
		if i == 0 {
			q.from = b.relation(e.to, to)
			start = quoteIdent(to) + "." + quoteIdent(first.toCols[0].Name)
		} else {
			q.from += " JOIN " + b.relation(e.to, to) + " ON " + b.on(e, prev, to)
		}
		prev = to
	}
	b.conds(c.child, q, nil, true)
	if c.child.sup != nil {
		q.where = append(q.where, b.extreme(c.child))
	}
	op := c.count.op
	not := ""
	if b.zeros {
		if n := negated(op); op == "<" || op == "<=" {
			op, not = n, "NOT "
		}
	}
	where := ""
	if not != "" {
		q.where = append(q.where, start+" IS NOT NULL")
	}
	if len(q.where) > 0 {
		where = " WHERE " + strings.Join(q.where, " AND ")
	}
	return fmt.Sprintf("%s %sIN (SELECT %s FROM %s%s GROUP BY %s HAVING count(*) %s %s)",
		b.column(alias, first.fromCols[0]), not, start, q.from, where, start, op, c.count.n)
}

// extreme writes the superlative of a set within a larger query as a
// condition on its rows.
func (b *builder) extreme(s *set) string {
	alias := b.aliases[s.id]
	inner := *s
	if s.sup.by.agg == "" && s.sup.n == "1" && s.sup.by.sid == s.id {
		agg := "min"
		if s.sup.desc {
			agg = "max"
		}
		inner.sup = nil
		sub := b.nested(&np{set: &inner, items: []item{{agg: agg, col: s.sup.by.col, sid: s.id}}})
		return b.column(alias, s.sup.by.col) + " = (" + sub + ")"
	}
	key := b.x.info[s.rel].key
	if len(key) != 1 {
		return b.fail()
	}
	sub := b.nested(&np{set: &inner, items: []item{{col: key[0], sid: s.id}}})
	return b.column(alias, key[0]) + " IN (" + sub + ")"
}

// nested writes a subquery; the aliases of the sets in it are its own.
func (b *builder) nested(n *np) string {
	saved := b.aliases
	b.aliases = map[int]string{}
	sub := b.selectSQL(n)
	b.aliases = saved
	return sub
}

func (b *builder) comparison(alias string, c cond) string {
	col := b.column(alias, c.col)
	lit := func(s string) string {
		if textual(c.col) && !strings.HasPrefix(s, "'") && !strings.HasPrefix(s, "E'") {
			return literal(s)
		}
		return s
	}
	if c.val.query != nil {
		return col + " " + c.op + " (" + b.nested(c.val.query) + ")"
	}
	switch c.op {
	case "is null":
		return col + " IS NULL"
	case "is not null":
		return col + " IS NOT NULL"
	case "in", "not in":
		var lits []string
		for _, l := range c.val.lits {
			lits = append(lits, lit(l))
		}
		return col + " " + strings.ToUpper(c.op) + " (" + strings.Join(lits, ", ") + ")"
	case "between":
		return col + " BETWEEN " + c.val.lits[0] + " AND " + c.val.lits[1]
	case "range":
		var parts []string
		if c.val.lits[0] != "" {
			parts = append(parts, col+" >= "+c.val.lits[0])
		}
		if c.val.lits[1] != "" {
			parts = append(parts, col+" < "+c.val.lits[1])
		}
		return strings.Join(parts, " AND ")
	case "ilike", "not ilike":
		return col + " " + strings.ToUpper(c.op) + " " + c.val.lits[0]
	}
	if len(c.val.lits) == 0 {
		return b.fail()
	}
	return col + " " + c.op + " " + lit(c.val.lits[0])
}

// literal writes a text as an SQL literal that standard_conforming_strings
// does not change the meaning of.
func literal(s string) string {
	s = strings.ReplaceAll(s, "\x00", "")
	q := "'" + strings.ReplaceAll(s, "'", "''") + "'"
	if strings.Contains(s, `\`) {
		return "E" + strings.ReplaceAll(q, `\`, `\\`)
	}
	return q
}

func likeEscape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(s)
}

// quoteIdent quotes an identifier where PostgreSQL would not read it as it is.
func quoteIdent(s string) string {
	plain := s != "" && !reserved[s]
	for i, r := range s {
		if r >= 'a' && r <= 'z' || r == '_' || i > 0 && (r >= '0' && r <= '9' || r == '$') {
			continue
		}
		plain = false
	}
	if plain {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// reserved are the keywords that can't be a name without quotes, in a column
// list or after FROM (PostgreSQL documentation, appendix C).
var reserved = setOf(strings.Fields(`all analyse analyze and any array as asc asymmetric authorization binary both case cast check
collate collation column concurrently constraint create cross current_catalog current_date current_role current_schema current_time
current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from full grant group
having ilike in initially inner intersect into is isnull join lateral leading left like limit localtime localtimestamp natural not
notnull null offset on only or order outer overlaps placing primary references returning right select session_user similar some
symmetric system_user table tablesample then to trailing true union unique user using variadic verbose when where window with
between bigint bit boolean char character coalesce dec decimal exists extract float greatest grouping inout int integer interval
least national nchar none normalize nullif numeric out overlay position precision real row setof smallint substring time timestamp
treat trim values varchar xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable`))
