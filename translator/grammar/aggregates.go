package grammar

import "askpg/catalog"

func (p *parser) counted(n *np) *np {
	switch {
	case n.isValue() || n.pron && n.set == nil || n.hasAggregate():
		return nil
	case len(n.items) == 1 && n.items[0].attr != nil && len(n.items[0].attr.cands) > 0 && n.items[0].attr.cands[0].col.Class == catalog.Boolean,
		len(n.items) == 1 && n.items[0].col != nil && n.items[0].col.Class == catalog.Boolean:
		return nil
	case n.isEntity():
		m := n.clone()
		m.items = []item{{agg: "count", sid: n.set.id, distinct: n.distinct}}
		m.distinct = false
		return m
	case len(n.items) > 1 && n.distinct && len(n.group) == 0:
		m := n.clone()
		m.items = append([]item(nil), n.items...)
		for i := range m.items {
			if m.items[i].agg != "" {
				return nil
			}
			m.items[i].agg, m.items[i].distinct = "count", true
		}
		m.distinct = false
		return m
	case len(n.items) == 1 && len(n.group) == 0 || len(n.items) == 1 && n.items[0].agg == "":
		m := n.clone()
		it := n.items[0]
		if p.isHeadcount(it) {
			it.agg = "sum"
			m.items = []item{it}
			return m
		}
		it.agg = "count"
		it.distinct = n.distinct || it.col != nil && textual(it.col) || it.attr != nil && !it.attr.named && textual(it.attr.cands[0].col)
		m.items = []item{it}
		m.distinct = false
		return m
	}
	return nil
}

func (p *parser) isHeadcount(it item) bool {
	people := func(c *catalog.Column) bool {
		names := p.x.info[c.Relation].names[c]
		return c.Class == catalog.Number && len(names) > 0 && names[len(names)-1] == "popul"
	}
	return it.col != nil && people(it.col) || it.attr != nil && len(it.attr.cands) > 0 && people(it.attr.cands[0].col)
}

var aggregateTags = []struct{ tag, agg string }{{"avg", "avg"}, {"sum", "sum"}, {"max", "max"}, {"min", "min"}, {"latest", "max"}, {"earliest", "min"}}

func (p *parser) aggregated(i int) []cand {
	var out []cand
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
				for _, d := range p.maybe(a, "det") {
					if d > s.end && !containsInt(next, d) {
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
				if s.temporal && !temporal(c.np) {
					continue
				}
				if r, cost := p.aggregate(c.np, s.aggs); r != nil {
					out = append(out, cand{r, c.end, c.cost + cost})
				}
			}
		}
	}
	return out
}

func temporal(n *np) bool {
	for _, it := range n.items {
		if it.col != nil && it.col.Class != catalog.Number && ordered(it.col) {
			return true
		}
		if it.attr != nil {
			for _, c := range it.attr.cands {
				if c.col.Class != catalog.Number && ordered(c.col) {
					return true
				}
			}
		}
	}
	return false
}

func (p *parser) aggregate(n *np, aggs []string) (*np, float64) {
	if n.isEntity() && len(aggs) == 1 && aggs[0] == "sum" {
		m := p.counted(n)
		return m, 0.8
	}
	if len(n.items) == 0 || n.isValue() {
		return nil, 0
	}
	cost := 0.0
	m := n.clone()
	m.items = nil
	for _, it := range n.items {
		if it.agg == "count" && len(aggs) == 1 && aggs[0] == "sum" && len(n.items) == 1 {
			return n, 0.02 // total number of
		}
		if it.agg == "count" && len(aggs) == 1 && aggs[0] == "avg" && len(n.items) == 1 && len(n.group) == 1 && it.over == nil {
			// "average number of orders per customer"
			key := n.group[0]
			if key.entity {
				s := n.set.find(key.sid)
				if s == nil || len(p.x.info[s.rel].key) != 1 {
					return nil, 0
				}
				key = item{col: p.x.info[s.rel].key[0], sid: s.id}
			}
			it.over = &item{agg: "count", col: key.col, sid: key.sid, distinct: true}
			m.items, m.group = []item{it}, nil
			return m, 0.1
		}
		if it.agg == measureAgg && len(aggs) == 1 && aggs[0] == "sum" && len(n.items) == 1 {
			return n, 0.02 // total revenue
		}
		if it.agg != "" {
			// "average age and maximum weight": the inner aggregate stands
			if len(m.items) > 0 && len(aggs) == 1 {
				m.items = append(m.items, it)
				continue
			}
			return nil, 0
		}
		for _, a := range aggs {
			if (a == "min" || a == "max") && !rankable(it) {
				return nil, 0
			}
			if a == "sum" || a == "avg" {
				if it.attr != nil && it.attr.named {
					return nil, 0
				}
				if it.attr != nil && !anyNumeric(it.attr) || it.col != nil && it.col.Class != catalog.Number && it.col.Class != catalog.Interval {
					return nil, 0
				}
			}
			x := it
			x.agg = a
			x.distinct = false
			m.items = append(m.items, x)
		}
	}
	return m, cost
}

func rankable(it item) bool {
	if it.attr != nil {
		if it.attr.named {
			return false
		}
		for _, c := range it.attr.cands {
			if ordered(c.col) {
				return true
			}
		}
		return false
	}
	return it.col != nil && ordered(it.col)
}

func ordered(c *catalog.Column) bool {
	switch c.Class {
	case catalog.Number, catalog.Date, catalog.Timestamp, catalog.Time, catalog.Interval:
		return true
	}
	return false
}

func anyNumeric(a *attr) bool {
	for _, c := range a.cands {
		if c.col.Class == catalog.Number || c.col.Class == catalog.Interval {
			return true
		}
	}
	return false
}
