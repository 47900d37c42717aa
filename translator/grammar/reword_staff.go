// Other words for who works here, and who manages whom.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

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

// underThem leaves out that those whom somebody leads are under him: "how many people does each manager have under them".
func (q *worded) underThem() string {
	if end := q.end(); end > 4 && q.word(end-2) == "under" && slices.Contains([]string{"them", "him", "her"}, q.word(end-1)) && q.managerKey() != nil {
		return q.written(0, end-2)
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
