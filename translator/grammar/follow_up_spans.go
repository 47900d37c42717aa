// The parts of a question that a follow-up may replace: times, numbers, keys, orders.

package grammar

import (
	"slices"
	"strconv"
	"strings"
)

// yearIn returns which of the tokens is a year, -1 if none is.
func yearIn(tokens []token) int {
	return slices.IndexFunc(tokens, func(t token) bool {
		n, err := strconv.Atoi(t.text)
		return err == nil && len(t.text) == 4 && n >= 1900 && n < 2100
	})
}

// partOfYear reports whether tokens name a month or a quarter.
func (p *parser) partOfYear(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool {
		_, month := p.language.dates.Months[t.lower]
		return month || slices.Contains(p.language.dates.Quarter, strings.TrimRight(t.lower, "1234"))
	})
}

// comparisonSpan returns the end of a comparison with a number that begins at token i.
func (p *parser) comparisonSpan(i int) int {
	for _, e := range p.ends(i, "gt", "lt", "ge", "le") {
		if _, n := p.number(e); n > e {
			return p.unit(n)[0]
		}
	}
	return i
}

// limitSpan returns the end of "top 5" that begins at token i.
func (p *parser) limitSpan(i int) int {
	for _, e := range p.ends(i, "top", "bottom", "latest", "earliest") {
		if _, n := p.number(e); n > e {
			return n
		}
	}
	return i
}

// orderSpan returns the end of an order that begins at token i.
func (p *parser) orderSpan(i int) int {
	end := i
	for _, m := range p.ordering(i) {
		if m.cost < 1 {
			end = max(end, m.end)
		}
	}
	return end
}

// relationAt returns where the names of relations that begin at token i end, longest first.
func (p *parser) relationAt(i int) (ends []int) {
	for _, r := range p.mentions.relations[i] {
		if r.score >= namedScore {
			ends = append(ends, r.end)
		}
	}
	slices.Sort(ends)
	slices.Reverse(ends)
	return ends
}

// replaced reads tokens of a follow-up as a value, with a preposition before it
// or none. It returns where the value begins, and the tokens of said before end
// that are a value of the same column after the same preposition, or anywhere
// if the follow-up has none.
func (p *parser) replaced(from, to int, said *parser, end int) (value int, olds [][2]int) {
	for _, value = range append(p.prepositions(from), from) {
		if value >= to {
			continue
		}
		hits := p.mentions.values[value][to]
		if len(hits) == 0 {
			continue
		}
		for i := 0; i < end; i++ {
			if value > from && !said.after(i, p.wordsBetween(from, value)) && !(i > 0 && p.isPlace(from, value) && said.isPlace(i-1, i) && said.isOf(hits)) {
				continue
			}
			for j := min(end, i+maxValueWords); j > i; j-- {
				if slices.ContainsFunc(said.mentions.values[i][j], func(old valueMention) bool {
					return slices.ContainsFunc(hits, func(h valueMention) bool { return h.column == old.column })
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

// isPlace reports whether tokens are a word with which a place is said either way: customers "in" a country are those "from" it.
func (p *parser) isPlace(i, j int) bool {
	return j == i+1 && (p.tokens[i].lower == "in" || p.tokens[i].lower == "from")
}

// isOf reports whether the question names what has one of the values itself. A place that is a row of its own may be
// either end of a way: "from Surgery", "to Surgery".
func (p *parser) isOf(hits []valueMention) bool {
	return p.anywhere(func(i int) bool {
		return slices.ContainsFunc(p.mentions.relations[i], func(r relationMention) bool {
			return r.score >= namedScore && slices.ContainsFunc(hits, func(h valueMention) bool { return h.column.Relation == r.relation })
		})
	})
}

// after reports whether token i stands after words, with an article between
// them or none.
func (p *parser) after(i int, words []string) bool {
	n := len(words)
	return i >= n && p.follows(i-n, words) || i > n && slices.Contains(p.ends(i-1, "article"), i) && p.follows(i-1-n, words)
}

// contentSpan returns the tokens of a follow-up that say something: "what about only
// the cancelled ones" says "cancelled".
func (p *parser) contentSpan() (start, end int) {
	end = len(p.tokens)
	for changed := true; changed; {
		changed = false
		if front := p.ends(start, "follow", "article", "comma"); len(front) > 0 && p.timeSpan(start) == start && p.keySpan(start) == start && p.limitSpan(start) == start {
			start, changed = front[0], true
		}
		for end > start && (p.tokens[end-1].kind == punctToken || slices.Contains([]string{"ones", "one", "instead", "then", "only", "please", "too", "again", "also"}, p.tokens[end-1].lower)) {
			end, changed = end-1, true
		}
		for start < end && slices.Contains([]string{"also", "instead", "rather"}, p.tokens[start].lower) {
			start, changed = start+1, true
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
