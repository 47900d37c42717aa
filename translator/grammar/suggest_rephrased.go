// Questions that say what was asked in other words, which have an answer.

package grammar

import (
	"cmp"
	"slices"
	"strings"

	"askpg/catalog"
)

// rephrased returns the question in words that may be read where its own are not: "orders not shipped" for "unshipped
// orders", "customers with orders" for "customers whose orders", and by what things are the best or the most popular. What
// is said so ends at a byte of the first.
func (p *parser) rephrased() (list []string, end int) {
	for i, t := range p.tokens[:max(0, len(p.tokens)-1)] {
		rest := strings.TrimPrefix(t.lower, "un")
		for _, m := range p.mentions.relations[i+1] {
			if rest != t.lower && p.writtenBetween(m.end, len(p.tokens)) == "" {
				q := strings.TrimSpace(p.writtenBetween(0, i)+" "+p.writtenBetween(m.start, m.end)) + " not " + rest
				return []string{q}, len(q)
			}
		}
	}
	for i, t := range p.tokens {
		if t.lower == "whose" && i > 0 {
			q := p.writtenBetween(0, i) + " with"
			return []string{q + " " + p.writtenBetween(i+1, len(p.tokens))}, len(q)
		}
		if list, end := p.rankedAt(i); len(list) > 0 {
			return list, end
		}
	}
	return nil, 0
}

// rankedAt returns rankings where words from token i on say that things are the best or the most popular.
func (p *parser) rankedAt(i int) (list []string, end int) {
	for _, how := range []string{"sold_best", "best", "popular", "most_often"} {
		for _, e := range p.ends(i, how) {
			if how == "most_often" && len(p.relationsFrom(e)) > 0 {
				continue // "the most members" are counted
			}
			if list, end := p.rankedBy(i, e, how == "sold_best"); len(list) > 0 {
				return list, end
			}
		}
	}
	return nil, 0
}

// rankedBy returns rankings of the things that words from i to e say are the best, by what is counted or summed of them, and
// where the first of them has said so. What is said before goes with the things, so there must be nothing.
func (p *parser) rankedBy(i, e int, sold bool) (list []string, end int) {
	for k := range p.tokens {
		for _, m := range p.mentions.relations[k] {
			apart := m.end <= i || m.start >= e
			longest := !slices.ContainsFunc(p.mentions.relations[k], func(o relationMention) bool { return o.end > m.end })
			if m.score < namedScore || !apart || !longest || p.hasWordsBetween(0, min(i, m.start)) || p.hasWordsBetween(min(e, m.end), max(i, m.start)) {
				continue
			}
			by, behind := []string{"quantity", "revenue"}, ""
			if !sold {
				by = p.countedOf(m.relation)
			}
			if at := max(m.end, e); at < len(p.tokens) {
				behind = " " + p.writtenBetween(at, len(p.tokens))
			}
			if strings.Contains(behind, " by ") {
				return nil, 0 // which says by what
			}
			things := p.writtenBetween(m.start, m.end)
			if p.language.irregular[p.tokens[m.end-1].lower] == "" {
				things = plural(things)
			}
			for _, what := range by {
				q := "top 10 " + things + " by " + what
				end = cmp.Or(end, len(q))
				list = append(list, strings.TrimSpace(q+behind))
			}
			return list, end
		}
	}
	return nil, 0
}

// hasWordsBetween reports whether the words from one to before another say something but what is done.
func (p *parser) hasWordsBetween(from, to int) bool {
	for i := from; i < to; i++ {
		if !p.isStructural(i) && !p.isVerb(i) {
			return true
		}
	}
	return false
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

// isNegationOf reports whether a word says that another is not so: what is "undelivered" is not what the value "delivered" says.
func isNegationOf(word, value string) bool {
	rest := strings.TrimPrefix(word, "un")
	return rest != word && strings.HasPrefix(strings.ToLower(value), rest[:min(4, len(rest))])
}
