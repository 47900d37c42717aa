package joins

import (
	"strings"

	"askpg/catalog/schema"
	"askpg/catalog/words"
)

// ownKeys returns the columns of a relation that others may refer to: its
// primary key and what is declared unique. Without a primary key it returns
// what may be one and says so by its name, and without that whatever may be a
// key. Names are keys only of what has no others.
func (g *guesser) ownKeys(r *schema.Relation) []*schema.Column {
	if r.PrimaryKey != nil {
		var keys []*schema.Column
		for _, c := range r.Columns {
			if c.Unique && refersable(c) {
				keys = append(keys, c)
			}
		}
		return keys
	}
	var best [3][]*schema.Column // named as the whole relation, after it in short, others
	for _, c := range r.Columns {
		if refersable(c) && maybeKey(c) {
			own := g.ownName(c)
			best[own] = append(best[own], c)
		}
	}
	own := append(best[wholeName], best[shortName]...)
	for _, better := range []func(columnName) bool{
		func(n columnName) bool { return numbers[n.suffix] }, func(n columnName) bool { return !n.isName() }, func(columnName) bool { return true },
	} {
		for _, c := range own {
			if better(nameOf(c)) {
				return []*schema.Column{c}
			}
		}
	}
	return best[otherName]
}

func refersable(c *schema.Column) bool { return joinable(c.Class) && !c.Private }

// How a column's name names the rows of its own relation.
const (
	wholeName = iota // id, customer_id in customers, order_item_id in order_items
	shortName        // code, customerid and cid in customers, item_id in order_items, emp_no in empmst
	otherName
)

// numbers are names of keys by themselves.
var numbers = words.Set("id uid uuid guid key pk")

// ownName says whether and how a column's name names the rows of its relation.
func (g *guesser) ownName(c *schema.Column) int {
	own, known := g.own[c]
	if !known {
		own = g.readOwnName(c)
		g.own[c] = own
	}
	return own
}

func (g *guesser) readOwnName(c *schema.Column) int {
	relation, column := canonicals(c.Relation.Name.Name), nameOf(c)
	if len(relation) == 0 {
		return otherName
	}
	last, noun := relation[len(relation)-1], strings.Join(column.noun, "")
	if len(relation) > 1 && g.named[last] {
		last = "" // singer_in_concert is no concert where there is one
	}
	switch {
	case noun == "" && numbers[column.suffix], column.suffix != "" && noun == strings.Join(relation, ""):
		return wholeName
	case column.suffix != "":
		if written := beforeSuffix(c); noun == "" || noun == last || len(relation) == 1 && len(written) >= 3 && strings.HasPrefix(words.Normalize(c.Relation.Name.Name), written) {
			return shortName
		}
		return otherName
	case noun == "":
		return otherName
	}
	for s := range keySuffixes { // run together
		if rest, ok := strings.CutSuffix(column.noun[len(column.noun)-1], s); ok && rest != "" && (rest == last || len(relation) == 1 && len(rest) == 1 && rest[0] == relation[0][0]) {
			return shortName
		}
	}
	return otherName
}

// beforeSuffix returns a name as it is written, less its last word.
func beforeSuffix(c *schema.Column) string {
	w := words.Split(c.Name)
	return strings.Join(w[:len(w)-1], "")
}

// canonicals returns the canonical words of a name.
func canonicals(name string) []string {
	list := words.Split(name)
	for i, w := range list {
		list[i] = canonical(w)
	}
	return list
}

// maybeKey reports whether the column's values may all be different: by a key,
// by its statistics, or because nothing is known of them.
func maybeKey(c *schema.Column) bool {
	if c.Unique {
		return true
	}
	if p := c.Profile; p != nil && p.Sampled {
		return p.NullFrac == 0 && p.Rows > 0 && int64(p.Distinct) == p.Rows
	}
	if p := c.Profile; p != nil {
		return p.NullFrac == 0 && p.Distinct > 0 && c.Relation.Rows > 0 && p.Distinct >= 0.995*c.Relation.Rows
	}
	return c.Relation.PrimaryKey == nil && c.Class != schema.Enum && c.Relation.Kind != schema.View && c.Relation.Rows < 0
}
