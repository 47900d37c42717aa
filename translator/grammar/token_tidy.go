// Words as people type them: contractions without a mark, common misspellings of small words, and words that say nothing.

package grammar

import (
	"slices"
	"strings"
)

// tidy writes contractions and common misspellings out and leaves out what says nothing wherever it stands, such as "anyway". A word
// of a name of the schema is left as it is.
func (p *parser) tidy() {
	p.joinHyphened()
	var kept []token
	for i := 0; i < len(p.tokens); i++ {
		t := p.tokens[i]
		if next := i + 1; t.kind == numberToken && next < len(p.tokens) && p.tokens[next].lower == "+" && p.tokens[next].start == t.end && p.at(next+1).kind == wordToken {
			before := token{kind: wordToken, start: t.start, end: t.start}
			kept = append(append(kept, p.language.inWords(before, []string{"at", "least"})...), t) // "2+ orders"
			i++
			continue
		}
		if t.kind != wordToken || len(p.lexicon.labelsByStem[t.stem]) > 0 {
			kept = append(kept, t)
			continue
		}
		if persons[t.lower] && p.at(i+1).lower == "or" && persons[p.at(i+2).lower] {
			i += 2 // "he or she"
		}
		if n := p.fillerAt(i); n > 0 && (t.text == t.lower || p.beginsSentence(i)) && len(p.lexicon.values[t.stem]) == 0 {
			i += n - 1
			continue
		}
		said := t.lower
		if right := p.language.spellings[said]; right != "" {
			said = right
		}
		if verb, ok := strings.CutSuffix(said, "nt"); ok && p.language.auxiliaries[verb] {
			said = verb + " n't"
		}
		kept = append(kept, p.language.inWords(t, strings.Fields(said))...)
	}
	p.tokens = kept
	p.simplifyHaveNot()
	p.removeAcrossAll()
}

// joinHyphened makes one word of a verb and a particle with a hyphen between them, where something is called so: "check-ins" are the rows of checkins.
func (p *parser) joinHyphened() {
	for i := 0; i+1 < len(p.tokens); i++ {
		a, b := &p.tokens[i], p.tokens[i+1]
		particle := slices.Contains([]string{"in", "ins", "out", "outs", "up", "ups", "off", "offs"}, b.lower)
		joined := a.lower + b.lower
		stem := p.language.stem(joined)
		if particle && p.question[a.end:b.start] == "-" && len(p.lexicon.labelsByJoinedStem[stem]) > 0 {
			a.text, a.lower, a.stem, a.end = joined, joined, stem, b.end
			p.tokens = slices.Delete(p.tokens, i+1, i+2)
		}
	}
}

// removeAcrossAll leaves "across all warehouses" out at the end of a question for one number: it is of all of them anyhow.
func (p *parser) removeAcrossAll() {
	end := len(p.tokens)
	for end > 0 && p.tokens[end-1].kind == punctToken {
		end--
	}
	all := end - 2
	if all > 0 && slices.Contains([]string{"our", "the", "of"}, p.at(all).lower) {
		all--
	}
	one := slices.ContainsFunc(p.tokens, func(t token) bool {
		return slices.Contains([]string{"total", "average", "sum", "many", "much"}, t.lower)
	})
	if one && all > 2 && p.at(all).lower == "all" && (p.at(all-1).lower == "across" || p.at(all-1).lower == "over") && singular(p.at(end-1).lower) != "" {
		p.tokens = slices.Delete(p.tokens, all-1, end)
	}
}

// simplifyHaveNot writes "do not have a" and "does n't have any" as "have no" and "has no", and so does it with "a single".
func (p *parser) simplifyHaveNot() {
	for i := 0; i+3 < len(p.tokens); i++ {
		form := map[string]string{"do": "have", "does": "has", "did": "had"}[p.tokens[i].lower]
		not, article := p.tokens[i+1].lower, p.tokens[i+3].lower
		if form == "" || not != "not" && not != "n't" || p.tokens[i+2].lower != "have" || article != "a" && article != "an" && article != "any" {
			continue
		}
		have, no := p.writtenAs(wordToken, form, i, i+3), p.writtenAs(wordToken, "no", i+3, i+4)
		have.stem, no.stem = p.language.stem(form), p.language.stem("no")
		end := i + 4
		if article == "a" && p.at(end).lower == "single" {
			end++
		}
		p.tokens = slices.Replace(p.tokens, i, end, have, no)
	}
}

// persons are the pronouns of one person.
var persons = wordSet([]string{"he", "she", "him", "her", "his"})

// beginsSentence reports whether a token is the first of its sentence, in which any word has a capital.
func (p *parser) beginsSentence(i int) bool {
	return i == 0 || p.tokens[i-1].kind == punctToken && slices.Contains([]string{".", "?", "!", ";", ":"}, p.tokens[i-1].lower)
}

// inWords writes words in the place of a token. The first one has all of its text.
func (l *language) inWords(t token, words []string) []token {
	if len(words) == 0 {
		return []token{t}
	}
	out := make([]token, len(words))
	for k, w := range words {
		out[k] = token{kind: wordToken, text: w, lower: w, stem: l.stem(w), start: t.end, end: t.end}
	}
	out[0].text, out[0].start, out[0].joint = t.text, t.start, t.joint
	return out
}

// fillerAt returns how many words of a phrase that says nothing begin at token i.
func (p *parser) fillerAt(i int) int {
	for _, words := range p.language.fillers[p.tokens[i].lower] {
		if p.follows(i, words) {
			return len(words)
		}
	}
	return 0
}

// addFillers notes what says nothing, the longest first.
func (l *language) addFillers(texts []string) {
	l.fillers = map[string][][]string{}
	for _, text := range texts {
		words := wordsOf(text)
		l.fillers[words[0]] = append(l.fillers[words[0]], words)
	}
	for _, list := range l.fillers {
		slices.SortFunc(list, func(a, b []string) int { return len(b) - len(a) })
	}
}
