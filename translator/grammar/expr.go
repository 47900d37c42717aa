package grammar

import "fmt"

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
			if it.trunc != "hour" {
				e += "::date"
			}
		}
	}
	switch it.agg {
	case measureAgg:
		return b.measure(it, q)
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
	if (it.agg == "sum" || it.agg == "avg") && b.fans(q, it.sid) {
		return b.fail() // rows that a join repeats would be added up several times
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
