// Refusing joins that have no effect.

package grammar

import (
	"fmt"
	"slices"

	"askpg/catalog"
)

// refuseIdleJoin refuses a join that has no effect: each row has exactly one row of the joined relation, and nothing is asked of it, or
// that there is none. The words that named it must have had another meaning.
func (p *parser) refuseIdleJoin(s *set, asked map[int]bool) string {
	for _, c := range s.conditions {
		if c.kind != related {
			continue
		}
		always := c.count == nil && c.path.isAlways()
		forNothing := !asked[c.child.id] && len(c.child.conditions) == 0 && c.child.superlative == nil && c.path.toOne()
		if forNothing && c.negated && always || forNothing && !c.negated && (p.isBehindAny(c.child.relation, "by") || always && p.isBehindAny(c.child.relation, "with", "and") || p.mentionsAsPeople(c.child.relation)) {
			return fmt.Sprintf("All of %s have %s: say what is asked of it, such as for each of them.", s.relation.Name.Name, c.child.relation.Name.Name)
		}
		if !c.path.toOne() && !c.negated && c.count == nil && !asked[c.child.id] && len(c.child.conditions) == 0 && p.hasBetterNamesOfOthers(c.child.relation) {
			return fmt.Sprintf("Nothing is asked of %s: name what is meant.", c.child.relation.Name.Name)
		}
		if !c.path.toOne() {
			continue // who "completed a course" has rows in between
		}
		if why := p.refuseIdleJoin(c.child, asked); why != "" {
			return why
		}
	}
	return ""
}

// hasBetterNamesOfOthers reports whether words name a relation, and each of them names another one better: ticket_tags are not "tickets".
func (p *parser) hasBetterNamesOfOthers(r *catalog.Relation) (mentioned bool) {
	for i := range p.tokens {
		for _, m := range p.mentions.relations[i] { // the best first
			if m.relation != r {
				continue
			}
			if m.score > p.mentions.relations[i][0].score-sharedNamePenalty {
				return false
			}
			mentioned = true
		}
	}
	return mentioned
}

// mentionsAsPeople reports whether the question calls the rows of a relation people and not by its name.
func (p *parser) mentionsAsPeople(r *catalog.Relation) bool {
	return p.anywhere(func(i int) bool {
		return p.language.irregular[p.tokens[i].lower] == "person" && slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return m.relation == r && m.score < exactNameScore })
	})
}

// isBehindAny reports whether the question has one of the words before a relation, as "by hotel".
func (p *parser) isBehindAny(r *catalog.Relation, words ...string) bool {
	for i := 1; i < len(p.tokens); i++ {
		if slices.Contains(words, p.at(i-1).lower) && slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return m.relation == r }) {
			return true
		}
	}
	return false
}
