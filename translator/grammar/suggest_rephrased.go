// Questions that say what was asked in other words, which have an answer.

package grammar

import (
	"strconv"
	"strings"

	"askpg/catalog"
)

// rephrased returns the question in words that may be read where its own are not: "orders not shipped" for "unshipped
// orders", and by what things are the best or the most popular.
func (p *parser) rephrased() []string {
	for i, t := range p.tokens[:max(0, len(p.tokens)-1)] {
		rest := strings.TrimPrefix(t.lower, "un")
		for _, m := range p.mentions.relations[i+1] {
			if rest != t.lower && p.writtenBetween(m.end, len(p.tokens)) == "" {
				return []string{strings.TrimSpace(p.writtenBetween(0, i)+" "+p.writtenBetween(m.start, m.end)) + " not " + rest}
			}
		}
	}
	for i := range p.tokens {
		for _, how := range []string{"sold_best", "best"} {
			for _, e := range p.ends(i, how) {
				if list := p.rankedBy(i, e, how == "sold_best"); len(list) > 0 {
					return list
				}
			}
		}
	}
	return nil
}

// rankedBy returns rankings of the things that words from i to e say are the best, by what is counted or summed of them.
func (p *parser) rankedBy(i, e int, sold bool) []string {
	for k := range p.tokens {
		for _, m := range p.mentions.relations[k] {
			if m.score < namedScore || m.end > i && m.start < e {
				continue
			}
			by := []string{"quantity", "revenue"}
			if !sold {
				by = p.countedOf(m.relation)
			}
			behind := ""
			if at := max(m.end, e); at < len(p.tokens) {
				behind = " " + p.writtenBetween(at, len(p.tokens))
			}
			var out []string
			for _, what := range by {
				out = append(out, strings.TrimSpace("top 10 "+p.writtenBetween(m.start, m.end)+" by "+what+behind))
			}
			return out
		}
	}
	return nil
}

// countedOf says what can be counted and summed of the rows of a relation: the most numerous of what refers to them.
func (p *parser) countedOf(r *catalog.Relation) []string {
	var rows *catalog.Relation
	for _, e := range p.lexicon.graph.edges[r] {
		if !e.toOne && (rows == nil || e.to.Rows > rows.Rows) {
			rows = e.to
		}
	}
	if rows == nil {
		return nil
	}
	called := plural(strings.Join(p.language.spoken(rows.Name.Name), " "))
	out := []string{"number of " + called}
	if c := p.impliedColumn(rows, true); c != nil {
		out = append(out, strings.Join(p.language.spoken(c.Name), " ")+" of "+called)
	}
	return out
}

// writtenBetween writes the words from one to before another, without the marks at the end of a sentence.
func (p *parser) writtenBetween(from, to int) string {
	return strings.TrimRight(writeTokens(p.tokens[from:to]), "?!. ")
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
