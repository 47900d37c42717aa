// What the words of the question may name: relations, columns and values of the database. This is schema linking.

package grammar

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"askpg/catalog"
)

// attribute is a span of the question that names a column: one of candidates. "Price" may be the price of products or of order lines.
type attribute struct {
	candidates    []columnCandidate
	start         int // tokens
	end           int
	asksName      bool // asks for a name: the display columns of whatever it is the name of
	fromAdjective bool // comes from an adjective or a verb, not from its name
}

// all returns what an attribute may be, nothing of nil.
func (a *attribute) all() []columnCandidate {
	if a == nil {
		return nil
	}
	return a.candidates
}

// columnCandidate is a column that an attribute may be.
type columnCandidate struct {
	column   *catalog.Column
	score    float64 // 1 is the column's very name
	label    *label
	reversed bool // an adjective's direction is reversed
}

// relationMention is a span of the question that names a relation.
type relationMention struct {
	relation *catalog.Relation
	score    float64
	start    int
	end      int
	kind     bool // one kind of several that the relation holds is named
}

// valueMention is a value of a column that a span of the question may be.
type valueMention struct {
	column *catalog.Column
	value  string
	like   string // the pattern of ILIKE, where the words are a part that several values share
	score  float64
}

// mentions is what each span of the question may name.
type mentions struct {
	relations  map[int][]relationMention
	nameCounts map[*catalog.Relation]int  // how often a relation is called by its name
	attributes map[int]map[int]*attribute // by start and end
	values     map[int]map[int][]valueMention
	covered    []bool // by any reading at all
}

// maxSpan is how many words the name of a thing may take in a question.
const maxSpan = 6

// annotate finds what each word of the question may name.
func (p *parser) annotate() {
	m := &mentions{relations: map[int][]relationMention{}, attributes: map[int]map[int]*attribute{}, values: map[int]map[int][]valueMention{}, covered: make([]bool, len(p.tokens))}
	p.mentions = m
	for i := range p.tokens {
		p.annotateNames(i)
	}
	p.annotateShortTables()
	p.quoteTexts()
	p.coverMeasures()
	p.annotateFound()
	for i := range p.tokens {
		p.findSexes(i)
		p.findTruths(i)
		p.annotateValues(i)
		p.annotateInitials(i)
		p.annotateNumber(i)
	}
	p.dropValuesCalledAsThings()
	p.annotateCodes()
	p.dropFunctionWords()
	p.dropDoneBy()
	p.partialNames()
	p.dropTimeUnits()
	p.raiseDoneTimes()
	p.sharedNames()
	p.keepDefined()
	p.annotateRevenue()
	p.annotateLeave()
	p.annotateKin()
	p.annotateWorking()
	p.annotateDoers()
	p.coverIntervals()
	p.annotateShortColumns()
	p.correctSpelling()
	p.keepNear()
	p.countNames()
	p.keepNegatedStates()
	p.dropDatedStates()
}

// dropDoneBy drops a key that is called by a participle and "by" where somebody stands behind it, to whom it leads: "jobs checked by Ann Lee".
func (p *parser) dropDoneBy() {
	for i := range p.mentions.attributes {
		for end, a := range p.mentions.attributes[i] {
			key := p.tokens[end-1].lower == "by" && !slices.ContainsFunc(a.candidates, func(c columnCandidate) bool { return !p.lexicon.graph.isForeign(c.column) })
			if key && len(p.mentions.values[end])+len(p.mentions.relations[end]) > 0 {
				delete(p.mentions.attributes[i], end)
			}
		}
	}
}

// countNames counts the places where each relation is called by its name.
func (p *parser) countNames() {
	p.mentions.nameCounts = map[*catalog.Relation]int{}
	for _, list := range p.mentions.relations {
		here := map[*catalog.Relation]bool{}
		for _, m := range list {
			if m.score >= namedScore && !here[m.relation] {
				here[m.relation] = true
				p.mentions.nameCounts[m.relation]++
			}
		}
	}
}

// countMentions returns how often the question has a name of the relation.
func (p *parser) countMentions(r *catalog.Relation) int { return p.mentions.nameCounts[r] }

// mentionsRelation reports whether the question has a name of the relation.
func (p *parser) mentionsRelation(r *catalog.Relation) bool { return p.countMentions(r) > 0 }

// quoteTexts takes the last word of the question for a text where it says what
// a name contains, begins or ends with: "whose name contains laptop".
func (p *parser) quoteTexts() {
	for i := range p.tokens {
		// "with pharmacy in the name"
		if w := p.at(i).lower; (w == "with" || w == "have" || w == "having" || w == "has" || w == "contain" || w == "containing") && p.at(i+1).kind == wordToken && p.at(i+2).lower == "in" {
			if len(p.textIn(i+2)) > 0 && p.language.prepositions[p.at(i+2).lower] && !p.isFunction(i+1) {
				p.quote(i + 1)
			}
		}
	}
	end := p.wordsEnd()
	if end < 3 || p.tokens[end-1].kind != wordToken || p.at(end-2).lower == "has" && p.isInflected(end-1) {
		return // what "has expired" contains nothing
	}
	for i := 1; i < end-1; i++ {
		if !slices.Contains(p.ends(i, "starts", "ends", "contains"), end-1) {
			continue
		}
		named := len(p.nameWords(i-1)) > 0 || slices.ContainsFunc(p.mentions.attributes[i-1][i].all(), func(c columnCandidate) bool { return isText(c.column) })
		things := singular(p.tokens[i-1].lower) != "" && len(p.ends(i, "contains")) == 0 && p.tokens[end-1].text != p.tokens[end-1].lower
		if named || things { // "houses starting with Elm"
			p.quote(end - 1)
		}
	}
}

// quote takes a word for a text, with the signs that stand at it and end no sentence: "contains O'".
func (p *parser) quote(i int) {
	t := &p.tokens[i]
	signs, _, _ := strings.Cut(p.question[t.end:], " ")
	t.kind, t.text = quotedToken, t.text+strings.TrimRight(signs, "?.!,;")
	delete(p.mentions.relations, i)
	delete(p.mentions.attributes, i)
	p.tags[i] = nil
	p.cover(i, i+1)
}

// textIn reads "in the name" behind a text: the columns of texts, and where it ends.
func (p *parser) textIn(i int) map[int]*attribute {
	out := map[int]*attribute{}
	if p.at(i).lower != "in" {
		return out
	}
	for _, d := range p.maybe(i+1, "article", "pronoun") {
		for _, e := range p.nameWords(d) {
			out[e] = &attribute{asksName: true, start: d, end: e}
		}
		for e, a := range inOrder(p.mentions.attributes[d]) {
			if slices.ContainsFunc(a.candidates, func(c columnCandidate) bool { return c.score >= namedScore && isText(c.column) }) {
				out[e] = a
			}
		}
	}
	return out
}

// cover notes that tokens have a meaning.
func (p *parser) cover(i, j int) {
	for ; i < j; i++ {
		p.mentions.covered[i] = true
	}
}

// tokenRange returns the tokens of a range of bytes.
func (p *parser) tokenRange(start, end int) (int, int) {
	i, j := -1, -1
	for k, t := range p.tokens {
		quote := 0
		if t.kind == quotedToken {
			quote = 3 // its marks, of up to three bytes each
		}
		if t.start >= start-quote && i < 0 && t.end > start {
			i = k
		}
		if t.end <= end+quote {
			j = k + 1
		}
	}
	if i < 0 {
		return 0, 0
	}
	return i, j
}

// inOrder yields what stands at places of the question in the order of the places, so that a question is read the same each time.
func inOrder[T any](at map[int]T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		if len(at) < 2 { // as most often
			for i, what := range at {
				yield(i, what)
			}
			return
		}
		for _, i := range slices.Sorted(maps.Keys(at)) {
			if !yield(i, at[i]) {
				return
			}
		}
	}
}
