package catalog

import (
	"cmp"
	"iter"
	"slices"
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
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.End-b.Start, a.End-a.Start), cmp.Compare(a.Start, b.Start), cmp.Compare(b.Score, a.Score))
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
