package grammar

// comparative reads "older than 20", "cheaper than the average product".
func (p *parser) comparative(i int) []mcand {
	var out []mcand
	for e, forms := range p.adjs[min(i, len(p.toks))] {
		for _, a := range forms {
			a := a
			switch a.degree {
			case moreDegree:
				for _, than := range p.ends(e, "than") {
					op := "<"
					if a.up {
						op = ">"
					}
					for _, o := range p.operands(than) {
						out = append(out, mcand{mod{kind: modAdjective, adj: &a, op: op, val: o.val, np: o.np}, o.end, o.cost})
					}
				}
			case mostDegree:
				// "is the largest" has no noun after it
				out = append(out, mcand{mod{kind: modSuperAdj, adj: &a, n: "1"}, e, 0.6})
			}
		}
	}
	// "aged 20", "20 years old"
	if n, e := p.number(i); e > i {
		for _, u := range p.unit(e) {
			for e2, forms := range p.adjs[min(u, len(p.toks))] {
				for _, a := range forms {
					if a := a; a.degree == baseDegree {
						out = append(out, mcand{mod{kind: modAdjective, adj: &a, op: "=", val: operand{lits: []string{n}, plain: n}}, e2, 0.1})
					}
				}
			}
		}
	}
	return out
}

// operandCand is something to compare with.
type operandCand struct {
	val  operand
	np   *np // the operand is a phrase, to be made a subquery
	end  int
	cost float64
}

// operands reads numbers, quoted texts, averages and other single values.
func (p *parser) operands(i int) []operandCand {
	var out []operandCand
	for _, d := range p.maybe(i, "det") {
		if n, e := p.number(d); e > d {
			for _, u := range p.unit(e) {
				out = append(out, operandCand{val: operand{lits: []string{n}, plain: n}, end: u})
			}
		}
	}
	if t := p.at(i); t.kind == quotedToken || t.kind == dateToken {
		out = append(out, operandCand{val: operand{lits: []string{literal(t.text)}, plain: t.text}, end: i + 1, cost: 0.1})
	}
	// the average (of what is compared itself)
	for _, d := range p.maybe(i, "det") {
		for _, a := range aggregateTags {
			for _, e := range p.ends(d, a.tag) {
				out = append(out, operandCand{np: &np{items: []item{{agg: a.agg}}, pron: true}, end: e, cost: 0.1})
			}
		}
	}
	for _, c := range p.noun(i) {
		if c.np.isValue() || len(c.np.items) > 1 || c.np.pron {
			continue
		}
		out = append(out, operandCand{np: c.np, end: c.end, cost: c.cost + 0.2})
	}
	// "that of any country in Asia", "the one with the most horsepower"
	for _, e := range p.ends(i, "the_one") {
		for _, m := range p.modifiers(e) {
			if m.mod.kind == modSuper || m.mod.kind == modRelated || m.mod.kind == modCompare || m.mod.kind == modSuperRows {
				out = append(out, operandCand{np: &np{pron: true, mods: []mod{m.mod}}, end: m.end, cost: m.cost + 0.2})
			}
		}
	}
	for _, e := range p.ends(i, "that_of", "det", "the_one") {
		for _, d := range p.maybe(e, "det") {
			for _, c := range p.noun(d) {
				if c.np.isEntity() {
					n := c.np.clone()
					n.each = p.at(e).lower == "any" || p.at(d-1).lower == "any" || p.at(d-1).lower == "all" || p.at(d-1).lower == "every" || p.at(d-1).lower == "other"
					out = append(out, operandCand{np: n, end: c.end, cost: c.cost + 0.2})
				}
			}
		}
	}
	return out
}

// comparison is "greater than 5", "between 5 and 10", "starting with A".
type comparison struct {
	op   string
	val  operand
	np   *np
	end  int
	cost float64
	date *dateRange
	vals *np
}

var comparators = []struct{ tag, op string }{
	{"gt", ">"}, {"lt", "<"}, {"ge", ">="}, {"le", "<="}, {"eq", "="}, {"ne", "<>"},
}

// comparisons reads a comparison without the thing compared.
func (p *parser) comparisons(i int) []comparison {
	var out []comparison
	for _, b := range p.maybe(i, "be") {
		for _, c := range comparators {
			for _, e := range p.ends(b, c.tag) {
				if c.op == "=" || c.op == "<>" {
					for _, v := range p.values(e) {
						out = append(out, comparison{op: c.op, vals: v.np, end: v.end, cost: v.cost})
					}
				}
				for _, o := range p.operands(e) {
					out = append(out, comparison{op: c.op, val: o.val, np: o.np, end: o.end, cost: o.cost})
				}
			}
		}
		for _, e := range p.ends(b, "between") {
			lo, e2 := p.number(e)
			if e2 == e {
				continue
			}
			for _, u := range p.unit(e2) {
				if w := p.at(u).lower; w != "and" && w != "to" {
					continue
				}
				hi, e3 := p.number(u + 1)
				if e3 == u+1 {
					continue
				}
				for _, u := range p.unit(e3) {
					out = append(out, comparison{op: "between", val: operand{lits: []string{lo, hi}, plain: lo + " to " + hi}, end: u})
				}
			}
		}
		if n, e := p.number(b); e > b {
			for _, u := range p.unit(e) {
				for _, m := range p.ends(u, "or_more") {
					out = append(out, comparison{op: ">=", val: operand{lits: []string{n}, plain: n}, end: m})
				}
				for _, m := range p.ends(u, "or_less") {
					out = append(out, comparison{op: "<=", val: operand{lits: []string{n}, plain: n}, end: m})
				}
				if b > i {
					out = append(out, comparison{op: "=", val: operand{lits: []string{n}, plain: n}, end: u, cost: 0.05})
				}
			}
		}
		for _, e := range p.ends(b, "is_null") {
			out = append(out, comparison{op: "is null", end: e, cost: 0.1})
		}
		for _, nt := range p.maybe(b, "not") {
			neg := ""
			if nt > b {
				neg = "not "
			}
			for _, k := range []struct{ tag, before, after string }{{"starts", "", "%"}, {"ends", "%", ""}, {"contains", "%", "%"}} {
				for _, e := range p.ends(nt, k.tag) {
					if t := p.at(e); e < len(p.toks) && (t.kind == quotedToken || k.tag != "contains" && t.kind == wordToken && len(t.lower) <= 3) {
						out = append(out, comparison{op: neg + "ilike", val: operand{lits: []string{literal(k.before + likeEscape(t.text) + k.after)}, plain: t.text}, end: e + 1, cost: 0.1})
					}
				}
			}
		}
	}
	return out
}

// values reads phrases that are values alone.
func (p *parser) values(i int) []cand {
	var out []cand
	for _, d := range p.maybe(i, "det", "both", "either") {
		both := false
		for _, e := range p.ends(i, "both") {
			both = both || e == d
		}
		for _, c := range p.noun(d) {
			if c.np.isValue() {
				n := c.np
				if both && d > i {
					n = n.clone()
					n.both = true
				}
				out = append(out, cand{n, c.end, c.cost})
			}
		}
	}
	return out
}
