package grammar

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	nameWords "askpg/catalog/words"
)

//go:embed english.toml
var englishData string

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
	adjectives       map[string][]adjective   // by phrase, see adjPhrases
	adjectivePhrases map[string][]taggedWords // by first word
	synonyms         map[string][]string      // stem -> stems
	irregular        map[string]string
	numbers          map[string]float64
	units            map[string][][]string // by first word
	dates            dateWords
	aliases          map[string][]string
	vocabulary       map[string]bool // words that names may be made of
	stemmed          sync.Map
	locative         map[string]bool // stems of verbs that say only where
	foreign          map[string]bool // common words of other languages
	outcomes         map[string]bool // stems of verbs of what becomes of some things only
	additive         map[string]bool // stems of names of amounts that add up
	acts             map[string]bool // words that begin what asks for something to be done
	state            map[string]bool // stems of names of flags and times that say whether a row still holds
	notAdditive      map[string]bool // stems of names of numbers that do not
	aliasLength      int
	compounds        map[string]string // stems joined by blanks -> word
	common           map[string]bool   // words of phrases and times, which are what a misspelled word may be
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
	Units                                map[string][]string
	Months                               map[string]int
	Weekdays                             map[string]int
}

type languageFile struct {
	Phrases       map[string][]string
	FunctionWords struct{ Words []string } `toml:"function_words"`
	Foreign       struct{ Words []string }
	Relations     struct{ Verbs, Prepositions, Locative, Outcomes []string }
	Measures      map[string][]string
	Directions    []struct {
		Words, Names []string
	}
	Asks struct {
		Where, When, Named, Additive, State, Acts []string
		NotAdditive                               []string `toml:"not_additive"`
	}
	Adjectives []struct {
		Base, More, Most []string
		Up               bool
		Columns, Down    []string
	}
	Synonyms  struct{ Sets [][]string }
	Compounds map[string]string
	Irregular map[string]string
	Numbers   map[string]float64
	Units     struct{ Words []string }
	Dates     dateWords
	Aliases   map[string][]string
}

var loadEnglish = sync.OnceValue(func() *language {
	l, err := newLanguage(englishData)
	if err != nil {
		panic(err) // the data is embedded: a test reads it
	}
	return l
})

// newLanguage reads the data of a language.
func newLanguage(data string) (*language, error) {
	var f languageFile
	md, err := toml.Decode(data, &f)
	if err != nil {
		return nil, fmt.Errorf("language data: %w", err)
	}
	if keys := md.Undecoded(); len(keys) > 0 {
		return nil, fmt.Errorf("language data: unknown key %s", keys[0])
	}
	l := &language{
		phrases: map[string][]taggedWords{}, functionWords: wordSet(f.FunctionWords.Words), foreign: wordSet(f.Foreign.Words), verbs: map[string]bool{},
		prepositions: wordSet(f.Relations.Prepositions), measures: map[string][]string{}, where: f.Asks.Where, when: f.Asks.When,
		named: f.Asks.Named, adjectives: map[string][]adjective{}, adjectivePhrases: map[string][]taggedWords{},
		synonyms: map[string][]string{}, irregular: f.Irregular, numbers: f.Numbers,
		units: map[string][][]string{}, dates: f.Dates, aliases: f.Aliases, vocabulary: map[string]bool{},
	}
	l.additive, l.notAdditive = map[string]bool{}, map[string]bool{}
	for _, w := range f.Asks.Additive {
		l.additive[l.stem(w)] = true
	}
	l.acts = wordSet(f.Asks.Acts)
	l.state = map[string]bool{}
	for _, w := range f.Asks.State {
		l.state[l.stem(w)] = true
	}
	for _, w := range f.Asks.NotAdditive {
		l.notAdditive[l.stem(w)] = true
	}
	for verb, columns := range f.Measures {
		l.measures[l.stem(verb)] = columns
	}
	for tag, texts := range f.Phrases {
		for _, text := range texts {
			l.addPhrase(l.phrases, tag, text)
		}
	}
	l.outcomes = map[string]bool{}
	for _, v := range f.Relations.Outcomes {
		l.outcomes[l.stem(v)] = true
	}
	l.locative = map[string]bool{}
	for _, v := range f.Relations.Locative {
		l.locative[l.stem(v)] = true
	}
	for _, v := range f.Relations.Verbs {
		l.verbs[l.stem(v)] = true
	}
	for _, d := range f.Directions {
		l.directions = append(l.directions, direction{wordSet(d.Words), wordSet(d.Names)})
		l.learn(d.Names...)
	}
	for _, a := range f.Adjectives {
		l.learn(a.Columns...)
		l.learn(a.Down...)
		for i, forms := range [][]string{a.Base, a.More, a.Most} {
			for _, form := range forms {
				l.addAdjective(form, adjective{degree(i), a.Up, a.Columns, a.Down, a.Base[0]})
				if degree(i) == baseDegree {
					l.addAdjective("most "+form, adjective{mostDegree, a.Up, a.Columns, a.Down, form})
					l.addAdjective("least "+form, adjective{mostDegree, !a.Up, a.Columns, a.Down, form})
					l.addAdjective("more "+form, adjective{moreDegree, a.Up, a.Columns, a.Down, form})
					l.addAdjective("less "+form, adjective{moreDegree, !a.Up, a.Columns, a.Down, form})
				}
			}
		}
	}
	for _, set := range f.Synonyms.Sets {
		l.learn(set...)
		for _, a := range set {
			for _, b := range set {
				if a != b {
					l.synonyms[l.stem(a)] = append(l.synonyms[l.stem(a)], l.stem(b))
				}
			}
		}
	}
	for short, long := range nameWords.Abbreviations() {
		l.learn(short)
		l.learn(long...)
	}
	l.learn(f.Asks.Where...)
	l.learn(f.Asks.When...)
	l.learn(f.Asks.Named...)
	l.learn("percentage", "manager", "village", "package", "passage", "storage", "message", "image", "voyage", "coverage", "usage", "marriage", "average", "software", "hardware", "candidate", "payment", "department", "restaurant", "apartment")
	l.learn("id", "code", "key", "name", "number", "type", "date", "status", "first", "last", "total", "is")
	l.compounds = map[string]string{}
	for text, word := range f.Compounds {
		var stems []string
		for _, w := range wordsOf(text) {
			stems = append(stems, l.stem(w))
		}
		l.compounds[strings.Join(stems, " ")] = word
		l.learn(word)
	}
	for _, u := range f.Units.Words {
		words := wordsOf(u)
		if len(words) > 0 {
			l.units[words[0]] = append(l.units[words[0]], words)
		}
	}
	l.common = map[string]bool{}
	for _, list := range l.phrases {
		for _, ph := range list {
			for _, w := range ph.words {
				if len(w) >= 4 {
					l.common[w] = true
				}
			}
		}
	}
	for _, list := range l.dates.Units {
		for _, w := range list {
			if len(w) >= 4 {
				l.common[w] = true
			}
		}
	}
	for m := range l.dates.Months {
		l.common[m] = true
	}
	for a := range f.Aliases {
		l.aliasLength = max(l.aliasLength, len(strings.Fields(a)))
	}
	return l, nil
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
