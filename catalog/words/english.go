package words

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/BurntSushi/toml"
)

//go:embed data/english.toml
var englishText string

// english is what data/english.toml says of the words of names and questions.
var english = sync.OnceValue(func() (e struct {
	abbreviations map[string]string   // as names write them, to the word
	stems         map[string]string   // the same, to the word's stem
	questions     map[string][]string // words of questions, to the stems of names that answer them
	all           []string            // every word of the file, as written
	whole         map[string]bool     // words that only look as if they were two that ran together
}) {
	var data struct {
		Abbreviations map[string]string
		Questions     map[string][]string
		Simple        string
	}
	if _, err := toml.Decode(englishText, &data); err != nil {
		panic(fmt.Sprintf("words: data/english.toml: %v", err)) // the file is embedded: every test would show it
	}
	e.abbreviations, e.stems, e.questions = data.Abbreviations, map[string]string{}, map[string][]string{}
	e.whole = Set(data.Simple)
	for short, long := range data.Abbreviations {
		e.stems[short] = Stem(long)
		e.all = append(e.all, short, long)
	}
	for word, names := range data.Questions {
		e.all = append(append(e.all, word), names...)
		for _, n := range names {
			e.questions[word] = append(e.questions[word], Stem(n))
		}
	}
	return e
})

// Abbreviated returns the stem of the word that a normalized word of a name
// abbreviates: custom for cust.
func Abbreviated(word string) (stem string, ok bool) {
	stem, ok = english().stems[word]
	return stem, ok
}

// Answering returns the stems of names that answer a word of a question: citi
// and address for where.
func Answering(word string) []string {
	e := english()
	if names := e.questions[word]; names != nil {
		return names
	}
	return e.questions[Singular(word)]
}
