package catalog

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Limits of a description.
const (
	describedValues = 8  // common values named
	describedBytes  = 40 // of each
)

// Describe returns what is known of the column's values as one plain sentence
// without its name, "" if nothing is: "4 distinct values: New York (40 %),
// Springfield (20 %), …; 3 % empty". Without values it has numbers and shapes
// only. Private columns never have values.
func (c *Column) Describe(values bool) string {
	values = values && !c.Private
	p := c.Profile
	var parts []string
	switch {
	case c.Enum != nil:
		parts = append(parts, "one of "+quoteAll(c.Enum))
	case c.Allowed != nil:
		parts = append(parts, "one of "+quoteAll(c.Allowed))
	}
	if c.Unit != "" {
		parts = append(parts, "in "+c.Unit)
	}
	if c.Collation != nil && c.Collation.Loose {
		parts = append(parts, "texts that differ can be equal, by collation "+c.Collation.Name.Name)
	}
	if p == nil {
		return strings.Join(parts, "; ")
	}
	if p.Rows == 0 && p.Sampled {
		return strings.Join(append(parts, "no rows"), "; ")
	}
	switch {
	case p.NullFrac == 1:
		return strings.Join(append(parts, "always empty"), "; ")
	case c.Unique || p.Distinct > 1 && c.Relation.Rows > 0 && p.Distinct >= 0.995*c.Relation.Rows*(1-p.NullFrac):
		parts = append(parts, "all values differ")
	case p.Distinct >= 1 && c.Enum == nil && c.Allowed == nil:
		parts = append(parts, amount(p.Distinct)+" distinct "+plural("value", p.Distinct)+c.common(values))
	}
	if shape := p.Shape(c.Class); shape != "" && !c.Private {
		parts = append(parts, shape)
	}
	if values && p.Min != "" && p.Max != "" && c.ordered() {
		parts = append(parts, "from "+short(p.Min)+" to "+short(p.Max))
	}
	if share := math.Round(100 * p.NullFrac); share >= 1 {
		parts = append(parts, fmt.Sprintf("%.0f %% empty", share))
	}
	return strings.Join(parts, "; ")
}

// ordered reports whether the column's bounds say something.
func (c *Column) ordered() bool {
	switch c.Class {
	case Number, Date, Timestamp, Time, Interval:
		return true
	}
	return false
}

// common lists the most common values of text-like columns, with their share
// where it is more than that of the others.
func (c *Column) common(values bool) string {
	p := c.Profile
	if !values || len(p.Common) == 0 || c.ordered() && p.Distinct > describedValues || p.Width > describedBytes {
		return ""
	}
	var b strings.Builder
	b.WriteString(": ")
	n := min(len(p.Common), describedValues)
	for i, v := range p.Common[:n] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(short(v))
		if i < len(p.Freqs) && p.Freqs[i] >= 0.01 && !(p.Freqs[0]-p.Freqs[len(p.Freqs)-1] < 0.01) {
			fmt.Fprintf(&b, " (%.0f %%)", 100*p.Freqs[i])
		}
	}
	if float64(n) < p.Distinct {
		b.WriteString(", …")
	}
	return b.String()
}

func quoteAll(list []string) string {
	out := make([]string, 0, len(list))
	for i, s := range list {
		if i == 4*describedValues {
			out = append(out, "…")
			break
		}
		out = append(out, strconv.Quote(short(s)))
	}
	return strings.Join(out, ", ")
}

func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > describedBytes {
		return string(r[:describedBytes]) + "…"
	}
	return s
}

func plural(word string, n float64) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// amount prints a count as a person would: exact when small.
func amount(n float64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%.0f", n)
	case n < 1e6:
		return fmt.Sprintf("about %.3g thousand", n/1e3)
	case n < 1e9:
		return fmt.Sprintf("about %.3g million", n/1e6)
	}
	return fmt.Sprintf("about %.3g billion", n/1e9)
}

// shapes are what texts can look like, the more telling first.
var shapes = []struct {
	name    string
	pattern *regexp.Regexp
}{
	{"dates as YYYY-MM-DD", regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)},
	{"times as YYYY-MM-DD HH:MM", regexp.MustCompile(`^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}`)},
	{"dates with slashes", regexp.MustCompile(`^\d{1,2}/\d{1,2}/\d{2,4}$`)},
	{"months as YYYY-MM", regexp.MustCompile(`^\d{4}-\d{2}$`)},
	{"UUIDs", regexp.MustCompile(`^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$`)},
	{"e-mail addresses", regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[^@\s]+$`)},
	{"web addresses", regexp.MustCompile(`^https?://`)},
	{"whole numbers as text", regexp.MustCompile(`^-?\d+$`)},
	{"numbers as text", regexp.MustCompile(`^-?\d+(\.\d+)?$`)},
	{"upper case", regexp.MustCompile(`^[^\p{Ll}]*\p{Lu}[^\p{Ll}]*$`)},
	{"lower case", regexp.MustCompile(`^[^\p{Lu}]*\p{Ll}[^\p{Lu}]*$`)},
}

// Shape says what the known values of a text column look like, "" if nothing
// is common to them or fewer than three are known.
func (p *Profile) Shape(class Class) string {
	if class != Text {
		return ""
	}
	known := p.Common
	if p.Min != "" && p.Max != "" {
		known = append(known[:len(known):len(known)], p.Min, p.Max)
	}
	if len(known) < 3 {
		return ""
	}
	length := len([]rune(known[0]))
	for _, v := range known {
		if len([]rune(v)) != length {
			length = -1
			break
		}
	}
	for _, s := range shapes {
		fits := true
		for _, v := range known {
			if !s.pattern.MatchString(v) {
				fits = false
				break
			}
		}
		if fits {
			if length > 0 && strings.HasSuffix(s.name, "case") {
				return fmt.Sprintf("%s, %d long", s.name, length)
			}
			return s.name
		}
	}
	return ""
}
