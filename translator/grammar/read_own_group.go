// Comparing with the average of the own group: "products dearer than the average of their category".

package grammar

import (
	"slices"

	"askpg/catalog"
)

// ownGroup is the key of "than the average of their category": the average is over the rows that share the key with the row that is
// compared.
type ownGroup struct{ key *phrase }

// ofOwnGroup reads "of their category", "in its department" behind an aggregate.
func (p *parser) ofOwnGroup(o operandCandidate) (out []operandCandidate) {
	if o.phrase == nil || len(o.phrase.items) != 1 || o.phrase.items[0].aggregate == "" || len(o.phrase.group) > 0 {
		return nil
	}
	for _, of := range p.ends(o.end, "of_strict", "in") {
		own := p.at(of).lower
		if own != "their" && own != "its" && own != "his" && own != "her" {
			continue
		}
		for _, c := range p.noun(of + 1) {
			if bare := c.phrase.isEntity() && len(c.phrase.set.conditions) == 0; !bare && (!c.phrase.isAttribute() || len(c.phrase.items) != 1) {
				continue
			}
			x := o.phrase.clone()
			x.ownGroup = &ownGroup{c.phrase}
			out = append(out, operandCandidate{phrase: x, end: c.end, cost: o.cost + c.cost - 0.2}) // else the key would say nothing
		}
	}
	return out
}

// averageOfGroup makes the aggregate of a placed column over the rows that have the same key as the row itself. Rows that are
// narrowed already have none: their group may be all rows, or those alone.
func (p *parser) averageOfGroup(s, of *phrase, pl placement) []scalarCandidate {
	if pl.setID != of.set.id || len(of.set.conditions) > 0 || of.set.superlative != nil {
		return nil
	}
	if a := s.items[0].attribute; a != nil && !slices.ContainsFunc(a.candidates, func(c columnCandidate) bool { return c.column == pl.column }) {
		return nil
	}
	var keys []*catalog.Column
	if key := s.ownGroup.key; key.isEntity() {
		for _, e := range p.lexicon.graph.edges[pl.column.Relation] {
			if e.toOne && e.to == key.set.relation && len(e.fromCols) == 1 {
				keys = append(keys, e.fromCols[0])
			}
		}
	} else if a := key.items[0].attribute; a != nil {
		for _, c := range a.candidates {
			if c.column.Relation == pl.column.Relation && c.score >= namedScore {
				keys = append(keys, c.column)
			}
		}
	}
	key := only(keys)
	if key == nil {
		return nil // of two keys which one is not said
	}
	rows := (&set{id: p.newID(), relation: pl.column.Relation}).with(condition{kind: compare, column: key, op: "=", value: operand{outer: key, plain: "that of the row"}})
	query := &phrase{set: rows, items: []item{{aggregate: s.items[0].aggregate, column: pl.column, setID: rows.id}}}
	return []scalarCandidate{{operand{query: query, plain: "that of its group"}, 0.1}}
}
