package catalog

import (
	"iter"
	"slices"
	"sort"
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

// Find returns the values mentioned in the question, longest match first; an
// ambiguous value gives one hit for each of its columns. Within a span, exact
// matches keep out stemmed ones, and those fuzzy ones; what lies within a
// longer exact or stemmed match is not looked at again.
func (v *Values) Find(question string) []Hit {
	if v == nil || v.count == 0 {
		return nil
	}
	ts := tokens(question)
	shout := !hasLower(question)
	covered := make([]bool, len(ts))
	longest := 0
	for _, p := range v.parts {
		longest = max(longest, p.longest)
	}
	var hits []Hit
	for n := min(longest, len(ts)); n >= 1; n-- {
		for i := 0; i+n <= len(ts); i++ {
			if all(covered[i : i+n]) {
				continue
			}
			span := v.lookup(question, ts[i:i+n], shout)
			if len(span) == 0 {
				continue
			}
			hits = append(hits, span...)
			// "colorado river" may be a value, and so may be the "colorado"
			// of the rivers.
			for _, rest := range [2][]token{ts[i+1 : i+n], ts[i : i+n-1]} {
				noun := ts[i]
				if len(rest) > 0 && rest[0] == noun {
					noun = ts[i+n-1]
				}
				if n > 1 && v.noun(noun.text) {
					hits = append(hits, v.lookup(question, rest, shout)...)
				}
			}
			for j := i; j < i+n; j++ {
				covered[j] = true
			}
		}
	}
	hits = append(hits, v.fuzzy(question, ts, covered)...)
	sort.SliceStable(hits, func(i, j int) bool {
		a, b := &hits[i], &hits[j]
		if la, lb := a.End-a.Start, b.End-b.Start; la != lb {
			return la > lb
		}
		if a.Start != b.Start {
			return a.Start < b.Start
		}
		return a.Score > b.Score
	})
	return hits
}

// lookup returns the exact hits of a span, or else the stemmed ones.
func (v *Values) lookup(question string, ts []token, shout bool) []Hit {
	start, end := ts[0].start, ts[len(ts)-1].end
	text := question[start:end]
	alone := len(ts) == 1 && (stopWords[ts[0].text] || len(ts[0].text) == 1)
	var hits []Hit
	k := key(ts)
	for e := range v.exact(k) {
		if alone && (e.value != text || shout) {
			continue
		}
		h := Hit{Column: e.column, Value: e.value, Start: start, End: end, Exact: true, Score: 1}
		if e.value != text && fold(text) != fold(e.value) {
			// Only punctuation differs; it may have been left outside the tokens.
			h.Start, h.End = widen(question, start, end, e.value)
			if fold(question[h.Start:h.End]) != fold(e.value) {
				h.Exact, h.Score = false, 0.95
			}
		}
		hits = append(hits, h)
	}
	if len(hits) > 0 || alone {
		return hits
	}
	add := func(e entry) {
		hits = append(hits, Hit{Column: e.column, Value: e.value, Start: start, End: end, Score: 0.9})
	}
	k = stemKey(ts)
	for _, p := range v.parts {
		for _, i := range p.stems[k] {
			for _, e := range p.texts[i].entries {
				if v.columns[e.column] > 0 {
					add(e)
				}
			}
		}
	}
	for e := range v.exact(k) {
		add(e)
	}
	return hits
}

// exact yields the values with a key.
func (v *Values) exact(k string) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		for _, p := range v.parts {
			i, ok := p.exact[k]
			if !ok {
				continue
			}
			for _, e := range p.texts[i].entries {
				if v.columns[e.column] > 0 && !yield(e) {
					return
				}
			}
		}
	}
}

// noun reports whether a word is part of the name of an indexed column or its
// relation.
func (v *Values) noun(word string) bool {
	w := stem(singular(word))
	for _, p := range v.parts {
		if p.nouns[w] {
			return true
		}
	}
	return false
}

// widen takes punctuation around a span in, where the value has it too, as in
// "U.S." or "C++".
func widen(question string, start, end int, value string) (int, int) {
	vt := tokens(value)
	if len(vt) == 0 {
		return start, end
	}
	before, after := value[:vt[0].start], value[vt[len(vt)-1].end:]
	if s := start - len(before); s >= 0 && question[s:start] == before {
		start = s
	}
	if e := end + len(after); e <= len(question) && question[end:e] == after {
		end = e
	}
	return start, end
}

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
	var found []match
	for _, p := range v.parts {
		found = append(found, p.alike(k, gs)...)
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].score > found[j].score })
	return found[:min(len(found), fuzzyHits)]
}

func (p *valuePart) alike(k string, gs []gram) []match {
	common := max(50, int(commonGram*float64(len(p.texts))))
	shared := map[int32]int{}
	for _, g := range gs {
		list := p.grams[g]
		if len(list) > common {
			continue
		}
		for _, i := range list {
			shared[i]++
		}
	}
	var found []match
	for i, n := range shared {
		// n leaves common trigrams out: a quick bound first, then the measure.
		if float64(n)*3 < float64(len(gs)) {
			continue
		}
		t := &p.texts[i]
		s := similarity(k, t.key)
		if s < fuzzyEdit {
			s = jaccard(gs, trigrams(t.key))
		}
		if s >= fuzzyThreshold {
			found = append(found, match{t, s})
		}
	}
	sort.Slice(found, func(i, j int) bool {
		if found[i].score != found[j].score {
			return found[i].score > found[j].score
		}
		return found[i].text.key < found[j].text.key
	})
	return found
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

func all(bs []bool) bool {
	for _, b := range bs {
		if !b {
			return false
		}
	}
	return true
}

func hasLower(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'a' && s[i] <= 'z' || s[i] >= 0x80 {
			return true
		}
	}
	return false
}
