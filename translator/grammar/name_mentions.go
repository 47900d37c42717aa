// The relations and columns whose names begin at a word of the question.

package grammar

import (
	"cmp"
	"slices"
	"strings"
)

// countsPlural reports whether "number of" at token i asks for a count. "number of claims" does, if claims are a relation: the plural
// counts things, where a claim number is a column.
func (p *parser) countsPlural(i int) bool {
	if p.tokens[i].lower != "number" || p.at(i+1).lower != "of" {
		return false
	}
	for k := i + 2; k < len(p.tokens) && k < i+maxSpan && p.tokens[k].kind == wordToken && !p.language.prepositions[p.tokens[k].lower]; k++ {
		if singular(p.tokens[k].lower) != "" {
			stem := p.tokens[k].stem
			return slices.ContainsFunc(p.candidateLabels(stem, p.lexicon.allLabels), func(lb *label) bool {
				return lb.column == nil && p.lexicon.match([]string{stem}, lb) >= namedScore
			})
		}
	}
	return false
}

// isRelation reports whether a stem is the whole name of a relation.
func (p *parser) isRelation(stem string) bool {
	return slices.ContainsFunc(p.lexicon.labels[stem], func(lb *label) bool { return lb.column == nil && len(lb.stems) == 1 && !lb.comment })
}

// annotateNames finds the relations and columns whose names begin at token i.
func (p *parser) annotateNames(i int) {
	first := p.tokens[i]
	if first.kind != wordToken || first.lower == "of" || first.lower == "the" || first.lower == "'s" || p.countsPlural(i) {
		return
	}
	relations := map[[2]any]relationMention{}
	var stems []string
	var held []*label // that have all of the stems
	var joined strings.Builder
	for j := i; j < len(p.tokens) && j < i+maxSpan; j++ {
		t := p.tokens[j]
		if t.kind != wordToken && t.kind != numberToken {
			break
		}
		joined.WriteString(t.lower)
		if j > i && (t.lower == "of" || t.lower == "the" || t.lower == "a" || t.lower == "'s") {
			continue
		}
		if j > i && t.lower == "to" && slices.ContainsFunc(p.language.due, func(words map[string]bool) bool { return words[p.tokens[j-1].stem] }) {
			continue // "expected to close"
		}
		stems = append(stems, t.stem)
		held = p.holding(held, stems)
		for _, found := range p.calledAt(i, j+1, held, stems, joined.String()) {
			lb, score := found.label, found.score
			switch key := [2]any{lb.relation, j + 1}; {
			case j == i && first.lower == "no" && len(lb.stems) > 1:
				// "no" alone is no tooth_no
			case lb.column != nil:
				p.addAttribute(i, j+1, lb, score)
			case first.lower == "where":
				// it asks for a place, and names no relation
			case j > i && singular(first.lower) != "" && !slices.Contains(lb.words, first.lower) && p.isRelation(first.stem):
				// in "routes stop" the second word is a verb: it is not the relation route_stops
			case score > relations[key].score:
				relations[key] = relationMention{lb.relation, score, i, j + 1, lb.kind}
			}
		}
	}
	for _, r := range relations {
		p.mentions.relations[i] = append(p.mentions.relations[i], r)
		p.cover(r.start, r.end)
	}
	slices.SortFunc(p.mentions.relations[i], func(a, b relationMention) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.end, a.end), cmp.Compare(a.relation.OID, b.relation.OID))
	})
	for _, a := range p.mentions.attributes[i] {
		slices.SortFunc(a.candidates, func(x, y columnCandidate) int {
			return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.column.Relation.OID, y.column.Relation.OID), cmp.Compare(x.column.Num, y.column.Num))
		})
	}
}

// labelsAt returns the labels that fit and that the tokens from i to before end may stand for, each with how well they match it (1
// is the name itself). held are those that have their stems. They match by their stems, as one word ("order items" of orderitems),
// as the beginning or end of a name written together that could not be cut, or as a compound that the language knows.
func (p *parser) labelsAt(i, end int, held []*label, stems []string, joined string, fits func(*label) bool) []match {
	best := map[*label]float64{}
	for _, lb := range held {
		if fits(lb) {
			best[lb] = max(best[lb], p.lexicon.match(stems, lb))
		}
	}
	if end > i+1 {
		for _, lb := range p.lexicon.joinedWords[p.language.stem(joined)] {
			if fits(lb) {
				best[lb] = max(best[lb], 0.98*lb.score)
			}
		}
	} else if word := p.tokens[i].lower; len(word) >= 4 && !p.isFunction(i) {
		for _, lb := range p.lexicon.uncutLabels {
			if s := affixScore(word, lb.words[0]); s > 0 && best[lb] == 0 && fits(lb) {
				best[lb] = s
			}
		}
	}
	if short, ok := p.language.compounds[p.stemsBetween(i, end)]; ok && end > i+1 {
		stem := p.language.stem(short)
		for _, lb := range p.lexicon.labels[stem] {
			if s := p.lexicon.match([]string{stem}, lb); s > 0 && lb.column != nil && fits(lb) {
				best[lb] = max(best[lb], 0.9*s)
			}
		}
	}
	var out []match
	for lb, score := range best {
		if score > 0 {
			out = append(out, match{lb, score})
		}
	}
	return out
}
