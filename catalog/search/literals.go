package search

import (
	"regexp"
	"slices"
	"strings"

	"askpg/catalog/words"
)

// span is a part of the question, by byte offsets.
type span struct{ start, end int }

// quotedText is what a question puts in quotation marks.
var quotedText = regexp.MustCompile(`"([^"\n]+)"|“([^”\n]+)”|‘([^’\n]+)’|(?:^|[\s(])'([^'\n]+)'`)

// likelyValues returns the parts of a question that are likely values: what is
// quoted, and words that follow each other and are written like names or codes.
// What an exact hit covers is known already.
func likelyValues(question string, hits []Hit) []span {
	var out []span
	for _, s := range append(quotedSpans(question), namedSpans(question)...) {
		length := s.end - s.start
		known := slices.ContainsFunc(hits, func(h Hit) bool { return h.Exact && h.Start <= s.start && s.end <= h.End })
		overlaps := slices.ContainsFunc(out, func(o span) bool { return s.start < o.end && o.start < s.end })
		if length >= 3 && length <= lookupLength && len(out) < lookupTexts && !known && !overlaps {
			out = append(out, s)
		}
	}
	return out
}

// quotedSpans returns what a question puts in quotation marks.
func quotedSpans(question string) (out []span) {
	for _, m := range quotedText.FindAllStringSubmatchIndex(question, -1) {
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 { // American punctuation stands within the marks
				out = append(out, span{m[g], m[g] + len(strings.TrimRight(question[m[g]:m[g+1]], ".,;:!? "))})
			}
		}
	}
	return out
}

// namedSpans returns the words that follow each other and are written like
// names or codes. In a question without small letters the case says nothing.
func namedSpans(question string) (out []span) {
	if !hasSmallLetter(question) {
		return nil
	}
	tokens := words.Tokens(question)
	for i := 0; i < len(tokens); i++ {
		first := question[tokens[i].Start:tokens[i].End]
		if i == 0 && !isCode(first) || !isName(first) || words.IsStop(tokens[i].Text) {
			continue
		}
		last := i
		for last+1 < len(tokens) && isName(question[tokens[last+1].Start:tokens[last+1].End]) && joinsWords(question[tokens[last].End:tokens[last+1].Start]) {
			last++
		}
		out = append(out, span{tokens[i].Start, tokens[last].End})
		i = last
	}
	return out
}

// isName reports whether a word is written as a name or a code is.
func isName(w string) bool {
	return w[0] >= 'A' && w[0] <= 'Z' || w[0] >= 0x80 && words.Normalize(w) != w || isCode(w)
}

// isCode reports whether a word has both letters and digits.
func isCode(w string) bool {
	return strings.ContainsAny(w, "0123456789") && strings.IndexFunc(w, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }) >= 0
}

// joinsWords reports whether what is between two words leaves them one text.
func joinsWords(between string) bool {
	return len(between) == 1 && strings.Contains(" -.'_@/", between)
}
