// Applying "except", "or" and "not".

package grammar

import (
	"slices"
	"strings"
)

// applyExcept takes away what follows "except".
func (p *parser) applyExcept(n *phrase, m *modifier) []reading {
	if m.phrase.isEntity() && m.phrase.set.relation == n.set.relation && m.phrase.set.superlative == nil && len(m.phrase.set.conditions) > 0 {
		return []reading{{n.holding(denial(m.phrase.set.conditions)), 0.1}}
	}
	out := withoutSameNegation(p.applyRelated(n, &modifier{kind: modifierRelated, phrase: m.phrase, negated: true}))
	for i := range out {
		if sameWay(n, out[i].phrase) {
			out[i].cost = min(out[i].cost, sameWayCost)
		}
	}
	return out
}

// sameWayCost is what it costs at most to deny something of the kind of things that was said before: who bought a kite but no drum.
const sameWayCost = 0.3

// sameWay reports whether what was added to a set denies only that which leads there as something that was said of it before.
func sameWay(before, after *phrase) bool {
	added, ok := addedConditions(before, after)
	return ok && len(added) == 1 && added[0].kind == related && slices.ContainsFunc(before.set.conditions, func(d condition) bool {
		return d.kind == related && !d.negated && d.count == nil && d.child.relation == added[0].child.relation && slices.Equal(added[0].path.edges, d.path.edges)
	})
}

// addedConditions returns what applying something added to a set, if that is all
// that it did.
func addedConditions(before, after *phrase) ([]condition, bool) {
	if after.set == nil || after.set.id != before.set.id || after.set.superlative != before.set.superlative || len(after.set.conditions) <= len(before.set.conditions) {
		return nil, false
	}
	return after.set.conditions[len(before.set.conditions):], true
}

// applyAny narrows a set to rows for which one of the modifiers holds.
func (p *parser) applyAny(n *phrase, m *modifier) []reading {
	type option struct {
		conds []condition
		cost  float64
	}
	var lists [][]option
	for i := range m.parts {
		var options []option
		for _, a := range p.apply(n, &m.parts[i]) {
			if cs, ok := addedConditions(n, a.phrase); ok {
				options = append(options, option{cs, a.cost})
			}
		}
		if len(options) == 0 {
			return nil
		}
		if len(options) > 2 {
			options = options[:2]
		}
		lists = append(lists, options)
	}
	var out []reading
	for _, a := range lists[0] {
		for _, b := range lists[1] {
			out = append(out, reading{n.holding(condition{kind: anyOf, parts: []condition{conjunction(a.conds), conjunction(b.conds)}}), a.cost + b.cost})
		}
	}
	return cheapestReadings(out, 3)
}

// conjunction makes several conditions one.
func conjunction(conditions []condition) condition {
	if len(conditions) == 1 {
		return conditions[0]
	}
	return condition{kind: allOf, parts: conditions}
}

// applyNot narrows a set to rows for which a modifier does not hold.
func (p *parser) applyNot(n *phrase, m *modifier) (out []reading) {
	for _, a := range p.apply(n, &m.parts[0]) {
		cs, ok := addedConditions(n, a.phrase)
		if !ok {
			continue
		}
		if len(cs) == 2 && n.set.with(cs...).saysNone(cs[0]) {
			cs = cs[1:] // who did not return every loan has one that is not returned
		}
		x := n.holding(denial(cs))
		x.refusal = a.phrase.refusal
		out = append(out, reading{x, a.cost})
	}
	return cheapestReadings(out, 4)
}

// denial is the condition that not all of some conditions hold.
func denial(conditions []condition) condition {
	if c := conditions[0]; len(conditions) == 1 {
		if from := c.value.column; from != nil && !c.column.NotNull && (c.op == "<" || c.op == "<=") && isTime(c.column) {
			// what was not delivered within two days is not delivered at all, too, once these have gone by
			passed := operand{literals: []string{strings.Join(append([]string{today()}, c.value.literals...), " - ")}, plain: "now"}
			never := condition{kind: allOf, parts: []condition{{column: c.column, op: "is null"}, {column: from, op: c.op, value: passed}}}
			c.op = negated[c.op]
			return condition{kind: anyOf, parts: []condition{c, never}}
		}
		if op := negated[c.op]; c.kind == compare && op != "" {
			c.op = op
			return c
		}
		if c.kind == related && c.count == nil {
			c.negated = !c.negated
			return c
		}
	}
	return condition{kind: noneOf, parts: conditions}
}

// negated are the comparisons that hold where others do not.
var negated = map[string]string{
	"=": "<>", "<>": "=", ">": "<=", "<": ">=", ">=": "<", "<=": ">",
	"in": "not in", "ilike": "not ilike", "is null": "is not null", "is not null": "is null",
}
