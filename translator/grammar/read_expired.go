// What people and things have that is good until a day: "drivers whose licence has expired".

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// whoseExpired reads "licence has expired" behind "whose".
func (p *parser) whoseExpired(i int) (out []modifierCandidate) {
	for end := i + 1; end < min(i+maxSpan, len(p.tokens)); end++ {
		for _, be := range p.maybe(end, "be_bare", "have") {
			if lapsed := p.expiredAt(be, p.stemsBetween(i, end)); lapsed != nil {
				out = append(out, modifierCandidate{*lapsed, be + 1, 0.1})
			}
		}
	}
	return out
}

// haveExpired reads "an expired licence" behind "with".
func (p *parser) haveExpired(i int) (out []modifierCandidate) {
	for _, d := range p.maybe(i, "article") {
		for end := d + 2; end < min(d+maxSpan, len(p.tokens)+1); end++ {
			if lapsed := p.expiredAt(d, p.stemsBetween(d+1, end)); lapsed != nil {
				out = append(out, modifierCandidate{*lapsed, end, 0.1})
			}
		}
	}
	return out
}

// expiredAt reads the word at token i for what was good until a day that has passed, said of the thing of that name; nil if it is none.
func (p *parser) expiredAt(i int, thing string) *modifier {
	word := p.at(i).lower
	if p.at(i).stem == p.language.stem("expire") {
		word = "expired" // what "has run out"
	}
	for _, s := range p.language.states[word] {
		if len(s.state.Past) == 0 || len(s.words) > 1 {
			continue
		}
		of := &state{}
		for _, name := range s.state.Past {
			of.Past = append(of.Past, thing+" "+name)
		}
		if p.hasState(of) {
			return &modifier{kind: modifierState, states: []*state{of}, hints: []string{p.at(i).text}}
		}
	}
	return nil
}

// isOfPart reports whether a time of expiry is that of something the rows have, and not of the rows themselves: licence_until of drivers,
// where they have a time of leaving or a licence_no.
func (p *parser) isOfPart(c *catalog.Column) bool {
	info := p.lexicon.relationInfo[c.Relation]
	words := splitName(c.Name)
	if !isTime(c) || len(words) < 2 || !slices.ContainsFunc(p.language.expiryNames, func(name string) bool { return lastOf(strings.Fields(name)) == p.language.stem(words[len(words)-1]) }) || p.lexicon.isNamed(c, p.language.expiryNames) {
		return false
	}
	return info.left != nil || slices.ContainsFunc(c.Relation.Columns, func(o *catalog.Column) bool {
		return o != c && !isTime(o) && splitName(o.Name)[0] == words[0] && !info.stems[p.language.stem(words[0])]
	})
}
