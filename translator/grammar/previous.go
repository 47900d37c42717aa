package grammar

import (
	"slices"
	"strings"
)

// followUps writes the whole question that one means which follows up on
// another, likeliest first: a time or a key that it says takes the place of the
// one that there was, anything else is said of the same things.
func followUps(x *lexicon, previous, question string, o Options) []string {
	said, more := newParser(x, previous, o), newParser(x, question, o)
	before := said.toks
	for len(before) > 0 && before[len(before)-1].kind == punctToken {
		before = before[:len(before)-1]
	}
	start, end := more.kernel()
	if start >= end || len(before) == 0 {
		return nil
	}
	rest := writeTokens(more.toks[start:end])
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
	if len(more.prepositions(start)) == 0 && len(more.ends(start, "rel", "group", "with", "without", "order", "except")) == 0 {
		out = append(out, base+" that are "+rest)
	}
	return append(out, base+" "+rest)
}

// kernel returns the tokens of a follow-up that say something: "what about only
// the cancelled ones" says "cancelled".
func (p *parser) kernel() (start, end int) {
	end = len(p.toks)
	for changed := true; changed; {
		changed = false
		if front := p.ends(start, "follow", "det", "comma"); len(front) > 0 && p.timeSpan(start) == start && p.keySpan(start) == start {
			start, changed = front[0], true
		}
		for end > start && (p.toks[end-1].kind == punctToken || slices.Contains([]string{"ones", "one", "instead", "then", "only", "please", "too", "again"}, p.toks[end-1].lower)) {
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
