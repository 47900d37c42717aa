// Refusing what neither the question nor the schema says.

package grammar

import (
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// refuseUnproved refuses a reading that takes something for true which neither the question nor the schema says.
func (p *parser) refuseUnproved(n *phrase) string {
	return p.firstRefusal(n, (*parser).refuseMeasureLeftOut, (*parser).refuseListForYesNo, (*parser).refuseStateShown, (*parser).refuseGivenName,
		(*parser).refuseCodeForWho, (*parser).refuseJunctionKeys, (*parser).refuseKeyForWhat, (*parser).refuseOtherUnit, (*parser).refuseNameLeftOut,
		(*parser).refuseFlagLeftOut, (*parser).refuseNegationElsewhere, (*parser).refuseOnlyInTime, (*parser).refuseTimeOfNegated, (*parser).refuseNegatedBy, (*parser).refuseBesideCodes, (*parser).refuseTodayForNow,
		(*parser).refuseOtherAsRevenue, (*parser).refuseSumOfSold, (*parser).refuseFailedPayments, (*parser).refusePlaceOfOther,
		(*parser).refuseNumberForWho, (*parser).refuseCountOfUnnamed, (*parser).refuseStateOfOther, (*parser).refuseStateOfUnnamed,
		(*parser).refuseSalesCount, (*parser).refuseAmountCount, (*parser).refuseOneOfTwoAsked, (*parser).refuseForecast, (*parser).refuseStockLeftOut,
		(*parser).refusePaidElsewhere, (*parser).refuseFutureByPastTime, (*parser).refuseNotActuallyDone, (*parser).refuseMayHappen,
		(*parser).refuseValidThen, (*parser).refuseRevenueLeftOut, (*parser).refuseSomeForEvery,
		(*parser).refuseMissingKeyForState, (*parser).refuseDueOfOther, (*parser).refuseSharedLastName, (*parser).refuseCountedAmount, (*parser).refuseCountOfOne, (*parser).refuseSeveralUnits)
}

// refuseRevenueLeftOut refuses a reading that shows or ranks by no amount where the question asks for what was earned: "fuel revenue" is no list
// of sales. "Sales" alone may be counted.
func (p *parser) refuseRevenueLeftOut(n *phrase) string {
	i := p.revenueLeftOut(n)
	if i < 0 || p.tokens[i].stem == "sale" {
		return ""
	}
	return fmt.Sprintf("%q is an amount, and none is among what is shown: name the column that is added up.", p.tokens[i].text)
}

// revenueLeftOut returns the first word for what was earned, if a reading shows and ranks by no amount; -1 if there is none.
func (p *parser) revenueLeftOut(n *phrase) int {
	amount := func(it item) bool {
		return it.aggregate == measureAggregate || it.column != nil && it.column.Class == catalog.Number && !p.isIdentifier(it.column) && it.aggregate != "count"
	}
	found := n.set.superlative != nil && amount(n.set.superlative.by)
	n.eachItem(func(it item) { found = found || amount(it) || it.divisor != nil })
	for i, t := range p.tokens {
		if !found && p.language.isRevenueWord(t.lower) && len(p.mentions.values[i]) == 0 {
			return i
		}
	}
	return -1
}

// refuseMayHappen refuses what has happened where the question asks for what can happen: "which vouchers can customers use" is not about those
// of their orders.
func (p *parser) refuseMayHappen(n *phrase) string {
	modal := slices.IndexFunc(p.tokens, func(t token) bool { return t.lower == "can" || t.lower == "could" })
	if modal < 1 || len(p.ends(modal, "do")) == 0 || p.at(modal+1).lower == "you" {
		return ""
	}
	for _, c := range conditionsIn(n.set) {
		for _, e := range c.path.edges {
			if p.isEvent(e.to) && !p.mentionsRelation(e.to) {
				return fmt.Sprintf("%s tells what has happened, and %q asks for what can happen: name what tells that.", e.to.Name.Name, p.tokens[modal].text)
			}
		}
	}
	return ""
}

// refuseNameLeftOut refuses a reading without any name where the question asks for one: "code and name of the airports in Hull".
func (p *parser) refuseNameLeftOut(n *phrase) string {
	u := p.used(n)
	for i, t := range p.tokens {
		if len(p.nameWords(i)) == 0 || p.isWithinUsed(i, i+1, u) {
			continue
		}
		if i > 0 && p.isWithinUsed(i-1, i, u) {
			if of := p.relationsFrom(i - 1); len(of) == 1 && of[0].end == i && !p.showsName(n, of[0].relation) {
				return fmt.Sprintf("The name of %s is not among what is shown.", of[0].relation.Name.Name)
			}
			continue // the name of a country is what its column holds
		}
		shown := false
		for c := range u.columns {
			info := p.lexicon.relationInfo[c.Relation]
			shown = shown || slices.Contains(info.display, c) || slices.ContainsFunc(info.names[c], func(s string) bool { return s == "name" || s == "titl" })
		}
		if !shown {
			return fmt.Sprintf("Each word is known, but not how %q goes together with the rest.", t.text)
		}
	}
	return ""
}

// refuseFlagLeftOut refuses rows that a word may only partly describe, where a flag says of each row whether it does: not every guest of
// a tasting came.
func (p *parser) refuseFlagLeftOut(n *phrase) string {
	u := p.used(n)
	for i := range p.tokens {
		for _, c := range p.mentions.attributes[i][i+1].all() {
			if flag := c.column; flag.Class == catalog.Boolean && c.score >= namedScore && p.isInflected(i) && u.relations[flag.Relation] && !u.columns[flag] {
				return fmt.Sprintf("%s of %s says yes or no: say whether it has to be so.", flag.Name, flag.Relation.Name.Name)
			}
		}
	}
	return ""
}

// refuseNegationElsewhere refuses a reading without NOT EXISTS or the like where the question negates some related things: who has "not
// any letters by Ada" may have no letters at all.
func (p *parser) refuseNegationElsewhere(n *phrase) string {
	for i := 1; i < len(p.tokens); i++ {
		if p.tokens[i].lower != "any" || !p.isNegatedBefore(i) {
			continue
		}
		for _, m := range p.mentions.relations[i+1] {
			if m.score >= namedScore && !lacksSome(n.set.conditions) {
				return fmt.Sprintf("It is not said how there are none of %s: say without %[1]s, or that have no %[1]s.", m.relation.Name.Name)
			}
		}
	}
	return ""
}

// isNegatedBefore reports whether one of the three words before token i negates.
func (p *parser) isNegatedBefore(i int) bool {
	return isSaid(p.tokens[max(0, i-3):i], "not", "n't", "never")
}

// lacksSome reports whether one of the conditions says that something is missing.
func lacksSome(list []condition) bool {
	return slices.ContainsFunc(list, func(c condition) bool {
		switch {
		case c.kind == related:
			return c.negated || c.count != nil || lacksSome(c.child.conditions)
		case c.kind == noneOf, c.op == "is null":
			return true
		}
		return lacksSome(c.parts)
	})
}

// refuseTimeOfNegated refuses to compare the time of a negated event with a column of the things: customers who "have not ordered in the
// last 30 days" may have come before.
func (p *parser) refuseTimeOfNegated(n *phrase) string {
	for _, c := range n.set.conditions {
		if verb := p.negatedVerb(); c.kind == noneOf && c.parts[0].op == "range" && verb >= 0 && !p.isColumnName(c.parts[0].column, verb) {
			return fmt.Sprintf("It is not known that %s of %s is when they were %s: name what records it.", c.parts[0].column.Name, n.set.relation.Name.Name, p.tokens[verb].text)
		}
	}
	for _, c := range n.set.conditions {
		if c.kind == related && c.negated && p.isEvent(n.set.relation) && !p.isPeople(n.set.relation) && slices.ContainsFunc(c.child.conditions, isTimed) && p.says("without", "no") {
			return fmt.Sprintf("It is not said whether the time is that of %s or of %s: say it of one.", n.set.relation.Name.Name, c.child.relation.Name.Name)
		}
	}
	dated := slices.ContainsFunc(n.set.conditions, func(c condition) bool { return c.unbound })
	denied := slices.IndexFunc(n.set.conditions, func(c condition) bool { return c.kind == related && c.negated })
	if !dated || denied < 0 {
		return ""
	}
	said := false
	for i := range p.tokens {
		if len(p.ends(i, "not", "no", "without")) > 0 {
			said = true
		}
		if said && len(p.date(i)) > 0 {
			return fmt.Sprintf("%s says nothing of times: leave the time out, or say before \"not\" what was in it.", n.set.conditions[denied].child.relation.Name.Name)
		}
	}
	return ""
}

// refuseBesideCodes refuses a state that only a missing time proves, where the rows have a status of codes that nothing explains: some of what is not
// closed may be cancelled.
func (p *parser) refuseBesideCodes(n *phrase) string {
	for s, c := range conditionsIn(n.set) {
		if c.kind != compare || c.op != "is null" || !isTime(c.column) || p.mentionsColumn(c.column) {
			continue
		}
		for _, status := range s.relation.Columns {
			values := valuesOf(status)
			unexplained := len(values) > 1 && len(p.lexicon.meanings(status)) == 0 && !slices.ContainsFunc(values, func(v string) bool { return len(v) > 2 })
			if unexplained && isText(status) && slices.Contains(p.lexicon.relationInfo[s.relation].names[status], p.language.stem("status")) && !speaksOf(s.conditions, status) {
				return fmt.Sprintf("%s of %s has codes that nothing explains, and may say that, too: name the one that is meant.", status.Name, s.relation.Name.Name)
			}
		}
	}
	return ""
}

// refuseNegatedBy refuses to negate only by whom something is done: what is "not yet delivered by UPS" may have nobody else.
func (p *parser) refuseNegatedBy(n *phrase) string {
	for i := range p.tokens {
		for _, verb := range p.ends(i, "not") {
			if verb >= len(p.tokens) || !p.isPast(verb) || !p.language.outcomeVerbs[p.at(verb).stem] || p.at(verb+1).lower != "by" {
				continue
			}
			for s, c := range conditionsIn(n.set) {
				if c.kind == compare && (c.op == "<>" || c.op == "not in") && s == n.set {
					return fmt.Sprintf("It is not said whether it was not %s, or by another %s: say which.", p.tokens[verb].text, c.column.Name)
				}
			}
		}
	}
	return ""
}

// negatedVerb returns the token of the verb of what was not done in a time, such as boats "not used in May"; -1 if there is none.
func (p *parser) negatedVerb() int {
	for i := range p.tokens {
		for _, e := range p.ends(i, "not") {
			for ; e < len(p.tokens) && (p.isVerb(e) || len(p.ends(e, "be_bare")) > 0); e++ {
				if p.isFullVerb(e) && p.isDated(e) {
					return e
				}
			}
		}
	}
	return -1
}

// refuseTodayForNow refuses "today" as the day on which people came, who may have left since, unless a word says that they came: whom we
// "employ today" is there now.
func (p *parser) refuseTodayForNow(n *phrase) (why string) {
	walk(n.set, func(s *set, _ int) {
		ends := slices.ContainsFunc(p.lexicon.relationInfo[s.relation].dates, p.mayEnd)
		for _, c := range s.conditions {
			if !ends || c.kind != compare || c.op != "range" || c.value.literals[0] != today() || c.value.literals[1] != tomorrow() || p.mayEnd(c.column) || p.verbNamesTime(s.relation) {
				continue
			}
			why = fmt.Sprintf("It is not said whether %s is meant or who is there now: say now, or what happened today.", c.column.Name)
		}
	})
	return why
}

// mayEnd reports whether a time is one at which some rows have ended, or people have left.
func (p *parser) mayEnd(c *catalog.Column) bool {
	return !c.NotNull && (c == p.lexicon.relationInfo[c.Relation].left || p.lexicon.isNamed(c, p.language.endTimeNames))
}

// verbNamesTime reports whether a verb of the question names a time of a relation.
func (p *parser) verbNamesTime(r *catalog.Relation) bool {
	return p.anywhere(func(i int) bool { return p.namesTime(i, func(o *catalog.Relation) bool { return o == r }) })
}

// paidForOther returns a relation of payments that are for other things than those that were sold, nil if there is none: the fees of courses
// are earned beside the sale of books.
func (p *parser) paidForOther(sold *catalog.Relation) *catalog.Relation {
	leadsTo := func(from, to *catalog.Relation) bool {
		return from == to || slices.ContainsFunc(p.pathsBetween(from, to), path.toOne)
	}
	whole := sold
	if k := p.soldIn(sold); k != nil {
		whole = k.To
	}
	for _, q := range p.relations {
		if q == sold || q == whole || !p.isPayment(q) || !slices.ContainsFunc(q.Columns, p.isMoneyColumn) {
			continue
		}
		other := false
		for _, e := range p.lexicon.graph.edges[q] {
			other = other || e.toOne && !e.implied && !p.isPeople(e.to)
		}
		if other && !leadsTo(q, sold) && !leadsTo(q, whole) && !leadsTo(sold, q) && !leadsTo(whole, q) {
			return q
		}
	}
	return nil
}

// mentionsSold reports whether the question names a relation of what was sold, or what its rows point to.
func (p *parser) mentionsSold(r *catalog.Relation) bool {
	return p.mentionsRelation(r) || slices.ContainsFunc(p.lexicon.graph.edges[r], func(e *edge) bool { return e.toOne && p.mentionsRelation(e.to) })
}

// mayBeMoney reports whether a column is of money, as its name, its comment or its two digits for cents say.
func (p *parser) mayBeMoney(c *catalog.Column) bool {
	return p.isMoneyColumn(c) || inMinor(c) || c.Class == catalog.Number && strings.HasSuffix(c.Type, ",2)") && p.lexicon.isOrder(c.Relation)
}

// refuseSalesCount refuses to count what the question calls by what it brought in, where it does not ask for a number: "sales by
// branch" are amounts to most.
func (p *parser) refuseSalesCount(n *phrase) string {
	counts := slices.ContainsFunc(n.items, func(it item) bool { return it.aggregate == "count" && it.column == nil })
	if !counts || p.mentionsNumber() || len(p.ends(0, "how_many")) > 0 {
		return ""
	}
	for i, t := range p.tokens {
		if !p.language.isRevenueWord(t.lower) || !slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return m.relation == n.set.relation }) {
			continue
		}
		if c := p.impliedColumn(n.set.relation, true); c != nil {
			return fmt.Sprintf("%q may be the number of %s or their total %s: say number of, or total.", t.text, n.set.relation.Name.Name, c.Name)
		}
	}
	return ""
}

// refuseSalesListed refuses to list the rows that the question calls by what they brought in alone: "sales in March" are an amount to most.
func (p *parser) refuseSalesListed(n *phrase) string {
	rows := n.set != nil && (len(n.items) == 0 || len(n.items) == len(n.set.relation.Columns) && !n.hasAggregate())
	if !rows || len(n.group) > 0 || n.set.superlative != nil || p.tokens[0].lower == "list" {
		return ""
	}
	called := slices.ContainsFunc(p.mentions.relations[n.words[0]], func(m relationMention) bool {
		return m.relation == n.set.relation && m.score < exactNameScore
	})
	if c := p.impliedColumn(n.set.relation, true); c != nil && called && p.language.isRevenueWord(p.tokens[n.words[0]].lower) {
		return fmt.Sprintf("%q may be the rows of %s or their total %s: say list of, or total.", p.tokens[n.words[0]].text, n.set.relation.Name.Name, c.Name)
	}
	return ""
}

// refuseAmountCount refuses to count the rows of which the amount is asked, where a column may be that: "total amount of overdue bills".
// The total of what is sold is no number of it.
func (p *parser) refuseAmountCount(n *phrase) string {
	if len(n.items) != 1 || n.items[0].aggregate != "count" || n.items[0].column != nil {
		return ""
	}
	if held := p.onHand(n.set.relation); held != nil && speaksOf(n.set.conditions, held) && len(n.set.conditions) > 1 {
		return fmt.Sprintf("It is not said whether places are counted or what lies there: say total %s.", held.Name)
	}
	if r := n.set.relation; p.lexicon.isOrder(r) && p.isTotalOf(n.words[0]) || p.isPayment(r) && n.words[0] > 0 && p.tokens[n.words[0]-1].lower == "total" && slices.ContainsFunc(r.Columns, p.mayBeMoney) {
		return fmt.Sprintf("It is not said whether the number of %s is meant or what they come to: say number of, or the name of the amount.", r.Name.Name)
	}
	if !p.mentionsStem(p.language.stem("amount")) {
		return ""
	}
	for _, c := range n.set.relation.Columns {
		if p.isMoneyColumn(c) || inMinor(c) {
			return fmt.Sprintf("\"amount\" may be the number of %s or their total %s: say number of, or total %[2]s.", n.set.relation.Name.Name, c.Name)
		}
	}
	return ""
}

// refuseOneOfTwoAsked refuses a reading that does not show one of two things that are asked of: "who coaches which squad" asks for both.
func (p *parser) refuseOneOfTwoAsked(n *phrase) string {
	shown := func(r *catalog.Relation) bool {
		of := func(it item) bool { s := n.set.find(it.setID); return s != nil && s.relation == r }
		return len(n.items) == 0 && n.set.relation == r || slices.ContainsFunc(n.items, of) || slices.ContainsFunc(n.group, of)
	}
	for i := 1; i+1 < len(p.tokens) && len(p.ends(0, "who")) > 0; i++ {
		for _, m := range p.mentions.relations[i+1] {
			if p.tokens[i].lower == "which" && m.score >= namedScore && !shown(m.relation) {
				return fmt.Sprintf("It is not shown which of %s is meant.", m.relation.Name.Name)
			}
		}
	}
	return ""
}

// isPayment reports whether the rows of a relation are payments.
func (p *parser) isPayment(r *catalog.Relation) bool {
	if p.lexicon.isOrder(r) || slices.ContainsFunc(p.lexicon.soldQuantities, func(c *catalog.Column) bool { return c.Relation == r }) {
		return false // the receipts of a till are what was sold
	}
	for s := range p.lexicon.relationInfo[r].stems {
		if p.language.paidNames[s] || len(s) > 4 && shortens("payment", s) {
			return true
		}
	}
	return false
}

// isMoneyColumn reports whether a column holds amounts of money that add up, or totals of each row.
func (p *parser) isMoneyColumn(c *catalog.Column) bool {
	names := p.lexicon.relationInfo[c.Relation].names[c]
	total := c.Class == catalog.Number && slices.Contains(names, p.language.stem("total"))
	return (total || p.isAdditive(c)) && slices.ContainsFunc(names, func(s string) bool { return p.language.moneyNames[s] })
}

// synonymScore is the most that a name scores of which the question has a synonym.
const synonymScore = 0.88

// refusePlaceOfOther refuses a value that is named by a synonym only where it belongs to a row that the things point to: the buyer of an
// order need not be where its supplier is.
func (p *parser) refusePlaceOfOther(n *phrase) string {
	if !n.attributeHead || len(n.items) != 1 || n.items[0].column == nil || !isText(n.items[0].column) {
		return ""
	}
	c := n.items[0].column
	for _, a := range p.mentions.attributes[n.words[0]][n.words[1]].all() {
		if a.column != c || a.score > synonymScore {
			continue
		}
		for _, o := range n.set.conditions {
			if o.kind == related && !o.negated && len(o.child.conditions) > 0 && o.path.toOne() {
				return fmt.Sprintf("It is not said that this holds of %s of %s: it is said of %s.", c.Name, c.Relation.Name.Name, o.child.relation.Name.Name)
			}
		}
	}
	return ""
}

// refuseNumberForWho refuses a number, a code or a thing as the answer to "who".
func (p *parser) refuseNumberForWho(n *phrase) string {
	if len(p.ends(0, "who")) == 0 || len(n.group) > 0 {
		return ""
	}
	var c *catalog.Column
	switch display := p.lexicon.relationInfo[n.set.relation].display; {
	case len(n.items) == 1:
		c = n.items[0].column
	case len(n.items) == 0 && len(display) == 1 && !p.isPeople(n.set.relation) && !p.isDoer(n.set.relation):
		c = display[0]
	}
	if c == nil {
		return ""
	}
	numbered := c.Unique && c.Profile != nil && strings.ContainsAny(c.Profile.Min, "0123456789")
	if p.isIdentifier(c) || c.Class == catalog.Number || isTime(c) || p.isNumbering(c) || numbered {
		return fmt.Sprintf("%s of %s is no name: say whose name is wanted.", c.Name, c.Relation.Name.Name)
	}
	return ""
}

// refuseCountOfUnnamed refuses a number of rows that the question does not name: "the phone number of Ann" is not the number of her
// orders by phone.
func (p *parser) refuseCountOfUnnamed(n *phrase) string {
	if len(n.items) != 1 || n.items[0].column == nil || n.items[0].aggregate != "" || len(n.group) > 0 {
		return ""
	}
	it := n.items[0]
	c, s := it.column, n.set.find(it.setID)
	if !p.isNumbering(c) || len(p.lexicon.relationInfo[c.Relation].names[c]) < 2 || p.mentionsRelation(c.Relation) || s != nil && p.namesOneRow(s) {
		return ""
	}
	for i, byEnd := range inOrder(p.mentions.attributes) {
		for end, a := range inOrder(byEnd) {
			if end > i+1 && slices.ContainsFunc(a.candidates, func(o columnCandidate) bool { return o.column == c }) {
				return ""
			}
		}
	}
	return fmt.Sprintf("It is not said of what the number is wanted: %s is of %s.", c.Name, c.Relation.Name.Name)
}

// isNumbering reports whether a column is called a number, a code or a reference: it tells rows apart and is no name of theirs.
func (p *parser) isNumbering(c *catalog.Column) bool {
	switch lastOf(p.lexicon.relationInfo[c.Relation].names[c]) {
	case "id", "no", "nr", "seq", "number", "code", p.language.stem("reference"), p.language.stem("sequence"), p.language.stem("position"):
		return true
	}
	return false
}

// refuseStateOfUnnamed refuses a state of unnamed rows where the named things have a state of that word: an appointment "cancelled by the
// patient" is not one whose invoice is cancelled.
func (p *parser) refuseStateOfUnnamed(n *phrase) (why string) {
	for _, c := range n.set.conditions {
		if c.kind != related || c.negated || p.mentionsRelation(c.child.relation) {
			continue
		}
		for _, o := range c.child.conditions {
			if o.kind != compare || o.op != "=" || len(p.lexicon.meanings(o.column)) == 0 {
				continue
			}
			for _, own := range n.set.relation.Columns {
				for _, l := range p.lexicon.meanings(own) {
					if stem := p.language.stem(strings.ToLower(strings.SplitN(l.Text, " ", 2)[0])); p.mentionsStem(stem) {
						why = fmt.Sprintf("It is not said whether %s of %s is meant or %s of %s: name whose it is.", own.Name, n.set.relation.Name.Name, o.column.Name, c.child.relation.Name.Name)
					}
				}
			}
		}
	}
	return why
}

// mentionsStem reports whether the question has a word of one of the stems.
func (p *parser) mentionsStem(stems ...string) bool {
	return slices.ContainsFunc(p.tokens, func(t token) bool { return t.kind == wordToken && slices.Contains(stems, t.stem) })
}

// refuseStateOfOther refuses a state of unnamed rows that the things point to: a booking that "left" is not one whose clerk has left.
func (p *parser) refuseStateOfOther(n *phrase) string {
	for _, c := range n.set.conditions {
		if c.kind != related || c.negated || !c.path.toOne() || len(c.child.conditions) == 0 || p.mentionsRelation(c.child.relation) {
			continue
		}
		if !slices.ContainsFunc(c.child.conditions, func(o condition) bool {
			return o.kind != compare || o.op != "is not null" || !isTime(o.column)
		}) {
			return fmt.Sprintf("It is not said whether %s of %s is meant: name whose it is.", c.child.conditions[0].column.Name, c.child.relation.Name.Name)
		}
	}
	return ""
}

// isFutureRange reports whether a range of time begins today or later and ends after today.
func isFutureRange(bounds []string) bool {
	ahead := strings.Contains(bounds[0], " + ") && !strings.HasPrefix(bounds[0], "date_trunc('week', CURRENT_DATE - ") // as "last Friday" does
	return ahead || bounds[0] == today() && bounds[1] != "" && bounds[1] != tomorrow()
}

// refuseNotActuallyDone refuses rows of any status where the question asks for what was "actually" done: a van whose booking was called
// off was not actually used.
func (p *parser) refuseNotActuallyDone(n *phrase) (why string) {
	if !p.hasActually {
		return ""
	}
	walk(n.set, func(s *set, _ int) {
		asksState := slices.ContainsFunc(s.conditions, func(c condition) bool {
			return c.kind == related && c.negated || c.kind == compare && (c.op == "is not null" && isTime(c.column) || p.lexicon.isStatus(c.column))
		})
		if i := slices.IndexFunc(s.relation.Columns, p.lexicon.isStatus); i >= 0 && !asksState && !speaksOf(s.conditions, s.relation.Columns[i]) {
			why = fmt.Sprintf("It is not said what \"actually\" asks of %s of %s: name the %[1]s that is meant.", s.relation.Columns[i].Name, s.relation.Name.Name)
		}
	})
	return why
}
