package grammar

import "askpg/catalog"

// extremeText handles columns such as highest_point, which name the extreme of
// each row: of several rows the one is meant whose measure, a number column
// called alike, is the extreme.
func (p *parser) extremeText(n *np) *np {
	if n.set == nil || n.set.sup != nil || len(n.items) != 1 || len(n.group) > 0 || len(n.order) > 0 || n.items[0].agg != "" {
		return n
	}
	it := n.items[0]
	if it.col == nil || !textual(it.col) {
		return n
	}
	if w := n.words[1]; w > 0 && w <= len(p.toks) && singular(p.toks[w-1].lower) != "" {
		return n // "the highest points": one for each
	}
	owner := n.set.find(it.sid)
	if owner == nil || p.single(owner) {
		return n
	}
	for _, c := range owner.conds {
		if c.kind == compare && c.op == "=" {
			return n // rows that hold a value: few enough to be listed
		}
	}
	measure, desc := p.measureOf(it.col)
	if measure == nil {
		return n
	}
	x := n.clone()
	s := *n.set
	s.sup = &super{by: item{col: measure, sid: it.sid}, desc: desc, n: "1"}
	x.set = &s
	return x
}

// measureOf returns the number column that measures what an extreme column
// names, and whether the extreme is the highest.
func (p *parser) measureOf(c *catalog.Column) (measure *catalog.Column, desc bool) {
	word := ""
	for _, w := range p.x.info[c.Relation].names[c] {
		if p.extremeStem(w) != 0 {
			word, desc = w, p.extremeStem(w) > 0
		}
	}
	if word == "" {
		return nil, false
	}
	for _, o := range c.Relation.Columns {
		if o != c && o.Class == catalog.Number && containsString(p.x.info[c.Relation].names[o], word) {
			return o, desc
		}
	}
	return nil, false
}

// extremeStem is 1 for stems of words for the most, -1 for the least, or 0.
func (p *parser) extremeStem(stem string) int {
	for _, form := range []struct {
		words []string
		sign  int
	}{{[]string{"highest", "largest", "maximum", "longest", "biggest", "greatest"}, 1}, {[]string{"lowest", "smallest", "minimum", "shortest", "least"}, -1}} {
		for _, w := range form.words {
			if p.lang.stem(w) == stem {
				return form.sign
			}
		}
	}
	return 0
}
