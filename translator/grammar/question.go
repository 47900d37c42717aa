package grammar

import "askpg/catalog"

// sentences returns the token ranges of the question's sentences.
func (p *parser) sentences() [][2]int {
	var out [][2]int
	start := 0
	for i, t := range p.toks {
		if t.kind == punctToken && (t.lower == "." || t.lower == "?" || t.lower == "!" || t.lower == ";") {
			if i > start {
				out = append(out, [2]int{start, i})
			}
			start = i + 1
		}
	}
	if len(p.toks) > start {
		out = append(out, [2]int{start, len(p.toks)})
	}
	return out
}

// opened returns the places after any number of opening words: "show me",
// "what are the", with how many words were left out.
func (p *parser) opened(i, end int) []opening {
	seen := map[int]bool{i: true}
	queue := []opening{{i, 0}}
	for _, e := range p.prepositions(i) {
		if w := p.at(e).lower; w == "which" || w == "what" {
			queue = append(queue, opening{e, 0.1}) // "through which states does it run"
		}
	}
	for k := 0; k < len(queue); k++ {
		for _, e := range p.ends(queue[k].at, "opener", "comma") {
			if !seen[e] && e < end {
				seen[e] = true
				cost := queue[k].cost
				if e == queue[k].at+1 && (len(p.nameWords(queue[k].at)) > 0 || p.m.covered[queue[k].at]) && k > 0 {
					cost += 0.4 // "show name" asks for names
				}
				queue = append(queue, opening{e, cost})
			}
		}
	}
	return queue
}

// opening is a place after opening words, with what it costs to take them so.
type opening struct {
	at   int
	cost float64
}

// closed reports whether nothing but empty words are left before end.
func (p *parser) closed(i, end int) bool {
	if i >= end {
		return i == end
	}
	for _, e := range p.ends(i, "there", "noise") {
		if p.closed(e, end) {
			return true
		}
	}
	if p.toks[i].kind == punctToken {
		return p.closed(i+1, end)
	}
	return false
}

// statement reads a whole sentence.
func (p *parser) statement(i, end int) []cand {
	var out []cand
	accept := func(list []cand, cost float64) {
		for _, c := range list {
			if p.closed(c.end, end) {
				out = append(out, cand{c.np, end, c.cost + cost})
			}
		}
	}
	for _, s := range p.opened(i, end) {
		accept(p.list(s.at, end), s.cost)
		accept(p.howMuch(s.at, end), s.cost)
		accept(p.whereWhen(s.at, end), s.cost)
		accept(p.ratios(s.at), s.cost)
	}
	accept(p.whoever(i), 0)
	out = append(out, p.led(i, end)...)
	return keepN(out, 24)
}

func keepN(list []cand, n int) []cand {
	for i := range list {
		list[i].end = 0
	}
	sortCands(list)
	if len(list) > n {
		list = list[:n]
	}
	return list
}

// led reads "For each stadium, how many concerts play there?"
func (p *parser) led(i, end int) []cand {
	var out []cand
	type lead struct {
		m    mod
		end  int
		cost float64
	}
	var leads []lead
	for _, e := range p.ends(i, "group_lead") {
		for _, c := range p.noun(e) {
			if !c.np.isValue() && !c.np.pron {
				leads = append(leads, lead{mod{kind: modGroup, np: c.np, lead: true}, c.end, c.cost})
			}
		}
	}
	for _, e := range p.ends(i, "lead") {
		for _, c := range p.noun(e) {
			if c.np.isEntity() || c.np.isValue() {
				leads = append(leads, lead{mod{kind: modRelated, np: c.np, lead: true}, c.end, c.cost + 0.1})
			}
		}
	}
	for _, d := range p.date(i) {
		if d.end > i {
			leads = append(leads, lead{mod{kind: modDate, date: &d.r}, d.end, d.cost})
		}
	}
	for _, l := range leads {
		for _, e := range p.maybe(l.end, "comma") {
			if e >= end {
				continue
			}
			for _, c := range p.statement(e, end) {
				for _, r := range p.applyLead(c.np, &l.m) {
					cost := c.cost + l.cost + r.cost
					if e == l.end {
						cost += 0.2
					}
					out = append(out, cand{r.np, end, cost})
				}
			}
		}
	}
	return out
}

func (p *parser) applyLead(n *np, m *mod) []applied {
	if m.kind == modRelated && m.np.isEntity() {
		if n.set == nil {
			var out []applied
			for _, a := range p.attributeOf(n, m.np) {
				out = append(out, a)
			}
			return out
		}
		if n.set.rel == m.np.set.rel && m.np.set.sup == nil {
			x := n.clone()
			x.set = n.set.with(m.np.set.conds...)
			if !onlyOwn(m.np.set.conds) {
				return []applied{{x, 0.1}}
			}
			return []applied{{x, 0}}
		}
		// the leading thing may be one that the rest is joined to already
		var out []applied
		walk(n.set, func(s *set, depth int) {
			if s != n.set && s.rel == m.np.set.rel && m.np.set.sup == nil {
				x := n.clone()
				x.set = n.set.replace(s.with(m.np.set.conds...))
				out = append(out, applied{x, 0.1})
			}
		})
		return best(append(out, p.apply(n, m)...), 4)
	}
	return p.apply(n, m)
}

func onlyOwn(conds []cond) bool {
	for _, c := range conds {
		if c.kind != compare {
			return false
		}
	}
	return true
}

// list reads noun phrases joined by commas and "and", and what they have in
// common.
func (p *parser) list(i, end int) []cand {
	var out []cand
	frontier := p.noun(i)
	// "which airlines have ...": the rest of the sentence is said of them
	for round := 0; round < 5 && len(frontier) > 0; round++ {
		var next []cand
		for _, c := range frontier {
			if c.end > end {
				continue
			}
			out = append(out, c)
			for _, cm := range p.maybe(c.end, "comma") {
				for _, and := range p.maybe(cm, "and") {
					if and == c.end {
						continue
					}
					for _, o := range p.opened(and, end) {
						s := o.at
						for _, d := range p.maybe(s, "pron") {
							seconds := p.noun(d)
							if d == s {
								seconds = append(append([]cand(nil), seconds...), p.howMuch(s, end)...)
							}
							for _, c2 := range seconds {
								if c2.np.pron || c2.end > end {
									continue
								}
								for _, r := range p.merge(c.np, c2.np) {
									next = append(next, cand{r.np, c2.end, c.cost + c2.cost + r.cost + o.cost + 0.1})
								}
							}
						}
					}
				}
			}
		}
		frontier = keep(next)
		// what follows the list may be said of all of it
		frontier = keep(append(frontier, p.extend(frontier)...))
	}
	return out
}

// merge makes one answer of two phrases.
func (p *parser) merge(a, b *np) []applied {
	if a.isValue() || b.isValue() || a.num != "" && b.num != "" {
		return nil
	}
	var out []applied
	switch {
	case b.set == nil && a.set != nil:
		for _, r := range p.addAttributes(p.shown(a), b.items) {
			out = append(out, r)
		}
	case b.set == nil:
		x := a.clone()
		x.items = append(a.items[:len(a.items):len(a.items)], b.items...)
		return []applied{{x, 0.1}}
	case a.set == nil:
		target := b.set
		for _, g := range b.group {
			if g.entity {
				if s := b.set.find(g.sid); s != nil {
					target = s
				}
			}
		}
		for _, l := range p.resolveItems(target, a.items) {
			x := p.shown(b).clone()
			x.items = append(append([]item(nil), l.items...), x.items...)
			if target == b.set {
				x.set = l.root
			} else {
				x.set = b.set.replace(l.root)
			}
			x.distinct = a.distinct || b.distinct
			out = append(out, applied{x, l.cost})
		}
		if b.hasAggregate() && len(b.group) == 0 && !a.hasAggregate() {
			// names of one thing and the number of another: "names of teachers
			// and how many courses"
			for _, s := range p.settle(a) {
				for _, r := range p.merge(s.np, b) {
					out = append(out, applied{r.np, r.cost + s.cost + 0.1})
				}
			}
		}
	case a.set.rel == b.set.rel:
		out = p.mergeSame(a, b)
	default:
		out = p.mergeOther(a, b)
	}
	return best(out, 5)
}

// shown gives things their display columns, so that others can stand beside
// them.
func (p *parser) shown(n *np) *np {
	if len(n.items) > 0 || n.set == nil {
		return n
	}
	x := n.clone()
	for _, c := range p.x.info[n.set.rel].display {
		x.items = append(x.items, item{col: c, sid: n.set.id})
	}
	return x
}

func (p *parser) mergeSame(a, b *np) []applied {
	first, second := a, b
	if len(a.set.conds) == 0 && a.set.sup == nil {
		first, second = b, a
	}
	if second.set.sup != nil || len(second.set.conds) > 0 {
		return nil
	}
	move := func(items []item) []item {
		out := append([]item(nil), items...)
		for i := range out {
			if out[i].sid == second.set.id {
				out[i].sid = first.set.id
			}
		}
		return out
	}
	x := first.clone()
	ai, bi := p.shown(a).items, p.shown(b).items
	if first == a {
		bi = move(bi)
	} else {
		ai = move(ai)
	}
	x.items = append(append([]item(nil), ai...), bi...)
	x.group = append(append([]item(nil), x.group...), move(second.group)...)
	x.distinct = a.distinct || b.distinct
	x.byItems = a.byItems || b.byItems
	for _, o := range second.order {
		o.by = move([]item{o.by})[0]
		x.order = append(x.order, o)
	}
	if x.num == "" {
		x.num = second.num
	}
	if a.hasAggregate() && !b.hasAggregate() || b.hasAggregate() && !a.hasAggregate() {
		if len(x.group) == 0 && !x.byItems {
			return []applied{{x, 0.4}}
		}
	}
	return []applied{{x, 0.1}}
}

func (p *parser) mergeOther(a, b *np) []applied {
	var out []applied
	agg, plain := a, b
	if b.hasAggregate() && !a.hasAggregate() {
		agg, plain = b, a
	} else if !a.hasAggregate() {
		// two things side by side
		for i, pt := range p.pathsBetween(a.set.rel, b.set.rel) {
			if a.set.sup != nil && b.set.sup != nil {
				return nil
			}
			x := p.shown(a).clone()
			x.set = a.set.with(cond{kind: related, child: b.set, path: pt, join: true})
			x.items = append(x.items[:len(x.items):len(x.items)], p.shown(b).items...)
			out = append(out, applied{x, 0.3 + 0.2*(pt.cost-1) + 0.15*float64(i)})
		}
		return best(out, 3)
	}
	if plain.hasAggregate() || plain.set.sup != nil && len(agg.group) > 0 {
		return nil
	}
	order := func(x *np, shown []item) {
		if agg == a {
			x.items = append(append([]item(nil), agg.items...), shown...)
		} else {
			x.items = append(append([]item(nil), shown...), agg.items...)
		}
	}
	shown := p.shown(plain).items
	// the key is there already: "... for each concert"
	for _, g := range agg.group {
		if !g.entity {
			continue
		}
		s := agg.set.find(g.sid)
		if s == nil || s.rel != plain.set.rel {
			continue
		}
		x := agg.clone()
		moved := append([]item(nil), shown...)
		for i := range moved {
			if moved[i].sid == plain.set.id {
				moved[i].sid = s.id
			}
		}
		x.set = agg.set.replace(s.with(plain.set.conds...))
		order(x, moved)
		out = append(out, applied{x, 0.1})
		return out
	}
	if len(agg.group) > 0 {
		return nil
	}
	// or the one is joined to the other already: "courses that teachers teach"
	walk(agg.set, func(s *set, depth int) {
		if s.rel == plain.set.rel && s != agg.set && plain.set.sup == nil {
			x := agg.clone()
			moved := append([]item(nil), shown...)
			for i := range moved {
				if moved[i].sid == plain.set.id {
					moved[i].sid = s.id
				}
			}
			x.set = agg.set.replace(s.with(plain.set.conds...))
			x.group = []item{{entity: true, sid: s.id}}
			order(x, moved)
			out = append(out, applied{x, 0.2})
		}
	})
	for i, pt := range p.pathsBetween(agg.set.rel, plain.set.rel) {
		x := agg.clone()
		x.set = agg.set.with(cond{kind: related, child: plain.set, path: pt, join: true})
		if plain.byItems {
			x.group = append([]item(nil), shown...)
		} else {
			x.group = []item{{entity: true, sid: plain.set.id}}
		}
		x.order = append(x.order[:len(x.order):len(x.order)], plain.order...)
		order(x, shown)
		out = append(out, applied{x, 0.25 + 0.2*(pt.cost-1) + 0.15*float64(i)})
	}
	return best(out, 4)
}

// whoever reads "who has the highest salary": the subject is whatever has what
// is said of it.
func (p *parser) whoever(i int) []cand {
	var out []cand
	for _, e := range p.ends(i, "who") {
		for _, m := range p.verbPhrase(e) {
			var rels []*catalog.Relation
			switch m.mod.kind {
			case modSuper, modCompare:
				if m.mod.attr != nil {
					for _, c := range m.mod.attr.cands {
						rels = append(rels, c.col.Relation)
					}
				}
			case modSuperDate, modDate:
				for _, r := range p.x.snap.Relations {
					if cs := p.dateColumns(r, &mod{hints: m.mod.hints, date: &dateRange{loYear: 1}}); len(cs) > 0 && len(rels) < 4 {
						for _, c := range cs {
							if c.score > 0.9 {
								rels = append(rels, r)
								break
							}
						}
					}
				}
			}
			for k, r := range rels {
				if k >= 4 {
					break
				}
				for _, a := range p.apply(p.entity(r), &m.mod) {
					out = append(out, cand{a.np, m.end, m.cost + a.cost + 0.3})
				}
			}
		}
	}
	return keep(out)
}

// whenOf reads the verb after "when was the order" and finds the date that it
// speaks of.
func (p *parser) whenOf(c cand, n applied, end int) []cand {
	var out []cand
	for e := c.end; e <= end && e <= c.end+3; e++ {
		if e > c.end && p.known(e-1) == false {
			break
		}
		for _, d := range p.dateColumns(n.np.set.rel, &mod{hints: p.wordsBetween(c.end, e), date: &dateRange{loYear: 1}}) {
			x := n.np.clone()
			x.items = []item{{col: d.col, sid: x.set.id}}
			if s := x.set.sup; s != nil && s.by.col != nil && s.by.col != d.col && d.score > 0.9 && s.by.agg == "" {
				// the first to sign up is so by the date of signing up
				t := *x.set
				t.sup = &super{by: item{col: d.col, sid: x.set.id}, desc: s.desc, n: s.n}
				x.set = &t
			}
			out = append(out, cand{x, e, c.cost + n.cost + max(0, 1-d.score) + 0.2})
		}
	}
	return out
}

// howMuch reads "how old is ...", "how much does ... weigh", "how many people
// live in ...".
func (p *parser) howMuch(i, end int) []cand {
	var out []cand
	of := func(a *attr, c cand, e int, cost float64) {
		n := &np{items: []item{{attr: a}}}
		for _, r := range p.applyOf(n, &mod{kind: modOf, np: c.np}) {
			out = append(out, cand{r.np, e, c.cost + r.cost + cost})
		}
	}
	for _, e := range p.ends(i, "how") {
		for e2, forms := range p.adjs[min(e, len(p.toks))] {
			for _, f := range forms {
				if f.degree != baseDegree {
					continue
				}
				a := p.attrOf(f.cols, nil, e, e2)
				if a == nil {
					continue
				}
				for _, b := range p.maybe(e2, "be", "do") {
					for _, c := range p.noun(b) {
						of(a, c, c.end, 0.1)
					}
				}
			}
		}
	}
	for _, e := range p.ends(i, "how_many") {
		for _, d := range p.maybe(e, "do") {
			for _, c := range p.noun(d) {
				if words, ok := p.lang.measures[p.at(c.end).stem]; ok && len(words) > 0 {
					if a := p.attrOf(words, nil, c.end, c.end+1); a != nil {
						of(a, c, c.end+1, 0.1)
					}
				}
			}
		}
		// how many cylinders does it have: the attribute is a number itself
		for end, a := range p.m.attrs[e] {
			num := onlyNumeric(a)
			if num == nil {
				continue
			}
			base := &np{items: []item{{attr: num}}}
			for _, c := range p.extend([]cand{{base, end, 0.35 + 3*(1-num.cands[0].score)/2}}) {
				if c.np.set != nil && len(c.np.items) == 1 {
					out = append(out, c)
				}
			}
		}
	}
	return keep(out)
}

// whereWhen reads "where is ...", "when was ...".
func (p *parser) whereWhen(i, end int) []cand {
	var out []cand
	for _, tag := range []string{"where", "when"} {
		words := p.lang.where
		if tag == "when" {
			words = p.lang.when
		}
		for _, e := range p.ends(i, tag) {
			for _, c := range p.noun(e) {
				ents := []applied{{c.np, 0}}
				if c.np.isValue() {
					ents = p.valueEntity(c.np)
				}
				for _, n := range ents {
					if !n.np.isEntity() {
						continue
					}
					if tag == "when" {
						out = append(out, p.whenOf(c, n, end)...)
					}
					a := p.columnsNamed(words, n.np.set.rel, tag == "when")
					if a == nil {
						continue
					}
					for _, r := range p.attributeOf(&np{items: []item{{attr: a}}}, n.np) {
						// "where is he from", "when was it built"
						for _, e2 := range append(p.maybe(c.end, "in"), c.end+1) {
							if e2 == c.end+1 && (e2 > end || !p.isVerb(c.end)) {
								continue
							}
							out = append(out, cand{r.np, e2, c.cost + n.cost + r.cost + 0.3})
						}
					}
				}
			}
		}
	}
	return out
}
