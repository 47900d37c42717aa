// The parser: its state, the tags of words, and how many readings are kept.

package grammar

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"askpg/catalog"
)

// parser holds one question while it is read. Each read function returns every reading that begins at a token, with the token behind it and
// its cost. Results are kept by token, so that each place is read once.
type parser struct {
	lexicon       *lexicon
	language      *language
	question      string
	startedAt     time.Time
	tokens        []token
	foundValues   []catalog.Hit // values that the index of values finds in the question
	mentions      *mentions
	relations     []*catalog.Relation        // the relations of a large schema that may be meant
	measures      []measureName              // of the semantics file and of the hint
	near          map[*catalog.Relation]bool // the same as a set; nil if they are the whole schema
	options       Options
	tags          []map[string][]int    // by token: the ends of its phrases of each tag
	adjectives    []map[int][]adjective // by token, and by where their words end
	statesAt      []map[int][]*state    // by token, and by where their words end
	lastID        int                   // of a set
	nounPhrases   map[int][]candidate   // by their first token, as the next ones are
	modifiersAt   map[int][]modifierCandidate
	verbPhrases   map[int][]modifierCandidate
	havePhrases   map[int][]modifierCandidate
	datesAt       map[int][]dateCandidate
	active        map[int]bool
	steps         int // taken so far, at most maxSteps
	statements    map[[2]int][]candidate
	partLists     map[[3]int][]partList
	paths         map[[2]*catalog.Relation][]path
	resolved      map[*phrase][]reading                 // phrases of attributes on the sets that they may be of
	deeds         map[string]map[*catalog.Relation]bool // see doneIn
	whyRefused    string                                // why the best reading is no answer
	hasStill      bool                                  // the question says "still"
	hasYet        bool                                  // the question says "yet"
	askersVerb    string                                // what whoever asks does: "produce" of "which items do we produce", "" if nothing
	asksMoney     bool                                  // the question asks for how much money, or for the most of it
	hasActually   bool                                  // the question says that something was actually done
	hasOnAverage  bool                                  // the question says "on average"
	includesEnded bool                                  // the question says that what has ended counts, too
	ended         endedRows
}

// candidate is a reading of a noun phrase that begins at a known token.
type candidate struct {
	phrase *phrase
	end    int     // the token behind it
	cost   float64 // how far-fetched it is; 0 is the most natural
}

// candidates returns readings that all end at a token, each at so much more cost.
func candidates(list []reading, end int, cost float64) []candidate {
	out := make([]candidate, len(list))
	for i, r := range list {
		out[i] = candidate{r.phrase, end, cost + r.cost}
	}
	return out
}

// modifierCandidate is a reading of a modifier that begins at a known token.
type modifierCandidate struct {
	modifier modifier
	end      int
	cost     float64
}

// Bounds of the search. A reading whose cost is beyond maxCost is dropped. Of some 2,600 questions of the sets, the longest that has
// an answer takes 7,000 steps, and the longest that has none 25,500.
const (
	beamPerEnd = 5 // readings kept of those that end at one token
	maxCost    = 7.0
	maxSteps   = 30000
)

// newParser cuts a question into tokens, corrects and tags them, and finds what they may name.
func newParser(x *lexicon, text string, o Options) *parser {
	p := &parser{
		lexicon: x, language: x.language, question: text, startedAt: time.Now(), tokens: scan(x.language.dashes(text)), options: o, nounPhrases: map[int][]candidate{}, modifiersAt: map[int][]modifierCandidate{},
		verbPhrases: map[int][]modifierCandidate{}, havePhrases: map[int][]modifierCandidate{}, datesAt: map[int][]dateCandidate{}, active: map[int]bool{}, statements: map[[2]int][]candidate{}, partLists: map[[3]int][]partList{}, mentions: &mentions{}, measures: slices.Concat(x.measures, x.goods, o.defined), paths: map[[2]*catalog.Relation][]path{}, resolved: map[*phrase][]reading{}, deeds: map[string]map[*catalog.Relation]bool{},
	}
	if len(p.tokens) > 2*maxWords { // whatever is left out of them, they are too many to be looked up
		return p
	}
	for i := range p.tokens {
		if p.isLetter(i) {
			p.tokens[i].lower = "A" // which no word of the language is
		}
		p.tokens[i].stem = p.language.stem(p.tokens[i].lower)
	}
	p.tidy()
	p.simplifyPhrasals()
	p.simplifyTimes()
	p.removeEndedWords()
	p.foundValues = x.snapshot.Values.Find(text)
	p.findNear(text)
	p.removeAsker()
	p.tag()
	p.annotate()
	if p.correctCommon() {
		p.tag()
		p.annotate()
	}
	return p
}

// isFunction reports whether the token is a word of the language's own that
// carries structure.
func (p *parser) isFunction(i int) bool {
	t := p.tokens[i]
	if t.kind == punctToken || p.language.functionWords[t.lower] || p.language.prepositions[t.lower] {
		return true
	}
	return slices.ContainsFunc(p.language.phrases[t.lower], func(ph taggedWords) bool { return len(ph.words) == 1 && !placeTags[ph.tag] })
}

// hasMeaning reports whether a token means anything to the language.
func (p *parser) hasMeaning(i int) bool {
	t := p.tokens[i]
	if t.kind == punctToken {
		return p.isPunctuation(i) || p.isSpanned(i)
	}
	if t.kind != wordToken || p.isFunction(i) || p.isVerb(i) || p.language.hasWord(t) {
		return true
	}
	if clock, _ := p.clockAt(i); clock != "" {
		return true
	}
	if i > 0 && (tableWords[t.lower] || p.inPart(i) || isNight(t.lower) && p.tokens[i-1].kind == numberToken) {
		return true
	}
	if _, end := p.partAt(i); end > i || p.afterWhole(i) > i || p.isMoreThan(i) || p.comparesNumbers(i) {
		return true
	}
	return p.worthAt(i, func(*catalog.Column) bool { return true }) || p.isSpanned(i)
}

// isPunctuation reports whether a token is a mark of punctuation, or a sign of the number beside it.
func (p *parser) isPunctuation(i int) bool {
	t := p.tokens[i]
	switch {
	case t.lower == "%" || isCurrencySign(t) && p.at(i+1).kind != numberToken:
		return i > 0 && p.tokens[i-1].kind == numberToken
	case t.lower == "#" || isCurrencySign(t):
		return p.at(i+1).kind == numberToken
	}
	return strings.Trim(t.lower, ",.;:?!()/…") == ""
}

// hasWord reports whether a word is a number, a unit, a measure, a direction or a time.
func (l *language) hasWord(t token) bool {
	_, number := l.numbers[t.lower]
	_, unit := l.units[t.lower]
	_, measure := l.measures[t.stem]
	return number || unit || measure || l.dateWord(t.lower) || slices.ContainsFunc(l.directions, func(d direction) bool { return d.words[t.lower] })
}

// isSpanned reports whether a token is part of words that carry structure, of an adjective or of a state.
func (p *parser) isSpanned(i int) bool {
	for j := max(0, i-6); j <= i; j++ {
		for _, ends := range p.tags[j] {
			if slices.ContainsFunc(ends, func(e int) bool { return e > i }) {
				return true
			}
		}
		if endsBehind(p.adjectives[j], i) || endsBehind(p.statesAt[j], i) {
			return true
		}
	}
	return false
}

// endsBehind reports whether something that is kept by its end ends behind a token.
func endsBehind[T any](byEnd map[int]T, i int) bool {
	for end := range byEnd {
		if end > i {
			return true
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
	return slices.ContainsFunc([]string{"er", "or", "ance", "ment", "ion"}, func(end string) bool { return strings.HasSuffix(w, end) && !strings.HasSuffix(t.stem, end) })
}

// isExhausted reports whether the reading of the question has to end: it took all its steps, or nobody waits for it.
func (p *parser) isExhausted() bool { return p.steps > maxSteps || p.options.isStopped() }

// newID numbers a set.
func (p *parser) newID() int {
	p.lastID++
	return p.lastID
}

// entity is the phrase of all rows of a relation.
func (p *parser) entity(r *catalog.Relation) *phrase {
	return &phrase{set: &set{id: p.newID(), relation: r}}
}

// keepPerEnd returns the readings without the worst ones.
func keepPerEnd(list []candidate) []candidate {
	if len(list) == 0 {
		return nil
	}
	sortCandidates(list)
	kept := map[int]int{}
	out := make([]candidate, 0, len(list))
	for _, c := range list {
		if c.cost > maxCost || kept[c.end] >= beamPerEnd {
			continue
		}
		kept[c.end]++
		out = append(out, c)
	}
	return out
}

// keepModifiers drops the worst readings from a list that nobody else has.
func keepModifiers(list []modifierCandidate) []modifierCandidate {
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b modifierCandidate) int { return cmp.Compare(a.cost, b.cost) })
	kept := map[int]int{}
	return slices.DeleteFunc(list, func(c modifierCandidate) bool {
		kept[c.end]++
		return c.cost > maxCost || kept[c.end] > 7
	})
}

// anywhere reports whether something holds of one of the tokens.
func (p *parser) anywhere(holds func(i int) bool) bool {
	for i := range p.tokens {
		if holds(i) {
			return true
		}
	}
	return false
}

// at returns token i; behind the last one, a mark.
func (p *parser) at(i int) token {
	if i < len(p.tokens) {
		return p.tokens[i]
	}
	return token{kind: punctToken}
}

// wordsEnd returns where the words of the question end, before its question mark.
func (p *parser) wordsEnd() int {
	end := len(p.tokens)
	for end > 0 && p.tokens[end-1].kind == punctToken {
		end--
	}
	return end
}
