// Reading units of time that are asked for: "on which weekday".

package grammar

// timesOfMost reads "on which day of the week do most tickets come in", "which month had
// the most orders": the unit of time in which most happened.
func (p *parser) timesOfMost(i int) []candidate {
	var out []candidate
	for _, unit := range p.timeUnits(i) {
		for _, d := range p.maybe(unit.end, "do", "have", "be_bare") {
			for _, got := range p.maybe(d, "get_most") {
				out = append(out, p.mostIn(got, unit.unit)...)
			}
		}
	}
	return keepPerEnd(out)
}

// mostIn reads "most tickets come in": the unit of time in which that was so.
func (p *parser) mostIn(i int, unit string) []candidate {
	var out []candidate
	for _, tag := range []string{"most", "least"} {
		for _, e := range p.ends(i, tag) {
			for _, c := range p.noun(e) {
				n := p.counted(c.phrase)
				if !c.phrase.isEntity() || n == nil || len(n.group) > 0 || n.set.superlative != nil {
					continue
				}
				for _, g := range p.groupByTime(n, unit) {
					x := g.phrase.clone()
					x.order, x.number = []ordering{{n.items[0], tag == "most"}}, "1"
					for _, end := range append(p.nothingVerbs(c.end), c.end) {
						out = append(out, candidate{x, end, c.cost + g.cost + 0.2})
					}
				}
			}
		}
	}
	return out
}

// nothingVerbs returns where verbs end that say only that things happened: "come in".
func (p *parser) nothingVerbs(i int) []int {
	return p.ends(i, "happens")
}

// timeUnit is a word for a unit of time, and where it ends.
type timeUnit struct {
	unit string
	end  int
}

// timeUnits reads a unit of time by which things are divided.
func (p *parser) timeUnits(i int) []timeUnit {
	var out []timeUnit
	for _, unit := range []string{weekday, hourOfDay} {
		for _, e := range p.ends(i, unit) {
			out = append(out, timeUnit{unit, e})
		}
	}
	if unit, e := p.dateUnit(i); e > i {
		out = append(out, timeUnit{unit, e})
	}
	return out
}
