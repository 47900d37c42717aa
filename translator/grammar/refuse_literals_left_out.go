// Refusing readings that leave out a number, a quoted text or an average of the question.

package grammar

import (
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// refuseNumberLeftOut says which number of the question the SQL of a reading does not have, "" if none. A number of a time
// or before a unit may have become another one, and "all 50 states" are all that there are.
func (p *parser) refuseNumberLeftOut(sql string) string {
	percent := isSaid(p.tokens, "%", "percent")
	for i := 0; i < len(p.tokens); i++ {
		n, end := p.number(i)
		if p.tokens[i].isNegative() {
			n, end = p.tokens[i].text, i+1
		}
		if end == i {
			continue
		}
		rewritten := n == "0" || n == "1" || i > 0 && p.tokens[i-1].lower == "all" || len(p.unit(end)) > 1 || percent || p.inName(i) || p.inName(end) || p.inDate(i)
		if !rewritten && !holdsNumber(sql, n) {
			return fmt.Sprintf("Each word is known, but not how %q goes together with the rest.", p.text(max(0, i-1), end))
		}
		i = end - 1
	}
	return ""
}

// refuseQuotedLeftOut says which quoted text of the question the SQL of a reading does not have, "" if none. What names a relation or a
// column, or says a time, may be written otherwise.
func (p *parser) refuseQuotedLeftOut(sql string) string {
	sql = strings.ToLower(sql)
	holds := func(text string) bool {
		return strings.Contains(sql, strings.ReplaceAll(strings.ToLower(strings.TrimSpace(text)), "'", "''"))
	}
	for i, t := range p.tokens {
		if t.kind != quotedToken || holds(t.text) || len(p.mentions.relations[i])+len(p.mentions.attributes[i]) > 0 || p.inDate(i) {
			continue
		}
		if !slices.ContainsFunc(p.mentions.values[i][i+1], func(h valueMention) bool { return holds(h.value) }) {
			return fmt.Sprintf("Each word is known, but not how %q goes together with the rest.", t.text)
		}
	}
	return ""
}

// refuseAverageLeftOut says that the SQL of a reading has no average though the question asks for one, "" if it does. A column may be called an
// average.
func (p *parser) refuseAverageLeftOut(sql string) string {
	if strings.Contains(sql, "avg(") || strings.Contains(sql, "percentile_cont") || strings.Contains(sql, " / ") {
		return ""
	}
	for i, t := range p.tokens {
		if (t.lower == "average" || t.lower == "mean") && p.endsTag(i+1, "avg") && len(p.mentions.attributes[i])+len(p.mentions.values[i]) == 0 && !p.inName(i) {
			return fmt.Sprintf("Each word is known, but not of what the %s is wanted.", t.lower)
		}
	}
	return ""
}

// inDate reports whether token i is a part of a time that the question says.
func (p *parser) inDate(i int) bool {
	for from := max(0, i-maxSpan); from <= i; from++ {
		for _, d := range p.date(from) {
			if d.end > i {
				return true
			}
		}
	}
	return false
}

// holdsNumber reports whether a number stands in a text for itself.
func holdsNumber(text, number string) bool {
	digit := func(i int) bool { return i >= 0 && i < len(text) && (text[i] >= '0' && text[i] <= '9') }
	for from := 0; ; {
		at := strings.Index(text[from:], number)
		if at < 0 {
			return false
		}
		at += from
		if !digit(at-1) && !digit(at+len(number)) {
			return true
		}
		from = at + 1
	}
}

// refusePartOfCode refuses to take a part of a code for a number of its own: in "order WEB-12" nothing is said of the order with the id 12.
func (p *parser) refusePartOfCode(n *phrase) string {
	u := p.used(n)
	for s, c := range conditionsIn(n.set) {
		if c.kind != compare || c.op != "=" || c.column.Class != catalog.Number || len(c.value.literals) != 1 {
			continue
		}
		for i, t := range p.tokens {
			if t.kind != numberToken || t.text != c.value.literals[0] {
				continue
			}
			for from := max(0, i-maxValueWords); from < i; from++ {
				for _, h := range p.mentions.values[from][i+1] {
					if h.column.Relation == s.relation && h.column.Unique && !u.columns[h.column] {
						return fmt.Sprintf("%q is %s of %s.", p.text(from, i+1), h.column.Name, s.relation.Name.Name)
					}
				}
			}
		}
	}
	return ""
}
