// Reading what is divided: "how do the orders split up over the regions".

package grammar

// divided reads "break down the members by type", "distribution of the orders by status" and "how do the orders split up over the regions":
// what there is of each.
func (p *parser) divided(i int) (out []candidate) {
	for _, c := range p.nounsFrom(p.ends(i, "split")) {
		if len(c.phrase.group) > 0 {
			out = append(out, c)
		}
	}
	for _, c := range p.nounsFrom(p.then(p.ends(i, "how"), "do", "be_bare")) {
		for _, over := range p.ends(c.end, "split_over") {
			out = append(out, p.dividedBy(c, over)...)
		}
	}
	return out
}

// dividedBy divides what was read by the key at token i.
func (p *parser) dividedBy(c candidate, i int) (out []candidate) {
	if c.phrase.isValue() || c.phrase.isPronoun || len(c.phrase.group) > 0 || c.phrase.number != "" {
		return nil
	}
	for _, k := range p.keys(i) {
		k.modifier.hints = []string{"per"}
		out = append(out, candidates(p.apply(c.phrase, &k.modifier), k.end, c.cost+k.cost)...)
	}
	return out
}
