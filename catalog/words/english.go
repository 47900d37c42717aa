package words

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

//go:embed data/english.toml
var englishText string

// english is what data/english.toml says of the words of names and questions.
var english = sync.OnceValue(func() (e struct {
	abbreviations map[string][]string // as names write them, to the words that they stand for
	questions     map[string][]string // words of questions, to the stems of names that answer them
	all           []string            // every word of the file, as written
	whole         map[string]bool     // words that only look as if they were two that ran together
}) {
	var data struct {
		Abbreviations map[string]string
		Questions     map[string][]string
		Whole         string
	}
	if _, err := toml.Decode(englishText, &data); err != nil {
		panic(fmt.Sprintf("words: data/english.toml: %v", err)) // the file is embedded: every test would show it
	}
	e.abbreviations, e.questions = map[string][]string{}, map[string][]string{}
	e.whole = Set(data.Whole)
	for short, long := range data.Abbreviations {
		e.abbreviations[short] = strings.Fields(long)
		e.all = append(append(e.all, short), e.abbreviations[short]...)
	}
	for word, names := range data.Questions {
		e.all = append(append(e.all, word), names...)
		for _, n := range names {
			e.questions[word] = append(e.questions[word], Stem(n))
		}
	}
	return e
})

// Expand returns the words that a normalized word of a name abbreviates: first
// name for fname. It returns nil if the word is no abbreviation, nor the plural of one of letters enough: depts, ords, but not cats.
func Expand(word string) []string {
	list := english().abbreviations
	if one := strings.TrimSuffix(word, "s"); list[word] == nil && (len(one) > 3 || len(one) == 3 && !IsFrequent(word)) {
		return list[one]
	}
	return list[word]
}

// Abbreviations returns every abbreviation, with the words that it stands for.
func Abbreviations() map[string][]string { return english().abbreviations }

// ExpandedStems returns the stems of the words that a normalized word of a name
// abbreviates, without stop words: first and name for fname.
func ExpandedStems(word string) []string {
	var stems []string
	for _, w := range Expand(word) {
		if IsSearched(w) {
			stems = append(stems, Stem(w))
		}
	}
	return stems
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
