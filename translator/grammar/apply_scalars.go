// Phrases as single values to compare with.

package grammar

import (
	"slices"

	"askpg/catalog"
)

type scalarCandidate struct {
	value operand
	cost  float64
}

// scalar makes a phrase a single value that a placed column can be compared
// with.
func (p *parser) scalar(s, of *phrase, pl placement) []scalarCandidate {
	one := func(n *phrase, cost float64) []scalarCandidate {
		return []scalarCandidate{{operand{query: n, plain: "that value"}, cost}}
	}
	switch {
	case s.ownGroup != nil:
		return p.averageOfGroup(s, of, pl)
	case s.ofReferenced != nil:
		return p.ofReferenced(s, pl)
	case s.isValue():
		return p.ofNamed(s, pl)
	case s.isPronoun && len(s.modifiers) == 1:
		fresh := &phrase{set: &set{id: p.newID(), relation: pl.column.Relation}}
		var out []scalarCandidate
		for _, r := range p.apply(fresh, &s.modifiers[0]) {
			if r.phrase.set != nil && p.atMostOneRow(r.phrase.set) {
				out = append(out, one(r.phrase.withItems(item{column: pl.column, setID: r.phrase.set.id}), r.cost)...)
			}
		}
		return out
	case s.isPronoun && len(s.items) == 1 && s.set == nil:
		return p.ofAllRows(s.items[0].aggregate, pl.column)
	case s.isEntity() && s.set.relation == pl.column.Relation:
		// of that of another row, or of all such rows
		if !p.atMostOneRow(s.set) {
			return nil
		}
		return one(s.withItems(item{column: pl.column, setID: s.set.id}), 0.1)
	case s.isAttribute() && len(s.items) == 1 && s.items[0].attribute != nil && s.items[0].aggregate == "":
		return p.besides(pl.column, s.items[0].attribute.candidates)
	case len(s.items) == 1 && s.items[0].aggregate != "":
		var out []scalarCandidate
		for _, st := range p.resolvePhrase(s) {
			if st.phrase.set != nil && len(st.phrase.group) == 0 {
				out = append(out, one(st.phrase, st.cost)...)
			}
		}
		if s.set == nil && len(out) > 1 {
			out = out[:1]
		}
		return out
	case len(s.items) == 1 && s.set != nil && s.items[0].column != nil && p.atMostOneRow(s.set):
		return one(s, 0.2)
	}
	return nil
}

// ofReferenced is the placed column of the row that a key of its own row points to: "more than their manager".
func (p *parser) ofReferenced(s *phrase, pl placement) []scalarCandidate {
	e, named := s.ofReferenced, s.items[0].attribute
	if e.from != pl.column.Relation || named != nil && !slices.ContainsFunc(named.candidates, func(c columnCandidate) bool { return c.column == pl.column }) {
		return nil
	}
	row := (&set{id: p.newID(), relation: e.to}).with(condition{kind: compare, column: e.toCols[0], op: "=", value: operand{outer: e.fromCols[0], plain: "that of the row"}})
	query := &phrase{set: row, items: []item{{column: pl.column, setID: row.id}}}
	return []scalarCandidate{{operand{query: query, plain: "that of its " + e.fromCols[0].Name}, 0}}
}

// ofNamed is the placed column of the row that a value names: "more than Ann Lee".
func (p *parser) ofNamed(s *phrase, pl placement) (out []scalarCandidate) {
	for _, r := range p.resolvePhrase(s) {
		if n := r.phrase; n.set != nil && n.set.relation == pl.column.Relation && p.namesOneRow(n.set) {
			query := &phrase{set: n.set, items: []item{{column: pl.column, setID: n.set.id}}}
			out = append(out, scalarCandidate{operand{query: query, plain: "that value"}, r.cost})
		}
	}
	return out
}

// ofAllRows is the average of a column over all of its relation, or another aggregate.
func (p *parser) ofAllRows(aggregate string, c *catalog.Column) []scalarCandidate {
	if p.isLevelForStock(c) {
		return nil
	}
	fresh := &set{id: p.newID(), relation: c.Relation}
	all := &phrase{set: fresh, items: []item{{aggregate: aggregate, column: c, setID: fresh.id}}}
	return []scalarCandidate{{operand{query: all, plain: "that value"}, 0}}
}

// besides are other columns of a column's own row that it can be compared with.
func (p *parser) besides(column *catalog.Column, candidates []columnCandidate) (out []scalarCandidate) {
	for _, c := range candidates {
		if c.column.Relation == column.Relation && c.column != column && p.likeKinds(c.column, column) && !p.isLevelForStock(column) {
			out = append(out, scalarCandidate{operand{column: c.column, plain: c.column.Name}, 3 * (candidates[0].score - c.score)})
		}
	}
	return out
}

// atMostOneRow reports whether a set is taken for one row in a comparison: like namesOneRow, but with any superlative, also one that keeps several rows.
func (p *parser) atMostOneRow(s *set) bool { return s.superlative != nil || p.namesOneRow(s) }

// likeKinds reports whether the values of two columns can be compared: amounts, or
// times.
func (p *parser) likeKinds(a, b *catalog.Column) bool {
	return isTime(a) && isTime(b) || a.Class == catalog.Number && b.Class == catalog.Number && !p.isIdentifier(a) && !p.isIdentifier(b)
}

// namesOneRow reports whether a set is one row: a key or a name tells which, or it is the first of some. No set is none.
func (p *parser) namesOneRow(s *set) bool {
	if s == nil {
		return false
	}
	for _, c := range s.conditions {
		if c.kind == compare && c.op == "=" {
			info := p.lexicon.relationInfo[s.relation]
			if c.column.Unique || len(info.key) == 1 && info.key[0] == c.column {
				return true
			}
			if slices.Contains(info.display, c.column) && !p.lexicon.hasSeveralRowsOfThing(s.relation) {
				return true
			}
		}
	}
	return s.superlative != nil && s.superlative.count == "1"
}
