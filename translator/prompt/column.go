package prompt

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"askpg/catalog"
)

// values says whether common values and bounds may be shown.
func (in *Input) values() bool { return in.Privacy.Values != ValuesNone }

// tells says whether examples and bounds of a column are worth their tokens.
func (in *Input) tells(c *catalog.Column) bool { return in.About == nil || in.About[c] }

// comment returns what is told of a column's comment: in a narrowed schema, where the question is likely not about the
// column, only the parts that decide.
func (in *Input) comment(c *catalog.Column) string {
	if in.naming != "" && !in.tells(c) {
		return decisive(c.Comment)
	}
	return c.Comment
}

// exemplified says whether examples of a column are worth their tokens: they also are of kinds of rows, such as job titles.
func (in *Input) exemplified(c *catalog.Column) bool {
	p := c.Profile
	return in.tells(c) || len(c.Enum) > 0 || p != nil && p.Distinct >= 1 && p.Distinct <= maxKinds && c.Relation.Rows >= kindRows*p.Distinct
}

const (
	maxEnum     = 24  // labels of an enum type
	maxListed   = 12  // values of a column that holds no others
	maxList     = 200 // bytes of them
	maxExamples = 3   // values of a column that holds others too
	maxExample  = 40  // bytes of one
	maxKinds    = 60  // values of a column that says of what kind rows are
	kindRows    = 8   // rows of a kind, on average
)

// list returns all values of a column as literals, if it is known to hold few.
func (in *Input) list(c *catalog.Column) []string {
	p, most := c.Profile, maxListed
	var values []string
	switch {
	case len(c.Enum) > 0:
		values, most = c.Enum, maxEnum
	case !in.values() || p == nil || c.Class != catalog.Text && c.Class != catalog.Enum && c.Class != catalog.Array,
		float64(len(p.Common)) < p.Distinct-0.5:
		return nil
	default:
		values = p.Common
	}
	if len(values) > most {
		return nil
	}
	var out []string
	size := 0
	for _, v := range values {
		out = append(out, Literal(unpadded(c, v)))
		if size += len(v); size > maxList && len(c.Enum) == 0 || len(v) > 2*maxValue {
			return nil
		}
	}
	return out
}

// examples returns some values of a column that holds others too: from sample rows, if there are
// any, else from statistics. What says nothing of other values is left out.
func (in *Input) examples(r *catalog.Relation, c *catalog.Column) []string {
	var out []string
	add := func(v string) {
		if l := Literal(unpadded(c, v)); len(v) <= maxExample && !opaque.MatchString(v) && len(out) < maxExamples && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	switch c.Class {
	case catalog.Text, catalog.Enum, catalog.Array:
	default:
		return nil
	}
	for _, v := range c.Enum {
		add(v)
	}
	if p := c.Profile; p != nil && in.values() && len(out) == 0 {
		for _, v := range p.Common {
			add(v)
		}
	}
	if rows := in.Samples[r]; len(out) == 0 {
		if j := slices.Index(rows.Columns, c.Name); j >= 0 {
			for _, row := range rows.Cells {
				if row[j] != nil {
					add(string(row[j]))
				}
			}
		}
		out = out[:min(1, len(out))] // they differ, and one shows their form
	}
	return out
}

// opaque are values that say nothing of others: of machines, or of one person.
var opaque = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-|^[0-9a-f]{16,}$|^\S{28,}$|@|://|^www\.|^Mozilla/`)

// facts says what is known of a column beside its name, type, keys and statistics; with examples also some values where
// not all are shown.
func (in *Input) facts(c *catalog.Column, examples bool) []string {
	var facts []string
	if said := in.comment(c); said != "" {
		facts = append(facts, remark(said))
	}
	facts = append(facts, in.extras(c)...)
	if held, all := in.held(c.Relation, c); held != "" && (all || examples) {
		facts = append(facts, held)
	}
	return facts
}

// statistics says between which values those of a column are, for dates only if asked for, and how many are NULL.
func (in *Input) statistics(c *catalog.Column, dates bool) (facts []string) {
	if b := in.bounds(c); b != "" && (dates || c.Class == catalog.Number) {
		facts = append(facts, b)
	}
	if n := in.nulls(c); n != "" {
		facts = append(facts, n)
	}
	return facts
}

// held says what a column holds: all of its values, or examples, and of what names rows whether names repeat.
func (in *Input) held(r *catalog.Relation, c *catalog.Column) (text string, all bool) {
	if in.toldAsCode(c) {
		return "", true
	}
	if values := in.list(c); values != nil {
		if len(values) == 0 {
			return "", true
		}
		return "one of " + strings.Join(values, ", "), true
	}
	var facts []string
	if values := in.examples(r, c); len(values) > 0 && in.exemplified(c) {
		facts = append(facts, "for example "+strings.Join(values, ", "))
	}
	if often := in.repeats(c); often != "" && !c.Unique {
		facts = append(facts, often)
	}
	return strings.Join(facts, "; "), false
}

// repeats says of a column that names rows whether one name stands for several of them, as far as its statistics tell.
func (in *Input) repeats(c *catalog.Column) string {
	if !namesRows(c) {
		return ""
	}
	if c.Unique {
		return "unique"
	}
	p := c.Profile
	if p == nil || p.Distinct < 1 || !in.values() {
		return ""
	}
	rows := c.Relation.Rows
	if p.Sampled {
		rows = float64(p.Rows)
	}
	if p.Distinct < 0.95*rows*(1-p.NullFrac) {
		return "names repeat"
	}
	return "hardly a name repeats: no key is needed"
}

// rowName is the name of a column that names rows; partName that of a part of a person's name, which many share.
var (
	rowName  = regexp.MustCompile(`(?i)(name|title|label)$`)
	partName = regexp.MustCompile(`(?i)^(first|last|middle|given|family|sur)_?name$`)
)

// namesRows says whether a column names rows.
func namesRows(c *catalog.Column) bool {
	return c.Class == catalog.Text && rowName.MatchString(c.Name) && !partName.MatchString(c.Name)
}

// timeOfDay is what a bound does not need.
var timeOfDay = regexp.MustCompile(`[ T]\d\d:\d\d:.*$`)

// bounds says between which values those of a column are. Keys have none: their numbers
// mean nothing.
func (in *Input) bounds(c *catalog.Column) string {
	p := c.Profile
	if !in.values() || p == nil || p.Min == "" || p.Max == "" || !in.tells(c) || in.isKey(c) {
		return ""
	}
	lo, hi := "", ""
	switch {
	case c.Class == catalog.Number || c.Packed:
		lo, hi = line(cut(p.Min, maxValue)), line(cut(p.Max, maxValue))
	case c.Class == catalog.Date || c.Class == catalog.Timestamp:
		lo, hi = Literal(timeOfDay.ReplaceAllString(p.Min, "")), Literal(timeOfDay.ReplaceAllString(p.Max, ""))
	default:
		return ""
	}
	if lo == hi {
		return "always " + lo
	}
	return "from " + lo + " to " + hi
}

// isKey says whether a column is a key, or refers to one.
func (in *Input) isKey(c *catalog.Column) bool {
	return c.Unique || in.refers(c) || len(c.Relation.PrimaryKey) == 1 && c.Relation.PrimaryKey[0] == c
}

// refers says whether a column refers to a key.
func (in *Input) refers(c *catalog.Column) bool {
	if in.references == nil {
		in.references = map[*catalog.Column]bool{}
		for _, k := range in.Snapshot.ForeignKeys {
			for _, from := range k.FromCols {
				in.references[from] = true
			}
		}
	}
	return in.references[c]
}

// nulls says how many values of a column are NULL, if that is more than a few.
func (in *Input) nulls(c *catalog.Column) string {
	p := c.Profile
	switch {
	case p == nil || !in.values() || p.NullFrac < 0.005 || !in.tells(c):
		return ""
	case p.NullFrac >= 1:
		return "always NULL"
	}
	return fmt.Sprintf("%.0f%% null", min(99, 100*p.NullFrac))
}

// Parts of types that a query does not need: what is longer than their short name, and how
// long values may be.
var (
	longTypes = strings.NewReplacer("timestamp without time zone", "timestamp", "timestamp with time zone", "timestamptz",
		"time without time zone", "time", "time with time zone", "timetz", "character varying", "varchar", "character(", "char(")
	typeLength = regexp.MustCompile(`^(varchar|numeric|timestamp|timestamptz|time|timetz)\([\d,]+\)`)
)

// typeOf writes a column's type.
func (in *Input) typeOf(c *catalog.Column) string {
	t := c.Type
	if strings.ContainsAny(t, " (") {
		t = typeLength.ReplaceAllString(longTypes.Replace(t), "$1")
	}
	for _, schema := range in.SearchPath {
		t = strings.TrimPrefix(t, schema+".")
	}
	return line(t)
}

// about prints a row estimate to two digits.
func about(rows float64) string {
	if rows < 0 || math.IsNaN(rows) {
		return ""
	}
	if rows < 100 {
		return strconv.Itoa(int(rows))
	}
	m := math.Pow(10, math.Floor(math.Log10(rows))-1)
	return strconv.FormatFloat(math.Round(rows/m)*m, 'f', 0, 64)
}
