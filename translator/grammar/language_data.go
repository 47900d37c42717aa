// Reading a language from its data file, english.toml.

package grammar

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	nameWords "askpg/catalog/words"
)

//go:embed english.toml
var englishData string

// goodsNames are names of what is computed of goods: what the stock is worth, at cost or at price, and what is earned by each.
type goodsNames struct {
	Worth, Margin []string
	AtCost        []string `toml:"at_cost"`
	AtPrice       []string `toml:"at_price"`
}

// languageFile is a language's data file: see english.toml for what each table means.
type languageFile struct {
	Phrases       map[string][]string
	FunctionWords struct{ Words []string } `toml:"function_words"`
	Foreign       struct{ Words []string }
	Relations     struct{ Verbs, Prepositions, Locative, Outcomes, Steps []string }
	Measures      map[string][]string
	Phrasals      map[string]string
	Goods         goodsNames
	Directions    []struct {
		Words, Names []string
	}
	Asks struct {
		Where, When, Named, Additive, State, Acts []string
		Ending, Until, Void, Ignored, Leaving     []string
		Unsold, Nullified, Failure                []string
		Including, Too, Gone, Parted, Levels      []string
		NotHeld                                   []string `toml:"not_held"`
		Bookkeeping, Received                     []string
		Decided                                   []string
		HasEnded                                  []string `toml:"has_ended"`
		NotAdditive                               []string `toml:"not_additive"`
		Ways                                      []string
		CalledOff                                 []string `toml:"called_off"`
		Arrivals, Beginnings, Becomes             []string
		Makings, Occurrences, Raisings, Missed    []string
		Away, Behind, Leadings                    []string
		OpenAmounts                               []string `toml:"open_amounts"`
		OpenStems                                 []string `toml:"open_stems"`
		Havings, Bounds                           []string
		Courses                                   []intervalNames
		Due                                       [][]string
		People, Judges, Dimensions, Money, Ahead  []string
		Rates                                     []string
		StandFor                                  []string `toml:"stand_for"`
		Agreements                                []string `toml:"agreements"`
		SoldAs                                    []string `toml:"sold_as"`
		NotSold                                   []string `toml:"not_sold"`
		Earned, Paid, Revenue, Pieces             []string
		Sold, Bought, Lessens, Extras, Procured   []string
		GivenBack                                 []string `toml:"given_back"`
		EarnedAsked                               []string `toml:"earned_asked"`
		Employed                                  []string
	}
	Premises   premiseWords
	Events     []struct{ Verbs, Names []string }
	Adjectives []struct {
		Base, More, Most []string
		Up               bool
		Columns, Down    []string
	}
	States   []state
	Sexes    []sex
	Synonyms struct{ Sets [][]string }
	Kin      struct{ Sets [][]string }
	Typed    struct {
		Idle, Auxiliaries []string
		Spellings         map[string]string
	}
	Sorts   map[string][]string
	Derived struct {
		Endings, Apart, Unlike []string
		Roots                  map[string]string
	}
	Titles    map[string][]string
	Compounds map[string]string
	Irregular map[string]string
	Numbers   map[string]float64
	Units     struct{ Words []string }
	Dates     dateWords
	Aliases   map[string][]string

	CountryCodes struct{ Words []string } `toml:"country_codes"` // "AT Austria"
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
		phrases: map[string][]taggedWords{}, functionWords: wordSet(f.FunctionWords.Words), foreign: wordSet(f.Foreign.Words),
		prepositions: wordSet(f.Relations.Prepositions), measures: map[string][]string{}, whereNames: f.Asks.Where, whenNames: f.Asks.When, goods: f.Goods,
		nameWords: f.Asks.Named, adjectives: map[string][]adjective{}, adjectivePhrases: map[string][]taggedWords{},
		synonyms: map[string][]string{}, synonymWords: map[string][]string{}, irregular: f.Irregular, numbers: f.Numbers,
		units: map[string][][]string{}, dates: f.Dates, aliases: f.Aliases, vocabulary: map[string]bool{},
		imperatives: wordSet(f.Asks.Acts), intervals: f.Asks.Courses, sexes: f.Sexes, includingPhrases: f.Asks.Including, endedPhrases: f.Asks.HasEnded, alsoPhrases: f.Asks.Too, ignoredInComments: f.Asks.Ignored, leavingInComments: f.Asks.Leaving, states: map[string][]phrasedState{}, compounds: map[string]string{}, titles: f.Titles, premises: f.Premises,
	}
	for tag, texts := range f.Phrases {
		for _, text := range texts {
			l.addPhrase(l.phrases, tag, text)
		}
	}
	for _, u := range f.Units.Words {
		if words := wordsOf(u); len(words) > 0 {
			l.units[words[0]] = append(l.units[words[0]], words)
		}
	}
	for a := range f.Aliases {
		l.aliasLength = max(l.aliasLength, len(strings.Fields(a)))
	}
	l.countries = map[string][]string{}
	for _, country := range f.CountryCodes.Words {
		code, name, _ := strings.Cut(country, " ")
		l.countries[code] = append(l.countries[code], name)
	}
	l.addVerbs(&f)
	l.addPhrasals(f.Phrasals)
	l.addNames(&f)
	l.addAdjectives(&f)
	l.addStates(f.States)
	l.addSynonyms(&f)
	l.addKin(&f)
	l.addFillers(f.Typed.Idle)
	l.spellings, l.auxiliaries = f.Typed.Spellings, wordSet(f.Typed.Auxiliaries)
	l.addVocabulary(&f)
	l.addCommon(&f)
	return l, nil
}

// addVerbs notes the stems of verbs and what they stand for.
func (l *language) addVerbs(f *languageFile) {
	l.stepVerbs = l.stems(f.Relations.Steps)
	l.outcomeVerbs, l.placeVerbs, l.verbs = l.stems(f.Relations.Outcomes), l.stems(f.Relations.Locative), l.stems(f.Relations.Verbs)
	l.completionVerbs, l.joiningVerbs, l.laterStateVerbs = l.stems(f.Asks.Arrivals), l.stems(f.Asks.Beginnings), l.stems(f.Asks.Becomes)
	l.creationVerbs, l.fundraisingVerbs, l.occurrenceVerbs = l.stems(f.Asks.Makings), l.stems(f.Asks.Raisings), l.stems(f.Asks.Occurrences)
	l.havingVerbs, l.boundNames, l.givenBackNames = l.stems(f.Asks.Havings), l.stems(f.Asks.Bounds), l.stems(f.Asks.GivenBack)
	for _, e := range f.Events {
		l.events = append(l.events, eventVerbs{l.stems(e.Verbs), l.stems(e.Names)})
	}
	for verb, columns := range f.Measures {
		l.measures[l.stem(verb)] = columns
	}
	for _, d := range f.Directions {
		names := l.stems(d.Names)
		maps.Copy(names, wordSet(d.Names))
		l.directions = append(l.directions, direction{wordSet(d.Words), names})
	}
}

// addNames notes the stems of what names of columns are made of, by what such columns are.
func (l *language) addNames(f *languageFile) {
	l.mannerNames = l.stems(f.Asks.Ways)
	l.additiveNames, l.notAdditiveNames, l.stateNames = l.stems(f.Asks.Additive), l.stems(f.Asks.NotAdditive), l.stems(f.Asks.State)
	for _, words := range f.Asks.Due {
		l.dueNames = append(l.dueNames, l.stems(words))
	}
	l.cancellationNames, l.futureTimeNames = l.stems(f.Asks.CalledOff), l.stems(f.Asks.Ahead)
	l.peopleNames, l.judgeNames, l.dimensionNames = l.stems(f.Asks.People), l.stems(f.Asks.Judges), l.stems(f.Asks.Dimensions)
	l.rateNames = wordSet(f.Asks.Rates)
	l.numberedNames = l.stems(slices.Concat(f.Asks.People, f.Asks.StandFor))
	l.moneyNames, l.revenueStems, l.paidNames = l.stems(f.Asks.Money), l.stems(f.Asks.Earned), l.stems(f.Asks.Paid)
	l.lineAmountNames, l.quantityNames, l.discountNames, l.soldNames, l.boughtNames = f.Asks.Revenue, l.stems(f.Asks.Pieces), l.stems(f.Asks.Lessens), l.stems(f.Asks.Sold), l.stems(f.Asks.Bought)
	l.staffNames = l.stems(f.Asks.Employed)
	l.surchargeNames, l.purchasePriceNames = l.stems(f.Asks.Extras), l.stems(f.Asks.Procured)
	l.revenueWords = map[string]bool{}
	for _, w := range slices.Concat(f.Asks.Earned, f.Asks.EarnedAsked) {
		l.revenueWords[cmp.Or(singular(w), w)] = true
	}
	l.agreementNames = l.stems(f.Asks.Agreements)
	l.orderNames, l.notOrderNames = l.stems(f.Asks.SoldAs), l.stems(f.Asks.NotSold)
	l.retirementNames, l.disposalNames = l.stemPhrases(f.Asks.Gone), l.stemPhrases(f.Asks.Parted)
	l.outcomeTimeNames = l.stemPhrases(f.Asks.Decided)
	l.levelNames, l.notHeldNames = l.stems(f.Asks.Levels), l.stems(f.Asks.NotHeld)
	l.bookkeepingNames, l.receivedStates = l.stems(f.Asks.Bookkeeping), l.stems(f.Asks.Received)
	l.balanceNames, l.balanceStems = f.Asks.OpenAmounts, l.stems(f.Asks.OpenStems)
	l.leadingVerbs = l.stems(f.Asks.Leadings)
	l.missedNames, l.awayNames, l.pastTimeNames = l.stemPhrases(f.Asks.Missed), l.stems(f.Asks.Away), l.stems(f.Asks.Behind)
	l.endTimeNames, l.expiryNames, l.voidNames = l.stemPhrases(f.Asks.Ending), l.stemPhrases(f.Asks.Until), l.stemPhrases(f.Asks.Void)
	l.failureVerbs = l.stems(f.Asks.Failure)
	l.unsoldNames, l.nullifiedNames = l.stemPhrases(f.Asks.Unsold), l.stemPhrases(f.Asks.Nullified)
}

// addAdjectives notes the forms of adjectives, also those with "more" and "most".
func (l *language) addAdjectives(f *languageFile) {
	for _, a := range f.Adjectives {
		saysWhen := slices.Contains(a.Columns, "date") || slices.Contains(a.Down, "date")
		for i, forms := range [][]string{a.Base, a.More, a.Most} {
			for _, form := range forms {
				l.addAdjective(form, adjective{degree(i), a.Up, a.Columns, a.Down, a.Base[0]})
				if degree(i) == baseDegree && !(saysWhen && hasOneSyllable(form)) {
					l.addAdjective("most "+form, adjective{mostDegree, a.Up, a.Columns, a.Down, form})
					l.addAdjective("least "+form, adjective{mostDegree, !a.Up, a.Columns, a.Down, form})
					l.addAdjective("more "+form, adjective{moreDegree, a.Up, a.Columns, a.Down, form})
					l.addAdjective("less "+form, adjective{moreDegree, !a.Up, a.Columns, a.Down, form})
				}
			}
		}
	}
}

// hasOneSyllable reports whether a word has one syllable. If it is of time, "most" counts before it: the most new customers are
// not the newest.
func hasOneSyllable(word string) bool {
	vowels := 0
	for i := range word {
		if strings.ContainsRune("aeiouy", rune(word[i])) && (i == 0 || !strings.ContainsRune("aeiouy", rune(word[i-1]))) {
			vowels++
		}
	}
	return vowels-strings.Count(word[len(word)-1:], "e") <= 1
}

// addStates notes the words for states that rows are in.
func (l *language) addStates(states []state) {
	for i := range states {
		s := &states[i]
		for _, list := range []*[]string{&s.Lacks, &s.Has, &s.Flags, &s.Denied, &s.Values, &s.Past} {
			*list = l.stemPhrases(*list)
		}
		for _, text := range s.Words {
			words := strings.Fields(text)
			l.states[words[0]] = append(l.states[words[0]], phrasedState{words, s})
		}
		if slices.Contains(s.Words, "running") {
			l.ongoing = s
		}
	}
}

// addSynonyms notes words that stand for each other, and compounds that one word stands for.
func (l *language) addSynonyms(f *languageFile) {
	for _, set := range f.Synonyms.Sets {
		for _, a := range set {
			l.synonymWords[l.stem(a)] = append(l.synonymWords[l.stem(a)], a)
			for _, b := range set {
				if a != b {
					l.synonyms[l.stem(a)] = append(l.synonyms[l.stem(a)], l.stem(b))
				}
			}
		}
	}
	for text, word := range f.Compounds {
		var stems []string
		for _, w := range wordsOf(text) {
			stems = append(stems, l.stem(w))
		}
		l.compounds[strings.Join(stems, " ")] = word
	}
}

// addKin notes words and phrases near in meaning, and how words are made of others.
func (l *language) addKin(f *languageFile) {
	l.kin = map[string][]string{}
	for _, set := range f.Kin.Sets {
		for _, a := range set {
			for _, b := range set {
				if s := l.stemPhrase(b); a != b && !slices.Contains(l.kin[a], s) {
					l.kin[a] = append(l.kin[a], s)
				}
			}
		}
	}
	l.sorts = map[string]func(*parser, *label) bool{}
	for sort, words := range f.Sorts {
		for _, w := range words {
			l.sorts[w] = sorts[sort]
		}
	}
	l.notStandFor = map[string][]string{}
	for _, pair := range f.Derived.Unlike {
		said, named, _ := strings.Cut(pair, " ")
		l.notStandFor[said] = append(l.notStandFor[said], named)
	}
	l.rootOf, l.notDerived = f.Derived.Roots, wordSet(f.Derived.Apart)
	for _, e := range f.Derived.Endings {
		made, base, _ := strings.Cut(e, " ")
		l.endings = append(l.endings, ending{made, base})
	}
}

// addVocabulary notes the words that names are cut into which are written together.
func (l *language) addVocabulary(f *languageFile) {
	for _, d := range f.Directions {
		l.learn(d.Names...)
	}
	for _, a := range f.Adjectives {
		l.learn(a.Columns...)
		l.learn(a.Down...)
	}
	for _, set := range f.Synonyms.Sets {
		l.learn(set...)
	}
	for short, long := range nameWords.Abbreviations() {
		l.learn(short)
		l.learn(long...)
	}
	for _, word := range f.Compounds {
		l.learn(word)
	}
	l.learn(slices.Concat(f.Asks.Where, f.Asks.When, f.Asks.Named)...)
	l.learn("percentage", "manager", "village", "package", "passage", "storage", "message", "image", "voyage", "coverage", "usage", "marriage", "average", "software", "hardware", "candidate", "payment", "department", "restaurant", "apartment")
	l.learn("id", "code", "key", "name", "number", "type", "date", "status", "first", "last", "total", "is")
}

// addCommon notes the words of at least four letters that a misspelled word may be.
func (l *language) addCommon(f *languageFile) {
	l.common = map[string]bool{"how": true}
	add := func(texts ...string) {
		for _, t := range texts {
			for _, w := range wordsOf(t) {
				if len(w) >= 4 {
					l.common[w] = true
				}
			}
		}
	}
	for _, list := range l.phrases {
		for _, ph := range list {
			add(ph.words...)
		}
	}
	for _, list := range l.dates.Units {
		add(list...)
	}
	for m := range l.dates.Months {
		add(m)
	}
	for d := range l.dates.Weekdays {
		add(d)
	}
	for _, set := range f.Synonyms.Sets {
		add(set...)
	}
	for _, s := range f.States {
		add(s.Words...)
	}
	for _, a := range f.Adjectives {
		add(slices.Concat(a.Base, a.More, a.Most, a.Columns)...)
	}
	for text, word := range f.Compounds {
		add(text, word)
	}
	add(f.Relations.Verbs...)
}
