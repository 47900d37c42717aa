// Refusing the time of a beginning for that of an outcome, and a name for a code.

package grammar

import (
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// refuseFirstForOutcome refuses the time at which something began as the time of its outcome: who "died on a ward this year" may have
// been admitted before.
func (p *parser) refuseFirstForOutcome(n *phrase) string {
	for s, c := range conditionsIn(n.set) {
		if c.kind != compare || c.op != "=" || isYesNo(c.column) {
			continue
		}
		end := endOf(c.column)
		other := func(o condition) bool { return o.op == "range" && o.column != end }
		if end != nil && !p.mentionsRelation(s.relation) && slices.ContainsFunc(s.conditions, other) && !speaksOf(s.conditions, end) {
			return fmt.Sprintf("What %s says has the time %s: say of which time of %s it is.", c.column.Name, end.Name, s.relation.Name.Name)
		}
	}
	return ""
}

// endOf returns the time that need not be there yet and is called as a column is to which no time belongs, such as dis_date of
// dis_method; nil if there is none.
func endOf(c *catalog.Column) *catalog.Column {
	const short = 3
	first := splitName(c.Name)[0]
	return only(slices.DeleteFunc(slices.Clone(c.Relation.Columns), func(o *catalog.Column) bool {
		timed := o.Class == catalog.Date || o.Class == catalog.Timestamp
		return o == c || !timed || !mayLack(o) || len(first) < short || splitName(o.Name)[0] != first
	}))
}

// refuseNameForCode refuses the name of one thing before another whose kind may have that name as a code: "emergency admissions" are of a
// department of that name, or have the kind E.
func (p *parser) refuseNameForCode(n *phrase) string {
	for _, c := range n.set.conditions {
		if c.kind != related || c.negated || !c.path.toOne() {
			continue
		}
		for _, named := range c.child.conditions {
			if kind := p.codedKind(n.set.relation, named); kind != nil && !speaksOf(n.set.conditions, kind) {
				return fmt.Sprintf("%q may be of %s, or of %s of %s: say which.", named.value.plain, named.column.Relation.Name.Name, kind.Name, n.set.relation.Name.Name)
			}
		}
	}
	return ""
}

// codedKind returns the kind of a relation's rows, of codes that nothing explains, if one is the first letter of a name that the
// question has before the relation; nil if there is none.
func (p *parser) codedKind(r *catalog.Relation, named condition) *catalog.Column {
	name := named.value.plain
	if named.kind != compare || named.op != "=" || len(wordsOf(name)) != 1 {
		return nil
	}
	said := slices.IndexFunc(p.tokens, func(t token) bool { return t.lower == strings.ToLower(name) })
	if said < 0 || !slices.ContainsFunc(p.mentions.relations[said+1], func(m relationMention) bool { return m.relation == r }) {
		return nil
	}
	at := slices.IndexFunc(r.Columns, func(c *catalog.Column) bool {
		kind := slices.ContainsFunc(p.lexicon.relationInfo[r].names[c], func(s string) bool { return s == "type" || s == "kind" || s == "class" })
		return kind && len(p.lexicon.meanings(c)) == 0 && slices.Contains(valuesOf(c), strings.ToUpper(name[:1]))
	})
	if at < 0 {
		return nil
	}
	return r.Columns[at]
}
