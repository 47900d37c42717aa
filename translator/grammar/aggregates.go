package grammar

import (
	"askpg/catalog"
	"slices"
)

// counted makes a phrase the number of what it stands for, nil if that is not counted.
func (p *parser) counted(n *phrase) *phrase {
	switch {
	case n.isValue() || n.pronoun && n.set == nil || n.hasAggregate():
		return nil
	case len(n.items) == 1 && n.items[0].attribute != nil && len(n.items[0].attribute.candidates) > 0 && n.items[0].attribute.candidates[0].column.Class == catalog.Boolean,
		len(n.items) == 1 && n.items[0].column != nil && n.items[0].column.Class == catalog.Boolean:
		return nil
	case n.isEntity():
		m := n.clone()
		m.items = []item{{aggregate: "count", setID: n.set.id, distinct: n.distinct}}
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
		if p.isHeadcount(it) {
			it.aggregate = "sum"
			m.items = []item{it}
			return m
		}
		it.aggregate = "count"
		it.distinct = n.distinct || it.column != nil && textual(it.column) || it.attribute != nil && !it.attribute.asksName && textual(it.attribute.candidates[0].column)
		m.items = []item{it}
		m.distinct = false
		return m
	}
	return nil
}

// isHeadcount reports whether an output is a number of people: of several rows, people are added up.
func (p *parser) isHeadcount(it item) bool {
	people := func(c *catalog.Column) bool {
		names := p.lexicon.relationInfo[c.Relation].names[c]
		return c.Class == catalog.Number && len(names) > 0 && names[len(names)-1] == "popul"
	}
	return it.column != nil && people(it.column) || it.attribute != nil && len(it.attribute.candidates) > 0 && people(it.attribute.candidates[0].column)
}

var aggregateTags = []struct{ tag, agg string }{{"avg", "avg"}, {"sum", "sum"}, {"max", "max"}, {"min", "min"}, {"latest", "max"}, {"earliest", "min"}}

// aggregated reads aggregates: "average age", "minimum and maximum age".
func (p *parser) aggregated(i int) []candidate {
	var out []candidate
	type start struct {
		aggs     []string
		end      int
		temporal bool // first, latest: said of times only
	}
	var starts []start
	for _, a := range aggregateTags {
		for _, e := range p.ends(i, a.tag) {
			starts = append(starts, start{[]string{a.agg}, e, a.tag == "latest" || a.tag == "earliest"})
		}
	}
	for k := 0; k < len(starts) && k < 40; k++ {
		s := starts[k]
		next := []int{}
		for _, c := range p.maybe(s.end, "comma") {
			for _, a := range p.maybe(c, "and") {
				for _, d := range p.maybe(a, "article") {
					if d > s.end && !slices.Contains(next, d) {
						next = append(next, d)
					}
				}
			}
		}
		for _, from := range next {
			for _, a := range aggregateTags {
				for _, e := range p.ends(from, a.tag) {
					starts = append(starts, start{append(append([]string(nil), s.aggs...), a.agg), e, s.temporal})
				}
			}
		}
	}
	for _, s := range starts {
		for _, o := range p.maybe(s.end, "of_strict") {
			for _, c := range p.noun(o) {
				if s.temporal && !temporal(c.phrase) {
					continue
				}
				if r, cost := p.aggregate(c.phrase, s.aggs); r != nil {
					out = append(out, candidate{r, c.end, c.cost + cost})
				}
			}
		}
	}
	return out
}

// temporal reports whether a phrase has a time, which may be the first or the latest.
func temporal(n *phrase) bool {
	for _, it := range n.items {
		if it.column != nil && it.column.Class != catalog.Number && ordered(it.column) {
			return true
		}
		if it.attribute != nil {
			for _, c := range it.attribute.candidates {
				if c.column.Class != catalog.Number && ordered(c.column) {
					return true
				}
			}
		}
	}
	return false
}

// aggregate makes the outputs of a phrase aggregates, with what that costs; nil if they cannot be.
func (p *parser) aggregate(n *phrase, aggregates []string) (*phrase, float64) {
	if n.isEntity() && len(aggregates) == 1 && aggregates[0] == "sum" {
		m, cost := p.thingsOrAmount(n)
		return m, cost + 0.8
	}
	if len(n.items) == 0 || n.isValue() {
		return nil, 0
	}
	cost := 0.0
	m := n.clone()
	m.items = nil
	for _, it := range n.items {
		if it.aggregate == "count" && len(aggregates) == 1 && aggregates[0] == "sum" && len(n.items) == 1 {
			return n, 0.02 // total number of
		}
		if it.aggregate == "count" && len(aggregates) == 1 && aggregates[0] == "avg" && len(n.items) == 1 && len(n.group) == 1 && it.divisor == nil {
			// "average number of orders per customer"
			key := n.group[0]
			if !key.entity && !p.saysNumber() {
				return nil, 0
			}
			if key.entity {
				// divided by all customers: those without orders have 0
				s := n.set.find(key.setID)
				if s == nil {
					return nil, 0
				}
				all := *s
				all.id = p.newID()
				m.items, m.group = []item{it}, nil
				return &phrase{ratio: []*phrase{m, {set: &all, items: []item{{aggregate: "count", setID: all.id}}}}}, 0.1
			}
			it.divisor = &item{aggregate: "count", column: key.column, setID: key.setID, distinct: true}
			m.items, m.group = []item{it}, nil
			return m, 0.1
		}
		if it.aggregate == measureAggregate && len(aggregates) == 1 && aggregates[0] == "sum" && len(n.items) == 1 {
			return n, 0.02 // total revenue
		}
		if it.aggregate != "" {
			// "average age and maximum weight": the inner aggregate stands
			if len(m.items) > 0 && len(aggregates) == 1 {
				m.items = append(m.items, it)
				continue
			}
			return nil, 0
		}
		for _, a := range aggregates {
			if (a == "min" || a == "max") && !rankable(it) {
				return nil, 0
			}
			if a == "sum" || a == "avg" {
				if it.attribute != nil && it.attribute.asksName {
					return nil, 0
				}
				if it.attribute != nil && !anyNumeric(it.attribute) || it.column != nil && it.column.Class != catalog.Number && it.column.Class != catalog.Interval {
					return nil, 0
				}
			}
			x := it
			x.aggregate = a
			x.distinct = false
			m.items = append(m.items, x)
		}
	}
	return m, cost
}

// rankable reports whether an output has a lowest and a highest value.
func rankable(it item) bool {
	if it.attribute != nil {
		if it.attribute.asksName {
			return false
		}
		for _, c := range it.attribute.candidates {
			if ordered(c.column) {
				return true
			}
		}
		return false
	}
	return it.column != nil && ordered(it.column)
}

// ordered reports whether a column has values of which one is before another.
func ordered(c *catalog.Column) bool {
	switch c.Class {
	case catalog.Number, catalog.Date, catalog.Timestamp, catalog.Time, catalog.Interval:
		return true
	}
	return false
}

// anyNumeric reports whether one of the columns that an attribute may be can be added up.
func anyNumeric(a *attribute) bool {
	for _, c := range a.candidates {
		if c.column.Class == catalog.Number || c.column.Class == catalog.Interval {
			return true
		}
	}
	return false
}

// saysNumber reports whether the question asks for a number of things.
func (p *parser) saysNumber() bool {
	return slices.ContainsFunc(p.tags, func(tags map[string][]int) bool { return len(tags["count"]) > 0 })
}
