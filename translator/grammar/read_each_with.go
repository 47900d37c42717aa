// Reading "each genre with its number of books": a kind of things or values, and what is told of each.

package grammar

import "slices"

// eachWith reads "each genre with its number of books", "every buyer and the total of his orders", "genres with average price": a
// key, and aggregates that are divided by it.
func (p *parser) eachWith(i int) (out []candidate) {
	for _, each := range p.maybe(i, "each") {
		for _, key := range slices.Concat(p.relationHeads(each), p.attributeHeads(each)) {
			said := each > i && p.at(i).lower != "all"
			if !said && (!key.phrase.isAttribute() || key.phrase.hasAggregate()) || p.isNumberOrTime(key.phrase) {
				continue
			}
			for _, with := range p.behind(p.maybe(key.end, "comma"), "with", "and") {
				if with > key.end && (said || p.at(with-1).lower == "with") {
					out = append(out, p.aggregatesPer(key, with)...)
				}
			}
		}
	}
	return keepPerEnd(out)
}

// aggregatesPer reads aggregates, and divides them by a key.
func (p *parser) aggregatesPer(key candidate, i int) (out []candidate) {
	for _, of := range p.maybe(i, "pronoun", "article") {
		for _, c := range slices.Concat(p.noun(of), p.howMany(of)) {
			if !c.phrase.hasAggregate() || len(c.phrase.group) > 0 {
				continue
			}
			out = append(out, candidates(p.applyGroup(c.phrase, &modifier{kind: modifierGroup, phrase: key.phrase}), c.end, key.cost+c.cost+0.1)...)
		}
	}
	return out
}

// isNumberOrTime reports whether an attribute is a number or a time, of which each row has its own.
func (p *parser) isNumberOrTime(n *phrase) bool {
	return n.isAttribute() && (n.items[0].attribute == nil || isRankable(n.items[0]) && !isText(n.items[0].attribute.candidates[0].column))
}

// howMany reads "how many books it has": a number of things, of which is told what has them.
func (p *parser) howMany(i int) (out []candidate) {
	for _, c := range p.nounsFrom(p.ends(i, "how_many")) {
		counted := p.counted(c.phrase)
		if counted == nil || !c.phrase.isEntity() {
			continue
		}
		for _, it := range p.ends(c.end, "pronoun") {
			for _, has := range p.behind(p.ends(it, "have"), "there") {
				out = append(out, candidate{counted, has, c.cost + 0.1})
			}
		}
	}
	return out
}
