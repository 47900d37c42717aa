package prompt

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"askpg/catalog"
	"askpg/catalog/words"
)

// marks are what the templates delimit data with.
var marks = regexp.MustCompile(`(?i)</?\s*(question|hint|earlier|candidate)\s*>|` + "```")

// fence makes a text safe between the templates' marks: it can't close them,
// and holds no control characters but line breaks.
func fence(s string) string {
	if !strings.ContainsAny(s, "<`") && ordinary(s, true) {
		return s
	}
	s = marks.ReplaceAllStringFunc(s, func(m string) string {
		return strings.NewReplacer("<", "‹", ">", "›", "`", "'").Replace(m)
	})
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return printable(r)
	}, s)
}

// line makes a text safe for the rest of a line: a comment can't begin a new one.
func line(s string) string {
	if !strings.ContainsAny(s, "<`") && ordinary(s, false) && !strings.Contains(s, "  ") && strings.TrimSpace(s) == s {
		return s // most names, comments and values of a schema
	}
	return strings.Join(strings.Fields(strings.Map(printable, fence(s))), " ")
}

// ordinary reports whether a text holds printable ASCII only, and line breaks
// where they are let through.
func ordinary(s string, breaks bool) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' || c > '~') && !(breaks && c == '\n') {
			return false
		}
	}
	return true
}

func printable(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsControl(r), unicode.In(r, unicode.Cf): // no control, direction or invisible characters
		return -1
	}
	return r
}

const maxComment, maxValue = 300, 60 // characters

// cut shortens a text to n characters.
func cut(s string, n int) string {
	i := 0
	for k := range s {
		if i == n {
			return s[:k] + "…"
		}
		i++
	}
	return s
}

// remark quotes a comment of the catalog: of a long one the first sentences, or words.
func remark(s string) string {
	return `"` + strings.ReplaceAll(shorten(line(s), maxComment), `"`, "'") + `"`
}

// shorten takes the first sentences of a text that has more than n characters, else as many words
// as fit.
func shorten(s string, n int) string {
	short := strings.TrimSuffix(cut(s, n), "…")
	if len(short) == len(s) {
		return s
	}
	if i := strings.LastIndex(short, ". "); i > len(short)/3 {
		return short[:i+1]
	}
	if i := strings.LastIndexByte(short, ' '); i > 0 {
		short = short[:i]
	}
	return short + " …"
}

// Literal quotes a value of the database as SQL does. Its blanks stay, for a
// comparison must have them too.
func Literal(s string) string {
	if strings.ContainsAny(s, "<`") || !ordinary(s, false) {
		s = strings.Map(printable, fence(s))
	}
	return "'" + strings.ReplaceAll(cut(s, maxValue), "'", "''") + "'"
}

// unpadded takes off what fills a value up to the length of its type, which
// does not count in comparisons (PostgreSQL documentation, section 8.3).
func unpadded(c *catalog.Column, v string) string {
	if strings.HasPrefix(c.Type, "character(") || c.Type == "character" || strings.HasPrefix(c.Type, "char(") {
		return strings.TrimRight(v, " ")
	}
	return v
}

// digits is how many a number is shown with.
const digits = 12

// Number writes a number without quotes, and no longer than it says anything.
func Number(s string) string {
	if f, err := strconv.ParseFloat(s, 64); err == nil && math.Abs(f) < 1e11 && len(s) > digits+2 && strings.Contains(s, ".") {
		return strconv.FormatFloat(f, 'g', digits, 64)
	}
	return line(cut(s, maxValue))
}

// ident writes an identifier as SQL wants it. One that holds a template's mark
// is written without it: no such name is worth a way out of the marks.
func ident(s string) string {
	if plain.MatchString(s) && !reserved[s] {
		return s
	}
	return `"` + strings.ReplaceAll(strings.Map(printable, fence(s)), `"`, `""`) + `"`
}

var plain = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

// reserved are the key words that PostgreSQL does not take as a column's or
// table's name (PostgreSQL documentation, appendix C).
var reserved = words.Set(`all analyse analyze and any array as asc asymmetric authorization binary both
		case cast check collate collation column concurrently constraint create cross current_catalog current_date
		current_role current_schema current_time current_timestamp current_user default deferrable desc distinct do
		else end except false fetch for foreign freeze from full grant group having ilike in initially inner intersect
		into is isnull join lateral leading left like limit localtime localtimestamp natural not notnull null offset on
		only or order outer overlaps placing primary references returning right select session_user similar some
		symmetric system_user table tablesample then to trailing true union unique user using variadic verbose when
		where window with`)

// names is what unqualified names of relations mean in the search path. It writes relations without their schema where that
// finds them so.
type names map[string]catalog.Name

func newNames(in *Input) names {
	n, rank := names{}, map[string]int{}
	for i, s := range slices.Backward(in.SearchPath) {
		rank[s] = i
	}
	for _, r := range in.Snapshot.Relations {
		i, ok := rank[r.Schema]
		if !ok {
			continue
		}
		if old, taken := n[r.Name.Name]; !taken || i < rank[old.Schema] {
			n[r.Name.Name] = r.Name
		}
	}
	return n
}

func (n names) relation(r *catalog.Relation) string {
	if n[r.Name.Name] == r.Name {
		return ident(r.Name.Name)
	}
	return ident(r.Schema) + "." + ident(r.Name.Name)
}

// column writes a column with its relation.
func (n names) column(c *catalog.Column) string { return n.relation(c.Relation) + "." + ident(c.Name) }

func idents(cols []*catalog.Column) string {
	out := make([]string, len(cols))
	for i, c := range cols {
		out[i] = ident(c.Name)
	}
	return strings.Join(out, ", ")
}
