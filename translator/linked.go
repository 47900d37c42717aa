package translator

import (
	"strings"

	"askpg/ask"
	"askpg/catalog"
	"askpg/catalog/words"
	"askpg/translator/refs"
)

// linksOf says for a model's SQL which words of the question stand for what it
// reads: those that name it, and the values that it mentions.
func (s *state) linksOf(sql string) []ask.Link {
	u := refs.Of(sql, s.snap, s.set.searchPath)
	said := stems(s.q.Text)
	var out []ask.Link
	add := func(object, name, comment string) {
		l := ask.Link{Object: object, Words: named(said, name), Why: "name"}
		if l.Words == "" {
			l.Words, l.Why = named(said, comment), "comment"
		}
		if l.Words == "" {
			l.Why = "join"
		}
		out = append(out, l)
	}
	for _, r := range u.Relations {
		add(r.Schema+"."+r.Name.Name, r.Name.Name, r.Comment)
	}
	for _, c := range u.Columns {
		object := c.Relation.Schema + "." + c.Relation.Name.Name + "." + c.Name
		before := len(out)
		add(object, c.Name, c.Comment)
		for _, h := range s.hits {
			if h.Column == c && strings.Contains(sql, ask.QuoteLiteral(h.Value)) && h.Start < h.End && h.End <= len(s.q.Text) {
				if out[len(out)-1].Words == "" && len(out) > before {
					out = out[:len(out)-1]
				}
				out = append(out, ask.Link{Words: s.q.Text[h.Start:h.End], Object: object, Value: h.Value, Why: "value"})
			}
		}
	}
	return out
}

// stems returns the words of a text that may name something, by their stems.
func stems(text string) map[string]string {
	out := map[string]string{}
	for _, w := range catalog.Words(text) {
		if stem := words.EnglishStem(w); len(w) >= 3 && words.IsSearched(w) && out[stem] == "" {
			out[stem] = w
		}
	}
	return out
}

// named returns those of the words, by their stems, that a name consists of.
func named(said map[string]string, name string) string {
	var out []string
	for _, n := range catalog.Words(name) {
		if w := said[words.EnglishStem(n)]; w != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}
