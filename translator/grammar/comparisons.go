package grammar

// comparative reads "older than 20", "cheaper than the average product".
func (p *parser) comparative(i int) []modifierCandidate {
	var out []modifierCandidate
	for e, forms := range p.adjectives[min(i, len(p.tokens))] {
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
						out = append(out, modifierCandidate{modifier{kind: modifierComparative, adjective: &a, op: op, value: o.value, phrase: o.phrase}, o.end, o.cost})
					}
				}
			case mostDegree:
				// "is the largest" has no noun after it
				out = append(out, modifierCandidate{modifier{kind: modifierSuperlativeAdjective, adjective: &a, count: "1"}, e, 0.6})
			}
		}
	}
	// "aged 20", "20 years old"
	if n, e := p.number(i); e > i {
		for _, u := range p.unit(e) {
			for e2, forms := range p.adjectives[min(u, len(p.tokens))] {
				for _, a := range forms {
					if a := a; a.degree == baseDegree {
						out = append(out, modifierCandidate{modifier{kind: modifierComparative, adjective: &a, op: "=", value: operand{literals: []string{n}, plain: n}}, e2, 0.1})
					}
				}
			}
		}
	}
	return out
}

// operandCandidate is something to compare with.
type operandCandidate struct {
	value  operand
	phrase *phrase // the operand is a phrase, to be made a subquery
	end    int
	cost   float64
}

// operands reads numbers, quoted texts, averages and other single values.
func (p *parser) operands(i int) []operandCandidate {
	var out []operandCandidate
	for _, d := range p.maybe(i, "article") {
		if n, e := p.number(d); e > d {
			for _, u := range p.unit(e) {
				out = append(out, operandCandidate{value: operand{literals: []string{n}, plain: n}, end: u})
			}
		}
	}
	if t := p.at(i); t.kind == quotedToken || t.kind == dateToken {
		out = append(out, operandCandidate{value: operand{literals: []string{literal(t.text)}, plain: t.text}, end: i + 1, cost: 0.1})
	}
	// the average (of what is compared itself)
	for _, d := range p.maybe(i, "article") {
		for _, a := range aggregateTags {
			for _, e := range p.ends(d, a.tag) {
				out = append(out, operandCandidate{phrase: &phrase{items: []item{{aggregate: a.agg}}, pronoun: true}, end: e, cost: 0.1})
			}
		}
	}
	for _, c := range p.noun(i) {
		if c.phrase.isValue() || len(c.phrase.items) > 1 || c.phrase.pronoun {
			continue
		}
		out = append(out, operandCandidate{phrase: c.phrase, end: c.end, cost: c.cost + 0.2})
	}
	// "that of any country in Asia", "the one with the most horsepower"
	for _, e := range p.ends(i, "the_one") {
		for _, m := range p.modifiers(e) {
			if m.modifier.kind == modifierSuperlative || m.modifier.kind == modifierRelated || m.modifier.kind == modifierCompare || m.modifier.kind == modifierMostRows {
				out = append(out, operandCandidate{phrase: &phrase{pronoun: true, modifiers: []modifier{m.modifier}}, end: m.end, cost: m.cost + 0.2})
			}
		}
	}
	for _, e := range p.ends(i, "that_of", "article", "the_one") {
		for _, d := range p.maybe(e, "article") {
			for _, c := range p.noun(d) {
				if c.phrase.isEntity() {
					n := c.phrase.clone()
					n.each = p.at(e).lower == "any" || p.at(d-1).lower == "any" || p.at(d-1).lower == "all" || p.at(d-1).lower == "every" || p.at(d-1).lower == "other"
					out = append(out, operandCandidate{phrase: n, end: c.end, cost: c.cost + 0.2})
				}
			}
		}
	}
	return out
}

// comparison is "greater than 5", "between 5 and 10", "starting with A".
type comparison struct {
	op     string
	value  operand
	phrase *phrase
	end    int
	cost   float64
	date   *dateRange
	values *phrase
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
						out = append(out, comparison{op: c.op, values: v.phrase, end: v.end, cost: v.cost})
					}
				}
				for _, o := range p.operands(e) {
					out = append(out, comparison{op: c.op, value: o.value, phrase: o.phrase, end: o.end, cost: o.cost})
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
					out = append(out, comparison{op: "between", value: operand{literals: []string{lo, hi}, plain: lo + " to " + hi}, end: u})
				}
			}
		}
		if n, e := p.number(b); e > b {
			for _, u := range p.unit(e) {
				for _, m := range p.ends(u, "or_more") {
					out = append(out, comparison{op: ">=", value: operand{literals: []string{n}, plain: n}, end: m})
				}
				for _, m := range p.ends(u, "or_less") {
					out = append(out, comparison{op: "<=", value: operand{literals: []string{n}, plain: n}, end: m})
				}
				if b > i {
					out = append(out, comparison{op: "=", value: operand{literals: []string{n}, plain: n}, end: u, cost: 0.05})
				}
			}
		}
		for _, e := range p.ends(b, "is_null") {
			out = append(out, comparison{op: "is null", end: e, cost: 0.1})
		}
		for _, nt := range p.maybe(b, "not") {
			negated := ""
			if nt > b {
				negated = "not "
			}
			for _, k := range []struct{ tag, before, after string }{{"starts", "", "%"}, {"ends", "%", ""}, {"contains", "%", "%"}} {
				for _, e := range p.ends(nt, k.tag) {
					if t := p.at(e); e < len(p.tokens) && (t.kind == quotedToken || k.tag != "contains" && t.kind == wordToken && len(t.lower) <= 3) {
						out = append(out, comparison{op: negated + "ilike", value: operand{literals: []string{literal(k.before + likeEscape(t.text) + k.after)}, plain: t.text}, end: e + 1, cost: 0.1})
					}
				}
			}
		}
	}
	return out
}

// values reads phrases that are values alone.
func (p *parser) values(i int) []candidate {
	var out []candidate
	for _, d := range p.maybe(i, "article", "both", "either") {
		both := false
		for _, e := range p.ends(i, "both") {
			both = both || e == d
		}
		for _, c := range p.noun(d) {
			if c.phrase.isValue() {
				n := c.phrase
				if both && d > i {
					n = n.clone()
					n.eachValue = true
				}
				out = append(out, candidate{n, c.end, c.cost})
			}
		}
	}
	return out
}
