// Nouns for what happened: "cancellations" are the rows whose cancelled_on is not
// null, and "new customers this month" the customers whose own time is this month.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// eventNouns reads the noun of a verb by which a time is called as the rows to which
// it happened: "cancellations last month", "discharges per ward". No relation is
// called so.
func (p *parser) eventNouns(i, end int, a *attribute) (out []candidate) {
	if end != i+1 || p.isInflected(i) && !p.isNounPlace(i) || singular(p.tokens[i].lower) == "" || slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return m.score >= namedScore }) {
		return nil
	}
	for _, c := range a.candidates {
		if c.score < namedScore || c.label == nil || c.label.comment || !isTime(c.column) || c.column.Class == catalog.Time {
			continue
		}
		n := p.entity(c.column.Relation)
		n.set.time = c.column
		if !c.column.NotNull {
			n.set = n.set.with(condition{kind: compare, column: c.column, op: "is not null"})
		}
		n.isEventNoun, n.words = true, [2]int{i, end}
		out = append(out, candidate{n, end, 3*(1-c.score)/2 + 0.05})
	}
	if len(out) > 1 {
		return nil // what was cancelled is not said
	}
	return out
}

// isNounPlace reports whether a word in the plural can only be a noun where it stands, since no subject stands before it.
func (p *parser) isNounPlace(i int) bool {
	return p.isVerb(i) && singular(p.tokens[i].lower) != "" && !isNoun(p.tokens[i]) && (i == 0 || p.endsTag(i, "count", "opener"))
}

// countOfEvents counts events that the question only names: "cancellations last month" asks for a number, "list the cancellations" for
// rows.
func (p *parser) countOfEvents(n *phrase) *phrase {
	listed := len(p.ends(0, "opener")) > 0
	if !n.isEventNoun || !n.isEntity() || len(n.group) > 0 || len(n.order) > 0 || n.number != "" || n.set.superlative != nil || listed {
		return n
	}
	return p.counted(n)
}

// newThings reads "new customers", whose own time the question has to say.
func (p *parser) newThings(i int) (out []candidate) {
	if p.at(i).lower != "new" {
		return nil
	}
	for _, c := range p.noun(i + 1) {
		n := c.phrase
		if n.set == nil || n.words[0] != i+1 || !p.namesAt(i+1, n.set.relation) || p.lexicon.isPartOfColumnName(n.set.relation, "new") || !slices.ContainsFunc(p.lexicon.relationInfo[n.set.relation].dates, func(c *catalog.Column) bool { return c.NotNull }) && p.timeOfArrival(n.set) == nil {
			continue
		}
		cost := 0.05
		if slices.ContainsFunc(p.mentions.values[i][i+1], func(h valueMention) bool { return h.column.Relation == n.set.relation }) {
			if !p.isLimitedToOwnTime(n) {
				continue // that is what they are
			}
			cost += 0.15 // "new orders this week" are in that stage, or came in this week
		}
		m := n.clone()
		m.isNew = true
		out = append(out, candidate{m, c.end, c.cost + cost})
	}
	return out
}

// namesAt reports whether the words from token i on are a name of a relation.
func (p *parser) namesAt(i int, r *catalog.Relation) bool {
	return slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return m.relation == r && m.score >= namedScore })
}

// isPartOfColumnName reports whether a word is a part of the name of one of a relation's columns.
func (x *lexicon) isPartOfColumnName(r *catalog.Relation, word string) bool {
	return slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool {
		return slices.Contains(x.relationInfo[r].names[c], x.language.stem(word))
	})
}

// isLimitedToOwnTime reports whether a phrase has a condition on, or a group by, the time at which its things came.
func (p *parser) isLimitedToOwnTime(n *phrase) bool {
	if n.set == nil {
		return false
	}
	own := func(c *catalog.Column) bool { return c.NotNull || c == p.timeOfArrival(n.set) }
	return slices.ContainsFunc(n.set.conditions, func(c condition) bool { return c.op == "range" && own(c.column) }) ||
		slices.ContainsFunc(n.group, func(it item) bool { return it.trunc != "" && it.setID == n.set.id && own(it.column) })
}
