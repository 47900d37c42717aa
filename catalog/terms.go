package catalog

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/BurntSushi/toml"
)

//go:embed data/english.toml
var englishText string

// english holds what English questions and the names in schemas have to do
// with each other, by stem.
var english = sync.OnceValue(func() (e struct {
	abbreviations map[string]string   // as written in a name, to the stem of the word
	questions     map[string][]string // as written in a question, to stems of names
	words         []string            // all of them, as written
	simple        map[string]bool     // words that only look as if they were two
}) {
	var data struct {
		Abbreviations map[string]string
		Questions     map[string][]string
		Simple        string
	}
	if _, err := toml.Decode(englishText, &data); err != nil {
		panic(fmt.Sprintf("catalog: data/english.toml: %v", err))
	}
	e.abbreviations, e.questions = map[string]string{}, map[string][]string{}
	e.simple = wordSet(data.Simple)
	for short, long := range data.Abbreviations {
		e.abbreviations[short] = stem(long)
		e.words = append(e.words, short, long)
	}
	for word, names := range data.Questions {
		e.words = append(append(e.words, word), names...)
		for _, n := range names {
			e.questions[word] = append(e.questions[word], stem(n))
		}
	}
	return e
})

// vocabulary splits names that run together: "sourceairport" by the words
// that other names and comments of the database are made of.
type vocabulary map[string]bool

func newVocabulary(relations []*Relation) vocabulary {
	v := vocabulary{}
	add := func(text string) {
		for _, w := range Words(text) {
			if len(w) >= 3 && len(w) <= 12 {
				v[w], v[singular(w)] = true, true
			}
		}
	}
	for _, r := range relations {
		add(r.Name.Name)
		add(r.Comment)
		for _, c := range r.Columns {
			add(c.Name)
			add(c.Comment)
		}
	}
	for w := range genericWords {
		if len(w) >= 3 {
			v[w] = true
		}
	}
	for _, w := range english().words {
		if len(w) >= 3 && !stopWords[w] {
			v[w] = true
		}
	}
	return v
}

// split returns the words that a word runs together, nil if it is one. The
// split with the fewest words wins; all but a final "id" or "no" have three
// letters at least.
func (v vocabulary) split(word string) []string {
	if len(word) < 5 || len(word) > 40 || english().simple[word] || english().simple[singular(word)] {
		return nil
	}
	type cut struct{ words, from int }
	best := make([]cut, len(word)+1)
	for end := 1; end <= len(word); end++ {
		best[end].words = 1 << 20
		for start := max(0, end-14); start < end; start++ {
			part := word[start:end]
			if start == 0 && end == len(word) {
				continue
			}
			// An unknown beginning is a prefix of the schema's or another
			// word: tblorders, unitprice.
			prefix := start == 0 && (len(part) == 2 || len(part) == 3 || len(part) <= 6 && len(word)-end >= 5)
			known := prefix || len(part) >= 3 && v[part] || end == len(word) && start > 0 && (part == "id" || part == "no" || part == "nr")
			if known && best[start].words+1 < best[end].words {
				best[end] = cut{best[start].words + 1, start}
			}
		}
	}
	if n := best[len(word)].words; n > 4 || best[best[len(word)].from].words == 1 && !v[word[:best[len(word)].from]] && len(word)-best[len(word)].from < 4 {
		return nil
	}
	var parts []string
	for end := len(word); end > 0; end = best[end].from {
		parts = append([]string{word[best[end].from:end]}, parts...)
	}
	return parts
}

// nameTerms returns the terms of a name: the stems of its words, of their
// parts where they run together, and of what they abbreviate.
func (v vocabulary) nameTerms(name string) []string {
	e := english()
	var out []string
	add := func(w string) {
		out = append(out, stem(w))
		if long, ok := e.abbreviations[w]; ok {
			out = append(out, long)
		}
	}
	for _, w := range Words(name) {
		add(w)
		for _, p := range v.split(w) {
			add(p)
		}
	}
	return out
}

// queryTerm is a term that a question asks for and how much it counts.
type queryTerm struct {
	term   string
	weight float64
	word   string // as in the question
}

// queryTerms returns the terms of a question: the stems of its content words
// and, for less, words of names that such words ask for.
func queryTerms(text string) []queryTerm {
	e := english()
	weights := map[string]float64{}
	words := map[string]string{}
	var order []string
	put := func(term, word string, w float64) {
		if _, ok := weights[term]; !ok {
			order = append(order, term)
			words[term] = word
		}
		weights[term] = max(weights[term], w)
	}
	for _, t := range tokens(text) {
		if !stopWords[t.text] || askedNames[t.text] {
			put(stem(t.text), t.text, 1)
		}
		if long, ok := e.abbreviations[t.text]; ok {
			put(long, t.text, 0.8)
		}
		names := e.questions[t.text]
		if names == nil {
			names = e.questions[singular(t.text)]
		}
		for _, n := range names {
			put(n, t.text, 0.35)
		}
	}
	out := make([]queryTerm, len(order))
	for i, t := range order {
		out[i] = queryTerm{t, weights[t], words[t]}
	}
	return out
}

// askedNames are stop words for values, and good words for columns.
var askedNames = wordSet("name names date time year month day week value id type number total average count first last number")
