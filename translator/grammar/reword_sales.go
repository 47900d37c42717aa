// Other words for what was sold and by whom, and for what something is.

package grammar

import (
	"cmp"
	"slices"
	"strings"

	"askpg/catalog"
)

// soldMost ranks who sells by what they took: "which store sold the most in October", "which shop made the highest sales". Goods are
// ranked by pieces too.
func (q *worded) soldMost() string {
	sold := slices.IndexFunc(q.words, func(t token) bool {
		return slices.Contains([]string{"sold", "took", "made", "earned", "had", "generated", "sells", "takes", "makes", "earns", "generates"}, t.lower)
	})
	if sold < 2 || q.word(0) != "which" && q.word(0) != "what" || q.word(sold+1) != "the" {
		return ""
	}
	rest := sold + 3
	amount := q.word(rest) == "money" || q.language.isRevenueWord(q.word(rest))
	if q.word(sold+2) != "most" && (q.word(sold+2) != "highest" || !amount) {
		return ""
	}
	if amount {
		rest++
	}
	if rest < q.end() && !slices.Contains([]string{"in", "on", "during", "since", "last", "this", "today", "yesterday"}, q.word(rest)) {
		return ""
	}
	orders := q.ordersOfGoods()
	for _, m := range q.mentions.relations[1] {
		if orders != nil && m.end == sold && m.relation != q.goods() && q.lexicon.pointsTo(orders, m.relation) {
			return joinWords(q.written(0, sold), "had the highest revenue", q.written(rest, q.end()))
		}
	}
	return ""
}

// soldOfEach asks for the pieces of each of the goods that were sold: "how many of each product did we sell in May", "how many units of every
// lamp were sold".
func (q *worded) soldOfEach() string {
	of := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "of" })
	if !q.saysAt(0, []string{"how", "many"}) || of < 2 || of > 3 || q.word(of+1) != "each" && q.word(of+1) != "every" {
		return ""
	}
	for _, m := range q.mentions.relations[of+2] {
		for _, sold := range [][]string{{"were", "sold"}, {"was", "sold"}, {"did", "we", "sell"}, {"have", "we", "sold"}, {"have", "been", "sold"}} {
			if m.relation == q.goods() && q.saysAt(m.end, sold) {
				return joinWords("number of units sold per", q.written(of+2, m.end), q.written(m.end+len(sold), q.end()))
			}
		}
	}
	return ""
}

// boughtLast asks for the goods of somebody's last order: "what did Ann Lee buy last".
func (q *worded) boughtLast() string {
	last := q.end() - 1
	if q.word(last) == "time" {
		last--
	}
	orders, goods := q.ordersOfGoods(), q.goods()
	if orders == nil || goods == nil || q.word(0) != "what" || q.word(1) != "did" || q.word(last) != "last" ||
		!slices.Contains([]string{"buy", "order", "purchase"}, q.word(last-1)) || !slices.Contains(q.behindValues(2), last-1) {
		return ""
	}
	return joinWords(called(goods), "of the last", cmp.Or(singular(called(orders)), called(orders)), "of", q.written(2, last-1))
}

// ordersOfGoods returns the orders that the lines of what was sold are of, nil if there are not just one kind.
func (q *worded) ordersOfGoods() *catalog.Relation {
	var list []*catalog.Relation
	for _, pieces := range q.lexicon.soldQuantities {
		if whole := q.soldIn(pieces.Relation); whole != nil && !slices.Contains(list, whole.To) {
			list = append(list, whole.To)
		}
	}
	return only(list)
}

// isOneOf asks what holds of one thing without saying again what it is: "is Ann Lee a gold customer".
func (q *worded) isOneOf() string {
	a := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "a" || t.lower == "an" })
	if q.word(0) != "is" || a < 2 {
		return ""
	}
	for _, h := range q.mentions.values[1][a] {
		for noun := a + 2; noun < q.end(); noun++ {
			for _, m := range q.mentions.relations[noun] {
				if m.relation == h.column.Relation && m.end == q.end() {
					return joinWords(q.written(0, a), q.written(a+1, noun))
				}
			}
		}
	}
	return ""
}

// howManyPer counts for each of what stands behind the things: "returns in October, how many per reason".
func (q *worded) howManyPer() string {
	comma := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "," })
	if comma < 1 || !q.saysAt(comma+1, []string{"how", "many"}) || len(q.ends(comma+3, "group_lead")) == 0 || len(q.ends(0, "count")) > 0 {
		return ""
	}
	return joinWords("how many", q.written(0, comma), q.written(comma+3, q.end()))
}

// howManyEach asks for the numbers beside the things: "which cars had four or more damages, and how many each".
func (q *worded) howManyEach() string {
	end := q.end()
	if q.word(end-1) == "each" {
		end--
	}
	and := end - 3
	if and < 3 || !q.saysAt(and, []string{"and", "how", "many"}) {
		return ""
	}
	things := and
	for things > 0 && strings.Contains(",;", q.word(things-1)) {
		things--
	}
	for from := range things {
		for _, m := range q.mentions.relations[from] {
			if m.end == things && m.score >= namedScore {
				return joinWords(q.written(0, things), "with the number of", q.written(from, things))
			}
		}
	}
	return ""
}
