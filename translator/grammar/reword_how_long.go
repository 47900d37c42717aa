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
	if usually := []string{"usually", "normally", "typically", "generally"}; slices.Contains(usually, q.word(take-1)) {
		return joinWords(q.written(0, take-1), q.written(take, q.end()), "on average")
	}
	return joinWords(q.written(0, q.end()), "on average")
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
	if !slices.Contains([]string{"a", "an", "our"}, q.word(done)) || q.namesOrder(done+1, done+2) {
		return ""
	}
	named := slices.DeleteFunc(slices.Clone(q.mentions.relations[done+1]), func(m relationMention) bool { return m.score < namedScore })
	if len(named) != 1 {
		return ""
	}
	return joinWords(q.written(0, done), "of", called(named[0].relation), q.written(named[0].end, q.end()))
}

// takesUntil asks for the time from an order until something is done with it: "how long does it take us on average to ship an order". What is
// delivered may take from when it was ordered or shipped.
func (q *worded) takesUntil() string {
	take := q.takesAt()
	if take == 0 || q.word(take-1) != "it" {
		return ""
	}
	verb := take + 1
	for verb < q.end() && slices.Contains([]string{"us", "on", "average", "usually", "to"}, q.word(verb)) {
		verb++
	}
	if q.word(verb-1) != "to" || !slices.Contains([]string{"a", "an", "the", "our"}, q.word(verb+1)) {
		return ""
	}
	for i, t := range q.tokens { // "on average" is none of them
		if t.lower == q.word(verb) && q.namesOrder(i+2, i+3) && !q.endsInterval(q.timesWithWord(i)) {
			return joinWords("average time from", q.word(verb+2), "to", q.word(verb), q.written(verb+3, q.end()))
		}
	}
	return ""
}

// endsInterval reports whether one of some times is the end of what begins in the same row.
func (q *worded) endsInterval(times []*catalog.Column) bool {
	return slices.ContainsFunc(times, func(c *catalog.Column) bool {
		s := q.interval(c.Relation)
		return s != nil && s.to == c
	})
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
