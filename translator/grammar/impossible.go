package grammar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"askpg/catalog"
)

// impossible says why no row can be an answer: the conditions of the reading
// contradict each other. "" if they do not. Such a reading is never what was
// meant.
func impossible(n *np) string {
	for _, part := range n.ratio {
		if why := impossible(part); why != "" {
			return why
		}
	}
	if n.set == nil {
		return ""
	}
	return impossibleSet(n.set)
}

func impossibleSet(s *set) string { return bounds{}.and("", s.conds) }

// rowColumn is a column of the row that a chain of to-one edges leads to.
type rowColumn struct {
	row string
	col *catalog.Column
}

// bounds are what conditions that all hold leave of each column.
type bounds map[rowColumn]bound

// bound is what a column may be: one of values if it is not nil, and a time from
// lo (inclusive) to hi (exclusive), where they are not empty.
type bound struct {
	values []string
	lo, hi string
}

// and adds conditions on a row and on those that it points to, and says what
// contradicts what.
func (b bounds) and(row string, conds []cond) string {
	for _, c := range conds {
		why := ""
		switch c.kind {
		case compare:
			why = b.compare(rowColumn{row, c.col}, c)
		case related:
			to := ""
			for _, e := range c.path.edges {
				to += fmt.Sprintf("%p ", e)
			}
			if c.path.toOne() && !c.neg && c.count == nil {
				why = b.and(row+to, c.child.conds)
			} else {
				why = impossibleSet(c.child)
			}
		case allOf:
			why = b.and(row, c.subs)
		case anyOf:
			for _, sub := range c.subs {
				if why == "" {
					why = bounds{}.and("", []cond{sub})
				}
			}
		case noneOf:
			why = bounds{}.and("", c.subs)
		}
		if why != "" {
			return why
		}
	}
	return ""
}

func (b bounds) compare(at rowColumn, c cond) string {
	if c.val.query != nil {
		return impossible(c.val.query)
	}
	was := b[at]
	switch c.op {
	case "=", "in":
		values := c.val.lits
		if was.values != nil {
			values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return !slices.Contains(was.values, v) })
		}
		if len(values) == 0 && len(c.val.lits) > 0 {
			return fmt.Sprintf("%s cannot be %s and %s at once: join the two by \"or\", or ask for each.", c.col.Name, plainList(was.values), plainList(c.val.lits))
		}
		was.values = values
	case "between":
		lo, err := strconv.ParseFloat(c.val.lits[0], 64)
		hi, err2 := strconv.ParseFloat(c.val.lits[1], 64)
		if err == nil && err2 == nil && hi < lo {
			return fmt.Sprintf("%s: the range ends before it begins.", c.val.plain)
		}
	case "range":
		lo, hi := instant(c.val.lits[0]), instant(c.val.lits[1])
		if lo != "" && hi != "" && hi <= lo {
			return fmt.Sprintf("%s: the time ends before it begins.", c.val.plain)
		}
		was.lo = max(was.lo, lo)
		if hi != "" && (was.hi == "" || hi < was.hi) {
			was.hi = hi
		}
		if was.lo != "" && was.hi != "" && was.hi <= was.lo {
			return fmt.Sprintf("%s cannot be in several times at once: join them by \"or\", or ask for each.", c.col.Name)
		}
	}
	b[at] = was
	return ""
}

// instant returns the text of a literal that is a day or a moment of the
// calendar, "" if it is neither: such texts are in the order of time.
func instant(lit string) string {
	for _, kind := range []string{"DATE '", "TIMESTAMP '"} {
		if text, ok := strings.CutPrefix(lit, kind); ok {
			return strings.TrimSuffix(text, "'")
		}
	}
	return ""
}
