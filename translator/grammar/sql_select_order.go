// Writing the order of a SELECT: what is first, how rows are sorted, how many are kept.

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"askpg/catalog"
)

// rank sorts by the superlative and keeps its first rows, or those of each of what the phrase is divided by.
func (s *selection) rank() {
	if s.superlative != nil {
		s.rankRows(s.superlative)
	}
	if len(s.phrase.partition) == 0 {
		return
	}
	for _, it := range s.phrase.partition {
		s.firstOf = append(s.firstOf, s.expr(it))
	}
	if s.superlative == nil {
		s.builder.noSQL()
		return
	}
	if len(s.keys) > 0 {
		s.groupBy(s.firstOf...)
	}
	s.limit = ""
	if s.superlative.count == "1" && s.superlative.skip == 0 {
		s.order = slices.Concat(s.firstOf, s.order)
		return
	}
	s.window = "rank() OVER (PARTITION BY " + strings.Join(s.firstOf, ", ") + " ORDER BY " + strings.Join(s.order, ", ") + ")"
	s.firstOf, s.order = nil, nil
}

// placed writes the rows at the places that a superlative keeps of each group, of a SELECT that has their places (PostgreSQL
// documentation, 3.5: the result of a window function can be compared only outside).
func (s *selection) placed(inner string, names []string) string {
	n, err := strconv.Atoi(s.superlative.count)
	if err != nil {
		return s.builder.noSQL()
	}
	first := s.superlative.skip
	where := fmt.Sprintf("place <= %d", n)
	if first > 0 {
		where = fmt.Sprintf("place BETWEEN %d AND %d", first+1, first+n)
	}
	shown := strings.Join(names, ", ")
	return "SELECT " + shown + " FROM (" + inner + ") AS ranked WHERE " + where + " ORDER BY " + names[0] + ", place"
}

// outputNames returns a name for each output that needs no quotation marks, none twice: that of its column or function, with its table's
// before it where two have it.
func (s *selection) outputNames() (names []string) {
	for _, o := range s.outputs {
		name, _, call := strings.Cut(o, "(")
		if table, column, qualified := strings.Cut(o, "."); qualified && !call {
			name = column
			if slices.Contains(names, name) {
				name = table + "_" + column
			}
		}
		name = cmp.Or(s.headings[o], name)
		if quoteIdentifier(name) != name || name == placeInGroup || slices.Contains(names, name) {
			name = fmt.Sprintf("column_%d", len(names)+1)
		}
		names = append(names, name)
	}
	return names
}

// placeInGroup is the name of the place of a row in its group.
const placeInGroup = "place"

// heading names an output that PostgreSQL would head "?column?" or by the function that made it a unit of time; "" if it is a column or
// another function.
func (b *builder) heading(it item) string {
	_, computed := b.lexicon.lineAmounts[it.column]
	if _, open := b.lexicon.balances[it.column]; open && it.aggregate == "" {
		return it.column.Name
	}
	minor := it.column != nil && !b.keepCents && inMinor(it.column)
	switch {
	case it.perOrder != nil && it.divisor != nil:
		return "avg" // of the sums
	case it.measure != nil:
		return quoteIdentifier(strings.ReplaceAll(strings.ToLower(it.measure.m.Name), " ", "_"))
	case it.ofTotal || it.growth || it.scale == "100.0":
		return "percent"
	case it.divisor != nil:
		return "ratio"
	case it.aggregate == "sum" || it.aggregate == "avg" || it.aggregate == "min" || it.aggregate == "max":
		if minor {
			return it.aggregate
		}
	case it.aggregate != "":
	case it.trunc == hourOfDay:
		return "hour"
	case it.trunc != "":
		return it.trunc
	case it.age:
		return "age"
	case it.subtrahend != nil:
		return "difference"
	case computed:
		return "amount"
	case minor:
		return quoteIdentifier(it.column.Name)
	}
	return ""
}

// rankRows sorts by a superlative and keeps its first rows.
func (s *selection) rankRows(by *superlative) {
	e := s.expr(by.by)
	if by.by.aggregate != "" {
		s.groupRanked()
	} else {
		if c := by.by.column; c == nil || !c.NotNull || by.by.subtrahend != nil {
			s.where = append(s.where, e+" IS NOT NULL")
		}
		if by.count == "1" && !s.aggregated && s.builder.lexicon.hasSeveralRowsOfThing(s.root.relation) && !slices.ContainsFunc(s.items, s.builder.plainOutputs(by)) {
			s.groupBy(s.outputs...)
			s.groupBy(e) // one thing, of which there may be several rows
		}
	}
	s.order = append(s.order, sortKey(e, by.descending))
	s.limit = by.count
}

// groupRanked groups by the things that an aggregate ranks.
func (s *selection) groupRanked() {
	if s.aggregated {
		s.keys = nil
		for _, it := range s.items {
			if it.aggregate == "" {
				s.groupBy(s.expr(it))
			}
		}
	} else {
		s.groupBy(s.outputs...)
	}
	if !s.phrase.attributeHead {
		s.groupByRows(s.root)
	}
	for _, it := range s.items { // two people may have the same names
		of := s.root.find(it.setID)
		if of == nil || of == s.root || it.aggregate != "" {
			continue
		}
		if names := s.builder.lexicon.relationInfo[of.relation].display; len(names) > 1 && slices.Contains(names, it.column) {
			s.groupByRows(of)
		}
	}
}

// groupForHaving groups the rows where HAVING compares an aggregate and nothing else groups them.
func (s *selection) groupForHaving() {
	if len(s.phrase.having) == 0 || len(s.keys) > 0 {
		return
	}
	if !s.phrase.attributeHead {
		s.groupByRows(s.root)
	}
	s.groupBy(s.outputs...)
}

// sort writes the order that the question says, or the usual one of groups, and the number of rows.
func (s *selection) sort() {
	n := s.phrase
	orders := n.order
	if len(orders) == 0 && s.aggregated && len(n.group) > 0 && n.number == "" && n.set.superlative == nil {
		orders = s.builder.defaultOrder(n)
	}
	for _, o := range orders {
		if s.aggregated && len(s.keys) == 0 && o.by.aggregate == "" {
			continue // one row
		}
		e := s.expr(o.by)
		if len(s.keys) > 0 && o.by.aggregate == "" {
			s.groupBy(e)
		}
		s.order = append(s.order, sortKey(e, o.descending))
	}
	if n.number == "" {
		return
	}
	if s.limit = n.number; len(s.order) == 0 {
		s.builder.noSQL() // the first of what is in no order
	}
}

// knownOnly leaves out rows without a value where the first values are asked for: NULL is not the most common reason.
func (s *selection) knownOnly() {
	if s.limit == "" || len(s.keys) == 0 {
		return
	}
	values := s.phrase.group
	if s.phrase.attributeHead {
		values = slices.Concat(values, s.items)
	}
	for _, it := range values {
		if it.aggregate != "" || it.entity || it.column == nil || it.column.NotNull {
			continue
		}
		if known := s.expr(item{column: it.column, setID: it.setID}) + " IS NOT NULL"; !slices.Contains(s.where, known) {
			s.where = append(s.where, known)
		}
	}
}

// plainOutputs returns whether an output is neither a name of things nor what they are first by.
func (b *builder) plainOutputs(s *superlative) func(item) bool {
	return func(it item) bool {
		return it.column == nil || it.column != s.by.column && !slices.Contains(b.lexicon.relationInfo[it.column.Relation].display, it.column)
	}
}

// byTime reports whether a phrase is grouped by units of time. People who came in one of them count, even if they have left since.
func (n *phrase) byTime() bool {
	return slices.ContainsFunc(n.group, func(it item) bool { return it.trunc != "" && it.setID == n.set.id })
}

// shows reports whether a column is among what a phrase shows, groups or sorts by.
func (n *phrase) shows(c *catalog.Column) bool {
	of := func(it item) bool { return it.column == c }
	return slices.ContainsFunc(n.items, of) || slices.ContainsFunc(n.group, of) || slices.ContainsFunc(n.order, func(o ordering) bool { return of(o.by) }) ||
		n.set.superlative != nil && of(n.set.superlative.by)
}

// defaultOrder is the order of groups that nobody asked to be in another: of
// times, theirs; else of the first measure, the largest first.
func (b *builder) defaultOrder(n *phrase) []ordering {
	for _, k := range n.group {
		if c := k.column; c != nil && (k.trunc != "" || isTime(c) || b.lexicon.holdsYears(c)) {
			if k.trunc == weekday {
				k.trunc = dayOfWeek
			}
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
