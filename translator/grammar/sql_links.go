// The objects that a reading uses, with the words that name them.

package grammar

import (
	"slices"
	"strings"

	"askpg/ask"
	"askpg/catalog"
)

// links lists the objects that a reading uses.
func (p *parser) links(n *phrase) []ask.Link {
	if len(n.ratio) == 2 {
		return append(p.links(n.ratio[0]), p.links(n.ratio[1])...)
	}
	l := &linker{parser: p, seen: map[[2]string]bool{}}
	l.set(n.set)
	for _, it := range slices.Concat(n.items, n.group) {
		l.column(it.column)
	}
	return l.links
}

// linker collects the objects that a reading uses, each once.
type linker struct {
	*parser
	links []ask.Link
	seen  map[[2]string]bool
}

// add adds a link to an object or a value of it that has none yet.
func (l *linker) add(link ask.Link) {
	if key := [2]string{link.Object, link.Value}; !l.seen[key] {
		l.seen[key] = true
		l.links = append(l.links, link)
	}
}

// words returns the words of the question that name an object, and whether they are its
// name or of its comment; "join" if there are none.
func (l *linker) words(object any) (words, why string) {
	for i := range l.tokens {
		for _, r := range l.mentions.relations[i] {
			if r.relation == object {
				return l.text(r.start, r.end), "name"
			}
		}
		for end, a := range inOrder(l.mentions.attributes[i]) {
			for _, c := range a.candidates {
				if any(c.column) != object || c.score <= 0.5 {
					continue
				}
				if c.label != nil && c.label.comment {
					return l.text(i, end), "comment"
				}
				return l.text(i, end), "name"
			}
		}
	}
	return "", "join"
}

// set adds a relation, what is said of its rows and what they are first by.
func (l *linker) set(s *set) {
	words, why := l.words(s.relation)
	l.add(ask.Link{Words: words, Object: s.relation.Schema + "." + s.relation.Name.Name, Why: why})
	for _, c := range s.conditions {
		l.condition(c)
	}
	if s.superlative != nil {
		l.column(s.superlative.by.column)
	}
}

// condition adds what a condition is on.
func (l *linker) condition(c condition) {
	switch c.kind {
	case compare:
		link := l.columnLink(c.column)
		if len(c.value.literals) > 0 && isText(c.column) {
			link.Value, link.Why = c.value.plain, "value"
			if link.Words == "" {
				link.Words = l.spelled(c.value.plain)
			}
		}
		l.add(link)
		if c.value.query != nil && c.value.query.set != nil {
			l.set(c.value.query.set)
		}
	case related:
		l.set(c.child)
	}
	for _, sub := range c.parts {
		l.condition(sub)
	}
}

// column adds a column, nothing if it is nil.
func (l *linker) column(c *catalog.Column) {
	if c != nil {
		l.add(l.columnLink(c))
	}
}

// columnLink is the link to a column.
func (l *linker) columnLink(c *catalog.Column) ask.Link {
	words, why := l.words(c)
	if g, measured := l.lexicon.eavAttributes[c]; measured {
		c = g.value
	}
	if a, computed := l.lexicon.lineAmounts[c]; computed {
		c = a.price
	}
	if open, computed := l.lexicon.balances[c]; computed {
		c = open.amount
	}
	return ask.Link{Words: words, Object: c.Relation.Schema + "." + c.Relation.Name.Name + "." + c.Name, Why: why}
}

// wholeRow shows all of a row that the question calls by a number of its own, where what it would show is known or says nothing, and all
// of the rows that only their time tells apart, in its order: "monthly sales" are no months. Addresses without a name are shown by their parts.
func (p *parser) wholeRow(n *phrase) *phrase {
	if d := p.onlyTime(n); d != nil {
		x := n.withItems(n.set.row()...)
		if len(x.order) == 0 {
			x.order = []ordering{{by: item{column: d, setID: n.set.id}}}
		}
		return x
	}
	if !n.isEntity() || len(n.group) > 0 || n.set.superlative != nil {
		return n
	}
	info := p.lexicon.relationInfo[n.set.relation]
	if parts := p.lexicon.addressParts(n.set.relation); len(parts) > 1 && hasSameColumns(info.display, info.key) {
		return n.withItems(n.set.columns(parts)...)
	}
	if len(n.set.conditions) != 1 {
		return n
	}
	c := n.set.conditions[0]
	if c.kind != compare || c.op != "=" || !c.column.Unique || !hasSameColumns(info.display, info.key) && !hasSameColumns(info.display, []*catalog.Column{c.column}) {
		return n
	}
	return n.withItems(n.set.row()...)
}

// onlyTime returns the time by which alone the things of a phrase are called, nil if it shows something else.
func (p *parser) onlyTime(n *phrase) *catalog.Column {
	if !n.isEntity() || len(n.group) > 0 || n.set.superlative != nil {
		return nil
	}
	if d := only(p.lexicon.relationInfo[n.set.relation].display); d != nil && isTime(d) && d.Unique {
		return d
	}
	return nil
}

// columns returns columns of a set's rows as outputs.
func (s *set) columns(list []*catalog.Column) (items []item) {
	for _, c := range list {
		items = append(items, item{column: c, setID: s.id})
	}
	return items
}

// row returns all columns of a set's rows that are not private.
func (s *set) row() []item {
	return s.columns(slices.DeleteFunc(slices.Clone(s.relation.Columns), func(c *catalog.Column) bool { return c.Private }))
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
