// Questions that say what was asked in other words, which have an answer.

package grammar

import (
	"strconv"
	"strings"
)

// rephrased returns the question in words that may be read where its own are not: "orders not shipped" for "unshipped
// orders", and by what things sold best.
func (p *parser) rephrased() []string {
	end := len(p.tokens)
	text := func(from, to int) string { return strings.TrimRight(writeTokens(p.tokens[from:to]), "?!. ") }
	for i, t := range p.tokens {
		rest := strings.TrimPrefix(t.lower, "un")
		for _, m := range p.mentions.relations[min(i+1, end-1)] {
			if rest != t.lower && m.start == i+1 && text(m.end, end) == "" {
				return []string{strings.TrimSpace(text(0, i)+" "+text(m.start, m.end)) + " not " + rest}
			}
		}
		for _, e := range p.ends(i, "sold_best") {
			for k := range p.tokens {
				for _, m := range p.mentions.relations[k] {
					if m.score >= namedScore && (m.end <= i || m.start >= e) {
						top := "top 10 " + text(m.start, m.end) + " by "
						behind := " " + text(max(m.end, e), end)
						return []string{strings.TrimSpace(top + "quantity" + behind), strings.TrimSpace(top + "revenue" + behind)}
					}
				}
			}
		}
	}
	return nil
}

// saidOtherwise returns questions that say what was asked and have an answer, in quotes: of what goes on and of what has
// ended, or in other words.
func (p *parser) saidOtherwise() []string {
	if !p.options.Suggest {
		return nil
	}
	var out []string
	for _, q := range p.endedQuestions() {
		if list := p.lexicon.readAll(q, p.options); len(list) > 0 && list[0].Score >= sureScore && !isAmbiguous(list) {
			out = append(out, strconv.Quote(q))
		}
	}
	for _, q := range p.rephrased() {
		if p.lexicon.answers(q, p.options) {
			out = append(out, strconv.Quote(q))
		}
	}
	return out
}

// denies reports whether a word says that another is not so: what is "undelivered" is not what the value "delivered" says.
func denies(word, value string) bool {
	rest := strings.TrimPrefix(word, "un")
	return rest != word && strings.HasPrefix(strings.ToLower(value), rest[:min(4, len(rest))])
}
