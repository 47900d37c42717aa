package search

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"askpg/catalog/schema"
	"askpg/catalog/words"
)

// Hit is a value of the database found in a question.
type Hit struct {
	Column     *schema.Column
	Value      string  // as the column holds it
	Start, End int     // byte offsets in the question
	Exact      bool    // equal but for case and accents; false for stemmed or fuzzy matches
	Score      float64 // 1 for exact, less the less alike
}

// Scores of hits that are not exact.
const (
	punctuationScore = 0.95 // only punctuation differs
	stemScore        = 0.9
	fuzzyScore       = 0.85 // times the similarity
)

// mentions looks for the values that a question mentions.
type mentions struct {
	*Values
	question string
	tokens   []words.Token
	capitals bool   // the question has no small letters, so that its case says nothing
	foreign  bool   // the question is in another language than English
	covered  []bool // tokens that are part of a value already
	hits     []Hit
}

// Find returns the values mentioned in the question, longest match first; an
// ambiguous value gives one hit for each of its columns. For the same words
// exact matches keep out stemmed ones, and those fuzzy ones. Words within a
// longer exact or stemmed match are not looked at again.
func (v *Values) Find(question string) []Hit {
	if v == nil || v.count == 0 {
		return nil
	}
	m := v.mentions(question)
	m.covered = make([]bool, len(m.tokens))
	longest := 0
	for _, p := range v.parts {
		longest = max(longest, p.longest)
	}
	for n := min(longest, len(m.tokens)); n >= 1; n-- {
		for i := 0; i+n <= len(m.tokens); i++ {
			if slices.Contains(m.covered[i:i+n], false) {
				m.findSpan(i, i+n)
			}
		}
	}
	m.findFuzzy()
	slices.SortStableFunc(m.hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.End-b.Start, a.End-a.Start), cmp.Compare(a.Start, b.Start), cmp.Compare(b.Score, a.Score))
	})
	return m.hits
}

// Exactly returns the values that a text is as a whole: of what Find returns the exact matches that take in all of it.
func (v *Values) Exactly(text string) []Hit {
	if v == nil || v.count == 0 {
		return nil
	}
	m := v.mentions(text)
	if len(m.tokens) == 0 {
		return nil
	}
	m.exactHits(m.tokens, m.doubtful(m.tokens))
	return slices.DeleteFunc(m.hits, func(h Hit) bool { return !h.Exact || h.Start > 0 || h.End < len(text) })
}

func (v *Values) mentions(text string) *mentions {
	m := &mentions{Values: v, question: text, tokens: words.Tokens(text), capitals: !hasSmallLetter(text)}
	m.foreign = !words.English(m.tokens)
	return m
}

// findSpan adds the exact or stemmed hits of the tokens from start to end.
func (m *mentions) findSpan(start, end int) {
	if !m.lookUp(m.tokens[start:end]) {
		return
	}
	for i := start; i < end; i++ {
		m.covered[i] = true
	}
	if end-start < 2 {
		return
	}
	// "colorado river" may be a value, and so may be the "colorado" of the
	// rivers.
	if m.NamesColumn(m.tokens[start].Text) {
		m.lookUp(m.tokens[start+1 : end])
	}
	if m.NamesColumn(m.tokens[end-1].Text) {
		m.lookUp(m.tokens[start : end-1])
	}
}

// lookUp adds the exact hits of tokens, or else the stemmed ones, and reports whether there are any.
func (m *mentions) lookUp(tokens []words.Token) bool {
	before, doubtful := len(m.hits), m.doubtful(tokens)
	m.exactHits(tokens, doubtful)
	if len(m.hits) == before && !doubtful {
		m.stemmedHits(tokens)
	}
	return len(m.hits) > before
}

// doubtful reports whether tokens are a word that is hardly ever a value.
func (m *mentions) doubtful(tokens []words.Token) bool {
	return len(tokens) == 1 && (words.IsStop(tokens[0].Text) || len(tokens[0].Text) == 1 || m.foreign && words.IsForeignStop(tokens[0].Text))
}

// exactHits adds the values that differ from the tokens in case, accents and
// punctuation at most. A doubtful word has to be written just as the value.
func (m *mentions) exactHits(tokens []words.Token, doubtful bool) {
	start, end := tokens[0].Start, tokens[len(tokens)-1].End
	text := m.question[start:end]
	for e := range m.entries(words.Key(tokens)) {
		if doubtful && (e.value != text || m.capitals) {
			continue
		}
		h := Hit{Column: e.column, Value: e.value, Start: start, End: end, Exact: true, Score: 1}
		if e.value != text && words.Normalize(text) != words.Normalize(e.value) {
			// Only punctuation differs; it may have been left outside the tokens.
			h.Start, h.End = widen(m.question, start, end, e.value)
			if words.Normalize(m.question[h.Start:h.End]) != words.Normalize(e.value) {
				h.Exact, h.Score = false, punctuationScore
			}
		}
		m.hits = append(m.hits, h)
	}
}

// stemmedHits adds the values that have the tokens' stems.
func (m *mentions) stemmedHits(tokens []words.Token) {
	add := func(e entry) {
		m.hits = append(m.hits, Hit{Column: e.column, Value: e.value, Start: tokens[0].Start, End: tokens[len(tokens)-1].End, Score: stemScore})
	}
	k := words.StemKey(tokens)
	for _, p := range m.parts {
		for _, i := range p.stems[k] {
			for _, e := range p.texts[i].entries {
				if m.columns[e.column] > 0 {
					add(e)
				}
			}
		}
	}
	for e := range m.entries(k) {
		add(e)
	}
}

// entries yields the values with a key.
func (v *Values) entries(k string) iter.Seq[entry] {
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

// NamesColumn reports whether a word is part of the name of an indexed column or its
// relation.
func (v *Values) NamesColumn(word string) bool {
	w := words.Stem(words.Singular(word))
	return v != nil && slices.ContainsFunc(v.parts, func(p *valuePart) bool { return p.nouns[w] })
}

// widen takes in the punctuation around a part of the question that the value
// has too, as in "U.S." or "C++".
func widen(question string, start, end int, value string) (int, int) {
	tokens := words.Tokens(value)
	if len(tokens) == 0 {
		return start, end
	}
	before, after := value[:tokens[0].Start], value[tokens[len(tokens)-1].End:]
	if s := start - len(before); s >= 0 && question[s:start] == before {
		start = s
	}
	if e := end + len(after); e <= len(question) && question[end:e] == after {
		end = e
	}
	return start, end
}

// hasSmallLetter reports whether a text has a small letter, or one that is not
// ASCII.
func hasSmallLetter(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= utf8.RuneSelf })
}
