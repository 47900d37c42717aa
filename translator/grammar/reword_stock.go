// What people ask of the stock: "what do we need to reorder", "do we still have the Red Chair", "how much stock is left".

package grammar

import (
	"slices"

	"askpg/catalog"
)

// toReorder asks for the goods of which too little is in stock: "what do we need to reorder", "products to reorder".
func (q *worded) toReorder() string {
	goods, end := q.goods(), q.end()
	last := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "reorder" || t.lower == "reordered" })
	if goods == nil || last < 1 || !slices.Contains([]string{"to", "should", "must", "we", "be"}, q.word(last-1)) {
		return ""
	}
	for i := range last {
		named := slices.ContainsFunc(q.mentions.relations[i], func(m relationMention) bool { return m.relation == goods && m.score >= namedScore && m.end == i+1 })
		if !named && !slices.Contains(reorderWords, q.word(i)) {
			return "" // of some of them
		}
	}
	level := q.reorderLevel(goods)
	if level == nil {
		return ""
	}
	return joinWords(called(goods), "below the", joinWords(splitName(level.Name)...), q.written(last+1, end))
}

// reorderLevel returns the level that the stock of goods is compared with, theirs or that of the rows which hold them at places; nil if there is
// none or several.
func (q *worded) reorderLevel(goods *catalog.Relation) *catalog.Column {
	var levels []*catalog.Column
	if q.stockOf(goods) != nil {
		levels = slices.Clone(goods.Columns)
	}
	for _, e := range q.lexicon.graph.edges[goods] {
		if !e.toOne && q.lexicon.stockQuantity(e.to) != nil {
			levels = append(levels, e.to.Columns...)
		}
	}
	return only(slices.DeleteFunc(levels, func(c *catalog.Column) bool { return !q.lexicon.isLevel(c) || q.isUpperLevel(c) }))
}

// reorderWords are the words before "reorder" that do not say of what.
var reorderWords = []string{"what", "which", "do", "does", "we", "i", "you", "need", "needs", "have", "has", "to", "should", "must", "be", "list", "show", "me", "all", "the", "our", "things", "items"}

// outOfStock asks for the goods that are out of stock somewhere: "what's out of stock in York".
func (q *worded) outOfStock() string {
	out := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "out" })
	if goods := q.goods(); goods != nil && q.word(0) == "what" && out > 0 && out < 3 && q.word(out+2) == "stock" && out+3 < q.end() {
		return joinWords(called(goods), q.written(out, q.end()))
	}
	return ""
}

// stockWorth asks what the stock is worth: "how much is our stock worth at cost".
func (q *worded) stockWorth() string {
	worth := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "worth" })
	stock := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "stock" || t.lower == "inventory" })
	if stock < 3 || worth <= stock || !q.saysAt(0, []string{"how", "much", "is"}) {
		return ""
	}
	if held := stock + 1; q.word(held) == "in" && q.word(held+2) == "warehouse" && held+3 == worth && !q.hasName([]string{"warehous"}) {
		stock = held + 2 // there is one, of which nothing is noted
	}
	return joinWords("stock worth", q.written(worth+1, q.end()), q.written(stock+1, worth))
}

// stockLeft asks for what is in stock by what is left, or by what we still have: "products with fewer than 10 units left", "do we still have the
// Red Chair".
func (q *worded) stockLeft() string {
	end := q.end()
	last := end
	if q.word(end-1) == "left" {
		last--
	}
	for _, asked := range [][]string{{"do", "we", "still", "have"}, {"do", "we", "have"}, {"have", "we", "still", "got"}, {"are", "there", "still"}, {"are", "there"}, {"is", "there", "still"}, {"is", "there"}} {
		if from := len(asked); q.saysAt(0, asked) && (last < end || slices.Contains(asked, "still")) {
			if slices.Contains([]string{"any", "some", "the", "a", "an"}, q.word(from)) {
				from++
			}
			return joinWords("do we have", q.written(from, last), "in stock")
		}
	}
	if left := slices.IndexFunc(q.words, func(t token) bool { return t.lower == "left" }); left > 1 {
		number := left - 1
		if isPieces(q.word(number)) {
			number--
		}
		rest := left + 1
		if q.saysAt(rest, []string{"in", "stock"}) {
			rest += 2
		}
		if q.words[number].kind == numberToken {
			return joinWords(q.written(0, number+1), "in stock", q.written(rest, end))
		}
	}
	return ""
}

// totalStock asks for all pieces in stock together: "how much stock is left", "how many units of discontinued goods are left".
func (q *worded) totalStock() string {
	end, from := q.end(), 3
	switch {
	case q.saysAt(0, []string{"how", "much", "stock"}):
	case q.saysAt(0, []string{"how", "many"}) && isPieces(q.word(2)) && q.word(3) == "of":
	default:
		return ""
	}
	for i := from; i < end; i++ {
		for _, held := range [][]string{{"do", "we", "still", "have", "left"}, {"do", "we", "have", "left"}, {"do", "we", "still", "have"}, {"do", "we", "have"}, {"are", "still", "left"}, {"is", "still", "left"}, {"are", "left"}, {"is", "left"}, {"is", "there"}} {
			if q.saysAt(i, held) {
				return joinWords("total stock", q.written(from, i), q.written(i+len(held), end))
			}
		}
	}
	return ""
}

// isPieces reports whether a word is for pieces of goods.
func isPieces(w string) bool { return slices.Contains([]string{"units", "pieces", "items"}, w) }
