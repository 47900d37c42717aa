package words

import (
	_ "embed"
	"strings"
	"sync"
)

// stopWords are English words that are rarely meant as a value, unless they
// are written just as the column holds it ("OR" for Oregon, "IN" for Indiana).
var stopWords = Set(`a about above after all also am an and any are as at be been before being below between both
but by can did do does doing down during each few for from further had has have having he her here hers him his how i if
in into is it its just me more most my no nor not now of off on once only or other our out over own same she should so
some such than that the their them then there these they this those through to too under until up us very was we were
what when where which while who whom why will with you your show list give find tell get many much number count total
average sum per name names date time year month day week value id type top first last`)

// IsStop reports whether a normalized word is a stop word.
func IsStop(word string) bool { return stopWords[word] }

// columnWords are stop words for values, and good words for columns.
var columnWords = Set("name names date time year month day week value id type number total average count first last")

// adverbs say when something is so, and name no column.
var adverbs = Set("still already yet currently today ago")

// IsSearched reports whether a search for columns looks for a normalized word:
// whether it is no stop word or adverb, or one that columns are named by, such as year.
func IsSearched(word string) bool { return !stopWords[word] && !adverbs[word] || columnWords[word] }

//go:embed data/frequent.txt
var frequentText string

// frequentStems are the stems of the most frequent English words.
var frequentStems = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for l := range strings.Lines(frequentText) {
		if !strings.HasPrefix(l, "#") {
			for w := range strings.FieldsSeq(l) {
				m[w] = true
			}
		}
	}
	return m
})

// IsFrequent reports whether a normalized word is a stop word or a form of one
// of the most frequent English words.
func IsFrequent(word string) bool { return stopWords[word] || frequentStems()[Stem(word)] }
