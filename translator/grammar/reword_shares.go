// The orders of words of shares: "share of orders by carrier" for "orders by carrier in percent".

package grammar

import (
	"slices"

	"askpg/catalog"
)

// sharePer puts behind what each group has that its share of all is asked for: "what percentage of orders came from each region", "revenue
// share by region".
func (q *worded) sharePer() string {
	end := q.wordsEnd()
	for group := 1; group < end; group++ {
		if len(q.ends(group, "group")) == 0 || isSaid(q.tokens[:group], ",") {
			continue
		}
		of := group
		if t := q.at(of - 1); t.stem == q.language.stem("come") || len(q.ends(of-1, "be")) > 0 {
			of--
		}
		for _, from := range append(q.ends(0, "opener"), 0) {
			for _, e := range q.ends(from, "percent") {
				if e < of {
					return joinWords(q.text(e, of), q.text(group, end), "in percent")
				}
			}
		}
		for i := range group {
			if i > 0 && slices.Contains(q.ends(i, "share_asked"), group) {
				return joinWords(q.text(0, i), q.text(group, end), "in percent")
			}
		}
	}
	return ""
}

// shareOfEach asks for the share of each value of a column: "share of each payment method".
func (q *worded) shareOfEach() string {
	for _, e := range q.ends(0, "percent") {
		a := q.mentions.attributes[e+1][q.wordsEnd()]
		if a == nil || q.at(e).lower != "each" {
			continue
		}
		if r := a.candidates[0].column.Relation; r.Kind != catalog.View && r.Kind != catalog.MaterializedView {
			return joinWords("number of", called(r), "by", q.text(e+1, q.wordsEnd()), "in percent")
		}
	}
	return ""
}

// shareFrom leaves out the verb before what a part of an amount comes from: "what share of revenue comes from web orders".
func (q *worded) shareFrom() string {
	for _, from := range append(q.ends(0, "opener"), 0) {
		for _, e := range q.ends(from, "percent", "how_much_of") {
			for i := e + 1; i < q.wordsEnd(); i++ {
				if q.at(i+1).lower == "from" && (q.at(i).stem == q.language.stem("come") || len(q.ends(i, "be")) > 0) {
					return joinWords("share of", q.text(e, i), q.text(i+1, q.wordsEnd()))
				}
			}
		}
	}
	return ""
}
