// Rankings by what stands behind "by": "top 5 countries by population", "top 3 customers by orders".

package grammar

// rankingOfAll reads "customers by revenue", "stores by number of orders": all of them with the amount of each, highest first. A number
// that each has itself may divide them as well: "wines by vintage".
func (p *parser) rankingOfAll(n *phrase, m *modifier) []reading {
	if !n.isEntity() || !p.isPlural(n) || n.number != "" || !m.isKeyBehindBy() || !m.phrase.hasAggregate() && !p.isRevenue(m.phrase) {
		return nil
	}
	return p.orderedGroups(n, &modifier{phrase: m.phrase, descending: true})
}

// topBy reads "top 5 countries by population", "top 3 customers by number of orders", "top 3 customers by orders";
// nil if it is nothing of that kind.
func (p *parser) topBy(n *phrase, m *modifier) *modifier {
	if n.number == "" || n.hasAggregate() || len(m.phrase.group) > 0 {
		return nil
	}
	top := &modifier{kind: modifierSuperlative, descending: !n.fromEnd, count: n.number}
	if m.phrase.isEntity() && p.isPlural(m.phrase) && m.phrase.set.relation != n.set.relation && m.phrase.set.superlative == nil {
		top.phrase = m.phrase.clone()
		top.phrase.items = []item{{aggregate: "count", setID: m.phrase.set.id}}
		return top
	}
	if len(m.phrase.items) != 1 {
		return nil
	}
	switch it := m.phrase.items[0]; {
	case it.aggregate != "":
		top.phrase = m.phrase
	case it.attribute != nil && m.phrase.set == nil:
		top.attribute = it.attribute
	default:
		return nil
	}
	return top
}
