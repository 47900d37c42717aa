// What a reading has that nobody asked for, and the times that it leaves out: a
// question is a closed world, in which each word is for something and nothing is
// for no word.

package grammar

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"askpg/catalog"
)

// refuseUnasked refuses a reading that contains something nobody asked for.
func (p *parser) refuseUnasked(n *phrase) string {
	if why := p.firstRefusal(n, (*parser).refuseKindForAll, (*parser).refuseUnnamedVisit, (*parser).refuseFirstForOutcome,
		(*parser).refuseNameForCode); why != "" {
		return why
	}
	if n.isNew && !p.isLimitedToOwnTime(n) {
		return "It is not said since when they are new: say new this month, or this year."
	}
	return cmp.Or(p.refusePersonTime(n, false), p.refuseBothAtOnce(n), p.refuseLongPath(n.set), p.refuseOneOfSeveral(n),
		p.refuseTimeLeftOut(n))
}

// refuseLongPath refuses a join over several relations of which the question names none, not even the last.
func (p *parser) refuseLongPath(s *set) string {
	for _, c := range s.conditions {
		if c.kind != related {
			continue
		}
		if len(c.path.edges) > 3 && !c.path.toOne() && !slices.ContainsFunc(c.path.edges, func(e *edge) bool { return p.mentionsRelation(e.to) }) {
			return fmt.Sprintf("Between %s and %s stand others that the question does not name: say how they go together.", s.relation.Name.Name, c.child.relation.Name.Name)
		}
		if why := p.refuseLongPath(c.child); why != "" {
			return why
		}
	}
	return ""
}

// refuseOneOfSeveral refuses a number of unnamed rows of which the named thing has several: the price of an article is not that of its
// order lines.
func (p *parser) refuseOneOfSeveral(n *phrase) string {
	if !n.attributeHead || n.distinct || n.hasAggregate() || len(n.items) != 1 || len(n.group) > 0 || n.set.superlative != nil || p.mentionsRelation(n.set.relation) {
		return ""
	}
	c := n.items[0].column
	if c == nil || c.Class != catalog.Number || p.isIdentifier(c) || n.items[0].setID != n.set.id {
		return ""
	}
	for _, of := range n.set.conditions {
		switch {
		case of.kind != related:
		case of.negated: // an amount that was "never paid"
			return fmt.Sprintf("%s is a number of %s, which %s says nothing of: ask for %[2]s without %[3]s.", c.Name, n.set.relation.Name.Name, of.child.relation.Name.Name)
		case !p.isPlural(n):
			return fmt.Sprintf("There are several values of %s each: say total, average, highest or lowest.", c.Name)
		}
	}
	if timed := slices.ContainsFunc(n.set.conditions, func(o condition) bool { return o.kind == compare && o.op == "range" }); timed && (!p.isPlural(n) || p.language.peopleNames[lastOf(p.lexicon.relationInfo[c.Relation].names[c])]) && n.number == "" {
		return fmt.Sprintf("There are several values of %s: say total, average, highest or lowest.", c.Name)
	}
	return ""
}

// asksAbout returns the ids of the sets that outputs, groups, orders and superlatives are of.
func asksAbout(n *phrase) map[int]bool {
	ids := map[int]bool{}
	n.eachItem(func(it item) {
		for _, y := range []*item{&it, it.divisor, it.subtrahend} {
			if y != nil {
				ids[y.setID], ids[y.pairedSetID] = true, true
			}
		}
	})
	return ids
}

// refuseBothAtOnce refuses "one of several values" where the question says "both": nothing is in two cities at once.
func (p *parser) refuseBothAtOnce(n *phrase) string {
	for i := range p.tokens {
		for _, e := range p.ends(i, "both") {
			for to, hits := range inOrder(p.mentions.values[e]) {
				for _, c := range conditionsIn(n.set) {
					if c.kind == compare && c.op == "in" && slices.ContainsFunc(hits, func(h valueMention) bool { return h.column == c.column }) {
						return fmt.Sprintf("One %s cannot be both %q and another: say either, or of which things there has to be one of each.", c.column.Name, p.text(e, to))
					}
				}
			}
		}
	}
	return ""
}

// refuseKindForAll refuses all rows of a relation as one kind of thing, where the comment says that it holds several: of a table
// "customers and prospects" not all are customers. The relation's own name stands for all.
func (p *parser) refuseKindForAll(n *phrase) string {
	u := p.used(n)
	for i := range p.tokens {
		for _, m := range p.mentions.relations[i] {
			if m.kind && u.relations[m.relation] && !p.isDefined(m.start, m.end, u) && !p.namesAll(m.relation) && !p.restrictsKind(n.set, m.relation) {
				return fmt.Sprintf("%s are %s: say of which column it tells %q.", m.relation.Name.Name, m.relation.Comment, p.text(m.start, m.end))
			}
		}
	}
	return ""
}

// restrictsKind reports whether a reading says of a relation's rows of which kind they are: by
// a column of codes with a meaning or one that is called a type.
func (p *parser) restrictsKind(s *set, r *catalog.Relation) (told bool) {
	if s != nil {
		walk(s, func(s *set, _ int) {
			told = told || s.relation == r && slices.ContainsFunc(s.conditions, func(c condition) bool {
				return c.kind == compare && (c.column.Class == catalog.Enum || len(p.lexicon.meanings(c.column)) > 0 ||
					slices.ContainsFunc(p.lexicon.relationInfo[r].names[c.column], func(s string) bool { return s == "type" || s == "kind" || s == "class" }))
			})
		})
	}
	return told
}

// namesAll reports whether the question has a name of a relation that is not of one
// kind of its rows alone.
func (p *parser) namesAll(r *catalog.Relation) bool {
	for i := range p.tokens {
		for _, m := range p.mentions.relations[i] {
			if m.relation == r && !m.kind && m.score >= namedScore {
				return true
			}
		}
	}
	return false
}

// refusePersonTime refuses a time of a person as the time of what the person does: who "works next week" was not hired then. elsewhere says that
// only such verbs are looked at that something which happens to people has the time of, and which others are not.
func (p *parser) refusePersonTime(n *phrase, elsewhere bool) (why string) {
	for i, t := range p.tokens {
		said := []string{t.lower}
		if !p.isVerb(i) || !p.isVerbHints(said) || p.language.joiningVerbs[t.stem] || !p.isDated(i) || p.isRecordedOfPeople(said) != elsewhere {
			continue
		}
		walk(n.set, func(s *set, _ int) {
			for c := range comparisonsOf(s.conditions) {
				if p.at(i+1).lower == "today" && c.op == "range" && p.isPresentTense(i) && p.isPeople(s.relation) {
					why = fmt.Sprintf("%q may be of now or of the day: say how many there are, or how many since when.", t.text+" today")
				}
				if c.op == "range" && p.isPeople(s.relation) && !p.isLeavingTime(said, c.column) && !p.hintsAt(said, p.lexicon.relationInfo[s.relation].names[c.column]) {
					why = fmt.Sprintf("%q says nothing of %s: name what records it.", t.text, c.column.Name)
				}
			}
		})
	}
	return why
}

// isPresentTense reports whether a verb is in the present tense: "we employ", and not "did we hire".
func (p *parser) isPresentTense(i int) bool {
	return !strings.HasSuffix(p.tokens[i].lower, "ed") && !isSaid(p.tokens[:i], "did", "was", "were")
}

// comparisonsOf goes through the comparisons among conditions, and those of their parts.
func comparisonsOf(list []condition) iter.Seq[condition] {
	return func(yield func(condition) bool) {
		for _, c := range list {
			if c.kind == compare && !yield(c) {
				return
			}
			for part := range comparisonsOf(c.parts) {
				if !yield(part) {
					return
				}
			}
		}
	}
}

// refuseTimeLeftOut refuses a reading without any time of a question that says one.
func (p *parser) refuseTimeLeftOut(n *phrase) string {
	if p.hasTimeOrNumber(n) {
		return ""
	}
	for i := range p.tokens {
		for _, d := range p.date(i) {
			said := d.end > i+1 || d.dates.year > 0 // a month alone may be a name, such as May
			if said && (d.dates.lo != "" || d.dates.hi != "" || len(d.dates.or) > 0) && !p.inName(d.end-1) && p.at(d.end-1).lower != "date" {
				return fmt.Sprintf("Each word is known, but not how %q goes together with the rest.", p.text(i, d.end))
			}
		}
	}
	return ""
}

// hasTimeOrNumber reports whether a reading compares or divides by a time, or by a number.
func (p *parser) hasTimeOrNumber(n *phrase) bool {
	for _, part := range n.ratio {
		if p.hasTimeOrNumber(part) {
			return true
		}
	}
	for _, list := range [][]item{n.items, n.group, n.partition} {
		for _, it := range list {
			for y := &it; y != nil; y = y.divisor {
				if y.trunc != "" || bindsTime(y.where) {
					return true
				}
			}
		}
	}
	return n.set == nil || len(n.having) > 0 || setBindsTime(n.set)
}

// setBindsTime reports whether a set, or what it is related to, is narrowed to a time.
func setBindsTime(s *set) bool { return s.superlative != nil || bindsTime(s.conditions) }

// bindsTime reports whether one of the conditions is of a time or of a number.
func bindsTime(list []condition) bool {
	for _, c := range list {
		switch {
		case c.kind == written, c.count != nil, c.value.query != nil, c.value.column != nil:
			return true
		case c.kind == compare && (c.column.Class != catalog.Text && c.column.Class != catalog.Enum && c.column.Class != catalog.Boolean) && c.op != "is null" && c.op != "is not null":
			return true
		case c.child != nil && setBindsTime(c.child), bindsTime(c.parts):
			return true
		}
	}
	return false
}

// isPartOf reports whether a part of one of a column's values may stand for it: of the
// name of a thing, or where the question speaks of the column's relation.
func (p *parser) isPartOf(c *catalog.Column) bool {
	display := p.lexicon.relationInfo[c.Relation].display
	return len(display) == 1 && display[0] == c && isNearlyUnique(c) || p.mentionsRelationOrColumn(c.Relation)
}

// mentionsRelationOrColumn reports whether a word of the question names a relation or one of its columns.
func (p *parser) mentionsRelationOrColumn(r *catalog.Relation) bool {
	for i := range p.tokens {
		for _, m := range p.mentions.relations[i] {
			if m.relation == r {
				return true
			}
		}
		for _, a := range inOrder(p.mentions.attributes[i]) {
			for _, c := range a.candidates {
				if c.column.Relation == r && c.score >= namedScore && c.score > a.candidates[0].score-sharedNamePenalty {
					return true
				}
			}
		}
	}
	return false
}

// refuseIdleJoin refuses a join that has no effect: each row has exactly one row of the joined relation, and nothing is asked of it, or
// that there is none. The words that named it must have had another meaning.
func (p *parser) refuseIdleJoin(s *set, asked map[int]bool) string {
	for _, c := range s.conditions {
		if c.kind != related {
			continue
		}
		always := c.count == nil && c.path.isAlways()
		forNothing := !asked[c.child.id] && len(c.child.conditions) == 0 && c.child.superlative == nil && c.path.toOne()
		if forNothing && c.negated && always || forNothing && !c.negated && (p.isBehindAny(c.child.relation, "by") || always && p.isBehindAny(c.child.relation, "with", "and") || p.mentionsAsPeople(c.child.relation)) {
			return fmt.Sprintf("All of %s have %s: say what is asked of it, such as for each of them.", s.relation.Name.Name, c.child.relation.Name.Name)
		}
		if !c.path.toOne() && !c.negated && c.count == nil && !asked[c.child.id] && len(c.child.conditions) == 0 && p.hasBetterNamesOfOthers(c.child.relation) {
			return fmt.Sprintf("Nothing is asked of %s: name what is meant.", c.child.relation.Name.Name)
		}
		if !c.path.toOne() {
			continue // who "completed a course" has rows in between
		}
		if why := p.refuseIdleJoin(c.child, asked); why != "" {
			return why
		}
	}
	return ""
}

// hasBetterNamesOfOthers reports whether words name a relation, and each of them names another one better: ticket_tags are not "tickets".
func (p *parser) hasBetterNamesOfOthers(r *catalog.Relation) (mentioned bool) {
	for i := range p.tokens {
		for _, m := range p.mentions.relations[i] { // the best first
			if m.relation != r {
				continue
			}
			if m.score > p.mentions.relations[i][0].score-sharedNamePenalty {
				return false
			}
			mentioned = true
		}
	}
	return mentioned
}

// mentionsAsPeople reports whether the question calls the rows of a relation people and not by its name.
func (p *parser) mentionsAsPeople(r *catalog.Relation) bool {
	return p.anywhere(func(i int) bool {
		return p.language.irregular[p.tokens[i].lower] == "person" && slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return m.relation == r && m.score < exactNameScore })
	})
}

// isBehindAny reports whether the question has one of the words before a relation, as "by hotel".
func (p *parser) isBehindAny(r *catalog.Relation, words ...string) bool {
	for i := 1; i < len(p.tokens); i++ {
		if slices.Contains(words, p.at(i-1).lower) && slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return m.relation == r }) {
			return true
		}
	}
	return false
}

// isRecordedOfPeople reports whether rows that refer to people have the time of a verb.
func (p *parser) isRecordedOfPeople(verb []string) bool {
	return slices.ContainsFunc(p.lexicon.snapshot.ForeignKeys, func(k *catalog.ForeignKey) bool {
		info := p.lexicon.relationInfo[k.From]
		return !k.Implied && p.isPeople(k.To) && slices.ContainsFunc(info.dates, func(c *catalog.Column) bool { return p.hintsAt(verb, info.names[c]) })
	})
}
