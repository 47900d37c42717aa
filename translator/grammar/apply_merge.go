// Joining two noun phrases of a list into one.

package grammar

import "slices"

// merge makes one answer of two phrases.
func (p *parser) merge(a, b *phrase) (out []reading) {
	if a.isValue() || b.isValue() || len(a.ratio) > 0 || len(b.ratio) > 0 || a.number != "" && b.number != "" {
		return nil
	}
	switch {
	case b.set == nil && a.set != nil:
		out = slices.DeleteFunc(p.addAttributes(p.withDisplay(a), b.items), func(r reading) bool {
			return a.isEntity() && slices.ContainsFunc(r.phrase.items, func(it item) bool { return it.aggregate != "" && it.column != nil && it.setID == a.set.id })
		}) // of one row there is no total
		for i, r := range out {
			if added := r.phrase.items[len(p.withDisplay(a).items):]; p.asksPartOfName(a, b.words[0], added) {
				out[i].phrase = r.phrase.withItems(added...)
			}
		}
	case b.set == nil:
		x := a.clone()
		x.items = append(a.items[:len(a.items):len(a.items)], b.items...)
		return []reading{{x, 0.1}}
	case a.set == nil && p.namesOwner(a, b):
		out = p.nameBeside(a, b)
	case a.set == nil:
		out = p.mergeAttributes(a, b)
	case a.set.relation == b.set.relation:
		if each := p.countOfEach(a, b); each != nil {
			return []reading{{each, 0.1}}
		}
	default:
		out = p.mergeOther(a, b)
	}
	return cheapestReadings(out, 5)
}

// asksPartOfName reports whether what is shown is asked for in the place of the whole name of things, of which it has a part: "and what are
// their first names", of which "first" is token i.
func (p *parser) asksPartOfName(things *phrase, i int, shown []item) bool {
	if !things.isEntity() || i == 0 || !possessives[p.at(i-1).lower] {
		return false
	}
	return slices.ContainsFunc(p.withDisplay(things).items, func(name item) bool {
		return slices.ContainsFunc(shown, func(it item) bool { return it.column == name.column && it.setID == name.setID })
	})
}

// mergeAttributes shows attributes of b's things, or of those that it is grouped by, before what b shows.
func (p *parser) mergeAttributes(a, b *phrase) (out []reading) {
	target := b.set
	for _, g := range b.group {
		if s := b.set.find(g.setID); g.entity && s != nil {
			target = s
		}
	}
	for _, l := range p.resolveItems(target, a.items) {
		x := p.withDisplay(b).clone()
		x.items = slices.Concat(l.items, x.items)
		x.set = l.root
		if target != b.set {
			x.set = b.set.replace(l.root)
		}
		x.distinct = a.distinct || b.distinct
		out = append(out, reading{x, l.cost})
	}
	return out
}

// namesOwner reports whether a asks for a name and b for things by which others are told, as in "name and category of products": it is the
// products' name.
func (p *parser) namesOwner(a, b *phrase) bool {
	if !b.isEntity() || len(a.items) != 1 || len(b.set.conditions) > 1 || a.items[0].attribute == nil || a.items[0].aggregate != "" {
		return false
	}
	return a.items[0].attribute.asksName || slices.ContainsFunc(a.items[0].attribute.candidates, func(c columnCandidate) bool {
		return c.score >= exactNameScore && slices.Contains(p.lexicon.relationInfo[b.set.relation].display, c.column)
	})
}

// nameBeside shows what is asked of the owners beside what b's things are called. There is none where nothing is said of whose they are, or
// where each owner may have several.
func (p *parser) nameBeside(a, b *phrase) []reading {
	if len(b.set.conditions) == 0 || b.set.conditions[0].kind != related || b.set.conditions[0].negated || b.set.conditions[0].count != nil {
		return nil
	}
	owners := b.set.conditions[0].child
	paths := p.pathsBetween(owners.relation, b.set.relation)
	if len(paths) == 0 || !paths[0].toOne() {
		return nil
	}
	beside := &set{id: b.set.id, relation: b.set.relation}
	root := owners.with(condition{kind: related, child: beside, path: paths[0], joined: true})
	var out []reading
	for _, l := range p.resolveItems(root, a.items) {
		x := b.clone()
		x.set, x.items = l.root, slices.Concat(l.items, p.withDisplay(&phrase{set: beside}).items)
		out = append(out, reading{x, l.cost + 0.1})
	}
	return out
}

// withDisplay gives things their display columns, so that others can stand beside
// them.
func (p *parser) withDisplay(n *phrase) *phrase {
	if len(n.items) > 0 || n.set == nil {
		return n
	}
	x := n.clone()
	for _, c := range p.lexicon.relationInfo[n.set.relation].display {
		x.items = append(x.items, item{column: c, setID: n.set.id})
	}
	return x
}

// showUnit shows what things are first by where the question says in which unit: "the 5 longest routes in km". Of "the longest stay"
// it shows how long it was, which no column holds.
func (p *parser) showUnit(n *phrase) *phrase {
	if n.set == nil || n.set.superlative == nil || len(n.group) > 0 {
		return n
	}
	by := n.set.superlative.by
	if by.subtrahend != nil && len(n.items) == 0 && p.mentionsStem("longest") && !p.isPlural(n) && len(p.ends(0, "which_of_them")) == 0 {
		return n.withItems(append(slices.Clone(p.withDisplay(n).items), by)...)
	}
	said := slices.IndexFunc(p.tokens, func(t token) bool { return t.lower == "in" })
	if said < 0 || len(p.unit(said+1)) < 2 || by.aggregate != "" || by.column == nil || isTime(by.column) || n.shows(by.column) && len(n.items) > 0 {
		return n
	}
	x := p.withDisplay(n).clone()
	x.items = append(slices.Clone(x.items), by)
	return x
}

// mergeOther joins phrases of two relations.
func (p *parser) mergeOther(a, b *phrase) (out []reading) {
	if two := p.twoCounts(a, b); two != nil {
		return []reading{{two, 0.1}}
	}
	aggregate, plain := a, b
	switch {
	case !a.hasAggregate() && !b.hasAggregate():
		return p.sideBySide(a, b)
	case !a.hasAggregate():
		aggregate, plain = b, a
	}
	if plain.hasAggregate() || plain.set.superlative != nil && len(aggregate.group) > 0 {
		return nil
	}
	shown := p.withDisplay(plain)
	with := func(x *phrase, items []item) *phrase {
		if aggregate == a {
			x.items = slices.Concat(aggregate.items, items)
		} else {
			x.items = slices.Concat(items, aggregate.items)
		}
		return x
	}
	// of the rows of a set of the aggregate that is the plain one's relation
	of := func(s *set) *phrase {
		return with(aggregate.replacing(s.with(plain.set.conditions...)), shown.movedTo(s))
	}
	// the key is there already: "... for each concert"
	for _, g := range aggregate.group {
		if s := aggregate.set.find(g.setID); g.entity && s != nil && s.relation == plain.set.relation {
			return []reading{{of(s), 0.1}}
		}
	}
	if len(aggregate.group) > 0 {
		return nil
	}
	// or the one is joined to the other already: "courses that teachers teach"
	walk(aggregate.set, func(s *set, depth int) {
		if s.relation == plain.set.relation && s != aggregate.set && plain.set.superlative == nil {
			x := of(s)
			x.group = []item{{entity: true, setID: s.id}}
			out = append(out, reading{x, 0.2})
		}
	})
	for _, pt := range p.pathsBetween(aggregate.set.relation, plain.set.relation) {
		x := with(aggregate.clone(), shown.items)
		x.set = aggregate.set.with(condition{kind: related, child: plain.set, path: pt, joined: true})
		if plain.attributeHead {
			x.group = slices.Clone(shown.items)
		} else {
			x.group = []item{{entity: true, setID: plain.set.id}}
		}
		x.order = append(x.order[:len(x.order):len(x.order)], plain.order...)
		out = append(out, reading{x, 0.25 + 0.2*(pt.cost-1) + 0.15*float64(pt.cheaperPaths)})
	}
	return cheapestReadings(out, 4)
}

// showWith shows beside rows what each of them has exactly one of, where they are asked for "with" it: "overdue bills with customer".
func (p *parser) showWith(n *phrase) *phrase {
	if n.set == nil || !n.isEntity() || n.set.superlative != nil || len(n.group) > 0 {
		return n
	}
	for i, c := range n.set.conditions {
		if c.kind != related || c.negated || c.joined || c.count != nil || !c.path.isAlways() || len(c.child.conditions) > 0 || c.child.superlative != nil || !p.isBehindAny(c.child.relation, "with") {
			continue
		}
		s := *n.set
		s.conditions = slices.Clone(s.conditions)
		s.conditions[i].joined = true
		x := p.withDisplay(n).clone()
		x.set, x.items = &s, slices.Concat(x.items, p.withDisplay(&phrase{set: c.child}).items)
		return x
	}
	return n
}

// keepShown keeps the rows that have none of what is only shown beside them: courses without a teacher are courses "with their teacher". A share
// is one of all: orders without a store count among those of which 30 % came from York.
func (p *parser) keepShown(n *phrase) *phrase {
	share := slices.ContainsFunc(n.items, func(it item) bool { return it.ofTotal })
	if n.set == nil || !share && (n.hasAggregate() || len(n.group)+len(n.order)+len(n.partition)+len(n.having) > 0) || n.set.superlative != nil || n.distinct {
		return n
	}
	if share && n.keepsAll {
		n = n.clone()
		n.keepsAll = false
	}
	own := slices.ContainsFunc(n.items, func(it item) bool { return it.setID == n.set.id })
	for i, c := range n.set.conditions {
		if !own || c.kind != related || !c.joined || c.negated || !slices.ContainsFunc(slices.Concat(n.items, n.group), func(it item) bool { return it.setID == c.child.id }) ||
			!c.path.toOne() || c.path.isAlways() || len(c.child.conditions) > 0 || c.child.superlative != nil {
			continue
		}
		x, s := n.clone(), *n.set
		s.conditions = slices.Clone(s.conditions)
		s.conditions[i].optional = true
		x.set = &s
		n = x
	}
	return n
}

// movedTo returns the items of a phrase, with those of its own set moved to another one of its relation.
func (n *phrase) movedTo(s *set) []item {
	items := slices.Clone(n.items)
	for i := range items {
		if items[i].setID == n.set.id {
			items[i].setID = s.id
		}
	}
	return items
}

// sideBySide joins two kinds of things that are shown beside each other.
func (p *parser) sideBySide(a, b *phrase) (out []reading) {
	if a.set.superlative != nil && b.set.superlative != nil {
		return nil
	}
	for _, pt := range p.pathsBetween(a.set.relation, b.set.relation) {
		x := p.withDisplay(a).clone()
		x.set = a.set.with(condition{kind: related, child: b.set, path: pt, joined: true})
		x.items = slices.Concat(x.items, p.withDisplay(b).items)
		if a.isEntity() && b.isEntity() {
			x.refusal = "Two kinds of things side by side are no answer: ask for each, or say what to show of them."
		}
		out = append(out, reading{x, 0.3 + 0.2*(pt.cost-1) + 0.15*float64(pt.cheaperPaths)})
	}
	return cheapestReadings(out, 3)
}
