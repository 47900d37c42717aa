// Measures of the semantics file.

package grammar

import (
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// What an administrator has defined: measures, which are aggregates with a
// name, terms, which are rows with a name, and conditions that the rows of a
// relation meet unless a question says otherwise.

// measureAggregate marks an item that is a measure.
const measureAggregate = "measure"

// measured is an admin's measure, with the sets that its expression reads.
type measured struct {
	m    *catalog.Measure
	sets map[*catalog.Relation]int // the set of each relation that it reads
}

// measureName is a name of an admin's measure or term, in stems.
type measureName struct {
	m     *catalog.Measure
	stems []string
}

// measureNames returns the names of the snapshot's measures, and of its terms
// that are rows. Terms that are values of rows are for models.
func (x *lexicon) measureNames() (out []measureName) {
	for _, m := range slices.Concat(x.snapshot.Measures, x.snapshot.Terms) {
		if m.Aggregate.Text != "" && slices.Contains(x.snapshot.Terms, m) {
			continue
		}
		for _, name := range append([]string{m.Name}, m.Synonyms...) {
			var asked []string // as a question is cut: B2B is one word there, and two of a column's name
			for _, t := range scan(name) {
				asked = append(asked, t.lower)
			}
			for _, stems := range [][]string{x.stems(x.language.spoken(name)), x.stems(asked)} {
				if n := len(out) - 1; len(stems) > 0 && (n < 0 || out[n].m != m || !slices.Equal(out[n].stems, stems)) {
					out = append(out, measureName{m, stems})
				}
			}
		}
	}
	return out
}

// spoken returns the words of a name as people say it.
func (l *language) spoken(name string) []string { return catalog.Words(name) }

// measuresAt calls found for each measure whose name begins at token i.
func (p *parser) measuresAt(i int, found func(m *catalog.Measure, end int)) {
	for _, n := range p.measures {
		if i+len(n.stems) > len(p.tokens) {
			continue
		}
		match := true
		for k, s := range n.stems {
			match = match && p.tokens[i+k].stem == s && p.tokens[i+k].kind != quotedToken
		}
		if match {
			end := i + len(n.stems)
			found(n.m, end)
			for _, r := range p.relationsFrom(end) {
				if r.relation == n.m.Relation && n.m.Aggregate.Text == "" {
					found(n.m, r.end) // "eligible students"
				}
			}
		}
	}
	p.saidOfRows(i, found)
}

// relationsFrom returns the names of relations that begin at token i.
func (p *parser) relationsFrom(i int) []relationMention {
	if i >= len(p.tokens) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.mentions.relations[i]), func(r relationMention) bool { return r.score < namedScore })
}

// saidOfRows calls found for each term that is said of the rows named at token i, in other words than its name has: "orders that are
// still open" are the open orders.
func (p *parser) saidOfRows(i int, found func(m *catalog.Measure, end int)) {
	for _, r := range p.mentions.relations[i] {
		if r.score < namedScore || p.partOfOther(r) {
			continue
		}
		from := r.end
		for from < len(p.tokens) && saysState[p.tokens[from].lower] {
			from++
		}
		for _, n := range p.measures {
			stems := slices.DeleteFunc(slices.Clone(n.stems), func(s string) bool { return s == p.tokens[r.end-1].stem })
			if n.m.Relation != r.relation || n.m.Aggregate.Text != "" || len(stems) == 0 || from+len(stems) > len(p.tokens) {
				continue
			}
			if slices.EqualFunc(p.tokens[from:from+len(stems)], stems, func(t token, s string) bool { return t.stem == s && t.kind != quotedToken }) {
				found(n.m, from+len(stems))
			}
		}
	}
}

// partOfOther reports whether a longer span around the words that name a relation is the exact name of another one: "purchase orders" are
// not orders.
func (p *parser) partOfOther(r relationMention) bool {
	for k := max(0, r.start-maxSpan); k <= r.start; k++ {
		if slices.ContainsFunc(p.mentions.relations[k], func(o relationMention) bool {
			return o.relation != r.relation && o.score >= exactNameScore && o.end >= r.end && (o.end-k > r.end-r.start || o.score > r.score)
		}) {
			return true
		}
	}
	return false
}

// saysState are the words between things and the state that they are in now.
var saysState = wordSet([]string{"that", "which", "are", "is", "still", "currently", "now"})

// coverMeasures notes the words that name measures.
func (p *parser) coverMeasures() {
	for i := range p.tokens {
		p.measuresAt(i, func(_ *catalog.Measure, end int) { p.cover(i, end) })
	}
}

// keepDefined restricts the words of an admin's definition to what its own relation has. If the definition does not fit the question, the
// words name nothing else.
func (p *parser) keepDefined() {
	for i := range p.tokens {
		p.measuresAt(i, func(m *catalog.Measure, end int) {
			p.dropNamesInViews(m.Relation)
			for k := i; k < end; k++ {
				p.mentions.relations[k] = slices.DeleteFunc(p.mentions.relations[k], func(r relationMention) bool { return r.end <= end && r.relation != m.Relation })
				for to, a := range inOrder(p.mentions.attributes[k]) {
					if to > end {
						continue
					}
					a.candidates = slices.DeleteFunc(a.candidates, func(c columnCandidate) bool { return c.column.Relation != m.Relation })
					if len(a.candidates) == 0 {
						delete(p.mentions.attributes[k], to)
					}
				}
			}
		})
	}
}

// dropNamesInViews drops the columns of views that the words for a relation name: the "product" of a measure of products is one of them.
func (p *parser) dropNamesInViews(r *catalog.Relation) {
	for k, list := range p.mentions.relations {
		for _, m := range list {
			a := p.mentions.attributes[k][m.end]
			if m.relation != r || m.score < namedScore || a == nil {
				continue
			}
			a.candidates = slices.DeleteFunc(a.candidates, func(c columnCandidate) bool {
				return c.column.Relation.Kind == catalog.View || c.column.Relation.Kind == catalog.MaterializedView
			})
			if len(a.candidates) == 0 {
				delete(p.mentions.attributes[k], m.end)
			}
		}
	}
}

// measureHeads reads the names of measures as noun phrases: the aggregate over
// the rows of its relation, joined to what else it reads. Of a term it is the
// rows themselves. A measure that cannot be joined so is no answer, and nothing else is it.
func (p *parser) measureHeads(i int) (out []candidate) {
	p.measuresAt(i, func(m *catalog.Measure, end int) {
		n := p.entity(m.Relation)
		sets := map[*catalog.Relation]int{m.Relation: n.set.id}
		for _, r := range m.Relations[1:] {
			toOne := p.lexicon.toOne(m.Relation, r)
			if toOne == nil {
				// joins to several rows would count rows twice, and another sum is not the measure
				n.items, n.words = []item{{aggregate: "count", setID: n.set.id}}, [2]int{i, end}
				n.refusal = multiplies(m, r)
				out = append(out, candidate{n, end, 0.02})
				return
			}
			child := &set{id: p.newID(), relation: r, valueColumns: m.ValueColumns(), isReadByMeasure: true}
			sets[r] = child.id
			if filtersOnly(m, r) {
				child = child.with(condition{kind: written, written: &measured{m, sets}})
			}
			n.set = n.set.with(condition{kind: related, child: child, path: *toOne, joined: true})
		}
		n.set.isMeasured, n.set.valueColumns, n.set.time = m.Aggregate.Text != "", m.ValueColumns(), definedTime(m)
		if m.Filter(func(*catalog.Relation) string { return "" }) != "" && !slices.ContainsFunc(m.Relations[1:], func(r *catalog.Relation) bool { return filtersOnly(m, r) }) {
			n.set = n.set.with(condition{kind: written, written: &measured{m, sets}})
		}
		if m.Aggregate.Text != "" {
			n.items = []item{{aggregate: measureAggregate, measure: &measured{m, sets}, setID: n.set.id}}
		}
		n.words = [2]int{i, end}
		if strings.HasPrefix(m.Aggregate.Text, "avg(") && p.endsTag(i, "sum") {
			n.refusal = fmt.Sprintf("%s is an average, of which there is no total.", m.Name)
		}
		out = append(out, candidate{n, end, 0.02})
	})
	return out
}

// toOne returns the nearest path by which a row of one relation has at most one of another, nil if there is none.
func (x *lexicon) toOne(from, to *catalog.Relation) *path {
	ways := x.graph.paths(from, to)
	if i := slices.IndexFunc(ways, path.toOne); i >= 0 {
		return &ways[i]
	}
	return nil
}

// multiplies says why a definition that reads a relation is not used.
func multiplies(m *catalog.Measure, r *catalog.Relation) string {
	kind := "measure"
	if m.Aggregate.Text == "" {
		kind = "term"
	}
	return fmt.Sprintf("The %s %q reads %s, of which there may be several rows for one of %s: define it over %[3]s.", kind, m.Name, r.Name.Name, m.Relation.Name.Name)
}

// Multiplied says which definitions of a snapshot are refused in every question, as their joins would count rows several times.
func Multiplied(s *catalog.Snapshot) (list []string) {
	x := lexiconOf(s)
	for _, m := range slices.Concat(s.Measures, s.Terms) {
		for _, r := range m.Relations[1:] {
			if x.toOne(m.Relation, r) == nil {
				list = append(list, multiplies(m, r))
				break
			}
		}
	}
	return list
}

// definedTime returns the time of what a measure or a term is over: that which its entry names, or the one that has to be
// there by its condition. Moves of which left_on is not empty were made then. nil if it is none of its own.
func definedTime(m *catalog.Measure) *catalog.Column {
	if m.Time != nil {
		return m.Time
	}
	condition := m.Filter(func(*catalog.Relation) string { return "" })
	return onlyWhere(m.FilterColumns(), func(c *catalog.Column) bool {
		return isTime(c) && c.Relation == m.Relation && strings.Contains(condition, `"`+c.Name+`" IS NOT NULL`)
	})
}

// filtersOnly reports whether a measure's filter is about rows of the relation
// alone.
func filtersOnly(m *catalog.Measure, r *catalog.Relation) bool {
	about := m.FilterColumns()
	return len(about) > 0 && !slices.ContainsFunc(about, func(c *catalog.Column) bool { return c.Relation != r })
}

// alongMeasure says how much likelier or less likely a path makes a reading that
// leaves a set with a measure: likelier if it goes on from what the measure
// joins, less if rows may have nothing at its end.
func alongMeasure(s *set, pt path) (cost float64) {
	if !s.isMeasured {
		return 0
	}
	for _, c := range s.conditions {
		if n := len(c.path.edges); c.kind == related && c.joined && n < len(pt.edges) && slices.Equal(c.path.edges, pt.edges[:n]) {
			cost = -0.35
		}
	}
	for _, e := range pt.edges {
		if slices.ContainsFunc(e.fromCols, func(c *catalog.Column) bool { return !c.NotNull }) {
			cost += 0.1
		}
	}
	return cost
}

// measureAlias returns the aliases of a measure's relations, as SQL.
func (b *builder) measureAlias(w *measured) func(*catalog.Relation) string {
	return func(r *catalog.Relation) string {
		alias, ok := b.aliases[w.sets[r]]
		if !ok {
			return b.noSQL()
		}
		return quoteIdentifier(alias)
	}
}

// measure writes the aggregate. Where joins repeat its rows it has no SQL.
func (b *builder) measure(it item, q *query) string {
	if b.repeatsRows(q, it.setID) {
		return b.noSQL()
	}
	return it.measure.m.Expression(b.measureAlias(it.measure))
}

// defaultFilter returns the conditions that the rows of a set meet because neither the question nor the value of a measure
// speaks of the columns that they are about, "" if there are none. Without the failed payments a rate of failures is 0; and
// who asks for cancelled orders does not mean those that were deleted.
func (b *builder) defaultFilter(s *set) string {
	var kept []string
	for _, part := range catalog.Conjuncts(s.relation.Condition) {
		if about := part.Columns(); len(about) > 0 && !slices.ContainsFunc(about, s.speaksOf) {
			kept = append(kept, part.With(func(c *catalog.Column) string {
				return quoteIdentifier(b.aliases[s.id]) + "." + quoteIdentifier(c.Name)
			}))
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return "(" + strings.Join(kept, " AND ") + ")"
}

// speaksOf reports whether a condition on the set's rows, or the value of a measure over them, is about the column.
func (s *set) speaksOf(c *catalog.Column) bool {
	return slices.Contains(s.valueColumns, c) || speaksOf(s.conditions, c)
}

// speaksOf reports whether one of the conditions is about the column.
func speaksOf(conditions []condition, c *catalog.Column) bool {
	return slices.ContainsFunc(conditions, func(x condition) bool {
		switch x.kind {
		case written:
			return slices.Contains(x.written.m.FilterColumns(), c)
		case compare:
			return x.column == c || x.value.column == c
		}
		return speaksOf(x.parts, c)
	})
}
