// Writing conditions, joins and subqueries.

package grammar

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"askpg/catalog"
)

// writeConditions writes the conditions of a set whose alias is known, joining what is
// needed into the FROM list.
func (b *builder) writeConditions(s *set, q *query, needed map[int]bool, inside bool) {
	alias := b.aliases[s.id]
	for _, c := range s.conditions {
		switch c.kind {
		case related:
			if c.forSuperlative && !b.isNeeded(c.child, needed) {
				continue // the superlative's own subquery has it
			}
			if c.optional {
				b.leftJoin(alias, c, q, needed)
				continue
			}
			if !c.negated && c.count == nil && (c.forSuperlative || b.isNeeded(c.child, needed) || c.path.toOne() || b.joinAll && !inside) {
				b.join(alias, c, q, needed, inside)
				continue
			}
		}
		q.where = append(q.where, b.condition(alias, c))
	}
	if usual := b.defaultFilter(s); usual != "" {
		q.where = append(q.where, usual)
	}
}

// implicitConditions returns the conditions that no question says: rows are not marked as deleted, people have not left. They are dropped
// where the question speaks of that, or asks for people by name, by a time or by what they did.
func (b *builder) implicitConditions(s *set, shown func(*catalog.Column) bool) (out []string) {
	info := b.lexicon.relationInfo[s.relation]
	said := func(c *catalog.Column) bool {
		return c == nil || shown(c) || s.speaksOf(c) || slices.Contains(s.relation.FilterColumns(), c)
	}
	for _, c := range info.marks {
		if !said(c) {
			out = append(out, b.unmarked(b.aliases[s.id], c))
		}
	}
	timed := slices.ContainsFunc(s.conditions, func(c condition) bool {
		return c.op == "range" && !b.lexicon.isBirth(c.column) && (c.value.literals[0] != "" || c.value.literals[1] != today()) || c.kind == anyOf
	})
	did := slices.ContainsFunc(s.conditions, func(c condition) bool {
		return c.kind == related && !c.negated && !c.optional && !c.path.toOne() && len(b.lexicon.relationInfo[c.child.relation].dates) > 0
	})
	named := slices.ContainsFunc(s.conditions, func(c condition) bool {
		return c.kind == compare && c.op == "=" && slices.Contains(info.display, c.column)
	})
	stated := slices.ContainsFunc(s.conditions, func(c condition) bool { // what the status says of people tells whether they are there
		return c.kind == compare && c.op == "=" && slices.Contains(info.names[c.column], b.lexicon.language.stem("status"))
	})
	if c := info.left; !b.includesEnded && !said(c) && !timed && !did && !named && !stated {
		out = append(out, b.hasNotLeft(b.column(b.aliases[s.id], c), c))
	}
	return out
}

// notMarked returns the conditions that rows of a relation in the middle of a path are not marked as deleted or as not counting.
func (b *builder) notMarked(e *edge, alias string) (out []string) {
	for _, c := range b.lexicon.relationInfo[e.to].marks {
		if !e.toOne && !slices.Contains(e.to.FilterColumns(), c) {
			out = append(out, b.unmarked(alias, c))
		}
	}
	return out
}

// unmarked writes the condition that a mark is not set.
func (b *builder) unmarked(alias string, c *catalog.Column) string {
	column := b.column(alias, c)
	if ignored := b.lexicon.ignoredValues(c); len(ignored) > 0 {
		out := column + " NOT IN (" + strings.Join(ignored, ", ") + ")"
		if !c.NotNull {
			return "(" + column + " IS NULL OR " + out + ")"
		}
		return out
	}
	if c.Class == catalog.Boolean {
		return column + " IS NOT TRUE"
	}
	if yes, flag := truth(c); flag {
		return column + " IS DISTINCT FROM " + yes
	}
	return column + " IS NULL"
}

// hasNotLeft writes that people have not left: they have no day of leaving, or one that is still to come.
func (b *builder) hasNotLeft(column string, left *catalog.Column) string {
	if isOpenEnded(left) {
		return column + " >= " + today()
	}
	if hasTimeAfter(left, b.today) {
		return "(" + column + " IS NULL OR " + column + " >= " + today() + ")"
	}
	return column + " IS NULL"
}

// showsNothing says of each column that the query does not show it.
func showsNothing(*catalog.Column) bool { return false }

// isNeeded reports whether the query shows, groups or orders by a column of the set or of one within it.
func (b *builder) isNeeded(s *set, needed map[int]bool) (found bool) {
	walk(s, func(s *set, _ int) { found = found || needed[s.id] })
	return found
}

// join adds a related set to the FROM list.
func (b *builder) join(alias string, c condition, q *query, needed map[int]bool, inside bool) {
	for i, e := range c.path.edges {
		var to string
		if i == len(c.path.edges)-1 {
			to = b.aliasSet(c.child)
		} else {
			to = b.alias(e.to)
			q.where = append(q.where, b.notMarked(e, to)...)
		}
		q.from += " JOIN " + b.relation(e.to, to) + " ON " + b.on(e, alias, to)
		alias = to
	}
	b.writeConditions(c.child, q, needed, inside)
	if !c.path.toOne() {
		q.toMany[c.child.id] = true
		q.where = append(q.where, b.implicitConditions(c.child, showsNothing)...)
	}
	if c.child.superlative != nil {
		q.where = append(q.where, b.superlativeCondition(c.child))
	}
}

// leftJoin adds a related set to the FROM list, so that rows without any of it stay.
func (b *builder) leftJoin(alias string, c condition, q *query, needed map[int]bool) {
	rows, _ := b.relatedRows(c, needed, func(to string) string { return b.on(c.path.edges[0], alias, to) })
	if strings.Contains(rows.from, " JOIN ") {
		rows.from = "(" + rows.from + ")"
	}
	q.from += " LEFT JOIN " + rows.from + " ON " + strings.Join(onceEach(rows.where), " AND ")
	maps.Copy(q.toMany, rows.toMany)
	if !c.path.toOne() {
		q.toMany[c.child.id] = true
	}
	q.orNone = map[int]bool{}
	walk(c.child, func(s *set, _ int) { q.orNone[s.id] = true })
}

// on writes the condition of a join over an edge.
func (b *builder) on(e *edge, from, to string) string {
	var parts []string
	for i := range e.fromCols {
		parts = append(parts, quoteIdentifier(from)+"."+quoteIdentifier(e.fromCols[i].Name)+" = "+quoteIdentifier(to)+"."+quoteIdentifier(e.toCols[i].Name))
	}
	return strings.Join(parts, " AND ")
}

// condition writes one condition without touching the FROM list.
func (b *builder) condition(alias string, c condition) string {
	switch c.kind {
	case written:
		return "(" + c.written.m.Filter(b.measureAlias(c.written)) + ")"
	case compare:
		return b.comparison(alias, c)
	case related:
		if c.count != nil {
			return b.countCondition(alias, c)
		}
		if key := c.keyMissing(); key != nil {
			return b.column(alias, key) + " IS NULL"
		}
		prefix := "EXISTS "
		if c.negated {
			prefix = "NOT EXISTS "
		}
		return prefix + b.exists(alias, c)
	case moreRows:
		return b.moreRows(alias, c)
	case anyOf, allOf, noneOf:
		var parts []string
		for _, sub := range c.parts {
			parts = append(parts, b.condition(alias, sub))
		}
		switch c.kind {
		case anyOf:
			return "(" + strings.Join(parts, " OR ") + ")"
		case allOf:
			return "(" + strings.Join(parts, " AND ") + ")"
		}
		return "NOT (" + strings.Join(parts, " AND ") + ")"
	}
	return b.noSQL()
}

// keyMissing returns the key by which rows would point to one that they shall not have; nil if what is missing is said otherwise. A
// row that is marked as deleted is there all the same.
func (c condition) keyMissing() *catalog.Column {
	if !c.negated || len(c.path.edges) != 1 || !c.path.toOne() || len(c.child.conditions) > 0 || c.child.superlative != nil {
		return nil
	}
	key := only(c.path.edges[0].fromCols)
	if key == nil || key.NotNull {
		return nil
	}
	return key
}

// relatedRows writes the rows of a related set along its path, with the set's conditions and superlative, and the sets that are needed. tie makes the
// condition that ties the first relation of the path, by its alias, to what is around; nil makes none. It returns that alias too.
func (b *builder) relatedRows(c condition, needed map[int]bool, tie func(first string) string) (q *query, first string) {
	q = &query{toMany: map[int]bool{}}
	prev := ""
	var usual []string
	for i, e := range c.path.edges {
		var to string
		if i == len(c.path.edges)-1 {
			to = b.aliasSet(c.child)
		} else {
			to = b.alias(e.to)
			usual = append(usual, b.notMarked(e, to)...)
		}
		if i > 0 {
			q.from += " JOIN " + b.relation(e.to, to) + " ON " + b.on(e, prev, to)
		} else if q.from, first = b.relation(e.to, to), to; tie != nil {
			q.where = append(q.where, tie(to))
		}
		prev = to
	}
	b.writeConditions(c.child, q, needed, true)
	q.where = append(q.where, usual...)
	if !c.path.toOne() {
		q.where = append(q.where, b.implicitConditions(c.child, showsNothing)...)
	}
	if c.child.superlative != nil {
		q.where = append(q.where, b.superlativeCondition(c.child))
	}
	return q, first
}

// exists writes the subquery of a related set, tied to the outer alias.
func (b *builder) exists(alias string, c condition) string {
	q, _ := b.relatedRows(c, nil, func(to string) string { return b.on(c.path.edges[0], alias, to) })
	return "(SELECT 1 FROM " + q.from + " WHERE " + strings.Join(onceEach(q.where), " AND ") + ")"
}

// countCondition compares the number of related rows. The rows are grouped once, and
// not counted for each outer row.
func (b *builder) countCondition(alias string, c condition) string {
	first := c.path.edges[0]
	if len(first.fromCols) != 1 {
		return b.noSQL()
	}
	q, to := b.relatedRows(c, nil, nil)
	start := quoteIdentifier(to) + "." + quoteIdentifier(first.toCols[0].Name)
	op := c.count.op
	not := ""
	if op == "<" || op == "<=" {
		op, not = negated[op], "NOT " // fewer than three are none, too
	}
	where := ""
	if not != "" {
		q.where = append(q.where, start+" IS NOT NULL")
	}
	if len(q.where) > 0 {
		where = " WHERE " + strings.Join(onceEach(q.where), " AND ")
	}
	count := "count(*)"
	if key := b.lexicon.relationInfo[c.child.relation].key; (c.count.distinct || c.path.isReturning()) && len(key) == 1 {
		count = "count(DISTINCT " + quoteIdentifier(b.aliases[c.child.id]) + "." + quoteIdentifier(key[0].Name) + ")"
	}
	return fmt.Sprintf("%s %sIN (SELECT %s FROM %s%s GROUP BY %s HAVING %s %s %s)",
		b.column(alias, first.fromCols[0]), not, start, q.from, where, start, count, op, c.count.count)
}

// superlativeCondition writes the superlative of a set within a larger query as a
// condition on its rows.
func (b *builder) superlativeCondition(s *set) string {
	alias := b.aliases[s.id]
	inner := *s
	if s.superlative.by.aggregate == "" && s.superlative.count == "1" && s.superlative.skip == 0 && s.superlative.by.setID == s.id && !s.superlative.by.age {
		aggregate := "min"
		if s.superlative.descending {
			aggregate = "max"
		}
		inner.superlative = nil
		sub := b.nested(&phrase{set: &inner, items: []item{{aggregate: aggregate, column: s.superlative.by.column, setID: s.id}}})
		return b.column(alias, s.superlative.by.column) + " = (" + sub + ")"
	}
	key := b.lexicon.relationInfo[s.relation].key
	if len(key) != 1 {
		return b.noSQL()
	}
	sub := b.nested(&phrase{set: &inner, items: []item{{column: key[0], setID: s.id}}})
	return b.column(alias, key[0]) + " IN (" + sub + ")"
}

// nested writes a subquery; the aliases of the sets in it are its own.
func (b *builder) nested(n *phrase) string {
	saved := b.aliases
	b.aliases = map[int]string{}
	sub := b.selectSQL(n)
	b.aliases = saved
	return sub
}

// day writes a moment as its day, where it is compared with a column of days.
func (b *builder) day(e string, c, other *catalog.Column) string {
	if c.Class == catalog.Timestamp && other.Class == catalog.Date {
		return e + "::date"
	}
	return e
}

// comparison writes a comparison of a column.
func (b *builder) comparison(alias string, c condition) string {
	col := b.column(alias, c.column)
	literals, ok := b.lexicon.asHeld(c.column, c.value)
	if !ok {
		return b.noSQL()
	}
	c.value.literals = literals
	text := func(s string) string {
		if isText(c.column) && !strings.HasPrefix(s, "'") && !strings.HasPrefix(s, "E'") {
			return literal(s)
		}
		return s
	}
	if c.value.query != nil {
		around := b.outerAlias
		b.outerAlias = alias
		sub := b.nested(c.value.query)
		b.outerAlias = around
		return col + " " + c.op + " (" + sub + ")"
	}
	if outer := c.value.outer; outer != nil {
		return col + " = " + b.column(b.outerAlias, outer)
	}
	if other := c.value.column; other != nil {
		to := b.day(b.column(alias, other), other, c.column)
		if len(literals) == 1 {
			to += " + " + literals[0] // so much later
		}
		return b.day(col, c.column, other) + " " + c.op + " " + to
	}
	switch c.op {
	case "is null":
		if isOpenEnded(c.column) {
			return col + " >= " + today()
		}
		return strings.TrimSuffix(col, perMajor) + " IS NULL"
	case "is not null":
		if isOpenEnded(c.column) {
			return col + " < " + today()
		}
		return strings.TrimSuffix(col, perMajor) + " IS NOT NULL"
	case "in", "not in":
		var literals []string
		for _, l := range c.value.literals {
			literals = append(literals, text(l))
		}
		return col + " " + strings.ToUpper(c.op) + " (" + strings.Join(literals, ", ") + ")"
	case "between":
		return col + " BETWEEN " + c.value.literals[0] + " AND " + c.value.literals[1]
	case "range":
		var parts []string
		if c.isOfEachDay() {
			col += "::time"
		}
		if c.value.literals[0] != "" {
			parts = append(parts, col+" >= "+c.value.literals[0])
		}
		if c.value.literals[1] != "" {
			parts = append(parts, col+" < "+c.value.literals[1])
		}
		return strings.Join(parts, " AND ")
	case onWeekdays:
		return "extract(isodow FROM " + col + ") IN (" + strings.Join(c.value.literals, ", ") + ")"
	case "again":
		return fmt.Sprintf("to_char(%s, '%s') = to_char(%s, '%[2]s')", col, c.value.literals[1], c.value.literals[0])
	case "ilike", "not ilike":
		return col + " " + strings.ToUpper(c.op) + " " + c.value.literals[0]
	}
	if len(c.value.literals) == 0 {
		return b.noSQL()
	}
	return col + " " + c.op + " " + text(c.value.literals[0])
}
