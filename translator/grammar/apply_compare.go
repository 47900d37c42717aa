// Applying comparisons: "older than 30", "year 2014".

package grammar

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"askpg/catalog"
)

// applyNumber turns "year 2014" into things of which that holds.
func (p *parser) applyNumber(a *attribute, number operand) (out []reading) {
	seen := map[*catalog.Relation]bool{}
	for _, c := range a.candidates {
		if r := c.column.Relation; c.column.Class == catalog.Number && !p.noAmount(c, number) && !seen[r] {
			seen[r] = true
			n := p.entity(r).holding(condition{kind: compare, column: c.column, op: "=", value: number})
			out = append(out, reading{n, 0.2 + 3*(a.candidates[0].score-c.score)})
		}
	}
	return cheapestReadings(out, 5)
}

// applyCompare turns "status open" into things of which that holds, and into the value itself.
func (p *parser) applyCompare(a *attribute, value *phrase) (out []reading) {
	seen := map[*catalog.Relation]bool{}
	for _, c := range a.candidates {
		if seen[c.column.Relation] {
			continue
		}
		s := &set{id: p.newID(), relation: c.column.Relation}
		if condition, ok := p.valueCondition(value, c.column, false); ok {
			seen[c.column.Relation] = true
			out = append(out, reading{&phrase{set: s.with(condition)}, 0.2 + 3*(a.candidates[0].score-c.score)})
		}
	}
	v := value.clone()
	v.values = nil
	for _, hits := range value.values {
		kept := slices.DeleteFunc(slices.Clone(hits), func(h valueMention) bool {
			return !slices.ContainsFunc(a.candidates, func(c columnCandidate) bool { return c.column == h.column })
		})
		if len(kept) == 0 {
			return cheapestReadings(out, 4)
		}
		v.values = append(v.values, kept)
	}
	return cheapestReadings(append(out, reading{v, 0}), 5)
}

// applyComparison narrows a set by a comparison of an attribute.
func (p *parser) applyComparison(n *phrase, m *modifier) (out []reading) {
	for _, pl := range p.place(n.set, m.attribute) {
		target := pl.root.find(pl.setID)
		if target == nil || m.ofThingItself && target != n.set || !isEquality(m.op) && !strings.HasSuffix(m.op, "ilike") && !strings.HasPrefix(m.op, "is") && p.isIdentifier(pl.column) {
			continue
		}
		if m.attribute.fromAdjective && !reachedToOne(pl.root, pl.setID) {
			continue // stores are not bigger than 100 by what one of their orders comes to
		}
		if m.money && target != n.set && (!reachedToOne(pl.root, pl.setID) || slices.ContainsFunc(n.set.relation.Columns, p.lexicon.isPieces)) {
			continue // what an order costs is the price of none of its lines, and that of a line the price of no single piece
		}
		conditions := p.comparisonConditions(n, m, pl)
		if summed := p.summedComparison(n, m, pl); summed != nil && len(conditions) > 0 {
			cost := pl.cost
			if p.lineAmountOfOrder(n.set.relation) == pl.column {
				cost = 0 // what an order comes to is its own amount
			}
			out = append(out, reading{summed, cost})
			conditions[0].cost += 0.4
		}
		for _, c := range conditions {
			out = append(out, reading{n.over(pl.root.replace(target.with(c.condition))), pl.cost + c.cost})
		}
	}
	return cheapestReadings(out, 5)
}

// isEquality reports whether an operator asks for a value or for another one.
func isEquality(op string) bool { return op == "=" || op == "<>" }

// comparisonConditions returns the conditions that a comparison may be on a column that was found for its attribute.
func (p *parser) comparisonConditions(n *phrase, m *modifier, pl placement) []conditionCandidate {
	one := func(c condition, cost float64) []conditionCandidate { return []conditionCandidate{{c, cost}} }
	op, number := m.op, m.phrase == nil && m.value.query == nil
	aged := pl.candidate.label != nil && pl.candidate.label.age
	if (aged || pl.candidate.reversed && p.lexicon.isBirth(pl.column) && pl.setID == n.set.id) && number {
		if born := p.bornConditions(pl.column, op, m.value); born != nil {
			return one(conjunction(born), 0)
		}
	}
	if pl.candidate.reversed {
		if number {
			return nil // older than 20 is not a birth date
		}
		op = cmp.Or(flipped[op], op)
	}
	compared := condition{kind: compare, column: pl.column, op: op, value: m.value}
	switch {
	case m.op == "true":
		text, ok := truth(pl.column)
		if !ok {
			return nil
		}
		compared.op, compared.value = "=", operand{literals: []string{text}, plain: "true"}
	case m.phrase != nil && m.phrase.isValue() && (isEquality(op) || isText(pl.column)):
		return p.valueConditions(m.phrase, pl.column, op)
	case !isEquality(op) && p.levelBeside(pl.column, m.phrase) != nil:
		level := p.levelBeside(pl.column, m.phrase)
		compared.value = operand{column: level, plain: level.Name}
	case m.phrase != nil:
		var out []conditionCandidate
		for _, q := range p.scalar(m.phrase, n, pl) {
			compared.value = q.value
			out = append(out, conditionCandidate{compared, q.cost})
		}
		return out
	case op == "is null" && (pl.column.NotNull || pl.column.Class == catalog.Boolean) && isYesNo(pl.column):
		text, _ := truth(pl.column)
		compared.op, compared.value = "<>", operand{literals: []string{text}, plain: "true"} // "without insurance"
	case op == "is null" || op == "is not null":
		compared.op, compared.value = p.presence(pl.column, op)
	case strings.HasSuffix(op, "ilike"):
		if !isText(pl.column) {
			return nil
		}
	case !isComparable(pl.column, op, m.value) || op == "=" && p.noAmount(pl.candidate, m.value):
		return nil
	}
	return one(compared, 0)
}

// presence compares a column with nothing, or with something. Of a number that each row has nothing is 0: "products with no stock".
func (p *parser) presence(c *catalog.Column, op string) (string, operand) {
	switch {
	case !c.NotNull || c.Class != catalog.Number || p.isIdentifier(c):
		return op, operand{}
	case op == "is null":
		op = "="
	default:
		op = ">"
	}
	return op, operand{literals: []string{"0"}, plain: "0"}
}

// valueConditions says that a column is a value or another one: one that the catalog knows, or a quoted text.
func (p *parser) valueConditions(v *phrase, column *catalog.Column, op string) []conditionCandidate {
	if !isEquality(op) {
		return nil
	}
	if c, ok := p.valueCondition(v, column, op == "<>"); ok {
		return []conditionCandidate{{c, 0}}
	}
	if len(v.literals) == 0 || len(v.literals) != len(v.values) || !isText(column) {
		return nil
	}
	if len(v.literals) > 1 {
		op = map[string]string{"=": "in", "<>": "not in"}[op]
	}
	return []conditionCandidate{{condition{kind: compare, column: column, op: op, value: operand{literals: v.literals, plain: plainList(v.literals)}}, 0.3}}
}

// summedComparison compares a sum with a number: "who spent more than 100" is about all payments of somebody together. It returns nil if
// there is nothing to add up.
func (p *parser) summedComparison(n *phrase, m *modifier, pl placement) *phrase {
	spent := m.attribute.end == m.attribute.start+1 && p.isFullVerb(m.attribute.start) // "which customers spent more than 100"
	if !m.summed && !spent && !p.isOfLines(n.set.relation, m.attribute, pl.column) || m.phrase != nil || len(m.value.literals) != 1 || isEquality(m.op) ||
		pl.setID == n.set.id || !p.isAdditive(pl.column) || reachedToOne(pl.root, pl.setID) {
		return nil
	}
	x := n.over(pl.root)
	x.having = append(n.having[:len(n.having):len(n.having)], groupCondition{item{aggregate: "sum", column: pl.column, setID: pl.setID}, m.op, m.value})
	return x
}

// isOfLines reports whether a column is what lines come to, of which things that are no lines have several: "orders with a total over 500".
func (p *parser) isOfLines(things *catalog.Relation, a *attribute, c *catalog.Column) bool {
	_, computed := p.lexicon.lineAmounts[c]
	namesThings := slices.ContainsFunc(p.mentions.relations[a.start], func(m relationMention) bool { return m.end == a.end })
	return computed && c.Relation != things && !p.isLine(things) && !namesThings
}

// noAmount reports whether a column cannot be compared with a number: the number is a year and the column holds none, or the column is an
// identifier that the question does not name.
func (p *parser) noAmount(c columnCandidate, val operand) bool {
	if c.column.Class != catalog.Number || len(val.literals) != 1 {
		return false
	}
	return c.score < 0.9 && p.isIdentifier(c.column) || p.isYearInQuestion(val.literals[0]) && !slices.Contains(p.lexicon.relationInfo[c.column.Relation].names[c.column], "year")
}

// isYearInQuestion reports whether a number stands in the question as a year does:
// after a word of time and before no unit.
func (p *parser) isYearInQuestion(text string) bool {
	if !looksLikeYear(text) {
		return false
	}
	most := false // "the best month of 2025"
	for i := 1; i < len(p.tokens); i++ {
		for range p.adjectivesAt(i-1, mostDegree) {
			most = true
		}
		if before := p.tokens[i-1].lower; p.tokens[i].text == text && slices.Contains(p.language.dates.In, before) && len(p.unit(i+1)) == 1 && (before != "of" || most) {
			return true
		}
	}
	return false
}

// looksLikeYear reports whether a number may be a year of our time.
func looksLikeYear(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= 1900 && n <= 2100
}

// isIdentifier reports whether a column is a key or a reference, whose numbers are no amounts.
func (p *parser) isIdentifier(c *catalog.Column) bool {
	if p.lexicon.graph.isForeign(c) {
		return true
	}
	names := p.lexicon.relationInfo[c.Relation].names[c]
	// the "sales rep" of an order is who it is, and no amount
	return slices.Contains(p.lexicon.relationInfo[c.Relation].key, c) && (lastOf(names) == "id" || lastOf(names) == "code") ||
		p.language.numberedNames[lastOf(names)] && singular(lastOf(splitName(c.Name))) == "" && !slices.Contains(names, "number")
}

type conditionCandidate struct {
	condition condition
	cost      float64
}

// isText reports whether a column holds texts.
func isText(c *catalog.Column) bool { return c.Class == catalog.Text || c.Class == catalog.Enum }

// isComparable reports whether a column can be compared so with a literal.
func isComparable(c *catalog.Column, op string, val operand) bool {
	quoted := len(val.literals) > 0 && strings.HasPrefix(val.literals[0], "'")
	switch c.Class {
	case catalog.Number:
		return !quoted
	case catalog.Text, catalog.Enum:
		return quoted || op == "=" || op == "<>" || op == "in"
	case catalog.Boolean:
		return len(val.literals) == 1 && (val.literals[0] == "true" || val.literals[0] == "false")
	}
	return quoted
}

// flipped are the opposite comparisons, for a column whose values grow when the adjective's fall: "older" is an earlier birth date.
var flipped = map[string]string{">": "<", "<": ">", ">=": "<=", "<=": ">="}
