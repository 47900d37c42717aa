package grammar

import (
	"fmt"
	"strings"
)

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
	if usual := b.usual(s); usual != "" {
		q.where = append(q.where, usual)
	}
}

func (b *builder) wanted(s *set, needed map[int]bool) bool {
	found := false
	walk(s, func(s *set, _ int) { found = found || needed[s.id] })
	return found
}

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

func (b *builder) cond(alias string, c cond) string {
	switch c.kind {
	case written:
		return "(" + c.written.m.Filter(b.measureAlias(c.written)) + ")"
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
	if op == "<" || op == "<=" {
		op, not = negated(op), "NOT " // fewer than three are none, too
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
// quoteIdent quotes an identifier where PostgreSQL would not read it as it is.
// reserved are the keywords that can't be a name without quotes, in a column
// list or after FROM (PostgreSQL documentation, appendix C).
