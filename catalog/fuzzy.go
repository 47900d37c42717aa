package catalog

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// Limits of fuzzy matching: shorter words are too often another word, and
// pg_trgm's default threshold of 0.3 is meant for lists that a person reads.
const (
	fuzzyBytes     = 5
	fuzzyThreshold = 0.55
	fuzzyEdit      = 0.8  // edit similarity that makes a match whatever the trigrams say
	fuzzyTokens    = 4    // longest span tried
	fuzzyHits      = 3    // best texts kept for a span
	commonGram     = 0.02 // a trigram in more of the texts says little
)

// fuzzy looks for values that are nearly one of the spans not covered yet.
func (v *Values) fuzzy(question string, ts []token, covered []bool) []Hit {
	var hits []Hit
	taken := append([]bool(nil), covered...)
	for n := min(fuzzyTokens, len(ts)); n >= 1; n-- {
		for i := 0; i+n <= len(ts); i++ {
			if !open(ts[i:i+n], taken[i:i+n]) {
				continue
			}
			start, end := ts[i].start, ts[i+n-1].end
			for _, m := range v.alike(key(ts[i : i+n])) {
				if !plausible(ts[i:i+n], m.text.key) {
					continue
				}
				for _, e := range m.text.entries {
					if v.columns[e.column] == 0 {
						continue
					}
					hits = append(hits, Hit{Column: e.column, Value: e.value, Start: start, End: end, Score: m.score * 0.85})
					for j := i; j < i+n; j++ {
						taken[j] = true
					}
				}
			}
		}
	}
	return hits
}

// open reports whether a span is worth a fuzzy match: nothing of it taken,
// long enough, no number, and no stop word at its ends.
func open(ts []token, taken []bool) bool {
	bytes := 0
	for i := range ts {
		if taken[i] || ts[i].text[0] >= '0' && ts[i].text[0] <= '9' {
			return false
		}
		bytes += len(ts[i].text)
	}
	return bytes >= fuzzyBytes && !stopWords[ts[0].text] && !stopWords[ts[len(ts)-1].text]
}

type match struct {
	text  *text
	score float64
}

// alike returns the texts that are a typing mistake away from k, or have most
// trigrams in common with it by the Jaccard measure, the best fuzzyHits.
func (v *Values) alike(k string) []match {
	gs := trigrams(k)
	t := tallies.Get().(*tally)
	defer tallies.Put(t)
	var found []match
	for _, p := range v.parts {
		t.fit(len(p.texts))
		for _, m := range p.alike(k, gs, t) {
			if v.counts(m.text) {
				found = append(found, m)
			}
		}
	}
	return topK(found, fuzzyHits, func(a, b match) int {
		if c := cmp.Compare(b.score, a.score); c != 0 {
			return c
		}
		return cmp.Compare(a.text.key, b.text.key)
	})
}

// counts reports whether a column that counts has the text.
func (v *Values) counts(t *text) bool {
	for i := range t.entries {
		if v.columns[t.entries[i].column] > 0 {
			return true
		}
	}
	return false
}

func (p *valuePart) alike(k string, gs []gram, t *tally) []match {
	common := max(50, int(commonGram*float64(len(p.texts))))
	for _, g := range gs {
		if list := p.grams[g]; len(list) <= common {
			t.count(list)
		}
	}
	var found []match
	for _, i := range t.seen {
		// Common trigrams are not counted: a quick bound first, then the measure.
		if 3*int(t.counts[i]) < len(gs) {
			continue
		}
		text := &p.texts[i]
		s := similarity(k, text.key)
		if s < fuzzyEdit {
			s = jaccard(gs, trigrams(text.key))
		}
		if s >= fuzzyThreshold {
			found = append(found, match{text, s})
		}
	}
	t.clear()
	return found
}

// tally counts how many trigrams each text shares with another.
type tally struct {
	counts []uint8
	seen   []int32 // texts that share one
}

// tallies are kept for the next search: one holds a byte for each text.
var tallies = sync.Pool{New: func() any { return &tally{} }}

// fit makes room for so many texts.
func (t *tally) fit(texts int) {
	if len(t.counts) < texts {
		t.counts = make([]uint8, texts)
	}
}

func (t *tally) count(list []int32) {
	for _, i := range list {
		switch t.counts[i] {
		case 0:
			t.seen = append(t.seen, i)
		case math.MaxUint8:
			continue
		}
		t.counts[i]++
	}
}

func (t *tally) clear() {
	for _, i := range t.seen {
		t.counts[i] = 0
	}
	t.seen = t.seen[:0]
}

func jaccard(a, b []gram) float64 {
	both := 0
	for _, g := range b {
		if slices.Contains(a, g) {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// similarity is 1 less the edits between a and b per byte of the longer one; an
// edit inserts, deletes or replaces a byte or swaps two (optimal string
// alignment).
func similarity(a, b string) float64 {
	longest := max(len(a), len(b))
	if longest == 0 || longest > 100 || 2*min(len(a), len(b)) < longest {
		return 0
	}
	var rows [3][101]int
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		two, one, row := &rows[(i+1)%3], &rows[(i+2)%3], &rows[i%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			d := one[j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			d = min(d, one[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, two[j-2]+1)
			}
			row[j] = d
		}
	}
	return 1 - float64(rows[len(a)%3][len(b)])/float64(longest)
}
