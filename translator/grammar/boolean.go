package grammar

import (
	"strings"

	"askpg/catalog"
)

// boolean returns the readings of an attribute that are yes-or-no columns, nil
// if there is none.
func (p *parser) boolean(a *attr) *attr {
	b := *a
	b.cands = nil
	for _, c := range a.cands {
		if _, ok := truth(c.col); ok && c.score >= 0.7 {
			b.cands = append(b.cands, c)
		}
	}
	if len(b.cands) == 0 {
		return nil
	}
	return &b
}

var (
	yes = setOf([]string{"t", "true", "y", "yes", "1"})
	no  = setOf([]string{"f", "false", "n", "no", "0"})
)

// truth returns the literal by which a column says yes. A text column says so
// if all that it holds is a way to say yes or no.
func truth(c *catalog.Column) (string, bool) {
	switch c.Class {
	case catalog.Boolean:
		return "true", true
	case catalog.Text, catalog.Enum:
	default:
		return "", false
	}
	values := c.Enum
	if c.Profile != nil && len(values) == 0 {
		values = c.Profile.Common
	}
	if len(values) == 0 || len(values) > 3 {
		return "", false
	}
	lit := ""
	for _, v := range values {
		w := strings.ToLower(strings.TrimSpace(v))
		switch {
		case yes[w]:
			lit = literal(v)
		case !no[w]:
			return "", false
		}
	}
	return lit, lit != ""
}
