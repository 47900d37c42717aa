// Words that name nothing, where a name of the schema has a word of the same root or one near in meaning: the "resolution" of
// resolved_at, the "clients" of accounts.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// kinScore is the most that a name scores of which the question has a kindred word. It has to be the whole name.
const kinScore = 0.88

// annotateKin lets words that name nothing name what a related word names: a word of the same root, or else one near in meaning. If that
// is a relation which the role may not read, the error says so.
func (p *parser) annotateKin() {
	for i := range p.tokens {
		p.namePhraseByKin(i)
	}
	for i := range p.tokens {
		t := &p.tokens[i]
		if !p.isUnknown(i) && !p.isUnnamedNoun(i) {
			continue
		}
		near := p.language.kin[p.phraseOf(i, i+1)]
		if near == nil {
			near = p.language.kin[strings.TrimSuffix(t.lower, "s")] // calories
		}
		if !p.isForbiddenKin(t.stem, near) && !p.nameByKin(i, p.lexicon.derived(t.lower)) {
			p.nameByKin(i, near)
		}
	}
}

// isUnnamedNoun reports whether a word that may be a verb is a noun where it stands, as "rating" in "average rating", and names nothing.
func (p *parser) isUnnamedNoun(i int) bool {
	return p.isVerb(i) && len(p.mentions.relations[i])+len(p.mentions.attributes[i])+len(p.mentions.values[i]) == 0 &&
		p.endsTag(i, "avg", "sum", "max", "min", "median", "count", "group", "by")
}

// isForbiddenKin reports whether a word or one of its kin is of the name of a relation that the role may not read.
func (p *parser) isForbiddenKin(stem string, kin []string) bool {
	return p.lexicon.namesForbidden(stem) || slices.ContainsFunc(kin, p.lexicon.namesForbidden)
}

// namePhraseByKin finds what several words from token i on name together by their kin: the "phone number" of tel.
func (p *parser) namePhraseByKin(i int) {
	for end := i + 2; end <= min(i+3, len(p.tokens)); end++ {
		kin := p.language.kin[p.phraseOf(i, end)]
		if len(kin) == 0 || p.isForbiddenKin(p.tokens[end-1].stem, kin) || p.isNamed(i, end) {
			continue
		}
		for _, stems := range kin {
			p.nameSpanAs(i, end, strings.Fields(stems))
		}
	}
}

// phraseOf returns the words of the tokens from i to before end, the last one in the singular.
func (p *parser) phraseOf(i, end int) string {
	words := p.wordsBetween(i, end)
	if last := &words[len(words)-1]; singular(*last) != "" {
		*last = singular(*last)
	} else if base := p.language.irregular[*last]; base != "" {
		*last = base
	}
	return strings.Join(words, " ")
}

// isNamed reports whether the tokens from i to before end, or they and others, are the name of something.
func (p *parser) isNamed(i, end int) bool {
	for start := max(0, end-maxSpan); start <= i; start++ {
		if slices.ContainsFunc(p.mentions.relations[start], func(m relationMention) bool { return m.end >= end && m.score >= namedScore }) {
			return true
		}
		for to, a := range p.mentions.attributes[start] {
			if to >= end && a.candidates[0].score >= namedScore {
				return true
			}
		}
	}
	return false
}

// nameByKin tries other stems for token i, and reports whether any of them names something. If only one does, the token keeps that stem.
func (p *parser) nameByKin(i int, kin []string) bool {
	t := &p.tokens[i]
	own, found := t.stem, []string(nil)
	for _, stem := range kin {
		if stems := strings.Fields(stem); len(stems) > 1 {
			if p.nameSpanAs(i, i+1, stems) {
				found = append(found, stem)
			}
			continue
		}
		if stem == own || len(p.lexicon.labelsByStem[stem]) == 0 {
			continue
		}
		t.stem = stem
		before := p.countNamesOver(i)
		for start := max(0, i+1-maxSpan); start <= i; start++ {
			p.annotateSpans(start, i+1, kinScore)
		}
		if p.countNamesOver(i) > before {
			found = append(found, stem)
		}
	}
	t.stem = own
	if len(found) == 1 && !strings.Contains(found[0], " ") {
		t.stem = found[0]
	}
	return len(found) > 0
}

// nameSpanAs finds what the tokens from i to before end name if they had other stems, and reports whether they name anything.
func (p *parser) nameSpanAs(i, end int, stems []string) (found bool) {
	for _, lb := range p.lexicon.labelsByStem[stems[0]] {
		score := min(p.lexicon.match(stems, lb), kinScore)
		switch {
		case score < namedScore || !p.isNear(lb.relation) || p.isNumberOfPerson(lb.column):
			continue
		case lb.column != nil:
			p.addAttribute(i, end, lb, score)
		default:
			p.mentions.relations[i] = append(p.mentions.relations[i], relationMention{lb.relation, score, i, end, lb.kind})
			p.cover(i, end)
		}
		found = true
	}
	return found
}

// isNumberOfPerson reports whether a column is called by who does something, and holds numbers of which it is not sure whom they point to: a "clerk" is no
// number.
func (p *parser) isNumberOfPerson(c *catalog.Column) bool {
	if c == nil || c.Class != catalog.Number || p.reference([]item{{column: c}}) != nil {
		return false
	}
	last := lastOf(splitName(c.Name))
	return (strings.HasSuffix(last, "er") || strings.HasSuffix(last, "or")) && !p.language.notDerived[last]
}

// countNamesOver counts what the spans over token i may name.
func (p *parser) countNamesOver(i int) (n int) {
	for start := max(0, i+1-maxSpan); start <= i; start++ {
		for _, m := range p.mentions.relations[start] {
			if m.end > i {
				n++
			}
		}
		for end, a := range p.mentions.attributes[start] {
			if end > i {
				n += len(a.candidates)
			}
		}
	}
	return n
}
