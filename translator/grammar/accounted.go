package grammar

import (
	"fmt"
	"slices"

	"askpg/catalog"
)

// objects are the relations and columns that a reading uses.
type objects struct {
	lexicon   *lexicon
	relations map[*catalog.Relation]bool
	columns   map[*catalog.Column]bool
}

// leftOut says which word of the question names something of the database of
// which the reading uses nothing, "" if there is none.
func (p *parser) leftOut(n *phrase) string {
	u := &objects{p.lexicon, map[*catalog.Relation]bool{}, map[*catalog.Column]bool{}}
	u.phrase(n)
	for i := range p.tokens {
		if p.tokens[i].kind != wordToken || p.isFunction(i) || len(p.nameWords(i)) > 0 || p.hasMeaning(i) && !p.isNamedNoun(i) && !p.namesTime(i) {
			continue
		}
		if p.mentions.covered[i] && !p.within(i, i+1, u) {
			return fmt.Sprintf("Each word is known, but not how %q goes together with the rest.", p.tokens[i].text)
		}
	}
	return ""
}

// namesTime reports whether a word is a verb by which a time is called, such as
// "discharged" of discharged_at.
func (p *parser) namesTime(i int) bool {
	a := p.mentions.attributes[i][i+1]
	return a != nil && p.inflected(i) && slices.ContainsFunc(a.candidates, func(c columnCandidate) bool {
		return c.score >= namedScore && (c.column.Class == catalog.Date || c.column.Class == catalog.Timestamp)
	})
}

// partOfName is how much less a name scores of which a word is missing: where
// words are the whole name of something, such a name is not meant.
const partOfName = 0.2

// lessOfName is how much less a relation that is called alike scores, where
// another one is called just so.
const lessOfName = 0.08

// isNamedNoun reports whether a word that may be a verb is a noun here: it
// follows an article and is the very name of something.
func (p *parser) isNamedNoun(i int) bool {
	if i == 0 || !p.isVerb(i) {
		return false
	}
	switch p.tokens[i-1].lower {
	case "the", "a", "an", "'s", "their", "its", "his", "her", "most", "least", "fewest", "without":
		if slices.ContainsFunc(p.mentions.relations[i], func(r relationMention) bool { return r.end == i+1 && r.score >= namedScore }) {
			return true
		}
		a := p.mentions.attributes[i][i+1]
		return a != nil && a.candidates[0].score >= 0.95
	}
	return false
}

// within reports whether the reading uses what tokens name of which those from
// i to end are a part.
func (p *parser) within(i, end int, u *objects) bool {
	for from := max(0, i+1-maxValueWords); from <= i; from++ {
		very := 0.0
		for _, r := range p.mentions.relations[from] { // the best first
			if r.end >= end {
				very = max(very, r.score)
			}
			if r.end >= end && u.relations[r.relation] && r.score > very-lessOfName {
				return true
			}
		}
		for to, a := range p.mentions.attributes[from] {
			if to < end {
				continue
			}
			for _, c := range a.candidates {
				if u.columns[c.column] && c.score > a.candidates[0].score-partOfName {
					return true
				}
			}
		}
		for to, hits := range p.mentions.values[from] {
			if to < end {
				continue
			}
			for _, h := range hits {
				if u.columns[h.column] {
					return true
				}
			}
		}
	}
	measured := false
	for from := max(0, i+1-maxSpan); from <= i; from++ {
		p.measuresAt(from, func(_ *catalog.Measure, to int) { measured = measured || to >= end })
	}
	return measured
}

func (u *objects) phrase(n *phrase) {
	for _, part := range n.ratio {
		u.phrase(part)
	}
	if n.set == nil {
		return
	}
	u.set(n.set)
	if len(n.items) == 0 {
		u.display(n.set)
	}
	for _, list := range [][]item{n.items, n.group} {
		for _, it := range list {
			u.item(it, n.set)
		}
	}
	for _, o := range n.order {
		u.item(o.by, n.set)
	}
	for _, h := range n.having {
		u.item(h.by, n.set)
	}
}

func (u *objects) display(s *set) {
	for _, c := range u.lexicon.relationInfo[s.relation].display {
		u.columns[c] = true
	}
}

func (u *objects) item(it item, root *set) {
	if it.column != nil {
		u.columns[it.column] = true
	}
	if s := root.find(it.setID); it.entity && s != nil {
		u.display(s)
	}
	if it.divisor != nil {
		u.item(*it.divisor, root)
	}
	u.conditions(it.where)
}

func (u *objects) set(s *set) {
	u.relations[s.relation] = true
	u.conditions(s.conditions)
	if s.superlative != nil {
		u.item(s.superlative.by, s)
	}
}

func (u *objects) conditions(list []condition) {
	for _, c := range list {
		if c.column != nil {
			u.columns[c.column] = true
		}
		if c.value.query != nil {
			u.phrase(c.value.query)
		}
		for _, e := range c.path.edges {
			u.relations[e.to] = true
			for _, column := range append(e.fromCols[:len(e.fromCols):len(e.fromCols)], e.toCols...) {
				u.columns[column] = true
			}
		}
		if c.child != nil {
			u.set(c.child)
		}
		u.conditions(c.parts)
	}
}
