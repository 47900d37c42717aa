package grammar

import (
	"fmt"
	"strings"

	"askpg/ask"
	"askpg/catalog"
)

// describe says a reading in plain words.
func (p *parser) describe(n *np) string {
	var b strings.Builder
	if len(n.ratio) == 2 {
		return p.describe(n.ratio[0]) + " divided by " + p.describe(n.ratio[1])
	}
	names := map[int]string{}
	walk(n.set, func(s *set, _ int) { names[s.id] = s.rel.Name.Name })
	word := func(it item) string {
		var w string
		switch {
		case it.measure != nil:
			return it.measure.m.Name
		case it.col != nil:
			w = it.col.Name
			if names[it.sid] != "" {
				w += " of " + names[it.sid]
			}
		default:
			w = names[it.sid]
		}
		if it.distinct {
			w = "distinct " + w
		}
		switch it.agg {
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
		outs = append(outs, n.set.rel.Name.Name)
	}
	b.WriteString(strings.Join(outs, ", "))
	for _, g := range n.group {
		if g.entity {
			b.WriteString(" for each " + names[g.sid])
		} else {
			b.WriteString(" for each " + word(g))
		}
	}
	if c := p.describeConds(n.set); c != "" {
		b.WriteString(" where " + c)
	}
	for _, h := range n.having {
		fmt.Fprintf(&b, ", with %s %s %s", word(h.by), h.op, h.val.plain)
	}
	if s := n.set.sup; s != nil {
		degree := "lowest"
		if s.desc {
			degree = "highest"
		}
		fmt.Fprintf(&b, ", the %s with the %s %s", s.n, degree, word(s.by))
	}
	for _, o := range n.order {
		b.WriteString(", ordered by " + word(o.by))
		if o.desc {
			b.WriteString(" descending")
		}
	}
	if n.num != "" {
		b.WriteString(", the first " + n.num)
	}
	return b.String()
}

func (p *parser) describeConds(s *set) string {
	var parts []string
	for _, c := range s.conds {
		if w := p.describeCond(c); w != "" {
			parts = append(parts, w)
		}
	}
	if usual := describeUsual(s); usual != "" {
		parts = append(parts, usual+" (as always)")
	}
	return strings.Join(parts, " and ")
}

func (p *parser) describeCond(c cond) string {
	switch c.kind {
	case written:
		return c.written.m.Filter(func(r *catalog.Relation) string { return quoteIdent(r.Name.Name) })
	case compare:
		switch c.op {
		case "=":
			return c.col.Name + " is " + c.val.plain
		case "range":
			return c.col.Name + " is " + c.val.plain
		case "in":
			return c.col.Name + " is " + c.val.plain
		}
		return strings.TrimSpace(c.col.Name + " " + c.op + " " + c.val.plain)
	case related:
		inner := p.describeConds(c.child)
		if c.child.sup != nil {
			degree := "lowest"
			if c.child.sup.desc {
				degree = "highest"
			}
			name := "number"
			if col := c.child.sup.by.col; col != nil {
				name = col.Name
			}
			inner = strings.TrimPrefix(inner+" and it has the "+degree+" "+name, " and ")
		}
		if c.join && inner == "" {
			return ""
		}
		w := "there is a " + c.child.rel.Name.Name
		if c.neg {
			w = "there is no " + c.child.rel.Name.Name
		}
		if c.count != nil {
			w = fmt.Sprintf("the number of %s is %s %s", c.child.rel.Name.Name, c.count.op, c.count.n)
		}
		if inner != "" {
			w += " (" + inner + ")"
		}
		return w
	}
	var subs []string
	for _, s := range c.subs {
		subs = append(subs, p.describeCond(s))
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
func (p *parser) links(n *np) []ask.Link {
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
		for i := range p.toks {
			for _, r := range p.m.rels[i] {
				if r.rel == object {
					return p.text(r.start, r.end), "name"
				}
			}
			for end, a := range p.m.attrs[i] {
				for _, c := range a.cands {
					if any(c.col) == object && c.score > 0.5 {
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
	var condition func(c cond)
	condition = func(c cond) {
		switch c.kind {
		case compare:
			r := c.col.Relation
			w, why := words(c.col)
			l := ask.Link{Words: w, Object: r.Schema + "." + r.Name.Name + "." + c.col.Name, Why: why}
			if len(c.val.lits) > 0 && textual(c.col) {
				l.Value, l.Why = c.val.plain, "value"
				if w == "" {
					l.Words = p.spelled(c.val.plain)
				}
			}
			add(l)
			if c.val.query != nil && c.val.query.set != nil {
				visit(c.val.query.set)
			}
		case related:
			visit(c.child)
		}
		for _, sub := range c.subs {
			condition(sub)
		}
	}
	visit = func(s *set) {
		w, why := words(s.rel)
		add(ask.Link{Words: w, Object: s.rel.Schema + "." + s.rel.Name.Name, Why: why})
		for _, c := range s.conds {
			condition(c)
		}
		if s.sup != nil && s.sup.by.col != nil {
			r := s.sup.by.col.Relation
			w, why := words(s.sup.by.col)
			add(ask.Link{Words: w, Object: r.Schema + "." + r.Name.Name + "." + s.sup.by.col.Name, Why: why})
		}
	}
	if len(n.ratio) == 2 {
		return append(p.links(n.ratio[0]), p.links(n.ratio[1])...)
	}
	visit(n.set)
	for _, list := range [][]item{n.items, n.group} {
		for _, it := range list {
			if it.col != nil {
				r := it.col.Relation
				w, why := words(it.col)
				add(ask.Link{Words: w, Object: r.Schema + "." + r.Name.Name + "." + it.col.Name, Why: why})
			}
		}
	}
	return out
}

// spelled returns a value as the question writes it, and as it is where the
// question writes it in another way.
func (p *parser) spelled(value string) string {
	for i := range p.toks {
		for j := i + 1; j <= min(len(p.toks), i+maxValueWords); j++ {
			if text := p.text(i, j); strings.EqualFold(text, value) {
				return text
			}
		}
	}
	return value
}

func (p *parser) text(i, j int) string {
	var words []string
	for ; i < j; i++ {
		words = append(words, p.toks[i].text)
	}
	return strings.Join(words, " ")
}
