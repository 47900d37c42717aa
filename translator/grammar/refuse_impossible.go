// Refusing conditions that no row can meet.

package grammar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"askpg/catalog"
)

// refuseImpossible says why no row can be an answer: the conditions of the reading
// contradict each other. "" if they do not. Such a reading is never what was
// meant.
func refuseImpossible(n *phrase) string {
	for _, part := range n.ratio {
		if why := refuseImpossible(part); why != "" {
			return why
		}
	}
	if n.set == nil {
		return ""
	}
	return refuseImpossibleSet(n.set)
}

// refuseImpossibleSet says why no row can be in a set.
func refuseImpossibleSet(s *set) string {
	if s.superlative != nil {
		by := []*catalog.Column{s.superlative.by.column}
		if s.superlative.by.subtrahend != nil {
			by = append(by, s.superlative.by.subtrahend.column)
		}
		for _, c := range s.conditions {
			if c.kind == compare && c.op == "is null" && slices.Contains(by, c.column) && s.superlative.by.setID == s.id {
				return fmt.Sprintf("%s is empty where it is still to come: it cannot rank the rows, so say what does.", c.column.Name)
			}
		}
	}
	return bounds{}.and("", s.conditions)
}

// rowColumn is a column of a row that a chain of to-one joins leads to.
type rowColumn struct {
	row    string
	column *catalog.Column
}

// bounds is what conditions leave possible for each column: see refuseImpossible.
type bounds map[rowColumn]bound

// bound is what a column may be: one of values unless that is nil, and a time from lo (inclusive) to hi (exclusive) unless these are
// empty.
type bound struct {
	values []string
	lo, hi string
}

// and adds conditions on a row and on those that it points to, and says what
// contradicts what.
func (b bounds) and(row string, conditions []condition) string {
	for _, c := range conditions {
		if why := c.contradiction(conditions); why != "" {
			return why
		}
		if why := b.add(row, c); why != "" {
			return why
		}
	}
	return ""
}

// contradiction says which other condition a condition contradicts without a look at values, "" if none.
func (c condition) contradiction(conditions []condition) string {
	if c.kind == related && c.negated && len(c.child.conditions) == 0 && slices.ContainsFunc(conditions, func(d condition) bool {
		return d.kind == related && !d.negated && d.path.edges[0] == c.path.edges[0] && d.child.relation == c.child.relation
	}) {
		return fmt.Sprintf("There cannot be some of %[1]s and none of %[1]s at once: say all that is said of %[1]s together.", c.child.relation.Name.Name)
	}
	if other := c.negatedTime(); other != nil && slices.ContainsFunc(conditions, func(d condition) bool {
		return d.kind == compare && d.op == "range" && d.column == other.column && d.isAdjacentTo(*other)
	}) {
		return fmt.Sprintf("What is in one time of %s is not in the other: say of what there are none then.", other.column.Name)
	}
	if c.kind == compare && c.op == "range" && slices.ContainsFunc(conditions, func(d condition) bool {
		return d.kind == compare && d.op == "range" && d.column == c.column && c.isOtherTime(d)
	}) {
		return severalTimes(c.column)
	}
	if c.kind == compare && c.op == "is null" && slices.ContainsFunc(conditions, func(d condition) bool { return d.kind == compare && d.column == c.column && d.value.column != nil }) {
		return fmt.Sprintf("%s cannot be missing and compared at once.", c.column.Name)
	}
	return ""
}

// add adds one condition on a row.
func (b bounds) add(row string, c condition) string {
	switch c.kind {
	case compare:
		return b.compare(rowColumn{row, c.column}, c)
	case related:
		if !c.path.toOne() || c.negated || c.count != nil {
			return refuseImpossibleSet(c.child)
		}
		for _, e := range c.path.edges {
			row += fmt.Sprintf("%p ", e)
		}
		return b.and(row, c.child.conditions)
	case allOf:
		return b.and(row, c.parts)
	case anyOf:
		for _, sub := range c.parts {
			if why := (bounds{}).and("", []condition{sub}); why != "" {
				return why
			}
		}
	case noneOf:
		return bounds{}.and("", c.parts)
	}
	return ""
}

// compare adds a comparison to the bounds of a column.
func (b bounds) compare(at rowColumn, c condition) string {
	if c.value.query != nil {
		return refuseImpossible(c.value.query)
	}
	was := b[at]
	switch c.op {
	case "=", "in":
		values := c.value.literals
		if was.values != nil {
			values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return !slices.Contains(was.values, v) })
		}
		if len(values) == 0 && len(c.value.literals) > 0 {
			return fmt.Sprintf("%s cannot be %s and %s at once: join the two by \"or\", or ask for each.", c.column.Name, plainList(was.values), plainList(c.value.literals))
		}
		was.values = values
	case "between":
		lo, err := strconv.ParseFloat(c.value.literals[0], 64)
		hi, err2 := strconv.ParseFloat(c.value.literals[1], 64)
		if err == nil && err2 == nil && hi < lo {
			return fmt.Sprintf("%s: the range ends before it begins.", c.value.plain)
		}
	case "range":
		lo, hi := instant(c.value.literals[0]), instant(c.value.literals[1])
		if lo != "" && hi != "" && hi <= lo {
			return fmt.Sprintf("%s: the time ends before it begins.", c.value.plain)
		}
		was.lo = max(was.lo, lo)
		if hi != "" && (was.hi == "" || hi < was.hi) {
			was.hi = hi
		}
		if was.lo != "" && was.hi != "" && was.hi <= was.lo {
			return severalTimes(c.column)
		}
	}
	b[at] = was
	return ""
}

// isOtherTime reports whether one column is hardly in both of two times, or it is not known whether it is: "last month in 2024".
func (c condition) isOtherTime(d condition) bool {
	switch {
	case d.isAdjacentTo(c):
		return true
	case d.isOfEachDay():
		return false
	case c.latest && !d.latest:
		return true
	}
	inCalendar := instant(d.value.literals[0]) != "" && instant(d.value.literals[1]) != ""
	return c.beginsByToday() && (inCalendar || d.beginsByToday() && !slices.Equal(c.value.literals, d.value.literals))
}

// beginsByToday reports whether a time begins at a day or moment that is told from the current one: "last month", "last 30 days".
func (c condition) beginsByToday() bool {
	return strings.Contains(c.value.literals[0], "CURRENT_DATE") || strings.HasPrefix(c.value.literals[0], "now()")
}

func severalTimes(c *catalog.Column) string {
	return fmt.Sprintf("%s cannot be in several times at once: join them by \"or\", or ask for each.", c.Name)
}

// isOfEachDay reports whether a condition compares with a time of the day.
func (c condition) isOfEachDay() bool {
	return slices.ContainsFunc(c.value.literals, func(bound string) bool { return strings.HasPrefix(bound, "TIME '") })
}

// instant returns the text of a literal that is a day or a moment of the
// calendar, "" if it is neither: such texts are in the order of time.
func instant(text string) string {
	for _, kind := range []string{"DATE '", "TIMESTAMP '"} {
		if text, ok := strings.CutPrefix(text, kind); ok {
			return strings.TrimSuffix(text, "'")
		}
	}
	return ""
}

// negatedTime returns the only condition on a time that a condition negates, nil if there is none or several.
func (c condition) negatedTime() *condition {
	if c.kind != noneOf || len(c.parts) != 1 || c.parts[0].kind != compare || c.parts[0].op != "range" {
		return nil
	}
	return &c.parts[0]
}

// isAdjacentTo reports whether one of two times begins where the other one ends.
func (c condition) isAdjacentTo(o condition) bool {
	a, b := c.value.literals, o.value.literals
	return a[1] != "" && a[1] == b[0] || b[1] != "" && b[1] == a[0]
}
