// The relations and columns whose names begin at a word of the question.

package grammar

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"askpg/catalog"
)

// countsPlural reports whether "number of" at token i asks for a count. "number of claims" does, if claims are a relation: the plural
// counts things, where a claim number is a column.
func (p *parser) countsPlural(i int) bool {
	if p.tokens[i].lower != "number" || p.at(i+1).lower != "of" {
		return false
	}
	for k := i + 2; k < len(p.tokens) && k < i+maxSpan && p.tokens[k].kind == wordToken && !p.language.prepositions[p.tokens[k].lower]; k++ {
		if one := singularOf(p.tokens[k]); one != "" {
			stem := p.tokens[k].stem
			if table, _ := p.lexicon.shortTable([]string{one}); table != nil {
				return true
			}
			return slices.ContainsFunc(p.candidateLabels(stem, p.lexicon.allLabels), func(lb *label) bool {
				if lb.column == nil {
					return p.lexicon.match([]string{stem}, lb) >= namedScore
				}
				// a row's own number stands for the rows: inv_no of bills, line_no of order_lines
				return len(lb.stems) == 2 && lb.stems[0] == stem && p.isNumbering(lb.column) && (lb.column.Class == catalog.Number && p.lexicon.relationInfo[lb.relation].stems[stem] || hasSameColumns(p.lexicon.relationInfo[lb.relation].key, []*catalog.Column{lb.column}))
			})
		}
	}
	return false
}

// isRelation reports whether a stem is the whole name of a relation.
func (p *parser) isRelation(stem string) bool {
	return slices.ContainsFunc(p.lexicon.labelsByStem[stem], func(lb *label) bool { return lb.column == nil && len(lb.stems) == 1 && !lb.comment })
}

// questionWords open a question, and name nothing there: a column may be called "what".
var questionWords = wordSet([]string{"what", "which", "who", "whose", "when", "where", "how", "why"})

// annotateNames finds the relations and columns whose names begin at token i.
func (p *parser) annotateNames(i int) { p.annotateSpans(i, i+1, 1) }

// annotateSpans finds the relations and columns whose names begin at token i and end at token least or behind it. If they score
// no more than most, they are whole names.
func (p *parser) annotateSpans(i, least int, most float64) {
	first := p.tokens[i]
	if first.kind != wordToken || first.lower == "of" || first.lower == "the" || first.lower == "'s" || p.countsPlural(i) || i == 0 && questionWords[first.lower] {
		return
	}
	relations := map[[2]any]relationMention{}
	name := nameSpan{at: i}
	near := p.candidateLabels(first.stem, p.labelsNear)
	var before []match // what the words but the last one name
	for j := i; j < len(p.tokens) && j < i+maxSpan; j++ {
		t := p.tokens[j]
		if t.kind != wordToken && t.kind != numberToken {
			break
		}
		p.extendSpan(&name, j)
		if j > i && p.isNoWordOfName(j) {
			continue
		}
		name.stems = append(name.stems, t.stem)
		if j+1 < least && (j+2 < least || p.language.sorts[p.at(j+1).lower] == nil) {
			continue
		}
		all := p.labelsOfSpan(&name, near)
		all, before = append(all, p.labelsOfSort(before, j, all)...), all
		if j+1 < least {
			continue
		}
		for _, found := range all {
			if score := min(found.score, most); most == 1 || score >= namedScore && !p.isNumberOfPerson(found.label.column) {
				p.addName(i, j, found.label, score, relations)
			}
		}
	}
	for _, r := range relations {
		p.mentions.relations[i] = append(p.mentions.relations[i], r)
		p.cover(r.start, r.end)
	}
	p.withoutParts(i)
	p.sortNames(i)
}

// withoutParts drops the relations of parts where that of the whole is called as well: an "order" is a row of ord_h, and none of ord_l.
func (p *parser) withoutParts(i int) {
	all := p.mentions.relations[i]
	p.mentions.relations[i] = slices.DeleteFunc(slices.Clone(all), func(part relationMention) bool {
		return slices.ContainsFunc(all, func(whole relationMention) bool {
			return part.score < exactNameScore && whole.end == part.end && whole.score >= part.score && differInLetter(part.relation, whole.relation) && p.lexicon.isPartOfKey(part.relation, whole.relation)
		})
	})
}

// differInLetter reports whether the names of two relations have the same words but for a letter at their ends.
func differInLetter(a, b *catalog.Relation) bool {
	short, other := splitName(a.Name.Name), splitName(b.Name.Name)
	last := len(short) - 1
	return last > 0 && len(short[last]) == 1 && len(other) == len(short) && slices.Equal(short[:last], other[:last])
}

// isPartOfKey reports whether the rows of a relation are told apart by their number within a row of another one.
func (x *lexicon) isPartOfKey(part, whole *catalog.Relation) bool {
	return slices.ContainsFunc(x.snapshot.ForeignKeys, func(k *catalog.ForeignKey) bool {
		return k.From == part && k.To == whole && part != whole && len(part.PrimaryKey) > len(k.FromCols) && !slices.ContainsFunc(k.FromCols, func(c *catalog.Column) bool { return !slices.Contains(part.PrimaryKey, c) })
	})
}

// addName notes that the words from token i to token j name a column, or a relation if none of the relations has so good a name there.
func (p *parser) addName(i, j int, lb *label, score float64, relations map[[2]any]relationMention) {
	switch key := [2]any{lb.relation, j + 1}; {
	case p.isNoName(i, j, lb):
	case lb.column != nil:
		p.addAttribute(i, j+1, lb, score)
	case score > relations[key].score:
		relations[key] = relationMention{lb.relation, score, i, j + 1, lb.kind}
	}
}

// isNoWordOfName reports whether token j, within a name, is none of its words: an article, or "to" of "expected to close".
func (p *parser) isNoWordOfName(j int) bool {
	switch p.tokens[j].lower {
	case "of", "the", "a", "'s":
		return true
	case "to":
		return slices.ContainsFunc(p.language.dueNames, func(words map[string]bool) bool { return words[p.tokens[j-1].stem] })
	}
	return false
}

// isNoName reports whether the words from token i to token j only look like a name: "no" alone is no tooth_no, "most common first" asks
// for no first name, "where" for a place, and in "routes stop" the second word is a verb, so that it is not the relation route_stops.
func (p *parser) isNoName(i, j int, lb *label) bool {
	first := p.tokens[i]
	if j == i && (first.lower == "no" && len(lb.stems) > 1 || p.isOrderWord(i)) {
		return true
	}
	return lb.column == nil && (first.lower == "where" || j > i && singular(first.lower) != "" && !slices.Contains(lb.words, first.lower) && p.isRelation(first.stem))
}

// sortNames puts first what the words from token i name best.
func (p *parser) sortNames(i int) {
	slices.SortFunc(p.mentions.relations[i], func(a, b relationMention) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.end, a.end), p.pathFirst(a.relation, b.relation))
	})
	for _, a := range inOrder(p.mentions.attributes[i]) {
		slices.SortFunc(a.candidates, func(x, y columnCandidate) int {
			return cmp.Or(cmp.Compare(y.score, x.score), p.pathFirst(x.column.Relation, y.column.Relation), cmp.Compare(x.column.Num, y.column.Num))
		})
	}
}

// nameSpan is a span of tokens that may be a name, with the labels that hold its stems so far.
type nameSpan struct {
	at, end     int
	stems       []string // without those of "of" and the like
	joinedWords string   // the words written together
	stem        string   // of these
	forms       []wordForm

	relations, columns holders
}

// holders are the labels that hold the first stems of a span.
type holders struct {
	labels []*label
	stems  int
}

// wordForm is a form of a word that does not stand for all words of its stem.
type wordForm struct {
	token
	unlike  []string // words that it does not stand for
	members []string // the forms of the words that have synonyms; what has another form of the stem is none of these
}

// extendSpan adds token j to a span.
func (p *parser) extendSpan(n *nameSpan, j int) {
	t := p.tokens[j]
	n.end, n.joinedWords = j+1, n.joinedWords+t.lower
	n.stem = p.language.stem(n.joinedWords)
	form := wordForm{token: t, unlike: p.language.notStandFor[p.phraseOf(j, j+1)], members: p.language.synonymWords[t.stem]}
	if len(form.unlike)+len(form.members) > 0 {
		n.forms = append(n.forms, form)
	}
}

// labelsAt returns the labels that fit and that a span may stand for, each with how well it matches them (1
// is the name itself), those that match best first. They match by their stems, of which held are the candidates, as one word ("order items" of
// orderitems, "topic" of a name that was cut), as the beginning or end of a name written together that could not be cut, or as a
// compound that the language knows.
func (p *parser) labelsAt(n *nameSpan, held []*label, fits func(*label) bool) (out []match) {
	best := map[*label]float64{}
	for _, lb := range held {
		if s := p.lexicon.match(n.stems, lb); s > best[lb] && fits(lb) && p.saidAs(n.forms, lb) {
			best[lb] = s
		}
	}
	single := n.end == n.at+1
	for _, lb := range p.lexicon.labelsByJoinedStem[n.stem] {
		if fits(lb) && (!single || slices.Contains(p.lexicon.stems(splitName(lb.name())), n.stems[0])) {
			best[lb] = max(best[lb], 0.98*lb.score)
		}
	}
	for lb, s := range p.uncutNames(n) {
		if best[lb] == 0 && fits(lb) {
			best[lb] = s
		}
	}
	if short, ok := p.language.compounds[p.stemsBetween(n.at, n.end)]; ok && !single {
		stem := p.language.stem(short)
		for _, lb := range p.lexicon.labelsByStem[stem] {
			if s := p.lexicon.match([]string{stem}, lb); s > 0 && lb.column != nil && fits(lb) {
				best[lb] = max(best[lb], 0.9*s)
			}
		}
	}
	for lb, score := range best {
		if score > 0 {
			out = append(out, match{lb, score})
		}
	}
	slices.SortFunc(out, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.label.relation.OID, b.label.relation.OID), cmp.Compare(a.label.number(), b.label.number()), slices.Compare(a.label.words, b.label.words))
	})
	return out
}

// uncutNames yields the names written together that begin or end with the word that a span is, with how well it matches them.
func (p *parser) uncutNames(n *nameSpan) iter.Seq2[*label, float64] {
	return func(yield func(*label, float64) bool) {
		word := p.tokens[n.at].lower
		if n.end > n.at+1 || len(word) < 4 || p.isFunction(n.at) {
			return
		}
		for name, labels := range p.lexicon.labelsByUncutName {
			s := affixScore(word, name)
			for k := 0; s > 0 && k < len(labels); k++ {
				if !yield(labels[k], s) {
					return
				}
			}
		}
	}
}

// saidAs reports whether each of the words has its stem in a name, or is a form of a word with synonyms.
// "occupancy" has the stem of "occupation" alone, and stands for no job.
func (p *parser) saidAs(forms []wordForm, lb *label) bool {
	for _, f := range forms {
		if len(f.unlike) > 0 && slices.ContainsFunc(lb.words, func(w string) bool { return slices.Contains(f.unlike, cmp.Or(singular(w), w)) }) {
			return false
		}
		if len(f.members) > 0 && !slices.Contains(lb.stems, f.stem) && !slices.ContainsFunc(f.members, func(w string) bool { return w == p.language.irregular[f.lower] || isSameWord(f.lower, w) }) {
			return false
		}
	}
	return true
}

// inflections are the endings by which the forms of a word differ.
var inflections = wordSet([]string{"", "s", "es", "e", "ed", "d", "ing", "y", "ies", "ied", "er", "r", "ers", "rs", "or", "ors"})

// isSameWord reports whether two words are forms of one: "deliver" and "delivered", "city" and "cities".
func isSameWord(a, b string) bool {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	ending := func(w string) bool {
		doubled := n > 0 && n < len(w) && w[n] == w[n-1] && inflections[w[n+1:]] // "shipped" of "ship"
		return inflections[w[n:]] || doubled
	}
	return ending(a) && ending(b)
}

// isOrderWord reports whether token i says what stands first or last, as after "most common" or "cheapest", and before a number or a unit of
// time: in "the last 12 months" there is no last name.
func (p *parser) isOrderWord(i int) bool {
	if w := p.tokens[i].lower; w != "first" && w != "last" {
		return false
	}
	_, number := p.number(i + 1)
	if _, unit := p.dateUnit(i + 1); number > i+1 || unit > i+1 {
		return true
	}
	for j := max(0, i-2); j < i; j++ {
		_, adjective := p.adjectives[j][i]
		if adjective || slices.Contains(p.ends(j, "popular", "unpopular", "latest"), i) {
			return true
		}
	}
	return false
}

// dropTimeUnits drops the columns of which a unit of time is but a part of the name where it is one of times: "this year" is no birth_year,
// and "which month" no monthly_pay.
func (p *parser) dropTimeUnits() {
	for i := range p.tokens {
		if _, unit := p.dateUnit(i); unit != i+1 || strings.HasSuffix(p.tokens[i].lower, "ly") {
			continue
		}
		a := p.mentions.attributes[i][i+1]
		if a == nil {
			continue
		}
		ofTime := i > 0 && slices.Contains([]string{"this", "last", "next", "previous", "past", "coming", "current"}, p.tokens[i-1].lower)
		named := *a
		named.candidates = slices.DeleteFunc(slices.Clone(a.candidates), func(c columnCandidate) bool {
			adverb := c.label != nil && slices.ContainsFunc(c.label.words, func(w string) bool { return strings.HasSuffix(w, "ly") && p.language.stem(w) == p.tokens[i].stem })
			return c.score < exactNameScore && (ofTime || adverb)
		})
		if len(named.candidates) == 0 {
			delete(p.mentions.attributes[i], i+1)
			continue
		}
		p.mentions.attributes[i][i+1] = &named
	}
}

// raiseDoneTimes lets a participle name the time of what was done where a word says that it is one, as "on" does: who was "discharged" has a
// discharge_date.
func (p *parser) raiseDoneTimes() {
	for i := range p.tokens {
		a := p.mentions.attributes[i][i+1]
		if a == nil || !p.isParticiple(i) {
			continue
		}
		raised := *a
		raised.candidates = slices.Clone(a.candidates)
		for k, c := range raised.candidates {
			if lb := c.label; isTime(c.column) && lb != nil && len(lb.words) == 2 && !lb.comment && timeNouns[lb.words[1]] && lb.stems[0] == p.tokens[i].stem {
				raised.candidates[k].score = max(c.score, doneTimeScore)
			}
		}
		slices.SortStableFunc(raised.candidates, func(a, b columnCandidate) int { return cmp.Compare(b.score, a.score) })
		p.mentions.attributes[i][i+1] = &raised
	}
}

// timeNouns are the last words of names of times that add nothing to what was done.
var timeNouns = wordSet([]string{"date", "time", "day", "datetime", "timestamp", "dt", "ts"})

// doneTimeScore is how well a time is called by what was done at it, where its name has a noun beside.
const doneTimeScore = 0.94
