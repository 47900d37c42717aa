// Questions near to one that has no answer.

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"askpg/ask"
	"askpg/catalog"
)

// Bounds of the search for a question that a refusal suggests.
const (
	maxTried    = 8                    // questions that are read
	minTried    = 5                    // of these, however long they take
	suggestTime = 5 * time.Millisecond // after which no other is begun, or after suggestMore times as long as the reading of the question took
	suggestMore = 3
	keptShare   = 0.33 // of what the question says, which another has to keep to be near
	minSaid     = 2    // things that are said by a question worth asking: "products" says one
	namedScore  = 0.85 // of a word that is a relation's name
	sureScore   = 0.8  // of a reading of a part of the question, which may be another one by chance
)

// suggestion is what can be asked instead: questions that have an answer.
type suggestion struct {
	questions []string
	changed   string // how their words differ from those asked: `With "deals" for "pipeline"`
	without   string // what they leave out of what was asked
	why       string // it has to be said anew; "" if there is nothing to say but which words were not understood
	kept      string // where none is near: the most of the question that was understood, without the rest
}

// rewording is a question in other words, or several questions if the words are ambiguous.
type rewording struct {
	questions []string
	changed   string
	why       string
	all       bool   // they are of use if each has an answer
	keep      [2]int // bytes of the words that it has in the place of others
}

// search reads questions near to the one asked until its deadline.
type search struct {
	*parser
	options        Options
	askedRelations []*catalog.Relation // by the question asked
	deadline       time.Time
	tried          map[string]bool
}

// isOver reports whether no further question is read.
func (s *search) isOver() bool {
	return s.options.isStopped() || len(s.tried) >= maxTried || len(s.tried) >= minTried && time.Now().After(s.deadline)
}

// read reads a question, and returns its one likely reading, nil if it has none.
func (s *search) read(question string, least float64) (q *parser, r *Interpretation) {
	s.tried[question] = true
	q = newParser(s.lexicon, question, s.options)
	if len(q.unknown()) > 0 || q.forbiddenError() != nil || q.asksToAct() {
		return q, nil
	}
	list := q.interpretations(q.read())
	if len(list) == 0 || list[0].Score < least || isAmbiguous(list) {
		return q, nil
	}
	return q, &list[0]
}

// speaksOf reports whether a reading is of a table that the question asked names, where it names any.
func (s *search) speaksOf(r *Interpretation) bool {
	return len(s.askedRelations) == 0 || slices.ContainsFunc(s.askedRelations, func(t *catalog.Relation) bool {
		name := t.Name.Schema + "." + t.Name.Name
		return slices.ContainsFunc(r.Linked, func(l ask.Link) bool { return l.Object == name || strings.HasPrefix(l.Object, name+".") })
	})
}

// nearest returns the questions that keep most of the one asked and have an answer: in other words, or without a part of it. A
// try that has no answer tells which phrases of it were read.
func (p *parser) nearest(unknown []int) suggestion {
	if !p.options.Suggest {
		return suggestion{}
	}
	o := p.options
	o.Suggest = false
	named, _ := p.mentionedRelations()
	s := &search{p, o, named, time.Now().Add(max(suggestTime, suggestMore*time.Since(p.startedAt))), map[string]bool{}}
	own := newCutter(p)
	queue := own.cuts(unknown)
	for _, r := range p.reworded(unknown) {
		list, further := s.reword(r)
		if len(list) > 0 {
			return suggestion{questions: list, changed: r.changed, why: r.why}
		}
		queue = append(queue, further...)
	}
	return s.cut(sorted(queue), keptShare*float64(own.countContent(make([]bool, len(p.tokens)))-len(unknown)))
}

// reword reads a question in other words. It returns those that have an answer, each another one, or what may be cut from the
// first.
func (s *search) reword(r rewording) (list []string, further []cut) {
	seen := map[string]bool{}
	for _, question := range r.questions {
		if s.isOver() || s.tried[question] {
			continue
		}
		q, answer := s.read(question, score(answeredCost))
		if answer != nil && !seen[answer.SQL] {
			seen[answer.SQL], list = true, append(list, question)
		}
		if r.keep[1] > 0 && len(further) == 0 && len(q.unknown()) == 0 {
			c := newCutter(q)
			c.changed, c.keep = cmp.Or(r.changed, "In other words"), r.keep
			further = c.cuts(nil)
		}
	}
	if r.all && len(list) < len(r.questions) {
		return nil, further
	}
	return list, further
}

// cut reads what cuts leave, the most first.
func (s *search) cut(queue []cut, least float64) suggestion {
	for len(queue) > 0 && !s.isOver() {
		c := queue[0]
		queue = queue[1:]
		question := c.of.textKept(c.out)
		if s.tried[question] || !c.isWhole() {
			continue
		}
		q, answer := s.read(question, sureScore)
		if answer == nil || !s.speaksOf(answer) {
			queue = sorted(append(queue, c.readIn(q)...))
			continue
		}
		out := suggestion{changed: c.of.changed, without: c.of.textCutOut(c.out)}
		if c.of.countThings(c.out) < minSaid || float64(c.of.countContent(c.out)) < least {
			out.kept = question
		} else {
			out.questions = []string{question}
		}
		return out
	}
	return suggestion{}
}

// reworded returns the question in words that may be read where its own are not.
func (p *parser) reworded(unknown []int) (out []rewording) {
	if len(unknown) == 0 {
		if list := p.ofTotals(); len(list) > 0 {
			out = append(out, rewording{questions: list, all: true, why: "It is not said whether a total or an average is meant."})
		}
		if list := p.endedQuestions(); len(list) > 0 {
			out = append(out, rewording{questions: list, all: true})
		}
	}
	if list, end := p.rephrased(); len(list) > 0 {
		out = append(out, rewording{questions: list, keep: [2]int{0, end}})
	}
	return append(out, p.withNames(unknown)...)
}

// withNames returns the question with a name of the database in the place of words that nothing accounts for: one that is
// written nearly so, or, where no table is named, one of which the rest speaks.
func (p *parser) withNames(unknown []int) (out []rewording) {
	if len(unknown) == 0 {
		return nil
	}
	from, to := unknown[0], unknown[0]+1
	for slices.Contains(unknown, to) {
		to++
	}
	if len(unknown) != to-from {
		return nil // the other one would be left
	}
	replace := func(by string) {
		start, end := p.tokens[from].start, p.tokens[to-1].end
		q, changed := p.question[:start]+by+p.question[end:], fmt.Sprintf("With %q for %q", by, p.question[start:end])
		out = append(out, rewording{questions: []string{strings.TrimRight(q, "?!. ")}, changed: changed, keep: [2]int{start, start + len(by)}})
	}
	// what ends in a name may be the contrary, as "abnormal" of "normal"
	if w := p.lexicon.similarName(p.tokens[from].lower); w != "" && to == from+1 && !strings.HasSuffix(p.tokens[from].lower, w) {
		replace(w)
	}
	behind := from > 0 && p.tokens[from-1].lower != "of" && (p.language.prepositions[p.tokens[from-1].lower] || len(p.ends(from-1, "group")) > 0) // "by weather"
	if named, of := p.mentionedRelations(); len(named) == 0 && !behind && !p.isQualifier(to-1) {
		for _, r := range of[:min(2, len(of))] {
			name := p.language.spoken(r.Name.Name)
			if slices.ContainsFunc(name, p.language.isTerse) {
				continue
			}
			one := strings.Join(name, " ")
			if singular(p.tokens[to-1].lower) == "" { // "which tome has", but "open pipeline" are open deals
				replace(cmp.Or(singular(one), one))
			}
			replace(plural(one))
		}
	}
	return out
}

// ofTotals returns the question asked of totals and of averages, where it begins with a number that each of several things has.
func (p *parser) ofTotals() (list []string) {
	number := func(c columnCandidate) bool { return c.column.Class == catalog.Number && !p.isIdentifier(c.column) }
	for _, start := range p.afterOpening(0, len(p.tokens)) {
		for _, a := range inOrder(p.mentions.attributes[start.at]) {
			if len(list) > 0 || len(p.ends(start.at, "sum", "avg")) > 0 || !slices.ContainsFunc(a.candidates, number) {
				continue
			}
			from := p.tokens[start.at].start
			for _, word := range []string{"total ", "average "} {
				list = append(list, trimmed(p.question[:from]+word+p.question[from:]))
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
		if i > 0 && t.joint != "" && t.start == tokens[i-1].end+len(t.joint) {
			b.WriteString(t.joint)
		} else if i > 0 && t.lower != "'s" && t.lower != "," && t.lower != "?" && t.lower != "n't" {
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

// similarName returns the name of the database that is written nearly as a
// word, or begins as it does; "" if there is none.
func (x *lexicon) similarName(word string) string {
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
