// Other words for who is away, and for what comes next.

package grammar

import (
	"cmp"
	"slices"
	"strings"

	"askpg/catalog"
)

// whoIsAway asks for people by their absences: "who is away this week", "who was off sick last month".
func (q *worded) whoIsAway() string {
	absences, people := q.absences()
	if absences == nil || q.word(0) != "who" || !q.isBe(1) && q.word(1) != "'s" && q.word(1) != "s" {
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
	if q.word(0) != "who" || !q.isBe(1) && q.word(1) != "'s" && q.word(1) != "s" {
		return ""
	}
	for _, from := range []int{2, 3} {
		for end, hits := range inOrder(q.mentions.values[from]) {
			for _, h := range hits {
				rows := h.column.Relation
				people := onlyWhere(q.relations, func(r *catalog.Relation) bool { return q.isPeople(r) && q.lexicon.pointsTo(rows, r) })
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
	people = onlyWhere(q.relations, func(r *catalog.Relation) bool { return q.isPeople(r) && q.lexicon.pointsTo(absences, r) })
	if people == nil {
		return nil, nil
	}
	return absences, people
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

// whoJoined asks for the people who work here: "who joined us in 2024", "which colleague has been with the company longest".
func (q *worded) whoJoined() string {
	for _, us := range [][]string{{"us"}, {"the", "company"}, {"the", "team"}} {
		if q.word(0) == "who" && q.word(1) == "joined" && q.saysAt(2, us) {
			return joinWords("who was hired", q.written(2+len(us), q.end()))
		}
		for i := range q.words {
			rest := i + 3 + len(us)
			if q.saysAt(i, append([]string{"has", "been", "with"}, us...)) && (q.saysAt(rest, []string{"longest"}) || q.saysAt(rest, []string{"the", "longest"})) {
				return joinWords(q.written(0, i), "was hired first")
			}
		}
	}
	return ""
}

// managerOf asks for who has the post of a manager at a place: "who manages the York shop", "who is the manager of the York shop". What else leads
// there is read as it stands.
func (q *worded) managerOf() string {
	from := 0
	for _, asked := range [][]string{{"who", "is", "the", "manager", "of"}, {"who", "manages"}, {"manager", "of"}} {
		if q.saysAt(0, asked) {
			from = len(asked)
		}
	}
	place := from
	if q.word(place) == "the" {
		place++
	}
	if from == 0 {
		return ""
	}
	for _, hits := range inOrder(q.mentions.values[place]) {
		for _, h := range hits {
			for _, e := range q.lexicon.graph.edges[h.column.Relation] {
				if post := q.managerAmong(e.to); !e.toOne && e.to != h.column.Relation && post != "" {
					return joinWords(called(e.to), "in", q.written(from, q.end()), "whose", post)
				}
			}
		}
	}
	return ""
}

// managedBy asks by the key from people to who manages them: "staff managed by Ann Lee", "who works under Ann Lee", "who manages Ann Lee".
func (q *worded) managedBy() string {
	key := q.managerKey()
	if key == nil {
		return ""
	}
	for i := 2; i < len(q.tokens); i++ {
		hits := q.mentions.values[i][q.wordsEnd()]
		if !slices.ContainsFunc(hits, func(h valueMention) bool { return slices.Contains(q.lexicon.relationInfo[key.to].display, h.column) }) {
			continue
		}
		whom, said := q.text(i, q.wordsEnd()), q.text(0, i)
		if said == "who manages" {
			return joinWords("who does", whom, "report to")
		}
		from := 0
		for _, m := range q.mentions.relations[0] {
			if m.relation == key.to {
				from = m.end
			}
		}
		if from == 0 && q.at(0).lower == "who" {
			from = 1
		}
		if from > 0 && slices.Contains(managing, q.text(from, i)) {
			return joinWords("who reports to", whom)
		}
	}
	return ""
}

// managing are words behind people of whom somebody else is the manager.
var managing = []string{"managed by", "is managed by", "are managed by", "under", "is under", "works under", "work under", "working under", "who work under",
	"who are managed by", "reporting to", "who report to", "that report to"}

// managerAmong says in words that the post of people is the only one that is called a manager, "" if there is none or several.
func (q *worded) managerAmong(people *catalog.Relation) (post string) {
	said := ""
	for _, c := range people.Columns {
		for _, v := range valuesOf(c) {
			if !isText(c) || v == said || q.language.stem(lastOf(strings.Fields(v))) != q.language.stem("manager") {
				continue
			}
			if said != "" || !q.lexicon.hasName(people) {
				return ""
			}
			said, post = v, joinWords(append(splitName(c.Name), "is", v)...)
		}
	}
	return post
}
