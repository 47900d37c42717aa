// Other words for what is asked, and whose it is.

package grammar

import "slices"

// mostUsed asks what is used most often, whoever uses it: "which payment method do people use most often".
func (q *worded) mostUsed() string {
	do := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "do" })
	if do < 2 || q.word(0) != "which" && q.word(0) != "what" || q.word(do+2) != "use" || !slices.Contains([]string{"most", "the"}, q.word(do+3)) {
		return ""
	}
	if who := q.word(do + 1); who != "people" && who != "we" && who != "they" {
		return ""
	}
	return joinWords(q.written(0, do), "is used", q.written(do+3, q.end()))
}

// topFor ranks by the number of things: "top 5 towns for newsletter subscribers".
func (q *worded) topFor() string {
	things := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "for" })
	if _, number := q.number(1); q.word(0) != "top" || number == 1 || things <= number || singular(q.word(q.end()-1)) == "" {
		return ""
	}
	return joinWords(q.written(0, things), "by number of", q.written(things+1, q.end()))
}

// nounBeforeOwner puts "of" between what is asked and whose it is: "phone number York branch".
func (q *worded) nounBeforeOwner() string {
	for end, a := range inOrder(q.mentions.attributes[0]) {
		if a.candidates[0].score < namedScore || end >= q.end() || q.tokens[end].kind != wordToken {
			continue
		}
		for value := range inOrder(q.mentions.values[end]) {
			for _, r := range q.mentions.relations[value] {
				if r.end == q.end() && r.score >= namedScore && singular(q.word(r.end-1)) == "" {
					return joinWords(q.written(0, end), "of the", q.written(end, q.end()))
				}
			}
		}
	}
	return ""
}
