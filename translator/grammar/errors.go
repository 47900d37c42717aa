package grammar

import (
	"fmt"
	"strings"

	"askpg/ask"
)

// deniedError names a relation that exists, that the question means and that
// the role may not read.
func (p *parser) deniedError() error {
	for _, d := range p.x.denied {
		if len(d.stems) == 0 {
			continue
		}
		for i := 0; i+len(d.stems) <= len(p.toks); i++ {
			match := true
			for k, s := range d.stems {
				match = match && p.toks[i+k].stem == s && p.toks[i+k].kind == wordToken
			}
			if !match || p.readable(i, i+len(d.stems)) {
				continue
			}
			return ask.Errorf(ask.CodeInsufficientRights, "permission denied for table %s", d.name.Name).
				WithDetail("The question asks for %q, which role %q may not read.", strings.Join(p.wordsBetween(i, i+len(d.stems)), " "), p.x.snap.Role).
				WithHint("GRANT SELECT ON %s.%s TO %s lets it.", quoteIdent(d.name.Schema), quoteIdent(d.name.Name), quoteIdent(p.x.snap.Role))
		}
	}
	return nil
}

// readable reports whether the words also name something that may be read.
func (p *parser) readable(i, j int) bool {
	for k := max(0, i-maxSpan); k <= i; k++ {
		for _, r := range p.m.rels[k] {
			if r.end >= j && r.score >= 0.85 {
				return true
			}
		}
		for end, a := range p.m.attrs[k] {
			if end >= j && a.cands[0].score >= 0.85 {
				return true
			}
		}
	}
	return false
}

// unknownError names the words that nothing accounts for.
func (p *parser) unknownError() error {
	var words []string
	for i, t := range p.toks {
		if t.kind != wordToken || p.m.covered[i] || p.known(i) {
			continue
		}
		words = append(words, fmt.Sprintf("%q", t.text))
	}
	if len(words) == 0 {
		return nil
	}
	verb := "it names nothing"
	if len(words) > 1 {
		verb = "they name nothing"
	}
	return ask.Errorf(ask.CodeNoCandidate, "the question was not understood").
		WithDetail("Not understood: %s; %s that role %q may read in database %q.", strings.Join(words, ", "), verb, p.x.snap.Role, p.x.snap.Database).
		WithHint("Use the names of tables, columns and values, or ask which tables there are.")
}

// structureError says how far the question was read, or which values are not known.
func (p *parser) structureError() error {
	var values []string
	for i, t := range p.toks {
		if t.kind == quotedToken && len(p.m.vals[i][i+1]) == 0 && len(p.period(i)) == 0 {
			values = append(values, literal(t.text))
		}
	}
	if len(values) > 0 {
		return ask.Errorf(ask.CodeNoCandidate, "the question was not understood").
			WithDetail("Not understood: %s; no value that is known to askpg, of what role %q may read, is so.", strings.Join(values, ", "), p.x.snap.Role).
			WithHint("Write a value as the database has it, a day as 2024-06-01, a moment as '2024-06-01 13:45:00', and name the column.")
	}
	furthest := 0
	for i, list := range p.nps {
		for _, c := range list {
			if i < len(p.toks) && c.end > furthest {
				furthest = c.end
			}
		}
	}
	detail := "Each word is known, but not how they go together."
	if furthest > 0 && furthest < len(p.toks) {
		detail = fmt.Sprintf("Each word is known, but not how they go together from %q on.", p.toks[furthest].text)
	}
	return ask.Errorf(ask.CodeNoCandidate, "the question was not understood").WithDetail("%s", detail).
		WithHint("Say it in simpler words, or in several questions.")
}
