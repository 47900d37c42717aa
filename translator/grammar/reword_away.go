// Other words for who is away, and for what comes next.

package grammar

import (
	"cmp"
	"slices"

	"askpg/catalog"
)

// whoIsAway asks for people by their absences: "who is away this week", "who was off sick last month".
func (q *worded) whoIsAway() string {
	absences, people := q.absences()
	if absences == nil || q.word(0) != "who" || !q.isBeOrShort(1) {
		return ""
	}
	rest, kind := 2, ""
	for slices.Contains([]string{"currently", "away", "absent", "off", "out"}, q.word(rest)) {
		rest++
	}
	for end, hits := range inOrder(q.mentions.values[rest]) {
		if slices.ContainsFunc(hits, func(h valueMention) bool { return h.column.Relation == absences }) {
			kind, rest = q.written(rest, end), end
			break
		}
	}
	when := q.written(rest, q.end())
	if rest == 2 || when == "" && q.word(1) == "was" || q.word(rest) == "of" {
		return "" // who is out of something
	}
	return joinWords(called(people), "with", kind, called(absences), cmp.Or(when, "today"))
}

// whoIsOn asks for people by what they have for a time: "who is on call today", where rows of shifts are of the kind "on call".
func (q *worded) whoIsOn() string {
	if q.word(0) != "who" || !q.isBeOrShort(1) {
		return ""
	}
	for _, from := range []int{2, 3} {
		for end, hits := range inOrder(q.mentions.values[from]) {
			for _, h := range hits {
				rows := h.column.Relation
				people := q.peopleOf(rows)
				if (from == 2 || q.word(2) == "on") && people != nil && !q.lexicon.hasName(rows) && q.isEvent(rows) && len(q.date(end)) > 0 {
					return joinWords(called(people), "with", q.written(from, end), called(rows), q.written(end, q.end()))
				}
			}
		}
	}
	return ""
}

// absences returns the only relation of rows in which somebody is away, and who that is; nil if there is none or several.
func (q *worded) absences() (absences, people *catalog.Relation) {
	absences = onlyWhere(q.relations, func(r *catalog.Relation) bool {
		return intersect(q.lexicon.relationInfo[r].stems, q.language.awayNames) && q.lexicon.goesOn(r) != nil
	})
	if absences == nil {
		return nil, nil
	}
	people = q.peopleOf(absences)
	if people == nil {
		return nil, nil
	}
	return absences, people
}

// peopleOf returns the only people to whom rows of a relation point, nil if there are none or several.
func (q *worded) peopleOf(rows *catalog.Relation) *catalog.Relation {
	return onlyWhere(q.relations, func(r *catalog.Relation) bool { return q.isPeople(r) && q.lexicon.pointsTo(rows, r) })
}

// next asks for the first rows of those that lie ahead: "when is the next visit to Ann Lee", "next 5 courses".
func (q *worded) next() string {
	i := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "next" })
	if i < 0 {
		return ""
	}
	number, things := q.number(i + 1)
	for _, m := range q.mentions.relations[things] {
		if m.score >= namedScore && len(q.futureTimes(m.relation)) > 0 && (number != "" || singular(q.word(m.end-1)) == "") {
			return joinWords(q.written(0, i), "first", number, "upcoming", q.written(things, q.end()))
		}
	}
	return ""
}
