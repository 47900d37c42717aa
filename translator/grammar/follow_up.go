package grammar

import (
	"slices"
	"strings"

	"askpg/ask"
)

// followUps writes the whole question that one means which follows up on
// another, likeliest first: a time, a key or a value of the same column that it
// says takes the place of the one that there was, anything else is said of the
// same things. It is an error if it cannot be told what is replaced.
func followUps(x *lexicon, previous, question string, o Options) ([]string, error) {
	said, more := newParser(x, previous, o), newParser(x, question, o)
	before := said.tokens
	for len(before) > 0 && before[len(before)-1].kind == punctToken {
		before = before[:len(before)-1]
	}
	start, end := more.contentSpan()
	if start >= end || len(before) == 0 {
		return []string{previous + " " + question}, nil
	}
	rest := writeTokens(more.tokens[start:end])
	if value, olds := more.replaced(start, end, said, len(before)); len(olds) > 0 {
		q := strings.TrimSpace(writeTokens(before[:olds[0][0]]) + " " + writeTokens(more.tokens[value:end]) + " " + writeTokens(before[olds[0][1]:]))
		if len(olds) > 1 || !slices.Equal(x.comparedColumns(previous, o), x.comparedColumns(q, o)) {
			return nil, ask.Errorf(ask.CodeNoCandidate, "the question was not understood").
				WithDetail("It is not clear what %q takes the place of in %q.", rest, previous).WithHint("Ask the whole question.")
		}
		return []string{q}, nil
	}
	var out []string
	whole := func(span func(p *parser, i int) int) {
		if span(more, start) != end {
			return
		}
		for i := range before {
			if e := span(said, i); e > i && e <= len(before) {
				out = append(out, strings.TrimSpace(writeTokens(before[:i])+" "+rest+" "+writeTokens(before[e:])))
				return
			}
		}
	}
	whole((*parser).timeSpan)
	whole((*parser).keySpan)
	base := writeTokens(before)
	if len(more.prepositions(start)) == 0 && len(more.ends(start, "relative", "group", "with", "without", "order", "except")) == 0 {
		out = append(out, base+" that are "+rest)
	}
	return append(out, base+" "+rest, previous+" "+question), nil
}

// replaced reads tokens of a follow-up as a value, with a preposition before it
// or none. It returns where the value begins, and the tokens of said before end
// that are a value of the same column after the same preposition, or anywhere
// if the follow-up has none.
func (p *parser) replaced(from, to int, said *parser, end int) (value int, olds [][2]int) {
	for _, value = range append(p.prepositions(from), from) {
		hits := p.mentions.values[value][to]
		if len(hits) == 0 {
			continue
		}
		for i := 0; i < end; i++ {
			if value > from && !said.after(i, p.wordsBetween(from, value)) {
				continue
			}
			for j := min(end, i+maxValueWords); j > i; j-- {
				if slices.ContainsFunc(said.mentions.values[i][j], func(old hit) bool {
					return slices.ContainsFunc(hits, func(h hit) bool { return h.column == old.column })
				}) {
					olds = append(olds, [2]int{i, j})
					i = j - 1 // no part of it is another value
					break
				}
			}
		}
		if len(olds) > 0 {
			break
		}
	}
	return value, olds
}

// after reports whether token i stands after words, with an article between
// them or none.
func (p *parser) after(i int, words []string) bool {
	n := len(words)
	return i >= n && p.follows(i-n, words) || i > n && slices.Contains(p.ends(i-1, "article"), i) && p.follows(i-1-n, words)
}

// comparedColumns returns the columns of which the best reading of a question has a value.
func (x *lexicon) comparedColumns(question string, o Options) []string {
	o.Suggest = false
	p := newParser(x, question, o)
	list := p.interpretations(p.read())
	if len(list) == 0 {
		return nil
	}
	var out []string
	for _, l := range list[0].Linked {
		if l.Value != "" {
			out = append(out, l.Object)
		}
	}
	slices.Sort(out)
	return out
}

// contentSpan returns the tokens of a follow-up that say something: "what about only
// the cancelled ones" says "cancelled".
func (p *parser) contentSpan() (start, end int) {
	end = len(p.tokens)
	for changed := true; changed; {
		changed = false
		if front := p.ends(start, "follow", "article", "comma"); len(front) > 0 && p.timeSpan(start) == start && p.keySpan(start) == start {
			start, changed = front[0], true
		}
		for end > start && (p.tokens[end-1].kind == punctToken || slices.Contains([]string{"ones", "one", "instead", "then", "only", "please", "too", "again"}, p.tokens[end-1].lower)) {
			end, changed = end-1, true
		}
	}
	return start, end
}

// timeSpan returns the end of the time that begins at token i, i if none does.
func (p *parser) timeSpan(i int) int {
	end := i
	for _, d := range p.date(i) {
		end = max(end, d.end)
	}
	return end
}

// keySpan returns the end of the key that begins at token i with a word such as
// "per", i if none does.
func (p *parser) keySpan(i int) int {
	end := i
	for _, e := range p.ends(i, "group") {
		for _, k := range p.keys(e) {
			if k.cost < 1 {
				end = max(end, k.end)
			}
		}
	}
	return end
}
