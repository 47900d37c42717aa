// Refusing times of things where what is measured of them has none, or where a definition has none and its rows have several.

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// refuseDueMeasure refuses a time that is compared with the due date of order lines where the orders have times, too: what was spent this
// year may have been ordered or been due in it.
func (p *parser) refuseDueMeasure(n *phrase) string {
	if !n.set.isMeasured || n.set.time != nil {
		return ""
	}
	for _, c := range n.set.conditions {
		if c.kind != compare || c.op != "range" || !p.isDue(c.column) || p.mentionsColumn(c.column) {
			continue
		}
		for _, of := range n.set.conditions {
			if of.kind == related && of.child.isReadByMeasure && p.measureDated(of.child) {
				return fmt.Sprintf("It is not said whether %s is meant or a time of %s: define the time of the measure.", c.column.Name, of.child.relation.Name.Name)
			}
		}
	}
	return ""
}

// refuseMeasuredTime refuses a time that nobody said of the things, where what is added up or counted for them is in rows without a time:
// "top products by revenue this year", where the products have the day on which they were added.
func (p *parser) refuseMeasuredTime(n *phrase) (why string) {
	measures := slices.Clone(n.items)
	for _, o := range n.order {
		measures = append(measures, o.by)
	}
	walk(n.set, func(dated *set, _ int) {
		if dated.superlative != nil {
			measures = append(measures, dated.superlative.by)
		}
		if p.isEvent(dated.relation) || !slices.ContainsFunc(dated.conditions, func(c condition) bool { return c.unbound }) {
			return
		}
		for _, m := range measures {
			if of := n.set.find(m.setID); isMeasure(m) && of != nil && of != dated && len(p.lexicon.relationInfo[of.relation].dates) == 0 {
				why = fmt.Sprintf("%s says nothing of times: leave the time out, or say of what it is, as in \"added this year\".", of.relation.Name.Name)
			}
		}
	})
	return why
}

// refuseWorthAtTime refuses a time of what the stock is worth or of a margin: both are known of now alone.
func (p *parser) refuseWorthAtTime(n *phrase) string {
	ofGoods := slices.ContainsFunc(n.items, func(it item) bool {
		return it.measure != nil && slices.ContainsFunc(p.lexicon.goods, func(g measureName) bool { return g.m == it.measure.m })
	})
	if !ofGoods {
		return ""
	}
	timed := slices.ContainsFunc(n.group, func(it item) bool { return it.trunc != "" })
	for _, c := range conditionsIn(n.set) {
		timed = timed || c.unbound && isTimed(c)
	}
	if !timed {
		return ""
	}
	return "Stock, prices and costs are known of now alone: leave the time out."
}

// refuseTimeOfFlag refuses to date by another time what only a flag says: "products discontinued in 2025".
func (p *parser) refuseTimeOfFlag(n *phrase) string {
	for s, c := range conditionsIn(n.set) {
		if c.kind != compare || !isYesNo(c.column) && !p.lexicon.isStock(c.column) || p.isEvent(s.relation) {
			continue // the bookings that were cancelled last month are of last month
		}
		for i := range p.tokens {
			said := slices.ContainsFunc(p.mentions.attributes[i][i+1].all(), func(m columnCandidate) bool { return m.column == c.column })
			if !said || isYesNo(c.column) && !p.isPast(i) && !p.isInflected(i) || !p.isDated(i) {
				continue
			}
			for _, o := range s.conditions {
				if isTimed(o) && o.unbound && !p.mentionsColumn(o.column) {
					return fmt.Sprintf("%s says that it is so, and not since when: leave the time out, or name %s.", c.column.Name, o.column.Name)
				}
			}
		}
	}
	return ""
}

// refuseOpenedForOpen refuses the time at which something was opened for when it is open: "stores open on Sundays".
func (p *parser) refuseOpenedForOpen(n *phrase) string {
	for i, t := range p.tokens {
		if t.lower != "open" || i == 0 || !p.isDated(i) || isSaid(p.tokens[:i], "did") {
			continue
		}
		for _, c := range conditionsIn(n.set) {
			if c.kind == compare && isTime(c.column) && slices.Contains(splitName(c.column.Name), "opened") {
				return fmt.Sprintf("%s is when it was opened, and not when it is open.", c.column.Name)
			}
		}
	}
	return ""
}

// refuseStockAtTime refuses a time of stock that says only when it was counted or written: what there was on a day is not known.
func (p *parser) refuseStockAtTime(n *phrase) string {
	for s, c := range conditionsIn(n.set) {
		if isTimed(c) && p.lexicon.stockQuantity(s.relation) != nil && !p.mentionsColumn(c.column) && !p.isDatedVerbOf(c.column) {
			return fmt.Sprintf("%s is when stock was counted or written, and not what there was then: leave the time out.", c.column.Name)
		}
	}
	return ""
}

// refuseTimeOfSecond refuses a time of the second of two things between which it is measured how long something took, where the verb of that is not
// beside it: "average time from order to shipping last month" is of the orders of that month.
func (p *parser) refuseTimeOfSecond(n *phrase) string {
	for _, it := range n.items {
		end := n.set.find(it.setID)
		if it.subtrahend == nil || it.subtrahend.setID == it.setID || end == nil {
			continue
		}
		for _, c := range end.conditions {
			if isTimed(c) && !p.isDatedVerbOf(c.column) {
				return fmt.Sprintf("It is not said whether %s is the time, or that at which it began: name the one that is meant.", c.column.Name)
			}
		}
	}
	return ""
}

// isDatedVerbOf reports whether a participle of a verb that names a time column stands before a time: "shipped in May".
func (p *parser) isDatedVerbOf(c *catalog.Column) bool {
	for i := range p.tokens {
		done := p.isInflected(i) && !strings.HasSuffix(p.tokens[i].lower, "ing")
		if done && p.isDated(i) && slices.ContainsFunc(p.mentions.attributes[i][i+1].all(), func(o columnCandidate) bool { return o.column == c }) {
			return true
		}
	}
	return false
}

// refuseTimeOfCalledOff refuses to date what was called off or failed by a time at which something begins or becomes of it, and which it may
// lack: a cancelled operation never started, and was scheduled all the same. It has the time at which it was cancelled.
func (p *parser) refuseTimeOfCalledOff(n *phrase) (why string) {
	walk(n.set, func(s *set, _ int) {
		off, info := p.statesOff(s), p.lexicon.relationInfo[s.relation]
		agreed := info.validity != nil && intersect(info.stems, p.language.agreementNames)
		for _, c := range s.conditions {
			lacked := c.kind == compare && c.op == "range" && c.unbound && isTime(c.column) && !c.column.NotNull && !slices.ContainsFunc(off, func(state string) bool {
				return slices.Contains(p.lexicon.relationInfo[s.relation].names[c.column], state)
			})
			began := agreed && c.op == "range" && c.column == info.validity.from && !p.mentionsColumn(c.column) && !p.isDatedVerbOf(c.column)
			if len(off) > 0 && began {
				why = fmt.Sprintf("What was called off may never have begun: say that %s is meant, or that it was called off.", c.column.Name)
			}
			if len(off) > 0 && lacked && slices.ContainsFunc(s.relation.Columns, func(o *catalog.Column) bool { return isTime(o) && o.NotNull }) {
				why = fmt.Sprintf("What was called off or failed may have no %s: name the time that is meant.", c.column.Name)
			}
		}
	})
	return why
}

// refuseJoinedForCame refuses the time at which people joined as one at which they came, where others are events of theirs: members "who came
// last week" were there then.
func (p *parser) refuseJoinedForCame(n *phrase) string {
	came := slices.IndexFunc(p.tokens, func(t token) bool { return t.stem == p.language.stem("come") })
	if came < 0 {
		return ""
	}
	for s, c := range conditionsIn(n.set) {
		if c.kind != compare || c.op != "range" || !p.isPeople(s.relation) || slices.Contains(p.lexicon.relationInfo[s.relation].names[c.column], p.tokens[came].stem) {
			continue
		}
		for _, e := range p.lexicon.graph.edges[s.relation] {
			if !e.toOne && !p.lexicon.hasName(e.to) && slices.ContainsFunc(p.lexicon.relationInfo[e.to].dates, func(o *catalog.Column) bool { return o.NotNull }) {
				return fmt.Sprintf("They may have come by %s, or by one of %s: say which.", c.column.Name, e.to.Name.Name)
			}
		}
	}
	return ""
}

// statesOff returns the states of a set's rows, in stems, that say that something was called off or failed.
func (p *parser) statesOff(s *set) (states []string) {
	for _, c := range s.conditions {
		if c.kind != compare || c.op != "=" && c.op != "in" || !p.lexicon.isStatus(c.column) {
			continue
		}
		for _, l := range p.lexicon.statusValues(c.column) {
			if stem := p.language.stemPhrase(l.Text); c.says(literal(l.Value)) && (slices.Contains(p.language.voidNames, stem) || p.isFailure(l.Text)) {
				states = append(states, stem)
			}
		}
	}
	return states
}

// refuseTimeOfOtherEvent refuses the time of one event for that of another one which the verb names: who "returned products this month"
// need not have ordered them then.
func (p *parser) refuseTimeOfOtherEvent(n *phrase) (why string) {
	u := p.used(n)
	walk(n.set, func(s *set, _ int) {
		timed := slices.ContainsFunc(s.conditions, func(c condition) bool { return c.kind == compare && c.op == "range" && isTime(c.column) })
		if !timed && !slices.ContainsFunc(n.group, func(it item) bool { return it.trunc != "" && it.setID == s.id }) {
			return
		}
		other := ""
		for i, t := range p.tokens {
			if !p.isFullVerb(i) {
				continue
			}
			if p.recordsVerb(s.relation, []string{t.lower}) {
				return
			}
			for _, r := range p.relations {
				if u.relations[r] && r != s.relation && len(p.lexicon.relationInfo[r].dates) > 0 && (p.isDoneIn(r, t.lower) || !timed && p.recordsVerb(r, []string{t.lower})) {
					other = fmt.Sprintf("The time may be that of %s, as %q says, and not of %s: name the one that is meant.", r.Name.Name, t.text, s.relation.Name.Name)
				}
			}
		}
		why = cmp.Or(why, other)
	})
	return why
}

// refuseOtherTimeOfVerb refuses to date rows by one event where the question's verb is of another that has a column of its own: "how many faults did we
// close in York in May" is not about those that were opened then.
func (p *parser) refuseOtherTimeOfVerb(n *phrase) (why string) {
	u := p.used(n)
	walk(n.set, func(s *set, _ int) {
		if !slices.ContainsFunc(s.conditions, isTimed) {
			return
		}
		for i, t := range p.tokens {
			perfect := p.isPerfect(i) || p.isDoneBy(i)
			if !p.language.outcomeVerbs[t.stem] && !perfect || !p.isFullVerb(i) || !perfect && (strings.HasSuffix(t.lower, "ed") || p.language.irregular[t.lower] != "") {
				continue // "closed faults" are so, whenever that was
			}
			if p.isPartOfUsedName(i, u) {
				continue // a "shipping fee" is of no shipping
			}
			if c := p.otherTimeOfVerb(i, s, u); c != nil {
				why = fmt.Sprintf("The time is that of %q, which is %s: say so.", t.text, c.Name)
			}
		}
	})
	return why
}

// isTimed reports whether a condition is of a time.
func isTimed(c condition) bool { return c.kind == compare && c.op == "range" && isTime(c.column) }

// otherTimeOfVerb returns the time of a set that the verb at token i names and the reading does not use, nil if there is none. That something was
// done by somebody says nothing of the time.
func (p *parser) otherTimeOfVerb(i int, s *set, u *objects) *catalog.Column {
	for _, c := range p.mentions.attributes[i][i+1].all() {
		used := u.columns[c.column]
		if p.isDoneBy(i) {
			used = slices.ContainsFunc(s.conditions, func(d condition) bool { return d.column == c.column && isTimed(d) })
		}
		if c.score >= namedScore && isTime(c.column) && c.column.Relation == s.relation && !used {
			return c.column
		}
	}
	return nil
}

// isPerfect reports whether a participle is of something that somebody has done: "have we refunded". What we "have closed faults" of is so.
func (p *parser) isPerfect(i int) bool {
	if i == 0 {
		return false
	}
	last := i - 1
	if slices.Contains([]string{"we", "they", "you"}, p.at(last).lower) {
		last--
	}
	return last >= 0 && slices.Contains([]string{"have", "has", "had"}, p.at(last).lower) && len(p.mentions.relations[i+1]) == 0
}

// isDoneBy reports whether a participle behind things says by whom something was done to them: "parcels delivered by DHL".
func (p *parser) isDoneBy(i int) bool {
	if i == 0 {
		return false
	}
	behind := len(p.ends(i-1, "be")) > 0 || slices.ContainsFunc(p.mentions.relations[i-1], func(m relationMention) bool { return m.end == i })
	return behind && p.at(i+1).lower == "by" && p.isInflected(i)
}

// isMeasure reports whether an output is added up or counted, or a number that a view has summed up.
func isMeasure(it item) bool {
	return it.aggregate != "" || it.column != nil && it.column.Class == catalog.Number && it.column.Relation.Kind != catalog.Table
}

// refuseRowsForAverage refuses to keep single rows where the average of them is compared: of products "with an average rating under 3" some
// reviews may have more.
func (p *parser) refuseRowsForAverage(n *phrase) string {
	for _, it := range n.items {
		if it.aggregate != "avg" || it.column == nil || !p.comparesAverageOf(it.column) {
			continue
		}
		if s := n.set.find(it.setID); s != nil && speaksOf(s.conditions, it.column) {
			return fmt.Sprintf("It is not said whether each %s or the average is compared.", it.column.Name)
		}
	}
	return ""
}

// comparesAverageOf reports whether a comparison stands right behind "average" and the name of a column.
func (p *parser) comparesAverageOf(c *catalog.Column) bool {
	for i := range p.tokens {
		for _, from := range p.ends(i, "avg") {
			for end, a := range inOrder(p.mentions.attributes[from]) {
				compared := len(p.ends(end, "lt"))+len(p.ends(end, "gt"))+len(p.ends(end, "le"))+len(p.ends(end, "ge")) > 0
				if compared && slices.ContainsFunc(a.all(), func(o columnCandidate) bool { return o.column == c }) {
					return true
				}
			}
		}
	}
	return false
}

// refuseUndated refuses a time of rows that an admin's definition names, where neither the definition nor the question says which of
// several times is meant: a rental begins and ends.
func (p *parser) refuseUndated(n *phrase) (why string) {
	definitions := n.definitions()
	walk(n.set, func(s *set, _ int) {
		d := definitions[s.id]
		if d == nil || s.time != nil || s.relation.Time != nil {
			return
		}
		columns := p.ownTimes(s.relation)
		if len(columns) < 2 || !slices.ContainsFunc(columns, func(c *catalog.Column) bool { return s.datedBy(c) || n.groupedBy(s, c) }) {
			return
		}
		var names []string
		for _, c := range columns {
			names = append(names, c.Name)
		}
		why = fmt.Sprintf("It is not said by which time %s are meant: say %s, or have an admin give the definition its time.", d.Name, strings.Join(names, " or "))
	})
	return why
}

// definitions returns what an admin has defined that the rows of each set are, or are measured by.
func (n *phrase) definitions() map[int]*catalog.Measure {
	out := map[int]*catalog.Measure{}
	add := func(w *measured) {
		if w != nil {
			out[w.sets[w.m.Relation]] = w.m
		}
	}
	for _, it := range n.items {
		add(it.measure)
	}
	for _, c := range conditionsIn(n.set) {
		add(c.written)
	}
	return out
}

// ownTimes returns the times of a relation, without those of writing and deleting the row and without births.
func (p *parser) ownTimes(r *catalog.Relation) (out []*catalog.Column) {
	info := p.lexicon.relationInfo[r]
	for _, c := range info.dates {
		written := slices.ContainsFunc(info.names[c], func(s string) bool { return s == "creat" || s == "updat" || s == "modifi" })
		if !written && c != info.deleted && c != info.left && !p.lexicon.isBirth(c) {
			out = append(out, c)
		}
	}
	return out
}

// datedBy reports whether an unbound time is compared with a column.
func (s *set) datedBy(c *catalog.Column) bool {
	return slices.ContainsFunc(s.conditions, func(o condition) bool {
		return o.unbound && (o.column == c || slices.ContainsFunc(o.parts, func(part condition) bool { return part.column == c }))
	})
}

// groupedBy reports whether the reading has a group for each period of a column of the set.
func (n *phrase) groupedBy(s *set, c *catalog.Column) bool {
	return slices.ContainsFunc(n.group, func(it item) bool { return it.trunc != "" && it.setID == s.id && it.column == c })
}

// refuseBeginForEnd refuses when rows began as when they ended where the verb is that of their end: courses that "finished last month" need not
// have started then.
func (p *parser) refuseBeginForEnd(n *phrase) string {
	for s, c := range conditionsIn(n.set) {
		lasts := p.interval(s.relation)
		if lasts == nil || c.kind != compare || c.op != "range" || c.column != lasts.from {
			continue
		}
		for i, t := range p.tokens {
			ends := slices.ContainsFunc(p.language.intervals, func(pair intervalNames) bool {
				return slices.Contains(pair.To, t.lower) && slices.ContainsFunc(spelledOut(lasts.to.Name), func(w string) bool { return slices.Contains(pair.To, w) })
			})
			if ends && p.isDated(i) {
				return fmt.Sprintf("%s says when %s began, and not when they %s.", c.column.Name, s.relation.Name.Name, t.text)
			}
		}
	}
	return ""
}

// isPartOfUsedName reports whether the name of a column that a reading uses goes on behind token i.
func (p *parser) isPartOfUsedName(i int, u *objects) bool {
	for end, a := range p.mentions.attributes[i] {
		if end > i+1 && slices.ContainsFunc(a.candidates, func(c columnCandidate) bool { return u.columns[c.column] }) {
			return true
		}
	}
	return false
}

// refuseWhenOfOther refuses to say when something was done by the time of something else, where a column has that of it: "when was order 150
// delivered" is not when it was ordered.
func (p *parser) refuseWhenOfOther(n *phrase) string {
	verb := len(p.tokens) - 1
	if verb < 0 || p.at(0).lower != "when" || len(n.items) != 1 || n.items[0].column == nil || !isTime(n.items[0].column) {
		return ""
	}
	for p.at(verb).kind != wordToken && verb > 0 {
		verb--
	}
	if !p.isInflected(verb) {
		return ""
	}
	stem, shown := p.at(verb).stem, n.items[0].column
	names := func(c *catalog.Column) bool {
		return slices.Contains(p.lexicon.relationInfo[c.Relation].names[c], stem)
	}
	if names(shown) {
		return ""
	}
	for r := range p.used(n).relations {
		for _, c := range p.lexicon.relationInfo[r].dates {
			if c != shown && names(c) {
				return fmt.Sprintf("It is asked when it was %s, which is %s of %s: name it.", p.at(verb).text, c.Name, r.Name.Name)
			}
		}
	}
	return ""
}

// refuseLengthOfOther refuses how long rows last that are no stays where the question speaks of stays: their length is not that of the
// prescriptions in them.
func (p *parser) refuseLengthOfOther(n *phrase) string {
	for _, it := range n.items {
		s := n.set.find(it.setID)
		if it.subtrahend != nil && s != nil && isSaid(p.tokens, "stay", "stays") && !p.areStays(s.relation) && !p.mentionsRelation(s.relation) {
			return fmt.Sprintf("It is not said that the length of %s is wanted: name them.", s.relation.Name.Name)
		}
	}
	return ""
}
