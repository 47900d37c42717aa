// Stock: how many pieces there are, and the level that this is compared with.

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// stockOf returns the number of pieces that there are of the things of a relation, nil if several columns may say it.
func (p *parser) stockOf(r *catalog.Relation) *catalog.Column {
	return onlyWhere(r.Columns, p.lexicon.isStock)
}

// isStock reports whether a column is called the number of pieces that there are.
func (x *lexicon) isStock(c *catalog.Column) bool {
	names := x.relationInfo[c.Relation].names[c]
	pieces := isOnHand(names) || slices.ContainsFunc(names, func(s string) bool { return s == x.language.stem("stock") || s == x.language.stem("quantity") })
	return c.Class == catalog.Number && pieces && !x.isLevel(c) && !slices.ContainsFunc(names, func(s string) bool { return x.language.moneyNames[s] || x.language.notHeldNames[s] })
}

// isOnHand reports whether the stems of a column's name say that it is what is there: on_hand.
func isOnHand(names []string) bool {
	return slices.Contains(names, "on") && slices.Contains(names, "hand")
}

// onHand returns the only number of a relation that an administrator or its comment describes as the stock on hand; nil if there is none.
func (p *parser) onHand(r *catalog.Relation) *catalog.Column {
	return onlyWhere(r.Columns, func(c *catalog.Column) bool {
		called := func(name string) bool {
			switch strings.ToLower(name) {
			case "stock", "in stock", "on hand", "quantity on hand", "on hand quantity", "stock on hand":
				return true
			}
			return false
		}
		return c.Class == catalog.Number && (called(c.Comment) || slices.ContainsFunc(c.Synonyms, called))
	})
}

// stockQuantity returns the quantity of what lies at a place, such as that of stock; nil if a relation has no
// such column, several, or times: then it is what happened.
func (x *lexicon) stockQuantity(r *catalog.Relation) *catalog.Column {
	sold := slices.ContainsFunc(x.soldQuantities, func(c *catalog.Column) bool { return c.Relation == r })
	if sold || x.hasTimes(r) {
		return nil
	}
	return onlyWhere(r.Columns, func(c *catalog.Column) bool {
		names := x.relationInfo[r].names[c]
		return c.Class == catalog.Number && !x.isLevel(c) && (slices.Contains(names, x.language.stem("quantity")) || isOnHand(names)) && !slices.ContainsFunc(names, func(s string) bool { return x.language.notHeldNames[s] })
	})
}

// refuseStockCounted refuses to count rows of stock where a number of pieces is compared: "products with less than 10 in stock".
func (p *parser) refuseStockCounted(n *phrase) string {
	for _, c := range conditionsIn(n.set) {
		if c.kind != related || c.count == nil {
			continue
		}
		if held := p.lexicon.stockQuantity(c.child.relation); held != nil {
			return fmt.Sprintf("It is not said whether %s is compared at each place or in total: say total of it.", held.Name)
		}
	}
	return ""
}

// refuseStockOfOther refuses what is in stock of goods that the question does not name, where others have the things in common with them: of
// "customers in stock" none of the products that they reviewed are meant.
func (p *parser) refuseStockOfOther(n *phrase) string {
	for _, c := range conditionsIn(n.set) {
		if c.kind != related || !c.path.isTurning() || p.mentionsRelation(c.child.relation) {
			continue
		}
		for _, held := range c.child.conditions {
			if held.kind == compare && p.lexicon.isStock(held.column) {
				return fmt.Sprintf("%s is in stock, and not %s: name what is meant.", c.child.relation.Name.Name, n.set.relation.Name.Name)
			}
		}
	}
	return ""
}

// refuseSoldForHeld refuses pieces that were sold or sent back where the question asks for those that we have.
func (p *parser) refuseSoldForHeld(n *phrase) string {
	end := len(p.tokens) - 1
	for _, it := range n.items {
		if it.aggregate != "sum" || it.column == nil || p.at(end).lower != "have" || p.at(end-1).lower != "do" {
			continue
		}
		if slices.Contains(p.lexicon.soldQuantities, it.column) || p.lexicon.isPieces(it.column) && p.lexicon.hasTimes(it.column.Relation) {
			return fmt.Sprintf("%s of %s is not what there is now: ask for the stock.", it.column.Name, it.column.Relation.Name.Name)
		}
	}
	return ""
}

// refuseLeft refuses a reading that leaves out that only what is left is asked for: "3 orders left".
func (p *parser) refuseLeft(n *phrase) string {
	i := len(p.tokens) - 1
	if i > 0 && p.tokens[i].lower == "left" && len(p.mentions.relations[i-1]) > 0 && !p.isWithinUsed(i, i+1, p.used(n)) {
		return "Nothing says what is left: say what is in stock, or what holds of it."
	}
	return ""
}

// isLevel reports whether a column is called a level that a number of pieces is compared with.
func (x *lexicon) isLevel(c *catalog.Column) bool {
	return c.Class == catalog.Number && slices.ContainsFunc(x.relationInfo[c.Relation].names[c], func(s string) bool { return x.language.levelNames[s] })
}

// inStock reads "out of stock" and "in stock": there is nothing, or something, of an amount.
func (p *parser) inStock(i int) (out []modifierCandidate) {
	from, some := i+1, true
	if p.follows(i, []string{"out", "of"}) {
		from, some = i+2, false
	} else if p.at(i).lower != "in" {
		return nil
	}
	for _, r := range p.mentions.relations[from] {
		if held := cmp.Or(p.lexicon.stockQuantity(r.relation), p.onHand(r.relation)); held != nil && r.score >= namedScore-partialRelationPenalty {
			kept := &phrase{set: (&set{id: p.newID(), relation: r.relation}).with(condition{kind: compare, column: held, op: ">", value: numberOperand("0")})}
			out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: kept, negated: !some}, r.end, 0})
		}
	}
	for end, a := range inOrder(p.mentions.attributes[from]) {
		number, op := onlyNumeric(a), "<="
		if some {
			op = ">"
		}
		if number == nil || some && (p.at(from).stem != p.language.stem("stock") || !p.lexicon.isStock(number.candidates[0].column)) {
			continue
		}
		out = append(out, modifierCandidate{modifier{kind: modifierCompare, attribute: number, op: op, value: numberOperand("0")}, end, 0.1 + 3*(1-number.candidates[0].score)/2})
	}
	return out
}

// unnamedStock reads "what is out of stock", "anything running low?", where things of one kind alone are in stock.
func (p *parser) unnamedStock(i int) (out []candidate) {
	starts := p.ends(i, "anything")
	if len(starts) == 0 {
		return nil
	}
	things := onlyWhere(p.relations, func(r *catalog.Relation) bool {
		named := func(c *catalog.Column) bool {
			return p.lexicon.isStock(c) && slices.Contains(p.lexicon.relationInfo[r].names[c], p.language.stem("stock"))
		}
		return p.onHand(r) != nil || slices.ContainsFunc(r.Columns, named)
	})
	if things == nil || !p.lexicon.hasName(things) {
		return nil
	}
	for _, e := range starts {
		for _, m := range append(p.inStock(e), p.levelCompared(e)...) {
			out = append(out, candidates(p.apply(p.entity(things), &m.modifier), m.end, m.cost+0.1)...)
		}
	}
	return out
}

// levelCompared reads "below their reorder level": less than that is in stock. "Running low" is what has come down to the lowest level.
func (p *parser) levelCompared(i int) (out []modifierCandidate) {
	for _, low := range p.then(p.behind(p.maybe(i, "relative"), "be_bare"), "low_stock") {
		out = append(out, modifierCandidate{modifier{kind: modifierLevel, op: "<="}, low, 0.05})
	}
	for _, k := range []struct{ tag, op string }{{"lt", "<"}, {"gt", ">"}} {
		for _, d := range p.behind(p.behind(p.ends(i, k.tag), "pronoun"), "article") {
			for end, a := range inOrder(p.mentions.attributes[d]) {
				level := onlyNumeric(a)
				if level == nil || !slices.ContainsFunc(level.candidates, func(c columnCandidate) bool { return p.lexicon.isLevel(c.column) }) {
					continue
				}
				out = append(out, modifierCandidate{modifier{kind: modifierLevel, attribute: level, op: k.op}, end, 0.05})
			}
		}
	}
	return out
}

// applyLevel compares the number of pieces that there are with a level of the same thing.
func (p *parser) applyLevel(n *phrase, m *modifier) []reading {
	if !n.isEntity() || len(n.group) > 0 || n.set.superlative != nil {
		return nil
	}
	if compared := p.comparedWithLevel(n.set.relation, m); compared != nil {
		return []reading{{n.holding(*compared), 0}}
	}
	return p.levelAtPlaces(n, m)
}

// comparedWithLevel compares the stock of a relation with its level, nil if it has none or several of either.
func (p *parser) comparedWithLevel(r *catalog.Relation, m *modifier) *condition {
	held, level := p.stockOf(r), only(slices.DeleteFunc(slices.Clone(r.Columns), func(c *catalog.Column) bool { return !p.lexicon.isLevel(c) || p.isUpperLevel(c) }))
	if m.attribute != nil {
		level = nil
		for _, c := range m.attribute.candidates {
			if level == nil && c.column.Relation == r && p.lexicon.isLevel(c.column) && c.score >= namedScore {
				level = c.column
			}
		}
	}
	if held == nil || level == nil {
		return nil
	}
	return &condition{kind: compare, column: held, op: m.op, value: operand{column: level, plain: level.Name}}
}

// levelAtPlaces is applyLevel for things that are held at several places, as one row for each: all in one relation.
func (p *parser) levelAtPlaces(n *phrase, m *modifier) []reading {
	held := only(slices.DeleteFunc(slices.Clone(p.lexicon.graph.edges[n.set.relation]), func(e *edge) bool {
		return e.toOne || e.to == n.set.relation || p.comparedWithLevel(e.to, m) == nil
	}))
	if held == nil {
		return nil
	}
	x := n.withItems(p.withDisplay(&phrase{set: n.set}).items...)
	x.set = (&set{id: p.newID(), relation: held.to}).with(*p.comparedWithLevel(held.to, m), condition{kind: related, child: n.set, path: held.path().reversed(), joined: true})
	return []reading{{x, 0.2}}
}

// isUpperLevel reports whether a level is one that is not to be exceeded.
func (p *parser) isUpperLevel(c *catalog.Column) bool {
	upper := p.language.stems([]string{"maximum", "max", "target", "par"})
	return slices.ContainsFunc(p.lexicon.relationInfo[c.Relation].names[c], func(s string) bool { return upper[s] })
}

// isLevelForStock reports whether a column is a level which the question calls by a word for what is in stock: "stock" is not max_stock.
func (p *parser) isLevelForStock(c *catalog.Column) bool {
	return p.lexicon.isLevel(c) && p.stockOf(c.Relation) != nil && p.bestNameScore(c) < exactNameScore
}

// levelBeside returns the column that says what "the minimum" of another one is, as min_stock does of stock; nil if there is none, or
// if a phrase is neither "the minimum" nor "the maximum".
func (p *parser) levelBeside(of *catalog.Column, n *phrase) *catalog.Column {
	if n == nil || !n.isPronoun || len(n.items) != 1 || n.items[0].aggregate != "min" && n.items[0].aggregate != "max" {
		return nil
	}
	names := p.lexicon.relationInfo[of.Relation].names
	levels := slices.DeleteFunc(slices.Clone(of.Relation.Columns), func(c *catalog.Column) bool {
		return c == of || !p.lexicon.isLevel(c) || p.isUpperLevel(c) != (n.items[0].aggregate == "max") || !p.lexicon.isStock(of) && slices.ContainsFunc(names[c], func(s string) bool { return !p.language.levelNames[s] && !slices.Contains(names[of], s) })
	})
	bounds := slices.DeleteFunc(slices.Clone(levels), func(c *catalog.Column) bool {
		return !slices.ContainsFunc(names[c], func(s string) bool { return p.language.boundNames[s] })
	})
	return cmp.Or(only(bounds), only(levels))
}
