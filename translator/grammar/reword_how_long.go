// Other words for how long something takes.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// takesOnAverage asks for the average of all that there were: "how long does a delivery take", "how long do repairs usually take".
func (q *worded) takesOnAverage() string {
	take := q.takesAt()
	if take == 0 || q.hasOnAverage || q.namesOrder(2, take) {
		return ""
	}
	usually := slices.IndexFunc(q.words, func(t token) bool {
		return slices.Contains([]string{"usually", "normally", "typically", "generally"}, t.lower)
	})
	if usually < 0 || usually > take+1 {
		usually = q.end()
	}
	return joinWords(q.written(0, usually), q.written(usually+1, q.end()), "on average")
}

// takesToDo says of whose what is done behind that: "how long does DHL take to deliver", "how long does it take to repair a bike".
func (q *worded) takesToDo() string {
	take := q.takesAt()
	if take == 0 || q.word(take+1) != "to" {
		return ""
	}
	done := take + 3
	if q.word(3) != "it" {
		return joinWords(q.written(0, 3), "it take", q.written(take+1, done), "of", q.written(3, take), q.written(done, q.end()))
	}
	of, things := done, []*catalog.Relation(nil)
	for slices.Contains([]string{"a", "an", "our"}, q.word(of)) {
		of++
	}
	rest := of
	if q.namesOrder(of, of+1) {
		return ""
	}
	for _, m := range q.mentions.relations[of] {
		if m.score >= namedScore && of > done {
			things, rest = append(things, m.relation), m.end
		}
	}
	if r := only(things); r != nil {
		return joinWords(q.written(0, done), "of", called(r), q.written(rest, q.end()))
	}
	return ""
}

// takesAt returns where "take" stands behind "how long does", 0 if it does not.
func (q *worded) takesAt() int {
	if q.word(0) != "how" || q.word(1) != "long" || q.word(2) != "does" && q.word(2) != "do" {
		return 0
	}
	return max(0, slices.IndexFunc(q.words, func(t token) bool { return t.lower == "take" }))
}

// namesOrder reports whether a word from one to before another stands for orders. How long they take may be from the day that they were placed
// or shipped.
func (q *worded) namesOrder(from, to int) bool {
	for i := from; i < to; i++ {
		if slices.ContainsFunc(q.mentions.relations[i], func(m relationMention) bool { return q.lexicon.isOrder(m.relation) }) {
			return true
		}
	}
	return false
}
