// What each word of the question may name: relations, columns, values.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// attribute is a piece of the question that names a column: one of candidates.
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

type columnCandidate struct {
	column   *catalog.Column
	score    float64 // 1 is the column's very name
	label    *label
	reversed bool // an adjective's direction is reversed
}

// relationMention is a piece of the question that names a relation.
type relationMention struct {
	relation *catalog.Relation
	score    float64
	start    int
	end      int
	kind     bool // one kind of several that the relation holds is named
}

// hit is a value of the database that the question mentions.
type hit struct {
	column *catalog.Column
	value  string
	score  float64
}

// mentions is what each place of the question may mean.
type mentions struct {
	relations  map[int][]relationMention
	named      map[*catalog.Relation]int  // how often a relation is called by its name
	attributes map[int]map[int]*attribute // by start and end
	values     map[int]map[int][]hit
	covered    []bool // by any reading at all
}

// maxSpan is how many words the name of a thing may take in a question.
const maxSpan = 6

// annotate finds what each word of the question may name.
func (p *parser) annotate(question string) {
	m := &mentions{relations: map[int][]relationMention{}, attributes: map[int]map[int]*attribute{}, values: map[int]map[int][]hit{}, covered: make([]bool, len(p.tokens))}
	p.mentions = m
	for i := range p.tokens {
		p.annotateNames(i)
	}
	p.annotateShortTables()
	p.quoteTexts()
	p.coverMeasures()
	for _, h := range p.lexicon.snapshot.Values.Find(question) {
		if i, j := p.tokenRange(h.Start, h.End); i < j && p.lexicon.relationInfo[h.Column.Relation] != nil {
			score := 1.0
			if !h.Exact {
				score = 0.65
				if j == i+1 && (len(p.tokens[i].lower) < 5 || p.isFunction(i) || denies(p.tokens[i].lower, h.Value)) || len(wordsOf(h.Value)) > j-i && !p.isPartOf(h.Column) {
					continue
				}
			}
			if p.tokens[i].kind == quotedToken && !strings.EqualFold(h.Value, p.tokens[i].text) && strings.EqualFold(strings.TrimSpace(h.Value), p.tokens[i].text) {
				h.Value = p.tokens[i].text // what is quoted is meant to the letter
			}
			p.addHit(i, j, hit{column: h.Column, value: h.Value, score: score})
		}
	}
	for i, t := range p.tokens {
		p.findSexes(i)
		p.annotateValues(i)
		p.annotateInitials(i)
		if s := singular(t.lower); s != "" && t.kind == wordToken && !p.isFunction(i) && !slices.ContainsFunc(m.values[i][i+1], func(h hit) bool { return h.score > 0.9 }) {
			// a value in the plural is that value, and no word near it
			near := m.values[i][i+1]
			delete(m.values[i], i+1)
			p.lookUpIndex(i, i+1, s, 0.95)
			for _, h := range near {
				p.addHit(i, i+1, h)
			}
		} else if s == "" && t.kind == wordToken && !m.covered[i] && !p.hasMeaning(i) {
			p.lookUpIndex(i, i+1, plural(t.lower), 0.95) // "the cheapest tent", where the category is called Tents
		}
	}
	for i, byEnd := range m.values {
		for j := range byEnd {
			if w := p.tokens[i].text; j == i+1 && p.tokens[i].kind == wordToken && (w == "other" || w == "others") {
				delete(byEnd, j) // whatever reason is called so
				continue
			}
			if j == i+1 && p.isFunction(i) && p.tokens[i].kind == wordToken && p.tokens[i].text == p.tokens[i].lower && !(p.language.aliases[p.tokens[i].lower] != nil && i > 0 && (p.language.prepositions[p.tokens[i-1].lower] || p.tokens[i-1].lower == "the")) {
				delete(byEnd, j) // "of", "in", "or" are not values unless written as such
				continue
			}
			p.cover(i, j)
		}
	}
	p.partialNames()
	p.keepDefined()
	p.coverSpans()
	p.annotateShortColumns()
	p.correctSpelling()
	p.keepNear()
	p.countNamed()
	p.keepDenied()
}

// countNamed counts the places where each relation is called by its name.
func (p *parser) countNamed() {
	p.mentions.named = map[*catalog.Relation]int{}
	for _, list := range p.mentions.relations {
		here := map[*catalog.Relation]bool{}
		for _, m := range list {
			if m.score >= namedScore && !here[m.relation] {
				here[m.relation] = true
				p.mentions.named[m.relation]++
			}
		}
	}
}

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
	end := len(p.tokens)
	for end > 0 && p.tokens[end-1].kind == punctToken {
		end--
	}
	if end < 3 || p.tokens[end-1].kind != wordToken {
		return
	}
	for i := 1; i < end-1; i++ {
		if !slices.Contains(p.ends(i, "starts", "ends", "contains"), end-1) {
			continue
		}
		named := len(p.nameWords(i-1)) > 0 || slices.ContainsFunc(p.mentions.attributes[i-1][i].all(), func(c columnCandidate) bool { return textual(c.column) })
		if named {
			p.quote(end - 1)
		}
	}
}

// quote takes a word for a text.
func (p *parser) quote(i int) {
	p.tokens[i].kind = quotedToken
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
		for e, a := range p.mentions.attributes[d] {
			if slices.ContainsFunc(a.candidates, func(c columnCandidate) bool { return c.score >= namedScore && textual(c.column) }) {
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

// addHit notes that tokens may be a value.
func (p *parser) addHit(i, j int, h hit) {
	if p.lexicon.relationInfo[h.column.Relation].leftover {
		return
	}
	if p.mentions.values[i] == nil {
		p.mentions.values[i] = map[int][]hit{}
	}
	if !p.isNear(h.column.Relation) && len(p.mentions.values[i][j]) >= farNames {
		return
	}
	for _, old := range p.mentions.values[i][j] {
		if old.column == h.column {
			return
		}
	}
	p.mentions.values[i][j] = append(p.mentions.values[i][j], h)
}

// annotateValues finds the values that the statistics name, and other names of
// places.
func (p *parser) annotateValues(i int) {
	t := p.tokens[i]
	if t.kind == quotedToken {
		p.lookUp(i, i+1, wordsOf(t.text), 1, t.text)
		return
	}
	if t.kind == punctToken {
		return
	}
	var words []string
	for j := i; j < len(p.tokens) && j < i+maxValueWords; j++ {
		if k := p.tokens[j].kind; k == quotedToken || k == punctToken && p.tokens[j].lower != "." && p.tokens[j].lower != "&" && p.tokens[j].lower != "/" {
			break
		}
		words = append(words, p.tokens[j].lower)
		p.lookUp(i, j+1, words, 1, "")
		if j-i < p.language.aliasLength && len(p.mentions.values[i][j+1]) > 0 {
			for _, other := range p.language.aliases[strings.Join(words, " ")] {
				p.lookUp(i, j+1, wordsOf(other), 0.6, other)
				p.lookUpIndex(i, j+1, other, 0.6)
			}
		} else if j-i < p.language.aliasLength && p.aliasFits(i, j+1) {
			for _, other := range p.language.aliases[strings.Join(words, " ")] {
				p.lookUp(i, j+1, wordsOf(other), 0.9, other)
				p.lookUpIndex(i, j+1, other, 0.9)
			}
		}
	}
}

// lookUp finds a value that the catalog names.
func (p *parser) lookUp(i, j int, words []string, score float64, exact string) {
	key := p.lexicon.valueKey(words)
	if key == "" {
		return
	}
	for _, c := range p.lexicon.values[key] {
		v, s := p.lexicon.valueTexts[key][c], score
		if p.tokens[i].kind == quotedToken && !strings.EqualFold(v, p.tokens[i].text) && strings.EqualFold(strings.TrimSpace(v), p.tokens[i].text) {
			v = p.tokens[i].text
		}
		if exact != "" && !strings.EqualFold(v, exact) {
			s -= 0.1
		}
		p.addHit(i, j, hit{column: c, value: v, score: s})
	}
}

// aliasFits reports whether a word of origin is used as an adjective, before
// what it is said of or after "is"; names of places fit anywhere.
func (p *parser) aliasFits(i, j int) bool {
	if j-i > 1 || len(p.tokens[i].lower) <= 4 || p.tokens[i].lower == "america" {
		return true
	}
	if i > 0 {
		switch p.tokens[i-1].lower {
		case "is", "are", "was", "were", "not", "by", "all", "the", "from":
			return true
		}
	}
	return j < len(p.tokens) && p.tokens[j].kind == wordToken && (len(p.mentions.relations[j]) > 0 || len(p.mentions.attributes[j]) > 0)
}

// lookUpIndex finds a text in the value index that stands for the words of the
// question.
func (p *parser) lookUpIndex(i, j int, text string, score float64) {
	for _, h := range p.lexicon.snapshot.Values.Find(text) {
		if h.Exact && h.Start == 0 && h.End == len(text) && p.lexicon.relationInfo[h.Column.Relation] != nil {
			p.addHit(i, j, hit{column: h.Column, value: h.Value, score: score})
		}
	}
}
