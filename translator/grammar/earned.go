// What a business earns: "turnover" is the amount of what it sold.

package grammar

import (
	"cmp"
	"slices"

	"askpg/catalog"
)

// annotateEarned lets a word for what was earned, such as "turnover", stand for the amounts of what is sold and not for any other ones.
// What has such a name is meant by it.
func (p *parser) annotateEarned() {
	for i, t := range p.tokens {
		if t.kind != wordToken || !p.language.isEarned(t.lower) {
			continue
		}
		p.mentions.relations[i] = slices.DeleteFunc(p.mentions.relations[i], func(m relationMention) bool {
			return p.isSynonym(i, m) && !p.areMoney(m.relation) // "turnover" is no number of sales
		})
		if p.isNameOf(i) {
			continue
		}
		sold := &attribute{start: i, end: i + 1}
		for _, r := range p.relations {
			if c := p.impliedColumn(r, true); c != nil && p.isSold(r) {
				sold.candidates = append(sold.candidates, columnCandidate{column: c, score: earnedScore, label: p.lexicon.columnLabels[c][0]})
			}
		}
		if len(sold.candidates) == 0 {
			continue
		}
		if p.mentions.attributes[i] == nil {
			p.mentions.attributes[i] = map[int]*attribute{}
		}
		p.mentions.attributes[i][i+1] = sold
		p.cover(i, i+1)
	}
}

// isEarned reports whether a word is one for what was earned.
func (l *language) isEarned(word string) bool { return l.earnings[cmp.Or(singular(word), word)] }

// earnedScore is how well an amount of what was sold is called by a word for what was earned.
const earnedScore = 0.9

// isNameOf reports whether token i is the very name of a column, or a name of a relation: "sales" may be orders that are counted.
func (p *parser) isNameOf(i int) bool {
	a := p.mentions.attributes[i][i+1]
	return a != nil && a.candidates[0].score >= veryName || slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return m.score >= namedScore })
}

// isSold reports whether the rows of a relation are what is sold as a whole: orders, and none of their lines nor what is bought.
func (p *parser) isSold(r *catalog.Relation) bool {
	info := p.lexicon.relationInfo[r]
	return !info.leftover && shares(info.stems, p.language.soldAs) && !shares(info.stems, p.language.notSold)
}
