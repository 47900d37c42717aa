// Questions near to one that has no answer.

package grammar

import (
	"slices"
	"strings"
	"time"
)

// What a refusal says beside the word that was not understood: what is called
// nearly so, and questions close to this one that have an answer.
const (
	maxSuggested = 2    // questions that a refusal suggests
	maxTried     = 10   // questions that are read to find them, of either kind
	namedScore   = 0.85 // of a word that is a relation's name
	sureScore    = 0.8  // of a reading of a question that is to settle which of two is meant
	// suggestTime bounds the reading of either kind.
	suggestTime = 30 * time.Millisecond
)

// suggestion is a question that the engine answers, and the words of the
// question asked that it leaves out.
type suggestion struct {
	question string
	without  string
}

// suggest finds questions near to the one asked that have an answer: the
// question without one of its parts, unknown words first, and what is usual to
// ask of the relations that it names.
func (p *parser) suggest(unknown []int) []suggestion {
	var out []suggestion
	if !p.options.Suggest {
		return nil
	}
	for _, q := range p.endedQuestions() {
		if list := p.lexicon.readAll(q, p.options); len(list) > 0 && list[0].Score >= sureScore && !isAmbiguous(list) {
			out = append(out, suggestion{q, ""})
		}
	}
	for _, q := range p.rephrased() {
		if p.lexicon.answers(q, p.options) {
			out = append(out, suggestion{q, ""})
		}
	}
	deadline, tried := time.Now().Add(suggestTime), 0
	try := func(question, without string) {
		if question == "" || without != "" && !p.isWhole(question) || len(out) >= maxSuggested || tried >= maxTried || time.Now().After(deadline) ||
			slices.ContainsFunc(out, func(s suggestion) bool { return s.question == question }) {
			return
		}
		tried++
		if p.lexicon.answers(question, p.options) && (without == "" || p.namesThing(question)) {
			out = append(out, suggestion{question, without})
		}
	}
	parts := p.cutParts()
	lacking := parts
	if len(unknown) > 0 {
		lacking = slices.DeleteFunc(slices.Clone(parts), func(part [2]int) bool {
			return !slices.ContainsFunc(unknown, func(i int) bool { return part[0] <= i && i < part[1] })
		})
		try(p.without(lacking), p.textOf(lacking))
		if p.namesRelation() { // else the word may be what the question is about
			var alone [][2]int
			for _, i := range unknown {
				alone = append(alone, [2]int{i, i + 1})
			}
			try(p.without(alone), p.textOf(alone))
		}
	} else {
		for i := len(lacking) - 1; i >= 0; i-- {
			try(p.without(lacking[i:i+1]), p.textOf(lacking[i:i+1]))
		}
		for i := len(lacking) - 2; i > 0; i-- {
			try(p.without(lacking[i:]), p.textOf(lacking[i:]))
		}
	}
	deadline, tried = time.Now().Add(suggestTime), 0
	for _, q := range p.commonQuestions() {
		try(q, "")
	}
	return out
}

// isWhole reports whether what is left of the question asked is a question: it
// begins as that did and does not break off.
func (p *parser) isWhole(question string) bool {
	left := scan(question)
	if len(left) < 3 {
		return false // "which month", "return rate"
	}
	return left[0].lower == p.tokens[0].lower && !p.language.prepositions[left[0].lower] && !p.language.prepositions[left[len(left)-1].lower] && !p.language.functionWords[left[len(left)-1].lower]
}

// namesThing reports whether what is left of the question names a relation and does not end with a verb, as "where do our
// students come" does.
func (p *parser) namesThing(question string) bool {
	left := newParser(p.lexicon, question, p.options)
	return left.namesRelation() && !left.isVerb(len(left.tokens)-1)
}

// answers reports whether a question has one likely reading.
func (x *lexicon) answers(question string, o Options) bool {
	list := x.readAll(question, o)
	return len(list) > 0 && !isAmbiguous(list)
}

// cutParts cuts the question where something more is said: at prepositions, at
// commas, before relative clauses and keys.
func (p *parser) cutParts() [][2]int {
	var out [][2]int
	start := 0
	for i, t := range p.tokens {
		cut := p.language.prepositions[t.lower] || t.kind == punctToken || len(p.ends(i, "relative", "group", "with", "without", "and", "or", "whose", "order", "except", "since")) > 0
		if cut && i > start && !(i > 0 && len(p.ends(i-1, "relative", "group", "with", "and", "or", "order")) > 0) {
			out, start = append(out, [2]int{start, i}), i
		}
	}
	if start < len(p.tokens) {
		out = append(out, [2]int{start, len(p.tokens)})
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// without writes the question without some of its tokens.
func (p *parser) without(parts [][2]int) string {
	if len(parts) == 0 {
		return ""
	}
	var kept []token
	for i, t := range p.tokens {
		if !slices.ContainsFunc(parts, func(part [2]int) bool { return part[0] <= i && i < part[1] }) {
			kept = append(kept, t)
		}
	}
	for len(kept) > 0 && kept[len(kept)-1].kind == punctToken {
		kept = kept[:len(kept)-1]
	}
	return writeTokens(kept)
}

// textOf returns the words of some tokens.
func (p *parser) textOf(parts [][2]int) string {
	var tokens []token
	for _, part := range parts {
		tokens = append(tokens, p.tokens[part[0]:part[1]]...)
	}
	return strings.TrimRight(writeTokens(tokens), "?!. ")
}

// writeTokens writes tokens as they stood.
func writeTokens(tokens []token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && t.lower != "'s" && t.lower != "," && t.lower != "?" && t.lower != "n't" {
			b.WriteByte(' ')
		}
		if t.kind == quotedToken {
			b.WriteString("'" + t.text + "'")
			continue
		}
		b.WriteString(t.text)
	}
	return strings.TrimSpace(b.String())
}

// calledNearly returns the name of the database that is written nearly as a
// word, or begins as it does; "" if there is none.
func (x *lexicon) calledNearly(word string) string {
	best, distance := "", 4
	for _, w := range x.words {
		d := editDistance(word, w, 3)
		if d > 2 && isShortFor(w, word) {
			return w
		}
		if n := min(len(w), len(word)); d > 2 && n >= 5 && w[:5] == word[:5] {
			d = 3
		}
		if d < distance && (d < len(word)/2 || d == 3) {
			best, distance = w, d
		}
	}
	if distance > 3 || distance > 2 && (len(word) < 5 || len(best) < 5 || best[:5] != word[:5]) {
		return ""
	}
	return best
}

// isShortFor reports whether a name is a longer word with letters left out
// between its first and its last: "appts" for "appointments".
func isShortFor(short, word string) bool {
	if len(short) < 4 || len(short) >= len(word) || short[0] != word[0] || short[len(short)-1] != word[len(word)-1] {
		return false
	}
	k := 0
	for i := 0; i < len(word) && k < len(short); i++ {
		if word[i] == short[k] {
			k++
		}
	}
	return k == len(short)
}
