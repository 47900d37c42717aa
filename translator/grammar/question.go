package grammar

import "slices"

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
	for _, e := range p.ends(i, "there", "noise", "now") {
		if p.closed(e, end) {
			return true
		}
	}
	if p.toks[i].kind == punctToken {
		return p.closed(i+1, end)
	}
	return false
}

// statement reads a whole sentence, once: a sentence within one, behind "for each customer", is read from many sides.
func (p *parser) statement(i, end int) []cand {
	at := [2]int{i, end}
	if _, done := p.statements[at]; !done {
		p.statements[at] = p.readStatement(i, end)
	}
	return slices.Clone(p.statements[at])
}

func (p *parser) readStatement(i, end int) []cand {
	if p.steps > maxSteps {
		return nil
	}
	p.steps++
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
			return p.attributeOf(n, m.np)
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
// shown gives things their display columns, so that others can stand beside
// them.
// whoever reads "who has the highest salary": the subject is whatever has what
// is said of it.
// whenOf reads the verb after "when was the order" and finds the date that it
// speaks of.
// howMuch reads "how old is ...", "how much does ... weigh", "how many people
// live in ...".
// whereWhen reads "where is ...", "when was ...".
