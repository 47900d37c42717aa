// Reading comparisons and what is compared with: "more than 5", "between 2 and 4", "that of Paris", "the average of their category".

package grammar

import (
	"cmp"
	"slices"

	"askpg/catalog"
)

// comparative reads "older than 20", "cheaper than the average product".
func (p *parser) comparative(i int) (out []modifierCandidate) {
	out = p.takingMoreThan(i)
	for e, a := range p.adjectivesAt(i, moreDegree) {
		for _, than := range p.ends(e, "than") {
			out = append(out, p.longerThan(a, than)...)
			for _, o := range p.operands(than) {
				out = append(out, modifierCandidate{modifier{kind: modifierComparative, adjective: &a, op: a.above(), value: o.value, phrase: o.phrase}, o.end, o.cost})
			}
		}
	}
	// "is the largest" has no noun after it
	for e, a := range p.adjectivesAt(i, mostDegree) {
		out = append(out, modifierCandidate{modifier{kind: modifierSuperlativeAdjective, adjective: &a, count: "1"}, e, 0.6})
	}
	// "aged 20", "20 years old"
	for u, n := range p.amounts(i) {
		for e, a := range p.adjectivesAt(u, baseDegree) {
			out = append(out, modifierCandidate{modifier{kind: modifierComparative, adjective: &a, op: "=", value: n}, e, 0.1})
		}
	}
	return out
}

// operandCandidate is a reading of what something is compared with.
type operandCandidate struct {
	value  operand
	phrase *phrase // the operand is a phrase, to be made a subquery
	end    int
	cost   float64
}

// operands reads numbers, quoted texts, averages and other single values.
func (p *parser) operands(i int) (out []operandCandidate) {
	for _, d := range p.maybe(i, "article") {
		for u, n := range p.amounts(d) {
			out = append(out, operandCandidate{value: n, end: u})
		}
	}
	if t := p.at(i); t.kind == quotedToken || t.kind == dateToken {
		out = append(out, operandCandidate{value: operand{literals: []string{literal(t.text)}, plain: t.text}, end: i + 1, cost: 0.1})
	}
	// the average (of what is compared itself)
	for _, d := range p.maybe(i, "article") {
		for _, a := range aggregateTags {
			for _, e := range p.ends(d, a.tag) {
				out = append(out, operandCandidate{phrase: &phrase{items: []item{{aggregate: a.agg}}, isPronoun: true}, end: e, cost: 0.1})
			}
		}
	}
	// "their cost": of the same row
	for _, d := range p.ends(i, "pronoun") {
		for _, a := range p.attributes(d, true) {
			if len(a.phrase.items) == 1 && a.phrase.items[0].aggregate == "" {
				out = append(out, operandCandidate{phrase: a.phrase, end: a.end, cost: a.cost + 0.1})
			}
		}
	}
	for _, c := range p.noun(i) {
		if len(c.phrase.items) <= 1 && !c.phrase.isPronoun {
			out = append(out, operandCandidate{phrase: c.phrase, end: c.end, cost: c.cost + 0.2})
		}
	}
	out = append(out, p.theirManager(i)...)
	out = append(out, each(out[:len(out):len(out)], p.ofOwnGroup)...)
	return append(out, p.theOneWith(i)...)
}

// theirManager reads what stands for a value of the row of the same relation that a key of the compared row points to: "their manager",
// "that of their manager", "their manager's salary".
func (p *parser) theirManager(i int) (out []operandCandidate) {
	for _, of := range p.maybe(i, "that_of") {
		for _, role := range p.ends(of, "pronoun") {
			for _, e := range p.selfKeys(role) {
				n := &phrase{isPronoun: true, ofReferenced: e, items: []item{{}}}
				out = append(out, operandCandidate{phrase: n, end: role + 1, cost: 0.1})
				for _, a := range p.attributes(role+2, true) {
					if p.at(role+1).lower == "'s" && len(a.phrase.items) == 1 && a.phrase.items[0].aggregate == "" {
						m := n.clone()
						m.items = a.phrase.items
						out = append(out, operandCandidate{phrase: m, end: a.end, cost: a.cost + 0.1})
					}
				}
			}
		}
	}
	return out
}

// selfKeys returns the keys to rows of the same relation that token i names, such as that to the manager.
func (p *parser) selfKeys(i int) (out []*edge) {
	for _, r := range p.relations {
		for _, e := range p.lexicon.graph.edges[r] {
			if e.toOne && e.to == r && len(e.toCols) == 1 && (slices.Contains(e.name, p.at(i).stem) || e == p.managerKey() && slices.Contains([]string{"manager", "boss", "supervisor"}, p.at(i).lower)) {
				out = append(out, e)
			}
		}
	}
	return out
}

// theOneWith reads "the one with the most horsepower".
func (p *parser) theOneWith(i int) (out []operandCandidate) {
	for _, e := range p.ends(i, "the_one") {
		for _, m := range p.modifiers(e) {
			switch m.modifier.kind {
			case modifierSuperlative, modifierRelated, modifierCompare, modifierMostRows:
				out = append(out, operandCandidate{phrase: &phrase{isPronoun: true, modifiers: []modifier{m.modifier}}, end: m.end, cost: m.cost + 0.2})
			}
		}
	}
	return out
}

// comparison is a reading of a comparison without its left side: "greater than 5", "between 5 and 10", "starting with A".
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
func (p *parser) comparisons(i int) (out []comparison) {
	for _, be := range p.behind(p.maybe(i, "be"), "one_or_other") {
		out = append(out, p.compared(be)...)
		out = append(out, p.betweenNumbers(be)...)
		out = append(out, p.numberOrMore(be)...)
		if be > i && p.at(be-1).lower != "either" {
			for u, n := range p.amounts(be) {
				out = append(out, comparison{op: "=", value: n, end: u, cost: 0.05})
			}
		}
		for _, e := range p.ends(be, "is_null") {
			out = append(out, comparison{op: "is null", end: e, cost: 0.1})
		}
		for _, not := range p.maybe(be, "not") {
			out = append(out, p.like(not, not > be)...)
		}
	}
	return out
}

// compared reads "greater than 5", "equal to Berlin".
func (p *parser) compared(i int) (out []comparison) {
	for _, c := range comparators {
		for _, e := range p.ends(i, c.tag) {
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
	return out
}

// betweenNumbers reads "between 5 and 10".
func (p *parser) betweenNumbers(i int) (out []comparison) {
	for _, e := range append(slices.Clone(p.ends(i, "between")), i) {
		for u, lo := range p.amounts(e) {
			next := u + 1
			switch w := p.at(u).lower; {
			case w == "to" || w == "and" && e > i:
			case w == "up" && p.at(next).lower == "to": // "from 10 up to 20"
				next++
			case u < len(p.tokens) && p.question[p.tokens[u-1].end:p.tokens[u].start] == "-":
				next = u // "10-18"
			default:
				continue
			}
			for end, hi := range p.amounts(next) {
				out = append(out, comparison{op: "between", value: operand{literals: []string{lo.plain, hi.plain}, plain: lo.plain + " to " + hi.plain, percent: hi.percent, unit: cmp.Or(hi.unit, lo.unit)}, end: end})
			}
		}
	}
	return out
}

// attributeSaid reads "price over 15" behind what has one, and "over 15 in price".
func (p *parser) attributeSaid(i int) (out []modifierCandidate) {
	bounds := func(i int) []comparison {
		return slices.DeleteFunc(slices.Concat(p.compared(i), p.betweenNumbers(i), p.numberOrMore(i)), func(c comparison) bool {
			return c.op == "=" || c.op == "<>" || c.phrase != nil || c.values != nil
		})
	}
	numbers := func(i int, read func(end int, a *attribute)) {
		for end, a := range inOrder(p.mentions.attributes[i]) {
			if number := onlyNumeric(a); number != nil && a.candidates[0].score >= namedScore && len(p.ends(i, "sum")) == 0 { // "orders total over 1000" may be a sum
				read(end, number)
			}
		}
	}
	numbers(i, func(end int, a *attribute) {
		for _, c := range bounds(end) {
			out = append(out, modifierCandidate{comparisonModifier(a, c), c.end, c.cost + 0.3})
		}
	})
	for _, c := range bounds(i) {
		if p.at(c.end).lower == "in" {
			numbers(c.end+1, func(end int, a *attribute) {
				out = append(out, modifierCandidate{comparisonModifier(a, c), end, c.cost + 0.3})
			})
		}
	}
	return out
}

// secondBound reads "and at most 18" behind "a price of at least 10".
func (p *parser) secondBound(list []modifierCandidate) (out []modifierCandidate) {
	for _, a := range list {
		if a.modifier.kind != modifierCompare || a.modifier.attribute == nil || a.modifier.phrase != nil {
			continue
		}
		for _, e := range p.ends(a.end, "and") {
			for _, c := range p.compared(e) {
				if c.phrase == nil && c.values == nil && isOpposite(a.modifier.op, c.op) {
					both := []modifier{a.modifier, comparisonModifier(a.modifier.attribute, c)}
					out = append(out, modifierCandidate{modifier{kind: modifierAll, parts: both}, c.end, a.cost + c.cost + 0.05})
				}
			}
		}
	}
	return out
}

// isOpposite reports whether one comparison is from below and the other from above.
func isOpposite(a, b string) bool {
	return (a == ">" || a == ">=") && (b == "<" || b == "<=") || (a == "<" || a == "<=") && (b == ">" || b == ">=")
}

// numberOrMore reads "500 or more".
func (p *parser) numberOrMore(i int) (out []comparison) {
	for u, n := range p.amounts(i) {
		for e, op := range p.orMore(u) {
			out = append(out, comparison{op: op, value: n, end: e})
		}
	}
	return out
}

// like reads "starting with A", "containing 'lap'".
func (p *parser) like(i int, negated bool) (out []comparison) {
	op := "ilike"
	if negated {
		op = "not ilike"
	}
	for _, k := range []struct{ tag, before, after string }{{"starts", "", "%"}, {"ends", "%", ""}, {"contains", "%", "%"}} {
		for _, e := range p.ends(i, k.tag) {
			t := p.at(e)
			if t.kind == quotedToken || k.tag != "contains" && t.kind == wordToken && len(t.lower) <= 3 {
				out = append(out, comparison{op: op, value: operand{literals: []string{literal(k.before + likeEscape(t.text) + k.after)}, plain: t.text}, end: e + 1, cost: 0.1})
			}
		}
	}
	return out
}

// values reads phrases that are values alone.
func (p *parser) values(i int) (out []candidate) {
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

// ownGroup is the key of "than the average of their category": the average is over the rows that share the key with the row that is
// compared.
type ownGroup struct{ key *phrase }

// ofOwnGroup reads "of their category", "in its department" behind an aggregate.
func (p *parser) ofOwnGroup(o operandCandidate) (out []operandCandidate) {
	if o.phrase == nil || len(o.phrase.items) != 1 || o.phrase.items[0].aggregate == "" || len(o.phrase.group) > 0 {
		return nil
	}
	for _, of := range p.ends(o.end, "of_strict", "in") {
		own := p.at(of).lower
		if own != "their" && own != "its" && own != "his" && own != "her" {
			continue
		}
		for _, c := range p.noun(of + 1) {
			if bare := c.phrase.isEntity() && len(c.phrase.set.conditions) == 0; !bare && (!c.phrase.isAttribute() || len(c.phrase.items) != 1) {
				continue
			}
			x := o.phrase.clone()
			x.ownGroup = &ownGroup{c.phrase}
			out = append(out, operandCandidate{phrase: x, end: c.end, cost: o.cost + c.cost - 0.2}) // else the key would say nothing
		}
	}
	return out
}

// averageOfGroup makes the aggregate of a placed column over the rows that have the same key as the row itself. Rows that are
// narrowed already have none: their group may be all rows, or those alone.
func (p *parser) averageOfGroup(s, of *phrase, pl placement) []scalarCandidate {
	if pl.setID != of.set.id || len(of.set.conditions) > 0 || of.set.superlative != nil {
		return nil
	}
	if a := s.items[0].attribute; a != nil && !slices.ContainsFunc(a.candidates, func(c columnCandidate) bool { return c.column == pl.column }) {
		return nil
	}
	var keys []*catalog.Column
	if key := s.ownGroup.key; key.isEntity() {
		for _, e := range p.lexicon.graph.edges[pl.column.Relation] {
			if e.toOne && e.to == key.set.relation && len(e.fromCols) == 1 {
				keys = append(keys, e.fromCols[0])
			}
		}
	} else if a := key.items[0].attribute; a != nil {
		for _, c := range a.candidates {
			if c.column.Relation == pl.column.Relation && c.score >= namedScore {
				keys = append(keys, c.column)
			}
		}
	}
	key := only(keys)
	if key == nil {
		return nil // of two keys which one is not said
	}
	rows := (&set{id: p.newID(), relation: pl.column.Relation}).with(condition{kind: compare, column: key, op: "=", value: operand{outer: key, plain: "that of the row"}})
	query := &phrase{set: rows, items: []item{{aggregate: s.items[0].aggregate, column: pl.column, setID: rows.id}}}
	return []scalarCandidate{{operand{query: query, plain: "that of its group"}, 0.1}}
}
