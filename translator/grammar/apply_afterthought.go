// Applying an afterthought to a phrase: a further output, a count, a share.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// applyAfterthought applies what was said behind a phrase to it.
func (p *parser) applyAfterthought(n *phrase, a *afterthought) []reading {
	switch {
	case a.limit != "" && n.set != nil:
		return p.limited(n, a.limit, true)
	case a.count && !a.sum && !a.share && n.set != nil && n.isMost():
		return p.showNumber(n)
	case n.isPronoun || n.isValue() || len(n.ratio) > 0 || n.number != "" && a.filter == nil && len(a.parts) == 0:
		return nil
	case n.set == nil:
		return thenApply(p.resolvePhrase(n), 4, func(of *phrase) []reading { return p.applyAfterthought(of, a) })
	case a.filter != nil:
		return p.applyToAll(n, a.filter)
	case a.groups != nil:
		return p.keepSized(n, a.groups)
	case a.names:
		return p.showNames(n)
	case a.when:
		return p.showTime(n)
	case a.running:
		return withRunningTotal(n)
	case a.often:
		return eachCounted(n)
	case a.share && len(n.group) > 0:
		return n.withShareOfTotal()
	case a.share:
		return nil
	case slices.ContainsFunc(a.parts, (*phrase).isNumberAgain) && len(n.group) > 0:
		return p.show(n, a.parts)
	case slices.ContainsFunc(a.parts, (*phrase).isNumberAgain):
		return nil
	case len(a.parts) > 0:
		return p.showParts(n, a.parts)
	case len(n.group) > 0:
		return p.countAndSum(n, a)
	case n.set.superlative != nil || n.hasAggregate() && !a.sum:
		return nil
	}
	return p.countAndSum(n, a)
}

// keepSized keeps the groups of which there are so many rows. Of groups that show something else it is not known what is to be counted.
func (p *parser) keepSized(n *phrase, g *sizedGroups) []reading {
	if len(n.group) != 1 || len(n.items) != 1 || !n.countsRows() || len(n.having) > 0 {
		return nil
	}
	if again := g.counted; again != nil { // all of them, or those that are asked about
		narrowed := func(c condition) bool { return !c.joined }
		if !again.isPlain() || again.set.relation != n.set.relation || len(again.set.conditions) > 0 || slices.ContainsFunc(n.set.conditions, narrowed) {
			return nil
		}
	}
	key := n.group[0]
	switch called := g.called; {
	case g.unit != "" && g.unit != key.trunc:
		return nil
	case called == nil:
	case called.isPlain() && len(called.set.conditions) == 0:
		if s := n.set.find(key.setID); !key.entity || s.relation != called.set.relation {
			return nil
		}
	case !called.isAttribute() || len(called.items) != 1 || called.items[0].attribute == nil || key.column == nil ||
		!slices.ContainsFunc(called.items[0].attribute.candidates, func(c columnCandidate) bool { return c.column == key.column }):
		return nil
	}
	x := n.clone()
	x.having = []groupCondition{{n.items[0], g.size.op, g.size.value}}
	return []reading{{x, 0.05}}
}

// isMost reports whether the phrase is of what there is the most or the least of.
func (n *phrase) isMost() bool {
	if by := n.set.superlative; by != nil {
		return by.by.aggregate == "count" && !n.hasAggregate()
	}
	return n.number != "" && len(n.group) == 1 && len(n.order) == 1 && n.order[0].by.aggregate == "count"
}

// showNumber shows beside what there is the most of how many there are: "which town has the most guests, and how many".
func (p *parser) showNumber(n *phrase) []reading {
	if n.set.superlative != nil {
		return p.showMeasure([]reading{{n, 0.05}})
	}
	x := n.clone()
	if !n.hasAggregate() {
		x.items, x.distinct, x.attributeHead = []item{n.order[0].by}, false, false
	}
	return []reading{{x, 0.05}}
}

// limited keeps so many of the first in the place of the one that a superlative keeps: "who spent the most, top 5". measured says that what
// they are ranked by is shown, too.
func (p *parser) limited(n *phrase, count string, measured bool) []reading {
	if n.set == nil {
		return nil
	}
	x := n.clone()
	switch by := n.set.superlative; {
	case by != nil && by.count == "1" && by.skip == 0 && len(n.partition) == 0 && len(n.group) == 0:
		s, first := *n.set, *by
		first.count, s.superlative, x.set = count, &first, &s
		if x.refusal == n.notSaidHowMany() {
			x.refusal = ""
		}
		if n.isEntity() && measured {
			return p.showMeasure([]reading{{x, 0.05}})
		}
	case by == nil && n.number == "" && len(n.order) > 0:
		x.number = count // "books, newest first: five is enough"
	case by == nil && n.number == "1" && len(n.order) == 1 && len(n.group) == 1:
		x.number = count
		if !n.hasAggregate() {
			x.items, x.distinct, x.attributeHead = []item{n.order[0].by}, false, false
		}
	default:
		return nil
	}
	return []reading{{x, 0.05}}
}

// applyToAll applies a condition that was said behind the question ("closed claims only") to the set of that relation in the phrase.
func (p *parser) applyToAll(n *phrase, m *modifier) (out []reading) {
	if m.kind == modifierRelated && m.leading {
		walk(n.set, func(s *set, depth int) {
			if s.relation == m.phrase.set.relation {
				out = append(out, reading{n.replacing(s.with(m.phrase.set.conditions...)), 0.1 + 0.1*float64(depth)})
			}
		})
		return cheapestReadings(out, 2)
	}
	if m.kind == modifierNot && m.parts[0].leading {
		return p.withoutAny(n, m.parts[0].phrase.set)
	}
	if s := measuredSet(n); s != nil {
		// what is counted or added up is narrowed, not what it is of
		for _, r := range p.apply(&phrase{set: s}, m) {
			if r.phrase.set != nil && r.phrase.set.id == s.id {
				out = append(out, reading{n.replacing(r.phrase.set), r.cost})
			}
		}
		return cheapestReadings(out, 3)
	}
	// what is divided keeps what divides it
	bare := n.clone()
	bare.group = nil
	for _, r := range p.apply(bare, m) {
		if cs, ok := addedConditions(n, r.phrase); ok {
			out = append(out, reading{n.holding(cs...), r.cost})
		}
	}
	return cheapestReadings(out, 3)
}

// eachCounted counts the rows of each value: "reasons and how often each came up".
func eachCounted(n *phrase) []reading {
	if len(n.items) == 0 || len(n.group) > 0 || n.hasAggregate() || n.set.superlative != nil || len(n.order) > 0 {
		return nil
	}
	x := n.clone()
	x.group, x.items, x.distinct, x.attributeHead = n.items, []item{{aggregate: "count", setID: n.set.id}}, false, false
	return []reading{{x, 0.1}}
}

// withoutAny leaves out of a phrase the rows that are in a set or belong to a row of it: "retired ones not counted".
func (p *parser) withoutAny(n *phrase, not *set) (out []reading) {
	from := n.set
	if s := measuredSet(n); s != nil {
		from = s
	}
	if s := from.joinedTo(not.relation); s != nil {
		return []reading{{n.replacing(s.with(condition{kind: noneOf, parts: not.conditions})), 0.1}}
	}
	for _, pt := range p.pathsBetween(from.relation, not.relation) {
		if pt.toOne() {
			out = append(out, reading{n.replacing(from.with(condition{kind: related, child: not, path: pt, negated: true})), 0.2 + 0.3*(pt.cost-1)})
		}
	}
	return cheapestReadings(out, 2)
}

// measuredSet returns the set that a phrase counts or adds up to rank or measure another, such as the orders of "customers with the most
// orders"; nil if the phrase measures its own set.
func measuredSet(n *phrase) *set {
	ids := map[int]bool{}
	for _, it := range n.items {
		if it.aggregate != "" {
			ids[it.setID] = true
		}
	}
	if s := n.set.superlative; s != nil && s.by.aggregate != "" {
		ids[s.by.setID] = true
	}
	for _, o := range n.order {
		if o.by.aggregate != "" {
			ids[o.by.setID] = true
		}
	}
	if len(ids) != 1 || ids[n.set.id] {
		return nil
	}
	for id := range ids {
		return n.set.find(id)
	}
	return nil
}

// showNames adds what the things are called to what is shown of them.
func (p *parser) showNames(n *phrase) []reading {
	if n.hasAggregate() || len(n.group) > 0 {
		return nil
	}
	return []reading{{n.showingFirst(p.withDisplay(&phrase{set: n.set}).items), 0.1}}
}

// showingFirst returns the phrase with further outputs before its own.
func (n *phrase) showingFirst(items []item) *phrase {
	if len(n.items) == 0 {
		return n
	}
	x := n.clone()
	x.items = slices.Concat(slices.DeleteFunc(slices.Clone(items), func(it item) bool {
		return slices.ContainsFunc(n.items, func(o item) bool { return o.column == it.column && o.setID == it.setID })
	}), n.items)
	return x
}

// showTime adds an output: the time by which the things are ranked, or else the only time that the conditions are about.
func (p *parser) showTime(n *phrase) []reading {
	if n.hasAggregate() || len(n.group) > 0 {
		return nil
	}
	var times []item
	add := func(it item) {
		if it.column != nil && hasTime(&phrase{items: []item{it}}) && !slices.ContainsFunc(times, func(o item) bool { return o.column == it.column && o.setID == it.setID }) {
			times = append(times, it)
		}
	}
	if s := n.set.superlative; s != nil {
		add(s.by)
	}
	if len(times) == 0 {
		for s, c := range conditionsIn(n.set) {
			if c.kind == compare && (s == n.set || reachedToOne(n.set, s.id)) {
				add(item{column: c.column, setID: s.id})
			}
		}
	}
	if len(times) != 1 {
		return nil
	}
	x := p.withDisplay(n).clone()
	x.items = append(x.items[:len(x.items):len(x.items)], times[0])
	return []reading{{x, 0.1}}
}

// showParts adds the outputs that were named behind the question ("… with name and ward") to the names of the things or the keys of the
// groups.
func (p *parser) showParts(n *phrase, parts []*phrase) []reading {
	for _, part := range parts {
		if part.isEntity() && (len(part.set.conditions) > 0 || !p.pointedTo(n.set, part.set)) || part.number != "" || len(part.group) > 0 || part.set != nil && len(part.items) > 0 && !part.hasAggregate() {
			return nil
		}
	}
	if slices.Equal(parts[0].hints, []string{"how", "much"}) {
		return p.showHowMuch(n, parts[0].items[0].attribute)
	}
	parts = n.ownTotals(parts)
	measured := !slices.ContainsFunc(parts, func(part *phrase) bool { return !part.isAttribute() || !part.hasAggregate() || len(part.order) > 0 })
	if len(n.group) > 0 && measured && !p.mentionsNumber() {
		n = n.clone()
		n.items, n.order = nil, nil // nobody asked how many there are
		return p.measuredOf(n, parts)
	}
	if len(n.group) > 0 {
		return p.show(n, parts)
	}
	if measured && n.isEntity() && n.set.superlative == nil {
		return p.measuredOf(n, parts)
	}
	if n.hasAggregate() {
		return nil
	}
	if last := len(parts) - 1; parts[last].hasAggregate() {
		return p.showCount(n, parts[:last], parts[last])
	}
	if s := n.set.superlative; s != nil && s.by.column != nil && s.by.column.Class == catalog.Number && n.isEntity() && !isText(p.lexicon.relationInfo[n.set.relation].display[0]) {
		n = p.showMeasure([]reading{{n, 0}})[0].phrase // the amount of the largest receipt, which has no name
	}
	shown := p.show(n, parts)
	likelier := 0.0
	for _, part := range parts {
		if len(parts) > 1 && part.isEntity() && p.alwaysHas(n.set.relation, part.set.relation) {
			likelier = max(idleCondition, likelier+idleCondition/2)
		}
	}
	for i, r := range shown {
		x := r.phrase
		if !slices.ContainsFunc(parts, func(part *phrase) bool { return p.asksPartOfName(n, part.words[0], x.items) }) {
			x = x.showingFirst(p.withDisplay(n).items)
		}
		shown[i].phrase, shown[i].cost = x, r.cost-likelier
	}
	return shown
}

// showHowMuch shows what "and how much is it" asks for: a column of the things themselves, or else the number by which they are ranked.
func (p *parser) showHowMuch(n *phrase, a *attribute) []reading {
	for _, c := range a.candidates {
		if c.column.Relation == n.set.relation && !n.hasAggregate() && len(n.group) == 0 {
			x := p.withDisplay(n).clone()
			x.items = append(x.items[:len(x.items):len(x.items)], item{column: c.column, setID: n.set.id})
			return []reading{{x, 0.1}}
		}
	}
	if s := n.set.superlative; s != nil && n.isEntity() && (s.by.column == nil || s.by.column.Class == catalog.Number) {
		return p.showMeasure([]reading{{n, 0.1}})
	}
	return nil
}

// ownTotals returns the parts with a column that is called total as it is in each row, and not added up, where something else of the rows
// is shown, too.
func (n *phrase) ownTotals(parts []*phrase) []*phrase {
	if !n.isEntity() || len(parts) < 2 {
		return parts
	}
	out := slices.Clone(parts)
	for i, part := range parts {
		if !part.isAttribute() || len(part.items) != 1 || part.items[0].aggregate != "sum" || part.items[0].attribute == nil {
			continue
		}
		if c := part.items[0].attribute.candidates[0]; c.column.Relation == n.set.relation && c.score >= namedScore {
			out[i] = part.withItems(item{attribute: part.items[0].attribute})
		}
	}
	return out
}

// idleCondition is by how much likelier things are asked to be shown that all rows have than that those are wanted which have them:
// "reviews with product and rating". It is a little more for each of several.
const idleCondition = 0.5

// alwaysHas reports whether each row of a relation has exactly one of another.
func (p *parser) alwaysHas(r, other *catalog.Relation) bool {
	paths := p.pathsBetween(r, other)
	return len(paths) > 0 && paths[0].isAlways()
}

// measuredOf turns attributes that follow things or groups into aggregates over them: "orders of 2024, average total".
func (p *parser) measuredOf(n *phrase, parts []*phrase) []reading {
	var items []item
	for _, part := range parts {
		items = append(items, part.items...)
	}
	var out []reading
	for _, l := range p.resolveItems(n.set, items) {
		out = append(out, n.showing(l.root, l.items, l.cost))
	}
	return cheapestReadings(out, 3)
}

// showCount shows attributes of each thing and the number of its related rows: "branches with number of employees".
func (p *parser) showCount(n *phrase, parts []*phrase, count *phrase) []reading {
	if count.set == nil || count.set.relation == n.set.relation || !n.isEntity() || n.set.superlative != nil {
		return nil // of each, or of all together, is not said
	}
	list := []reading{{n, 0}}
	if len(parts) > 0 {
		list = p.showParts(n, parts)
	}
	return thenApply(list, 3, func(shown *phrase) []reading { return p.merge(shown, count) })
}

// pointedTo reports whether each row of s leads to at most one row of the other set.
func (p *parser) pointedTo(s, other *set) bool {
	if s.relation == other.relation {
		return true
	}
	paths := p.pathsBetween(s.relation, other.relation)
	return len(paths) > 0 && paths[0].toOne()
}

// countAndSum makes the outputs the number of things, and the sum of their only
// amount, of each group or of all.
func (p *parser) countAndSum(n *phrase, a *afterthought) []reading {
	x := n.clone()
	if !n.hasAggregate() {
		x.items = nil
		if a.count {
			counted := p.counted(n)
			if counted == nil {
				return nil
			}
			x = counted.clone()
			if len(n.group) == 0 && rowsAskedWords[p.at(0).lower] && !isSaid(p.tokens, "just", "only") {
				x.refusal = "The rows and how many there are of them are two answers: ask for the one, then for the other."
			}
		}
	} else if a.count && !slices.ContainsFunc(n.items, func(it item) bool { return it.aggregate == "count" }) {
		x.items = append([]item{{aggregate: "count", setID: n.set.id}}, n.items...)
	}
	if a.sum && !a.count && len(n.group) > 0 && !p.mentionsNumber() {
		x.items = nil // nobody asked how many there are
	}
	if a.sum {
		amount := p.onlyAmount(n.set.relation)
		if amount == nil {
			return nil
		}
		x.items = append(x.items[:len(x.items):len(x.items)], item{aggregate: "sum", column: amount, setID: n.set.id})
	}
	return []reading{{x, 0.05}}
}

// rowsAskedWords begin questions whose answer is rows, and not only their number.
var rowsAskedWords = wordSet([]string{"which", "who", "what", "list", "show"})

// withShareOfTotal adds to the measure of each group its share of that of all.
func (n *phrase) withShareOfTotal() []reading {
	var out []item
	for _, it := range n.items {
		out = append(out, it)
		if it.aggregate == "count" && !it.distinct || it.aggregate == "sum" {
			part := it
			part.ofTotal = true
			out = append(out, part)
		}
	}
	if len(out) != len(n.items)+1 {
		return nil
	}
	x := n.clone()
	x.items = out
	return []reading{{x, 0.05}}
}
