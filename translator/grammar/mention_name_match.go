// How well words match a name.

package grammar

import (
	"slices"
	"strings"
)

// stemsBetween returns the stems of tokens, with blanks between.
func (p *parser) stemsBetween(i, j int) string {
	var stems []string
	for ; i < j; i++ {
		stems = append(stems, p.tokens[i].stem)
	}
	return strings.Join(stems, " ")
}

// candidateLabels returns the names that hold a stem or a synonym of it, having those that hold a stem.
func (p *parser) candidateLabels(stem string, having func(stem string) []*label) []*label {
	out := having(stem)
	for _, s := range p.language.synonyms[stem] {
		out = append(out[:len(out):len(out)], having(s)...)
	}
	return out
}

// allLabels returns all names that hold a stem.
func (x *lexicon) allLabels(stem string) []*label { return x.labelsByStem[stem] }

// allTables returns all names of relations that hold a stem.
func (x *lexicon) allTables(stem string) []*label { return x.tableLabels[stem] }

// holding returns the names of relations or those of columns that hold each stem of a span, or a synonym of it.
func (p *parser) holding(n *nameSpan, column bool) []*label {
	h, having := &n.relations, p.lexicon.allTables
	if column {
		h, having = &n.columns, p.lexicon.allLabels
	}
	if h.stems == 0 {
		h.labels, h.stems = p.candidateLabels(n.stems[0], having), 1
	}
	for ; h.stems < len(n.stems) && len(h.labels) > 0; h.stems++ {
		others := n.stems[h.stems : h.stems+1]
		if list := p.candidateLabels(others[0], having); len(list) < len(h.labels) {
			h.labels, others = list, n.stems[:h.stems]
		}
		for _, stem := range others {
			h.labels = p.thatHold(stem, h.labels)
		}
	}
	return h.labels
}

// thatHold keeps the labels that hold a stem or a synonym of it.
func (p *parser) thatHold(stem string, labels []*label) (kept []*label) {
	synonyms := p.language.synonyms[stem]
	for _, lb := range labels {
		if slices.Contains(lb.stems, stem) || len(synonyms) > 0 && slices.ContainsFunc(lb.stems, func(s string) bool { return slices.Contains(synonyms, s) }) {
			kept = append(kept, lb)
		}
	}
	return kept
}

// addAttribute notes that tokens may name a column.
func (p *parser) addAttribute(i, j int, lb *label, score float64) {
	if p.mentions.attributes[i] == nil {
		p.mentions.attributes[i] = map[int]*attribute{}
	}
	a := p.mentions.attributes[i][j]
	if a == nil {
		a = &attribute{start: i, end: j}
		p.mentions.attributes[i][j] = a
	}
	p.cover(i, j)
	for k := range a.candidates {
		if a.candidates[k].column == lb.column {
			if score > a.candidates[k].score {
				a.candidates[k].score = score
			}
			return
		}
	}
	a.candidates = append(a.candidates, columnCandidate{column: lb.column, score: score, label: lb})
}

// smallWords are words that names and comments are written with. They name nothing by themselves that has a word besides.
var smallWords = map[string]bool{
	"and": true, "as": true, "at": true, "by": true, "for": true, "from": true, "in": true, "of": true,
	"on": true, "or": true, "per": true, "to": true, "with": true,
}

// match says how well the words of a question name what the label calls: 1 is
// word for word, 0 not at all.
func (x *lexicon) match(stems []string, lb *label) float64 {
	if len(stems) > len(lb.stems)+1 {
		return 0
	}
	score := lb.score
	var used uint64
	last := -1
	own := true                               // only words of the relation's own name are said
	says := !lb.comment && len(lb.stems) == 1 // "in" alone does not name checked_in, nor what has the comment "In euros"
	for _, s := range stems {
		at, synonym := x.matchStem(s, lb, used)
		if at < 0 {
			return 0
		}
		used |= 1 << at
		if synonym {
			score -= 0.12
		}
		if at < last {
			score -= 0.06
		}
		last = at
		own = own && lb.optional[at]
		says = says || !smallWords[s]
	}
	missing := false
	for k := range lb.stems {
		if used&(1<<k) == 0 {
			missing = true
			score -= lb.missingWordCost(k)
		}
	}
	if head := len(lb.stems) - 1; lb.comment && lb.column == nil && used&(1<<head) == 0 {
		return 0 // a price list is no price
	}
	if !says || score < 0.45 || missing && (lb.allWords || own && lb.column != nil && !slices.Equal(stems, []string{"name"})) {
		return 0
	}
	return score
}

// matchStem returns which word of a label a stem is, or a synonym of, of those that are not used; -1 if none.
func (x *lexicon) matchStem(s string, lb *label, used uint64) (at int, synonym bool) {
	free := func(fits func(l string) bool) int {
		for k, l := range lb.stems {
			if used&(1<<k) == 0 && fits(l) {
				return k
			}
		}
		return -1
	}
	if at = free(func(l string) bool { return l == s }); at >= 0 {
		return at, false
	}
	return free(func(l string) bool { return x.isSynonym(s, l) }), true
}

// missingWordCost is how much less well a label is named that has a word which is not said.
func (lb *label) missingWordCost(k int) float64 {
	switch {
	case lb.optional[k]:
		return 0.04
	case lb.comment:
		return 0.3
	}
	return 0.22
}

// isSynonym reports whether two stems are synonyms.
func (x *lexicon) isSynonym(a, b string) bool {
	return slices.Contains(x.language.synonyms[a], b)
}

// affixScore compares a word with a name of several words written together
// that begins or ends with it.
func affixScore(word, name string) float64 {
	word = strings.TrimSuffix(word, "s")
	if len(word) < 4 || len(name) < len(word)+3 {
		return 0
	}
	if strings.HasPrefix(name, word) || strings.HasSuffix(name, word) {
		return 0.62
	}
	return 0
}
