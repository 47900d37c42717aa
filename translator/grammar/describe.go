package grammar

import (
	"fmt"
	"strings"

	"askpg/ask"
	"askpg/catalog"
)

// describe says a reading in plain words.
func (p *parser) describe(n *phrase) string {
	var b strings.Builder
	if len(n.ratio) == 2 {
		return p.describe(n.ratio[0]) + " divided by " + p.describe(n.ratio[1])
	}
	names := map[int]string{}
	walk(n.set, func(s *set, _ int) { names[s.id] = s.relation.Name.Name })
	word := func(it item) string {
		var w string
		switch {
		case it.measure != nil:
			return it.measure.m.Name
		case it.column != nil:
			w = it.column.Name
			if names[it.setID] != "" {
				w += " of " + names[it.setID]
			}
		default:
			w = names[it.setID]
		}
		if it.distinct {
			w = "distinct " + w
		}
		switch it.aggregate {
		case "count":
			return "number of " + w
		case "sum":
			return "total " + w
		case "avg":
			return "average " + w
		case "min":
			return "lowest " + w
		case "max":
			return "highest " + w
		}
		if it.trunc != "" {
			return it.trunc + " of " + w
		}
		return w
	}
	var outs []string
	for _, it := range n.items {
		outs = append(outs, word(it))
	}
	if len(outs) == 0 {
		outs = append(outs, n.set.relation.Name.Name)
	}
	b.WriteString(strings.Join(outs, ", "))
	for _, g := range n.group {
		if g.entity {
			b.WriteString(" for each " + names[g.setID])
		} else {
			b.WriteString(" for each " + word(g))
		}
	}
	if c := p.describeConditions(n.set); c != "" {
		b.WriteString(" where " + c)
	}
	for _, h := range n.having {
		fmt.Fprintf(&b, ", with %s %s %s", word(h.by), h.op, h.value.plain)
	}
	if s := n.set.superlative; s != nil {
		degree := "lowest"
		if s.descending {
			degree = "highest"
		}
		fmt.Fprintf(&b, ", the %s with the %s %s", s.count, degree, word(s.by))
	}
	for _, o := range n.order {
		b.WriteString(", ordered by " + word(o.by))
		if o.descending {
			b.WriteString(" descending")
		}
	}
	if n.number != "" {
		b.WriteString(", the first " + n.number)
	}
	return b.String()
}

// describeConditions says the conditions of a set in words.
func (p *parser) describeConditions(s *set) string {
	var parts []string
	for _, c := range s.conditions {
		if w := p.describeCondition(c); w != "" {
			parts = append(parts, w)
		}
	}
	if usual := describeDefaultFilter(s); usual != "" {
		parts = append(parts, usual+" (as always)")
	}
	return strings.Join(parts, " and ")
}

// describeCondition says one condition in words, "" if it only joins.
func (p *parser) describeCondition(c condition) string {
	switch c.kind {
	case written:
		return c.written.m.Filter(func(r *catalog.Relation) string { return quoteIdentifier(r.Name.Name) })
	case compare:
		switch c.op {
		case "=":
			return c.column.Name + " is " + c.value.plain
		case "range":
			return c.column.Name + " is " + c.value.plain
		case "in":
			return c.column.Name + " is " + c.value.plain
		}
		return strings.TrimSpace(c.column.Name + " " + c.op + " " + c.value.plain)
	case related:
		inner := p.describeConditions(c.child)
		if c.child.superlative != nil {
			degree := "lowest"
			if c.child.superlative.descending {
				degree = "highest"
			}
			name := "number"
			if col := c.child.superlative.by.column; col != nil {
				name = col.Name
			}
			inner = strings.TrimPrefix(inner+" and it has the "+degree+" "+name, " and ")
		}
		if c.joined && inner == "" {
			return ""
		}
		w := "there is a " + c.child.relation.Name.Name
		if c.negated {
			w = "there is no " + c.child.relation.Name.Name
		}
		if c.count != nil {
			w = fmt.Sprintf("the number of %s is %s %s", c.child.relation.Name.Name, c.count.op, c.count.count)
		}
		if inner != "" {
			w += " (" + inner + ")"
		}
		return w
	}
	var subs []string
	for _, s := range c.parts {
		subs = append(subs, p.describeCondition(s))
	}
	switch c.kind {
	case anyOf:
		return "(" + strings.Join(subs, " or ") + ")"
	case noneOf:
		return "not (" + strings.Join(subs, " and ") + ")"
	}
	return strings.Join(subs, " and ")
}

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
