// Names that abbreviate words of the question: "credit limit" of crlim, "machines" of mchm.

package grammar

import (
	"slices"
	"strings"

	nameWords "askpg/catalog/words"
)

// Scores of a name that abbreviates words. Several words that share a name are better evidence than one.
const (
	shortWordScore  = 0.86
	shortWordsScore = 0.9
)

// minShort is the number of letters that abbreviate a word by itself.
const minShort = 3

// maxShort is the number of letters of the longest name that is taken for an abbreviation.
const maxShort = 7

// recordWords are what terse names of tables end in, for what their rows are: master data, headers, positions.
var recordWords = []string{"master", "header", "head", "position", "line", "item", "detail", "table", "file", "type", "transaction"}

// addTerse notes a name that may abbreviate words.
func (x *lexicon) addTerse(lb *label) {
	if lb.comment || lb.score < 1 || !slices.ContainsFunc(lb.words, x.language.isTerse) {
		return
	}
	if first := lb.words[0][0]; !slices.Contains(x.terse[first], lb) {
		x.terse[first] = append(x.terse[first], lb)
	}
}

// isTerse reports whether a word of a name is none of English.
func (l *language) isTerse(w string) bool {
	if len(w) < 2 || len(w) > maxShort || l.vocabulary[w] || nameWords.Expand(w) != nil || nameWords.IsFrequent(w) {
		return false
	}
	return !strings.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' })
}

// annotateShort finds the names that abbreviate words which nothing else accounts for.
func (p *parser) annotateShort() {
	if len(p.lexicon.terse) == 0 {
		return
	}
	for _, unknown := range p.unknown() {
		for i := max(0, unknown-2); i <= unknown; i++ {
			for j := unknown + 1; j <= min(len(p.tokens), i+4); j++ {
				p.annotateShortAt(i, j)
			}
		}
	}
}

// annotateShortAt finds the names that abbreviate the tokens from i to before j. Where several things would
// be called by one word, it is none of them.
func (p *parser) annotateShortAt(i, j int) {
	var words []string
	for k := i; k < j; k++ {
		t := p.tokens[k]
		if t.kind != wordToken || len(t.lower) < 2 || j > i+1 && p.language.prepositions[t.lower] {
			return
		}
		if s := singular(t.lower); s != "" && k == j-1 {
			t.lower = s
		}
		words = append(words, t.lower)
	}
	var found []*label
	for _, lb := range p.lexicon.terse[words[0][0]] {
		if p.language.abbreviates(lb, words) {
			found = append(found, lb)
		}
	}
	tables, columns := map[string]bool{}, map[string]bool{}
	for _, lb := range found {
		if lb.column == nil {
			tables[lb.relation.Name.Name] = true
		} else {
			columns[lb.column.Name] = true
		}
	}
	if len(tables) > 1 || len(columns) > 1 {
		return
	}
	score := shortWordsScore
	if len(words) == 1 {
		score = shortWordScore
	}
	for _, lb := range found {
		if lb.column == nil {
			p.mentions.relations[i] = append(p.mentions.relations[i], relationMention{lb.relation, score, i, j, false})
			p.cover(i, j)
			continue
		}
		full := &label{relation: lb.relation, column: lb.column, words: words, stems: p.lexicon.stems(words), optional: make([]bool, len(words)), score: score}
		p.addAttribute(i, j, full, score)
	}
}

// abbreviates reports whether a name stands for words: each of its pieces is one of them or begins as they do,
// and has their letters in order. A table's name may say besides what its rows are.
func (l *language) abbreviates(lb *label, words []string) bool {
	fits := hasInOrder
	if len(words) == 1 {
		fits = shortens
	}
	if (len(words) > 1 || len(lb.words[0]) >= minShort) && l.aligns(lb.words, words, fits) {
		return true
	}
	return lb.column == nil && slices.ContainsFunc(recordWords, func(w string) bool {
		return l.aligns(lb.words, append(words[:len(words):len(words)], w), fits)
	})
}

// aligns reports whether pieces of a name stand for all of the words, in order.
func (l *language) aligns(pieces, words []string, fits func(word, letters string) bool) bool {
	if len(pieces) == 0 || len(words) == 0 {
		return len(pieces) == len(words)
	}
	for n := 1; n <= len(words); n++ {
		if l.standsFor(pieces[0], words[:n], fits) && l.aligns(pieces[1:], words[n:], fits) {
			return true
		}
	}
	return false
}

// standsFor reports whether a piece of a name is one word, or abbreviates one or several.
func (l *language) standsFor(piece string, words []string, fits func(word, letters string) bool) bool {
	if len(words) == 1 && l.stem(piece) == l.stem(words[0]) || slices.Equal(nameWords.Expand(piece), words) {
		return true
	}
	if len(piece) == 1 {
		return len(words) == 1 && words[0][0] == piece[0]
	}
	return l.isTerse(piece) && len(piece) > len(words) && begins(piece, words, fits)
}

// begins reports whether letters can be cut so that each word has its share of them.
func begins(letters string, words []string, fits func(word, letters string) bool) bool {
	if len(words) == 0 {
		return letters == ""
	}
	for n := 1; n <= len(letters)-len(words)+1; n++ {
		if fits(words[0], letters[:n]) && begins(letters[n:], words[1:], fits) {
			return true
		}
	}
	return false
}

// hasInOrder reports whether a word begins with the first of the letters and has the rest of them in order.
func hasInOrder(word, letters string) bool {
	if word == "" || word[0] != letters[0] {
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
// or it has many of them.
func shortens(word, letters string) bool {
	consonants := word[:1] + strings.Map(func(r rune) rune {
		if strings.ContainsRune("aeiou", r) {
			return -1
		}
		return r
	}, word[1:])
	const many = 4
	return strings.HasPrefix(word, letters) || strings.HasPrefix(consonants, letters) || len(letters) >= many && hasInOrder(word, letters)
}
