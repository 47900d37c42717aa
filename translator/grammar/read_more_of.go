// Comparing two numbers of things: "customers with more returns than orders".

package grammar

import (
	"fmt"
	"slices"
	"strings"
)

// moreOf reads "more returns than orders", "fewer won matches than lost ones".
func (p *parser) moreOf(i int) (out []modifierCandidate) {
	if !p.comparesNumbers(i) {
		return nil
	}
	op := "<"
	if p.at(i).lower == "more" {
		op = ">"
	}
	for _, a := range p.noun(i + 1) {
		if !a.phrase.isRows() {
			continue
		}
		for _, b := range p.nounsFrom(p.ends(a.end, "than")) {
			if b.phrase.isRows() {
				m := modifier{kind: modifierMoreOf, phrase: a.phrase, op: op, parts: []modifier{{kind: modifierRelated, phrase: b.phrase, hints: []string{"have"}}}}
				out = append(out, modifierCandidate{m, b.end, a.cost + b.cost + 0.05})
			}
		}
	}
	return out
}

// isRows reports whether a phrase is of things of which there may be several: not numbered, ranked nor divided.
func (n *phrase) isRows() bool {
	return n.isEntity() && n.number == "" && len(n.group) == 0 && len(n.order) == 0 && n.set.superlative == nil
}

// comparesNumbers reports whether token i is the "more" of "more returns than orders".
func (p *parser) comparesNumbers(i int) bool {
	switch p.at(i).lower {
	case "more", "fewer", "less":
	default:
		return false
	}
	return i > 0 && len(p.ends(i-1, "have"))+len(p.ends(i-1, "with")) > 0 && len(p.ends(i+1, "than")) == 0 &&
		isSaid(p.tokens[i+1:], "than")
}

// applyMoreOf compares how many rows of two kinds each of the things has.
func (p *parser) applyMoreOf(n *phrase, m *modifier) (out []reading) {
	if len(n.group) > 0 {
		return nil
	}
	had := func(of *modifier) []reading {
		return slices.DeleteFunc(p.applyRelated(n, of), func(r reading) bool {
			added, ok := addedConditions(n, r.phrase)
			return !ok || len(added) != 1 || added[0].kind != related || added[0].negated || added[0].count != nil || added[0].path.toOne()
		})
	}
	for _, a := range had(&modifier{kind: modifierRelated, phrase: m.phrase, hints: []string{"have"}}) {
		for _, b := range had(&m.parts[0]) {
			parts := []condition{a.phrase.set.conditions[len(n.set.conditions)], b.phrase.set.conditions[len(n.set.conditions)]}
			x := n.holding(condition{kind: moreRows, op: m.op, parts: parts})
			if bindsTime(parts[1].child.conditions) && !bindsTime(parts[0].child.conditions) {
				x.refusal = fmt.Sprintf("It is not said whether the time is of %s alone: say it behind both.", parts[1].child.relation.Name.Name)
			}
			for _, c := range parts {
				if why := p.refuseVacuousRelation(n.set, c, nil); why != "" {
					x.refusal = why
				}
			}
			out = append(out, reading{x, a.cost + b.cost})
		}
	}
	return cheapestReadings(out, 4)
}

// moreRows writes that there are more rows of one kind than of another.
func (b *builder) moreRows(alias string, c condition) string {
	count := func(of condition) string {
		q, _ := b.relatedRows(of, nil, func(to string) string { return b.on(of.path.edges[0], alias, to) })
		rows := "*"
		if len(of.path.edges) > 1 {
			var key []string
			for _, c := range b.lexicon.relationInfo[of.child.relation].key {
				key = append(key, b.column(b.aliases[of.child.id], c))
			}
			switch len(key) {
			case 0:
				return b.noSQL()
			case 1:
				rows = "DISTINCT " + key[0]
			default:
				rows = "DISTINCT (" + strings.Join(key, ", ") + ")"
			}
		}
		return fmt.Sprintf("(SELECT count(%s) FROM %s WHERE %s)", rows, q.from, strings.Join(onceEach(q.where), " AND "))
	}
	return count(c.parts[0]) + " " + c.op + " " + count(c.parts[1])
}
