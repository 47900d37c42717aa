// Applying times: which column of times is meant.

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"askpg/catalog"
)

// applyFirstOrLast keeps the first or last rows by a time.
func (p *parser) applyFirstOrLast(n *phrase, m *modifier) (out []reading) {
	if n.set == nil || n.set.superlative != nil || n.hasAggregate() || len(n.group) > 0 {
		return nil
	}
	count := m.count
	if n.number != "" {
		count = n.number
	}
	for _, c := range p.dateColumns(n.set, &modifier{hints: m.hints, date: &dateRange{loYear: 1}}) {
		if p.lexicon.isBirth(c.column) {
			continue // who was born last is youngest, not the latest
		}
		x := n.clone()
		s := *n.set
		s.superlative = &superlative{by: item{column: c.column, setID: n.set.id}, descending: m.descending, count: count}
		x.set, x.number = &s, ""
		if len(m.hints) == 0 && p.hasDatedEvent(n.set) {
			x.refusal = fmt.Sprintf("It is not said whether %s are first by their own time or by that of what happened to them.", n.set.relation.Name.Name)
		}
		if count == "1" && n.number == "" && p.isPlural(n) {
			x.refusal = n.notSaidHowMany()
		}
		out = append(out, reading{x, max(0, 1-c.score) + 0.1})
	}
	return cheapestReadings(out, 3)
}

// notSaidHowMany is why the latest of several things are no answer.
func (n *phrase) notSaidHowMany() string {
	return fmt.Sprintf("It is not said how many of %s: say the 5 latest, or since when.", n.set.relation.Name.Name)
}

// hasDatedEvent reports whether a set is narrowed by something that happened to its things
// at a time.
func (p *parser) hasDatedEvent(s *set) bool {
	return slices.ContainsFunc(s.conditions, func(c condition) bool {
		return c.kind == related && !c.negated && !c.joined && !c.path.toOne() && p.eventEdge(s, c) >= 0
	})
}

// dateColumns finds the times of a set, with how likely each is meant.
func (p *parser) dateColumns(s *set, m *modifier) (out []columnCandidate) {
	r, hinted := s.relation, false
	for _, c := range r.Columns {
		score, hint := p.timeScore(s, c, m)
		hinted = hinted || hint
		if score > 0 {
			out = append(out, columnCandidate{column: c, score: score})
		}
	}
	said := slices.ContainsFunc(m.hints, func(h string) bool { return p.language.outcomeVerbs[p.language.stem(h)] })
	if e := p.eventOf(m.hints); hinted || said && m.verb == nil || e != nil && !p.recordsEvent(r, e) {
		// what a verb names the time of has that time, or none that is known; who orders has no day of his own on which he did
		out = slices.DeleteFunc(out, func(c columnCandidate) bool {
			return c.column.Class != catalog.Number && !p.hintsAt(m.hints, p.lexicon.relationInfo[r].names[c.column]) && !p.isLeavingTime(m.hints, c.column)
		})
	}
	return out
}

// timeScore says how likely a column of a set is the time that is meant, and whether a hint names it. 0 is not at all.
func (p *parser) timeScore(s *set, c *catalog.Column, m *modifier) (score float64, hinted bool) {
	stems := p.lexicon.relationInfo[s.relation].names[c]
	switch {
	case m.date.future && isTime(c) && !p.mayBeFuture(c):
		return 0, false
	case p.lexicon.isBirth(c) && !p.mentionsBirth():
		return 0, false // what happens to people is not dated by their births
	case p.isPeople(s.relation) && p.isHappening(m.hints) && !p.hintsAt(m.hints, stems) && !p.isLeavingTime(m.hints, c):
		return 0, false // nor by when they came to be there
	case isTime(c):
		score = p.momentScore(c, stems)
	case c.Class == catalog.Number && (m.date.loYear > 0 || m.date.hiYear > 0) && slices.Contains(stems, "year"):
		score = 0.85
		if len(stems) == 1 {
			score = 0.95
		}
	default:
		return 0, false
	}
	if c == cmp.Or(s.time, s.relation.Time) {
		score = 1 // as an administrator says
	}
	if score > 0 && p.isTimeOfCreation(c, m.hints) {
		score += createdInTime
	}
	if !p.hintsAt(m.hints, stems) && !p.isLeavingTime(m.hints, c) {
		return score, false
	}
	score += 0.25
	if slices.ContainsFunc(stems, func(s string) bool { return !fillerStems[s] && len(s) > 2 && !p.hintsAt(m.hints, []string{s}) }) {
		score -= 0.1 // what ends is not the probation, if it is not said
	}
	return score, true
}

// isHappening reports whether a verb says what rows that refer to people have the time of: "discharged", and not "joined".
func (p *parser) isHappening(verb []string) bool {
	return len(verb) > 0 && p.isVerbHints(verb) && !slices.ContainsFunc(verb, func(w string) bool { return p.language.joiningVerbs[p.language.stem(w)] }) && p.isRecordedOfPeople(verb)
}

// momentScore is the timeScore of a day or moment by its name alone.
func (p *parser) momentScore(c *catalog.Column, stems []string) float64 {
	score := 0.8
	for _, s := range stems {
		switch s {
		case "updat", "modifi", "birth", "end", "delet", "expir", "due":
			score -= 0.2
		case "creat", "crtd":
			if !p.isOnlyRequiredTime(c) {
				score -= 0.08
			}
		}
	}
	if p.isLater(c) {
		score -= 0.1
	}
	if stay := p.lexicon.goesOn(c.Relation); stay != nil && c == stay.to && (p.areStays(c.Relation) || intersect(p.lexicon.relationInfo[c.Relation].stems, p.language.awayNames)) {
		score -= 0.2 // guests "next week" come then
	}
	if p.comesAfter(c) || isOfRow(c) {
		score -= laterTimePenalty
	}
	if p.hasOtherNamedTime(c) {
		score -= otherNamedTimePenalty
	}
	if p.isSinceSaid(c) {
		return 1
	}
	return score
}

// isSinceSaid reports whether a time is since when rows are what the question calls them: member_since of members.
func (p *parser) isSinceSaid(c *catalog.Column) bool {
	words := splitName(c.Name)
	return len(words) == 2 && words[1] == "since" && p.mentionsStem(p.language.stem(words[0]))
}

// isLeavingTime reports whether a verb is of leaving and a time the one at which people leave, whatever it is called.
func (p *parser) isLeavingTime(hints []string, c *catalog.Column) bool {
	return c == p.lexicon.relationInfo[c.Relation].left && slices.ContainsFunc(hints, func(h string) bool {
		return h == "left" || h == "leave" || h == "leaves" || h == "quit" || h == "resigned"
	})
}

// hintsAt reports whether one of the hints means one of the stems of a name.
func (p *parser) hintsAt(hints, stems []string) bool {
	return slices.ContainsFunc(hints, func(h string) bool {
		if h == "by" {
			return false // visits "by doctor" need not be by who they were booked_by
		}
		hs := p.language.stem(h)
		return slices.ContainsFunc(stems, func(s string) bool {
			return s == hs || len(hs) >= 4 && len(s) >= 4 && (strings.HasPrefix(s, hs) || strings.HasPrefix(hs, s)) || p.lexicon.isSynonym(hs, s)
		})
	})
}

// isBirth reports whether a time is the birth of a person.
func (x *lexicon) isBirth(c *catalog.Column) bool {
	return slices.ContainsFunc(x.relationInfo[c.Relation].names[c], func(s string) bool {
		return s == "birth" || s == "dob" || s == "born" || s == "birthday" || s == "birthdat"
	})
}

// mentionsBirth reports whether the question speaks of births or ages.
func (p *parser) mentionsBirth() bool {
	return slices.ContainsFunc(p.tokens, func(t token) bool {
		switch t.lower {
		case "born", "birth", "births", "birthday", "birthdays", "dob", "birthdate", "aged", "age", "old", "older", "oldest", "young", "younger", "youngest":
			return true
		}
		return false
	})
}

// isLater reports whether a time is of a later state of a row, which has another time of its own: one that is never null, or the one at
// which it begins.
func (p *parser) isLater(c *catalog.Column) bool {
	if c.NotNull {
		return false
	}
	if slices.ContainsFunc(p.lexicon.relationInfo[c.Relation].dates, func(o *catalog.Column) bool { return o.NotNull }) {
		return true
	}
	interval := p.interval(c.Relation)
	return interval != nil && interval.from != c
}

// laterTimePenalty is how much less likely the time of a row is meant at which something becomes of it, or has to.
const laterTimePenalty = 0.2

// isOfRow reports whether a comment says that a time is the one at which the row was written, whatever happened when.
func isOfRow(c *catalog.Column) bool { return strings.Contains(strings.ToLower(c.Comment), "row was ") }

// comesAfter reports whether a time is a due date or that of a later state, and the row has another time that is neither.
func (p *parser) comesAfter(c *catalog.Column) bool {
	info := p.lexicon.relationInfo[c.Relation]
	after := func(c *catalog.Column) bool {
		return p.isDue(c) || !c.NotNull && slices.ContainsFunc(info.names[c], func(s string) bool { return p.language.laterStateVerbs[s] })
	}
	return after(c) && slices.ContainsFunc(info.dates, func(o *catalog.Column) bool {
		return !after(o) && o != info.deleted && o != info.left && !p.lexicon.isBirth(o) && !slices.ContainsFunc(info.names[o], func(s string) bool {
			return s == "creat" || s == "updat"
		})
	})
}

// otherNamedTimePenalty is how much less likely a time is meant where another one is called as the row is: ap_ts of an appointment.
const otherNamedTimePenalty = 0.1

// hasOtherNamedTime reports whether another time is called as the row is. A booking is as well of the time that is booked.
func (p *parser) hasOtherNamedTime(c *catalog.Column) bool {
	if lasts := p.interval(c.Relation); lasts != nil && (c == lasts.from || c == lasts.to) {
		return false
	}
	return !p.hasOnlyRelationName(c) && slices.ContainsFunc(p.lexicon.relationInfo[c.Relation].dates, p.hasOnlyRelationName)
}

// hasOnlyRelationName reports whether the name of a time has no word but the relation's name, a short form of it or its verb: ap_ts of
// appointments, ordered_at of orders.
func (p *parser) hasOnlyRelationName(c *catalog.Column) bool {
	own := false
	for _, w := range splitName(c.Name) {
		if fillerStems[w] || w == "d" {
			continue
		}
		if own = len(w) > 1 && slices.ContainsFunc(splitName(c.Relation.Name.Name), func(r string) bool {
			return strings.HasPrefix(r, w) || len(r) > 3 && strings.HasPrefix(w, r) || p.language.stem(r) == p.language.stem(w)
		}); !own {
			return false
		}
	}
	return own && c.NotNull
}

// isOnlyRequiredTime reports whether a time is the only one of its relation that is never null.
func (p *parser) isOnlyRequiredTime(c *catalog.Column) bool {
	return c.NotNull && !slices.ContainsFunc(p.lexicon.relationInfo[c.Relation].dates, func(o *catalog.Column) bool { return o != c && o.NotNull })
}

// applyDate keeps what is of a time: of the column that is named, of what was done by a verb, or happened to the things, and else
// of a time of theirs.
func (p *parser) applyDate(n *phrase, m *modifier) (out []reading) {
	if m.attribute != nil {
		for _, pl := range p.place(n.set, m.attribute) {
			if t := pl.root.find(pl.setID); t != nil {
				out = append(out, p.datedAt(n, m, pl.root, t, pl.column, pl.cost)...)
			}
		}
		return cheapestReadings(out, 3)
	}
	if out := p.datedByDoing(n, m); len(out) > 0 {
		return out
	}
	if n.set.isMeasured && n.set.time != nil && len(m.hints) == 0 {
		return p.datedAt(n, m, n.set, n.set, n.set.time, 0) // whoever defined the measure has said which time it has
	}
	if e := p.eventOf(m.hints); e != nil && m.verb == nil && !p.recordsEvent(n.set.relation, e) {
		return p.datedByVerbEvent(n, m, e)
	}
	if out := p.datedByEvent(n, m); len(out) > 0 {
		return out
	}
	if root, of := p.withOrderOfLines(n.set); of != nil {
		return cheapestReadings(p.datedIn(n, m, root, of, 0), 4)
	}
	if done := n.set.doneByDue(); done != nil && len(m.hints) == 0 {
		return p.datedAt(n, m, n.set, n.set, done, 0) // "delivered late last month"
	}
	dated := n.set.isMeasured && p.measureDated(n.set)
	walk(n.set, func(s *set, depth int) {
		cost := 0.3 * float64(depth)
		if dated && !s.isMeasured && !s.isReadByMeasure {
			cost += costOfThingTime
		}
		out = append(out, p.datedIn(n, m, n.set, s, cost)...)
	})
	return cheapestReadings(out, 4)
}

// doneByDue returns the time at which rows were done that is compared with when they were due, nil if none is.
func (s *set) doneByDue() *catalog.Column {
	for _, c := range s.conditions {
		if c.kind == compare && isTime(c.column) && c.value.column != nil && isTime(c.value.column) {
			return c.column
		}
	}
	return nil
}

// datedByDoing keeps those who did something at a time: in "who ordered in 2025", it is that of the order.
func (p *parser) datedByDoing(n *phrase, m *modifier) []reading {
	if m.verb == nil || m.verb.relation == n.set.relation {
		return nil
	}
	dated := p.applyDate(p.entity(m.verb.relation), &modifier{kind: modifierDate, date: m.date, hints: m.hints})
	return thenApply(dated, 4, func(done *phrase) []reading {
		return p.relate(n, done.set, &modifier{kind: modifierRelated, hints: m.hints})
	})
}

// datedByEvent keeps the things to which something happened at a time.
func (p *parser) datedByEvent(n *phrase, m *modifier) (out []reading) {
	items := slices.Clone(n.items)
	for _, h := range n.having {
		items = append(items, h.by)
	}
	if n.set.superlative != nil {
		items = append(items, n.set.superlative.by)
	}
	for _, s := range p.dateEvent(n.set, items, m) {
		out = append(out, reading{n.over(s.set), s.cost})
	}
	return cheapestReadings(out, 4)
}

// datedIn narrows a set to rows with a time in a range, with one reading for each column that may be meant.
func (p *parser) datedIn(n *phrase, m *modifier, root, target *set, cost float64) (out []reading) {
	for _, c := range p.dateColumns(target, m) {
		out = append(out, p.datedAt(n, m, root, target, c.column, 1-c.score+cost)...)
	}
	return out
}

// measureDated reports whether the rows that a measure is over have times of their own: "sales this year by customer" is not about when
// customers came.
func (p *parser) measureDated(s *set) bool {
	return len(p.lexicon.relationInfo[s.relation].dates) > 0 || slices.ContainsFunc(s.conditions, func(c condition) bool {
		return c.kind == related && c.child.isReadByMeasure && p.measureDated(c.child)
	})
}

// datedAt keeps the rows of a set of which a column is in a time; nothing if the column says no such time.
func (p *parser) datedAt(n *phrase, m *modifier, root, target *set, c *catalog.Column, cost float64) []reading {
	condition, ok := dateCondition(c, m.date)
	if !ok || c.Class == catalog.Number && !slices.Contains(p.lexicon.relationInfo[c.Relation].names[c], "year") {
		return nil
	}
	if m.date.past && p.mayBeFuture(c) {
		return nil
	}
	if m.date.future {
		if !p.mayBeFuture(c) {
			return nil
		}
		target = target.with(p.notOverConditions(target, c)...)
	}
	if p.lexicon.isBirth(c) && (isSaid(p.tokens, "birthday", "birthdays") || m.date.month > 0 && m.date.year == 0) {
		if condition, ok = anniversary(c, m.date); !ok {
			return nil
		}
	}
	condition.unbound = m.attribute == nil && len(m.hints) == 0 && !(target.isMeasured && target.time == c)
	if m.attribute == nil && slices.ContainsFunc(n.group, func(it item) bool { return it.trunc != "" && it.setID == target.id && it.column != c }) {
		cost += secondTimePenalty
	}
	return []reading{{n.over(root.replace(target.with(condition))), cost}}
}

// secondTimePenalty is what it costs to take "per month this year" to be of two times of a row.
const secondTimePenalty = 0.4

// dateCondition returns the condition that a column is in a time, false if it can't
// be compared with that.
func dateCondition(c *catalog.Column, d *dateRange) (condition, bool) {
	if d.and {
		or := *d
		or.and = false
		condition, ok := dateCondition(c, &or)
		condition.joinedByAnd = true
		return condition, ok
	}
	if len(d.or) > 0 {
		either := condition{kind: anyOf}
		for i := range d.or {
			sub, ok := dateCondition(c, &d.or[i])
			if !ok {
				return condition{}, false
			}
			either.parts = append(either.parts, sub)
		}
		return either, true
	}
	if c.Class == catalog.Number {
		lo, hi := d.loYear, d.hiYear
		switch {
		case lo > 0 && hi == lo+1:
			return condition{kind: compare, column: c, op: "=", value: operand{literals: []string{strconv.Itoa(lo)}, plain: strconv.Itoa(lo)}}, true
		case lo > 0 && hi > 0:
			return condition{kind: compare, column: c, op: "between", value: operand{literals: []string{strconv.Itoa(lo), strconv.Itoa(hi - 1)}, plain: d.words}}, true
		case lo > 0 && d.hi == "":
			return condition{kind: compare, column: c, op: ">=", value: operand{literals: []string{strconv.Itoa(lo)}, plain: strconv.Itoa(lo)}}, true
		case hi > 0 && d.lo == "":
			return condition{kind: compare, column: c, op: "<", value: operand{literals: []string{strconv.Itoa(hi)}, plain: strconv.Itoa(hi)}}, true
		}
		return condition{}, false
	}
	if c.Class != catalog.Date && c.Class != catalog.Timestamp || !tellsTimes(c, d) || c.Class == catalog.Date && strings.Contains(d.lo+d.hi, "TIME '") {
		return condition{}, false
	}
	if d.weekdays != nil {
		return condition{kind: compare, column: c, op: onWeekdays, value: operand{literals: d.weekdays, plain: d.words}}, true
	}
	hi := d.hi
	if d.upTo != "" && hasTimeAfter(c, d.upTo) {
		hi = today() + " + " + interval("1", "day")
	}
	return condition{kind: compare, column: c, op: "range", value: operand{literals: []string{d.lo, hi}, plain: d.words}, latest: d.month > 0 && d.year == 0, future: d.future && hi != ""}, true
}

// isYearOfEvent reports whether a number is the year of what its name says, a participle: "built", with values such as 1985. Its comment may
// say so, too.
func (x *lexicon) isYearOfEvent(c *catalog.Column) bool {
	if c.Class != catalog.Number || c.Profile == nil || len(c.Profile.Min) != 4 || len(c.Profile.Max) != 4 || c.Profile.Min < "1000" || c.Profile.Max > "2999" {
		return false
	}
	words := splitName(c.Name)
	participle := len(words) == 1 && x.language.verbs[x.language.stem(words[0])] && (strings.HasSuffix(words[0], "ed") || x.language.irregular[words[0]] != "")
	return participle || slices.Contains(wordsOf(c.Comment), "year")
}

// holdsYears reports whether a number column is called a year.
func (x *lexicon) holdsYears(c *catalog.Column) bool {
	return c.Class == catalog.Number && slices.Contains(x.relationInfo[c.Relation].names[c], "year")
}
