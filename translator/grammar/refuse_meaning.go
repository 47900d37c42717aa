// Refusing columns that do not mean what the words mean: years, money, dimensions, events.

package grammar

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"askpg/catalog"
)

// refuseMeaning refuses a reading that computes something else than the words mean.
func (p *parser) refuseMeaning(n *phrase) string {
	for i := range p.tokens {
		if why := p.refuseWordMeaning(n, i); why != "" {
			return why
		}
	}
	if why := p.refuseMonthWithoutYear(n.set); why != "" {
		return why
	}
	for _, it := range n.items {
		if it.aggregate == "count" && !it.distinct && it.column != nil && p.lexicon.graph.isForeign(it.column) {
			return fmt.Sprintf("The rows that have %s are no number of what it points to: ask for that by itself.", it.column.Name)
		}
		if p.isAveragedPerTime(n, it) {
			return fmt.Sprintf("It is not said whether the average is of %s or of the total of each time: say average of each of %s, or total.", it.column.Name, it.column.Relation.Name.Name)
		}
		if it.aggregate == "avg" && it.column != nil && len(n.group) > 0 && n.group[0].entity {
			if s := n.set.find(n.group[0].setID); s != nil && s != n.set && p.isAdditive(it.column) && p.isEvent(s.relation) {
				return fmt.Sprintf("It is not said whether the average is of each of %s or over all of them: say total, or average without per.", s.relation.Name.Name)
			}
		}
	}
	return ""
}

// isAveragedPerTime reports whether an amount that adds up is averaged per day, month or the like, and nobody said over which rows: the
// litres per day of a herd are added up before they are averaged.
func (p *parser) isAveragedPerTime(n *phrase, it item) bool {
	return it.aggregate == "avg" && it.column != nil && p.isAdditive(it.column) && !p.mentionsRelation(n.set.relation) && slices.ContainsFunc(n.group, func(g item) bool { return g.trunc != "" || g.column != nil && isTime(g.column) }) &&
		isSaid(p.tokens, "per")
}

// refuseWordMeaning refuses a reading that does not compute what one word means: "name" without a name among the outputs, "value" of
// something that is no money, "size" where a number may be meant.
func (p *parser) refuseWordMeaning(n *phrase, i int) string {
	switch t := p.tokens[i]; {
	case i > 1 && len(p.nameWords(i)) > 0 && len(p.ends(i-1, "possessive")) > 0:
		for _, m := range p.mentions.relations[i-2] {
			if m.end == i-1 && m.score >= namedScore && !p.showsName(n, m.relation) {
				return fmt.Sprintf("The name of %s is not among what is shown.", m.relation.Name.Name)
			}
		}
	case (t.lower == "value" || t.lower == "worth") && len(p.ends(i+1, "of_strict")) > 0 && len(p.mentions.attributes[i]) == 0 && (n.hasAggregate() || n.isEntity() || n.items[0].column != nil && n.items[0].column.Class == catalog.Number && p.bestNameScore(n.items[0].column) < namedScore) && !p.showsMoney(n):
		return fmt.Sprintf("No sum of money is the %s of that: name the amount that is added up.", t.lower)
	case t.lower == "size" || t.lower == "sizes":
		for _, it := range n.items {
			if c := it.column; c != nil && slices.Contains(p.lexicon.relationInfo[c.Relation].names[c], p.language.stem("capacity")) && len(p.eventsOf(c.Relation)) > 0 {
				return fmt.Sprintf("The size may be %s of %s or how many there are in each: say which.", c.Name, c.Relation.Name.Name)
			}
		}
	}
	return ""
}

// refuseMonthWithoutYear refuses a month without a year of what lies ahead as well as behind, such
// as a day on which something is due, where the next such month is nearer than the last.
func (p *parser) refuseMonthWithoutYear(s *set) string {
	for _, c := range conditionsIn(s) {
		if c.kind != compare || !c.latest || !p.isMaybeFuture(c.column) {
			continue
		}
		last, err := time.Parse(time.DateOnly, strings.TrimSuffix(strings.TrimPrefix(c.value.literals[0], "DATE '"), "'"))
		if now := p.now(); err == nil && last.AddDate(1, 0, 0).Sub(now) < now.Sub(last) {
			return fmt.Sprintf("It is not said of which year: say %s or %d.", c.value.plain, last.Year()+1)
		}
	}
	return ""
}

// isMaybeFuture reports whether a time may lie ahead, and no word of the question says that
// it is past.
func (p *parser) isMaybeFuture(c *catalog.Column) bool {
	names := p.lexicon.relationInfo[c.Relation].names[c]
	return slices.ContainsFunc(names, func(s string) bool { return p.language.futureTimeNames[s] }) &&
		!slices.ContainsFunc(p.tokens, func(t token) bool { return strings.HasSuffix(t.lower, "ed") && slices.Contains(names, t.stem) })
}

// showsName reports whether a phrase uses a column by which things of a relation are called.
func (p *parser) showsName(n *phrase, r *catalog.Relation) bool {
	u := p.used(n)
	return slices.ContainsFunc(p.lexicon.relationInfo[r].display, func(c *catalog.Column) bool { return u.columns[c] })
}

// showsMoney reports whether an output is a sum of money.
func (p *parser) showsMoney(n *phrase) bool {
	return slices.ContainsFunc(n.items, func(it item) bool {
		return it.measure != nil || it.column != nil && slices.ContainsFunc(p.lexicon.relationInfo[it.column.Relation].names[it.column], func(s string) bool { return p.language.moneyNames[s] })
	})
}

// isEvent reports whether the rows of a relation have a time and no name.
func (p *parser) isEvent(r *catalog.Relation) bool {
	info := p.lexicon.relationInfo[r]
	return len(info.dates) > 0 && !p.lexicon.hasName(r)
}

// eventsOf returns the relations of which rows that have a time, or only connect
// others, point to those of r.
func (p *parser) eventsOf(r *catalog.Relation) (out []*catalog.Relation) {
	for _, e := range p.lexicon.graph.edges[r] {
		if info := p.lexicon.relationInfo[e.to]; !e.toOne && e.to != r && (len(info.dates) > 0 || info.junction) && !slices.Contains(out, e.to) {
			out = append(out, e.to)
		}
	}
	return out
}

// withPopularityRefused marks a phrase as refused that takes the most frequent for the most popular, where the rows are things and no
// events: popular is what much happens to.
func (p *parser) withPopularityRefused(n *phrase) *phrase {
	if n.set != nil && n.set.superlative != nil {
		x := n.clone()
		x.refusal = "It is not said what is counted: name it, as in \"with the most\"."
		return x
	}
	if n.set == nil || len(n.items) != 1 || n.items[0].column == nil {
		return n
	}
	c := n.items[0].column
	events := p.eventsOf(c.Relation)
	if summary := c.Relation.Kind == catalog.View || c.Relation.Kind == catalog.MaterializedView; !summary && (!slices.Contains(c.Relation.PrimaryKey, c) && (p.isEvent(c.Relation) || len(events) == 0 && !isNearlyUnique(c))) {
		return n
	}
	x := n.clone()
	x.refusal = fmt.Sprintf("It is not said by what %s is popular: name what is counted, as in \"with the most\".", c.Name)
	if len(events) > 0 {
		x.refusal = fmt.Sprintf("It is not said by what %s is popular: name what is counted, as in \"with the most %s\".", c.Name, events[0].Name.Name)
	}
	return x
}

// refuseUnclearPopularity marks readings of "the most popular" as refused where what most rows have need not be popular.
func (p *parser) refuseUnclearPopularity(list []reading, words []string) []reading {
	if len(words) > 0 && (words[0] == "popular" || words[0] == "busy" || words[0] == "busiest" || words[0] == "quietest") {
		for i := range list {
			list[i].phrase = p.withPopularityRefused(list[i].phrase)
		}
	}
	return list
}

// otherDimension reports whether a name is of something that the adjective's word does
// not speak of: hourly_rate is no length, nor is price_per_hour.
func (p *parser) otherDimension(stems []string, lb *label) bool {
	words := splitName(lb.column.Name)
	if per := slices.Index(words, "per"); per >= 0 && slices.ContainsFunc(words[per:], func(w string) bool { return p.language.stem(w) == stems[0] }) {
		return true
	}
	last := len(lb.stems) - 1
	return last >= 0 && p.language.dimensionNames[lb.stems[last]] && !slices.ContainsFunc(stems, func(s string) bool { return s == lb.stems[last] || p.lexicon.isSynonym(s, lb.stems[last]) })
}

// isMark reports whether a column holds marks.
func (p *parser) isMark(c *catalog.Column) bool {
	return c.Class == catalog.Number && slices.ContainsFunc(splitName(c.Name), func(w string) bool {
		return w == "rating" || w == "ratings" || w == "score" || w == "scores" || w == "stars" || w == "star"
	})
}
