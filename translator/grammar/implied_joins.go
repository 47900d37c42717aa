// Joins that no foreign key declares: by names and types, or by values.

package grammar

import (
	"slices"

	"askpg/catalog"
)

type impliedEdge struct {
	from, to *catalog.Column
	cost     float64
}

// impliedEdges finds joins by names and types: a column called as another
// relation's key, or after that relation.
func impliedEdges(x *lexicon, g *graph) []impliedEdge {
	var out []impliedEdge
	for _, b := range x.snapshot.Relations {
		key := x.onlyKey(b)
		for _, a := range x.snapshot.Relations {
			if a == b {
				continue
			}
			for _, c := range a.Columns {
				if !g.foreign[c] {
					out = append(out, impliedEdgeOf(x, c, b, key)...)
				}
			}
		}
	}
	return out
}

// onlyKey returns the only column of a relation's key, or of its likely key; nil if there is none.
func (x *lexicon) onlyKey(r *catalog.Relation) *catalog.Column {
	key := r.PrimaryKey
	if len(key) != 1 {
		key = x.likelyKey(r)
	}
	if len(key) != 1 {
		return nil
	}
	return key[0]
}

// impliedEdgeOf is the join of a column with a relation of that key, or with its column of the same name;
// nothing if neither is implied.
func impliedEdgeOf(x *lexicon, c *catalog.Column, to *catalog.Relation, key *catalog.Column) []impliedEdge {
	if key != nil && kindred(c, key) {
		if cost := keyCost(x, c, key, x.relationInfo[to]); cost > 0 {
			return []impliedEdge{{c, key, cost}}
		}
	}
	if key != nil && key.Name == c.Name {
		return nil
	}
	// the same name of a thing on both sides, such as city_name
	if d := to.Column(c.Name); d != nil && c.Relation.Name.Name < to.Name.Name && sharedName(x, c, d) {
		return []impliedEdge{{c, d, 2.5}}
	}
	return nil
}

// countWords are stems of names of numbers that count or bound something, and point to nothing.
var countWords = wordSet([]string{"max", "maximum", "min", "minimum", "total", "count", "limit"})

// keyCost says how dear an edge from c to the key k is, 0 if there is none.
func keyCost(x *lexicon, c, k *catalog.Column, to *relationInfo) float64 {
	cw, kw := x.relationInfo[c.Relation].names[c], x.relationInfo[k.Relation].names[k]
	if len(cw) == 0 || len(kw) == 0 {
		return 0
	}
	if c.Class == catalog.Number && (countWords[cw[0]] || countWords[cw[len(cw)-1]]) {
		return 0
	}
	cs, ks := wordSet(cw), wordSet(kw)
	hasTo := true
	for s := range to.stems {
		hasTo = hasTo && cs[s]
	}
	generic := len(kw) == 1 && (kw[0] == "id" || kw[0] == "code" || kw[0] == "name" || kw[0] == "key" || kw[0] == "number" || kw[0] == "uid")
	own := k.Relation.PrimaryKey == nil && !k.Unique
	cost := 1.4
	if own {
		cost = 1.6
	}
	if len(c.Relation.PrimaryKey) == 1 && c.Relation.PrimaryKey[0] == c {
		// a key of its own: only the very same name joins
		if generic || !sameSet(cs, ks) {
			return 0
		}
		return cost + 0.4
	}
	switch {
	case !generic && sameSet(cs, ks):
		return cost
	case generic && hasTo && (cs[kw[0]] || len(cw) == len(to.stems)) && len(cw) <= len(to.stems)+1:
		return cost
	case !generic && hasTo && len(to.stems) > 0 && to.stems[cw[len(cw)-1]] && c.Class == k.Class:
		return cost + 0.2 // from_airport: airport.airport_code
	case generic && hasTo && cs[kw[0]]:
		return cost + 0.2
	}
	return 0
}

func sameSet(a, b map[string]bool) bool {
	if len(a) != len(b) {
		return false
	}
	for s := range a {
		if !b[s] {
			return false
		}
	}
	return true
}

// sharedName reports whether two text columns of the same name hold the names
// of the same things.
func sharedName(x *lexicon, c, d *catalog.Column) bool {
	if c.Class != catalog.Text || d.Class != catalog.Text {
		return false
	}
	if !nearlyUnique(c) && !nearlyUnique(d) || hasOtherKey(c) && hasOtherKey(d) {
		return false // two people may have one first name
	}
	words := x.relationInfo[c.Relation].names[c]
	if len(words) < 2 {
		return false
	}
	last := words[len(words)-1]
	return last == "name" || last == "code" || last == "id"
}

// hasOtherKey reports whether a declared key tells the rows of a column's relation apart, of which the column is no part.
func hasOtherKey(c *catalog.Column) bool {
	key := c.Relation.PrimaryKey
	return len(key) > 0 && !slices.Contains(key, c)
}

// nearlyUnique reports whether a column tells nearly all rows of its relation apart.
func nearlyUnique(c *catalog.Column) bool {
	return c.Unique || c.Profile != nil && c.Relation.Rows > 0 && c.Profile.Distinct >= 0.9*c.Relation.Rows
}

// kindred reports whether two columns are of a class that keys have.
func kindred(a, b *catalog.Column) bool {
	return a.Class == b.Class && (a.Class == catalog.Number || a.Class == catalog.Text || a.Class == catalog.UUID)
}

// maxImplied is how many relations a schema may have for joins to be guessed
// from names: the work grows with its square.
const maxImplied = 400
