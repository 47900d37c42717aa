package words

// Vocabulary splits names that run words together: "sourceairport", by the
// words that the other names and comments of a database are made of. The zero
// value has to be made by NewVocabulary.
type Vocabulary map[string]bool

// NewVocabulary returns a Vocabulary of the words that many databases have.
func NewVocabulary() Vocabulary {
	v := Vocabulary{}
	for w := range genericWords {
		if len(w) >= 3 {
			v[w] = true
		}
	}
	for _, w := range english().all {
		if len(w) >= 3 && !stopWords[w] {
			v[w] = true
		}
	}
	return v
}

// Add adds the words of a name or comment.
func (v Vocabulary) Add(text string) {
	for _, w := range Split(text) {
		if len(w) >= 3 && len(w) <= 12 {
			v[w], v[Singular(w)] = true, true
		}
	}
}

// Bounds of a word that runs others together.
const (
	shortestCompound = 5  // bytes
	longestCompound  = 40 // bytes
	longestPart      = 14 // bytes
	mostParts        = 4
)

// splitWord returns the words that a word runs together, nil if it is one. The
// split with the fewest words wins. All parts but a final "id" or "no" have
// three letters at least.
func (v Vocabulary) splitWord(word string) []string {
	if len(word) < shortestCompound || len(word) > longestCompound || english().whole[word] || english().whole[Singular(word)] {
		return nil
	}
	// best[end] is the split of word[:end] with the fewest parts.
	type split struct{ parts, lastStart int }
	best := make([]split, len(word)+1)
	for end := 1; end <= len(word); end++ {
		best[end].parts = len(word) + 1
		for start := max(0, end-longestPart); start < end; start++ {
			if n := best[start].parts + 1; n < best[end].parts && v.isPart(word, start, end) {
				best[end] = split{n, start}
			}
		}
	}
	last := best[len(word)]
	unknownStart := best[last.lastStart].parts == 1 && !v[word[:last.lastStart]]
	if last.parts > mostParts || unknownStart && len(word)-last.lastStart < 4 {
		return nil
	}
	var parts []string
	for end := len(word); end > 0; end = best[end].lastStart {
		parts = append([]string{word[best[end].lastStart:end]}, parts...)
	}
	return parts
}

// isPart reports whether word[start:end] may be a part of the word.
func (v Vocabulary) isPart(word string, start, end int) bool {
	part := word[start:end]
	switch {
	case start == 0 && end == len(word):
		return false
	case len(part) >= 3 && v[part]:
		return true
	case start == 0:
		// An unknown beginning is a prefix of the schema's or another word:
		// tblorders, unitprice.
		return len(part) == 2 || len(part) == 3 || len(part) <= 6 && len(word)-end >= 5
	}
	return end == len(word) && (part == "id" || part == "no" || part == "nr")
}

// NameTerms returns the terms of a name for an index: the stems of its words,
// of their parts where they run together, and of what they abbreviate.
func (v Vocabulary) NameTerms(name string) []string {
	var out []string
	add := func(w string) {
		out = append(out, Stem(w))
		out = append(out, ExpandedStems(w)...)
	}
	for _, w := range Split(name) {
		add(w)
		for _, p := range v.splitWord(w) {
			add(p)
		}
	}
	return out
}

// NameStems returns one stem for each word of a name, unlike NameTerms: for an
// abbreviation that of the first word that it stands for.
func (v Vocabulary) NameStems(name string) []string {
	var out []string
	for _, w := range Split(name) {
		parts := v.splitWord(w)
		if parts == nil {
			parts = []string{w}
		}
		for _, p := range parts {
			if long := ExpandedStems(p); len(long) > 0 {
				out = append(out, long[0])
			} else {
				out = append(out, Stem(p))
			}
		}
	}
	return out
}
