// Refusing readings of which a part has no effect, or another effect than its words have.

package grammar

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"askpg/catalog"
)

// refuseVacuous refuses a reading of which a part has no effect, or another effect than its words have.
func (p *parser) refuseVacuous(n *phrase) string {
	for _, part := range n.ratio {
		if why := p.refuseVacuous(part); why != "" {
			return why
		}
	}
	if n.set == nil {
		return ""
	}
	return cmp.Or(p.firstRefusal(n, (*parser).refuseItselfUnder, (*parser).refuseVacuousFlag, (*parser).refuseVacuousSuperlative, (*parser).refuseVacuousCount,
		(*parser).refuseVacuousLimit, (*parser).refuseVacuousGroup), p.refuseVacuousSet(n.set))
}

// refuseItselfUnder refuses the thing itself where what is under it is asked for: "categories under Kitchen" are not Kitchen.
func (p *parser) refuseItselfUnder(n *phrase) string {
	display := p.lexicon.relationInfo[n.set.relation].display
	if len(display) != 1 || p.lexicon.graph.selfReference(n.set.relation, true) == nil || !speaksOf(n.set.conditions, display[0]) {
		return ""
	}
	if p.anywhere(func(i int) bool {
		for _, hits := range p.mentions.values[i] {
			if i > 0 && slices.Contains([]string{"under", "below", "in"}, p.tokens[i-1].lower) && slices.ContainsFunc(hits, func(h valueMention) bool { return h.column == display[0] }) {
				return true
			}
		}
		return false
	}) {
		return fmt.Sprintf("What is under one of %s is not that one: say which belong to it.", n.set.relation.Name.Name)
	}
	return ""
}

// refuseVacuousFlag is refuseVacuous for items: it refuses a column of yes and no that is put out of many rows.
func (p *parser) refuseVacuousFlag(n *phrase) string {
	for _, it := range n.items {
		if c := it.column; c != nil && it.aggregate == "" && isYesNo(c) && !p.namesOneRow(n.set.find(it.setID)) {
			return fmt.Sprintf("%s says yes or no: say whether it has to be so, or of what it is asked.", c.Name)
		}
	}
	return ""
}

// refuseVacuousSuperlative is refuseVacuous for superlatives: it refuses the first of things by a column of which each has several values.
func (p *parser) refuseVacuousSuperlative(n *phrase) string {
	s := n.set.superlative
	if why := p.refuseRankByOne(n.set); why != "" && !n.attributeHead { // the cities of addresses have several customers
		return why
	}
	if s == nil || s.count == "1" && (n.number == "" || n.number == "1") || s.by.aggregate != "" || s.by.setID == n.set.id || reachedToOne(n.set, s.by.setID) {
		return ""
	}
	return fmt.Sprintf("There are several values of %s each: say total, average, highest or lowest.", s.by.column.Name)
}

// refuseRankByOne refuses the first of things by how many they have of what each has one of.
func (p *parser) refuseRankByOne(s *set) string {
	display := p.lexicon.relationInfo[s.relation].display
	if m := s.superlative; m != nil && (len(display) == 0 || !isText(display[0])) && m.by.aggregate == "count" && m.by.column == nil && m.by.setID != s.id && reachedToOne(s, m.by.setID) {
		return fmt.Sprintf("Each of %s has one of %s at most: say what is counted.", s.relation.Name.Name, s.find(m.by.setID).relation.Name.Name)
	}
	return ""
}

// refuseUnitsCounted refuses to count or to list numbers of which a total is asked for: "how many kg did we roast", "units sold in May".
func (p *parser) refuseUnitsCounted(n *phrase) string {
	if len(n.items) != 1 || n.set == nil || p.namesOneRow(n.set) {
		return ""
	}
	it := n.items[0]
	if it.column == nil || it.aggregate != "count" && it.aggregate != "" {
		return ""
	}
	if why := p.refuseSaidCounted(it); why != "" {
		return why
	}
	if it.aggregate == "" && slices.Contains(p.lexicon.soldQuantities, it.column) && isSaid(p.tokens, "sold") {
		return fmt.Sprintf("%s is the number of each line: say total.", it.column.Name)
	}
	for _, e := range p.ends(0, "how_many") {
		if len(p.unit(e)) > 1 && it.column.Class == catalog.Number {
			if factor, ok := unitFactor(p.at(e).lower, it.column); ok && (factor == nil || factor.Cmp(big.NewRat(1, 1)) == 0) {
				return fmt.Sprintf("%s is a number of %s already: say total.", it.column.Name, p.tokens[e].text)
			}
		}
	}
	return ""
}

// refuseSaidCounted refuses to count different values of a column where the question says of how many things something is so: "how many patients
// smoke" is no number of what the column smoker holds.
func (p *parser) refuseSaidCounted(it item) string {
	if it.aggregate != "count" || !isText(it.column) {
		return ""
	}
	for _, e := range p.ends(0, "how_many") {
		for _, m := range p.mentions.relations[e] {
			said := slices.Concat(p.mentions.attributes[e][m.end+1].all(), p.mentions.attributes[m.end][m.end+1].all())
			if m.relation == it.column.Relation && m.score >= namedScore && singularOf(p.at(m.end)) == "" && slices.ContainsFunc(said, func(c columnCandidate) bool { return c.column == it.column }) {
				return fmt.Sprintf("It is not said which value of %s is meant by %q.", it.column.Name, p.tokens[m.end].text)
			}
		}
	}
	return ""
}

// refuseVacuousCount is refuseVacuous for what is counted: it refuses pieces for what they are worth, a count where an amount of money is asked for,
// and to count the values of a column of numbers.
func (p *parser) refuseVacuousCount(n *phrase) string {
	for _, it := range n.items {
		if c := it.column; c != nil && p.lexicon.isStock(c) && slices.ContainsFunc(p.tokens, isWorth) && !p.showsMoney(n) {
			return fmt.Sprintf("%s is a number of pieces: it is not said what they are worth.", c.Name)
		}
	}
	for _, it := range slices.Concat(n.items, n.ranks()) {
		if p.asksMoney && it.aggregate == "count" {
			return fmt.Sprintf("It is not said what of %s is added up: say total of what.", n.set.relation.Name.Name)
		}
		if it.aggregate == "count" && (!it.distinct || !p.mentionsDistinct()) && it.column != nil && it.column.Class == catalog.Number && !p.isIdentifier(it.column) {
			return fmt.Sprintf("%s is a number already: say total, average, highest or lowest.", it.column.Name)
		}
	}
	return ""
}

// refuseVacuousLimit is refuseVacuous for numbers of rows: it refuses one that is not whole, a count of rows of which there is but one, because a name
// tells it or because each group has one at most, and what refuseVacuousNumber refuses.
func (p *parser) refuseVacuousLimit(n *phrase) string {
	if strings.Contains(n.number, ".") || n.set.superlative != nil && strings.Contains(n.set.superlative.count, ".") {
		return "A number of rows is whole: say how many are wanted."
	}
	if goods := p.goods(); goods == n.set.relation && n.countsRows() && p.isToldByText(n.set) && !p.says("named") {
		return fmt.Sprintf("One of %s is called so: say total stock of it, or ordered.", goods.Name.Name)
	}
	if len(n.group) == 0 && !n.asksExistence && hasEvent(n.set) && p.isToldByText(n.set) && (n.countsRows() || len(n.items) == 0) {
		return fmt.Sprintf("Of what is called so there is one in %s: say what is counted of it.", n.set.relation.Name.Name)
	}
	for _, key := range n.group {
		counted := slices.ContainsFunc(n.items, func(it item) bool {
			return it.aggregate == "count" && it.column == nil && it.setID == n.set.id && !it.ofTotal
		})
		way := n.set.pathTo(key.setID).edges
		if key.entity && counted && len(way) > 0 && !slices.ContainsFunc(way, func(e *edge) bool { return e.toOne }) {
			return fmt.Sprintf("Each of %s has one of %s at most: say what is counted.", way[len(way)-1].to.Name.Name, n.set.relation.Name.Name)
		}
	}
	return p.refuseVacuousNumber(n)
}

// hasEvent reports whether something that has a time happened to the things of a set.
func hasEvent(s *set) bool {
	return slices.ContainsFunc(s.conditions, func(c condition) bool {
		return c.kind == related && !c.negated && slices.ContainsFunc(c.child.conditions, func(d condition) bool {
			return d.kind == compare && isTime(d.column)
		})
	})
}

// refuseVacuousNumber is refuseVacuous for numbers by which single rows are ranked or that stand beside them: it refuses to count these rows.
func (p *parser) refuseVacuousNumber(n *phrase) string {
	shown := p.showsKey(n)
	own := shown || slices.ContainsFunc(n.group, func(it item) bool { return it.entity && it.setID == n.set.id })
	own = own || n.set.superlative != nil && len(n.group) == 0 && len(n.items) == 0
	numbers := n.ranks()
	for _, h := range n.having {
		numbers = append(numbers, h.by)
	}
	if shown {
		numbers = append(numbers, n.items...)
	}
	if own && slices.ContainsFunc(numbers, func(it item) bool {
		ofRows := it.column == nil || it.column == only(p.lexicon.relationInfo[n.set.relation].key)
		return it.aggregate == "count" && ofRows && it.setID == n.set.id
	}) {
		return "Of each there is one: say of what there have to be several."
	}
	return ""
}

// refuseVacuousGroup is refuseVacuous for groups: it refuses a set that is divided by something of which the same kind of rows is asked again.
func (p *parser) refuseVacuousGroup(n *phrase) string {
	if len(n.group) == 0 || !n.hasAggregate() || p.countMentions(n.set.relation) >= 2 {
		return ""
	}
	for _, c := range n.set.conditions {
		if c.kind == related && c.joined && slices.ContainsFunc(c.child.conditions, func(d condition) bool {
			return d.kind == related && d.count == nil && d.child.relation == n.set.relation // of several rows a number is not said of one
		}) {
			return fmt.Sprintf("What is said last may be of %s or of what they are divided by: say it of %[1]s first.", n.set.relation.Name.Name)
		}
	}
	return ""
}

// refuseMeasureAsKey refuses to divide rows by a number that is measured, of which nearly each row has another one: "freight cost per tonne"
// is no cost for each weight, and of "best selling products by pieces" these say how much.
func (p *parser) refuseMeasureAsKey(n *phrase) string {
	const fewValues = 12 // such as rates of a tax
	for _, key := range slices.Concat(n.group, n.partition) {
		c := key.column
		if c == nil || key.aggregate != "" || key.trunc != "" || c.Class != catalog.Number || p.isIdentifier(c) {
			continue
		}
		ranks := n.set.superlative != nil && n.set.superlative.by.column == c
		if !ranks && c.Profile != nil && c.Profile.Distinct <= fewValues {
			continue
		}
		names := p.lexicon.relationInfo[c.Relation].names[c]
		decimals := strings.HasPrefix(c.Type, "numeric(") && !strings.HasSuffix(c.Type, ",0)") && strings.Contains(c.Type, ",")
		money := slices.ContainsFunc(names, func(s string) bool { return p.language.moneyNames[s] })
		if ranks || decimals || money || p.lexicon.isPrice(c) || slices.Contains(p.lexicon.soldQuantities, c) {
			return fmt.Sprintf("%s is measured, and divides nothing: say what is counted or added up, and for each of what.", c.Name)
		}
	}
	return ""
}

// isToldByText reports whether a text that is another one for each row says which row a set is. A key does not count, unlike in namesOneRow.
func (p *parser) isToldByText(s *set) bool {
	return s.superlative == nil && slices.ContainsFunc(s.conditions, func(c condition) bool {
		return c.kind == compare && c.op == "=" && isText(c.column) && len(c.value.literals) == 1 && isNearlyUnique(c.column)
	})
}

// mentionsDistinct reports whether the question asks for different values.
func (p *parser) mentionsDistinct() bool {
	return p.says("distinct")
}

// showsKey reports whether an output tells the rows of the set apart.
func (p *parser) showsKey(n *phrase) bool {
	return slices.ContainsFunc(n.items, func(it item) bool {
		return it.setID == n.set.id && it.column != nil && it.aggregate == "" && (it.column.Unique || hasSameColumns(p.lexicon.relationInfo[n.set.relation].key, []*catalog.Column{it.column}))
	})
}

// refuseVacuousSet is refuseVacuous for the conditions of a set.
func (p *parser) refuseVacuousSet(s *set) string {
	for i, c := range s.conditions {
		why := ""
		switch c.kind {
		case compare:
			if beyondAll(c) {
				why = fmt.Sprintf("Nothing is beyond the lowest or the highest %s of all: name the column that says how far it may go.", c.column.Name)
			} else if same := equalTo(s.conditions, c.column); c.op == "<>" && same != nil {
				why = fmt.Sprintf("%s of %s has one value at a time, so that %s is never %s: leave the second out.", c.column.Name, s.relation.Name.Name, same.value.plain, c.value.plain)
			} else if (c.op == "<>" || c.op == "not in" || c.op == "not ilike") && p.lexicon.hasSeveralRowsOfThing(s.relation) {
				why = fmt.Sprintf("Several rows of %s are of one thing, of which some may be so and others not: ask for those that are.", s.relation.Name.Name)
			}
		case anyOf:
			why = refuseVacuousAlternative(c.parts)
		case related:
			why = p.refuseVacuousRelation(s, c, s.conditions[:i])
		}
		if why != "" {
			return why
		}
	}
	return ""
}

// beyondAll reports whether a column has to be below the lowest of its own values, or above the highest.
func beyondAll(c condition) bool {
	q := c.value.query
	if q == nil || len(q.items) != 1 || q.items[0].column != c.column || len(q.set.conditions) > 0 {
		return false
	}
	return c.op == "<" && q.items[0].aggregate == "min" || c.op == ">" && q.items[0].aggregate == "max"
}

// equalTo returns the condition that a column has one value, nil if there is none.
func equalTo(conditions []condition, c *catalog.Column) *condition {
	for i, o := range conditions {
		if o.kind == compare && o.op == "=" && o.column == c && len(o.value.literals) == 1 {
			return &conditions[i]
		}
	}
	return nil
}

// refuseVacuousAlternative is refuseVacuous for conditions of which one has to hold: it refuses those of which one holds wherever another does.
func refuseVacuousAlternative(parts []condition) string {
	for a := range parts {
		for b := range parts {
			if a != b && isImpliedBy(parts[a], parts[b]) {
				return fmt.Sprintf("What is said of %s after \"or\" changes nothing: say of which of the two it is said.", parts[a].child.relation.Name.Name)
			}
		}
	}
	return ""
}

// refuseVacuousRelation is refuseVacuous for a condition that a set is related to another one. before are the set's conditions before it.
func (p *parser) refuseVacuousRelation(s *set, c condition, before []condition) string {
	asks := func(op string) bool {
		return slices.ContainsFunc(c.child.conditions, func(d condition) bool {
			implied := c.joined && d.column != nil && p.lexicon.isNamed(d.column, p.language.unsoldNames) // as revenueWithoutCancelled adds it
			return d.kind == compare && d.op == op && !implied
		})
	}
	name, child := s.relation.Name.Name, c.child.relation.Name.Name
	if c.negated && !c.path.toOne() && !isSaid(p.tokens, "never") && asks("is not null") {
		return fmt.Sprintf("Of several rows of %s for one of %s some may be so and others not: ask for those of %[1]s.", child, name)
	}
	if !c.negated && !p.mentionsRelation(c.child.relation) && asks("is null") && !p.mentionsNow() && !p.asksWhoIsThere() {
		return fmt.Sprintf("%s has no column of that: it is of %s.", name, child)
	}
	if via := p.chasmTrapRelation(c.path); via != nil {
		return fmt.Sprintf("%s and %s of the same row of %s need not belong together: say how they do.", name, child, via.Name.Name)
	}
	for _, d := range before {
		if mayBeOtherRows(c, d) && p.countMentions(c.child.relation) < 2 {
			return fmt.Sprintf("It is not said whether all that is said of %s is of the same one.", child)
		}
		if d.kind == related && d.joined && c.joined && d.path.edges[0] == c.path.edges[0] && !d.path.toOne() && !c.path.toOne() {
			return fmt.Sprintf("What is said of %s is not said of the same one.", d.path.edges[0].to.Name.Name)
		}
	}
	for _, e := range c.path.edges {
		if !e.toOne && !isKey(e.fromCols) && !isNearlyUnique(e.fromCols[0]) && !slices.Equal(p.lexicon.likelyKey(e.from), e.fromCols) {
			return fmt.Sprintf("%s and %s have only %s in common.", e.from.Name.Name, e.to.Name.Name, e.fromCols[0].Name)
		}
	}
	return cmp.Or(p.refuseRankByOne(c.child), p.refuseVacuousSet(c.child))
}

// mayBeOtherRows reports whether two conditions are on the same relation by different columns, so that different rows may meet them.
func mayBeOtherRows(a, b condition) bool {
	if a.kind != related || b.kind != related || a.negated || b.negated || a.count != nil || b.count != nil || a.path.toOne() || a.path.edges[0] != b.path.edges[0] || a.child.relation != b.child.relation {
		return false
	}
	for _, c := range a.child.conditions {
		if c.kind != compare || slices.ContainsFunc(b.child.conditions, func(d condition) bool { return d.kind != compare || d.column == c.column }) {
			return false
		}
	}
	return len(a.child.conditions) > 0 && len(b.child.conditions) > 0
}

// isImpliedBy reports whether condition a holds wherever b does, since it restricts the same relation less.
func isImpliedBy(a, b condition) bool {
	return a.kind == related && b.kind == related && !a.negated && !b.negated && a.count == nil && b.count == nil &&
		a.child.relation == b.child.relation && len(a.child.conditions) == 0 && a.child.superlative == nil
}

// hasSeveralRowsOfThing reports whether several rows of a relation may stand for one named thing: no key, or only a key of more columns,
// tells rows of one name apart.
func (x *lexicon) hasSeveralRowsOfThing(r *catalog.Relation) bool {
	display := x.relationInfo[r].display
	if len(display) != 1 || !isText(display[0]) || isNearlyUnique(display[0]) {
		return false
	}
	return r.PrimaryKey == nil || len(r.PrimaryKey) > 1 && slices.Contains(r.PrimaryKey, display[0])
}

// chasmTrapRelation returns the relation of a chasm trap: both ends of a path are many rows of it, it alone relates them, and the
// question does not name it. It returns nil if the path is no chasm trap.
func (p *parser) chasmTrapRelation(pt path) *catalog.Relation {
	for i := 1; i < len(pt.edges); i++ {
		if via := pt.edges[i].from; pt.edges[i-1].toOne && !pt.edges[i].toOne && !p.mentionsRelation(via) {
			return via
		}
	}
	return nil
}
