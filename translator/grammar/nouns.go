package grammar

import (
	"askpg/catalog"
)

// np returns the readings of the noun phrases that begin at token i, with all
// that is said of them after their head.
func (p *parser) noun(i int) []cand {
	if i >= len(p.toks) || p.steps > maxSteps {
		return nil
	}
	if r, ok := p.nps[i]; ok {
		return r
	}
	p.nps[i] = nil
	p.steps++
	before := keep(p.prefixed(i))
	out := keep(append(append(p.extend(p.heads(i)), before...), p.divide(before)...))
	p.nps[i] = out
	return out
}

// divide adds to phrases such as "number of orders" what they are divided or
// sorted by; all else is said of what is counted.
func (p *parser) divide(list []cand) []cand {
	var out []cand
	frontier := list
	for round := 0; round < 3 && len(frontier) > 0; round++ {
		var next []cand
		for _, c := range frontier {
			if len(c.np.items) == 0 && c.np.num == "" {
				continue
			}
			for _, m := range p.modifiers(c.end) {
				switch m.mod.kind {
				case modGroup, modOrder, modDirection, modNothing:
				case modDate:
					if !c.np.hasAggregate() {
						continue
					}
				default:
					continue
				}
				for _, r := range p.apply(c.np, &m.mod) {
					next = append(next, cand{r.np, m.end, c.cost + m.cost + r.cost})
				}
			}
		}
		frontier = keep(next)
		out = append(out, frontier...)
	}
	return out
}

// prefixed reads the noun phrases that begin with a word about what follows:
// the, number of, average, the three largest.
func (p *parser) prefixed(i int) []cand {
	var out []cand
	for _, e := range p.ends(i, "det") {
		for _, c := range p.noun(e) {
			out = append(out, cand{c.np, c.end, c.cost + 0.01})
		}
	}
	// "all 50 states": how many there are is no condition
	for _, e := range p.ends(i, "det") {
		if w := p.at(e - 1).lower; w == "all" || w == "the" || w == "of" {
			if n, e2 := p.number(e); e2 > e && n != "1" {
				for _, c := range p.noun(e2) {
					if c.np.isEntity() && w == "all" || c.np.isAttr() && w == "all" {
						out = append(out, cand{c.np, c.end, c.cost + 0.1})
					}
				}
			}
		}
	}
	for _, e := range p.ends(i, "distinct") {
		for _, c := range p.noun(e) {
			n := c.np.clone()
			n.distinct = true
			out = append(out, cand{n, c.end, c.cost})
		}
	}
	for _, e := range p.ends(i, "count") {
		for _, c := range p.noun(e) {
			if n := p.counted(c.np); n != nil {
				out = append(out, cand{n, c.end, c.cost})
			}
			if c.np.isAttr() && len(c.np.items) == 1 && c.np.items[0].attr != nil && c.np.items[0].agg == "" {
				if num := onlyNumeric(c.np.items[0].attr); num != nil && !p.isHeadcount(c.np.items[0]) {
					m := c.np.clone()
					m.items = []item{{attr: num}}
					out = append(out, cand{m, c.end, c.cost + 0.25})
				}
			}
		}
	}
	out = append(out, p.aggregated(i)...)
	out = append(out, p.superlative(i)...)
	// "discontinued products", "official languages"
	for end, a := range p.m.attrs[i] {
		if b := p.boolean(a); b != nil {
			for _, c := range p.noun(end) {
				if c.np.set == nil && !c.np.isAttr() {
					continue
				}
				for _, r := range p.apply(c.np, &mod{kind: modCompare, attr: b, op: "true"}) {
					out = append(out, cand{r.np, c.end, c.cost + r.cost + 0.1 + 3*(1-b.cands[0].score)/2})
				}
			}
		}
	}
	// "arriving flights"
	if p.directional(i) {
		for _, c := range p.noun(i + 1) {
			if c.np.isEntity() {
				m := c.np.clone()
				m.hints = append(m.hints, p.toks[i].lower)
				out = append(out, cand{m, c.end, c.cost + 0.2})
			}
		}
	}
	// "5 countries"
	if n, e := p.number(i); e > i {
		for _, c := range p.noun(e) {
			if c.np.num == "" && c.np.set != nil && (c.np.isEntity()) {
				m := c.np.clone()
				m.num = n
				out = append(out, cand{m, c.end, c.cost + 0.3})
			}
		}
	}
	for _, e := range p.ends(i, "top") {
		n, e2 := p.number(e)
		if e2 == e {
			continue
		}
		for _, c := range p.noun(e2) {
			if (c.np.isEntity() || c.np.isAttr() || c.np.set != nil && !c.np.hasAggregate()) && c.np.num == "" {
				m := c.np.clone()
				m.num = n
				out = append(out, cand{m, c.end, c.cost + 0.2})
			}
		}
	}
	for _, tag := range []string{"popular", "unpopular"} {
		for _, e := range p.ends(i, tag) {
			n, e2 := p.number(e)
			if e2 == e {
				n = "1"
			}
			for _, c := range p.noun(e2) {
				for _, r := range p.mostCommon(c.np, tag == "popular", n) {
					out = append(out, cand{r.np, c.end, c.cost + r.cost})
				}
			}
		}
	}
	return out
}

// counted turns a phrase into the number of what it stands for.
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

// isHeadcount reports whether a column holds numbers of people: how many there
// are is their sum, not the number of rows.
func (p *parser) isHeadcount(it item) bool {
	people := func(c *catalog.Column) bool {
		names := p.x.info[c.Relation].names[c]
		return c.Class == catalog.Number && len(names) > 0 && names[len(names)-1] == "popul"
	}
	return it.col != nil && people(it.col) || it.attr != nil && len(it.attr.cands) > 0 && people(it.attr.cands[0].col)
}

var aggregateTags = []struct{ tag, agg string }{{"avg", "avg"}, {"sum", "sum"}, {"max", "max"}, {"min", "min"}, {"latest", "max"}, {"earliest", "min"}}

// aggregated reads "average age", "minimum, maximum and average age".
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

// temporal reports whether a phrase is about dates or times.
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

// aggregate applies aggregates to what a phrase says of its set.
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

// rankable reports whether the lowest and the highest of an item mean anything.
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

// ordered reports whether a column's values are amounts or times.
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

// superlative reads "the oldest singer", "3 youngest singers", "top 5 largest
// countries".
func (p *parser) superlative(i int) []cand {
	var out []cand
	type start struct {
		end int
		n   string
	}
	starts := []start{{i, ""}}
	if n, e := p.number(i); e > i {
		starts = append(starts, start{e, n})
	}
	for _, e := range p.ends(i, "top") {
		if n, e2 := p.number(e); e2 > e {
			starts = append(starts, start{e2, n})
		}
	}
	for _, s := range starts {
		for e, forms := range p.adjs[min(s.end, len(p.toks))] {
			n, next := s.n, e
			if n == "" {
				if k, e2 := p.number(e); e2 > e {
					n, next = k, e2
				}
			}
			for _, a := range forms {
				if a.degree != mostDegree {
					continue
				}
				if n == "" {
					n = "1"
				}
				for _, c := range p.noun(next) {
					for _, r := range p.extremeByAdjective(c.np, a, n, s.end, e) {
						out = append(out, cand{r.np, c.end, c.cost + r.cost})
					}
				}
			}
		}
	}
	// "the first order", "last 5 payments"
	for _, tag := range []string{"earliest", "latest"} {
		for _, e := range p.ends(i, tag) {
			n, next := p.number(e)
			if next == e {
				n = "1"
			}
			for _, c := range p.noun(next) {
				if !c.np.isEntity() {
					continue
				}
				for _, r := range p.applySuperDate(c.np, &mod{desc: tag == "latest", n: n}) {
					out = append(out, cand{r.np, c.end, c.cost + r.cost + 0.15})
				}
			}
		}
	}
	return out
}

// heads returns the readings of the heads of noun phrases at i.
func (p *parser) heads(i int) []cand {
	var out []cand
	for _, r := range p.m.rels[i] {
		n := p.entity(r.rel)
		n.words = [2]int{r.start, r.end}
		out = append(out, cand{n, r.end, 3.2*(1-r.score) + 0.1})
	}
	for end, a := range p.m.attrs[i] {
		n := &np{items: []item{{attr: a}}, words: [2]int{i, end}}
		cost := 3 * (1 - a.cands[0].score) / 2
		for _, r := range p.m.rels[i] {
			if r.end == end && r.score >= 0.95 {
				cost += 0.3 // the words are the name of a relation
				if a.cands[0].score < 0.99 {
					cost += 0.3
				}
				break
			}
		}
		out = append(out, cand{n, end, cost})
		if num := onlyNumeric(a); num != nil && containsInt(p.ends(i, "sum"), end) {
			// a column called total: of several rows, their sum
			sum := &np{items: []item{{attr: num, agg: "sum"}}, words: [2]int{i, end}}
			out = append(out, cand{sum, end, cost - 0.02})
		}
	}
	for _, e := range p.nameWords(i) {
		out = append(out, cand{&np{items: []item{{attr: &attr{named: true, start: i, end: e}}}, words: [2]int{i, e}}, e, 0.05})
	}
	for end, hits := range p.m.vals[i] {
		n := &np{hits: [][]hit{hits}, words: [2]int{i, end}}
		cost := 1 - hits[0].score
		if p.at(i).kind == quotedToken {
			n.raw = []string{literal(p.toks[i].text)}
		}
		if p.isFunction(i) && end == i+1 {
			cost += 0.5
		}
		base := 0.1
		if end > i+1 && hits[0].score > 0.9 {
			base = 0 // several words that are one value are hardly so by chance
		}
		out = append(out, cand{n, end, cost*2 + base})
	}
	if p.at(i).kind == quotedToken && p.m.vals[i][i+1] == nil {
		out = append(out, cand{&np{raw: []string{literal(p.toks[i].text)}, hits: [][]hit{nil}, words: [2]int{i, i + 1}}, i + 1, 0.3})
	}
	for _, e := range p.ends(i, "pron") {
		out = append(out, cand{&np{pron: true, words: [2]int{i, e}}, e, 0.2})
	}
	return out
}

// nameWords returns where a word ends that asks for the name of something.
func (p *parser) nameWords(i int) []int {
	switch p.at(i).stem {
	case "name", "titl":
		return []int{i + 1}
	}
	return nil
}

// extend adds to the readings what follows them: further attributes, and
// everything that modifiers say.
func (p *parser) extend(heads []cand) []cand {
	all := keep(heads)
	frontier := all
	for round := 0; round < 8 && len(frontier) > 0; round++ {
		var next []cand
		for _, c := range frontier {
			if p.steps > maxSteps {
				break
			}
			p.steps++
			next = append(next, p.adjacent(c)...)
			for _, m := range p.modifiers(c.end) {
				if c.cost+m.cost > maxCost {
					continue
				}
				for _, r := range p.apply(c.np, &m.mod) {
					next = append(next, cand{r.np, m.end, c.cost + m.cost + r.cost})
				}
			}
		}
		next = keep(next)
		all = append(all, next...)
		frontier = next
	}
	return keep(all)
}

// adjacent reads what follows a phrase without a word between: compounds,
// appositions, further attributes.
func (p *parser) adjacent(c cand) []cand {
	var out []cand
	n, i := c.np, c.end
	plain := n.isEntity() && len(n.group) == 0
	if w := p.at(i).lower; plain && (w == "table" || w == "records" || w == "record" || w == "entries" || w == "data") {
		out = append(out, cand{n, i + 1, c.cost + 0.05})
	}
	// "singer names", "student's first name"
	if n.set != nil && plain || n.isValue() {
		for _, e := range p.maybe(i, "poss") {
			if e == i && (n.isValue() || n.words[1] != i) {
				continue // a compound has nothing between its parts
			}
			for _, a := range p.attributes(e, e > i) {
				for _, r := range p.attributeOf(a.np, n) {
					cost := c.cost + a.cost + r.cost
					if e == i {
						cost += 0.1
					}
					out = append(out, cand{r.np, a.end, cost})
				}
			}
		}
	}
	// "airport 'AKO'", "year 2014", "airport code 'AKO'", "the state Texas"
	if !n.isValue() && !n.pron && i < len(p.toks) && n.words[1] == i {
		for end, hits := range p.m.vals[i] {
			v := &np{hits: [][]hit{hits}, words: [2]int{i, end}}
			if p.at(i).kind == quotedToken {
				v.raw = []string{literal(p.toks[i].text)}
			}
			for _, r := range p.apposition(n, v) {
				out = append(out, cand{r.np, end, c.cost + r.cost + 2*(1-hits[0].score)})
			}
		}
		if p.at(i).kind == quotedToken && p.m.vals[i][i+1] == nil {
			v := &np{raw: []string{literal(p.toks[i].text)}, hits: [][]hit{nil}, words: [2]int{i, i + 1}}
			for _, r := range p.apposition(n, v) {
				out = append(out, cand{r.np, i + 1, c.cost + r.cost + 0.3})
			}
		}
		if len(n.items) == 1 && n.items[0].agg == "" && n.set == nil {
			if num, e := p.number(i); e > i {
				for _, r := range p.applyCompare(n, n.items[0].attr, "=", operand{lits: []string{num}, plain: num}, true) {
					for _, u := range p.unit(e) {
						out = append(out, cand{r.np, u, c.cost + r.cost + 0.2})
					}
				}
			}
		}
	}
	// "United Airlines flights", "Texas cities": the value before its head
	if n.isValue() {
		for _, h := range p.heads(i) {
			if h.np.isEntity() {
				for _, r := range p.apply(h.np, &mod{kind: modRelated, np: n, hints: nil}) {
					cost := c.cost + h.cost + r.cost + 0.1
					if whole := p.m.vals[n.words[0]][h.end]; len(whole) > 0 && whole[0].score > 0.9 && !p.called(r.np.set) {
						cost += 0.5 // all of it is a value
					}
					if p.called(r.np.set) {
						cost = max(0, cost-0.45) // "the Colorado river": kind and name agree
					}
					out = append(out, cand{r.np, h.end, cost})
				}
			}
			if h.np.isAttr() && !n.both {
				// "Texas population", "Asian languages"
				for _, r := range p.apply(h.np, &mod{kind: modOf, np: n}) {
					out = append(out, cand{r.np, h.end, c.cost + h.cost + r.cost + 0.4})
				}
				for _, r := range p.apposition(h.np, n) {
					cost := c.cost + h.cost + r.cost + 0.4
					if r.np.isValue() {
						cost -= 0.35
					}
					out = append(out, cand{r.np, h.end, cost})
				}
			}
		}
		// "Austin Texas": a thing and where it is
		if len(n.hits) == 1 {
			for end, hits := range p.m.vals[i] {
				for _, v := range p.valueEntity(n) {
					for _, r := range p.applyValue(v.np, &mod{kind: modRelated, np: &np{hits: [][]hit{hits}}}) {
						if r.np.set.id == v.np.set.id && r.cost < 0.5 && !contradicts(r.np.set) {
							out = append(out, cand{r.np, end, c.cost + v.cost + r.cost + 0.2 + 2*(1-hits[0].score)})
						}
					}
				}
			}
		}
		// "English and French", "2014 or 2015"
		for _, cm := range p.maybe(i, "comma") {
			for _, tag := range []string{"and", "or"} {
				for _, e := range p.ends(cm, tag) {
					out = append(out, p.moreValues(c, e, tag == "or", 0)...)
				}
			}
			if cm > i {
				out = append(out, p.moreValues(c, cm, false, 0.3)...)
			}
		}
	}
	// "id, name and age"
	if len(n.items) > 0 && (n.set == nil || !n.hasAggregate() || true) && !n.pron {
		for _, cm := range p.maybe(i, "comma") {
			for _, and := range p.maybe(cm, "and") {
				if and == i {
					continue
				}
				for _, d := range p.maybe(and, "det") {
					for _, a := range p.attributes(d, false) {
						if n.set == nil {
							m := n.clone()
							m.items = append(n.items[:len(n.items):len(n.items)], a.np.items...)
							m.distinct = n.distinct
							out = append(out, cand{m, a.end, c.cost + a.cost + 0.05})
							continue
						}
						if len(n.group) > 0 || n.hasAggregate() {
							continue
						}
						for _, r := range p.addAttributes(n, a.np.items) {
							out = append(out, cand{r.np, a.end, c.cost + a.cost + r.cost + 0.1})
						}
					}
				}
			}
		}
	}
	return out
}

// contradicts reports whether a set's column is said to be two things.
func contradicts(s *set) bool {
	seen := map[*catalog.Column]bool{}
	for _, c := range s.conds {
		if c.kind == compare && c.op == "=" {
			if seen[c.col] {
				return true
			}
			seen[c.col] = true
		}
	}
	return false
}

func (p *parser) moreValues(c cand, from int, or bool, extra float64) []cand {
	var out []cand
	for _, d := range p.maybe(from, "det") {
		for end, hits := range p.m.vals[d] {
			m := c.np.clone()
			m.hits = append(m.hits[:len(m.hits):len(m.hits)], hits)
			if len(c.np.raw) > 0 && p.at(d).kind == quotedToken {
				m.raw = append(m.raw[:len(m.raw):len(m.raw)], literal(p.toks[d].text))
			} else {
				m.raw = nil
			}
			m.any = m.any || or
			out = append(out, cand{m, end, c.cost + extra + 0.05 + 2*(1-hits[0].score)})
		}
		if p.at(d).kind == quotedToken && p.m.vals[d][d+1] == nil && len(c.np.raw) == len(c.np.hits) {
			m := c.np.clone()
			m.hits = append(m.hits[:len(m.hits):len(m.hits)], nil)
			m.raw = append(m.raw[:len(m.raw):len(m.raw)], literal(p.toks[d].text))
			m.any = m.any || or
			out = append(out, cand{m, d + 1, c.cost + extra + 0.3})
		}
	}
	return out
}

// attributes reads attribute names and aggregates of them, without anything
// said after them.
func (p *parser) attributes(i int, possessive bool) []cand {
	var out []cand
	for end, a := range p.m.attrs[i] {
		out = append(out, cand{&np{items: []item{{attr: a}}, words: [2]int{i, end}}, end, 3 * (1 - a.cands[0].score) / 2})
	}
	for _, e := range p.nameWords(i) {
		out = append(out, cand{&np{items: []item{{attr: &attr{named: true, start: i, end: e}}}, words: [2]int{i, e}}, e, 0.05})
	}
	for _, a := range aggregateTags[:4] {
		for _, e := range p.ends(i, a.tag) {
			for end, at := range p.m.attrs[e] {
				n := &np{items: []item{{attr: at}}, words: [2]int{i, end}}
				if m, cost := p.aggregate(n, []string{a.agg}); m != nil {
					out = append(out, cand{m, end, cost + 3*(1-at.cands[0].score)/2})
				}
			}
		}
	}
	for _, e := range p.ends(i, "det", "distinct", "pron") {
		if e > i && (possessive || p.tags[i]["pron"] == nil) {
			out = append(out, p.attributes(e, possessive)...)
		}
	}
	return out
}
