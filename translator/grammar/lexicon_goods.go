// What goods in stock are worth, and what is earned by each: products of columns that no column holds.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// goodsMeasures returns the measures that prices and costs of goods make: the worth of what is in stock, and the margin. There are none where several
// relations have goods. Where an admin or a column has one of the names, that is meant.
func (x *lexicon) goodsMeasures() (out []measureName) {
	goods := onlyWhere(x.snapshot.Relations, x.areGoods)
	if goods == nil {
		return nil
	}
	cost, price := x.costAndPrice(goods)
	names := x.language.goods
	if stock := x.stockOfGoods(goods); stock != nil && !x.hasAnyName(names.Worth) {
		if cost != nil {
			out = append(out, x.measureCalled(names.Worth, names.AtCost, true, "sum(", stock, " * ", cost, ")")...)
		}
		if price != nil {
			out = append(out, x.measureCalled(names.Worth, names.AtPrice, !x.hasCost(goods), "sum(", stock, " * ", price, ")")...)
		}
	}
	if cost != nil && price != nil && !x.hasAnyName(names.Margin) {
		out = append(out, x.measureCalled(names.Margin, nil, true, "avg(", price, " - ", cost, ")")...)
	}
	return out
}

// areGoods reports whether rows of a relation are goods. They have a name, no column for a currency, and either a cost and a price or one of these and a stock.
func (x *lexicon) areGoods(r *catalog.Relation) bool {
	cost, price := x.costAndPrice(r)
	sold := slices.ContainsFunc(x.soldQuantities, func(c *catalog.Column) bool { return c.Relation == r })
	if cost == nil && price == nil || r.Kind == catalog.View || r.Kind == catalog.MaterializedView || sold || !x.hasName(r) || x.hasCurrency(r) {
		return false
	}
	return cost != nil && price != nil || x.stockOfGoods(r) != nil
}

// costAndPrice returns what was paid for a thing and for how much it is sold, each nil if no column or several say it.
func (x *lexicon) costAndPrice(r *catalog.Relation) (cost, price *catalog.Column) {
	cost = onlyWhere(x.amountsAndCounts(r), x.wasPaid)
	price = onlyWhere(x.amountsAndCounts(r), func(c *catalog.Column) bool { return x.isPrice(c) && !x.wasPaid(c) })
	return cost, price
}

// hasCost reports whether something of a relation says what was paid for things, also what the role may not read and what several columns say:
// what the stock is worth is no other number then.
func (x *lexicon) hasCost(r *catalog.Relation) bool {
	return slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool {
		return c.Class == catalog.Number && !x.graph.isForeign(c) && x.wasPaid(c)
	}) || slices.ContainsFunc(r.Denied, func(name string) bool {
		return slices.ContainsFunc(x.stems(splitName(name)), func(s string) bool { return x.language.purchasePriceNames[s] })
	})
}

// hasAnyName reports whether an admin's measure or a column is called by one of some names.
func (x *lexicon) hasAnyName(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		stems := x.stems(x.language.spoken(name))
		return slices.ContainsFunc(x.measures, func(m measureName) bool { return slices.Equal(m.stems, stems) }) ||
			len(x.labelsByJoinedStem[x.language.stem(strings.ReplaceAll(name, " ", ""))]) > 0
	})
}

// amountsAndCounts returns the columns of a relation that count something or hold an amount, if that is not in cents.
func (x *lexicon) amountsAndCounts(r *catalog.Relation) []*catalog.Column {
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
	if own := onlyWhere(x.amountsAndCounts(r), x.isStock); own != nil {
		return own
	}
	var list []*catalog.Column
	for _, e := range x.graph.edges[r] {
		kept := x.language.stem("stock")
		held := onlyWhere(x.amountsAndCounts(e.to), func(c *catalog.Column) bool {
			return x.isStock(c) && (x.relationInfo[e.to].stems[kept] || slices.Contains(x.relationInfo[e.to].names[c], kept))
		})
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
