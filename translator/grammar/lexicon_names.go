// Identifiers as words: prefixes cut off, words that are written together cut apart.

package grammar

import (
	"slices"
	"strings"
	"unicode"

	"askpg/catalog"
	nameWords "askpg/catalog/words"
)

// splitName cuts an identifier into lower-case words: at underscores, blanks,
// changes of case and digits. One that has no word, such as "?", is one itself.
func splitName(name string) []string {
	if words := wordsIn(name); words != nil || name == "" {
		return words
	}
	return []string{name}
}

// wordsIn returns the lower-case words of an identifier, nil if there are none.
func wordsIn(name string) (words []string) {
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			words = append(words, strings.ToLower(b.String()))
			b.Reset()
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1])):
			flush()
		case i > 0 && unicode.IsDigit(r) != unicode.IsDigit(runes[i-1]) && (unicode.IsLetter(runes[i-1]) || unicode.IsDigit(runes[i-1])):
			flush()
		}
		b.WriteRune(r)
	}
	flush()
	return words
}

// lastOf returns the last of some words, "" if there are none.
func lastOf(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// segment cuts a word written without separators ("sourceairport") into words
// of the vocabulary, the fewest pieces that cover it; nil if it can't.
func segment(word string, known func(string) bool) (words []string) {
	n := len(word)
	if n < 5 || n > 60 {
		return nil
	}
	const none = 1 << 20
	cost := make([]int, n+1)
	back := make([]int, n+1)
	for i := 1; i <= n; i++ {
		cost[i] = none
		for j := max(0, i-20); j < i; j++ {
			piece := word[j:i]
			if cost[j] < none && len(piece) >= 2 && (len(piece) >= 3 || shortPiece[piece]) && known(piece) && !(j == 0 && i == n) {
				c := cost[j] + 10
				if len(piece) == 2 {
					c += 5
				}
				if c < cost[i] {
					cost[i], back[i] = c, j
				}
			}
		}
	}
	if cost[n] >= none {
		return nil
	}
	for i := n; i > 0; i = back[i] {
		words = append([]string{word[back[i]:i]}, words...)
	}
	return words
}

var shortPiece = wordSet([]string{"id", "no", "tx", "dt", "ts", "of", "is", "to"})

// namer splits identifiers into words. It knows the whole schema: prefixes that many names share are cut off, words that are written
// together are cut apart.
type namer struct {
	language    *language
	vocabulary  map[string]bool
	tablePrefix string
}

func newNamer(l *language, s *catalog.Snapshot) *namer {
	n := &namer{language: l, vocabulary: map[string]bool{}}
	names := make([]string, 0, len(s.Relations))
	for _, r := range s.Relations {
		names = append(names, r.Name.Name)
		for _, w := range splitName(r.Name.Name) {
			n.learn(w)
		}
		for _, c := range r.Columns {
			if words := splitName(c.Name); len(words) > 1 {
				for _, w := range words {
					n.learn(w)
				}
			} else {
				n.learn(c.Name)
			}
		}
	}
	n.tablePrefix = commonPrefix(names, 3)
	return n
}

func (n *namer) learn(w string) {
	n.vocabulary[w] = true
	if strings.HasSuffix(w, "ies") {
		n.vocabulary[strings.TrimSuffix(w, "ies")+"y"] = true
	} else if strings.HasSuffix(w, "s") && len(w) > 3 {
		n.vocabulary[strings.TrimSuffix(w, "s")] = true
	}
}

// column returns the words of a column's name.
func (n *namer) column(c *catalog.Column, prefix string) []string {
	name := c.Name
	if prefix != "" && len(name) > len(prefix)+1 {
		name = strings.TrimPrefix(name, prefix)
	} else if n.tablePrefix != "" {
		name = strings.TrimPrefix(name, n.tablePrefix)
	}
	if rest := gluedSuffix(c); rest != "" {
		return []string{rest}
	}
	if rest := n.behindLetter(c); rest != "" {
		return []string{rest}
	}
	return n.words(name)
}

// behindLetter returns the word that a terse name has behind the first letter of its relation: "city" of tcity in tavms, where
// another column begins so too; "" if it has none.
func (n *namer) behindLetter(c *catalog.Column) string {
	name := strings.ToLower(c.Name)
	if len(name) < 4 || name[0] != strings.ToLower(c.Relation.Name.Name)[0] || n.language.vocabulary[name] || nameWords.IsFrequent(name) || nameWords.Expand(name) != nil {
		return ""
	}
	rest := name[1:]
	if !n.language.vocabulary[rest] && !nameWords.IsFrequent(rest) && nameWords.Expand(rest) == nil {
		return ""
	}
	for _, o := range c.Relation.Columns {
		if other := strings.ToLower(o.Name); o != c && other[0] == name[0] && !n.language.vocabulary[other] && !nameWords.IsFrequent(other) {
			return rest // "scent" beside "stock" is a word itself
		}
	}
	return ""
}

// gluedSuffix returns what a terse name says behind the two letters of its
// relation: "nm" of cunm, where another column is called cuno; "" if it is no
// such name.
func gluedSuffix(c *catalog.Column) string {
	const letters = 2
	name := strings.ToLower(c.Name)
	if len(name) != 2*letters || !suffixes[name[letters:]] {
		return ""
	}
	for _, o := range c.Relation.Columns {
		other := strings.ToLower(o.Name)
		if o != c && len(other) == 2*letters && other[:letters] == name[:letters] && suffixes[other[letters:]] {
			return name[letters:]
		}
	}
	return ""
}

// suffixes end terse names of columns.
var suffixes = wordSet([]string{"nm", "no", "nr", "cd", "dt", "ty", "ds", "st"})

func (n *namer) words(name string) (out []string) {
	for _, w := range wordsIn(name) {
		if parts := n.segmentOnce(w); parts != nil {
			out = append(out, parts...)
		} else {
			out = append(out, cutEnding(w)...)
		}
	}
	return out
}

// terseEndings are abbreviations that end no English word, so that they can be cut off: "nam" of cnam, "dt" of odt.
var terseEndings = []string{"descr", "desc", "stat", "name", "nam", "txt", "dsc", "qty", "amt", "prc", "typ", "nm", "dt", "nr", "no"}

// maxTersePrefix is how many letters stand before the ending of a terse name.
const maxTersePrefix = 4

// cutEnding cuts the ending off a terse name.
func cutEnding(w string) []string {
	if nameWords.Expand(w) != nil || nameWords.IsFrequent(w) { // "piano" is no number of a pia
		return []string{w}
	}
	for _, e := range terseEndings {
		if k := len(w) - len(e); k > 0 && k <= maxTersePrefix && w[k:] == e {
			return []string{w[:k], e}
		}
	}
	return []string{w}
}

func (n *namer) segmentOnce(w string) []string {
	if n.language.vocabulary[w] {
		return nil
	}
	parts := segment(w, func(piece string) bool { return piece != w && (n.vocabulary[piece] || n.language.vocabulary[piece]) })
	if shortPiece[lastOf(parts)] && nameWords.IsFrequent(w) {
		return nil // "units" are no timestamp of a uni
	}
	return parts
}

// columnPrefix is what the names of a relation's columns all begin with, such
// as the abbreviated name of the relation; "" if there is no such habit.
func columnPrefix(r *catalog.Relation) string {
	names := make([]string, len(r.Columns))
	for i, c := range r.Columns {
		names[i] = c.Name
	}
	return commonPrefix(names, 4)
}

// commonPrefix returns what all of at least least names begin with, if it is
// two bytes or longer and leaves something of each. A prefix that ends inside
// a word is kept only up to the last underscore, if there is any in it.
func commonPrefix(names []string, least int) string {
	if len(names) < least {
		return ""
	}
	p := names[0]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, p) {
			p = p[:len(p)-1]
		}
	}
	if i := strings.LastIndexByte(p, '_'); i >= 0 {
		p = p[:i+1]
	}
	for _, n := range names {
		if len(n) < len(p)+2 {
			return ""
		}
	}
	if len(p) < 2 {
		return ""
	}
	return p
}

// amountNames returns what else a column that holds an amount is called: the price per day of day_price, the daily rate of day_rate, the gross amount of gross.
func amountNames(c *catalog.Column, words []string) (out [][]string) {
	switch {
	case c.Class != catalog.Number:
	case len(words) == 1 && (words[0] == "gross" || words[0] == "net"):
		return [][]string{{words[0], "amount"}}
	case len(words) == 2:
		for unit, often := range ratePeriods {
			if words[0] == unit || words[0] == often {
				out = append(out, []string{words[1], "per", unit}, []string{often, words[1]}, []string{unit, words[1]})
			}
		}
	case len(words) == 3 && words[1] == "per" && ratePeriods[words[2]] != "":
		out = append(out, []string{ratePeriods[words[2]], words[0]})
	}
	return slices.DeleteFunc(out, func(said []string) bool { return slices.Equal(said, words) })
}

// ratePeriods are the adjectives of the times for which something costs so much.
var ratePeriods = map[string]string{"hour": "hourly", "day": "daily", "night": "nightly", "week": "weekly", "month": "monthly", "year": "yearly"}
