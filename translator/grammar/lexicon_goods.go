// What goods in stock are worth, and what is earned by each: products of columns that no column holds.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// goodsMeasures returns the measures that prices and costs of goods make: the worth of what is in stock, and the margin. Where an admin or a column
// has one of their names, that is meant.
func (x *lexicon) goodsMeasures() (out []measureName) {
	for _, r := range x.snapshot.Relations {
		cost := only(slices.DeleteFunc(x.numbers(r), func(c *catalog.Column) bool { return !x.wasPaid(c) }))
		price := only(slices.DeleteFunc(x.numbers(r), func(c *catalog.Column) bool { return !x.isPrice(c) || x.wasPaid(c) }))
		sold := slices.ContainsFunc(x.soldQuantities, func(c *catalog.Column) bool { return c.Relation == r })
		if r.Kind == catalog.View || r.Kind == catalog.MaterializedView || sold || !x.hasName(r) || x.hasCurrency(r) || cost == nil && price == nil {
			continue
		}
		if stock := x.stockOfGoods(r); stock != nil && !x.hasAnyName(x.language.goods.Worth) {
			for _, at := range []struct {
				worth *catalog.Column
				names []string
			}{{cost, x.language.goods.AtCost}, {price, x.language.goods.AtPrice}} {
				if at.worth != nil {
					plain := at.worth == cost || cost == nil
					out = append(out, x.measureCalled(x.language.goods.Worth, at.names, plain, "sum(", stock, " * ", at.worth, ")")...)
				}
			}
		}
		if cost != nil && price != nil && !x.hasAnyName(x.language.goods.Margin) {
			out = append(out, x.measureCalled(x.language.goods.Margin, nil, true, "avg(", price, " - ", cost, ")")...)
		}
	}
	return out
}

// hasAnyName reports whether an admin's measure or a column is called by one of some names.
func (x *lexicon) hasAnyName(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		stems := x.stems(x.language.spoken(name))
		return slices.ContainsFunc(x.measures, func(m measureName) bool { return slices.Equal(m.stems, stems) }) ||
			len(x.labelsByJoinedStem[x.language.stem(strings.ReplaceAll(name, " ", ""))]) > 0
	})
}

// numbers returns the columns of numbers of a relation that count or measure in whole units.
func (x *lexicon) numbers(r *catalog.Relation) []*catalog.Column {
	return slices.DeleteFunc(slices.Clone(r.Columns), func(c *catalog.Column) bool {
		return c.Class != catalog.Number || c.Private || c.Unique || x.graph.isForeign(c) || inMinor(c)
	})
}

// hasCurrency reports whether rows of a relation say in which currency their amounts are: these do not add up.
func (x *lexicon) hasCurrency(r *catalog.Relation) bool {
	return slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool {
		return isText(c) && (c.Profile == nil || c.Profile.Distinct > 1) && slices.Contains(x.relationInfo[r].names[c], x.language.stem("currency"))
	})
}

// stockOfGoods returns the only number of the pieces of goods that there are: their own, or that of what refers to them.
func (x *lexicon) stockOfGoods(r *catalog.Relation) *catalog.Column {
	if own := only(slices.DeleteFunc(x.numbers(r), func(c *catalog.Column) bool { return !x.isStock(c) })); own != nil {
		return own
	}
	var list []*catalog.Column
	for _, e := range x.graph.edges[r] {
		kept := x.language.stem("stock")
		held := only(slices.DeleteFunc(x.numbers(e.to), func(c *catalog.Column) bool {
			return !x.isStock(c) || !x.relationInfo[e.to].stems[kept] && !slices.Contains(x.relationInfo[e.to].names[c], kept)
		}))
		if held != nil && !e.toOne && !slices.Contains(list, held) {
			list = append(list, held)
		}
	}
	return only(list)
}

// measureCalled returns the names of a measure: each of some, with each of the ends, and by itself if it is plain. The parts of its expression are
// texts and columns, of which the first is of the rows that are aggregated.
func (x *lexicon) measureCalled(names, ends []string, plain bool, parts ...any) (out []measureName) {
	m := &catalog.Measure{Name: names[0]}
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			m.Aggregate.Text += part
		case *catalog.Column:
			from := len(m.Aggregate.Text)
			m.Aggregate.Text += part.Name
			m.Aggregate.Refs = append(m.Aggregate.Refs, catalog.Reference{Start: from, End: len(m.Aggregate.Text), Column: part})
			if !slices.Contains(m.Relations, part.Relation) {
				m.Relations = append(m.Relations, part.Relation)
			}
		}
	}
	m.Relation = m.Relations[0]
	for _, name := range names {
		for _, end := range ends {
			out = append(out, measureName{m, x.stems(x.language.spoken(joinWords(name, end)))})
		}
		if plain {
			out = append(out, measureName{m, x.stems(x.language.spoken(name))})
		}
	}
	return out
}
