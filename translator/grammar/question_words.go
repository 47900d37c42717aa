// Reading "who", "how much", "where" and "when".

package grammar

import (
	"slices"

	"askpg/catalog"
)

// whenOf reads the verb after "when was the order" and finds the date that it
// speaks of.
func (p *parser) whenOf(c candidate, n reading, end int) []candidate {
	var out []candidate
	for e := c.end; e <= end && e <= c.end+3; e++ {
		if e > c.end && (!p.hasMeaning(e-1) || p.isDated(e-2) || len(p.ends(e-1, "firstly", "lastly")) > 0) {
			break
		}
		hints := p.wordsBetween(c.end, e)
		does := (p.verbal(hints) || p.isPeople(n.phrase.set.relation)) && len(p.lexicon.relationInfo[n.phrase.set.relation].dates) > 1
		for _, d := range p.dateColumns(n.phrase.set, &modifier{hints: hints, date: &dateRange{loYear: 1}}) {
			if does && !p.hintsAt(hints, p.lexicon.relationInfo[n.phrase.set.relation].names[d.column]) && !p.beginsAt(hints, d.column) {
				continue // of several times the one that the verb names
			}
			x := n.phrase.clone()
			x.items = []item{{column: d.column, setID: x.set.id}}
			if s := x.set.superlative; s != nil && s.by.column != nil && s.by.column != d.column && d.score > 0.9 && s.by.aggregate == "" {
				// the first to sign up is so by the date of signing up
				t := *x.set
				t.superlative = &superlative{by: item{column: d.column, setID: x.set.id}, descending: s.descending, count: s.count}
				x.set = &t
			}
			out = append(out, candidate{x, e, c.cost + n.cost + max(0, 1-d.score) + 0.2})
		}
	}
	return out
}

// beginsAt reports whether a verb says that a person comes to be there, and a time is the only one at which
// people do: "when did Ann start", where she was hired on a day.
func (p *parser) beginsAt(hints []string, c *catalog.Column) bool {
	if !p.isPeople(c.Relation) || !slices.ContainsFunc(hints, func(h string) bool { return p.language.beginnings[p.language.stem(h)] }) {
		return false
	}
	begun := slices.DeleteFunc(slices.Clone(p.lexicon.relationInfo[c.Relation].dates), func(d *catalog.Column) bool {
		return !slices.ContainsFunc(p.lexicon.relationInfo[c.Relation].names[d], func(s string) bool {
			return s == "hire" || s == "employ" || s == "sinc" || p.language.beginnings[s] && s != "creat"
		})
	})
	return only(begun) == c
}

// howMuch reads "how old is ...", "how much does ... weigh", "how many cylinders
// does ... have".
func (p *parser) howMuch(i, end int) []candidate {
	var out []candidate
	for _, e := range p.ends(i, "how") {
		out = append(out, p.howAdjective(e)...)
	}
	starts := p.ends(i, "how_many")
	if p.at(i).lower == "what" && len(p.ends(i+1, "do")) > 0 {
		starts = append(slices.Clone(starts), i+1) // "what does a ticket cost"
	}
	for _, e := range starts {
		for _, d := range p.maybe(e, "do") {
			out = append(out, p.measuredBy(d)...)
		}
		if p.at(e-1).lower == "much" {
			out = append(out, p.amountOf(e)...)
		}
		out = append(out, p.numbersHad(e)...)
	}
	return keepPerEnd(out)
}

// ofOwner makes an attribute that of the things c, which end at token end.
func (p *parser) ofOwner(a *attribute, c candidate, end int) []candidate {
	var out []candidate
	for _, r := range p.applyOf(&phrase{items: []item{{attribute: a}}}, &modifier{kind: modifierOf, phrase: c.phrase}) {
		out = append(out, candidate{r.phrase, end, c.cost + r.cost + 0.1})
	}
	return out
}

// howAdjective reads "old is Ann" behind "how".
func (p *parser) howAdjective(i int) []candidate {
	var out []candidate
	for e, f := range p.adjectivesAt(i, baseDegree) {
		a := p.attributeNamed(f.columns, nil, i, e)
		if a == nil {
			continue
		}
		for _, c := range p.nounsFrom(p.maybe(e, "be", "do")) {
			out = append(out, p.ofOwner(a, c, c.end)...)
		}
	}
	return out
}

// measuredBy reads "a ticket cost", "a ticket cost per month": a verb that stands for a measure.
func (p *parser) measuredBy(i int) []candidate {
	var out []candidate
	for _, c := range p.noun(i) {
		words := p.language.measures[p.at(c.end).stem]
		if len(words) == 0 {
			continue
		}
		a := p.attributeNamed(words, nil, c.end, c.end+1)
		if a == nil {
			continue
		}
		out = append(out, p.ofOwner(a, c, c.end+1)...)
		if b, e := p.perUnit(a, c.end+1); b != nil {
			out = append(out, p.ofOwner(b, c, e)...)
		}
	}
	return out
}

// numbersHad reads "cylinders does it have": the attribute is a number itself.
func (p *parser) numbersHad(i int) []candidate {
	var out []candidate
	for end, a := range p.mentions.attributes[i] {
		number := onlyNumeric(a)
		if number == nil {
			continue
		}
		base := &phrase{items: []item{{attribute: number}}}
		for _, c := range p.extend([]candidate{{base, end, 0.35 + p.partialNameCost(number) + 3*(1-number.candidates[0].score)/2}}) {
			if c.phrase.set != nil && len(c.phrase.items) == 1 {
				out = append(out, c)
			}
		}
	}
	return out
}

// amountOf reads "did we refund last year" after "how much": the only amount of
// what the verb names, added up.
func (p *parser) amountOf(i int) []candidate {
	var out []candidate
	for _, d := range p.ends(i, "do") {
		out = append(out, p.spentOn(d)...)
		for _, m := range p.mentions.relations[d] {
			amount := p.onlyAmount(m.relation)
			if m.score < namedScore || m.end != d+1 || amount == nil {
				continue
			}
			n := p.entity(m.relation)
			n.items = []item{{column: amount, setID: n.set.id, aggregate: "sum"}}
			out = append(out, p.extend([]candidate{{n, m.end, 0.4}})...)
		}
	}
	return out
}

// spentOn reads "spend on repairs" behind "how much did we".
func (p *parser) spentOn(i int) []candidate {
	var out []candidate
	if s := p.at(i).stem; s != "spend" && s != "pay" {
		return nil
	}
	for _, e := range p.ends(i+1, "in") {
		for _, c := range p.noun(e) {
			if !c.phrase.isEntity() || len(c.phrase.group) > 0 || c.phrase.set.superlative != nil || len(p.lexicon.relationInfo[c.phrase.set.relation].dates) == 0 {
				continue // what has no time is a list of prices
			}
			if amount := p.money(c.phrase.set.relation); amount != nil {
				n := c.phrase.clone()
				n.items = []item{{column: amount, setID: n.set.id, aggregate: "sum"}}
				out = append(out, p.extend([]candidate{{n, c.end, c.cost + 0.2}})...)
			}
		}
	}
	return out
}

// money returns the only column of amounts of money of a relation, nil if there are
// several or none.
func (p *parser) money(r *catalog.Relation) *catalog.Column {
	var only *catalog.Column
	for _, c := range r.Columns {
		called := slices.ContainsFunc(p.lexicon.relationInfo[r].names[c], func(s string) bool { return s == "amount" || s == "total" || s == "cost" || s == "fee" })
		if !called || c.Class != catalog.Number || p.isIdentifier(c) {
			continue
		}
		if only != nil {
			return nil
		}
		only = c
	}
	return only
}

// perUnit reads "per month" behind "what does it cost": the columns that are called by
// that unit, such as monthly_price. nil if there is none.
func (p *parser) perUnit(a *attribute, i int) (*attribute, int) {
	if w := p.at(i).lower; w != "per" && w != "a" && w != "an" && w != "each" {
		return nil, i
	}
	unit, end := p.dateUnit(i + 1)
	b := *a
	b.candidates = slices.DeleteFunc(slices.Clone(a.candidates), func(c columnCandidate) bool {
		return !slices.ContainsFunc(splitName(c.column.Name), func(w string) bool { return slices.Contains(p.language.dates.Units[unit], w) })
	})
	if end == i+1 || len(b.candidates) == 0 {
		return nil, i
	}
	return &b, end
}

// onlyAmount returns the only column of a relation whose values add up, nil if there
// are several or none.
func (p *parser) onlyAmount(r *catalog.Relation) *catalog.Column {
	var only *catalog.Column
	for _, c := range r.Columns {
		if !p.additive(c) {
			continue
		}
		if only != nil {
			return nil
		}
		only = c
	}
	return only
}

// heldAmount returns the quantity of what lies at a place, such as that of stock; nil if a relation has no
// such column, several, or times: then it is what happened.
func (p *parser) heldAmount(r *catalog.Relation) *catalog.Column {
	if len(p.lexicon.relationInfo[r].dates) > 0 {
		return nil
	}
	return only(slices.DeleteFunc(slices.Clone(r.Columns), func(c *catalog.Column) bool {
		return c.Class != catalog.Number || !slices.Contains(p.lexicon.relationInfo[r].names[c], p.language.stem("quantity"))
	}))
}

// whereWhen reads "where is ...", "when was ...".
func (p *parser) whereWhen(i, end int) []candidate {
	var out []candidate
	for e, where := range p.eitherOf(i, "where", "when") {
		for _, c := range p.noun(e) {
			entities := []reading{{c.phrase, 0}}
			if c.phrase.isValue() {
				entities = p.valueEntity(c.phrase)
			}
			for _, n := range entities {
				if !n.phrase.isEntity() {
					if !where {
						out = append(out, p.timeOfPart(c, end)...)
					}
					continue
				}
				if where {
					out = append(out, p.answeredBy(p.language.where, c, n, end, false)...)
				} else {
					out = append(out, p.whenOf(c, n, end)...)
					out = append(out, p.answeredBy(p.language.when, c, n, end, true)...)
				}
			}
		}
	}
	return out
}

// timeOfPart reads "the card of Ann expire" behind "when does": the time of things that is called by a part of them
// and by what it does.
func (p *parser) timeOfPart(c candidate, end int) []candidate {
	if c.phrase.set == nil || len(c.phrase.items) != 1 || c.phrase.hasAggregate() || c.end >= end {
		return nil
	}
	part := c.phrase.items[0]
	if part.column == nil || part.setID != c.phrase.set.id {
		return nil
	}
	var out []candidate
	verb := p.wordsBetween(c.end, c.end+1)
	for _, d := range p.dateColumns(c.phrase.set, &modifier{hints: verb, date: &dateRange{}}) {
		names := p.lexicon.relationInfo[d.column.Relation].names[d.column]
		own := slices.ContainsFunc(p.lexicon.relationInfo[part.column.Relation].names[part.column], func(s string) bool { return !fillers[s] && slices.Contains(names, s) })
		if own && p.hintsAt(verb, names) {
			x := c.phrase.clone()
			x.items = []item{{column: d.column, setID: x.set.id}}
			out = append(out, candidate{x, c.end + 1, c.cost + 0.2})
		}
	}
	return out
}

// answeredBy asks for the columns of things that are called by one of the words, a place or a time:
// "he from" behind "where is", "it built" behind "when was".
func (p *parser) answeredBy(words []string, c candidate, n reading, end int, time bool) []candidate {
	a := p.columnsNamed(words, n.phrase.set.relation, time)
	if a == nil || time && (a.candidates[0].column.Class == catalog.Time || p.isPeople(n.phrase.set.relation)) {
		return nil // the time of day does not tell the day, and nobody is at a time
	}
	ends := p.maybe(c.end, "in")
	if c.end < end && p.isVerb(c.end) {
		ends = append(ends, c.end+1)
	}
	var out []candidate
	for _, r := range p.attributeOf(&phrase{items: []item{{attribute: a}}}, n.phrase) {
		for _, e := range ends {
			out = append(out, candidate{r.phrase, e, c.cost + n.cost + r.cost + 0.3})
		}
	}
	return out
}
