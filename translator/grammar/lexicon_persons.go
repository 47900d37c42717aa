// Ages, births and sexes of people.

package grammar

import (
	"slices"
	"strconv"
	"strings"

	"askpg/catalog"
)

// What is ordinary to ask of persons: of which sex they are, how old they are, and
// who they are where a database has persons of one kind only.

// sex is the words of questions and the values of columns for people of one sex.
type sex struct {
	Words  []string // of questions, in the singular
	Values []string // of columns, in lower case
}

// addPersons adds what persons are called by: "age" for what tells their birth,
// "person" for the only relation of persons.
func (x *lexicon) addPersons() {
	var persons []*catalog.Relation
	for _, r := range x.snapshot.Relations {
		var births []*catalog.Column
		sexed := false
		for _, c := range r.Columns {
			if isTime(c) && x.isBirth(c) {
				births = append(births, c)
			}
			if x.isSex(c) {
				sexed = true
				x.sexes = append(x.sexes, c)
			}
		}
		if len(births) == 1 && !slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool { return slices.Contains(x.relationInfo[r].names[c], "age") }) {
			x.add(&label{relation: r, column: births[0], words: []string{"age"}, score: 1, age: true})
		}
		// two names, and not the two keys by which rows are told that have no name
		if d := x.relationInfo[r].display; len(births) > 0 || sexed || len(d) == 2 && isText(d[0]) && isText(d[1]) {
			persons = append(persons, r)
		}
	}
	called := slices.ContainsFunc(x.labelsByStem["person"], func(lb *label) bool { return len(lb.words) == 1 || lb.column == nil })
	if len(persons) == 1 && !called {
		x.add(&label{relation: persons[0], words: []string{"person"}, score: personScore})
	}
}

// personScore is how well a person is called so where persons have another name.
const personScore = 0.9

// leaving returns the times at which people leave, for the words from i to end; nil if
// there are none.
func (p *parser) leaving(i, end int) *attribute {
	a := &attribute{start: i, end: end, fromAdjective: true}
	for _, r := range p.relations {
		if c := p.lexicon.relationInfo[r].left; c != nil && p.isPeople(r) {
			a.candidates = append(a.candidates, columnCandidate{column: c, score: 1})
		}
	}
	if len(a.candidates) == 0 {
		return nil
	}
	return a
}

// isSex reports whether a column says of which sex a person is.
func (x *lexicon) isSex(c *catalog.Column) bool {
	names := x.relationInfo[c.Relation].names[c]
	return isText(c) && !c.Private && (slices.Contains(names, "sex") || slices.Contains(names, "gender"))
}

// findSexes finds the words for persons of one sex: "women" are those of whom a
// column called sex or gender says so.
func (p *parser) findSexes(i int) {
	word := p.tokens[i].lower
	if s := p.language.irregular[word]; s != "" {
		word = s
	} else if s := singular(word); s != "" {
		word = s
	}
	for _, s := range p.language.sexes {
		if !slices.Contains(s.Words, word) {
			continue
		}
		for _, c := range p.lexicon.sexes {
			for _, v := range valuesOf(c) {
				if slices.Contains(s.Values, strings.ToLower(v)) {
					p.addValue(i, i+1, valueMention{column: c, value: v, score: 1})
				}
			}
		}
	}
}

// ages reads a number of years behind a person: "members under 18", "who is over 65".
func (p *parser) ages(i int) (out []modifierCandidate) {
	if i == 0 {
		return nil
	}
	a := p.agesNamed(i, i, func(lb *label) bool {
		return len(p.ends(i-1, "be_bare")) > 0 || slices.ContainsFunc(p.mentions.relations[i-1], func(m relationMention) bool { return m.end == i && m.relation == lb.relation && m.score >= namedScore })
	})
	if a == nil {
		return nil
	}
	for _, c := range p.comparisons(i) {
		said := p.at(c.end - 1).lower
		if c.op != "=" && len(p.bornConditions(a.candidates[0].column, c.op, c.value)) > 0 && (p.at(c.end-1).kind == numberToken || said == "years" || said == "old" || said == "age") {
			out = append(out, modifierCandidate{comparisonModifier(a, c), c.end, c.cost + 0.3})
		}
	}
	return out
}

// agesNamed returns the births that tell the ages of persons of which holds(label), for the words from i to end; nil if
// there are none.
func (p *parser) agesNamed(i, end int, holds func(*label) bool) *attribute {
	a := &attribute{start: i, end: end}
	for _, lb := range p.lexicon.labelsByStem["age"] {
		if lb.age && p.isNear(lb.relation) && holds(lb) {
			a.candidates = append(a.candidates, columnCandidate{column: lb.column, score: lb.score, label: lb})
		}
	}
	if len(a.candidates) == 0 {
		return nil
	}
	return a
}

// inOtherUnit reports whether a number is followed by a unit of time that is not a year.
func (p *parser) inOtherUnit(number string) bool {
	for i := range p.tokens[1:] {
		if unit, e := p.dateUnit(i + 1); e > i+1 && unit != "year" && p.tokens[i].text == number {
			return true
		}
	}
	return false
}

// maxAge is the greatest age that a person is asked for by.
const maxAge = 120 // years

// bornConditions says by the day of birth how old somebody is, in whole years;
// nil if the comparison is of no such number.
func (p *parser) bornConditions(c *catalog.Column, op string, v operand) []condition {
	var years []int
	for _, text := range v.literals {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > maxAge || p.inOtherUnit(text) {
			return nil
		}
		years = append(years, n)
	}
	if len(years) == 0 {
		return nil
	}
	born := func(op string, years int) condition {
		literal := today() + " - " + interval(strconv.Itoa(years), "year")
		return condition{kind: compare, column: c, op: op, value: operand{literals: []string{literal}, plain: v.plain + " years ago"}}
	}
	last := years[len(years)-1]
	switch op {
	case ">":
		return []condition{born("<", last)}
	case ">=":
		return []condition{born("<=", last)}
	case "<":
		return []condition{born(">", last)}
	case "<=":
		return []condition{born(">", last+1)}
	case "=", "between":
		return []condition{born("<=", years[0]), born(">", last+1)}
	}
	return nil
}
