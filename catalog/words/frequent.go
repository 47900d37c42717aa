package words

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
	"unicode"
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

// foreignStopWords are German, French, Spanish, Italian and Portuguese stop words of up to three letters, which codes are
// spelt like: of countries ("de"), of plans ("pro").
var foreignStopWords = Set(`a ab ai al am an ao aos as au aus aux bei bin bis ce ces che chi ci col con da dai dal das de dei
del dem den der des di die din do dos du e ein el ela ele elle em en er era es esa ese eso est et eu fra fue fur gli ha hai han
hat hay ho i ich ihm ihr il ils im in io ist ja je la las le lei les leur lo los lui ma mas me mes meu mi mia min mir mis mit moi
mon mos muy na nao nas ne nei nel nem ni no non nos nur o oh ob on os ou par pas per piu por pro qua que qui sa sao se sei sem
ser ses seu si sia sie sin so son sou sta su sua sue sui sul sur sus ta te tem tes ti toi ton tra tre tu tua um una und une uns
uno va vi voi vom von vor vos war was wer wie wir wo y ya zu zum zur`)

// IsForeignStop reports whether a normalized word is a short stop word of another language than English.
func IsForeignStop(word string) bool { return foreignStopWords[word] }

// English reports whether a text is likely English: whether at least half of its words are frequent English ones,
// without those that are stop words of other languages too.
func English(tokens []Token) bool {
	balance := 0
	for _, t := range tokens {
		switch foreign := foreignStopWords[t.Text]; {
		case !IsFrequent(t.Text):
			balance--
		case !foreign: // what is a word of both says nothing
			balance++
		}
	}
	return balance >= 0
}

// columnWords are stop words for values, and good words for columns.
var columnWords = Set("name names date time year month day week value id type number total average count first last")

// adverbs say when something is so, and name no column.
var adverbs = Set("still already yet currently today ago")

// IsSearched reports whether a search for columns looks for a normalized word:
// whether it is no stop word or adverb, or one that columns are named by, such as year.
func IsSearched(word string) bool { return !stopWords[word] && !adverbs[word] || columnWords[word] }

// particles are stop words that say a state: servers are down, books are out.
var particles = Set("down off on out over through under up")

// IsName reports whether a normalized word alone can be the name of something that an admin defines: a number cannot, it may be a year.
func IsName(word string) bool {
	return strings.ContainsFunc(word, unicode.IsLetter) && (!stopWords[word] || columnWords[word] || particles[word])
}

//go:embed data/frequent.txt
var frequentText string

// frequentStems are the stems of the most frequent English words.
var frequentStems = sync.OnceValue(func() map[string]bool {
	return Set(regexp.MustCompile(`(?m)^#.*$`).ReplaceAllString(frequentText, ""))
})

// IsFrequent reports whether a normalized word is a stop word or a form of one
// of the most frequent English words.
func IsFrequent(word string) bool { return stopWords[word] || frequentStems()[Stem(word)] }
