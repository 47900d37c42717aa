package grammar

import (
	"strings"

	"askpg/ask"
	"askpg/catalog"
)

// links lists the objects that a reading uses.
func (p *parser) links(n *phrase) []ask.Link {
	var out []ask.Link
	seen := map[string]bool{}
	add := func(l ask.Link) {
		key := l.Object + "\x00" + l.Value
		if !seen[key] {
			seen[key] = true
			out = append(out, l)
		}
	}
	words := func(object any) (string, string) {
		for i := range p.tokens {
			for _, r := range p.mentions.relations[i] {
				if r.relation == object {
					return p.text(r.start, r.end), "name"
				}
			}
			for end, a := range p.mentions.attributes[i] {
				for _, c := range a.candidates {
					if any(c.column) == object && c.score > 0.5 {
						why := "name"
						if c.label != nil && c.label.comment {
							why = "comment"
						}
						return p.text(i, end), why
					}
				}
			}
		}
		return "", "join"
	}
	var visit func(s *set)
	var visitCondition func(c condition)
	visitCondition = func(c condition) {
		switch c.kind {
		case compare:
			r := c.column.Relation
			w, why := words(c.column)
			l := ask.Link{Words: w, Object: r.Schema + "." + r.Name.Name + "." + c.column.Name, Why: why}
			if len(c.value.literals) > 0 && textual(c.column) {
				l.Value, l.Why = c.value.plain, "value"
				if w == "" {
					l.Words = p.spelled(c.value.plain)
				}
			}
			add(l)
			if c.value.query != nil && c.value.query.set != nil {
				visit(c.value.query.set)
			}
		case related:
			visit(c.child)
		}
		for _, sub := range c.parts {
			visitCondition(sub)
		}
	}
	visit = func(s *set) {
		w, why := words(s.relation)
		add(ask.Link{Words: w, Object: s.relation.Schema + "." + s.relation.Name.Name, Why: why})
		for _, c := range s.conditions {
			visitCondition(c)
		}
		if s.superlative != nil && s.superlative.by.column != nil {
			r := s.superlative.by.column.Relation
			w, why := words(s.superlative.by.column)
			add(ask.Link{Words: w, Object: r.Schema + "." + r.Name.Name + "." + s.superlative.by.column.Name, Why: why})
		}
	}
	if len(n.ratio) == 2 {
		return append(p.links(n.ratio[0]), p.links(n.ratio[1])...)
	}
	visit(n.set)
	for _, list := range [][]item{n.items, n.group} {
		for _, it := range list {
			if it.column != nil {
				r := it.column.Relation
				w, why := words(it.column)
				add(ask.Link{Words: w, Object: r.Schema + "." + r.Name.Name + "." + it.column.Name, Why: why})
			}
		}
	}
	return out
}

// wholeRow shows all of a row that the question calls by a number of its own,
// where what it would show is known or says nothing.
func (p *parser) wholeRow(n *phrase) *phrase {
	if !n.isEntity() || len(n.group) > 0 || len(n.set.conditions) != 1 || n.set.superlative != nil {
		return n
	}
	c, info := n.set.conditions[0], p.lexicon.relationInfo[n.set.relation]
	if c.kind != compare || c.op != "=" || !c.column.Unique || !sameColumns(info.display, info.key) && !sameColumns(info.display, []*catalog.Column{c.column}) {
		return n
	}
	x := n.clone()
	for _, column := range n.set.relation.Columns {
		x.items = append(x.items, item{column: column, setID: n.set.id})
	}
	return x
}

// spelled returns a value as the question writes it, and as it is where the
// question writes it in another way.
func (p *parser) spelled(value string) string {
	for i := range p.tokens {
		for j := i + 1; j <= min(len(p.tokens), i+maxValueWords); j++ {
			if text := p.text(i, j); strings.EqualFold(text, value) {
				return text
			}
		}
	}
	return value
}

// text returns tokens as they are written.
func (p *parser) text(i, j int) string {
	var words []string
	for ; i < j; i++ {
		words = append(words, p.tokens[i].text)
	}
	return strings.Join(words, " ")
}
