// Writing a phrase as a SELECT: FROM, outputs, groups.

package grammar

import (
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// selectSQL writes a phrase as a SELECT, with a scope of aliases of its own
// within that of what surrounds it.
func (b *builder) selectSQL(n *phrase) string {
	if len(n.ratio) == 2 && n.shownBeside {
		return "SELECT (" + b.nested(n.ratio[0]) + "), (" + b.nested(n.ratio[1]) + ")"
	}
	if len(n.ratio) == 2 {
		return "SELECT (" + b.nested(n.ratio[0]) + ")::float8 / NULLIF((" + b.nested(n.ratio[1]) + "), 0) AS ratio"
	}
	if n.set == nil || b.err != nil {
		return b.noSQL()
	}
	if n.asksExistence {
		of := n.clone()
		of.asksExistence = false
		return "SELECT EXISTS (" + b.nested(of) + ")"
	}
	if len(n.having) > 0 && len(n.group) == 0 && n.hasAggregate() {
		return b.countHaving(n)
	}
	n = b.withoutRoot(b.fromGroup(n))
	if minus := b.withoutValues(n); minus != nil {
		return b.difference(n, minus)
	}
	if showsValuesOnce(n) {
		n = n.clone()
		n.distinct = true
	}
	s := b.selection(n)
	if s.aggregated || s.isRankedByHidden() {
		s.outputGroups()
	} else {
		s.outputRows()
	}
	s.rank()
	s.groupForHaving()
	s.sort()
	s.knownOnly()
	return s.String()
}

// countHaving counts the rows that a sum of related rows is compared for: "how many customers spent more than 100". Of these rows nothing else
// is added up.
func (b *builder) countHaving(n *phrase) string {
	key := only(b.lexicon.relationInfo[n.set.relation].key)
	if key == nil || !n.countsRows() || len(n.items) > 1 {
		return b.noSQL()
	}
	rows := n.withItems(item{column: key, setID: n.set.id})
	of := &set{id: n.set.id, relation: n.set.relation}
	return b.selectSQL(&phrase{set: of.with(condition{kind: compare, column: key, op: "IN", value: operand{query: rows}}), items: []item{{aggregate: "count", setID: of.id}}})
}

// isShownWhole reports whether all columns of rows are shown, as what they would be called by says nothing of what was recorded: nobody knows
// a payment by its number, as an order is known. Of groups that are ranked a whole row is no key.
func (b *builder) isShownWhole(s *set) bool {
	info := b.lexicon.relationInfo[s.relation]
	ranked := s.superlative != nil && s.superlative.by.aggregate != ""
	numbered := len(info.key) == 1 && info.key[0].Class == catalog.Number && !b.lexicon.isOrder(s.relation) && !ranked
	return (len(info.key) > 1 || numbered) && hasSameColumns(info.display, info.key)
}

// showsValuesOnce reports whether a phrase that shows rows asks for values, each
// once: those of an attribute, or of what several rows point to.
func showsValuesOnce(n *phrase) bool {
	if n.distinct || n.set.superlative != nil {
		return false
	}
	return n.attributeHead && (hasToMany(n.set) || repeatsValues(n)) ||
		len(n.items) > 0 && len(n.group) == 0 && !n.hasAggregate() && len(n.order) == 0 && ofOthers(n)
}

// selection is a SELECT that is being written.
type selection struct {
	*query
	builder     *builder
	phrase      *phrase
	root        *set
	items       []item       // outputs
	superlative *superlative // by which rows are sorted and cut off; nil if none, or if it is a condition
	aggregated  bool         // an output is an aggregate
	outputs     []string
	headings    map[string]string // of outputs that have no name otherwise
	keys        []string          // GROUP BY
	order       []string
	firstOf     []string // DISTINCT ON
	window      string   // the place of a row in its group
	limit       string
}

// selection begins the SELECT of a phrase with its FROM list and its conditions.
func (b *builder) selection(n *phrase) *selection {
	s := &selection{query: &query{toMany: map[int]bool{}}, builder: b, phrase: n, root: n.set, items: b.shown(n), superlative: n.set.superlative, headings: map[string]string{}}
	s.aggregated = hasAggregate(s.items)
	s.from = b.relation(n.set.relation, b.aliasSet(n.set))
	b.writeConditions(n.set, s.query, s.neededSets(), false)
	left := b.lexicon.relationInfo[n.set.relation].left
	s.where = append(s.where, b.implicitConditions(n.set, func(c *catalog.Column) bool { return n.shows(c) || c == left && n.byTime() })...)
	if s.superlative != nil && (s.aggregated && s.superlative.by.aggregate == "" || len(n.group) > 0) {
		// what is counted are the rows of the extreme ones
		s.where = append(s.where, b.superlativeCondition(n.set))
		s.superlative = nil
	}
	return s
}

// shown returns what a phrase shows: what it says, or the columns by which its things are called.
func (b *builder) shown(n *phrase) []item {
	items := n.items
	if len(items) == 0 && !slices.ContainsFunc(n.group, func(g item) bool { return g.entity }) {
		items = b.display(n.set)
		key := b.lexicon.relationInfo[n.set.relation].key
		if b.isShownWhole(n.set) {
			items = n.set.row()
		}
		if len(items) == 1 && len(key) == 1 && hasRepeats(items[0].column) && !b.lexicon.isNumberWithin(items[0].column) {
			items = append([]item{{column: key[0], setID: n.set.id}}, items...) // many rows are called so
		}
	}
	s := n.set.superlative
	if s == nil || s.by.aggregate == "" || s.by.column == nil {
		return items
	}
	// "name and revenue of the top 5 by revenue": what ranks is shown once, and not by its single values
	ranks := func(it item) bool { return it.aggregate == "" && it.column == s.by.column }
	others := slices.DeleteFunc(slices.Clone(items), ranks)
	if len(others) < len(items) && !slices.ContainsFunc(others, func(it item) bool { return it.aggregate == s.by.aggregate && it.column == s.by.column }) {
		others = append(others, s.by)
	}
	return others
}

// neededSets returns the ids of the sets of which the SELECT needs columns.
func (s *selection) neededSets() map[int]bool {
	needed := map[int]bool{}
	for _, it := range slices.Concat(s.items, s.phrase.group, s.phrase.partition) {
		needed[it.setID], needed[it.pairedSetID] = true, true
		for d := it.divisor; d != nil; d = d.divisor {
			needed[d.setID] = true
		}
		if it.subtrahend != nil {
			needed[it.subtrahend.setID] = true
		}
	}
	for _, o := range s.phrase.order {
		needed[o.by.setID] = true
	}
	for _, h := range s.phrase.having {
		needed[h.by.setID] = true
	}
	if s.superlative != nil {
		needed[s.superlative.by.setID] = true
		if minus := s.superlative.by.subtrahend; minus != nil {
			needed[minus.setID] = true
		}
	}
	return needed
}

// expr writes an output, a key or a sort key.
func (s *selection) expr(it item) string { return s.builder.expr(it, s.query, s.root) }

// output adds an output that is not there yet.
func (s *selection) output(e string) {
	if !slices.Contains(s.outputs, e) {
		s.outputs = append(s.outputs, e)
	}
}

// head notes what an output is called that has no name.
func (s *selection) head(e string, it item) {
	if name := s.builder.heading(it); name != "" && !it.running {
		s.headings[e] = name
	}
}

// groupBy adds grouping keys that are not there yet.
func (s *selection) groupBy(keys ...string) {
	for _, e := range keys {
		if e != "" && !slices.Contains(s.keys, e) {
			s.keys = append(s.keys, e)
		}
	}
}

// groupByRows adds the key of the relation that a set is rows of.
func (s *selection) groupByRows(of *set) {
	for _, k := range s.builder.lexicon.relationInfo[of.relation].key {
		s.groupBy(s.builder.column(s.builder.aliases[of.id], k))
	}
}

// isRankedByHidden reports whether groups are compared or sorted by an aggregate that is no output.
func (s *selection) isRankedByHidden() bool {
	n := s.phrase
	return len(n.group) > 0 && (len(n.order) > 0 && n.order[0].by.aggregate != "" || len(n.having) > 0)
}

// outputGroups writes the outputs of a SELECT with aggregates: the keys, unless they are among the outputs, then these.
func (s *selection) outputGroups() {
	for _, g := range s.phrase.group {
		if g.entity {
			s.groupByEntity(g)
			continue
		}
		e := s.expr(g)
		s.groupBy(e)
		if !slices.ContainsFunc(s.items, func(it item) bool {
			return it.aggregate == "" && it.column == g.column && it.setID == g.setID && it.trunc == g.trunc
		}) {
			s.head(e, g)
			s.output(e)
		}
	}
	for _, it := range s.items {
		e := s.expr(it)
		if it.aggregate == "" {
			s.groupBy(e)
		}
		if it.running {
			e = s.running(e)
		}
		if it.growth {
			e = s.growth(e)
		}
		s.head(e, it)
		s.outputs = append(s.outputs, e)
	}
	if len(s.outputs) == 0 {
		s.builder.noSQL()
	}
}

// groupByEntity groups by the things of a set, and shows what they are called if nothing of them is shown.
func (s *selection) groupByEntity(g item) {
	of := s.root.find(g.setID)
	if of == nil {
		s.builder.noSQL()
		return
	}
	s.groupByRows(of)
	if slices.ContainsFunc(s.items, func(it item) bool { return it.aggregate == "" && it.setID == g.setID }) {
		return
	}
	for _, d := range s.builder.display(of) {
		e := s.expr(d)
		s.output(e)
		s.groupBy(e)
	}
}

// outputRows writes the outputs of a SELECT without aggregates.
func (s *selection) outputRows() {
	for _, g := range s.phrase.group {
		if !g.entity {
			e := s.expr(g)
			s.head(e, g)
			s.output(e)
			continue
		}
		for _, d := range s.builder.display(s.root.find(g.setID)) {
			s.output(s.expr(d))
		}
	}
	for _, it := range s.items {
		e := s.expr(it)
		s.head(e, it)
		s.output(e)
	}
}

// String is the SELECT.
func (s *selection) String() string {
	var sql strings.Builder
	sql.WriteString("SELECT ")
	if len(s.firstOf) > 0 {
		sql.WriteString("DISTINCT ON (" + strings.Join(s.firstOf, ", ") + ") ")
	} else if s.phrase.distinct && !s.aggregated && len(s.keys) == 0 && orderShown(s.order, s.outputs) {
		sql.WriteString("DISTINCT ")
	}
	var having []string
	for _, h := range s.phrase.having {
		literals, ok := s.builder.lexicon.asHeld(h.by.column, h.value)
		if !ok {
			return s.builder.noSQL()
		}
		having = append(having, s.expr(h.by)+" "+h.op+" "+strings.Join(literals, " AND "))
	}
	var names []string
	if s.window != "" {
		names = s.outputNames()
		for i, name := range names {
			s.outputs[i] += " AS " + name
		}
		s.outputs = append(s.outputs, s.window+" AS "+placeInGroup)
	}
	for i, e := range s.outputs {
		if name := s.headings[e]; name != "" && s.window == "" {
			s.outputs[i] += " AS " + name
		}
	}
	sql.WriteString(strings.Join(s.outputs, ", ") + " FROM " + s.from)
	for _, clause := range []struct {
		keyword   string
		parts     []string
		separator string
	}{
		{" WHERE ", onceEach(s.where), " AND "},
		{" GROUP BY ", s.keys, ", "},
		{" HAVING ", having, " AND "},
		{" ORDER BY ", onceEach(s.order), ", "},
	} {
		if len(clause.parts) > 0 {
			sql.WriteString(clause.keyword + strings.Join(clause.parts, clause.separator))
		}
	}
	if s.window != "" {
		return s.placed(sql.String(), names)
	}
	if s.superlative != nil && s.superlative.skip > 0 {
		fmt.Fprintf(&sql, " OFFSET %d", s.superlative.skip)
	}
	if s.limit == "1" && len(s.order) > 0 {
		sql.WriteString(" FETCH FIRST 1 ROW WITH TIES")
	} else if s.limit != "" {
		sql.WriteString(" LIMIT " + s.limit)
	}
	return sql.String()
}
