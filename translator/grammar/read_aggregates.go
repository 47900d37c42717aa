// Reading aggregates: "number of", "average age", "minimum and maximum age", "difference between the highest and the lowest price".

package grammar

import (
	"cmp"
	"fmt"
	"slices"

	"askpg/catalog"
)

// counted makes a phrase the number of what it stands for, nil if that is not counted.
func (p *parser) counted(n *phrase) *phrase {
	switch {
	case n.isValue() || n.isPronoun && n.set == nil || n.hasAggregate():
		return nil
	case len(n.order) > 0 && n.number == "" && len(n.group) == 0:
		return nil // no order changes how many there are
	case len(n.items) == 1 && n.items[0].attribute != nil && len(n.items[0].attribute.candidates) > 0 && n.items[0].attribute.candidates[0].column.Class == catalog.Boolean,
		len(n.items) == 1 && n.items[0].column != nil && n.items[0].column.Class == catalog.Boolean:
		return nil
	case n.isEntity():
		m := n.withItems(item{aggregate: "count", setID: n.set.id, distinct: n.distinct})
		m.distinct = false
		return m
	case len(n.items) > 1 && n.distinct && len(n.group) == 0:
		m := n.clone()
		m.items = append([]item(nil), n.items...)
		for i := range m.items {
			if m.items[i].aggregate != "" {
				return nil
			}
			m.items[i].aggregate, m.items[i].distinct = "count", true
		}
		m.distinct = false
		return m
	case len(n.items) == 1 && len(n.group) == 0 || len(n.items) == 1 && n.items[0].aggregate == "":
		m := n.clone()
		it := n.items[0]
		if p.isHeadcount(it) || p.isTally(it) {
			it.aggregate = "sum"
			m.items, m.distinct = []item{it}, false
			return m
		}
		it.aggregate = "count"
		it.distinct = n.distinct || it.column != nil && isText(it.column) || it.attribute != nil && !it.attribute.asksName && isText(it.attribute.candidates[0].column)
		m.items = []item{it}
		m.distinct = false
		return m
	}
	return nil
}

// isHeadcount reports whether an output is a number of people, such as guests of a booking. Over several rows it is added up.
func (p *parser) isHeadcount(it item) bool {
	people := func(c *catalog.Column) bool {
		names := p.lexicon.relationInfo[c.Relation].names[c]
		return c.Class == catalog.Number && lastOf(names) == "popul"
	}
	return it.column != nil && people(it.column) || it.attribute != nil && len(it.attribute.candidates) > 0 && people(it.attribute.candidates[0].column)
}

// isTally reports whether an output is a column that holds a number of things, such as the seats of contracts. Over several rows it is
// added up.
func (p *parser) isTally(it item) bool {
	if it.attribute == nil && it.column != nil {
		words := splitName(it.column.Name)
		last := words[len(words)-1]
		if !slices.ContainsFunc(p.tokens, func(t token) bool { return t.lower == last }) || !p.isNumberOfThings(it.column) {
			return false
		}
		happened := len(p.lexicon.relationInfo[it.column.Relation].dates) > 0 || p.language.additiveNames[p.language.stem(last)]
		return p.mentionsTotal() || happened && p.isAdditive(it.column) && !p.mentionsDistinct()
	}
	if it.attribute == nil || len(it.attribute.candidates) == 0 || singular(p.tokens[it.attribute.end-1].lower) == "" {
		return false
	}
	c := it.attribute.candidates[0]
	return c.score >= namedScore && p.isNumberOfThings(c.column)
}

// isNumberOfThings reports whether a column is called by things in the plural, of which it is the number: beds, seats.
func (p *parser) isNumberOfThings(c *catalog.Column) bool {
	words := splitName(c.Name)
	last := words[len(words)-1]
	return c.Class == catalog.Number && singular(last) != "" && !p.isIdentifier(c) && (p.isAdditive(c) || len(words) == 1 && p.mentionsTotal() && !p.language.notAdditiveNames[p.language.stem(last)])
}

// mentionsTotal reports whether the question asks for a total: how many rooms two lodges have may be told of each.
func (p *parser) mentionsTotal() bool {
	return isSaid(p.tokens, "total", "altogether")
}

// median is the aggregate of the value in the middle.
const median = "median"

// areSumsOfMoney reports whether the rows of a relation are called sums of money, such as payments, and one column has them.
func (p *parser) areSumsOfMoney(r *catalog.Relation) bool {
	for s := range p.lexicon.relationInfo[r].stems {
		if p.language.moneyNames[s] {
			return p.onlyAmount(r) != nil
		}
	}
	return false
}

// isOverAll reports whether an aggregate is of all values together, each of which
// counts once.
func isOverAll(aggregate string) bool {
	return aggregate == "sum" || aggregate == "avg" || aggregate == median
}

var aggregateTags = []struct{ tag, agg string }{{"avg", "avg"}, {"sum", "sum"}, {"max", "max"}, {"min", "min"}, {median, median}, {"latest", "max"}, {"earliest", "min"}}

// aggregated reads aggregates: "average age", "minimum and maximum age".
func (p *parser) aggregated(i int) (out []candidate) {
	for _, s := range p.aggregateWords(i) {
		for _, c := range p.nounsFrom(p.maybe(s.end, "of_strict")) {
			if said := p.at(s.end - 1).lower; s.temporal && !hasTime(c.phrase) || hasTime(c.phrase) && (said == "highest" || said == "lowest") {
				continue // "highest paid" is no time of payment
			}
			if len(c.phrase.having) > 0 && len(c.phrase.group) == 0 {
				continue // the values that so many rows have are no groups any more
			}
			if r, cost := p.aggregate(c.phrase, s.aggregates); r != nil {
				out = append(out, candidate{r, c.end, c.cost + cost})
			}
		}
	}
	return out
}

// aggregateWords is a word for an aggregate, or several: "average", "minimum, maximum and average".
type aggregateWords struct {
	aggregates []string
	end        int
	temporal   bool // first, latest: said of times only
}

// maxAggregateWords is how many readings of words for aggregates are followed.
const maxAggregateWords = 40

// aggregateWords reads words for aggregates.
func (p *parser) aggregateWords(i int) (out []aggregateWords) {
	for _, a := range aggregateTags {
		for _, e := range p.ends(i, a.tag) {
			out = append(out, aggregateWords{[]string{a.agg}, e, a.tag == "latest" || a.tag == "earliest"})
		}
	}
	for k := 0; k < len(out) && k < maxAggregateWords; k++ {
		s := out[k]
		seen := map[int]bool{s.end: true}
		for _, from := range p.behind(p.behind(p.maybe(s.end, "comma"), "and"), "article") {
			if seen[from] {
				continue
			}
			seen[from] = true
			for _, a := range aggregateTags {
				for _, e := range p.ends(from, a.tag) {
					out = append(out, aggregateWords{append(slices.Clone(s.aggregates), a.agg), e, s.temporal})
				}
			}
		}
	}
	return out
}

// hasTime reports whether a phrase has a time, which may be the first or the latest.
func hasTime(n *phrase) bool {
	for _, it := range n.items {
		if it.column != nil && it.column.Class != catalog.Number && isOrdered(it.column) {
			return true
		}
		if it.attribute != nil {
			for _, c := range it.attribute.candidates {
				if c.column.Class != catalog.Number && isOrdered(c.column) {
					return true
				}
			}
		}
	}
	return false
}

// aggregate makes the outputs of a phrase aggregates, with what that costs; nil if they cannot be.
func (p *parser) aggregate(n *phrase, aggregates []string) (*phrase, float64) {
	if len(aggregates) == 1 {
		if m, cost := p.aggregateImplied(n, aggregates[0]); m != nil {
			return m, cost
		}
	}
	if len(n.items) == 0 || n.isValue() {
		return nil, 0
	}
	m := n.withItems()
	for _, it := range n.items {
		if it.aggregate != "" {
			// "average age and maximum weight": the inner aggregate stands
			if len(m.items) == 0 || len(aggregates) != 1 {
				return nil, 0
			}
			m.items = append(m.items, it)
			continue
		}
		for _, a := range aggregates {
			if !it.takes(a) || isOverAll(a) && it.column != nil && p.isIdentifier(it.column) {
				return nil, 0
			}
			m.items = append(m.items, it.aggregated(a))
		}
	}
	return m, 0
}

// aggregated returns an aggregate of an item; the average of what lines make up is that of their sums.
func (it item) aggregated(aggregate string) item {
	it.aggregate, it.distinct = aggregate, false
	if it.perOrder != nil && aggregate == "avg" {
		it.aggregate, it.divisor = "sum", &item{aggregate: "count", column: it.perOrder, setID: it.setID, distinct: true}
	}
	return it
}

// aggregateImplied makes an aggregate of what a phrase does not name: the amounts or marks of things, and of their number. nil if the
// aggregate is one of the outputs.
func (p *parser) aggregateImplied(n *phrase, aggregate string) (*phrase, float64) {
	if n.isEntity() {
		switch aggregate {
		case "sum":
			return p.totalOf(n)
		case "avg", median: // "average order", "average rating"
			c, info := cmp.Or(p.impliedColumn(n.set.relation, true), p.onlyMark(n.set.relation)), p.lexicon.relationInfo[n.set.relation]
			said := p.wordsBetween(max(0, n.words[0]-2), n.words[0])
			ofThem := aggregate == median || !p.isPlural(n) || slices.Contains(said, "of") || p.areSumsOfMoney(n.set.relation) ||
				slices.ContainsFunc(append(slices.Clone(info.names[c]), p.language.stem("rating")), func(s string) bool { return info.stems[s] })
			if c != nil && !n.isStay && ofThem { // the average orders of a store are how many it has
				return n.withItems(item{column: c, setID: n.set.id, aggregate: aggregate}), 0.1
			}
		}
	}
	if len(n.items) != 1 || n.isValue() {
		return nil, 0
	}
	it := n.items[0]
	switch {
	case aggregate == "sum" && it.aggregate == "count" && it.column == nil && n.set != nil && n.words[0] > 0 && !p.endsTag(n.words[0], "count") && p.areSumsOfMoney(n.set.relation):
		return n.withItems(item{column: p.onlyAmount(n.set.relation), setID: it.setID, aggregate: "sum"}), 0.02 // "total payments per method"
	case aggregate == "sum" && (it.aggregate == "count" || it.aggregate == measureAggregate):
		return n, 0.02 // total number of, total revenue
	case aggregate == "avg" && it.aggregate == "count" && len(n.group) == 1 && it.divisor == nil && len(n.order) == 0:
		return p.averageCount(n), 0.1
	}
	return nil, 0
}

// totalOf makes a total of things: of their amounts, or their number.
func (p *parser) totalOf(n *phrase) (*phrase, float64) {
	if p.areSumsOfMoney(n.set.relation) {
		return n.withItems(item{column: p.onlyAmount(n.set.relation), setID: n.set.id, aggregate: "sum"}), 0.1 // "total payments" are hardly their number
	}
	if p.lineAmountOfOrder(n.set.relation) != nil && p.isTotalOf(n.words[0]) {
		if of := p.worth(n); of != nil {
			of.items[0].aggregate = "sum"
			return of, 0.1 // "total of the bills"
		}
	}
	m, cost := p.thingsOrAmount(n)
	if m != nil && m.items[0].aggregate == "sum" {
		return m, 0.1 // "total stock"
	}
	return m, cost + 0.8
}

// refuseAveragePerPerson refuses the average of an implied amount "per person": the average fee per member may be the average of each
// member's fees, or all fees divided by the number of members.
func (p *parser) refuseAveragePerPerson(n *phrase) string {
	if len(n.items) == 0 || n.items[0].aggregate != "avg" || n.items[0].column == nil || n.items[0].column != p.impliedColumn(n.items[0].column.Relation, true) || p.mentionsColumn(n.items[0].column) {
		return ""
	}
	keys := n.group
	if n.items[0].setID != n.set.id { // "average customer spend"
		keys = append(slices.Clone(keys), item{entity: true, setID: n.set.id})
	}
	for _, it := range keys {
		if s := n.set.find(it.setID); it.entity && s != nil && (p.isPeople(s.relation) || p.isDoer(s.relation)) {
			return fmt.Sprintf("It is not said whether %s is added up for each of %s first: say average %[1]s, or sum of %[1]s by %[2]s.", n.items[0].column.Name, s.relation.Name.Name)
		}
	}
	return ""
}

// mentionsColumn reports whether words of the question name a column. What was earned or spent is any that is added up.
func (p *parser) mentionsColumn(c *catalog.Column) bool {
	for i := range p.tokens {
		for _, a := range inOrder(p.mentions.attributes[i]) {
			last := p.tokens[a.end-1]
			if slices.Contains(p.ends(i, "sum"), a.end) && len(p.mentions.attributes[a.end]) > 0 {
				continue // "total spend"
			}
			if !p.language.isRevenueWord(last.lower) && slices.ContainsFunc(a.candidates, func(x columnCandidate) bool {
				return x.column == c && x.score >= namedScore && (x.label == nil || slices.Contains(x.label.stems, last.stem))
			}) {
				return true
			}
		}
	}
	return false
}

// averageCount reads "average number of orders per customer": the number of orders is divided by
// that of customers, also those without orders. nil if that is not what is asked.
func (p *parser) averageCount(n *phrase) *phrase {
	it, key := n.items[0], n.group[0]
	if it.column != nil && p.lexicon.isPieces(it.column) {
		it.aggregate = "sum" // pieces are added up
	}
	if !p.mentionsNumber() && (!key.entity || !p.isPlural(n)) {
		return nil
	}
	m := n.clone()
	m.group = nil
	if !key.entity {
		it.divisor = &item{aggregate: "count", column: key.column, trunc: key.trunc, setID: key.setID, distinct: true}
		m.items = []item{it}
		return m
	}
	s := n.set.find(key.setID)
	if s == nil {
		return nil
	}
	if left := p.lexicon.relationInfo[s.relation].left; left != nil && !speaksOf(s.conditions, left) {
		// who has left counts neither above nor below the line
		s = s.with(condition{kind: compare, column: left, op: "is null"})
		m.set = m.set.replace(s)
	}
	refusal := ""
	if !reachedToOne(n.set, s.id) {
		for _, e := range n.set.pathTo(s.id).edges {
			if said := p.at(n.words[1] - 1).stem; p.lexicon.relationInfo[e.to].stems[said] && !p.lexicon.relationInfo[n.set.relation].stems[said] {
				refusal = fmt.Sprintf("It is not said whether %s or %s are counted: name them.", e.to.Name.Name, n.set.relation.Name.Name)
			}
		}
		if it.aggregate == "count" {
			it.pairedSetID = s.id // a student of two classes counts in each of them
		}
	}
	m.items = []item{it}
	all := *s
	all.id = p.newID()
	return &phrase{refusal: refusal, ratio: []*phrase{m, {set: &all, items: []item{{aggregate: "count", setID: all.id}}}}}
}

// takes reports whether an output may be what an aggregate is of.
func (it item) takes(aggregate string) bool {
	if aggregate == "min" || aggregate == "max" {
		return isRankable(it)
	}
	if !isOverAll(aggregate) {
		return true
	}
	if it.attribute != nil && (it.attribute.asksName || !anyNumeric(it.attribute)) {
		return false
	}
	return it.column == nil || it.age || it.column.Class == catalog.Number || it.column.Class == catalog.Interval
}

// isRankable reports whether an output has a lowest and a highest value.
func isRankable(it item) bool {
	if it.attribute != nil {
		if it.attribute.asksName {
			return false
		}
		return slices.ContainsFunc(it.attribute.candidates, func(c columnCandidate) bool { return isOrdered(c.column) })
	}
	return it.column != nil && isOrdered(it.column)
}

// isOrdered reports whether a column has values of which one is before another.
func isOrdered(c *catalog.Column) bool {
	switch c.Class {
	case catalog.Number, catalog.Date, catalog.Timestamp, catalog.Time, catalog.Interval:
		return true
	}
	return false
}

// anyNumeric reports whether one of the columns that an attribute may be can be added up.
func anyNumeric(a *attribute) bool {
	return slices.ContainsFunc(a.candidates, func(c columnCandidate) bool {
		return c.column.Class == catalog.Number || c.column.Class == catalog.Interval || c.label != nil && c.label.age
	})
}

// mentionsNumber reports whether the question asks for a number of things.
func (p *parser) mentionsNumber() bool {
	return p.says("count")
}

// spread is the aggregate of the highest less the lowest.
const spread = "spread"

// spreads reads "difference between the highest and the lowest price".
func (p *parser) spreads(i int) (out []candidate) {
	for _, c := range p.nounsFrom(p.behind(p.ends(i, spread), "article")) {
		n := c.phrase
		if len(n.items) != 2 || n.number != "" {
			continue
		}
		a, b := n.items[0], n.items[1]
		both := a.aggregate == "max" && b.aggregate == "min" || a.aggregate == "min" && b.aggregate == "max"
		if !both || a.attribute != b.attribute || a.column != b.column || a.setID != b.setID {
			continue
		}
		a.aggregate = spread
		out = append(out, candidate{n.withItems(a), c.end, c.cost + 0.05})
	}
	return out
}

// ranges reads "price range" and "range of prices": the lowest and the highest.
func (p *parser) ranges(i int) (out []candidate) {
	add := func(a candidate, end int) {
		number := a.phrase.items[0].attribute
		if len(a.phrase.items) != 1 || number == nil || a.phrase.items[0].aggregate != "" {
			return
		}
		if number = onlyNumeric(number); number == nil {
			return
		}
		low, high := a.phrase.items[0], a.phrase.items[0]
		low.attribute, low.aggregate, high.attribute, high.aggregate = number, "min", number, "max"
		n := a.phrase.clone()
		n.items = []item{low, high}
		out = append(out, candidate{n, end, a.cost})
	}
	for _, a := range p.attributes(i, false) {
		if p.at(a.end).lower == "range" && !p.mentions.covered[a.end] {
			add(a, a.end+1)
		}
	}
	if p.at(i).lower == "range" && p.at(i+1).lower == "of" {
		for _, a := range p.attributes(i+2, false) {
			add(a, a.end)
		}
	}
	return out
}
