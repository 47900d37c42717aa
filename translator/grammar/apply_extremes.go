// The columns that adjectives are about, and superlatives of adjectives: "the oldest singer".

package grammar

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"askpg/catalog"
)

// attributeNamed makes an attribute of the columns whose names hold one of the words,
// which come in order of preference; nil if there is none.
func (p *parser) attributeNamed(words, down []string, i, j int) *attribute {
	a := &attribute{start: i, end: j, fromAdjective: true}
	seen := map[*catalog.Column]bool{}
	collect := func(words []string, isDown bool, offset float64) {
		lengths := slices.Contains(words, "duration") // which no moment is
		for k, w := range words {
			stems := p.lexicon.stems(strings.Fields(w))
			for _, lb := range p.labelsNear(stems[0]) {
				if lb.column == nil || seen[lb.column] || lb.comment || lb.age || p.otherDimension(stems, lb) || otherWord(w, lb) || p.isSurcharge(lb.column) {
					continue
				}
				if s := p.lexicon.match(stems, lb); s > 0 && !(lengths && isTime(lb.column)) && p.lexicon.isGraded(lb.column) {
					seen[lb.column] = true
					a.candidates = append(a.candidates, columnCandidate{lb.column, max(0.2, s-offset-0.13*float64(k)), lb, isDown})
				}
			}
		}
	}
	collect(words, false, 0)
	collect(down, true, 0.1)
	if len(a.candidates) == 0 {
		return nil
	}
	sort.SliceStable(a.candidates, func(x, y int) bool { return a.candidates[x].score > a.candidates[y].score })
	return a
}

// isGraded reports whether there is more and less, or earlier and later, in the values of a column.
func (x *lexicon) isGraded(c *catalog.Column) bool {
	switch c.Class {
	case catalog.Number, catalog.Date, catalog.Timestamp, catalog.Interval, catalog.Time:
		return !x.graph.isForeign(c)
	}
	return false
}

// otherWord reports whether a name is of a rating where a rate is meant, or the other way round: the two are made of one word.
func otherWord(word string, lb *label) bool {
	rating := slices.Contains(lb.words, "rating") || slices.Contains(lb.words, "ratings")
	return word == "rating" && slices.Contains(lb.words, "rate") || word == "rate" && rating
}

// ofTime reports whether an adjective speaks of when something happened, and
// whether it says "late" or "early".
func (a adjective) ofTime() (late, ok bool) {
	switch {
	case slices.Contains(a.columns, "date"):
		return a.up, true
	case slices.Contains(a.down, "date"):
		return !a.up, true
	}
	return false, false
}

// isBad reports whether an adjective says that something is bad: many of something may be as bad as few.
func (a adjective) isBad() bool { return a.columns[0] == "rating" && !a.up }

// isAged reports whether a relation has a column of its own by which its things
// are old or young: an age, a birth, a foundation. None is new by that.
func (p *parser) isAged(r *catalog.Relation, a *attribute, by adjective) bool {
	return a != nil && !slices.Contains(by.columns, "date") && slices.ContainsFunc(a.candidates, func(c columnCandidate) bool {
		return c.column.Relation == r && (!c.reversed && slices.Contains(p.lexicon.relationInfo[r].names[c.column], by.columns[0]) || c.reversed && c.column.Class != catalog.Number || p.lexicon.holdsYears(c.column))
	})
}

// extremeByAdjective keeps the things that an adjective names the most so: the
// oldest singer.
func (p *parser) extremeByAdjective(n *phrase, adjective adjective, count string, i, j int) (out []reading) {
	a := p.attributeNamed(adjective.columns, adjective.down, i, j)
	if n.isEntity() && len(n.group) == 0 {
		if r, ok := p.longestInterval(n, adjective, count); ok {
			return []reading{r}
		}
		if list, ok := p.newest(n, a, adjective, count); ok {
			return list
		}
		if list := p.worthMost(n, a, adjective, count); list != nil {
			return list
		}
	}
	switch {
	case a == nil:
		return nil
	case n.isValue():
		return thenApply(p.valueEntity(n), 3, func(thing *phrase) []reading { return p.extremeByAdjective(thing, adjective, count, i, j) })
	case n.set == nil || len(n.group) > 0 || n.hasAggregate():
		return nil
	}
	places := p.place(n.set, a)
	own := slices.ContainsFunc(places, func(pl placement) bool { return pl.setID == n.set.id })
	for _, pl := range places {
		if pl.setID != n.set.id && (own || pl.root != n.set) || pl.root.superlative != nil {
			continue // what is large is the thing, not what it belongs to
		}
		out = append(out, p.extremeAt(n, pl, adjective.up, count, (1-a.candidates[0].score)*0.5))
	}
	if len(out) == 0 && p.isMark(a.candidates[0].column) && !intersect(p.lexicon.relationInfo[n.set.relation].stems, p.language.judgeNames) {
		// the marks of a thing are those that others gave it
		return p.ranked(n, p.applySuperlative(n, &modifier{attribute: a, descending: adjective.up, count: count}))
	}
	return cheapestReadings(out, 4)
}

// longestInterval reads "the longest stays": it ranks by the time between begin and end, where no column holds a duration.
func (p *parser) longestInterval(n *phrase, by adjective, count string) (reading, bool) {
	if n.set.superlative != nil || !slices.Contains(by.columns, "duration") {
		return reading{}, false
	}
	s := p.interval(n.set.relation)
	if s == nil {
		return reading{}, false
	}
	x, set := n.clone(), *n.set
	set.superlative = &superlative{by: item{column: s.to, setID: set.id, subtrahend: &item{column: s.from, setID: set.id}}, descending: by.up, count: count}
	if slices.ContainsFunc(set.conditions, func(c condition) bool { return c.kind == compare && c.column == s.to && c.op == "is null" }) {
		set.superlative = &superlative{by: item{column: s.from, setID: set.id}, descending: !by.up, count: count} // what is open longest was opened first
	}
	x.set, x.number = &set, ""
	return reading{x, 0.15}, true
}

// newest reads "the newest orders", "the oldest tickets": it ranks things that have no age by a time.
func (p *parser) newest(n *phrase, a *attribute, by adjective, count string) ([]reading, bool) {
	without := p.isAgeless(n.set.relation, by)
	up, timed := by.ofTime()
	if !timed || !without && p.isAged(n.set.relation, a, by) {
		return nil, false
	}
	list := p.applyFirstOrLast(n, &modifier{descending: up, count: count})
	if without {
		for i := range list {
			list[i].phrase.refusal = ageless(n.set.relation)
		}
	}
	return list, true
}

// isAgeless reports whether people are ranked by their age, and no column says it.
func (p *parser) isAgeless(r *catalog.Relation, by adjective) bool {
	return by.columns[0] == "age" && p.isPeople(r) && !p.hasAge(r)
}

// ageless says that no column has the age of people.
func ageless(r *catalog.Relation) string {
	return fmt.Sprintf("No column that can be read says how old %s are.", r.Name.Name)
}

// extremeAt keeps the things with the highest or lowest value of a column, or sorts all of them where the question asks for an order.
func (p *parser) extremeAt(n *phrase, pl placement, up bool, count string, doubt float64) reading {
	by := item{column: pl.column, setID: pl.setID}
	if len(n.order) > 0 && count == "1" && len(n.items) == 0 {
		// "the longest rivers, from longest to shortest": all, in that order
		m := p.withDisplay(n).clone()
		m.items = append(m.items[:len(m.items):len(m.items)], by)
		m.order = []ordering{{by, n.order[len(n.order)-1].descending}}
		return reading{m, pl.cost + 0.2}
	}
	m, s := n.clone(), *pl.root
	s.superlative = &superlative{by: by, descending: up != pl.candidate.reversed, count: count}
	m.set, m.number = &s, ""
	cost := pl.cost + 0.1 + doubt
	if len(n.items) > 0 {
		cost += 0.5
		if n.attributeHead {
			cost += 0.8 // the adjective is said of the attribute
		}
	}
	return reading{m, cost}
}

// mostCommon keeps the values of a column that most rows have, or the things that most rows refer to; all of them if count is "".
// Several are shown with how many rows have them.
func (p *parser) mostCommon(n *phrase, descending bool, count string) (out []reading) {
	for _, s := range p.resolvePhrase(n) {
		m := s.phrase
		if used, ok := p.mostUsed(m, descending, count); ok {
			for _, u := range used {
				out = append(out, reading{u.phrase, s.cost + u.cost})
			}
			continue
		}
		if m.set == nil || len(m.items) != 1 || m.items[0].aggregate != "" || m.items[0].column == nil || len(m.group) > 0 || m.set.superlative != nil {
			continue
		}
		k := m.clone()
		if c := m.items[0].column; !c.NotNull && descending && m.items[0].setID == m.set.id {
			k.set = m.set.with(condition{kind: compare, column: c, op: "is not null"}) // nothing is no value
		}
		k.group = []item{m.items[0]}
		k.order = []ordering{{by: item{aggregate: "count", setID: m.set.id}, descending: descending}}
		k.number = count
		if count != "1" {
			k.items, k.distinct, k.attributeHead = []item{k.order[0].by}, false, false
		}
		if p.lexicon.graph.isForeign(m.items[0].column) && m.items[0].setID == m.set.id && p.isIdentifier(m.items[0].column) {
			k.refusal = fmt.Sprintf("It is not said what is counted: name it, as in \"with the most %s\".", m.set.relation.Name.Name)
		}
		out = append(out, reading{k, s.cost + 0.1})
	}
	return cheapestReadings(out, 4)
}

// topValues keeps the values that most rows have, where it is rows that happened and no things that something happens to: "top 5 diagnoses".
func (p *parser) topValues(n *phrase, count string) []reading {
	return slices.DeleteFunc(p.mostCommon(n, true, count), func(r reading) bool {
		k := r.phrase
		return len(k.group) != 1 || k.group[0].column == nil || !isText(k.group[0].column) || !p.isEvent(k.group[0].column.Relation)
	})
}

// columnsNamed returns an attribute of the relation's columns whose names hold
// one of the words, the first word that is found deciding.
func (p *parser) columnsNamed(words []string, r *catalog.Relation, dates bool) *attribute {
	for _, w := range words {
		stem := p.language.stem(w)
		for _, c := range r.Columns {
			if dates != (isTime(c) || c.Class == catalog.Time || dates && stem == "year") {
				continue
			}
			if slices.Contains(p.lexicon.relationInfo[r].names[c], stem) && !slices.Contains(p.lexicon.relationInfo[r].display, c) {
				return &attribute{candidates: []columnCandidate{{column: c, score: 0.8}}}
			}
		}
	}
	return nil
}
