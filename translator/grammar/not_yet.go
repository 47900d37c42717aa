// What is asked of days to come, where nothing of them is recorded.

package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"askpg/catalog"
)

// cameNotYet refuses what did not come in a time ahead by a day that never lies ahead, where another day of it does: "rooms without a
// booking next week" are not those that nobody booked next week.
func (p *parser) cameNotYet(n *phrase) string {
	day := p.now().Format(time.DateOnly)
	for _, denied := range n.set.conditions {
		if denied.kind != related || !denied.negated {
			continue
		}
		for _, c := range denied.child.conditions {
			if c.kind != compare || c.op != "range" || !comes(c.value.literals) || c.column.Profile == nil || c.column.Profile.Max == "" || liesAfter(c.column, day) {
				continue
			}
			other := slices.IndexFunc(p.lexicon.relationInfo[c.column.Relation].dates, func(o *catalog.Column) bool { return o != c.column && liesAfter(o, day) })
			if other >= 0 {
				return fmt.Sprintf("No %s of %s lies after today: say which day is meant.", c.column.Name, c.column.Relation.Name.Name)
			}
		}
	}
	return ""
}

// foretold refuses what will be where nothing of the kind is recorded before it happens: how many orders will come is not known.
func (p *parser) foretold(n *phrase) (why string) {
	if !slices.ContainsFunc(p.tokens, func(t token) bool { return t.lower == "will" }) {
		return ""
	}
	day := p.now().Format(time.DateOnly)
	walk(n.set, func(s *set, _ int) {
		for _, c := range s.conditions {
			if c.kind != compare || c.op != "range" || !comes(c.value.literals) && !endsAfter(c.value.literals, day) || liesAfter(c.column, day) {
				continue
			}
			known := c.column.Profile != nil && c.column.Profile.Max != ""
			planned := slices.ContainsFunc(p.lexicon.relationInfo[s.relation].names[c.column], func(s string) bool { return p.language.ahead[s] })
			if known || !planned {
				why = fmt.Sprintf("No %s of %s is known to lie after today: what will be is not recorded.", c.column.Name, s.relation.Name.Name)
			}
		}
	})
	return why
}

// endsAfter reports whether a range of time ends at a date after a day, or begins there and has no end.
func endsAfter(bounds []string, day string) bool {
	_, date, dated := strings.Cut(cmp.Or(bounds[1], bounds[0]), "DATE '")
	return dated && date > day+"'"
}

// doneIndeed refuses what was actually done, where a status tells what was and the reading does not ask for it: a van "actually
// used" is none whose booking was called off.
func (p *parser) doneIndeed(n *phrase) (why string) {
	if !p.indeed {
		return ""
	}
	walk(n.set, func(s *set, _ int) {
		asksState := slices.ContainsFunc(s.conditions, func(c condition) bool {
			return c.kind == related && c.negated || c.kind == compare && (c.op == "is not null" && isTime(c.column) || p.lexicon.isStatus(c.column))
		})
		if i := slices.IndexFunc(s.relation.Columns, p.lexicon.isStatus); i >= 0 && !asksState && !speaksOf(s.conditions, s.relation.Columns[i]) {
			why = fmt.Sprintf("It is not said what \"actually\" asks of %s of %s: name the %[1]s that is meant.", s.relation.Columns[i].Name, s.relation.Name.Name)
		}
	})
	return why
}

// whatByKey refuses keys alone for what somebody has, where columns of text say what that is: ailments are not told by their numbers.
func (p *parser) whatByKey(n *phrase) string {
	r := n.set.relation
	said := slices.DeleteFunc(slices.Clone(p.tokens), func(t token) bool { return t.kind == punctToken })
	if said[len(said)-1].lower != "have" || len(n.set.conditions) == 0 || n.set.superlative != nil {
		return ""
	}
	display := p.lexicon.relationInfo[r].display
	if p.at(0).lower != "what" || len(n.items) > 0 || len(n.group) > 0 || len(display) != 1 || display[0].Class != catalog.Number || !p.isIdentifier(display[0]) {
		return ""
	}
	if i := slices.IndexFunc(r.Columns, textual); i >= 0 {
		return fmt.Sprintf("%s of %s says nothing of what they are: name the column that is wanted, such as %s.", display[0].Name, r.Name.Name, r.Columns[i].Name)
	}
	return ""
}
