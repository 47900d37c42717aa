package grammar

import (
	"strings"

	"askpg/catalog"
)

// boolean returns the readings of an attribute that are yes-or-no columns, nil
// if there is none.
func (p *parser) boolean(a *attribute) *attribute {
	b := *a
	b.candidates = nil
	for _, c := range a.candidates {
		if _, ok := truth(c.column); ok && c.score >= 0.7 {
			b.candidates = append(b.candidates, c)
		}
	}
	if len(b.candidates) == 0 {
		return nil
	}
	return &b
}

var (
	yes = wordSet([]string{"t", "true", "y", "yes", "1"})
	no  = wordSet([]string{"f", "false", "n", "no", "0"})
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
	text := ""
	for _, v := range values {
		w := strings.ToLower(strings.TrimSpace(v))
		switch {
		case yes[w]:
			text = literal(v)
		case !no[w]:
			return "", false
		}
	}
	return text, text != ""
}
