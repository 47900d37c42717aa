// Writing outputs and keys.

package grammar

import (
	"fmt"
	"strings"
)

// Units of time that come again: the days of a week, the hours of a day.
const (
	weekday   = "weekday"
	dayOfWeek = "isodow" // a weekday as a number, to sort by
	hourOfDay = "hour of day"
)

// truncated writes the unit of time that an expression lies in.
func truncated(e, unit string) string {
	switch unit {
	case "":
		return e
	case weekday:
		return "to_char(" + e + ", 'FMDay')"
	case dayOfWeek:
		return "extract(isodow FROM " + e + ")"
	case hourOfDay:
		return "extract(hour FROM " + e + ")"
	case "hour":
		return "date_trunc('hour', " + e + ")"
	case "year":
		return "extract(year FROM " + e + ")::int"
	}
	return fmt.Sprintf("date_trunc('%s', %s)::date", unit, e)
}

// display returns the columns by which rows of a set are shown.
func (b *builder) display(s *set) (out []item) {
	if s == nil {
		b.noSQL()
		return nil
	}
	for _, c := range b.lexicon.relationInfo[s.relation].display {
		out = append(out, item{column: c, setID: s.id})
	}
	return out
}

func (b *builder) aliasSet(s *set) string {
	a := b.alias(s.relation)
	b.aliases[s.id] = a
	return a
}

// expr writes an output, a key or a sort key.
func (b *builder) expr(it item, q *query, root *set) (e string) {
	switch {
	case it.divisor != nil:
		return b.quotient(it, q, root)
	case it.ofTotal:
		return b.shareOfTotal(it, q, root)
	case len(it.where) > 0:
		return b.filteredExpr(it, q, root)
	}
	alias, ok := b.aliases[it.setID]
	if !ok {
		return b.noSQL()
	}
	if it.column != nil {
		e = b.column(alias, it.column)
		if it.age {
			e = "extract(year FROM age(" + e + "))"
		}
		e = truncated(e, it.trunc)
		if it.subtrahend != nil {
			e = b.minus(e, it)
		}
	}
	switch it.aggregate {
	case measureAggregate:
		return b.measure(it, q)
	case "":
		if it.column == nil {
			return b.noSQL()
		}
		return e
	case "count":
		switch {
		case it.column == nil:
			return b.countRows(it, q, root)
		case it.distinct:
			return "count(DISTINCT " + e + ")"
		}
		return "count(" + e + ")"
	}
	if isOverAll(it.aggregate) && (b.repeatsRows(q, it.setID) || b.lexicon.isOrder(it.column.Relation) && root.pathTo(it.setID).isTurning()) {
		return b.noSQL() // rows that a join repeats would be added up several times
	}
	if it.aggregate == median {
		return "percentile_cont(0.5) WITHIN GROUP (ORDER BY " + e + ")"
	}
	e, minor := strings.CutSuffix(e, perMajor) // once for all rows
	if it.distinct {
		e = "DISTINCT " + e
	}
	if it.aggregate == spread {
		e = "(max(" + e + ") - min(" + e + "))"
	} else {
		e = it.aggregate + "(" + e + ")"
	}
	if minor {
		e += perMajor
	}
	return e
}

// countRows counts the rows of an item's set, each once.
func (b *builder) countRows(it item, q *query, root *set) string {
	s := root.find(it.setID)
	if s == nil {
		return b.noSQL()
	}
	if it.pairedSetID != 0 {
		return b.pairs(s, root.find(it.pairedSetID))
	}
	columns := b.lexicon.relationInfo[s.relation].key
	several := s != root && reachedToOne(root, it.setID) // rows of root point to one row of s
	if it.distinct || several || b.repeatsRows(q, it.setID) || root.pathTo(it.setID).isReturning() {
		if it.distinct && len(columns) > 0 {
			if d := b.lexicon.relationInfo[s.relation].display; len(d) == 1 {
				columns = d
			}
		}
		if len(columns) == 1 {
			return "count(DISTINCT " + b.column(b.aliases[s.id], columns[0]) + ")"
		}
	}
	switch {
	case !q.orNone[it.setID]:
		return "count(*)"
	case len(columns) == 0:
		return b.noSQL()
	}
	return "count(" + b.column(b.aliases[s.id], columns[0]) + ")" // where there is no row, its key is null
}

// repeatsRows reports whether joins may repeat the rows of a set.
func (b *builder) repeatsRows(q *query, setID int) bool {
	for id := range q.toMany {
		if id != setID {
			return true
		}
	}
	return false
}

// pairs counts the different pairs of rows of two sets that are joined.
func (b *builder) pairs(s, with *set) string {
	if with == nil {
		return b.noSQL()
	}
	first, second := b.lexicon.relationInfo[s.relation].key, b.lexicon.relationInfo[with.relation].key
	if len(first) != 1 || len(second) != 1 {
		return b.noSQL()
	}
	return "count(DISTINCT (" + b.column(b.aliases[s.id], first[0]) + ", " + b.column(b.aliases[with.id], second[0]) + "))"
}
