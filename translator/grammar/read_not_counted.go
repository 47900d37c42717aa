// What a question says is not counted, wherever it is in it: "revenue by month, cancelled orders left out".

package grammar

import (
	"slices"

	"askpg/catalog"
)

// notCounted is a state whose rows a question leaves out of everything that it asks for.
type notCounted struct {
	names []string          // stems that the state is called by
	of    *catalog.Relation // what is in the state; nil if it is not named: "no cancelled ones"
	bare  bool              // "without cancelled orders", which may also say who has none
}

// withoutNotCounted answers the question without what it says is not counted, and leaves that out of the answer. There is none if it says
// nothing of the kind, or if nothing in the rest of it has such a state.
func (p *parser) withoutNotCounted() []Interpretation {
	leftOut := p.says("not_ones")
	for i := range p.tokens {
		for _, m := range p.saidNotCounted(i) {
			o := p.options
			o.notCounted, o.steps = &m.notCounted, new(int)
			rest := joinWords(trimmed(p.question[:p.tokens[m.from].start]), trimmed(p.question[p.tokens[m.end-1].end:]))
			if list := p.lexicon.readAll(rest, o); len(list) > 0 {
				return list
			}
			if !leftOut {
				continue
			}
			if _, list := newParser(p.lexicon, rest, o).inOtherWords(); list != nil {
				return list
			}
		}
	}
	return nil
}

// notCountedMention is where a question says what is not counted.
type notCountedMention struct {
	notCounted
	from, end int
}

// saidNotCounted reads from token i on "not counting cancelled orders", "cancelled ones left out", "no cancellations".
func (p *parser) saidNotCounted(i int) (out []notCountedMention) {
	from, aside := i, i == 0 || p.tokens[i-1].kind == punctToken
	if i > 0 && (aside || p.at(i-1).lower == "but" || p.at(i-1).lower == "and") {
		from--
	}
	for _, e := range p.ends(i, "none_of", "except", "without") {
		for _, m := range p.notCountedStates(e) {
			m.from, m.bare = from, !aside && p.at(i).lower == "without"
			if p.isNotCounted(i, m, aside) {
				out = append(out, m)
			}
		}
	}
	if from == i && i > 0 {
		return out
	}
	for _, s := range p.maybe(i, "article") {
		for _, m := range p.notCountedStates(s) {
			for _, e := range p.ends(m.end, "not_ones") {
				m.from, m.end = from, e
				out = append(out, m)
			}
		}
	}
	return out
}

// isNotCounted reports whether words such as "without" and "no" at token i leave out what is in a state. "With no cancelled orders" says who has
// none, and "paid but not shipped" how far something has come.
func (p *parser) isNotCounted(i int, m notCountedMention, aside bool) bool {
	last := m.end >= p.wordsEnd() || p.tokens[m.end].kind == punctToken
	switch p.at(i).lower {
	case "without":
		return last
	case "no", "not":
		return last && aside
	case "and", "but":
		return m.of != nil || p.at(m.end-1).lower == "ones"
	}
	return true
}

// notCountedStates reads "cancelled orders", "cancelled and returned ones", "cancellations" from token i on.
func (p *parser) notCountedStates(i int) (out []notCountedMention) {
	names := p.stateSaid(i)
	for end := i + 1; names != nil && end < len(p.tokens); end += 2 {
		if p.at(end).lower != "and" && p.at(end).lower != "or" || p.stateSaid(end+1) == nil {
			break
		}
		names, i = append(names, p.stateSaid(end+1)...), end+1
	}
	if names == nil {
		return nil
	}
	if i+1 < len(p.tokens) {
		for _, m := range p.mentions.relations[i+1] {
			if len(p.lexicon.withoutStatusOf(m.relation, nil, names)) > 0 {
				out = append(out, notCountedMention{notCounted: notCounted{names: names, of: m.relation}, end: m.end})
			}
		}
	}
	switch {
	case p.at(i+1).lower == "ones":
		out = append(out, notCountedMention{notCounted: notCounted{names: names}, end: i + 2})
	case len(out) == 0 && len(p.mentions.relations[i]) == 0:
		out = append(out, notCountedMention{notCounted: notCounted{names: names}, end: i + 1})
	}
	return out
}

// stateSaid returns the stem of token i, alone, if rows of a relation of the question may be in a state that is called so.
func (p *parser) stateSaid(i int) []string {
	names := []string{p.at(i).stem}
	if p.at(i).kind == punctToken || !slices.ContainsFunc(p.relations, func(r *catalog.Relation) bool { return len(p.lexicon.withoutStatusOf(r, nil, names)) > 0 }) {
		return nil
	}
	return names
}

// notCountedElsewhere refuses a reading that has nothing of what is not counted.
const notCountedElsewhere = "What is not counted is nothing that is asked for."

// leaveNotCounted leaves out what the question says is not counted of all that it is of.
func (p *parser) leaveNotCounted(n *phrase) *phrase {
	out := p.options.notCounted
	if out == nil {
		return n
	}
	if n.set == nil {
		return p.leaveNotCountedOfParts(n)
	}
	found := false
	leave := func(s *set) *set {
		kept := p.lexicon.withoutStatusOf(s.relation, nil, out.names)
		if out.of != nil && s.relation != out.of || len(kept) == 0 {
			return s
		}
		found = true
		return s.with(kept...)
	}
	m := n.over(n.set.mapped(leave))
	if !found {
		walk(n.set, func(s *set, _ int) {
			if root, of := p.withOrder(n.set, s); of != nil && !found {
				m = n.over(root.mapped(leave))
			}
		})
	}
	listed := n.set.superlative == nil && len(n.order) == 0 && !n.hasAggregate() && n.set.relation != out.of
	if !found || out.bare && listed {
		m.refusal = notCountedElsewhere
	}
	return m
}

// leaveNotCountedOfParts is leaveNotCounted for one value that is divided by another: one of them has to be of what is not counted.
func (p *parser) leaveNotCountedOfParts(n *phrase) *phrase {
	m, found := n.clone(), false
	m.ratio = slices.Clone(n.ratio)
	for i, part := range n.ratio {
		if left := p.leaveNotCounted(part); left.refusal != notCountedElsewhere {
			m.ratio[i], found = left, true
		}
	}
	if !found {
		m.refusal = notCountedElsewhere
	}
	return m
}
