// What is said of all of several things: "whose every loan was returned", "whose loans were never damaged". Some of them are not all.

package grammar

import (
	"fmt"
	"reflect"
	"slices"
)

// saysOfAll reports whether a word from token i to j says that something is so of all things, or of none.
func (p *parser) saysOfAll(i, j int) bool {
	return slices.ContainsFunc(p.tokens[i:j], func(t token) bool { return isUniversal(t.lower) || t.lower == "never" })
}

// isUniversal reports whether a word stands before things of which each is meant.
func isUniversal(word string) bool { return word == "every" || word == "each" || word == "all" }

// behindAll reads the rest of "were all returned", "all came back".
func (p *parser) behindAll(i int) (out []modifierCandidate) {
	for _, be := range p.maybe(i, "be_bare") {
		switch {
		case p.at(be).lower != "all":
		case be > i:
			out = append(out, p.complement(be+1)...)
		default:
			out = append(out, p.verbPhrase(be+1)...)
		}
	}
	return out
}

// whoseAll says that there are things, which are read from token i on, and that none of them is otherwise than a predicate says.
func (p *parser) whoseAll(i int, c candidate, m modifierCandidate) (out []modifierCandidate) {
	otherwise, negated := m.modifier.denied()
	if !negated {
		otherwise = m.modifier.not()
	}
	if never := isSaid(p.tokens[c.end:m.end], "never"); never != negated || never && p.saysOfAll(i, i+1) {
		return nil // of "every loan was not returned" some may be so
	}
	for _, r := range p.apply(c.phrase, &otherwise) {
		out = append(out, modifierCandidate{p.haveNone(c.phrase, r.phrase), m.end, c.cost + m.cost + r.cost + 0.1})
	}
	return out
}

// haveNone says that something has things, and that none of them is otherwise.
func (p *parser) haveNone(things, otherwise *phrase) modifier {
	other := *otherwise.set
	other.id = p.newID()
	have := modifier{kind: modifierRelated, phrase: things, hints: []string{"have"}}
	not := have
	not.phrase = &phrase{set: &other, refusal: otherwise.refusal}
	return modifier{kind: modifierAll, parts: []modifier{have, {kind: modifierNot, parts: []modifier{not}}}}
}

// denied returns what a modifier denies, and whether it denies something.
func (m modifier) denied() (modifier, bool) {
	switch {
	case m.kind == modifierNot:
		return m.parts[0], true
	case m.kind == modifierRelated && m.negated:
		m.negated = false
		return m, true
	}
	return m, false
}

// refuseSomeForEvery refuses one of several things where each is meant: who borrowed every book did not only borrow some.
func (p *parser) refuseSomeForEvery(n *phrase) string {
	shown := asksAbout(n)
	for i, t := range p.tokens {
		if !isUniversal(t.lower) || t.lower == "all" && i > 0 && slices.Contains([]string{"of", "from", "for", "across", "over", "among"}, p.tokens[i-1].lower) {
			continue // the things of all orders are those of any of them
		}
		for s, c := range conditionsIn(n.set) {
			if c.kind != related || c.count != nil || c.path.toOne() || shown[c.child.id] || s.saysNone(c) {
				continue
			}
			for _, of := range p.behind(p.maybe(i+1, "of_strict"), "article", "pronoun") {
				if p.namesOneOf(of, c.child) {
					return fmt.Sprintf("The question is of all of %s, and this would be of any of them: ask for what has none that is otherwise.", c.child.relation.Name.Name)
				}
			}
		}
	}
	return ""
}

// keepingAll says that each of the things of a group is shown, where the question promises that before it says what of them: "all products
// with their number of reviews", "customers and how many orders each has".
func (p *parser) keepingAll(n *phrase) *phrase {
	if n.set == nil || len(n.group) != 1 || !n.group[0].entity {
		return n
	}
	of, begun := n.set.find(n.group[0].setID), false
	for i, t := range p.tokens {
		has := t.lower == "each" && len(p.ends(i+1, "have")) > 0
		if isUniversal(t.lower) && (has || !begun && (i == 0 || len(p.prepositions(i-1)) == 0)) {
			n = n.clone()
			n.keepsAll = n.keepsAll || has || slices.ContainsFunc(p.behind(p.maybe(i+1, "of_strict"), "article", "pronoun"), func(e int) bool { return p.namesOneOf(e, of) })
		}
		begun = begun || len(p.mentions.relations[i]) > 0 // what is counted stands first
	}
	return n
}

// saysNone reports whether a set says of the rows that a condition relates it to that there are some, and none that is otherwise.
func (s *set) saysNone(c condition) bool {
	return slices.ContainsFunc(s.conditions, func(d condition) bool {
		if d.kind != related || d.negated == c.negated || d.child.relation != c.child.relation || !slices.Equal(d.path.edges, c.path.edges) {
			return false
		}
		some, none := c.child.conditions, d.child.conditions
		if c.negated {
			some, none = none, some
		}
		return !slices.ContainsFunc(some, func(of condition) bool { // none of those that there are
			return !slices.ContainsFunc(none, func(o condition) bool { return reflect.DeepEqual(o, of) })
		})
	})
}

// namesOneOf reports whether token i names rows of a set, or what each of them points to.
func (p *parser) namesOneOf(i int, s *set) bool {
	if i >= len(p.tokens) {
		return false
	}
	named := slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return m.relation == s.relation && !p.isBetterNameOfOther(m) })
	for _, hits := range p.mentions.values[i] {
		named = named || slices.ContainsFunc(hits, func(h valueMention) bool { return speaksOf(s.conditions, h.column) })
	}
	return named || slices.ContainsFunc(s.conditions, func(c condition) bool {
		return c.kind == related && c.path.toOne() && p.namesOneOf(i, c.child)
	})
}
