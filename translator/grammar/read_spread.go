// How far apart the highest and the lowest are: "difference between the highest and the lowest price".

package grammar

// spread is the aggregate of the highest less the lowest.
const spread = "spread"

// spreads reads "difference between the highest and the lowest price".
func (p *parser) spreads(i int) (out []candidate) {
	for _, c := range p.nounsFrom(p.behind(p.ends(i, spread), "article")) {
		n := c.phrase
		if len(n.items) != 2 || n.number != "" {
			continue
		}
		a, b := n.items[0], n.items[1]
		both := a.aggregate == "max" && b.aggregate == "min" || a.aggregate == "min" && b.aggregate == "max"
		if !both || a.attribute != b.attribute || a.column != b.column || a.setID != b.setID {
			continue
		}
		a.aggregate = spread
		out = append(out, candidate{n.withItems(a), c.end, c.cost + 0.05})
	}
	return out
}
