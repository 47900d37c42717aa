// Refusing outputs that are not what was asked for: codes for names, a state for the things that are in it.

package grammar

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"askpg/catalog"
)

// refuseCodeForWho refuses numbers of people where no key leads to their names: a column rep_no of customers is no list of sales reps.
func (p *parser) refuseCodeForWho(n *phrase) string {
	shown := n.group
	if len(n.items) == 1 {
		shown = append(slices.Clone(n.group), n.items[0])
	}
	for _, it := range shown {
		c := it.column
		if c == nil || it.aggregate != "" || c.Class != catalog.Number || it.entity {
			continue
		}
		names := p.lexicon.relationInfo[c.Relation].names[c]
		last := lastOf(names)
		if p.isNumbering(c) && len(names) > 1 && !p.asksNumber(last) {
			last = names[len(names)-2]
		}
		asked := p.mentionsStem("id", "number", "code") || slices.Contains(p.lexicon.relationInfo[c.Relation].key, c)
		if p.language.numberedNames[last] && !asked && p.isIdentifier(c) {
			return fmt.Sprintf("%s of %s is a number, and nothing tells whose it is: ask for the number, or define what it points to.", c.Name, c.Relation.Name.Name)
		}
	}
	return ""
}

// refuseGivenName refuses the name that the question gives where that of its things is asked for: the "names of the members of the band Ash"
// are not Ash.
func (p *parser) refuseGivenName(n *phrase) string {
	asked := false
	for i := range p.tokens {
		if len(p.nameWords(i)) > 0 && p.at(i+1).lower == "of" {
			asked = asked || slices.ContainsFunc(p.maybe(i+2, "article"), func(j int) bool { return p.namesAt(j, n.set.relation) })
		}
	}
	for _, it := range n.items {
		s := n.set.find(it.setID)
		if !asked || s == nil || s.relation == n.set.relation || it.aggregate != "" || !slices.Contains(p.lexicon.relationInfo[s.relation].display, it.column) {
			continue
		}
		if slices.ContainsFunc(s.conditions, func(c condition) bool { return c.kind == compare && c.op == "=" && c.column == it.column }) {
			return fmt.Sprintf("%s of %s is what the question says, and no name of %s: say which name is wanted.", it.column.Name, s.relation.Name.Name, n.set.relation.Name.Name)
		}
	}
	return ""
}

// refuseStateShown refuses to show a flag or a time that only qualifies the noun: "repaid loans" asks for loans.
func (p *parser) refuseStateShown(n *phrase) string {
	if len(n.items) != 1 || n.items[0].column == nil || n.items[0].aggregate != "" || n.items[0].trunc != "" || len(n.group) > 0 {
		return ""
	}
	c := n.items[0].column
	for i := range p.tokens {
		for end, a := range inOrder(p.mentions.attributes[i]) {
			said := slices.ContainsFunc(a.candidates, func(o columnCandidate) bool { return o.column == c })
			state := isTime(c) || c.Class == catalog.Number && p.holdsZeroOrOne(c)
			if said && state && p.namesAt(end, c.Relation) {
				return fmt.Sprintf("%q says what they are, and is not what is shown: say of %s what has to hold.", p.text(i, end), c.Name)
			}
		}
	}
	return ""
}

// holdsZeroOrOne reports whether a column of numbers is known to hold 0 and 1 alone.
func (p *parser) holdsZeroOrOne(c *catalog.Column) bool {
	return c.Profile != nil && len(c.Profile.Common) > 0 && !slices.ContainsFunc(c.Profile.Common, func(v string) bool { return v != "0" && v != "1" })
}

// refuseListForYesNo refuses a list of values where a question is answered by yes or no.
func (p *parser) refuseListForYesNo(n *phrase) string {
	if !p.asksWhether() || n.asksExistence || len(n.items) == 0 || n.hasAggregate() || p.namesOneRow(n.set) || len(n.group) > 0 {
		return ""
	}
	return "It is not said of what it is asked whether there are any: name the things."
}

// refuseJunctionKeys refuses the rows of a junction table, which have no name, where a number of theirs is asked for: "the stock of
// hammers" is a quantity.
func (p *parser) refuseJunctionKeys(n *phrase) string {
	info := p.lexicon.relationInfo[n.set.relation]
	if len(n.items) > 0 || len(n.group) > 0 || n.asksExistence || len(info.display) < 2 {
		return ""
	}
	for _, c := range info.display {
		if !p.lexicon.graph.isForeign(c) {
			return ""
		}
	}
	i := slices.IndexFunc(n.set.relation.Columns, func(c *catalog.Column) bool {
		return c.Class == catalog.Number && !p.isIdentifier(c) && !slices.Contains(info.key, c)
	})
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("%s has no name to show: say what is wanted of it, such as %s.", n.set.relation.Name.Name, n.set.relation.Columns[i].Name)
}

// refuseKeyForWhat refuses keys as the answer to "what", where text columns say it: "what ailments does Ann have".
func (p *parser) refuseKeyForWhat(n *phrase) string {
	r := n.set.relation
	asked := p.at(0).lower == "what" && p.at(p.wordsEnd()-1).lower == "have" && len(n.set.conditions) > 0
	display := only(p.lexicon.relationInfo[r].display)
	if !asked || !n.isEntity() || len(n.group) > 0 || n.set.superlative != nil || display == nil || display.Class != catalog.Number || !p.isIdentifier(display) {
		return ""
	}
	if i := slices.IndexFunc(r.Columns, isText); i >= 0 {
		return fmt.Sprintf("%s of %s says nothing of what they are: name the column that is wanted, such as %s.", display.Name, r.Name.Name, r.Columns[i].Name)
	}
	return ""
}

// refuseOtherUnit refuses a number in another unit than the question says that it shall be shown in.
func (p *parser) refuseOtherUnit(n *phrase) string {
	for i, t := range p.tokens {
		if t.lower != "in" || i == 0 {
			continue
		}
		unit := p.at(i + 1).lower
		if len(unit) < 2 {
			continue
		}
		for _, it := range n.items {
			if it.column == nil || it.column.Class != catalog.Number || it.aggregate == "count" {
				continue
			}
			_, known := unitHeld(it.column)
			if factor, ok := unitFactor(unit, it.column); factor != nil && factor.Cmp(big.NewRat(1, 1)) != 0 || !ok || moneyUnits[unit] && !known && len(p.mentions.values[i+1]) == 0 {
				return fmt.Sprintf("%s is not known to be in %s: leave the unit out.", it.column.Name, unit)
			}
		}
	}
	return ""
}

// refuseMeasureLeftOut refuses a reading without a measure of which the question has the name that an admin gave it.
func (p *parser) refuseMeasureLeftOut(n *phrase) string {
	measured := false
	n.eachItem(func(it item) {
		for y := &it; y != nil; y = y.divisor {
			measured = measured || y.measure != nil || y.aggregate == measureAggregate
		}
	})
	walk(n.set, func(s *set, _ int) { measured = measured || s.isMeasured || s.isReadByMeasure })
	if measured {
		return ""
	}
	for i := range p.tokens {
		if name := p.definedAt(i); name != "" {
			return fmt.Sprintf("%q is defined, but not how it goes together with the rest.", name)
		}
	}
	return ""
}

// longerName reports whether a longer span around the tokens from i to end is the exact name of a column or a relation.
func (p *parser) longerName(i, end int) bool {
	for from := max(0, i-maxSpan); from <= i; from++ {
		for e, a := range p.mentions.attributes[from] {
			if e >= end && e-from > end-i && a.candidates[0].score >= exactNameScore {
				return true
			}
		}
		if slices.ContainsFunc(p.mentions.relations[from], func(m relationMention) bool { return m.end >= end && m.end-from > end-i && m.score >= exactNameScore }) {
			return true
		}
	}
	return false
}

// definedAt returns the words from token i on that are the name of a measure and of no table or column, "" if there are none.
func (p *parser) definedAt(i int) (name string) {
	p.measuresAt(i, func(m *catalog.Measure, end int) {
		a := p.mentions.attributes[i][end]
		if p.longerName(i, end) {
			return // "sales rep" is no "sales"
		}
		if m.Aggregate.Text != "" && len(p.mentions.relations[i]) == 0 && (a == nil || a.candidates[0].score < exactNameScore) {
			name = p.text(i, end)
		}
	})
	return name
}

// refuseListedByKind refuses to list rows by what they are of, where each of that has several: "vaccinations by vaccine" are counted for each.
func (p *parser) refuseListedByKind(n *phrase) string {
	if len(n.group) > 0 || len(n.order) > 0 || n.set.superlative != nil || n.number != "" || len(p.lexicon.relationInfo[n.set.relation].dates) == 0 {
		return ""
	}
	c := only(p.lexicon.relationInfo[n.set.relation].display)
	if len(n.items) == 1 {
		c = n.items[0].column
	}
	if c == nil || len(n.items) > 1 || len(n.items) == 1 && n.items[0].aggregate != "" || !hasRepeats(c) {
		return ""
	}
	for i := range p.tokens {
		if p.at(i).lower != "by" && p.at(i).lower != "per" {
			continue
		}
		for _, a := range inOrder(p.mentions.attributes[i+1]) {
			if slices.ContainsFunc(a.candidates, func(o columnCandidate) bool { return o.column == c }) {
				return fmt.Sprintf("Each %s may have several of %s: say number of them, or sorted by.", c.Name, n.set.relation.Name.Name)
			}
		}
	}
	return ""
}

// refuseTimesForThings refuses to list times where things are asked for that are called by what was done to them then: "which invoices are overdue"
// asks for no invoiced_on.
func (p *parser) refuseTimesForThings(n *phrase) string {
	if len(n.items) != 1 || !n.attributeHead && !n.distinct || n.items[0].aggregate != "" || n.items[0].column == nil || !isTime(n.items[0].column) {
		return ""
	}
	c := n.items[0].column
	if !strings.HasSuffix(splitName(c.Name)[0], "ed") || isSaid(p.tokens, "when", "date", "dates", "day", "days", "time", "times", "month", "months", "year", "years") {
		return ""
	}
	return fmt.Sprintf("%s says when: say what of %s is to be shown.", c.Name, c.Relation.Name.Name)
}

// refuseUncompared refuses one number, in all or of each group that is no time, where the question compares two, or asks for that of each of two times.
func (p *parser) refuseUncompared(n *phrase) string {
	timed := slices.ContainsFunc(n.group, func(it item) bool { return it.trunc != "" || it.column != nil && isTime(it.column) })
	if timed || len(n.ratio) > 0 || len(n.items) != 1 || n.items[0].aggregate == "" || len(n.items[0].where) > 0 {
		return ""
	}
	and := p.timesApart() // loans "in 2023 and in 2024" may be those of both, an average is none of both
	compares := p.at(0).lower == "compare" && len(n.group) == 0
	if !compares && (and == 0 || p.language.prepositions[p.at(and+1).lower] && n.items[0].aggregate != "avg") {
		return ""
	}
	return "It is not said of which two the numbers are compared: ask for each."
}

// timesApart returns where "and" stands between two times of which each is meant alone, 0 if it does not: "this year and last year", "in 2024
// and in 2025".
func (p *parser) timesApart() int {
	for and := 2; and+1 < len(p.tokens); and++ {
		if p.tokens[and].lower != "and" || !p.endsDate(and) || len(p.date(and+1)) == 0 {
			continue
		}
		again := p.language.prepositions[p.at(and+1).lower]
		for i := range and {
			repeated := again && p.tokens[i].lower == p.at(and+1).lower
			relative := !again && (len(p.anyOfPhrases(and+1, p.language.dates.Last)) > 0 || len(p.anyOfPhrases(and+1, p.language.dates.This)) > 0)
			if (repeated || relative) && slices.ContainsFunc(p.date(i), func(d dateCandidate) bool { return d.end == and }) {
				return and
			}
		}
	}
	return 0
}
