package grammar

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"askpg/catalog"
)

// parser holds one question while it is read. The parse functions return every
// reading that begins at a token, with where it ends and how far-fetched it
// is; results are kept, so that each place is read once.
type parser struct {
	lexicon     *lexicon
	language    *language
	tokens      []token
	mentions    *mentions
	options     Options
	tags        []map[string][]int
	adjectives  []map[int][]adjective
	lastID      int
	nounPhrases map[int][]candidate
	modifiersAt map[int][]modifierCandidate
	verbPhrases map[int][]modifierCandidate
	havePhrases map[int][]modifierCandidate
	datesAt     map[int][]dateCandidate
	active      map[int]bool
	steps       int
	statements  map[[2]int][]candidate
	paths       map[[2]*catalog.Relation][]path
	why         string // why the best reading is no answer
	still       bool   // the question says "still"
}

// candidate is a reading of a noun phrase.
type candidate struct {
	phrase *phrase
	end    int
	cost   float64
}

// modifierCandidate is a reading of a modifier.
type modifierCandidate struct {
	modifier modifier
	end      int
	cost     float64
}

// Bounds of the search. A reading whose cost is beyond maxCost is dropped.
const (
	beamPerEnd = 5
	maxCost    = 7.0
	maxSteps   = 60000
)

func newParser(x *lexicon, text string, o Options) *parser {
	p := &parser{
		lexicon: x, language: x.language, tokens: scan(text), options: o, nounPhrases: map[int][]candidate{}, modifiersAt: map[int][]modifierCandidate{},
		verbPhrases: map[int][]modifierCandidate{}, havePhrases: map[int][]modifierCandidate{}, datesAt: map[int][]dateCandidate{}, active: map[int]bool{}, statements: map[[2]int][]candidate{}, paths: map[[2]*catalog.Relation][]path{},
	}
	for i := range p.tokens {
		p.tokens[i].stem = p.language.stem(p.tokens[i].lower)
	}
	p.leaveOut()
	p.tag()
	p.annotate(text)
	if p.correctCommon() {
		p.tag()
		p.annotate(text)
	}
	return p
}

// leaveOut takes away the words that say who asks, where they are of no phrase:
// what "we won" is what was won. It takes away "still" too, and remembers it.
func (p *parser) leaveOut() {
	inPhrase := make([]bool, len(p.tokens))
	for i, t := range p.tokens {
		for _, ph := range p.language.phrases[t.lower] {
			for k := i; len(ph.words) > 1 && p.follows(i, ph.words) && k < i+len(ph.words); k++ {
				inPhrase[k] = true
			}
		}
	}
	var kept []token
	for i, t := range p.tokens {
		switch {
		case t.kind != wordToken || inPhrase[i] || i == 0:
		case t.lower == "we", t.lower == "us" && t.text == t.lower && (p.isVerb(i-1) || p.at(i-1).lower == "with"):
			continue
		case t.lower == "still":
			p.still = true
			continue
		}
		kept = append(kept, t)
	}
	p.tokens = kept
}

// tag finds the function phrases at each token.
func (p *parser) tag() {
	p.tags = make([]map[string][]int, len(p.tokens)+1)
	p.adjectives = make([]map[int][]adjective, len(p.tokens)+1)
	for i, t := range p.tokens {
		if t.kind == quotedToken {
			continue
		}
		tags := map[string][]int{}
		for _, ph := range p.language.phrases[t.lower] {
			if p.follows(i, ph.words) {
				tags[ph.tag] = append(tags[ph.tag], i+len(ph.words))
			}
		}
		// Before a number "over" compares, and says no place.
		tags["in"] = slices.DeleteFunc(tags["in"], func(e int) bool {
			return e < len(p.tokens) && p.tokens[e].kind == numberToken && (slices.Contains(tags["gt"], e) || slices.Contains(tags["lt"], e))
		})
		for _, ends := range tags {
			sort.Sort(sort.Reverse(sort.IntSlice(ends)))
		}
		p.tags[i] = tags
		for _, ph := range p.language.adjectivePhrases[t.lower] {
			if p.follows(i, ph.words) {
				if p.adjectives[i] == nil {
					p.adjectives[i] = map[int][]adjective{}
				}
				p.adjectives[i][i+len(ph.words)] = p.language.adjectives[ph.tag]
			}
		}
	}
}

func (p *parser) follows(i int, words []string) bool {
	if i+len(words) > len(p.tokens) {
		return false
	}
	for k, w := range words {
		if t := p.tokens[i+k]; t.lower != w || t.kind == quotedToken {
			return false
		}
	}
	return true
}

// ends returns where the phrases of any of the tags that begin at i end,
// longest first.
func (p *parser) ends(i int, tags ...string) []int {
	if i >= len(p.tokens) || p.tags[i] == nil {
		return nil
	}
	if len(tags) == 1 {
		return p.tags[i][tags[0]]
	}
	var out []int
	for _, t := range tags {
		for _, e := range p.tags[i][t] {
			if !slices.Contains(out, e) {
				out = append(out, e)
			}
		}
	}
	sort.Sort(sort.Reverse(sort.IntSlice(out)))
	return out
}

// maybe is ends with i itself as the last possibility: the phrase may be
// missing.
func (p *parser) maybe(i int, tags ...string) []int {
	return append(append([]int(nil), p.ends(i, tags...)...), i)
}

// isFunction reports whether the token is a word of the language's own that
// carries structure.
func (p *parser) isFunction(i int) bool {
	t := p.tokens[i]
	if t.kind == punctToken {
		return true
	}
	if p.language.functionWords[t.lower] || p.language.prepositions[t.lower] {
		return true
	}
	for _, ph := range p.language.phrases[t.lower] {
		if len(ph.words) == 1 {
			return true
		}
	}
	return false
}

// hasMeaning reports whether a token means anything to the language.
func (p *parser) hasMeaning(i int) bool {
	t := p.tokens[i]
	if t.kind != wordToken || p.isFunction(i) || p.isVerb(i) {
		return true
	}
	if i > 0 && (t.lower == "table" || t.lower == "records" || t.lower == "record" || t.lower == "entries" || t.lower == "data") {
		return true
	}
	if p.language.dateWord(t.lower) {
		return true
	}
	if _, ok := p.language.numbers[t.lower]; ok {
		return true
	}
	if _, ok := p.language.units[t.lower]; ok {
		return true
	}
	if _, ok := p.language.measures[t.stem]; ok {
		return true
	}
	for _, d := range p.language.directions {
		if d.words[t.lower] {
			return true
		}
	}
	for j := max(0, i-6); j <= i; j++ {
		for _, ends := range p.tags[j] {
			for _, e := range ends {
				if e > i {
					return true
				}
			}
		}
		for e := range p.adjectives[j] {
			if e > i {
				return true
			}
		}
	}
	return false
}

// isVerb reports whether the token is a verb that relates things.
func (p *parser) isVerb(i int) bool {
	t := p.at(i)
	return t.kind == wordToken && !isNoun(t) && (p.language.verbs[t.stem] || p.lexicon.roles[t.stem] || p.language.verbs[strings.TrimSuffix(t.stem, "e")])
}

// isNoun reports whether a word is a noun made of what its stem is: "manager",
// "attendance".
func isNoun(t token) bool {
	w := strings.TrimSuffix(t.lower, "s")
	for _, end := range []string{"er", "or", "ance", "ment", "ion"} {
		if strings.HasSuffix(w, end) && !strings.HasSuffix(t.stem, end) {
			return true
		}
	}
	return false
}

// newID numbers a set.
func (p *parser) newID() int {
	p.lastID++
	return p.lastID
}

// entity is the phrase of all rows of a relation.
func (p *parser) entity(r *catalog.Relation) *phrase {
	return &phrase{set: &set{id: p.newID(), relation: r}}
}

// keepPerEnd drops the worst readings.
func keepPerEnd(list []candidate) []candidate {
	sort.SliceStable(list, func(i, j int) bool { return list[i].cost < list[j].cost })
	kept := map[int]int{}
	out := list[:0:0]
	for _, c := range list {
		if c.cost > maxCost || kept[c.end] >= beamPerEnd {
			continue
		}
		kept[c.end]++
		out = append(out, c)
	}
	return out
}

// keepModifiers drops the worst readings.
func keepModifiers(list []modifierCandidate) []modifierCandidate {
	sort.SliceStable(list, func(i, j int) bool { return list[i].cost < list[j].cost })
	kept := map[int]int{}
	out := list[:0:0]
	for _, c := range list {
		if c.cost > maxCost || kept[c.end] >= 7 {
			continue
		}
		kept[c.end]++
		out = append(out, c)
	}
	return out
}

// at returns token i; behind the last one, a mark.
func (p *parser) at(i int) token {
	if i < len(p.tokens) {
		return p.tokens[i]
	}
	return token{kind: punctToken}
}

// number reads a number in digits or words: 5, "two", "5 million", "a dozen".
func (p *parser) number(i int) (string, int) {
	t := p.at(i)
	var v float64
	text := ""
	switch {
	case i >= len(p.tokens):
		return "", i
	case t.kind == numberToken:
		text = t.text
		v, _ = strconv.ParseFloat(t.text, 64)
	case t.lower == "$" || t.lower == "€" || t.lower == "£":
		n, e := p.number(i + 1)
		if e == i+1 {
			return "", i
		}
		return n, e
	case (t.lower == "a" || t.lower == "an") && i+1 < len(p.tokens) && p.language.numbers[p.tokens[i+1].lower] >= 12:
		i++
		v = 1 * p.language.numbers[p.tokens[i].lower]
		text = formatNumber(v)
	default:
		n, ok := p.language.numbers[t.lower]
		if t.lower == "one" && i > 0 && (p.tokens[i-1].lower == "the" || p.tokens[i-1].lower == "that" || p.tokens[i-1].lower == "each") {
			return "", i
		}
		if !ok || t.kind != wordToken || t.lower == "k" {
			return "", i
		}
		v, text = n, formatNumber(n)
	}
	i++
	for i < len(p.tokens) && p.tokens[i].kind == wordToken {
		n, ok := p.language.numbers[p.tokens[i].lower]
		if !ok || n < 100 && n != 12 || p.tokens[i].lower == "k" && p.tokens[i].start != p.tokens[i-1].end {
			break
		}
		v *= n
		text = formatNumber(v)
		i++
	}
	return text, i
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// unit skips a unit of measure after a number.
func (p *parser) unit(i int) []int {
	out := []int{}
	if i < len(p.tokens) {
		for _, words := range p.language.units[p.tokens[i].lower] {
			if p.follows(i, words) {
				out = append(out, i+len(words))
			}
		}
	}
	sort.Sort(sort.Reverse(sort.IntSlice(out)))
	return append(out, i)
}
