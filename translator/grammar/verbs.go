package grammar

import (
	"strings"

	"askpg/catalog"
)

// have reads what follows "have" or "with": rows of something, so many rows of
// it, an attribute and its value, the highest attribute.
func (p *parser) have(i int) []mcand {
	if i >= len(p.toks) || p.steps > maxSteps {
		return nil
	}
	if r, ok := p.haves[i]; ok {
		return r
	}
	p.haves[i] = nil
	p.steps++
	var out []mcand
	add := func(m mod, end int, cost float64) { out = append(out, mcand{m, end, cost}) }

	// at least two courses
	out = append(out, p.quantified(i, []string{"have"})...)
	// no courses
	for _, e := range p.ends(i, "no") {
		out = append(out, p.absence(e, []string{"have"})...)
	}
	// the most courses, the highest number of courses
	for _, tag := range []string{"most", "least"} {
		for _, e := range p.ends(i, tag) {
			for _, c := range p.noun(e) {
				if c.np.isEntity() {
					add(mod{kind: modSuperRows, np: c.np, desc: tag == "most", n: "1"}, c.end, c.cost)
				} else if c.np.isAttr() && len(c.np.items) == 1 && c.np.items[0].attr != nil {
					if anyNumeric(c.np.items[0].attr) {
						add(mod{kind: modSuper, attr: c.np.items[0].attr, desc: tag == "most", n: "1"}, c.end, c.cost+0.15)
					}
					add(mod{kind: modSuperRows, np: c.np, desc: tag == "most", n: "1"}, c.end, c.cost+0.5)
				}
			}
		}
	}
	// the highest population, the most recent date, the top 3 largest areas
	for _, d := range p.maybe(i, "det") {
		for _, top := range append([]int{d}, p.ends(d, "top")...) {
			n, e := p.number(top)
			if n == "" {
				n = "1"
			}
			for _, tag := range []string{"max", "min"} {
				for _, e2 := range p.ends(e, tag) {
					for _, o := range p.maybe(e2, "of_strict") {
						for _, c := range p.noun(o) {
							if len(c.np.items) == 1 && c.np.set == nil && c.np.items[0].attr != nil && c.np.items[0].agg == "" {
								add(mod{kind: modSuper, attr: c.np.items[0].attr, desc: tag == "max", n: n}, c.end, c.cost)
							} else if len(c.np.items) == 1 && c.np.items[0].agg != "" && len(c.np.group) == 0 {
								add(mod{kind: modSuper, np: c.np, desc: tag == "max", n: n}, c.end, c.cost+0.1)
							}
						}
					}
				}
			}
			for e2, forms := range p.adjs[min(e, len(p.toks))] {
				for _, a := range forms {
					if a.degree != mostDegree {
						continue
					}
					for end, at := range p.m.attrs[e2] {
						add(mod{kind: modSuper, attr: at, desc: a.up, n: n}, end, 0.2+3*(1-at.cands[0].score)/2)
					}
				}
			}
		}
	}
	// the lowest point, where that is a column of its own
	for _, d := range p.maybe(i, "det") {
		for end, a := range p.m.attrs[d] {
			b := &attr{start: d, end: end}
			desc := false
			for _, c := range a.cands {
				if m, up := p.measureOf(c.col); m != nil && c.score > 0.9 {
					b.cands = append(b.cands, colCand{col: m, score: c.score})
					desc = up
				}
			}
			if len(b.cands) > 0 {
				add(mod{kind: modSuper, attr: b, desc: desc, n: "1"}, end, 0.2)
			}
		}
	}
	// an age greater than 20, a greater weight than 10, 4 cylinders
	for _, d := range p.maybe(i, "det", "distinct", "pron") {
		for _, a := range p.attributes(d, true) {
			if len(a.np.items) != 1 {
				continue
			}
			it := a.np.items[0]
			if it.agg != "" {
				for _, c := range p.comparisons(a.end) {
					add(mod{kind: modCompare, attr: nil, np: withOperand(a.np, c), op: c.op, val: c.val}, c.end, a.cost+c.cost+0.1)
				}
				continue
			}
			for _, c := range p.comparisons(a.end) {
				add(compareMod(it.attr, c), c.end, a.cost+c.cost)
			}
			for _, v := range p.values(a.end) {
				add(compareMod(it.attr, comparison{op: "=", vals: v.np}), v.end, a.cost+v.cost+0.1)
			}
			for _, o := range p.maybe(a.end, "of_strict", "in") {
				if n, e := p.number(o); e > o {
					for _, u := range p.unit(e) {
						add(compareMod(it.attr, comparison{op: "=", val: operand{lits: []string{n}, plain: n}}), u, a.cost+0.1)
					}
				}
				if o > a.end {
					for _, v := range p.values(o) {
						add(compareMod(it.attr, comparison{op: "=", vals: v.np}), v.end, a.cost+v.cost+0.15)
					}
				}
			}
			for _, dt := range p.date(a.end) {
				if dt.end > a.end {
					add(mod{kind: modDate, date: &dt.r, attr: it.attr}, dt.end, a.cost+dt.cost+0.1)
				}
			}
		}
		// a greater weight than 10
		for e, forms := range p.adjs[min(d, len(p.toks))] {
			for _, f := range forms {
				if f.degree != moreDegree {
					continue
				}
				op := "<"
				if f.up {
					op = ">"
				}
				for end, at := range p.m.attrs[e] {
					for _, than := range p.ends(end, "than") {
						for _, o := range p.operands(than) {
							add(mod{kind: modCompare, attr: at, op: op, val: o.val, np: o.np}, o.end, o.cost+3*(1-at.cands[0].score)/2)
						}
					}
				}
			}
		}
	}
	for _, c := range append(comparators[:len(comparators):len(comparators)], struct{ tag, op string }{"", "="}) {
		starts := p.ends(i, c.tag)
		if c.tag == "" {
			starts = []int{i}
		}
		for _, s := range starts {
			n, e := p.number(s)
			if e == s {
				continue
			}
			for _, u := range p.unit(e) {
				for _, o := range p.maybe(u, "of_strict") {
					for end, at := range p.m.attrs[o] {
						if numericOnly := onlyNumeric(at); numericOnly != nil {
							add(mod{kind: modCompare, attr: numericOnly, op: c.op, val: operand{lits: []string{n}, plain: n}}, end, 0.15+3*(1-at.cands[0].score)/2)
						}
					}
				}
			}
		}
	}
	// courses, a course in 2014, both cats and dogs
	for _, b := range p.maybe(i, "both", "either") {
		for _, c := range p.noun(b) {
			if c.np.isEntity() || c.np.isValue() {
				n := c.np
				if b > i && len(n.hits) > 1 && !n.any {
					n = n.clone()
					n.both = true
				}
				add(mod{kind: modRelated, np: n, hints: []string{"have"}, both: b > i}, c.end, c.cost+0.1)
			}
		}
	}
	out = keepMods(out)
	p.haves[i] = out
	return out
}

func withOperand(n *np, c comparison) *np { return n }

func compareMod(a *attr, c comparison) mod {
	m := mod{kind: modCompare, attr: a, op: c.op, val: c.val, np: c.np, date: c.date}
	if c.vals != nil {
		m.np = c.vals
	}
	return m
}

// onlyNumeric returns the attribute with only its numeric readings.
func onlyNumeric(a *attr) *attr {
	b := *a
	b.cands = nil
	for _, c := range a.cands {
		if c.col.Class == catalog.Number {
			b.cands = append(b.cands, c)
		}
	}
	if len(b.cands) == 0 {
		return nil
	}
	return &b
}

// quantified reads "at least two courses", "more than 3 flights".
func (p *parser) quantified(i int, hints []string) []mcand {
	var out []mcand
	for _, c := range comparators {
		for _, e := range p.ends(i, c.tag) {
			n, e2 := p.number(e)
			if e2 == e {
				continue
			}
			for _, x := range p.noun(e2) {
				if x.np.isEntity() || x.np.isAttr() && len(x.np.items) == 1 && x.np.items[0].agg == "" {
					out = append(out, mcand{mod{kind: modRelated, np: x.np, hints: hints, quant: &quant{c.op, n}}, x.end, x.cost + extraAttr(x.np)})
				}
			}
		}
	}
	if n, e := p.number(i); e > i {
		for _, tag := range []string{"or_more", "or_less"} {
			for _, e2 := range p.ends(e, tag) {
				op := ">="
				if tag == "or_less" {
					op = "<="
				}
				for _, x := range p.noun(e2) {
					if x.np.isEntity() {
						out = append(out, mcand{mod{kind: modRelated, np: x.np, hints: hints, quant: &quant{op, n}}, x.end, x.cost})
					}
				}
			}
		}
		for _, x := range p.noun(e) {
			if x.np.isEntity() && x.np.num == "" {
				out = append(out, mcand{mod{kind: modRelated, np: x.np, hints: hints, quant: &quant{"=", n}}, x.end, x.cost + 0.2})
			}
		}
	}
	// "multiple courses", "several courses"
	return out
}

func extraAttr(n *np) float64 {
	if n.isAttr() {
		return 0.4
	}
	return 0
}

// absence reads what there is none of.
func (p *parser) absence(i int, hints []string) []mcand {
	var out []mcand
	for _, d := range p.maybe(i, "det") {
		for _, c := range p.noun(d) {
			if c.np.isEntity() || c.np.isValue() {
				out = append(out, mcand{mod{kind: modRelated, np: c.np, hints: hints, neg: true}, c.end, c.cost})
			}
			if c.np.isAttr() && len(c.np.items) == 1 && c.np.items[0].agg == "" && c.np.items[0].attr != nil {
				out = append(out, mcand{mod{kind: modCompare, attr: c.np.items[0].attr, op: "is null"}, c.end, c.cost + 0.3})
			}
		}
	}
	return out
}

// verbPhrase reads what a subject does or is.
func (p *parser) verbPhrase(i int) []mcand {
	if i >= len(p.toks) || p.steps > maxSteps {
		return nil
	}
	if r, ok := p.vps[i]; ok {
		return r
	}
	p.vps[i] = nil
	p.steps++
	var out []mcand
	for _, d := range p.maybe(i, "do") {
		for _, n := range p.maybe(d, "not") {
			neg := n > d
			for _, m := range p.predicate(n, neg) {
				out = append(out, m)
			}
		}
	}
	// "not" before "do": never did; n't
	for _, n := range p.ends(i, "not") {
		for _, m := range p.predicate(n, true) {
			out = append(out, m)
		}
	}
	out = keepMods(out)
	// and: what the subject does besides
	var more []mcand
	for _, a := range out {
		for _, cm := range p.maybe(a.end, "comma") {
			for _, e := range p.ends(cm, "and") {
				for _, b := range p.verbPhrase(e) {
					more = append(more, mcand{mod{kind: modAll, subs: []mod{a.mod, b.mod}}, b.end, a.cost + b.cost + 0.1})
				}
			}
		}
		for _, e := range p.ends(a.end, "or") {
			for _, b := range p.verbPhrase(e) {
				more = append(more, mcand{mod{kind: modAny, subs: []mod{a.mod, b.mod}}, b.end, a.cost + b.cost + 0.1})
			}
		}
	}
	out = keepMods(append(out, more...))
	p.vps[i] = out
	return out
}

// predicate reads one verb and what belongs to it.
func (p *parser) predicate(i int, neg bool) []mcand {
	var out []mcand
	add := func(m mod, end int, cost float64) {
		if neg {
			if m.kind == modRelated && m.quant == nil && !m.neg {
				m.neg = true
			} else {
				m = mod{kind: modNot, subs: []mod{m}}
			}
		}
		out = append(out, mcand{m, end, cost})
	}
	for _, e := range p.ends(i, "have") {
		for _, m := range p.have(e) {
			add(m.mod, m.end, m.cost)
		}
		if neg {
			for _, d := range p.ends(e, "det") {
				for _, m := range p.have(d) {
					add(m.mod, m.end, m.cost)
				}
			}
		}
	}
	for _, e := range p.ends(i, "be_bare") {
		for _, nt := range p.maybe(e, "not") {
			was := neg
			neg = neg != (nt > e)
			for _, m := range p.complement(nt) {
				add(m.mod, m.end, m.cost)
			}
			neg = was
		}
	}
	for _, m := range p.measured(i) {
		add(m.mod, m.end, m.cost)
	}
	for _, m := range p.verb(i) {
		add(m.mod, m.end, m.cost)
	}
	if !neg {
		// "were made", "play there": true of everything that there is
		for _, b := range p.maybe(i, "be_bare") {
			if p.isVerb(b) {
				cost := 0.5
				if b > i {
					cost = 0.35
				}
				if len(p.ends(b+1, "group")) > 0 {
					cost = 0.1
				}
				if p.at(b+1).lower == "there" || len(p.ends(b+1, "pron")) > 0 {
					out = append(out, mcand{mod{kind: modNothing}, b + 2, 0.2})
				}
				out = append(out, mcand{mod{kind: modNothing}, b + 1, cost})
			}
		}
	}
	return out
}

// complement reads what follows "is" or "are".
func (p *parser) complement(i int) []mcand {
	var out []mcand
	add := func(m mod, end int, cost float64) { out = append(out, mcand{m, end, cost}) }
	for _, m := range p.comparative(i) {
		add(m.mod, m.end, m.cost)
	}
	for _, d := range p.ends(i, "det") {
		for _, m := range p.comparative(d) {
			add(m.mod, m.end, m.cost)
		}
	}
	for _, v := range p.values(i) {
		add(mod{kind: modRelated, np: v.np}, v.end, v.cost+0.1)
	}
	for _, e := range p.ends(i, "in") {
		for _, c := range p.noun(e) {
			add(mod{kind: modRelated, np: c.np, hints: p.wordsBetween(i, e)}, c.end, c.cost+0.05)
		}
	}
	for _, d := range p.date(i) {
		if d.end > i {
			add(mod{kind: modDate, date: &d.r}, d.end, d.cost+0.1)
		}
	}
	for _, e := range p.ends(i, "named") {
		for _, v := range p.values(e) {
			add(mod{kind: modNamed, np: v.np}, v.end, v.cost)
		}
	}
	for _, m := range p.verb(i) {
		add(m.mod, m.end, m.cost)
	}
	// "is null", "are missing"
	// a boolean column: "is active", "are official"
	for end, a := range p.m.attrs[i] {
		if b := p.boolean(a); b != nil {
			add(mod{kind: modCompare, attr: b, op: "true"}, end, 0.1+3*(1-b.cands[0].score)/2)
		}
	}
	// "is a republic", "is one of"
	return out
}

// measured reads verbs that stand for a measure: "weighs more than 10".
func (p *parser) measured(i int) []mcand {
	if i >= len(p.toks) {
		return nil
	}
	words, ok := p.lang.measures[p.toks[i].stem]
	if !ok || len(words) == 0 || p.toks[i].kind != wordToken {
		return nil
	}
	a := p.attrOf(words, nil, i, i+1)
	if a == nil {
		return nil
	}
	var out []mcand
	for _, c := range p.comparisons(i + 1) {
		out = append(out, mcand{compareMod(a, c), c.end, c.cost + 0.1})
	}
	for _, tag := range []string{"most", "least"} {
		for _, e := range p.ends(i+1, tag) {
			out = append(out, mcand{mod{kind: modSuper, attr: a, desc: tag == "most", n: "1"}, e, 0.2})
		}
	}
	return out
}

// verb reads a verb of relation and its object: "teach math", "run through
// texas", "directed by Ben Jones", "written".
func (p *parser) verb(i int) []mcand {
	if i >= len(p.toks) {
		return nil
	}
	var out []mcand
	add := func(m mod, end int, cost float64) { out = append(out, mcand{m, end, cost}) }
	type head struct {
		end   int
		attrs []*attr
		rel   *relMention
		cost  float64
	}
	var heads []head
	named := 0.0
	for _, r := range p.m.rels[i] {
		if r.end == i+1 && r.score > 0.9 {
			named = 0.8 // the verb names a relation: that is the one meant
		}
	}
	if p.isVerb(i) {
		heads = append(heads, head{end: i + 1, cost: named})
	}
	if p.directional(i) {
		heads = append(heads, head{end: i + 1, cost: 0.05 + named})
	}
	// a verb that is the name of a column or of a connecting relation
	for end, a := range p.m.attrs[i] {
		if a.cands[0].score >= 0.6 && (p.inflected(i) || p.at(end-1).lower == "by" || p.at(end).lower == "by") {
			heads = append(heads, head{end: end, attrs: []*attr{a}, cost: 3 * (1 - a.cands[0].score) / 2})
		}
	}
	for k := range p.m.rels[i] {
		r := &p.m.rels[i][k]
		heads = append(heads, head{end: r.end, rel: r, cost: 3 * (1 - r.score) / 2})
	}
	for _, h := range heads {
		e := h.end
		hints := p.wordsBetween(i, e)
		var preps []int
		for _, pr := range p.prepositions(e) {
			preps = append(preps, pr)
		}
		preps = append(preps, e)
		for _, pr := range preps {
			for _, e2 := range p.ends(pr, "pron") {
				if len(h.attrs) == 0 {
					add(mod{kind: modNothing}, e2, h.cost+0.15)
				}
			}
			hints := append(hints[:len(hints):len(hints)], p.wordsBetween(e, pr)...)
			base := mod{kind: modRelated, hints: hints, verb: h.rel}
			for _, q := range p.quantified(pr, hints) {
				m := q.mod
				m.verb = h.rel
				if len(h.attrs) == 0 {
					add(m, q.end, q.cost+h.cost)
				}
			}
			for _, tag := range []string{"most", "least"} {
				for _, e2 := range p.ends(pr, tag) {
					if len(h.attrs) > 0 {
						continue
					}
					for _, c := range p.noun(e2) {
						if c.np.isEntity() {
							add(mod{kind: modSuperRows, np: c.np, desc: tag == "most", n: "1", hints: hints, verb: h.rel}, c.end, c.cost+h.cost)
						}
					}
				}
			}
			for _, e2 := range p.ends(pr, "no") {
				for _, m := range p.absence(e2, hints) {
					m.mod.verb = h.rel
					add(m.mod, m.end, m.cost+h.cost)
				}
			}
			for _, b := range p.maybe(pr, "both", "either") {
				for _, c := range p.noun(b) {
					m := base
					m.np, m.both = c.np, b > pr
					if b > pr && c.np.isValue() && len(c.np.hits) > 1 && !c.np.any {
						m.np = c.np.clone()
						m.np.both = true
					}
					if len(h.attrs) > 0 {
						if !c.np.isValue() {
							continue
						}
						m = mod{kind: modCompare, attr: h.attrs[0], op: "=", np: c.np}
					} else if c.np.isAttr() || c.np.pron {
						continue
					}
					cost := c.cost + h.cost
					if h.rel != nil && pr == e && false {
						cost += 0.2
					}
					add(m, c.end, cost)
				}
			}
			for _, d := range p.date(pr) {
				if d.end > pr {
					m := mod{kind: modDate, date: &d.r, hints: hints}
					if len(h.attrs) > 0 {
						m.attr = h.attrs[0]
					}
					add(m, d.end, d.cost+h.cost)
				}
			}
			if len(h.attrs) == 0 && h.rel == nil {
				for _, m := range p.have(pr) {
					if m.mod.kind == modCompare || m.mod.kind == modSuper {
						add(m.mod, m.end, m.cost+h.cost+0.1)
					}
				}
			}
		}
		for _, tag := range []string{"firstly", "lastly"} {
			for _, e2 := range p.ends(e, tag) {
				add(mod{kind: modSuperDate, hints: hints, desc: tag == "lastly", n: "1"}, e2, h.cost+0.05)
			}
		}
		for _, tag := range []string{"most_often", "least_often"} {
			for _, e2 := range p.ends(e, tag) {
				if len(h.attrs) == 0 {
					add(mod{kind: modCommon, desc: tag == "most_often"}, e2, h.cost+0.1)
				}
			}
		}
		if h.rel != nil && len(p.noun(e)) == 0 {
			// "that got votes": the relation itself is the object
			n := p.entity(h.rel.rel)
			add(mod{kind: modRelated, np: n, hints: hints}, e, h.cost+0.3)
		}
		for _, d := range p.date(e) {
			if d.end > e {
				add(mod{kind: modDate, date: &d.r, hints: hints}, d.end, d.cost+h.cost+0.05)
			}
		}
		if len(h.attrs) > 0 && p.inflected(i) {
			if d := dated(h.attrs[0]); d != nil {
				add(mod{kind: modCompare, attr: d, op: "is not null"}, e, h.cost+0.1)
			}
		}
		if len(h.attrs) > 0 {
			for _, c := range p.comparisons(e) {
				add(compareMod(h.attrs[0], c), c.end, c.cost+h.cost+0.15)
			}
		}
	}
	return out
}

// dated returns the readings of an attribute that are times at which something
// happens to a row, and which are null until then.
func dated(a *attr) *attr {
	b := *a
	b.cands = nil
	for _, c := range a.cands {
		if (c.col.Class == catalog.Date || c.col.Class == catalog.Timestamp) && !c.col.NotNull {
			b.cands = append(b.cands, c)
		}
	}
	if len(b.cands) == 0 {
		return nil
	}
	return &b
}

// inflected reports whether the token has the form of a verb.
func (p *parser) inflected(i int) bool {
	w := p.at(i).lower
	return p.isVerb(i) || strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "en")
}

// directional reports whether the token is a word of coming or going that the
// language pairs with names.
func (p *parser) directional(i int) bool {
	for _, d := range p.lang.directions {
		if d.words[p.at(i).lower] && p.at(i).kind == wordToken {
			return true
		}
	}
	return false
}

func (p *parser) prepositions(i int) []int {
	var out []int
	for n := 2; n >= 1; n-- {
		if i+n > len(p.toks) {
			continue
		}
		words := p.wordsBetween(i, i+n)
		text := words[0]
		if n == 2 {
			text += " " + words[1]
		}
		if p.lang.preps[text] {
			out = append(out, i+n)
		}
	}
	return out
}

// inverted reads a clause whose subject follows: "the river runs through",
// "Angola belongs to", "does Aruba have".
func (p *parser) inverted(i int) []mcand {
	var out []mcand
	for _, d := range p.maybe(i, "do", "be_bare") {
		for _, e := range p.ends(d, "each") {
			for _, c := range p.noun(e) {
				if c.np.isValue() || c.np.pron {
					continue
				}
				for _, v := range p.verbEnds(c.end) {
					out = append(out, mcand{mod{kind: modGroup, np: c.np}, v.end, c.cost + v.cost + 0.05})
				}
			}
		}
		for _, e := range p.ends(d, "pron") {
			for _, v := range p.verbEnds(e) {
				out = append(out, mcand{mod{kind: modNothing}, v.end, v.cost + 0.1})
			}
		}
		for _, c := range p.noun(d) {
			if !c.np.isEntity() && !c.np.isValue() {
				continue
			}
			if d > i && len(p.ends(i, "be_bare")) > 0 {
				// "what state is Dallas in"
				for _, pr := range p.prepositions(c.end) {
					out = append(out, mcand{mod{kind: modRelated, np: c.np, hints: append([]string{"^"}, p.wordsBetween(c.end, pr)...)}, pr, c.cost + 0.1})
				}
				out = append(out, mcand{mod{kind: modRelated, np: c.np, hints: []string{"^"}}, c.end, c.cost + 0.6})
			}
			for _, d2 := range p.maybe(c.end, "do") {
				for _, nt := range p.maybe(d2, "not") {
					for _, v := range p.verbEnds(nt) {
						if d == i && d2 == c.end && v.rel == nil && !p.isVerbAt(nt, v.end) {
							continue // "which model has ...": the model is the subject
						}
						m := mod{kind: modRelated, np: c.np, hints: append([]string{"^"}, p.wordsBetween(nt, v.end)...), neg: nt > d2, verb: v.rel}
						out = append(out, mcand{m, v.end, c.cost + v.cost})
					}
				}
			}
		}
	}
	return out
}

// isVerbAt reports whether the words are a verb of their own, and no form of
// "have" or "be".
func (p *parser) isVerbAt(i, j int) bool {
	for _, e := range p.ends(i, "have", "be_bare") {
		if e <= j {
			return false
		}
	}
	return p.isVerb(i) || p.directional(i)
}

type verbEnd struct {
	end  int
	rel  *relMention
	cost float64
}

// verbEnds reads a verb with its preposition and without an object.
func (p *parser) verbEnds(i int) []verbEnd {
	var out []verbEnd
	if i >= len(p.toks) {
		return nil
	}
	var heads []verbEnd
	if p.isVerb(i) || p.directional(i) {
		named := 0.0
		for _, r := range p.m.rels[i] {
			if r.end == i+1 && r.score > 0.9 {
				named = 0.8
			}
		}
		heads = append(heads, verbEnd{end: i + 1, cost: named})
	}
	for _, e := range p.ends(i, "have", "be_bare") {
		heads = append(heads, verbEnd{end: e})
	}
	for k := range p.m.rels[i] {
		r := &p.m.rels[i][k]
		heads = append(heads, verbEnd{end: r.end, rel: r, cost: 3 * (1 - r.score) / 2})
	}
	for _, h := range heads {
		out = append(out, h)
		for _, pr := range p.prepositions(h.end) {
			out = append(out, verbEnd{pr, h.rel, h.cost})
		}
	}
	return out
}

// whose reads what follows "whose": an attribute and what is said of it.
func (p *parser) whose(i int) []mcand {
	var out []mcand
	for _, a := range p.attributes(i, true) {
		if len(a.np.items) != 1 {
			continue
		}
		it := a.np.items[0]
		for _, c := range p.comparisons(a.end) {
			if it.agg == "" {
				out = append(out, mcand{compareMod(it.attr, c), c.end, a.cost + c.cost})
			} else {
				out = append(out, mcand{mod{kind: modCompare, np: a.np, op: c.op, val: c.val}, c.end, a.cost + c.cost + 0.1})
			}
		}
		for e, forms := range map[int][]adjective{} {
			_, _ = e, forms
		}
		for _, be := range p.maybe(a.end, "be_bare") {
			for _, nt := range p.maybe(be, "not") {
				for _, v := range p.values(nt) {
					if it.agg != "" {
						continue
					}
					op := "="
					if nt > be {
						op = "<>"
					}
					out = append(out, mcand{compareMod(it.attr, comparison{op: op, vals: v.np}), v.end, a.cost + v.cost})
				}
				for _, d := range p.date(nt) {
					if d.end > nt {
						out = append(out, mcand{mod{kind: modDate, date: &d.r, attr: it.attr}, d.end, a.cost + d.cost})
					}
				}
				for e, forms := range p.adjs[min(nt, len(p.toks))] {
					for _, f := range forms {
						if f.degree != moreDegree {
							continue
						}
						op := "<"
						if f.up {
							op = ">"
						}
						for _, than := range p.ends(e, "than") {
							for _, o := range p.operands(than) {
								m := mod{kind: modCompare, attr: it.attr, op: op, val: o.val, np: o.np}
								if it.agg != "" {
									m = mod{kind: modCompare, np: a.np, op: op, val: o.val}
								}
								out = append(out, mcand{m, o.end, a.cost + o.cost + 0.05})
							}
						}
					}
				}
			}
		}
	}
	// "whose courses have not been arranged": a related thing and its predicate
	for _, c := range p.noun(i) {
		if !c.np.isEntity() {
			continue
		}
		for _, m := range p.verbPhrase(c.end) {
			neg := false
			mm := m.mod
			if mm.kind == modRelated && mm.neg {
				mm.neg, neg = false, true
			}
			for _, r := range p.apply(c.np, &mm) {
				out = append(out, mcand{mod{kind: modRelated, np: r.np, hints: []string{"have"}, neg: neg}, m.end, c.cost + m.cost + r.cost + 0.1})
			}
		}
	}
	return out
}
