// Misspelled words, and plurals.

package grammar

import (
	"slices"
	"strings"

	nameWords "askpg/catalog/words"
)

// singular returns the singular of a plural, "" if it is none.
func singular(w string) string {
	switch {
	case len(w) < 4 || !strings.HasSuffix(w, "s") || strings.HasSuffix(w, "ss"):
		return ""
	case strings.HasSuffix(w, "ies"):
		return strings.TrimSuffix(w, "ies") + "y"
	case strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "sses"):
		return strings.TrimSuffix(w, "es")
	}
	return strings.TrimSuffix(w, "s")
}

// singularOf returns the singular of a word, which may be initials in capitals: "POs". "" if it is no plural.
func singularOf(t token) string {
	if one := strings.TrimSuffix(t.text, "s"); one != t.text && len(one) > 1 && one == strings.ToUpper(one) {
		return strings.ToLower(one)
	}
	return singular(t.lower)
}

// correctSpelling lets words that mean nothing stand for name words that
// differ by a letter or two. A word of a relation that the role may not read
// is no misspelling.
func (p *parser) correctSpelling() {
	for i := range p.tokens {
		t := &p.tokens[i]
		if t.kind != wordToken || p.mentions.covered[i] || p.hasMeaning(i) || len(t.lower) < 5 || p.lexicon.namesForbidden(t.stem) || nameWords.IsFrequent(t.lower) {
			continue
		}
		best := p.lexicon.nearestWord(t.lower)
		if best == "" {
			continue
		}
		t.lower, t.stem = best, p.language.stem(best)
		for k := max(0, i-maxSpan); k <= i; k++ {
			delete(p.mentions.relations, k)
			delete(p.mentions.attributes, k)
			p.annotateNames(k)
		}
		p.annotateValues(i)
		for end := range inOrder(p.mentions.values[i]) {
			p.cover(i, end)
		}
	}
}

// nearestWord returns the word of a name, or its plural, that another word differs from least, by a letter or two. "" is none.
func (x *lexicon) nearestWord(word string) string {
	best, bestDistance := "", 3
	limit := 1
	if len(word) >= 10 {
		limit = 2
	}
	from, _ := slices.BinarySearch(x.words, word[:1])
	for _, w := range x.words[from:] {
		if w[0] != word[0] {
			break // they are in order
		}
		if abs(len(w)-len(word)) > 2 {
			continue
		}
		for _, form := range []string{w, w + "s"} {
			if d := editDistance(word, form, limit); d <= limit && d < bestDistance {
				best, bestDistance = form, d
			} else if bestDistance > 1 && singleLetters(word) == singleLetters(form) {
				best, bestDistance = form, 1
			}
		}
		if stem, ok := strings.CutSuffix(w, "y"); ok {
			if d := editDistance(word, stem+"ies", limit); d <= limit && d < bestDistance {
				best, bestDistance = w, d
			}
		}
	}
	return best
}

// correctCommon lets words that mean nothing stand for ordinary ones that differ
// by a letter: "avarage". It reports whether there was one.
func (p *parser) correctCommon() (found bool) {
	for _, i := range p.unknown() {
		t := &p.tokens[i]
		if len(t.lower) < 3 || isCapital(*t) && i > 0 || p.lexicon.namesForbidden(t.stem) || nameWords.IsFrequent(t.lower) || p.language.foreign[t.lower] {
			continue
		}
		if w := p.language.nearestCommon(t.lower); w != "" {
			t.lower, t.stem = w, p.language.stem(w)
			found = true
		}
	}
	return found
}

// nearestCommon returns the ordinary word that another word differs from by a letter, "" if there is none or several.
func (l *language) nearestCommon(word string) (best string) {
	for w := range l.common {
		swapped := isSwap(word, w)
		switch {
		case editDistance(word, w, 1) != 1 || !swapped && (w[0] != word[0] || len(word) < 4 || len(word) < 5 && len(w) == len(word) && !vowelsDiffer(word, w) || len(word) < 6 && len(w) < len(word)):
		case l.dates.Months[w] > 0 && len(w) < 6 && !swapped: // merch and sport are words of their own, as near as they are to March and Sept
		case best != "" && l.stem(w) != l.stem(best):
			return ""
		default:
			best = w
		}
	}
	return best
}

// vowelsDiffer reports whether two words of one length differ in vowels alone: "meny" and "many", but not "frob" and "from".
func vowelsDiffer(a, b string) bool {
	for i := range len(a) {
		if a[i] != b[i] && (!strings.ContainsRune("aeiou", rune(a[i])) || !strings.ContainsRune("aeiou", rune(b[i]))) {
			return false
		}
	}
	return true
}

// singleLetters returns a word with each double letter written once: "reffered" and "referred" differ in nothing else.
func singleLetters(w string) string {
	b := []byte(w[:1])
	for i := 1; i < len(w); i++ {
		if w[i] != w[i-1] {
			b = append(b, w[i])
		}
	}
	return string(b)
}

// isSwap reports whether two words of one length have the same letters.
func isSwap(a, b string) bool {
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// namesForbidden reports whether a stem is of the name of a relation that the
// role may not read.
func (x *lexicon) namesForbidden(stem string) bool {
	return slices.ContainsFunc(x.forbidden, func(d forbiddenName) bool {
		return slices.Contains(d.stems, stem) && (d.column == "" || len(d.stems) == 1)
	})
}

// editDistance counts insertions, deletions, substitutions and swaps of
// neighbours (Damerau 1964, restricted), up to limit.
func editDistance(a, b string, limit int) int {
	if abs(len(a)-len(b)) > limit {
		return limit + 1
	}
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
