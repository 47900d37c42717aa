package grammar

// What makes a whole reading unlikely, whatever led to it.
const (
	// thingsTime is for a time of a thing, such as when a customer signed up,
	// where what happened to it has a time too: nobody said "signed up".
	thingsTime = 0.8
)

// doubt is what a reading costs for what is unlikely about it as a whole.
func (p *parser) doubt(n *np) float64 {
	return p.timeDoubt(n.set, false)
}

// timeDoubt finds times that are of things beside events. beside says that
// something happened to the things of s.
func (p *parser) timeDoubt(s *set, beside bool) float64 {
	if s == nil {
		return 0
	}
	cost, bare := 0.0, false
	for _, c := range s.conds {
		bare = bare || c.bare
		if c.kind != related {
			continue
		}
		beside = beside || p.happens(c) >= 0
		own := c.path.toOne() && len(p.x.info[s.rel].dates) > 0
		cost += p.timeDoubt(c.child, own || len(c.path.edges) > 1 && p.happens(c) >= 0 && p.happens(c) < len(c.path.edges)-1)
	}
	if bare && beside {
		cost += thingsTime
	}
	return cost
}
