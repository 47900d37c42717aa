// Other words for what is not paid yet.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// owed asks for the open amount: "how much does Ann Lee owe us", "who owes us money", "how much is outstanding".
func (q *worded) owed() string {
	open := q.openAmount()
	if open == "" {
		return ""
	}
	end := q.end()
	for slices.Contains([]string{"us", "money", "still", "altogether", "currently", "now", "total", "in"}, q.word(end-1)) {
		end--
	}
	owe := slices.IndexFunc(q.words, func(t token) bool { return slices.Contains([]string{"owe", "owes", "owed"}, t.lower) })
	much := q.word(0) == "how" && q.word(1) == "much" || q.word(0) == "what"
	switch {
	case owe < 0:
		return q.howMuchIsOpen(open, end)
	case much && q.isBe(owe-2) && q.word(owe-1) == "we" && owe == end-1: // "how much are we owed"
		return "total " + open
	case much && owe == end-1:
		return q.owedBy(open, owe)
	case q.word(0) == "who" && owe == 1 || (q.word(0) == "which" || q.word(0) == "what") && owe > 1:
		who := q.written(1, owe)
		if people := q.buyers(); owe == 1 && people != nil {
			who = called(people)
		}
		if who == "" {
			return ""
		}
		if last := q.end() - 1; q.word(last) == "most" && q.word(last-1) == "the" {
			return joinWords("top 1", who, "by", open)
		}
		if owe == end-1 {
			return joinWords(who, "with an", open, "above 0")
		}
	}
	return ""
}

// owedBy asks how much somebody owes, who stands before token owe, or all do.
func (q *worded) owedBy(open string, owe int) string {
	from := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "do" || t.lower == "does" })
	for owe > 0 && q.word(owe-1) == "still" {
		owe--
	}
	if from < 0 || from+1 >= owe {
		return ""
	}
	if q.word(from) == "do" {
		who := from + 1
		for slices.Contains([]string{"all", "our", "the", "of"}, q.word(who)) {
			who++
		}
		for _, r := range q.mentions.relations[who] {
			if r.relation == q.buyers() && r.end == owe {
				return "total " + open // by all of them
			}
		}
	}
	return joinWords("total", open, "of", q.written(from+1, owe))
}

// howMuchIsOpen says "total open amount" for "how much is outstanding" and "how much is overdue", and that of one bill for "how much is
// still open on bill 12".
func (q *worded) howMuchIsOpen(open string, end int) string {
	be := 2
	if q.word(2) == "money" {
		be++
	}
	if q.word(0) != "how" || q.word(1) != "much" || !q.isBe(be) {
		return ""
	}
	state := be + 1
	if q.word(state) == "still" {
		state++
	}
	if slices.Contains([]string{"on", "of", "from", "for"}, q.word(state+1)) && slices.Contains([]string{"outstanding", "open", "unpaid"}, q.word(state)) {
		return joinWords("total", open, "of", q.written(state+2, end))
	}
	if end != state+1 {
		return ""
	}
	switch q.word(end - 1) {
	case "outstanding", "open", "unpaid":
		return "total " + open
	case "overdue":
		if r := q.billsUnpaid(); r != nil {
			return joinWords("total", open, "of", called(r), "due before today")
		}
	}
	return ""
}

// openAmount returns what is not paid yet in words that the grammar reads, "" if nothing says it.
func (q *worded) openAmount() string {
	if len(q.lexicon.balances) > 0 {
		return "open amount"
	}
	if r := q.billsUnpaid(); r != nil && q.impliedColumn(r, true) != nil && !q.paidInRows(r) {
		return joinWords(append([]string{"amount of unpaid"}, splitName(r.Name.Name)...)...)
	}
	return ""
}

// billsUnpaid returns the relation of which rows may be unpaid, nil if there is none or several.
func (q *worded) billsUnpaid() *catalog.Relation {
	return onlyWhere(q.relations, func(r *catalog.Relation) bool {
		return q.lexicon.isOrder(r) && slices.ContainsFunc(q.language.states["unpaid"], func(s phrasedState) bool { return q.stateOf(r, s.state) != nil })
	})
}

// paidInRows reports whether it is told by other rows that a bill is paid: of a part of it, too.
func (q *worded) paidInRows(r *catalog.Relation) bool {
	return slices.ContainsFunc(q.language.states["unpaid"], func(s phrasedState) bool {
		return slices.ContainsFunc(q.stateOf(r, s.state), func(c condition) bool { return c.kind == related })
	})
}

// howMuchWasPaid asks for the sum of payments: "how much did customers pay by card last month", "how much money did we receive this year".
func (q *worded) howMuchWasPaid() string {
	payments := onlyWhere(q.relations, func(r *catalog.Relation) bool { return q.isPayment(r) && q.impliedColumn(r, true) != nil })
	if payments == nil {
		return ""
	}
	for _, m := range q.mentions.relations[0] {
		if m.relation == payments && q.word(m.end) == "received" { // "payments received per month"
			return joinWords("total", q.written(0, m.end), q.written(m.end+1, q.end()))
		}
	}
	if q.word(0) == "money" && q.word(1) == "received" {
		return joinWords("total", called(payments), q.written(2, q.end()))
	}
	if q.word(0) != "how" || q.word(1) != "much" {
		return ""
	}
	at := 2
	if q.word(at) == "money" {
		at++
	}
	switch rest := at + 1; {
	case q.word(at) == "was" && q.word(rest) == "paid", q.word(at) == "came" && q.word(rest) == "in":
		return joinWords("total", called(payments), q.written(rest+1, q.end()))
	case q.word(at) != "did" && q.word(at) != "have":
		return ""
	case q.word(rest) == "we" && slices.Contains([]string{"receive", "received", "collect", "collected"}, q.word(rest+1)):
		return joinWords("total", called(payments), q.written(rest+2, q.end()))
	default:
		if q.word(rest) == "our" {
			rest++
		}
		buyers := slices.ContainsFunc(q.mentions.relations[rest], func(m relationMention) bool { return m.end == rest+1 && m.relation == q.buyers() })
		if !buyers && q.word(rest) != "people" || q.word(rest+1) != "pay" && q.word(rest+1) != "paid" {
			return ""
		}
		return joinWords("total", called(payments), q.written(rest+2, q.end()))
	}
}
