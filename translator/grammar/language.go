// What the parser knows of a language, and its stems.

package grammar

import (
	_ "embed"
	"strings"
	"sync"

	"askpg/catalog"
	nameWords "askpg/catalog/words"
)

// language is what the parser knows of a natural language, read from its data
// file: see english.toml for what each table means.
type language struct {
	phrases          map[string][]taggedWords // by first word
	functionWords    map[string]bool
	verbs            map[string]bool // stems
	prepositions     map[string]bool
	measures         map[string][]string
	directions       []direction
	where            []string
	when             []string
	named            []string
	adjectives       map[string][]adjective                          // by phrase, see adjPhrases
	adjectivePhrases map[string][]taggedWords                        // by first word
	synonyms         map[string][]string                             // stem -> stems
	synonymWords     map[string][]string                             // stem -> words that have synonyms
	kin              map[string][]string                             // word or phrase in the singular -> stems of those near in meaning
	sorts            map[string]func(*lexicon, *catalog.Column) bool // by words that say of which sort a column is
	endings          []ending                                        // by which words are made of others, the longest first
	spellings        map[string]string                               // of small words that are often misspelled
	auxiliaries      map[string]bool                                 // verbs that "not" is written together with
	idle             map[string][][]string                           // phrases that say nothing, by first word
	unlike           map[string][]string                             // by words: those of one stem that they do not stand for
	apart            map[string]bool                                 // words that only look as if they were made so
	rootOf           map[string]string                               // words that no ending tells, and the word that they are made of
	irregular        map[string]string
	numbers          map[string]float64
	units            map[string][][]string // by first word
	dates            dateWords
	aliases          map[string][]string
	countries        map[string][]string // their names, by their codes of two letters
	vocabulary       map[string]bool     // words that names may be made of
	stemmed          sync.Map
	locative         map[string]bool   // stems of verbs that say only where
	foreign          map[string]bool   // common words of other languages
	outcomes         map[string]bool   // stems of verbs of what becomes of some things only
	additive         map[string]bool   // stems of names of amounts that add up
	acts             map[string]bool   // words that begin what asks for something to be done
	state            map[string]bool   // stems of names of flags and times that say whether a row still holds
	notAdditive      map[string]bool   // stems of names of numbers that do not
	ways             map[string]bool   // stems of names of ways in which something is done
	courses          []course          // names of times at which a row begins and ends
	due              []map[string]bool // stems of names of times by which something has to be done, the surest first
	calledOff        map[string]bool   // stems of names of times at which it is clear that something is not done
	beginnings       map[string]bool   // stems of verbs by which people come to be there
	becomes          map[string]bool   // stems of verbs of what becomes of something later
	raisings         map[string]bool   // stems of verbs of getting money by what others give
	makings          map[string]bool   // stems of verbs that say only that something came to be
	arrivals         map[string]bool   // stems of verbs of what is done in the end
	events           []eventVerbs
	employed         map[string]bool // stems of words of names of people who are employed, and of what only they have
	people, judges   map[string]bool // stems of words for people, and for those who give marks
	standFor         map[string]bool // stems of words for whom and what numbers stand that are no amounts
	dimensions       map[string]bool // stems of last words of names of what only some adjectives speak of
	rates            map[string]bool // words of names of numbers that do not add up
	ahead            map[string]bool // stems of words of names of times that may lie ahead
	money            map[string]bool // stems of words of names of sums of money
	earned           map[string]bool // stems of words for what was sold, paid or not
	revenue          []string        // names of what was sold at its prices
	pieces, lessens  map[string]bool // stems of words for how many were sold, and for what is taken off their price
	extras           map[string]bool // stems of names of what is paid besides the things that are sold
	procured         map[string]bool // stems of names of prices that were paid for what is sold
	sold, bought     map[string]bool // stems of names of what was sold, and of what was bought or given back
	earnings         map[string]bool // words for what was sold, in the singular
	agreements       map[string]bool // stems of names of what holds from a day until another one
	soldAs, notSold  map[string]bool // stems of names of what is sold as a whole, and of what is not or in parts
	paid             map[string]bool // stems of words of names of what is paid
	aliasLength      int
	titles           map[string][]string       // before names, and what people are who have them
	compounds        map[string]string         // stems joined by blanks -> word
	common           map[string]bool           // words of phrases and times, which are what a misspelled word may be
	states           map[string][]phrasedState // by first word
	gone, parted     []string
	decided          []string // names of times at which it was said how something ended
	levels           map[string]bool
	phrasals         map[string][]phrasal // by the stem of the first word
	running          *state               // of what still goes on
	sexes            []sex
	including        []string // phrases before what counts, too
	hasEnded, too    []string // phrases for what has ended, and behind what counts, too
	ending           []string // names of times at which what has a time ends
	until            []string // names of times that may lie in the future, though they end something
	void             []string // names of what makes a row count no more
	unsold           []string // those of which nothing was sold
	missed           []string // names of what makes a stay none
	ignored          []string // by which a comment says that what a flag marks does not count
	leaving          []string // by which a comment says that a time is when a person leaves
}

// taggedWords is a sequence of lower-case words with a tag.
type taggedWords struct {
	words []string
	tag   string
}

// direction pairs words of a question with words of names, see english.toml.
type direction struct {
	words, names map[string]bool
}

// course is how times are called at which something begins, and those at which it ends.
type course struct {
	From, To []string
	Stay     bool // somebody comes at the one, and goes at the other
	Valid    bool // it holds from the one to the other, which is no matter of how long something took
}

// eitherWay reports whether what comes first in a table begins: a guest comes in and goes out, a boat goes out and comes in.
func (c course) eitherWay() bool { return len(c.From) == 1 && c.From[0] == "in" }

type degree byte

const (
	baseDegree degree = iota
	moreDegree
	mostDegree
)

// adjective is one form of an adjective and the columns it speaks of.
type adjective struct {
	degree  degree
	up      bool
	columns []string // best first, each one or more words
	down    []string
	words   string // the base form
}

type dateWords struct {
	Today, Yesterday, Tomorrow           []string
	This, Last, Next                     []string
	Since, Before, After, Until, Ago, In []string
	Inclusive                            []string
	Quarter                              []string
	Start                                []string // "the start of" a time
	Whole                                []string // "full" of full months
	Units                                map[string][]string
	Months                               map[string]int
	Weekdays                             map[string]int
}

// stems returns the stems of words.
func (l *language) stems(words []string) map[string]bool {
	m := map[string]bool{}
	for _, w := range words {
		m[l.stem(w)] = true
	}
	return m
}

// addPhrase notes words that carry structure.
func (l *language) addPhrase(to map[string][]taggedWords, tag, text string) {
	words := strings.Fields(strings.ReplaceAll(text, "-", " "))
	if len(words) > 0 {
		to[words[0]] = append(to[words[0]], taggedWords{words, tag})
	}
}

// addAdjective notes a form of an adjective.
func (l *language) addAdjective(form string, a adjective) {
	key := strings.Join(strings.Fields(strings.ReplaceAll(form, "-", " ")), " ")
	if len(l.adjectives[key]) == 0 {
		l.addPhrase(l.adjectivePhrases, key, form)
	}
	l.adjectives[key] = append(l.adjectives[key], a)
}

// learn notes words that names may be made of.
func (l *language) learn(texts ...string) {
	for _, t := range texts {
		for _, w := range strings.Fields(t) {
			l.vocabulary[w] = true
		}
	}
}

// stemPhrase returns the stems of the words of a phrase, with blanks between.
func (l *language) stemPhrase(text string) string {
	var stems []string
	for _, w := range strings.Fields(text) {
		stems = append(stems, l.stem(w))
	}
	return strings.Join(stems, " ")
}

// stemPhrases is stemPhrase for each of a list.
func (l *language) stemPhrases(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = l.stemPhrase(t)
	}
	return out
}

// stem brings the forms of a word together.
func (l *language) stem(word string) string {
	if s, ok := l.stemmed.Load(word); ok {
		return s.(string)
	}
	w := strings.ToLower(word)
	if base, ok := l.irregular[w]; ok {
		w = base
	}
	s := nameWords.EnglishStem(w)
	if len(word) < 40 { // what a question may put into the cache is bounded below
		l.remember(word, s)
	}
	return s
}

var stemCount struct {
	sync.Mutex
	n int
}

// remember keeps a stem, up to a number that no vocabulary reaches.
func (l *language) remember(word, stem string) {
	stemCount.Lock()
	defer stemCount.Unlock()
	if stemCount.n < 200_000 {
		stemCount.n++
		l.stemmed.Store(word, stem)
	}
}

// wordSet makes words a set.
func wordSet(words []string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
