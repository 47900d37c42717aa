// Refusing readings that take a word for something although something else has that name.

package grammar

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"askpg/catalog"
)

// refuseMistaken refuses a reading that takes a word for something although something else has that name.
func (p *parser) refuseMistaken(n *phrase) string {
	return p.firstRefusal(n, (*parser).refuseOtherTime, (*parser).refuseRateForAmount, (*parser).refuseSynonymNumber,
		(*parser).refuseValueCount, (*parser).refuseNumberForDuration, (*parser).refuseFlagOfUnnamed, (*parser).refuseModifierForHead,
		(*parser).refuseExpiryForExpired, (*parser).refuseKeyForMoney, (*parser).refuseRowsForQuantity, (*parser).refuseOverForOngoing,
		(*parser).refuseTimeForState, (*parser).refuseOtherLast, (*parser).refuseAllForEach, (*parser).refuseGroupOfOther, (*parser).refuseColumnOfFarther,
		(*parser).refuseNameCount, (*parser).refuseItself, (*parser).refuseValueForThings, (*parser).refuseValueOfOther, (*parser).refuseStockCounted, (*parser).refuseStockOfOther, (*parser).refuseSoldForHeld, (*parser).refuseLeft, (*parser).refuseEachForTotal)
}

// refuseValueForThings refuses a value whose several words are the whole name of other things, unless what has the value stands behind it: "how much green
// coffee do we have" is about the green coffees, and "green coffee suppliers" are those of that kind.
func (p *parser) refuseValueForThings(n *phrase) string {
	u := p.used(n)
	for s, c := range conditionsIn(n.set) {
		for i, end := range p.saidAt(c) {
			if end == i+1 || !isText(c.column) || p.namesAt(end, s.relation) || p.namesAt(end, n.set.relation) || p.mentionsColumn(c.column) {
				continue
			}
			for _, m := range p.mentions.relations[i] {
				if m.end == end && m.score >= exactNameScore && !u.relations[m.relation] {
					return fmt.Sprintf("%q may be %s of %s, or the rows of %s: say which.", c.value.plain, c.column.Name, s.relation.Name.Name, m.relation.Name.Name)
				}
			}
		}
	}
	return ""
}

// saidAt goes through the tokens, from and before which, that say the value that a condition asks a column to hold.
func (p *parser) saidAt(c condition) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		if c.kind != compare || c.op != "=" {
			return
		}
		for i := range p.tokens {
			for end, hits := range inOrder(p.mentions.values[i]) {
				if h := p.heldBy(c.column, hits); h != nil && h.value == c.value.plain && !yield(i, end) {
					return
				}
			}
		}
	}
}

// refuseValueOfOther refuses an amount of something that the question does not name as the value of the things before that word: the "order value" is
// neither the value of the order's voucher nor the price of a purchase order.
func (p *parser) refuseValueOfOther(n *phrase) string {
	why := ""
	for i, t := range p.tokens {
		if i == 0 || t.lower != "value" && t.lower != "amount" {
			continue
		}
		of := p.namesBefore(i)
		n.eachItem(func(it item) {
			if of == nil || it.column == nil || it.column.Class != catalog.Number || it.aggregate == "count" {
				return
			}
			if other := it.column.Relation; other != of && !p.mentionsRelation(other) && !p.lexicon.pointsTo(other, of) {
				why = fmt.Sprintf("%s is that of %s, and not of %s: name these, or what is added up.", it.column.Name, other.Name.Name, of.Name.Name)
			}
		})
	}
	return why
}

// namesBefore returns the relation whose name ends right before token i, nil if there is none.
func (p *parser) namesBefore(i int) *catalog.Relation {
	for _, m := range p.mentions.relations[i-1] {
		if m.end == i && m.score >= namedScore {
			return m.relation
		}
	}
	return nil
}

// refuseItself refuses the thing that the question names as the answer to what others are to it: "staff who report to Ann" are not Ann.
func (p *parser) refuseItself(n *phrase) string {
	info := p.lexicon.relationInfo[n.set.relation]
	if slices.ContainsFunc(n.items, func(it item) bool {
		return !slices.Contains(info.display, it.column) && !slices.Contains(info.key, it.column)
	}) {
		return "" // something else is shown
	}
	for _, c := range n.set.conditions {
		for i := range p.saidAt(c) {
			behind := i > 1 && slices.Contains([]string{"to", "for", "of", "under", "by"}, p.at(i-1).lower) && (!p.namesAt(i-2, n.set.relation) || p.at(i-1).lower == "of")
			if behind && slices.Contains(info.display, c.column) && p.mentionsRelation(n.set.relation) {
				return fmt.Sprintf("%q is what the question names: say how others belong to it.", c.value.plain)
			}
		}
	}
	return ""
}

// refuseEachForTotal refuses what is said of a total where the reading says it of each row: "customers with total spending above 100".
func (p *parser) refuseEachForTotal(n *phrase) string {
	for i := range p.tokens {
		for end, a := range inOrder(p.mentions.attributes[i]) {
			if !p.endsTag(i, "sum") || len(p.ends(end, "gt", "lt", "ge", "le")) == 0 {
				continue
			}
			for _, c := range conditionsIn(n.set) {
				if c.kind == compare && !isEquality(c.op) && slices.ContainsFunc(a.candidates, func(o columnCandidate) bool { return o.column == c.column }) {
					return fmt.Sprintf("%q is said of several rows together: say of what each total is.", p.text(i-1, end))
				}
			}
		}
	}
	return ""
}

// bestNameScore is how well the words of the question name a column, 0 if none does.
func (p *parser) bestNameScore(c *catalog.Column) (best float64) {
	for i := range p.tokens {
		for _, a := range inOrder(p.mentions.attributes[i]) {
			for _, o := range a.candidates {
				if o.column == c && !a.fromAdjective {
					best = max(best, o.score)
				}
			}
		}
	}
	return best
}

// refuseOtherTime refuses a time as the answer to "when" if the question names another time of the same things better, or says what
// happens by a verb that may also be a state: when a shop closes is not when it opened.
func (p *parser) refuseOtherTime(n *phrase) string {
	if len(p.ends(0, "when")) == 0 || len(n.items) != 1 || n.items[0].column == nil || !isTime(n.items[0].column) {
		return ""
	}
	c, last := n.items[0].column, p.wordsEnd()-1
	if len(p.ends(1, "do")) > 0 && len(p.statesAt[last]) > 0 {
		if i := slices.IndexFunc(n.set.conditions, func(o condition) bool { return o.op == "is null" && isTime(o.column) }); i >= 0 {
			return fmt.Sprintf("%q may say what happens or what is so now, of which %s tells: name the time that is wanted.", p.tokens[last].text, n.set.conditions[i].column.Name)
		}
	}
	for _, o := range p.lexicon.relationInfo[c.Relation].dates {
		if o != c && p.bestNameScore(o) > p.bestNameScore(c) {
			return fmt.Sprintf("It may be %s or %s of %s: say which.", c.Name, o.Name, c.Relation.Name.Name)
		}
	}
	return ""
}

// refuseRateForAmount refuses the sum of a rate, and a rate where the question asks for what it is paid for: an hourly wage is no number
// of hours.
func (p *parser) refuseRateForAmount(n *phrase) (why string) {
	n.eachItem(func(it item) {
		if it.column == nil || it.column.Class != catalog.Number {
			return
		}
		for _, w := range splitName(it.column.Name) {
			if it.aggregate == "sum" && p.language.rateNames[w] {
				why = fmt.Sprintf("%s of %s is a rate, which does not add up.", it.column.Name, it.column.Relation.Name.Name)
			}
			unit := func(t token) bool { return singular(t.lower) != "" && t.stem == p.language.stem(w) }
			if strings.HasSuffix(w, "ly") && p.bestNameScore(it.column) < namedScore && slices.ContainsFunc(p.tokens, unit) {
				why = fmt.Sprintf("%s of %s is paid for each of them, and is no number of them: name the column that is meant.", it.column.Name, it.column.Relation.Name.Name)
			}
		}
	})
	return why
}

// refuseBoundForNumber refuses how many things there may be as how many there are: "participants per event" is not max_participants. The
// question has to say so: "maximum", "can", "up to".
func (p *parser) refuseBoundForNumber(n *phrase) string {
	says := slices.ContainsFunc(p.tokens, func(t token) bool {
		return p.language.boundNames[t.stem] || slices.Contains([]string{"can", "may", "could", "up", "capacity", "allowed", "possible", "places", "seats"}, t.lower)
	})
	if says {
		return ""
	}
	shown := slices.Clone(n.items)
	for s, c := range conditionsIn(n.set) {
		if c.kind == compare && !isEquality(c.op) && c.value.column == nil {
			shown = append(shown, item{column: c.column, setID: s.id}) // "with more than 10 participants"
		}
	}
	for _, it := range shown {
		if it.column == nil || it.column.Class != catalog.Number {
			continue
		}
		words := splitName(it.column.Name)
		if singular(words[len(words)-1]) != "" && slices.ContainsFunc(words[:len(words)-1], func(w string) bool { return p.language.boundNames[p.language.stem(w)] }) {
			return fmt.Sprintf("%s says how many there may be, and not how many there are: say maximum, or what is counted.", it.column.Name)
		}
	}
	return ""
}

// refuseSynonymNumber refuses a number that is named by a synonym only, or that belongs to what the things point to, where another number
// has the question's word in its name: of things with a fee, "fee" is not the price.
func (p *parser) refuseSynonymNumber(n *phrase) string {
	for _, it := range n.items {
		if it.column == nil || it.column.Class != catalog.Number {
			continue
		}
		for i := range p.tokens {
			a := p.mentions.attributes[i][i+1]
			if p.isFunction(i) || p.language.isRevenueWord(p.tokens[i].lower) || !slices.ContainsFunc(a.all(), func(c columnCandidate) bool { return c.column == it.column && c.score == p.bestNameScore(it.column) }) {
				continue
			}
			names := p.lexicon.relationInfo[it.column.Relation].names
			synonym := !slices.Contains(names[it.column], p.tokens[i].stem) && p.language.moneyNames[p.tokens[i].stem]
			for _, o := range a.candidates {
				own := i > 0 && it.column.Relation != o.column.Relation && p.namesAt(i-1, o.column.Relation)
				if o.column != it.column && o.column.Class == catalog.Number && (synonym || own) && slices.Contains(p.lexicon.relationInfo[o.column.Relation].names[o.column], p.tokens[i].stem) {
					return fmt.Sprintf("%q may be %s of %s or %s of %s: say which.", p.tokens[i].text, it.column.Name, it.column.Relation.Name.Name, o.column.Name, o.column.Relation.Name.Name)
				}
			}
		}
	}
	return ""
}

// refuseValueCount refuses to count the values of a column where that is always one, or where the rows are not named and only others lead
// to them: the seats of a hall are not the seats of its tickets.
func (p *parser) refuseValueCount(n *phrase) string {
	for _, it := range n.items {
		if it.aggregate != "count" || it.column == nil || !isText(it.column) {
			continue
		}
		s := n.set.find(it.setID)
		if s == nil {
			continue
		}
		far := slices.ContainsFunc(s.conditions, func(c condition) bool { return c.kind == related && len(c.path.edges) > 1 })
		if p.namesOneRow(s) && p.bestNameScore(it.column) <= synonymScore || far && !p.mentionsRelation(s.relation) {
			return fmt.Sprintf("It is not said what to count: the values of %s of %s would be no answer. Name the things.", it.column.Name, s.relation.Name.Name)
		}
	}
	return ""
}

// refuseNumberForDuration refuses a number of unnamed rows as the answer to "how long": how long a case is open is not the sum of minutes
// that were worked on it.
func (p *parser) refuseNumberForDuration(n *phrase) string {
	if len(p.ends(0, "how_long")) == 0 {
		return ""
	}
	for _, it := range n.items {
		s := n.set.find(it.setID)
		if it.column != nil && slices.ContainsFunc(p.tokens, func(t token) bool { return t.stem == "take" || t.stem == "last" }) && slices.Contains(p.lexicon.relationInfo[it.column.Relation].names[it.column], p.language.stem("length")) {
			return fmt.Sprintf("%s says how long %s are, and not how long they take.", it.column.Name, it.column.Relation.Name.Name)
		}
		if it.column != nil && it.column.Class == catalog.Number && !p.mentionsRelation(it.column.Relation) && (s == nil || !p.namesOneRow(s)) {
			return fmt.Sprintf("%s is of %s: say of what the time is wanted.", it.column.Name, it.column.Relation.Name.Name)
		}
	}
	return ""
}

// refuseFlagOfUnnamed refuses "things without a row that has a flag" where the question does not name the rows: a buyer who "has not
// paid" may have no bill at all.
func (p *parser) refuseFlagOfUnnamed(n *phrase) string {
	for _, c := range n.set.conditions {
		if c.kind != related || !c.negated || p.mentionsRelation(c.child.relation) {
			continue
		}
		for _, o := range c.child.conditions {
			if o.kind == compare && o.column.Class == catalog.Boolean {
				return fmt.Sprintf("Those without any %[1]s would be among them: name %[1]s, and say of them that %[2]s is not so.", c.child.relation.Name.Name, o.column.Name)
			}
		}
	}
	return ""
}

// refuseModifierForHead refuses to show a modifier as if it were the head noun: "fixed fee cases" and "urgent cases" ask for cases, not
// for a fee or an urgency.
func (p *parser) refuseModifierForHead(n *phrase) string {
	if len(n.items) != 1 || n.items[0].column == nil || n.items[0].aggregate != "" || len(n.group) > 0 {
		return ""
	}
	c := n.items[0].column
	for i := range p.tokens {
		for end, a := range inOrder(p.mentions.attributes[i]) {
			for _, m := range p.mentions.relations[end] {
				said := slices.ContainsFunc(a.candidates, func(o columnCandidate) bool { return o.column == c && !a.fromAdjective })
				adjective := end == i+1 && !slices.Contains(splitName(c.Name), p.tokens[i].lower)
				if said && m.relation == c.Relation && (adjective || c.Class == catalog.Number && m.score >= namedScore) && m.end == p.wordsEnd() && singular(p.tokens[end-1].lower) == "" {
					return fmt.Sprintf("%q says what they are, and is not what is shown: say of %s what has to hold.", p.text(i, end), c.Name)
				}
			}
		}
	}
	return ""
}

// refuseExpiryForExpired refuses what has a day of its end for what is over: a permit expires whether it has expired or not.
func (p *parser) refuseExpiryForExpired(n *phrase) string {
	compared := map[*catalog.Column]bool{}
	walk(n.set, func(s *set, _ int) {
		for c := range comparisonsOf(s.conditions) {
			compared[c.column] = compared[c.column] || c.op != "is not null"
		}
	})
	for c := range p.used(n).columns {
		names := p.lexicon.relationInfo[c.Relation].names[c]
		said := slices.ContainsFunc(p.tokens, func(t token) bool {
			return strings.HasSuffix(t.lower, "ed") && p.language.futureTimeNames[t.stem] && slices.Contains(names, t.stem)
		})
		if said && isTime(c) && !compared[c] {
			return fmt.Sprintf("%s of %s may lie ahead: say before when it has to be.", c.Name, c.Relation.Name.Name)
		}
	}
	return ""
}

// refuseKeyForMoney refuses the number of a row where the question calls the one row by a word for money: the adult fare is what adults pay.
func (p *parser) refuseKeyForMoney(n *phrase) string {
	info := p.lexicon.relationInfo[n.set.relation]
	if len(n.items) > 0 || len(n.group) > 0 || n.set.superlative != nil || n.words[1] == 0 || !hasSameColumns(info.display, info.key) {
		return ""
	}
	if t := p.tokens[n.words[1]-1]; p.language.moneyNames[t.stem] && singular(t.lower) == "" {
		return fmt.Sprintf("%q may be a row of %s or a number of it: say which column is wanted.", t.text, n.set.relation.Name.Name)
	}
	return ""
}

// refuseRowsForQuantity refuses to count rows that "how many" calls by a part of their name where each of them says of how many pieces it is:
// one sale of tickets is of several tickets.
func (p *parser) refuseRowsForQuantity(n *phrase) string {
	counts := n.countsRows()
	if !counts {
		return ""
	}
	part := slices.ContainsFunc(p.ends(0, "how_many"), func(e int) bool {
		called := p.mentions.relations[e] // the best first
		return len(called) > 0 && called[0].relation == n.set.relation && called[0].score < namedScore
	})
	for _, c := range n.set.relation.Columns {
		if part && p.isAdditive(c) && slices.ContainsFunc(p.lexicon.relationInfo[c.Relation].names[c], func(s string) bool { return p.language.quantityNames[s] }) {
			return fmt.Sprintf("It may be the number of rows of %s or their total %s: say which.", n.set.relation.Name.Name, c.Name)
		}
	}
	return ""
}

// refuseOverForOngoing refuses what happened at any time for what goes on: what is "being mended" or "on loan" has not come back.
func (p *parser) refuseOverForOngoing(n *phrase) string {
	for _, c := range conditionsIn(n.set) {
		if c.kind != related || c.negated || c.path.toOne() || slices.ContainsFunc(c.child.conditions, func(o condition) bool { return o.kind == compare && isTime(o.column) }) {
			continue
		}
		r := c.child.relation
		ends := slices.ContainsFunc(p.lexicon.relationInfo[r].dates, mayLack)
		for i := 1; i < len(p.tokens); i++ {
			on := p.tokens[i-1].lower == "on" && singular(p.tokens[i].lower) == ""
			if ends && (on || p.tokens[i-1].lower == "being") && slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return m.relation == r && m.end == i+1 }) {
				return fmt.Sprintf("Some of %s may be over: say by their times which are meant.", r.Name.Name)
			}
		}
	}
	return ""
}

// rankByNamedAmount replaces a ranking by the number of rows with one by an amount that the question names exactly: "who worked the most
// hours" is not about the number of rows of work_hours. Nor is "the most commission", which nobody counts in the singular.
func (p *parser) rankByNamedAmount(n *phrase) *phrase {
	if n.set == nil || n.set.superlative == nil || n.set.superlative.by.aggregate != "count" || n.set.superlative.by.column != nil {
		return n
	}
	counted := n.set.find(n.set.superlative.by.setID)
	if counted == nil {
		return n
	}
	for i := range p.tokens {
		called := slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return m.relation == counted.relation && m.score < namedScore })
		for _, c := range p.mentions.attributes[i][i+1].all() {
			if called && c.score >= exactNameScore && c.column.Relation == counted.relation && p.isAdditive(c.column) {
				return n.rankedBySum(c.column, counted)
			}
		}
		mass := i > 0 && p.tokens[i-1].lower == "most" && !p.isPeople(counted.relation) && slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool {
			return m.relation == counted.relation && m.end == i+1 && singular(p.tokens[i].lower) == ""
		})
		if c := p.impliedColumn(counted.relation, true); mass && c != nil && p.isAdditive(c) {
			return n.rankedBySum(c, counted)
		}
	}
	return n
}

// rankedBySum returns the phrase with its things ranked by the sum of a column.
func (n *phrase) rankedBySum(c *catalog.Column, of *set) *phrase {
	s := *n.set.superlative
	s.by = item{column: c, setID: of.id, aggregate: "sum"}
	set := *n.set
	set.superlative = &s
	return n.over(&set)
}
