// Entity-attribute-value tables: kinds of measurements are values of one column, and another column has what was measured, as in lab results.

package grammar

import (
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// eavAttribute is one attribute of an entity-attribute-value table, which a question names like a column: potassium of lab results.
type eavAttribute struct {
	kind, value *catalog.Column
	kindValue   string // the value of kind
}

// maxEAVAttributes bounds the kinds of a relation: a column of more is none of kinds.
const maxEAVAttributes = 200

var (
	eavKindNames  = wordSet([]string{"test", "tst", "analyte", "parameter", "param", "metric", "attribute", "attr", "indicator", "measure", "property", "sensor"})
	eavValueNames = wordSet([]string{"value", "val", "result", "reading", "measurement", "measured"})
)

// addEAVAttributes names each kind of measurement that a relation holds. Their columns are none of the relation's own.
func (x *lexicon) addEAVAttributes(r *catalog.Relation) {
	info := x.relationInfo[r]
	kind := onlyWhere(r.Columns, func(c *catalog.Column) bool {
		return !c.Private && !c.Unique && isText(c) && hasWord(c, eavKindNames)
	})
	value := onlyWhere(r.Columns, func(c *catalog.Column) bool {
		return c != kind && !c.Private && (c.Class == catalog.Number || c.Class == catalog.Text) && hasWord(c, eavValueNames)
	})
	if kind == nil || value == nil || info.leftover {
		return
	}
	texts := x.textsOf(kind)
	if len(texts) > maxEAVAttributes {
		return
	}
	named := map[string]*catalog.Column{}
	for _, t := range texts {
		words := wordsOf(t.Text)
		if len(t.Text) < 3 || len(words) == 0 || len(words) > maxMeaning {
			continue
		}
		c := named[t.Value]
		if c == nil {
			c = &catalog.Column{Relation: r, Name: strings.ToLower(t.Text), Class: catalog.Number, Num: value.Num}
			named[t.Value], x.eavAttributes[c], info.names[c] = c, eavAttribute{kind, value, t.Value}, x.stems(words)
		}
		x.add(&label{relation: r, column: c, words: words, score: 1, allWords: true})
	}
}

// textsOf returns the values of a column that are known, by what they mean or else by themselves.
func (x *lexicon) textsOf(c *catalog.Column) []catalog.Label {
	out := slices.Clone(x.meanings(c))
	add := func(v string) {
		if !slices.ContainsFunc(out, func(l catalog.Label) bool { return l.Text == v }) {
			out = append(out, catalog.Label{Value: v, Text: v})
		}
	}
	for _, v := range valuesOf(c) {
		add(v)
	}
	return out
}

// hasWord reports whether a word of a column's name is one of a set.
func hasWord(c *catalog.Column, words map[string]bool) bool {
	return slices.ContainsFunc(splitName(c.Name), func(w string) bool { return words[w] })
}

// kindCondition is the condition that rows are of a gauge's kind.
func (g eavAttribute) kindCondition() condition {
	return condition{kind: compare, column: g.kind, op: "=", value: operand{literals: []string{literal(g.kindValue)}, plain: g.kindValue}}
}

// withEAVKind says of the rows of a placement that they are of the kind that its column measures; false if they are of another one.
func (x *lexicon) withEAVKind(pl placement) (placement, bool) {
	g, measured := x.eavAttributes[pl.column]
	target := pl.root.find(pl.setID)
	if !measured || target == nil {
		return pl, !measured
	}
	for _, c := range target.conditions {
		if c.kind == compare && c.column == g.kind {
			return pl, c.op == "=" && slices.Equal(c.value.literals, g.kindCondition().value.literals)
		}
	}
	narrowed := target.with(g.kindCondition())
	pl.root = pl.root.replace(narrowed)
	return pl, true
}

// eavValue writes what a gauge measured, a number where it is held as a text.
func (b *builder) eavValue(alias string, g eavAttribute) string {
	value := b.column(alias, g.value)
	if g.value.Class == catalog.Number {
		return value
	}
	return fmt.Sprintf(`CASE WHEN %s ~ '^\s*-?[0-9]+(\.[0-9]+)?\s*$' THEN %[1]s::numeric END`, value)
}

// refuseEAVOfOtherKind refuses a reading that has what a gauge measured of rows that need not be of its kind.
func (p *parser) refuseEAVOfOtherKind(n *phrase) string {
	for c := range p.used(n).columns {
		if g, measured := p.lexicon.eavAttributes[c]; measured && !n.set.isOfEAVKind(g) {
			return fmt.Sprintf("%q is one value of %s: say what is asked of it, such as its average.", c.Name, g.kind.Name)
		}
	}
	return ""
}

// isOfEAVKind reports whether the rows of a set, or of one that it is related to, are of a gauge's kind.
func (s *set) isOfEAVKind(g eavAttribute) bool {
	return slices.ContainsFunc(s.conditions, func(c condition) bool {
		return c.kind == compare && c.column == g.kind && slices.Contains(c.value.literals, literal(g.kindValue)) || c.child != nil && c.child.isOfEAVKind(g)
	})
}
