// What the parser knows of a language, and its stems.

package grammar

import (
	_ "embed"
	"strings"
	"sync"

	nameWords "askpg/catalog/words"
)

// language is what the parser knows of a natural language. It is read from english.toml, which explains each table and gives its words.
type language struct {
	phrases                        map[string][]taggedWords // by first word
	functionWords                  map[string]bool
	verbs                          map[string]bool // stems of verbs that relate things: "order", "teach"
	prepositions                   map[string]bool
	goods                          goodsNames
	measures                       map[string][]string                   // by the stem of a verb that stands for a number ("weigh"): words of the columns that hold it
	directions                     []direction                           // words of coming and going, with the words of names that they go with
	whereNames                     []string                              // words of names of columns that answer "where"
	whenNames                      []string                              // words of names of columns that answer "when"
	nameWords                      []string                              // words of names of columns that hold a name
	adjectives                     map[string][]adjective                // by their words, joined by blanks
	adjectivePhrases               map[string][]taggedWords              // by first word
	synonyms                       map[string][]string                   // stem -> stems
	synonymWords                   map[string][]string                   // stem -> words that have synonyms
	kin                            map[string][]string                   // word or phrase in the singular -> stems of those near in meaning
	sorts                          map[string]func(*parser, *label) bool // by a word that says what sort of column or thing is meant ("date", "member"): whether what has a label is of that sort
	endings                        []ending                              // by which words are derived from others ("-tion"), the longest first
	spellings                      map[string]string                     // of small words that are often misspelled
	auxiliaries                    map[string]bool                       // verbs that are written together with "not": "isnt"
	premises                       premiseWords
	fillers                        map[string][][]string // phrases that add nothing ("please"), by first word
	notStandFor                    map[string][]string   // by word: words of the same stem that it does not stand for
	notDerived                     map[string]bool       // words that only look as if they were derived
	rootOf                         map[string]string     // irregular derivations: the word that another is derived from
	irregular                      map[string]string     // irregular forms, with their base forms
	numbers                        map[string]float64
	units                          map[string][][]string // by first word
	dates                          dateWords
	aliases                        map[string][]string // other names of values: "American" for "USA"
	countries                      map[string][]string // their names, by their codes of two letters
	vocabulary                     map[string]bool     // words that names may be made of
	stemmed                        sync.Map            // a cache of stems
	placeVerbs                     map[string]bool     // stems of verbs that only say where: "live", "lie"
	foreign                        map[string]bool     // common words of other languages
	stepVerbs                      map[string]bool     // stems of verbs of later steps, which another one may do than whoever the rows belong to: "ship", "approve"
	outcomeVerbs                   map[string]bool     // stems of verbs of what becomes of some things only: "cancel", "return"
	additiveNames                  map[string]bool     // stems of names of numbers that add up: "amount", "quantity"
	imperatives                    map[string]bool     // words that ask for something to be done, which no question does: "delete", "send"
	stateNames                     map[string]bool     // stems of names of flags and times that say whether a row still holds: "active", "closed"
	notAdditiveNames               map[string]bool     // stems of names of numbers that do not: "price", "rating"
	mannerNames                    map[string]bool     // stems of names of ways to do something: "method", "channel"
	intervals                      []intervalNames     // names of the times at which a row begins and ends: "start" and "end", "admitted" and "discharged"
	dueNames                       []map[string]bool   // stems of names of times by which something has to be done ("due", "expected"), the surest first
	cancellationNames              map[string]bool     // stems of names of times at which something is called off: "cancelled_at"
	joiningVerbs                   map[string]bool     // stems of verbs by which people come: "join", "register"
	laterStateVerbs                map[string]bool     // stems of verbs of what becomes of a row later: "pay", "close"
	fundraisingVerbs               map[string]bool     // stems of verbs of getting money that others give: "raise"
	creationVerbs                  map[string]bool     // stems of verbs that only say that a row came to be: "make", "enter"
	havingVerbs                    map[string]bool     // stems of verbs of what whoever asks has things for: "sell", "offer"
	boundNames                     map[string]bool     // stems of words of names of numbers that may be reached: "max"
	occurrenceVerbs                map[string]bool     // stems of verbs that only say that a value is there: "occur", "use"
	completionVerbs                map[string]bool     // stems of verbs of what is done at last: "arrive", "deliver"
	events                         []eventVerbs
	staffNames                     map[string]bool // stems of words for people who are employed, and of what only they have: "staff", "salary"
	peopleNames, judgeNames        map[string]bool // stems of words for people, and for people who give marks: "customer", "reviewer"
	numberedNames                  map[string]bool // stems of words for people and places of which a column holds the number, which is no amount: "rep"
	dimensionNames                 map[string]bool // stems of last words of names of numbers that no adjective of another dimension speaks of: nothing is long by its hourly rate
	rateNames                      map[string]bool // words of names of rates, which never add up: "hourly", "pct"
	futureTimeNames                map[string]bool // stems of words of names of times that may be in the future: "due", "planned"
	moneyNames                     map[string]bool // stems of words of names of sums of money: "fee", "total"
	revenueStems                   map[string]bool // stems of words for what was sold, paid or not: "turnover"
	lineAmountNames                []string        // what quantity times price is called: "revenue", "sales value"
	quantityNames, discountNames   map[string]bool // stems of words for how many were sold, and for what is taken off a price: "qty", "rebate"
	surchargeNames                 map[string]bool // stems of names of what is paid besides the things that are sold: "shipping", "tax"
	purchasePriceNames             map[string]bool // stems of names of prices at which one bought what one sells: "wholesale", "cost"
	givenBackNames                 map[string]bool // stems of words of names of tables of what was given back
	soldNames, boughtNames         map[string]bool // stems of words of names of tables of what was sold, and of what was bought or given back
	revenueWords                   map[string]bool // the same words in the singular
	agreementNames                 map[string]bool // stems of names of what holds from a day until another one: "contract"
	orderNames, notOrderNames      map[string]bool // stems of words of names of tables of whole orders ("invoice"), and of their parts or other orders ("item", "purchase")
	paidNames                      map[string]bool // stems of words of names of tables of payments
	aliasLength                    int
	titles                         map[string][]string       // words before names ("Dr"), and what people are who have them
	compounds                      map[string]string         // one word for several stems, which are joined by blanks
	common                         map[string]bool           // ordinary words, which a misspelled word may be
	states                         map[string][]phrasedState // by first word
	retirementNames, disposalNames []string                  // names of times at which something went out of use ("retired"), or left its owner ("sold", "died")
	outcomeTimeNames               []string                  // names of times at which it was said how something ended: "decided"
	receivedStates                 map[string]bool           // stems of values of a status by which a payment was made: "completed"
	bookkeepingNames               map[string]bool           // stems of words of names of times at which a row was written or counted
	notHeldNames                   map[string]bool           // stems of words of names of numbers of pieces that are not there, or not free: "reserved"
	levelNames                     map[string]bool           // stems of names of levels that a stock is compared with: "reorder", "minimum"
	phrasals                       map[string][]phrasal      // verbs of several words ("run out"), by the stem of the first word
	ongoing                        *state                    // the state of what still goes on
	sexes                          []sex
	includingPhrases               []string        // phrases before what counts, too: "including"
	endedPhrases, alsoPhrases      []string        // phrases for what has ended ("expired"), and phrases behind what counts, too ("as well")
	endTimeNames                   []string        // names of times at which rows end: "end", "until"
	expiryNames                    []string        // names of times of an end that may be in the future: "valid until"
	voidNames                      []string        // names of flags, times and values that make a row count no more: "voided"
	failureVerbs                   map[string]bool // stems of verbs of what goes wrong, and leads to no later state: "fail"
	nullifiedNames                 []string        // names of flags of rows that were taken back: "voided"
	unsoldNames                    []string        // the same for orders, of which nothing was sold then: "cancelled", "draft"
	missedNames                    []string        // names of what makes a stay none: "no show"
	leadingVerbs                   map[string]bool // stems of verbs of having others below one: "manage"
	pastTimeNames                  map[string]bool // stems of words of names of times that lie behind: "booked"
	balanceNames                   []string        // what is not paid of a bill is called: "open amount"
	balanceStems                   map[string]bool // stems of words of names of numbers that say it
	awayNames                      map[string]bool // stems of names of what somebody is on who comes back: "holiday"
	ignoredInComments              []string        // ends of comments by which rows that a flag marks do not count: "entered by mistake"
	leavingInComments              []string        // parts of comments on the time when a person leaves: "last day of employment"
}

// taggedWords is a sequence of lower-case words with a tag.
type taggedWords struct {
	words []string
	tag   string
}

// direction pairs words of a question ("arrive") with words of names ("destination"), see english.toml.
type direction struct {
	words, names map[string]bool
}

// intervalNames is names of the times at which something begins, and of those at which it ends.
type intervalNames struct {
	From, To []string
	Stay     bool // somebody comes at the one, and goes at the other
	Valid    bool // it holds from the one to the other, which is no matter of how long something took
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
