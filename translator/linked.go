package translator

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/kljensen/snowball/english"
	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/catalog"
)

// used are the relations and columns that a statement reads, as far as its
// text says.
type used struct {
	relations []*catalog.Relation
	columns   []*catalog.Column
}

// usedBy parses the relations and columns out of a statement, aliases and
// common table expressions resolved (PET-SQL, section 3.3, links so).
func (s *state) usedBy(sql string) used {
	var u used
	if ask.Parseable(sql) != nil {
		return u
	}
	text, err := pg_query.ParseToJSON(sql)
	if err != nil {
		return u
	}
	var tree any
	if json.Unmarshal([]byte(text), &tree) != nil {
		return u
	}
	w := &literalWalk{s: s, tables: map[string][]*catalog.Relation{}}
	w.relations(tree)
	for _, r := range w.all {
		if !slices.Contains(u.relations, r) {
			u.relations = append(u.relations, r)
		}
	}
	var walk func(any)
	walk = func(node any) {
		children(node, func(key string, child any) {
			if key == "ColumnRef" {
				if c := w.column(map[string]any{"ColumnRef": child}); c != nil && !slices.Contains(u.columns, c) {
					u.columns = append(u.columns, c)
				}
			}
			walk(child)
		})
	}
	walk(tree)
	return u
}

// fillers are words that name nothing, and would be found in every comment.
var fillers = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`the and are for how many much what which who whom whose with without was were has have had
		from that this these those they them their there than then per all any each every does did not but its our your
		show list give find tell get when where why can could may will would should most more less least`) {
		m[w] = true
	}
	return m
}()

// links says for a model's SQL which words of the question stand for what it
// reads: those that name it, and the values that it mentions.
func (s *state) links(sql string) []ask.Link {
	u := s.usedBy(sql)
	type word struct{ text, stem string }
	var question []word
	for _, w := range strings.Fields(s.q.Text) {
		for _, part := range catalog.Words(w) {
			if len(part) < 3 || fillers[part] {
				continue
			}
			question = append(question, word{part, english.Stem(part, false)})
		}
	}
	named := func(name string) string {
		var out []string
		for _, n := range catalog.Words(name) {
			for _, w := range question {
				if w.stem == english.Stem(n, false) {
					out = append(out, w.text)
					break
				}
			}
		}
		return strings.Join(out, " ")
	}
	var out []ask.Link
	add := func(object, name, comment string) {
		l := ask.Link{Object: object, Words: named(name), Why: "name"}
		if l.Words == "" {
			l.Words, l.Why = named(comment), "comment"
		}
		if l.Words == "" {
			l.Why = "join"
		}
		out = append(out, l)
	}
	for _, r := range u.relations {
		add(r.Schema+"."+r.Name.Name, r.Name.Name, r.Comment)
	}
	for _, c := range u.columns {
		object := c.Relation.Schema + "." + c.Relation.Name.Name + "." + c.Name
		before := len(out)
		add(object, c.Name, c.Comment)
		for _, h := range s.hits {
			if h.Column == c && strings.Contains(sql, quoteText(h.Value)) && h.Start < h.End && h.End <= len(s.q.Text) {
				if out[len(out)-1].Words == "" && len(out) > before {
					out = out[:len(out)-1]
				}
				out = append(out, ask.Link{Words: s.q.Text[h.Start:h.End], Object: object, Value: h.Value, Why: "value"})
			}
		}
	}
	return out
}
