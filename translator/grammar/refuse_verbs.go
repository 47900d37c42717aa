// Refusing rows that need not be what a verb says of them.

package grammar

import (
	"fmt"
	"slices"
)

// refuseSoldElsewhere refuses the place of what goods have to do with for that at which they were sold: "products sold in Germany" need not be those
// of a supplier there.
func (p *parser) refuseSoldElsewhere(n *phrase) string {
	for i := range p.tokens {
		sold := isSaid(p.tokens[i:min(i+1, len(p.tokens))], "sold", "bought", "ordered", "purchased", "sell", "buy")
		if place := p.at(i + 1).lower; !sold || place != "in" && place != "to" {
			continue
		}
		for _, c := range n.set.conditions {
			if c.kind != related || !c.path.toOne() || !p.isSoldInPieces(n.set.relation) {
				continue
			}
			for _, said := range c.child.conditions {
				for at := range p.saidAt(said) {
					if at == i+2 || at == i+3 {
						return fmt.Sprintf("%s of %s is not where they were %s: name what tells that.", said.column.Name, c.child.relation.Name.Name, p.tokens[i].text)
					}
				}
			}
		}
	}
	return ""
}

// refuseLivesElsewhere refuses the place of what people belong to for that at which they live: staff of a store in Berlin need not live there.
func (p *parser) refuseLivesElsewhere(n *phrase) string {
	lives := slices.IndexFunc(p.tokens, func(t token) bool { return slices.Contains(homeVerbs, t.lower) })
	if lives < 0 || !p.isPeople(n.set.relation) {
		return ""
	}
	for _, c := range n.set.conditions {
		if c.kind != related {
			continue
		}
		info := p.lexicon.relationInfo[c.child.relation]
		for _, said := range c.child.conditions {
			home := len(c.path.edges) == 1 && (slices.Contains(info.display, said.column) || intersect(info.stems, p.language.stems([]string{"address", "home", "household"})))
			if said.kind == compare && isText(said.column) && !home {
				return fmt.Sprintf("%s of %s is not where %s live: no column says that.", said.column.Name, c.child.relation.Name.Name, n.set.relation.Name.Name)
			}
		}
	}
	return ""
}

// refuseJoinedElsewhere refuses another time for that at which people joined: "orders of customers who joined this year" may be older.
func (p *parser) refuseJoinedElsewhere(n *phrase) string {
	for i, t := range p.tokens {
		if i < 2 || p.tokens[i-1].lower != "who" || !slices.Contains([]string{"joined", "registered", "subscribed", "enrolled", "signed"}, t.lower) {
			continue
		}
		for s, c := range conditionsIn(n.set) {
			if isTimed(c) && !p.namesAt(i-2, s.relation) && p.isEvent(s.relation) {
				return fmt.Sprintf("%s of %s is not when they %s.", c.column.Name, s.relation.Name.Name, t.text)
			}
		}
	}
	return ""
}

// refuseNewLeftOut refuses a reading that leaves out that those to whom things belong are new or were there before: "revenue from new customers".
func (p *parser) refuseNewLeftOut(n *phrase) string {
	u := p.used(n)
	for i, t := range p.tokens {
		if !slices.Contains([]string{"new", "existing", "returning", "recurring", "repeat"}, t.lower) || p.isWithinUsed(i, i+1, u) {
			continue
		}
		for _, m := range p.mentions.relations[i+1] {
			if m.score >= namedScore && m.relation != n.set.relation && u.relations[m.relation] {
				return fmt.Sprintf("It is not said which %s are %s: say when they came.", m.relation.Name.Name, t.text)
			}
		}
	}
	return ""
}

// refuseAllOfNumber refuses one of several places where the question says that it is so in all of them: "out of stock in all three shops".
func (p *parser) refuseAllOfNumber(n *phrase) string {
	for i := range p.tokens {
		if p.tokens[i].lower != "all" || i == 0 || p.tokens[i-1].lower != "in" && p.tokens[i-1].lower != "at" {
			continue
		}
		number, things := p.number(i + 1)
		if number == "" {
			continue
		}
		for _, m := range p.mentions.relations[things] {
			if m.score >= namedScore && n.set.relation != m.relation && !lacksSome(n.set.conditions) {
				return fmt.Sprintf("It has to be so in all of %s: say in every one.", m.relation.Name.Name)
			}
		}
	}
	return ""
}

// homeVerbs say where the home of people is.
var homeVerbs = []string{"live", "lives", "living", "lived", "reside", "resides", "residing", "born"}

// refuseStepOfOther refuses who has something to do with things as who did a later step of it: who took an order need not have shipped it. A key
// whose name or comment says that proves it.
func (p *parser) refuseStepOfOther(n *phrase) string {
	for i, t := range p.tokens {
		if !p.isPast(i) || !p.language.stepVerbs[t.stem] || p.at(i+1).lower != "by" {
			continue
		}
		for _, c := range n.set.conditions {
			if c.kind != related || len(c.path.edges) != 1 || !c.path.toOne() || !p.isPeople(c.child.relation) || len(c.child.conditions) == 0 {
				continue
			}
			e := c.path.edges[0]
			said := slices.Contains(p.lexicon.stems(commentWords(e.fromCols[0].Comment)), t.stem)
			if len(e.role) == 0 && !said {
				return fmt.Sprintf("%s of %s does not say that they were %s by them: name what tells that.", e.fromCols[0].Name, n.set.relation.Name.Name, t.text)
			}
		}
	}
	return ""
}
