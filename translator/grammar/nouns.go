package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// Costs of calling a column by less than its name, see misnamed.
const (
	nameless = answeredCost
	headless = 0.5
)

// noun returns the readings of the noun phrases that begin at token i, with all
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
				cost := c.cost
				if len(p.m.attrs[i]) > 0 {
					cost += 0.2 // "amount" is a column's name
				}
				out = append(out, cand{n, c.end, cost})
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
	// "monthly revenue"
	if unit, e := p.dateUnit(i); e > i && (strings.HasSuffix(p.at(i).lower, "ly") || unit == "year" && p.at(i).lower == "annual") {
		for _, c := range p.noun(e) {
			if len(c.np.group) > 0 || c.np.isValue() || c.np.pron {
				continue
			}
			for _, r := range p.applyGroup(c.np, &mod{kind: modGroup, op: unit}) {
				out = append(out, cand{r.np, c.end, c.cost + r.cost})
			}
		}
	}
	for _, tag := range []string{"top", "bottom"} {
		for _, e := range p.ends(i, tag) {
			n, e2 := p.number(e)
			if e2 == e {
				continue
			}
			for _, c := range p.noun(e2) {
				if (c.np.isEntity() || c.np.isAttr() || c.np.set != nil && !c.np.hasAggregate()) && c.np.num == "" {
					m := c.np.clone()
					m.num, m.low = n, tag == "bottom"
					out = append(out, cand{m, c.end, c.cost + 0.2})
				}
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
	out := p.measureHeads(i)
	for _, r := range p.m.rels[i] {
		n := p.entity(r.rel)
		n.words = [2]int{r.start, r.end}
		cost := 3.2*(1-r.score) + 0.1
		if r.score < 0.9 && r.end > r.start+1 {
			for _, a := range p.m.attrs[r.end-1] {
				if a.end == r.end && a.cands[0].score >= 0.98 {
					cost += 0.5 // the last word is a column's very name, and none of the relation's
				}
			}
		}
		out = append(out, cand{n, r.end, cost})
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
		cost += p.misnamed(a)
		summed := containsInt(p.ends(i, "sum"), end)
		if summed {
			cost += 0.15
		}
		out = append(out, cand{n, end, cost})
		if num := onlyNumeric(a); num != nil && summed {
			// a column called total: of several rows, their sum
			sum := &np{items: []item{{attr: num, agg: "sum"}}, words: [2]int{i, end}}
			out = append(out, cand{sum, end, cost - 0.17})
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

// misnamed is what it costs to call a column by a part of its name that is
// not what it is: a time by what it is the time of ("customers" for
// customer_since), a thing by what is done with it ("included" for
// seats_included), or any by what stands before its last word ("units" for
// unit_price).
func (p *parser) misnamed(a *attr) float64 {
	c := a.cands[0]
	if c.label == nil || c.label.comment || a.adj {
		return 0
	}
	said := p.toks[a.end-1].lower
	if done := strings.HasSuffix(said, "ed") && (c.score < 0.9 || !slices.Contains(c.label.words, said)); done {
		return nameless
	}
	if c.score >= 0.9 {
		return 0
	}
	if c.col.Class == catalog.Date || c.col.Class == catalog.Timestamp {
		return nameless
	}
	last := len(c.label.stems) - 1
	for last > 0 && (c.label.weak[last] || p.isIdentifier(c.col)) {
		last--
	}
	for k := a.start; k < a.end; k++ {
		if s := p.toks[k].stem; s == c.label.stems[last] || p.x.synonymous(s, c.label.stems[last]) {
			return 0
		}
	}
	return headless
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
// contradicts reports whether a set's column is said to be two things.
// attributes reads attribute names and aggregates of them, without anything
// said after them.
