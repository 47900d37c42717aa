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
	for e, most := range p.eitherOf(i, "most", "least") {
		for _, c := range p.noun(e) {
			for _, r := range p.unitOfMost(c, unit, most) {
				for _, end := range append(p.nothingVerbs(c.end), c.end) {
					out = append(out, candidate{r.phrase, end, c.cost + r.cost + 0.2})
				}
			}
		}
	}
	return out
}

// unitOfMost returns the unit of time of most or least of the things that c is.
func (p *parser) unitOfMost(c candidate, unit string, most bool) []reading {
	n := p.counted(c.phrase)
	if !c.phrase.isEntity() || n == nil || len(n.group) > 0 || n.set.superlative != nil {
		return nil
	}
	out := p.groupByTime(n, unit)
	for i, g := range out {
		x := g.phrase.clone()
		x.order, x.number = []ordering{{n.items[0], most}}, "1"
		out[i].phrase = x
	}
	return out
}

// busiest reads "busiest weekday for orders".
func (p *parser) busiest(i int) []candidate {
	var out []candidate
	for _, d := range p.maybe(i, "article") {
		for e, most := range p.eitherOf(d, "popular", "unpopular") {
			for _, unit := range p.timeUnits(e) {
				for _, of := range p.ends(unit.end, "of_strict", "in") {
					for _, c := range p.noun(of) {
						for _, r := range p.unitOfMost(c, unit.unit, most) {
							out = append(out, candidate{r.phrase, c.end, c.cost + r.cost + 0.1})
						}
					}
				}
			}
		}
	}
	return keepPerEnd(out)
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
