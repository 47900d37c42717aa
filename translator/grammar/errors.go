package grammar

import (
	"fmt"
	"strings"

	"askpg/ask"
)

// deniedError names a relation that exists, that the question means and that
// the role may not read.
func (p *parser) deniedError() error {
	for _, d := range p.lexicon.denied {
		if len(d.stems) == 0 {
			continue
		}
		for i := 0; i+len(d.stems) <= len(p.tokens); i++ {
			match := true
			for k, s := range d.stems {
				match = match && p.tokens[i+k].stem == s && p.tokens[i+k].kind == wordToken
			}
			if !match || p.readable(i, i+len(d.stems)) {
				continue
			}
			return ask.Errorf(ask.CodeInsufficientRights, "permission denied for table %s", d.name.Name).
				WithDetail("The question asks for %q, which role %q may not read.", strings.Join(p.wordsBetween(i, i+len(d.stems)), " "), p.lexicon.snapshot.Role).
				WithHint("GRANT SELECT ON %s.%s TO %s lets it.", quoteIdentifier(d.name.Schema), quoteIdentifier(d.name.Name), quoteIdentifier(p.lexicon.snapshot.Role))
		}
	}
	return nil
}

// asksToAct reports whether the question begins with what is to be done, such
// as "delete", where that is no name of the database.
func (p *parser) asksToAct() bool {
	return len(p.tokens) > 1 && p.tokens[0].kind == wordToken && p.language.acts[p.tokens[0].lower] && !p.mentions.covered[0]
}

// readable reports whether the words also name something that may be read.
func (p *parser) readable(i, j int) bool {
	for k := max(0, i-maxSpan); k <= i; k++ {
		for _, r := range p.mentions.relations[k] {
			if r.end >= j && r.score >= 0.85 {
				return true
			}
		}
		for end, a := range p.mentions.attributes[k] {
			if end >= j && a.candidates[0].score >= 0.85 {
				return true
			}
		}
	}
	return false
}

// unknown returns the tokens that nothing accounts for.
func (p *parser) unknown() []int {
	var out []int
	for i, t := range p.tokens {
		if t.kind == wordToken && !p.mentions.covered[i] && !p.hasMeaning(i) {
			out = append(out, i)
		}
	}
	return out
}

// unknownError names the words that nothing accounts for, and what is near
// them.
func (p *parser) unknownError() error {
	unknown := p.unknown()
	if len(unknown) == 0 {
		return nil
	}
	var words, near []string
	foreign := 0
	for _, i := range unknown {
		t := p.tokens[i]
		words = append(words, fmt.Sprintf("%q", t.text))
		if w := p.lexicon.calledNearly(t.lower); w != "" {
			near = append(near, fmt.Sprintf("%q is near %q", w, t.text))
		}
		if p.language.foreign[t.lower] {
			foreign++
		}
	}
	verb := "it names nothing"
	if len(words) > 1 {
		verb = "they name nothing"
	}
	detail := fmt.Sprintf("Not understood: %s; %s that role %q may read in database %q.", strings.Join(words, ", "), verb, p.lexicon.snapshot.Role, p.lexicon.snapshot.Database)
	if foreign > 1 {
		detail += " The built-in engine reads English alone."
	}
	if len(near) > 0 {
		detail += " In the database " + strings.Join(near, ", ") + "."
	}
	return ask.Errorf(ask.CodeNoCandidate, "the question was not understood").WithDetail("%s", detail).
		WithHint("%s", suggestionHint(p.suggest(unknown), "Use the names of tables, columns and values, or ask which tables there are."))
}

// suggestionHint says what can be asked instead, or what else to do if there is nothing.
func suggestionHint(list []suggestion, otherwise string) string {
	if len(list) == 0 {
		return otherwise
	}
	var quoted []string
	for _, s := range list {
		quoted = append(quoted, fmt.Sprintf("%q", s.question))
	}
	return "These have an answer: " + strings.Join(quoted, ", ") + "."
}

// structureError says how far the question was read, or which of its words go
// with nothing, or which values are not known.
func (p *parser) structureError() error {
	var values []string
	for i, t := range p.tokens {
		if t.kind == quotedToken && len(p.mentions.values[i][i+1]) == 0 && len(p.period(i)) == 0 {
			values = append(values, literal(t.text))
		}
	}
	if len(values) > 0 {
		return ask.Errorf(ask.CodeNoCandidate, "the question was not understood").
			WithDetail("Not understood: %s; no value that is known to askpg, of what role %q may read, is so.", strings.Join(values, ", "), p.lexicon.snapshot.Role).
			WithHint("Write a value as the database has it, a day as 2024-06-01, a moment as '2024-06-01 13:45:00', and name the column.")
	}
	why, list := p.why, p.suggest(nil)
	detail := "Each word is known, but not how they go together."
	furthest := 0
	for i, list := range p.nounPhrases {
		for _, c := range list {
			if i < len(p.tokens) && c.end > furthest {
				furthest = c.end
			}
		}
	}
	switch {
	case why != "":
		detail = why
	case len(list) > 0 && list[0].without != "":
		detail = fmt.Sprintf("Each word is known, but not how %q goes together with the rest.", list[0].without)
	case furthest > 0 && furthest < len(p.tokens) && p.tokens[furthest].kind != punctToken:
		detail = fmt.Sprintf("Each word is known, but not how they go together from %q on.", p.tokens[furthest].text)
	}
	return ask.Errorf(ask.CodeNoCandidate, "the question was not understood").WithDetail("%s", detail).
		WithHint("%s", suggestionHint(list, "Say it in simpler words, or in several questions."))
}
