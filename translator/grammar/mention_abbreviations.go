// Names that abbreviate words of the question: "credit limit" of crlim, "machines" of mchm.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
	nameWords "askpg/catalog/words"
)

// Scores of a name that abbreviates words. Several words that share a name are better evidence than one.
const (
	shortWordScore  = 0.86
	shortWordsScore = 0.9
)

// minShort is the least number of letters of the first word of a name if the name abbreviates one word alone, or words of a table with none for records.
const minShort = 3

// maxShort is the number of letters of the longest name that is taken for an abbreviation.
const maxShort = 7

// recordWords are what terse names of tables end in, for what their rows are: the things themselves, or parts of them.
var recordWords = [...][]string{
	rankHeader: {"master", "header", "head", "table", "file"},
	rankPart:   {"position", "line", "item", "detail", "type", "transaction"},
}

// Ranks of what the name of a table stands for, the best first.
const (
	rankPlain  = iota // the words of the question alone
	rankHeader        // the words and one for the things themselves
	rankPart          // the words and one for parts of things
	rankNone          // other words
)

// addTerse notes a name that may abbreviate words. The number behind the name of a table, as in cusm1, abbreviates none.
func (x *lexicon) addTerse(lb *label) {
	if last := len(lb.words) - 1; lb.column == nil && last > 0 && strings.Trim(lb.words[last], "0123456789") == "" {
		unnumbered := *lb
		unnumbered.words = lb.words[:last]
		lb = &unnumbered
	}
	if _, kind := x.eavAttributes[lb.column]; kind || lb.comment || lb.score < 1 || !slices.ContainsFunc(lb.words, x.language.isTerse) {
		return
	}
	to, first := x.terseTables, lb.words[0][0]
	if lb.column != nil {
		to = x.terseColumns
	}
	n := terseName{lb, x.language.questionPieces(lb.words)}
	for i, w := range lb.words {
		n.pieces[i].long, n.pieces[i].terse = nameWords.Expand(w), x.language.isTerse(w)
	}
	to[first] = append(to[first], n)
}

// terseName is the name of a table or a column that may abbreviate words: crlim for "credit limit".
type terseName struct {
	*label
	pieces []piece
}

// piece is a word of a name, or of the question that it is compared with.
type piece struct {
	text, stem string
	long       []string // of a name: the words that it is known to abbreviate
	terse      bool     // of a name: it may abbreviate other words
}

// questionPieces returns words of the question as pieces.
func (l *language) questionPieces(words []string) []piece {
	out := make([]piece, len(words))
	for i, w := range words {
		out[i] = piece{text: w, stem: l.stem(w)}
	}
	return out
}

// isMostlyTerse reports whether a third of the tables or more are called by what is no word: "reps" alone abbreviates no word with
// what its rows are.
func (x *lexicon) isMostlyTerse() bool {
	terse := map[*catalog.Relation]bool{}
	for _, list := range x.terseTables {
		for _, n := range list {
			terse[n.relation] = true
		}
	}
	return 3*len(terse) >= len(x.snapshot.Relations)
}

// isTerse reports whether a word of a name is none of English.
func (l *language) isTerse(w string) bool {
	if len(w) < 2 || len(w) > maxShort || l.vocabulary[w] || nameWords.Expand(w) != nil || nameWords.IsFrequent(w) {
		return false
	}
	return !strings.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' })
}

// annotateShortTables finds the tables whose names abbreviate words, wherever no table has the words for its name.
func (p *parser) annotateShortTables() {
	if len(p.lexicon.terseTables) == 0 {
		return
	}
	for i := range p.tokens {
		for j := i + 1; j <= min(len(p.tokens), i+3); j++ {
			p.annotateShortTable(i, j)
		}
	}
}

// annotateShortColumns finds the columns whose names abbreviate words which nothing else accounts for.
func (p *parser) annotateShortColumns() {
	if len(p.lexicon.terseColumns) == 0 {
		return
	}
	for _, unknown := range p.unknown() {
		for i := max(0, unknown-2); i <= unknown; i++ {
			for j := unknown + 1; j <= min(len(p.tokens), i+4); j++ {
				p.annotateShortColumn(i, j)
			}
		}
	}
}

// shortWords returns the words of the tokens from i to before j that a name may abbreviate, nil if it cannot.
func (p *parser) shortWords(i, j int) (words []string) {
	for k := i; k < j; k++ {
		t := p.tokens[k]
		if t.kind != wordToken || len(t.lower) < 2 || p.isFunction(k) && (k == i || p.language.sorts[t.lower] == nil) || j > i+1 && p.language.prepositions[t.lower] {
			return nil
		}
		if s := singular(t.lower); s != "" && k == j-1 {
			t.lower = s
		}
		words = append(words, t.lower)
	}
	return words
}

// annotateShortTable finds the table whose name abbreviates the tokens from i to before j. Where several would be called so, it is
// none of them; but an order is a header rather than one of its lines.
func (p *parser) annotateShortTable(i, j int) {
	words := p.shortWords(i, j)
	if a := p.mentions.attributes[j-1][j]; a != nil && j > i+1 && a.candidates[0].score >= exactNameScore {
		return // the method of a payment is none of what paymt abbreviates
	}
	if words == nil || slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return m.end >= j && m.score >= shortWordScore }) {
		return
	}
	table, rank := p.lexicon.shortTable(words)
	if table == nil || rank == rankPart && len(p.mentions.relations[i]) > 0 {
		return // the parts of a thing are not meant where something else may be it
	}
	if a := p.mentions.attributes[i][j]; a != nil { // the table of customers comes before a column of buyers
		a.candidates = slices.DeleteFunc(a.candidates, func(c columnCandidate) bool {
			return !slices.ContainsFunc(c.label.words, func(w string) bool { return isSameWord(w, words[0]) })
		})
		if len(a.candidates) == 0 {
			delete(p.mentions.attributes[i], j)
		}
	}
	p.mentions.relations[i] = append(p.mentions.relations[i], relationMention{table, shortScore(words), i, j, false})
	p.cover(i, j)
}

// shortTable returns the only table whose name abbreviates words best, and its rank; nil if there is none.
func (x *lexicon) shortTable(words []string) (table *catalog.Relation, rank int) {
	rank = rankNone
	several := false
	names := x.terseTables[words[0][0]]
	if len(names) == 0 {
		return nil, rank
	}
	full := x.language.fullNames(words)
	if !x.hasTerseNames {
		full = full[:1]
	}
	for _, lb := range names {
		switch r := lb.abbreviatesTable(full); {
		case r < rank:
			table, rank, several = lb.relation, r, false
		case r == rank && lb.relation != table:
			several = true
		}
	}
	if several {
		return nil, rank
	}
	return table, rank
}

// shortScore returns the score of a name that abbreviates words.
func shortScore(words []string) float64 {
	if len(words) == 1 {
		return shortWordScore
	}
	return shortWordsScore
}

// annotateShortColumn finds the columns whose name abbreviates the tokens from i to before j. Where columns of several names would
// be called so, it is none of them.
func (p *parser) annotateShortColumn(i, j int) {
	words := p.shortWords(i, j)
	if words == nil {
		return
	}
	var found []*label
	said := p.language.questionPieces(words)
	for _, lb := range p.lexicon.terseColumns[words[0][0]] {
		if lb.abbreviates(said) {
			found = append(found, lb.label)
		}
	}
	if len(found) == 0 || slices.ContainsFunc(found, func(lb *label) bool { return lb.column.Name != found[0].column.Name }) {
		return
	}
	for _, lb := range found {
		full := &label{relation: lb.relation, column: lb.column, words: words, stems: p.lexicon.stems(words), optional: make([]bool, len(words)), score: shortScore(words)}
		p.addAttribute(i, j, full, full.score)
	}
}

// letterMatcher returns how letters have to fit words to abbreviate them: a word by itself more closely.
func letterMatcher(words []piece) func(word, letters string) bool {
	if len(words) == 1 {
		return shortens
	}
	return hasInOrder
}

// abbreviates reports whether a name stands for words: each of its pieces is one of them or begins as they do,
// and has their letters in order.
func (n terseName) abbreviates(words []piece) bool {
	pieces := n.pieces
	if unitOf(n.column, n.words) != "" && len(pieces) == len(words)+1 {
		pieces = pieces[:len(words)] // "load factor" of load_fct_pct
	}
	return (len(words) > 1 || len(n.words[0]) >= minShort) && isAligned(pieces, words, letterMatcher(words))
}

// fullName is words that the name of a table may abbreviate: those of the question, alone or with a word for records behind them.
type fullName struct {
	words []piece
	fits  func(word, letters string) bool
	rank  int
}

// fullNames returns what tables may be called that hold things of such a name. A single letter is enough for what its rows are, and
// where that is a header for each of several words.
func (l *language) fullNames(words []string) []fullName {
	fitting := func(record string, least int) func(word, letters string) bool {
		return func(word, letters string) bool {
			return word == record && hasInOrder(word, letters) || len(letters) >= least && shortens(word, letters)
		}
	}
	said := l.questionPieces(words)
	out := []fullName{{said, fitting("", 2), rankPlain}}
	for rank, group := range recordWords {
		least := 2
		if rank == rankHeader && len(words) > 1 {
			least = 1
		}
		for _, w := range group {
			out = append(out, fullName{append(said[:len(said):len(said)], piece{text: w, stem: l.stem(w)}), fitting(w, least), rank})
		}
	}
	return out
}

// abbreviatesTable reports which of the full names a table's name stands for, by its rank; rankNone if for none.
func (n terseName) abbreviatesTable(full []fullName) int {
	for _, f := range full {
		if (f.rank != rankPlain || len(n.words[0]) >= minShort) && isAligned(n.pieces, f.words, f.fits) {
			return f.rank
		}
	}
	return rankNone
}

// isAligned reports whether pieces of a name stand for all of the words, in order.
func isAligned(pieces, words []piece, fits func(word, letters string) bool) bool {
	if len(pieces) == 0 || len(words) == 0 {
		return len(pieces) == len(words)
	}
	for n := 1; n <= len(words); n++ {
		if pieces[0].standsFor(words[:n], fits) && isAligned(pieces[1:], words[n:], fits) {
			return true
		}
	}
	return false
}

// standsFor reports whether a piece of a name is one word, or abbreviates one or several.
func (s piece) standsFor(words []piece, fits func(word, letters string) bool) bool {
	if len(words) == 1 && s.stem == words[0].stem || slices.EqualFunc(s.long, words, func(w string, word piece) bool { return w == word.text }) {
		return true
	}
	if len(s.text) == 1 {
		return len(words) == 1 && words[0].text[0] == s.text[0]
	}
	return s.terse && len(s.text) > len(words) && isAbbreviation(s.text, words, fits)
}

// isAbbreviation reports whether letters can be cut so that each word has its share of them.
func isAbbreviation(letters string, words []piece, fits func(word, letters string) bool) bool {
	if len(words) == 0 {
		return letters == ""
	}
	for n := 1; n <= len(letters)-len(words)+1; n++ {
		if fits(words[0].text, letters[:n]) && isAbbreviation(letters[n:], words[1:], fits) {
			return true
		}
	}
	return false
}

// hasInOrder reports whether a word begins with the first of the letters and has the rest of them in order. There is a letter in both.
func hasInOrder(word, letters string) bool {
	if word[0] != letters[0] {
		return false
	}
	for k := 1; k < len(letters); k++ {
		at := strings.IndexByte(word[1:], letters[k])
		if at < 0 {
			return false
		}
		word = word[1+at:]
	}
	return true
}

// shortens is hasInOrder for a word that has no other beside it: it begins with the letters, or its consonants do,
// or it has many of them. Who leaves consonants out does not keep the vowels: a copay is no company.
func shortens(word, letters string) bool {
	const many = 4
	if strings.HasPrefix(word, letters) || consonantsBegin(word, letters) {
		return true
	}
	vowels := 0
	for _, c := range letters[1:] {
		if strings.ContainsRune("aeiou", c) {
			vowels++
		}
	}
	return len(letters) >= many && vowels < 2 && hasInOrder(word, letters)
}

// consonantsBegin reports whether a word begins with the letters if the vowels behind its first letter are left out.
func consonantsBegin(word, letters string) bool {
	for i := 0; i < len(word) && letters != ""; i++ {
		switch {
		case i > 0 && strings.IndexByte("aeiou", word[i]) >= 0:
		case word[i] != letters[0]:
			return false
		default:
			letters = letters[1:]
		}
	}
	return letters == ""
}
