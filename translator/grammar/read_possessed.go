// What a named thing has: "customer Ann's orders".

package grammar

// possessed reads "customer Ann's orders", "the Ford workshop's number of repairs", as "orders of customer Ann".
func (p *parser) possessed(c candidate) (out []candidate) {
	n := c.phrase
	if !n.isEntity() || len(n.group) > 0 || len(n.set.conditions) == 0 {
		return nil
	}
	for _, h := range p.nounsFrom(p.ends(c.end, "possessive")) {
		if h.phrase.set == nil || len(h.phrase.group) > 0 || h.phrase.set.relation == n.set.relation {
			continue
		}
		out = append(out, candidates(p.apply(h.phrase, &modifier{kind: modifierRelated, phrase: n, hints: []string{"of"}}), h.end, c.cost+h.cost+0.1)...)
	}
	return out
}
