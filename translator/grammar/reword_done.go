// Other words for what was done last, or never.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// mostRecently says behind things that something was done to them last: "the most recently opened store", "last hired clerk", "the 5 most
// recently hired clerks".
func (q *worded) mostRecently() string {
	number := ""
	for i := range q.words {
		verb := i + 1
		switch {
		case q.word(i) == "most" && q.word(verb) == "recently":
			verb++
		case q.words[i].kind == numberToken:
			number = q.words[i].text
			continue
		case q.word(i) != "last" && q.word(i) != "latest":
			if !slices.Contains([]string{"the", "our", "who", "what", "which", "is", "was", "are", "were", "show", "me"}, q.word(i)) {
				return ""
			}
			continue
		}
		if !q.isDone(verb) || verb+1 >= q.end() || (singular(q.word(verb+1)) != "") != (number != "") {
			return "" // of several it is not said how many
		}
		if number != "" {
			return joinWords("the", number, q.written(verb+1, q.end()), q.word(verb), "most recently")
		}
		return joinWords("which", q.written(verb+1, q.end()), "was", q.word(verb), "most recently")
	}
	return ""
}

// lastDone says behind several things what was done to them last: "the last 5 people we hired", "last 3 customers who joined us".
func (q *worded) lastDone() string {
	first := 0
	if q.word(0) == "the" {
		first++
	}
	verb := q.end() - 1
	if q.word(verb) == "us" {
		verb--
	}
	number, things := q.number(first + 1)
	if q.word(first) != "last" && q.word(first) != "latest" || number == "" || verb < things+1 || !q.isDone(verb) {
		return ""
	}
	things = verb
	if q.word(verb-1) == "we" {
		things--
	}
	return joinWords("the", q.written(first+1, things), q.word(verb), "last")
}

// didNothing says that something was never done: "members who bought nothing in 2023".
func (q *worded) didNothing() string {
	i := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "nothing" })
	if i < 2 || !q.isDone(i-1) {
		return ""
	}
	return joinWords(q.written(0, i-1), "never", q.word(i-1), "anything", q.written(i+1, q.end()))
}

// butNever leaves out what all of the things did to be there: "members who registered but never paid".
func (q *worded) butNever() string {
	but := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "but" })
	if but < 3 || q.word(but-2) != "who" && q.word(but-2) != "that" || len(q.ends(but+1, "not")) == 0 {
		return ""
	}
	begun := false
	for _, c := range q.mentions.attributes[but-1][but].all() {
		begun = begun || isTime(c.column) && c.column.NotNull && c.score >= namedScore
	}
	if !begun {
		return ""
	}
	return joinWords(q.written(0, but-1), q.written(but+1, q.end()))
}

// isDone reports whether a word says what was done.
func (q *worded) isDone(i int) bool {
	return strings.HasSuffix(q.word(i), "ed") || q.language.irregular[q.word(i)] != ""
}

// notForLong says "in the last 6 months" for "in 6 months" behind what was not done: "customers who haven't ordered for 6 months".
func (q *worded) notForLong() string {
	for i := 3; i < q.end(); i++ {
		number, unit := q.number(i + 1)
		if (q.word(i) != "in" && q.word(i) != "for") || number == "" || unit != i+2 || !q.isDone(i-1) {
			continue
		}
		not := slices.ContainsFunc(q.words[:i], func(t token) bool {
			return slices.Contains([]string{"not", "n't", "never"}, t.lower) || strings.HasSuffix(t.lower, "n't")
		})
		if _, end := q.dateUnit(unit); not && end == unit+1 && end == q.end() {
			return joinWords(q.written(0, i), "in the last", q.written(i+1, end))
		}
	}
	return ""
}

// hasBeen asks whether something was done in the past: "has order 150 been shipped".
func (q *worded) hasBeen() string {
	been := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "been" })
	last := q.end() - 1
	fully := been+2 == last && (q.word(been+1) == "fully" || q.word(been+1) == "completely")
	if q.word(0) != "has" || been < 2 || been+1 != last && !fully || !q.isDone(last) {
		return ""
	}
	return joinWords("was", q.written(1, been), q.written(been+1, q.end()))
}

// whenOfParts asks when something was done to what belongs to one order, where that has the time of it: "when was order 150 shipped" is when its
// shipments were.
func (q *worded) whenOfParts() string {
	verb := q.end() - 1
	if q.word(0) != "when" || !q.isBe(1) || verb < 4 || !q.isDone(verb) {
		return ""
	}
	orders := q.orderAt(2)
	if orders == nil {
		return ""
	}
	parts := onlyWhere(q.relations, func(r *catalog.Relation) bool {
		return r != orders && q.lexicon.pointsTo(r, orders) && q.recordsVerb(r, []string{q.word(verb)})
	})
	if parts == nil {
		return ""
	}
	return joinWords("when were the", called(parts), "of", q.written(2, verb), q.word(verb))
}

// neverUsed asks for things that no row refers to, where rows of one relation alone do: "which coupons have never been used".
func (q *worded) neverUsed() string {
	used := q.end() - 1
	never := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "never" || t.lower == "not" })
	if q.word(used) != "used" || never < 1 || q.word(used-1) != "been" && never != used-1 {
		return ""
	}
	for i := range never {
		for _, m := range q.mentions.relations[i] {
			if by := q.onlyReferrer(m.relation); m.score >= namedScore && by != nil {
				return joinWords(q.written(i, m.end), "without", called(by))
			}
		}
	}
	return ""
}

// timesUsed counts the rows that refer to one thing, where rows of one relation alone do: "how often has the coupon WELCOME been used".
func (q *worded) timesUsed() string {
	used, from := q.end()-1, 3
	if q.word(used-1) == "so" && q.word(used) == "far" {
		used -= 2
	}
	if q.word(0) != "how" || q.word(1) != "often" && (q.word(1) != "many" || q.word(2) != "times") || q.word(used) != "used" {
		return ""
	}
	if q.word(1) == "many" {
		from++
	}
	if !q.isBe(from-1) && q.word(from-1) != "has" {
		return ""
	}
	if q.word(used-1) == "been" {
		used--
	}
	for i := from; i <= from+1; i++ {
		for _, m := range q.mentions.relations[i] {
			if by := q.onlyReferrer(m.relation); m.score >= namedScore && by != nil && m.end < used {
				return joinWords("how many", called(by), "with", q.written(from, used))
			}
		}
	}
	return ""
}

// onlyReferrer returns the only relation of which a key leads to another one, nil if there is none or several.
func (q *worded) onlyReferrer(to *catalog.Relation) *catalog.Relation {
	return onlyWhere(q.lexicon.snapshot.Relations, func(r *catalog.Relation) bool { return q.lexicon.pointsTo(r, to) })
}

// doneByValue says by whom something was done behind it: "parcels that DHL delivered yesterday", "how many parcels did DHL deliver".
func (q *worded) doneByValue() string {
	for i := 1; i+2 < q.end(); i++ {
		asks := q.word(i) == "did"
		if q.word(i) != "that" && q.word(i) != "which" && !asks {
			continue
		}
		for verb := range q.mentions.values[i+1] {
			switch {
			case verb >= q.end() || !q.isInflected(verb) && !q.language.verbs[q.at(verb).stem] || len(q.mentions.relations[i+1]) > 0:
			case asks && q.saysAt(0, []string{"how", "many"}):
				return joinWords(q.written(0, i), "were", q.language.inflectedAs("used", q.word(verb)), "by", q.written(i+1, verb), q.written(verb+1, q.end()))
			case !asks:
				return joinWords(q.written(0, i), q.word(verb), "by", q.written(i+1, verb), q.written(verb+1, q.end()))
			}
		}
	}
	return ""
}

// mostDone ranks things by what happened to them: "most returned product", "the 5 most reviewed books".
func (q *worded) mostDone() string {
	for i := range q.words {
		if q.word(i) != "most" || !q.isInflected(i+1) {
			continue
		}
		for _, things := range q.mentions.relations[i+2] {
			for _, done := range q.mentions.relations[i+1] {
				if done.end != i+2 || !q.lexicon.pointsTo(done.relation, things.relation) {
					continue
				}
				if q.isLine(done.relation) {
					return "" // by its pieces, or by the orders
				}
				noun, rest := q.written(i+2, things.end), q.written(things.end, q.end())
				if number, _ := q.number(max(0, i-1)); number == "" && singular(q.word(things.end-1)) != "" && (i == 0 || q.word(0) != "top") {
					return joinWords(q.written(0, i), noun, "by number of", called(done.relation), rest)
				}
				return joinWords(q.written(0, i), noun, "with the most", called(done.relation), rest)
			}
		}
	}
	return ""
}

// onlyDone puts "only" before the verb: "customers who ordered only by phone".
func (q *worded) onlyDone() string {
	for i := 2; i < q.wordsEnd(); i++ {
		if q.at(i).lower == "only" && q.isFullVerb(i-1) {
			return joinWords(q.text(0, i-1), "only", q.text(i-1, i), q.text(i+1, q.wordsEnd()))
		}
	}
	return ""
}

// didDo asks for what somebody has where he did it: "how many jobs did Ann Lee do this year".
func (q *worded) didDo() string {
	for i := 3; i < q.wordsEnd(); i++ {
		if did := q.at(i).lower; did != "did" && did != "does" {
			continue
		}
		for k := i + 2; k < q.wordsEnd(); k++ {
			if q.at(k).lower == "do" {
				return joinWords(q.text(0, i), "does", q.text(i+1, k), "have", q.text(k+1, q.wordsEnd()))
			}
		}
	}
	return ""
}

// inBothTimes says the verb again: "customers who ordered in both 2024 and 2025".
func (q *worded) inBothTimes() string {
	for i := 2; i < q.wordsEnd(); i++ {
		if q.at(i).lower != "both" || q.at(i-1).lower != "in" || !q.isFullVerb(i-2) {
			continue
		}
		for and := i + 2; and+1 < q.wordsEnd(); and++ {
			if q.at(and).lower == "and" && len(q.date(and+1)) > 0 {
				return joinWords(q.text(0, i), q.text(i+1, and+1), q.text(i-2, i), q.text(and+1, q.wordsEnd()))
			}
		}
	}
	return ""
}
