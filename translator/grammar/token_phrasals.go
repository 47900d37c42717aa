// Verbs of two words, such as "run out", that mean what a verb of one word does.

package grammar

import (
	"slices"
	"strings"
)

// phrasal is a verb of several words ("run out"), by stem, and a single verb that means the same.
type phrasal struct {
	stem   string   // of its first word
	rest   []string // the words behind it
	simple string
}

// addPhrasals notes the verbs of several words.
func (l *language) addPhrasals(phrasals map[string]string) {
	l.phrasals = map[string][]phrasal{}
	for words, simple := range phrasals {
		list := strings.Fields(words)
		stem := l.stem(list[0])
		l.phrasals[stem] = append(l.phrasals[stem], phrasal{stem, list[1:], simple})
	}
}

// simplifyPhrasals puts a verb of one word in the place of one of several: what runs out expires. A schema that has the words in
// a name means that. What is fixed is repaired where a name says so.
func (p *parser) simplifyPhrasals() {
	var kept []token
	for i := 0; i < len(p.tokens); i++ {
		t := p.tokens[i]
		if t.kind == wordToken {
			for _, ph := range p.language.phrasals[t.stem] {
				several := strings.Fields(ph.simple)
				if !p.follows(i+1, ph.rest) || p.isStateOfThings(i, len(ph.rest)+1) || p.inLonger(i, len(ph.rest)+1) || p.hasName(append([]string{ph.stem}, ph.rest...)) || len(ph.rest) == 0 && len(several) == 1 && !p.hasName([]string{ph.simple}) {
					continue
				}
				if lastOf(several) == "stock" && !p.hasName([]string{"stock"}) && !p.hasName([]string{"inventory"}) {
					continue // nothing is kept in stock
				}
				if len(several) > 1 { // "headcount"
					i += len(ph.rest)
					written := p.language.inWords(t, several)
					kept, t = append(kept, written[:len(several)-1]...), written[len(several)-1]
					break
				}
				i += len(ph.rest)
				t.end, t.text = p.tokens[i].end, p.text(i-len(ph.rest), i+1)
				t.lower = p.language.inflectedAs(t.lower, ph.simple)
				t.stem = p.language.stem(t.lower)
				break
			}
		}
		kept = append(kept, t)
	}
	p.tokens = kept
}

// isStateOfThings reports whether so many words from token i on are a state of things: what is "coming up" need not occur often.
func (p *parser) isStateOfThings(i, words int) bool {
	return slices.ContainsFunc(p.language.states[p.tokens[i].lower], func(s phrasedState) bool {
		return len(s.words) == words && p.follows(i, s.words)
	})
}

// inLonger reports whether so many words from token i on are of a longer phrase of the language that stands there: "how often
// each came up".
func (p *parser) inLonger(i, words int) bool {
	for k := range i + 1 {
		for _, ph := range p.language.phrases[p.tokens[k].lower] {
			if len(ph.words) > words && k+len(ph.words) >= i+words && p.follows(k, ph.words) {
				return true
			}
		}
	}
	return false
}

// hasName reports whether a name of the schema has these words, apart or as one.
func (p *parser) hasName(words []string) bool {
	stems := make([]string, len(words))
	for i, w := range words {
		stems[i] = p.language.stem(w)
	}
	if len(p.lexicon.labelsByStem[p.language.stem(strings.Join(words, ""))]) > 0 {
		return true
	}
	return slices.ContainsFunc(p.lexicon.labelsByStem[stems[0]], func(lb *label) bool {
		at := slices.Index(lb.stems, stems[0])
		return len(lb.stems) >= at+len(stems) && slices.Equal(lb.stems[at:at+len(stems)], stems)
	})
}

// inflectedAs gives a regular verb the form that another verb has.
func (l *language) inflectedAs(form, verb string) string {
	ending := func(s string) string {
		if strings.HasSuffix(verb, "e") {
			return strings.TrimSuffix(verb, "e") + s
		}
		return verb + s
	}
	switch {
	case strings.HasSuffix(form, "ing") && len(form) > 4:
		return ending("ing")
	case strings.HasSuffix(form, "ed"), l.irregular[form] != "":
		return ending("ed")
	case strings.HasSuffix(form, "s"):
		return verb + "s"
	}
	return verb
}
