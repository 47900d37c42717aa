// Finding the columns that attributes stand for on a set, and extremes by adjectives.

package grammar

import (
	"cmp"
	"slices"

	"askpg/catalog"
)

// reading is a phrase with the cost of how it came about: of a modifier that was applied, of an attribute that was resolved.
type reading struct {
	phrase *phrase
	cost   float64
}

// placement is a column found for an attribute, the set that it belongs to, and the root set with the joins that lead there.
type placement struct {
	root      *set
	setID     int
	column    *catalog.Column
	cost      float64
	candidate columnCandidate
}

// maxItems is how many columns a question may ask for at once.
const maxItems = 40

// resolveItems finds columns for the items of a phrase on a set.
func (p *parser) resolveItems(root *set, items []item) []itemsPlacement {
	list := []itemsPlacement{{root: root}}
	if len(items) > maxItems || p.isExhausted() {
		return nil
	}
	for _, it := range items {
		p.steps += len(list)
		var next []itemsPlacement
		for _, l := range list {
			switch {
			case it.attribute == nil:
				x := it
				if x.setID == 0 {
					x.setID = root.id
				}
				next = append(next, l.with(l.root, 0, x))
			case it.attribute.asksName && it.aggregate == "":
				next = append(next, p.resolveName(l, it))
			default:
				next = append(next, p.resolveItem(l, it)...)
			}
		}
		slices.SortStableFunc(next, func(a, b itemsPlacement) int { return cmp.Compare(a.cost, b.cost) })
		list = next[:min(len(next), maxPlaced)]
	}
	return list
}

// with adds items that were found on a set.
func (l itemsPlacement) with(root *set, cost float64, items ...item) itemsPlacement {
	return itemsPlacement{root, slices.Concat(l.items, items), l.cost + cost}
}

// resolveName adds what the things of a set are called by: the name of a person is two columns.
func (p *parser) resolveName(l itemsPlacement, it item) itemsPlacement {
	columns := p.lexicon.relationInfo[l.root.relation].display
	cost := 0.0
	if len(columns) > 0 && !isText(columns[0]) {
		cost = noAnswerCost // a number is no name
	}
	var items []item
	for _, c := range columns {
		it.attribute, it.column, it.setID = nil, c, l.root.id
		items = append(items, it)
	}
	return l.with(l.root, cost, items...)
}

// resolveItem adds the columns that an item may be.
func (p *parser) resolveItem(l itemsPlacement, it item) (out []itemsPlacement) {
	for _, pl := range p.place(l.root, it.attribute) {
		age := pl.candidate.label != nil && pl.candidate.label.age
		number := pl.column.Class == catalog.Number || pl.column.Class == catalog.Interval || age
		if isOverAll(it.aggregate) && (!number || p.isIdentifier(pl.column)) || (it.aggregate == "min" || it.aggregate == "max") && !isOrdered(pl.column) {
			continue
		}
		x := it
		x.attribute, x.column, x.setID, x.age = nil, pl.column, pl.setID, age
		out = append(out, l.with(pl.root, pl.cost, x))
	}
	return out
}

type itemsPlacement struct {
	root  *set
	items []item
	cost  float64
}

// attributeOf makes an attribute phrase one of things: "names" of singers.
func (p *parser) attributeOf(a, of *phrase) (out []reading) {
	ofs := []reading{{of, 0}}
	if of.isValue() {
		// every reading of the value: the thing of that name first, then rows
		// that hold it
		ofs = p.valueEntity(of)
	}
	for _, o := range ofs {
		if o.phrase.set == nil {
			continue
		}
		for _, l := range p.resolveItems(o.phrase.set, a.items) {
			if of.isValue() && len(l.items) == 1 && l.items[0].aggregate == "" && len(o.phrase.set.conditions) > 0 && o.phrase.set.conditions[0].column == l.items[0].column && !a.items[0].attribute.asksName {
				continue // nothing is asked if the answer is given
			}
			m := a.clone()
			m.set, m.items = l.root, l.items
			m.distinct = a.distinct || of.distinct || p.kindsOf(a, of) || p.isRowsOfName(o.phrase.set) && o.phrase.set.superlative == nil
			m.number = of.number
			m.order = of.order
			m.group = append(append([]item(nil), a.group...), of.group...)
			out = append(out, reading{m, o.cost + l.cost})
		}
	}
	return cheapestReadings(out, 6)
}

// kindsOf reports whether the different values of an attribute are asked for: "makes of vehicle".
func (p *parser) kindsOf(a, of *phrase) bool {
	from := of.words[0]
	return p.isPlural(a) && of.isEntity() && len(of.set.conditions) == 0 && of.set.superlative == nil && from > 0 && p.tokens[from-1].lower == "of" && !p.isPlural(of)
}

// isRowsOfName reports whether a set is the rows of one name, several of which may
// stand for one thing.
func (p *parser) isRowsOfName(s *set) bool {
	for _, c := range s.conditions {
		if c.kind == compare && c.op == "=" && !c.column.Unique && len(c.value.literals) == 1 {
			for _, d := range p.lexicon.relationInfo[s.relation].display {
				if d == c.column {
					return true
				}
			}
		}
	}
	return false
}

// addAttributes adds outputs to a phrase that has its set.
func (p *parser) addAttributes(n *phrase, items []item) (out []reading) {
	for _, l := range p.resolveItems(n.set, items) {
		m := n.over(l.root)
		if n.hasAggregate() && len(n.group) == 0 && !n.attributeHead {
			l.items = p.allSummed(l.items) // "how many orders, and total amount"
		}
		m.items = append(n.items[:len(n.items):len(n.items)], l.items...)
		out = append(out, reading{m, l.cost})
	}
	return cheapestReadings(out, 4)
}
