// Reading and writing growth: "growth of revenue per month", "monthly growth of orders".

package grammar

import (
	"fmt"
	"slices"

	"askpg/catalog"
)

// growths reads "growth of revenue", "growth in orders".
func (p *parser) growths(i int) (out []candidate) {
	if len(p.lexicon.labelsByStem[p.at(i).stem]) > 0 {
		return nil // a column is called so
	}
	for _, c := range p.nounsFrom(p.ends(i, "growth_of")) {
		for _, n := range p.growth(c.phrase) {
			out = append(out, candidate{n.phrase, c.end, c.cost + n.cost})
		}
	}
	return keepPerEnd(out)
}

// growthBehind reads "growth" behind what grows: "revenue growth per month".
func (p *parser) growthBehind(i int) []modifierCandidate {
	if p.at(i).lower != "growth" || len(p.lexicon.labelsByStem[p.at(i).stem]) > 0 {
		return nil
	}
	return []modifierCandidate{{modifier{kind: modifierGrowth}, i + 1, 0.05}}
}

// growth shows what is counted or added up of each time, and by how many percent that is more than of the time before.
func (p *parser) growth(n *phrase) []reading {
	if n.isEntity() && p.language.isRevenueWord(p.tokens[n.words[1]-1].lower) {
		return nil // what was earned is no number of rows or pieces
	}
	if n.isEntity() && !p.areSumsOfMoney(n.set.relation) {
		n = p.counted(n)
	}
	list := p.runningTotal(n)
	for i := range list {
		x := list[i].phrase.clone()
		of, grown := x.items[0], x.items[0]
		of.running, grown.running, grown.growth = false, false, true
		x.items = []item{of, grown}
		list[i].phrase = x
	}
	return list
}

// refuseGrowth refuses a growth from no time to the next, or of which only some times are kept.
func (p *parser) refuseGrowth(n *phrase) string {
	if !slices.ContainsFunc(n.items, func(it item) bool { return it.growth }) {
		return ""
	}
	times := slices.DeleteFunc(slices.Clone(n.group), func(g item) bool { return !isTimeKey(g) || intervalOf[p.lexicon.unitOfKey(g)] == "" })
	if len(times) != 1 || n.set.superlative != nil || n.number != "" || len(n.having) > 0 || len(n.order) > 0 {
		return "It is not said from which time to the next the growth is: say for each what, such as by month."
	}
	return ""
}

// intervalOf are intervals of SQL from a time of a key to the one before, by units.
var intervalOf = map[string]string{"hour": "1 hour", "day": "1 day", "week": "1 week", "month": "1 month", "quarter": "3 months", "year": "1 year"}

// unitOfKey returns the unit of time that a key is of: that of the key, of the name of its column, or a day.
func (x *lexicon) unitOfKey(key item) string {
	if key.trunc != "" {
		return key.trunc
	}
	for _, unit := range []string{"week", "month", "quarter", "year"} {
		if slices.Contains(x.relationInfo[key.column.Relation].names[key.column], x.language.stem(unit)) {
			return unit
		}
	}
	return "day"
}

// growth writes by how many percent an aggregate is more than that of the time before, which is null where there is none.
func (s *selection) growth(aggregate string) string {
	over, others := s.timeAndOtherKeys()
	for _, g := range s.phrase.group {
		if isTimeKey(g) {
			period := "INTERVAL " + literal(intervalOf[s.builder.lexicon.unitOfKey(g)])
			if g.trunc == "year" || g.column.Class == catalog.Number { // a year is a number
				period = "1"
			}
			before := fmt.Sprintf("sum(%s) OVER (%s RANGE BETWEEN %s PRECEDING AND %[3]s PRECEDING)", aggregate, orderedWindow(over, others), period)
			return fmt.Sprintf("100.0 * (%s - %s) / NULLIF(%[2]s, 0)", aggregate, before)
		}
	}
	return s.builder.noSQL()
}
