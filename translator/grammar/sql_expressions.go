package grammar

import "fmt"

// display returns the columns by which rows of a set are shown.
func (b *builder) display(s *set) []item {
	if s == nil {
		b.noSQL()
		return nil
	}
	var out []item
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
func (b *builder) expr(it item, q *query, root *set) string {
	if it.divisor != nil {
		return b.quotient(it, q, root)
	}
	alias, ok := b.aliases[it.setID]
	if !ok {
		return b.noSQL()
	}
	var e string
	if it.column != nil {
		e = b.column(alias, it.column)
		if it.trunc != "" {
			e = fmt.Sprintf("date_trunc('%s', %s)", it.trunc, e)
			if it.trunc != "hour" {
				e += "::date"
			}
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
		case it.column != nil && it.distinct:
			return "count(DISTINCT " + e + ")"
		case it.column != nil:
			return "count(" + e + ")"
		}
		s := root.find(it.setID)
		if s == nil {
			return b.noSQL()
		}
		if it.distinct || b.repeatsRows(q, it.setID) {
			columns := b.lexicon.relationInfo[s.relation].key
			if it.distinct && len(columns) > 0 {
				if d := b.lexicon.relationInfo[s.relation].display; len(d) == 1 {
					columns = d
				}
			}
			if len(columns) == 1 {
				return "count(DISTINCT " + b.column(alias, columns[0]) + ")"
			}
		}
		return "count(*)"
	}
	if (it.aggregate == "sum" || it.aggregate == "avg") && b.repeatsRows(q, it.setID) {
		return b.noSQL() // rows that a join repeats would be added up several times
	}
	if it.distinct {
		e = "DISTINCT " + e
	}
	return it.aggregate + "(" + e + ")"
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
