// Questions near to one that has no answer.

package grammar

import (
	"slices"
	"strings"
	"time"

	"askpg/catalog"
)

// Bounds of the search for a question that a refusal suggests.
const (
	maxTried    = 4                    // questions that are read
	leastTried  = 2                    // of these, however long they take
	suggestTime = 5 * time.Millisecond // after which no other is begun, or after as long as the reading of the question asked took
	keptShare   = 0.5                  // of the words that say something, which a question has to keep to be near
	namedScore  = 0.85                 // of a word that is a relation's name
	sureScore   = 0.8                  // of a reading of a question that is to settle which of two is meant
)

// suggestion is the question asked without some of its words, which the engine answers.
type suggestion struct {
	question string
	without  string
}

// nearest returns the question that keeps most of the one asked and has an answer, the zero value if none is near. A try that
// has no answer tells which phrases of it were read.
func (p *parser) nearest(unknown []int) suggestion {
	if !p.options.Suggest {
		return suggestion{}
	}
	o := p.options
	o.Suggest = false
	deadline, seen := time.Now().Add(max(suggestTime, time.Since(p.began))), map[string]bool{}
	words := newCutter(p)
	queue := words.cuts(unknown)
	least := keptShare * float64(words.sayings(make([]bool, len(p.tokens)))-len(unknown))
	for len(queue) > 0 && len(seen) < maxTried && (len(seen) < leastTried || time.Now().Before(deadline)) {
		c := queue[0]
		queue = queue[1:]
		s := suggestion{p.written(c.out, false), p.written(c.out, true)}
		if seen[s.question] || float64(words.sayings(c.out)) < least || !words.isWhole(c.out) {
			continue
		}
		seen[s.question] = true
		q := newParser(p.lexicon, s.question, o)
		if len(q.unknown()) > 0 || q.deniedError() != nil {
			continue
		}
		if list := q.interpretations(q.read()); len(list) > 0 && list[0].Score >= score(answeredCost) && !isAmbiguous(list) {
			return s
		}
		queue = words.sorted(append(queue, words.readIn(q, c)...))
	}
	return suggestion{}
}

// ofTotals returns the question asked of totals and of averages, where it begins with a number that each of several things has.
func (p *parser) ofTotals() (list []string) {
	number := func(c columnCandidate) bool { return c.column.Class == catalog.Number && !p.isIdentifier(c.column) }
	for _, start := range p.afterOpening(0, len(p.tokens)) {
		for _, a := range inOrder(p.mentions.attributes[start.at]) {
			if !p.options.Suggest || len(list) > 0 || !slices.ContainsFunc(a.candidates, number) {
				continue
			}
			from := p.tokens[start.at].start
			for _, word := range []string{"total ", "average "} {
				if q := trimmed(p.question[:from] + word + p.question[from:]); p.lexicon.answers(q, p.options) {
					list = append(list, q)
				}
			}
		}
	}
	return list
}

// answers reports whether a question has one likely reading.
func (x *lexicon) answers(question string, o Options) bool {
	list := x.readAll(question, o)
	return len(list) > 0 && !isAmbiguous(list)
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
