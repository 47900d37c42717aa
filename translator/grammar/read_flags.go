// Flags: columns of yes and no.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// boolean returns the readings of an attribute that are yes-or-no columns, nil
// if there is none.
func (p *parser) boolean(a *attribute) *attribute {
	b := *a
	b.candidates = nil
	for _, c := range a.candidates {
		if _, ok := truth(c.column); ok && c.score >= 0.7 {
			b.candidates = append(b.candidates, c)
		}
	}
	if len(b.candidates) == 0 {
		return nil
	}
	return &b
}

var (
	yes = wordSet([]string{"t", "true", "y", "yes", "1"})
	no  = wordSet([]string{"f", "false", "n", "no", "0"})
)

// findTruths takes "true" and "false" behind a flag for its values: "members where newsletter is false".
func (p *parser) findTruths(i int) {
	said := p.tokens[i].lower
	if i == 0 || said != "true" && said != "false" || !slices.Contains([]string{"is", "are", "=", "equals"}, p.tokens[i-1].lower) {
		return
	}
	for from := range i - 1 {
		for _, c := range p.mentions.attributes[from][i-1].all() {
			if c.column.Class == catalog.Boolean && c.score >= namedScore {
				p.addValue(i, i+1, valueMention{column: c.column, value: said, score: 1})
			}
		}
	}
}

// isYesNo reports whether a column says yes or no.
func isYesNo(c *catalog.Column) bool {
	_, ok := truth(c)
	return ok
}

// isFlag reports whether a phrase is an attribute that says yes or no.
func (n *phrase) isFlag() bool {
	if !n.isAttribute() || n.items[0].attribute == nil {
		return false
	}
	list := n.items[0].attribute.candidates
	return len(list) > 0 && isYesNo(list[0].column)
}

// truth returns the literal by which a column says yes. A text column says so
// if all that it holds is a way to say yes or no, and a number that is called a flag if it is 0 or 1.
func truth(c *catalog.Column) (string, bool) {
	switch c.Class {
	case catalog.Boolean:
		return "true", true
	case catalog.Text, catalog.Enum:
	case catalog.Number:
		return "1", isFlagName(c) && c.Profile != nil && c.Profile.Distinct <= 2 && len(c.Profile.Common) > 0 &&
			!slices.ContainsFunc(c.Profile.Common, func(v string) bool { return v != "0" && v != "1" })
	default:
		return "", false
	}
	values := c.Enum
	if len(values) == 0 {
		values = c.Allowed
	}
	if c.Profile != nil && len(values) == 0 {
		values = c.Profile.Common
	}
	if len(values) == 0 || len(values) > 3 {
		return "", false
	}
	isBlank := func(v string) bool { return strings.TrimSpace(v) == "" }
	ticked := mayLack(c) || slices.ContainsFunc(values, isBlank) // X or nothing, as on a form
	text := ""
	for _, v := range values {
		w := strings.ToLower(strings.TrimSpace(v))
		switch {
		case yes[w], w == "x" && ticked:
			text = literal(v)
		case !no[w] && !isBlank(v):
			return "", false
		}
	}
	return text, text != ""
}

// isFlagName reports whether the name of a column says that it is a flag: "del_flag", "is_paid".
func isFlagName(c *catalog.Column) bool {
	words := splitName(c.Name)
	switch words[len(words)-1] {
	case "flag", "flg", "fl", "indicator", "ind", "yn":
		return true
	case "delfl", "delflg", "delind", "delyn": // written in one
		return true
	}
	return len(words) > 1 && (words[0] == "is" || words[0] == "has")
}

// flagged reads the name of a flag in the plural as the things that have it:
// "contractors" are employees of whom is_contractor is true, "rush orders" orders
// that a flag with the comment "rush order" marks.
func (p *parser) flagged(i int) (out []candidate) {
	for end, a := range inOrder(p.mentions.attributes[i]) {
		out = append(out, p.holders(i, end, a)...)
		if singular(p.tokens[end-1].lower) == "" {
			continue
		}
		for _, c := range a.candidates {
			text, ok := truth(c.column)
			if ok && c.score >= namedScore && (c.column.Class == catalog.Boolean && isNounFlag(c.column) || c.label != nil && p.lexicon.relationInfo[c.column.Relation].stems[c.label.stems[len(c.label.stems)-1]]) {
				n := p.entity(c.column.Relation)
				n.set = n.set.with(condition{kind: compare, column: c.column, op: "=", value: operand{literals: []string{text}, plain: "true"}})
				n.words = [2]int{i, end}
				out = append(out, candidate{n, end, maxKindCost})
			}
		}
	}
	return out
}

// holders reads "newsletter subscribers": the people of whom a flag holds.
func (p *parser) holders(i, end int, a *attribute) (out []candidate) {
	for _, e := range p.ends(end, "holders") {
		for _, c := range a.candidates {
			text, ok := truth(c.column)
			if !ok || c.score < namedScore || !p.isPeople(c.column.Relation) {
				continue
			}
			n := p.entity(c.column.Relation)
			n.set = n.set.with(condition{kind: compare, column: c.column, op: "=", value: operand{literals: []string{text}, plain: "true"}})
			n.words = [2]int{i, e}
			out = append(out, candidate{n, e, maxKindCost})
		}
	}
	return out
}

// isNounFlag reports whether a flag may be called by what a row is of which it holds: is_soloist, no_show. One that is called
// by several things says that there are such.
func isNounFlag(c *catalog.Column) bool {
	words := splitName(c.Name)
	return words[0] == "is" || singular(words[len(words)-1]) == ""
}
