// What is shown of a ranking, and of things that a key points to.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// ranked shows the measure beside several ranked things, so that one sees which is first and by how much.
func (p *parser) ranked(n *phrase, out []reading) []reading {
	if !n.isEntity() || n.number == "" || n.number == "1" {
		return out
	}
	return p.showMeasure(out)
}

// showMeasure adds the measure that things are ranked by to the outputs.
func (p *parser) showMeasure(out []reading) []reading {
	for i, r := range out {
		if r.phrase.set.superlative == nil {
			continue
		}
		x := p.withDisplay(r.phrase).clone()
		x.items = append(x.items[:len(x.items):len(x.items)], x.set.superlative.by)
		out[i].phrase = x
	}
	return out
}

// showReferenced shows the name of what a key points to, unless the question asks for the identifier: "who is the manager".
func (p *parser) showReferenced(n *phrase) *phrase {
	x := n
	for i := len(n.items) - 1; i >= 0; i-- {
		e := p.reference(n.items[i : i+1])
		if e == nil || x.set.find(n.items[i].setID) == nil || len(n.group) > 0 {
			continue
		}
		child := &set{id: p.newID(), relation: e.to}
		var shown []item
		for _, c := range p.lexicon.relationInfo[e.to].display {
			shown = append(shown, item{column: c, setID: child.id})
		}
		x = x.clone()
		x.set = x.set.replace(x.set.find(n.items[i].setID).with(condition{kind: related, child: child, path: e.path(), joined: true}))
		x.items = slices.Replace(slices.Clone(x.items), i, i+1, shown...)
	}
	return x
}

// reference returns the edge of a foreign key that is the only output and that the question names without "id" or the like; nil if it is
// none.
func (p *parser) reference(items []item) *edge {
	if len(items) != 1 || items[0].column == nil || items[0].aggregate != "" {
		return nil
	}
	c := items[0].column
	names := p.lexicon.relationInfo[c.Relation].names[c]
	last := lastOf(names)
	numbered := last == "id" || last == "code" || last == "no" || last == "key" || last == "number"
	if numbered && (len(names) < 2 || p.asksNumber(last)) ||
		!numbered && c.Class != catalog.Number { // the number in acct_mgr says nothing
		return nil
	}
	for _, e := range p.lexicon.graph.edges[c.Relation] {
		if e.toOne && len(e.fromCols) == 1 && e.fromCols[0] == c && (!e.implied || p.lexicon.isColumnNamedLike(c, e.to)) {
			return e
		}
	}
	return nil
}

// asksNumber reports whether the question has the last word of a key's name: "id" of customer_id. "Number of" counts.
func (p *parser) asksNumber(last string) bool {
	return p.anywhere(func(i int) bool {
		t := p.tokens[i]
		return (t.stem == last || strings.TrimSuffix(t.lower, "s") == last) && p.at(i+1).lower != "of"
	})
}
