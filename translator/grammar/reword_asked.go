// Other words for what is asked, and whose it is.

package grammar

import (
	"cmp"
	"slices"
	"strings"

	"askpg/catalog"
)

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

// inOrderOf asks for the goods of one order: "what's in order 150".
func (q *worded) inOrderOf() string {
	from := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "in" })
	goods := q.goods()
	if goods == nil || from < 2 || from > 3 || q.word(0) != "what" || !q.isBeOrShort(1) || q.orderAt(from+1) == nil {
		return ""
	}
	return joinWords("which", called(goods), "are", q.written(from, q.end()))
}

// howManyHeld asks for the stock of some goods: "how many Oak Chairs do we have left", "how many Oak Chairs are in stock in York".
func (q *worded) howManyHeld() string {
	if q.word(0) != "how" || q.word(1) != "many" && q.word(1) != "much" || q.goods() == nil {
		return ""
	}
	from := 2
	if q.word(3) == "of" {
		if !slices.Contains([]string{"pieces", "copies", "units", "items"}, q.word(2)) {
			return ""
		}
		from = 4
	}
	for _, end := range q.behindValues(from) {
		rest := end
		switch {
		case q.word(end) == "do" && q.word(end+1) == "we" && q.word(end+2) == "have":
			rest = end + 3
		case q.isBe(end) && q.word(end+1) == "there", q.word(end) == "have" && q.word(end+1) == "we":
			rest = end + 2
		case q.word(end) == "are":
			rest = end + 1
		default:
			continue
		}
		held := rest
		switch {
		case q.word(rest) == "left":
			held = rest + 1
		case (q.word(rest) == "in" || q.word(rest) == "on") && (q.word(rest+1) == "stock" || q.word(rest+1) == "hand"):
			held = rest + 2
		}
		if held > rest || rest > end+1 {
			return joinWords("total stock of", q.written(from, end), q.written(held, q.end()))
		}
	}
	return ""
}

// whoPlaced asks whose one order is: "who placed order 150", "who placed the biggest order in May".
func (q *worded) whoPlaced() string {
	verb := q.word(1)
	people := q.buyers()
	if people == nil || q.word(0) != "who" || verb != "placed" && verb != "made" && verb != "submitted" || q.orderAt(2) == nil && (q.word(2) != "the" || !q.namesOrder(4, 6)) {
		return ""
	}
	return joinWords(called(people), "of", q.written(2, q.end()))
}

// orderAt returns the orders that words from one on call by their number, nil if they do not.
func (q *worded) orderAt(i int) *catalog.Relation {
	if q.word(i) == "the" {
		i++
	}
	if i+1 >= q.end() {
		return nil
	}
	number := q.words[i+1].kind == numberToken || len(q.mentions.values[i+1]) > 0
	for _, r := range q.mentions.relations[i] {
		held := false // the number is one of theirs
		for _, hits := range q.mentions.values[i+1] {
			held = held || slices.ContainsFunc(hits, func(h valueMention) bool { return h.column.Relation == r.relation && h.column.Unique })
		}
		if number && r.end == i+1 && (r.score >= namedScore || held) && q.lexicon.isOrder(r.relation) {
			return r.relation
		}
	}
	return nil
}

// whoseBirthday asks for people by their birthday: "who has a birthday this month".
func (q *worded) whoseBirthday() string {
	at := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "birthday" })
	whose := q.word(0) == "whose" && at == 1 && q.isBe(2)
	if !whose && (q.word(0) != "who" || q.word(1) != "has" || at < 2 || at > 3) {
		return ""
	}
	born := onlyWhere(q.relations, func(r *catalog.Relation) bool {
		return slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool { return isTime(c) && q.lexicon.isBirth(c) })
	})
	if born == nil {
		return ""
	}
	if whose {
		at++
	}
	return joinWords(called(born), "with a birthday", q.written(at+1, q.end()))
}

// nounBeforeOwner puts "of" between what is asked and whose it is: "phone number York branch", "email Ann Lee".
func (q *worded) nounBeforeOwner() string {
	for end, a := range inOrder(q.mentions.attributes[0]) {
		if len(a.candidates) == 0 || a.candidates[0].score < namedScore || end >= q.end() || q.tokens[end].kind != wordToken {
			continue
		}
		if slices.Contains(q.behindValues(end), q.end()) {
			return joinWords(q.written(0, end), "of", q.written(end, q.end()))
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

// whoSignedUp asks for those who buy: "who signed up in the last 30 days".
func (q *worded) whoSignedUp() string {
	people := q.buyers()
	if people == nil || q.word(0) != "who" || q.word(1) != "registered" && (q.word(1) != "signed" || q.word(2) != "up") {
		return ""
	}
	return joinWords(called(people), q.written(0, q.end()))
}

// priceOf asks for the price of goods: "how much is a Red Chair", "what does the Red Chair cost".
func (q *worded) priceOf() string {
	from, end := 3, q.end()
	switch {
	case q.word(0) == "how" && q.word(1) == "much" && q.isBe(2):
	case q.word(0) == "how" && q.word(1) == "much" && q.word(2) == "does" && q.word(end-1) == "cost":
		end--
	case q.word(0) == "what" && q.word(1) == "does" && q.word(end-1) == "cost":
		from, end = 2, end-1
	default:
		return ""
	}
	if slices.Contains([]string{"a", "an", "the", "one"}, q.word(from)) {
		from++
	}
	var prices []*catalog.Column
	for _, h := range q.mentions.values[from][end] {
		if price := q.sellingPrice(h.column.Relation); price != nil && slices.Contains(q.lexicon.relationInfo[price.Relation].display, h.column) {
			prices = append(prices, price)
		}
	}
	price := only(prices)
	if price == nil {
		return ""
	}
	return joinWords(joinWords(splitName(price.Name)...), "of", q.written(from, end))
}

// sellingPrice returns the only price of things that customers pay, nil if there is none or several.
func (q *worded) sellingPrice(r *catalog.Relation) *catalog.Column {
	return onlyWhere(r.Columns, func(c *catalog.Column) bool {
		return slices.Contains(q.lexicon.relationInfo[r].names[c], q.language.stem("price")) && !slices.ContainsFunc(splitName(c.Name), func(w string) bool { return boughtFor[w] })
	})
}

// boughtFor are words of names of prices that goods are not sold for.
var boughtFor = wordSet([]string{"cost", "purchase", "buying", "wholesale", "supplier", "old", "previous"})

// sellsBest ranks goods by what was sold of them: "which kind of tea sells best".
func (q *worded) sellsBest() string {
	last := q.end() - 1
	if q.word(0) != "which" && q.word(0) != "what" || q.word(last) != "best" || q.word(last-1) != "sells" || last < 3 {
		return ""
	}
	return joinWords("best selling", q.written(1, last-1))
}

// mostCommonKinds ranks what rows are of by their number, where rows have codes of it: "top 5 diagnoses", "most common diagnosis".
func (q *worded) mostCommonKinds() string {
	at, number := 0, ""
	for slices.Contains([]string{"what", "which", "are", "is", "the", "our", "show", "me", "list"}, q.word(at)) {
		at++
	}
	if n, behind := q.number(at); n != "" {
		number, at = n, behind
	}
	switch {
	case q.word(at) == "top":
		if number, at = q.number(at + 1); number == "" {
			return ""
		}
	case q.word(at) == "most" && slices.Contains([]string{"common", "frequent"}, q.word(at+1)):
		at += 2
	default:
		return ""
	}
	for _, m := range q.mentions.relations[at] {
		kinds := q.codesOf(m.relation)
		if m.score < namedScore || kinds == nil || number == "" && singular(q.word(m.end-1)) != "" && !strings.HasSuffix(q.word(m.end-1), "is") {
			continue
		}
		return joinWords("top", cmp.Or(number, "1"), called(kinds), "by number of", called(m.relation), q.written(m.end, q.end()))
	}
	return ""
}

// codesOf returns the only relation of codes, with what they stand for, that rows point to; nil if there is none or if the rows have a name.
func (q *worded) codesOf(r *catalog.Relation) *catalog.Relation {
	if q.lexicon.hasName(r) {
		return nil
	}
	return onlyWhere(q.lexicon.snapshot.Relations, func(to *catalog.Relation) bool {
		return q.lexicon.pointsTo(r, to) && slices.ContainsFunc(q.lexicon.relationInfo[to].display, q.lexicon.isMeaningOfCode)
	})
}
