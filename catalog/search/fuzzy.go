package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"askpg/catalog/words"
)

// Limits of fuzzy matching: shorter words are too often another word, and
// pg_trgm's default threshold of 0.3 is meant for lists that a person reads.
const (
	fuzzyBytes     = 5    // of the shortest span
	fuzzyTokens    = 4    // of the longest span
	fuzzyThreshold = 0.55 // least similarity of trigrams
	fuzzyEdit      = 0.8  // edit similarity that makes a match whatever the trigrams say
	fuzzyHits      = 3    // best texts for a span
	commonTrigram  = 0.02 // share of the texts from which on a trigram in them says little
)

// findFuzzy adds the values that are nearly a span of tokens that no hit covers
// yet.
func (m *mentions) findFuzzy() {
	used := slices.Clone(m.covered)
	for n := min(fuzzyTokens, len(m.tokens)); n >= 1; n-- {
		for i := 0; i+n <= len(m.tokens); i++ {
			if !slices.Contains(used[i:i+n], true) && maybeFuzzy(m.tokens[i:i+n]) && m.findFuzzySpan(m.tokens[i:i+n]) {
				for j := i; j < i+n; j++ {
					used[j] = true
				}
			}
		}
	}
}

// findFuzzySpan adds the values that are nearly the tokens, and reports whether
// there are any.
func (m *mentions) findFuzzySpan(tokens []words.Token) bool {
	before := len(m.hits)
	for _, s := range m.similar(words.Key(tokens)) {
		if !plausible(tokens, s.text.key) {
			continue
		}
		for _, e := range s.text.entries {
			if m.columns[e.column] > 0 {
				m.hits = append(m.hits, Hit{Column: e.column, Value: e.value, Start: tokens[0].Start, End: tokens[len(tokens)-1].End, Score: s.score * fuzzyScore})
			}
		}
	}
	return len(m.hits) > before
}

// maybeFuzzy reports whether tokens are worth a fuzzy match: long enough, no
// number, and no stop word at the ends.
func maybeFuzzy(tokens []words.Token) bool {
	bytes := 0
	for _, t := range tokens {
		if t.Text[0] >= '0' && t.Text[0] <= '9' {
			return false
		}
		bytes += len(t.Text)
	}
	return bytes >= fuzzyBytes && !words.IsStop(tokens[0].Text) && !words.IsStop(tokens[len(tokens)-1].Text)
}

// similarText is a text with its similarity to another.
type similarText struct {
	text  *text
	score float64
}

// similar returns the texts that are a typing mistake away from a key, or have
// most trigrams in common with it by the Jaccard index, the best fuzzyHits.
func (v *Values) similar(key string) []similarText {
	trigrams := trigramsOf(key)
	c := trigramCounts.Get().(*trigramCount)
	defer trigramCounts.Put(c)
	var found []similarText
	for _, p := range v.parts {
		for _, s := range p.similar(key, trigrams, c) {
			if slices.ContainsFunc(s.text.entries, func(e entry) bool { return v.columns[e.column] > 0 }) {
				found = append(found, s)
			}
		}
	}
	return topK(found, fuzzyHits, func(a, b similarText) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.text.key, b.text.key))
	})
}

func (p *valuePart) similar(key string, trigrams []trigram, c *trigramCount) []similarText {
	c.reset(len(p.texts))
	common := max(50, int(commonTrigram*float64(len(p.texts))))
	for _, g := range trigrams {
		if texts := p.trigrams[g]; len(texts) <= common {
			c.add(texts)
		}
	}
	var found []similarText
	for _, i := range c.texts {
		// Common trigrams are not counted: a quick bound first, then the measure.
		if 3*int(c.counts[i]) < len(trigrams) {
			continue
		}
		text := &p.texts[i]
		s := words.Similarity(key, text.key)
		if s < fuzzyEdit {
			s = jaccard(trigrams, trigramsOf(text.key))
		}
		if s >= fuzzyThreshold {
			found = append(found, similarText{text, s})
		}
	}
	return found
}

// trigram is three bytes of a key.
type trigram [3]byte

// trigramsOf returns the distinct trigrams of a key, padded as pg_trgm does:
// two blanks before and one after each word.
func trigramsOf(key string) []trigram {
	out := make([]trigram, 0, len(key)+2)
	for len(key) > 0 {
		var word string
		word, key, _ = strings.Cut(key, " ")
		a, b := byte(' '), byte(' ')
		for i := range len(word) + 1 {
			c := byte(' ')
			if i < len(word) {
				c = word[i]
			}
			if g := (trigram{a, b, c}); !slices.Contains(out, g) {
				out = append(out, g)
			}
			a, b = b, c
		}
	}
	return out
}

// jaccard is the number of trigrams that both have, divided by that of all.
func jaccard(a, b []trigram) float64 {
	both := 0
	for _, g := range b {
		if slices.Contains(a, g) {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// trigramCount counts how many trigrams each text shares with another.
type trigramCount struct {
	counts []uint8
	texts  []int32 // that share one
}

// trigramCounts are kept for the next search: one holds a byte for each text.
var trigramCounts = sync.Pool{New: func() any { return &trigramCount{} }}

// reset makes all counts 0, with room for so many texts.
func (c *trigramCount) reset(texts int) {
	for _, i := range c.texts {
		c.counts[i] = 0
	}
	c.texts = c.texts[:0]
	if len(c.counts) < texts {
		c.counts = make([]uint8, texts)
	}
}

// add counts one more trigram for each of the texts.
func (c *trigramCount) add(texts []int32) {
	for _, i := range texts {
		switch c.counts[i] {
		case 0:
			c.texts = append(c.texts, i)
		case math.MaxUint8:
			continue
		}
		c.counts[i]++
	}
}
