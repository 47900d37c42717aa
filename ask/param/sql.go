package param

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/proto"

	"askpg/ask"
)

// constant is a constant of the SQL that holds a parameter, or several.
type constant struct {
	start, end int // of the token, with its quotes or its sign
	quoted     bool
	segments   []segment // of its value
	value      string    // with the samples
	typ        Type      // of the whole, empty if nothing says it
	pattern    pattern
	equal      bool // compared with something by = or IN
}

// segment is a piece of a constant's value.
type segment struct {
	text      string
	parameter int // index of the parameter that is put here; -1 if text stays
}

// pattern says how the server reads a text: as it is, as a pattern of LIKE, or as a regular expression.
type pattern int

const (
	plain pattern = iota
	like
	regular
)

// whole says whether the constant is one parameter and nothing else.
func (c *constant) whole() (parameter int, ok bool) {
	return c.segments[0].parameter, len(c.segments) == 1
}

// first returns the first parameter of the constant, which holds one.
func (c *constant) first() int {
	return c.segments[slices.IndexFunc(c.segments, func(s segment) bool { return s.parameter >= 0 })].parameter
}

// readSQL finds the constants that the marks are of.
func (t *Template) readSQL(marks []mark) error {
	tree, err := ask.Parse(t.SQL)
	if err != nil {
		return fmt.Errorf("the SQL without its marks: %w", err)
	}
	scan, err := ask.Scan(t.SQL)
	if err != nil {
		return fmt.Errorf("the SQL without its marks: %w", err)
	}
	places := constants(tree)
	at := map[int]int{} // token's start to index in t.constants
	for _, m := range marks {
		token, signed := tokenOf(scan, t.SQL, &m)
		if token == nil {
			return fmt.Errorf("SQL: {%s:%s} holds no constant; mark a text with its quotes or within them, or a number: %s", m.name, m.body, example(m.name))
		}
		i, known := at[int(token.Start)]
		if !known {
			c := constant{start: int(token.Start), end: int(token.End)}
			if signed {
				c.start = m.start
			}
			place, ok := places[c.start]
			if !ok {
				return fmt.Errorf("SQL: {%s:%s} is no constant of the statement; a number is marked with its sign", m.name, m.body)
			}
			c.value, c.typ, c.pattern, c.equal = place.value, place.typ, place.pattern, place.equal
			text := t.SQL[c.start:c.end]
			c.quoted = text[0] == '\'' || !numeral(text) && place.typ != typeBoolean
			i = len(t.constants)
			at[int(token.Start)] = i
			t.constants = append(t.constants, c)
		}
		if err := t.constants[i].add(t, &m); err != nil {
			return fmt.Errorf("SQL: {%s:%s}: %w", m.name, m.body, err)
		}
	}
	for i := range t.constants {
		if err := t.constants[i].finish(t); err != nil {
			return err
		}
	}
	t.masked, _, err = mask(t.SQL, t.places())
	return err
}

func numeral(s string) bool { return s != "" && strings.ContainsRune("0123456789.-", rune(s[0])) }

// tokenOf returns the token that a mark is, is around, or is within. signed is
// true if the mark has a number's sign as well.
func tokenOf(scan *pg_query.ScanResult, sql string, m *mark) (token *pg_query.ScanToken, signed bool) {
	for _, k := range scan.Tokens {
		start, end := int(k.Start), int(k.End)
		switch {
		case start == m.start && end == m.end:
			return k, false
		case end == m.end && (k.Token == pg_query.Token_ICONST || k.Token == pg_query.Token_FCONST) && strings.TrimSpace(sql[m.start:start]) == "-":
			return k, true
		case k.Token == pg_query.Token_SCONST && start < m.start && m.end < end && sql[start] == '\'':
			return k, false
		}
	}
	return nil, false
}

// add notes that a mark is the constant or a piece of it; marks come in the
// order of the text.
func (c *constant) add(t *Template, m *mark) error {
	p := t.index(m.name)
	if m.start <= c.start && m.end >= c.end {
		c.segments = []segment{{c.value, p}}
		return nil
	}
	inner := t.SQL[c.start+1 : c.end-1]
	if strings.Contains(inner, `\`) {
		return errors.New("a text with backslashes is marked as a whole")
	}
	begin := c.start + 1
	for _, s := range c.segments {
		begin += len(strings.ReplaceAll(s.text, "'", "''"))
	}
	if m.start > begin {
		c.segments = append(c.segments, segment{strings.ReplaceAll(t.SQL[begin:m.start], "''", "'"), -1})
	}
	c.segments = append(c.segments, segment{strings.ReplaceAll(t.SQL[m.start:m.end], "''", "'"), p})
	return nil
}

// finish adds what follows the last mark, and gives the parameters their types.
func (c *constant) finish(t *Template) error {
	joined := ""
	for _, s := range c.segments {
		joined += s.text
	}
	if rest, ok := strings.CutPrefix(c.value, joined); ok && rest != "" {
		c.segments = append(c.segments, segment{rest, -1})
		joined += rest
	}
	if joined != c.value {
		return fmt.Errorf("the marks of %s do not fit its text", ask.QuoteLiteral(c.value))
	}
	for i, s := range c.segments {
		if s.parameter < 0 {
			continue
		}
		p := &t.Parameters[s.parameter]
		typ := c.typeOf(i)
		if p.Type != "" && p.Type != typ && !(p.Type == typeNumeric && typ == typeInteger || p.Type == typeInteger && typ == typeNumeric) {
			return fmt.Errorf("{%s:…} stands for a %s and for a %s in the SQL; give them different names, or write the constants in the same way", p.Name, p.Type, typ)
		}
		if p.Type != typeInteger {
			p.Type = typ
		}
	}
	return nil
}

var (
	isoDay    = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	isoMoment = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2})?$`)
	digits    = regexp.MustCompile(`^\d+$`)
)

// typeOf returns the type of a segment.
func (c *constant) typeOf(i int) Type {
	text := c.segments[i].text
	if len(c.segments) == 1 {
		switch {
		case c.typ != "":
			return c.typ
		case isoDay.MatchString(text):
			return typeDate
		case isoMoment.MatchString(text):
			return typeTimestamp
		}
		return typeText
	}
	if _, ok := unit(text); ok && c.typ == typeInterval {
		return typeUnit
	}
	if digits.MatchString(text) {
		return typeInteger
	}
	return typeText
}

// places returns where the constants are.
func (t *Template) places() map[int]bool {
	at := map[int]bool{}
	for _, c := range t.constants {
		at[c.start] = true
	}
	return at
}

// equivalent says whether a value is the constant's own one.
func equivalent(c constant, value string) bool {
	if value == c.value {
		return true
	}
	if p, ok := c.whole(); ok && p >= 0 {
		for _, typ := range []Type{typeUnit, typeInterval, typeNumeric} {
			a, aok := convert(typ, &Reader{}, c.value)
			b, bok := convert(typ, &Reader{}, value)
			if c.typ == typ && aok && bok && a == b {
				return true
			}
		}
	}
	return c.typ == typeInterval && singular(c.value) == singular(value)
}

// singular writes the units of an interval in one form.
func singular(s string) string {
	words := strings.Fields(strings.ToLower(s))
	for i, w := range words {
		if u, ok := unit(w); ok {
			words[i] = u
		}
	}
	return strings.Join(words, " ")
}

// mask returns a statement's tree without places in the text and without the
// values of the constants that are at these places, and these values.
func mask(sql string, places map[int]bool) (tree string, values map[int]string, err error) {
	parsed, err := ask.Parse(sql)
	if err != nil {
		return "", nil, err
	}
	values = map[int]string{}
	ask.Nodes(parsed, func(n *pg_query.Node) {
		if c := n.GetAConst(); c != nil && places[int(c.Location)] {
			values[int(c.Location)] = valueOf(c)
			c.Val = nil
		}
	})
	ask.Placeless(parsed)
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(parsed)
	return string(b), values, err
}

// Same says whether two texts are the same statement but for blanks, comments
// and how its constants are quoted.
func Same(a, b string) bool {
	x, _, err := mask(a, nil)
	if err != nil {
		return false
	}
	y, _, err := mask(b, nil)
	return err == nil && x == y
}

func valueOf(c *pg_query.A_Const) string {
	switch {
	case c.GetSval() != nil:
		return c.GetSval().Sval
	case c.GetFval() != nil:
		return c.GetFval().Fval
	case c.GetBoolval() != nil:
		return strconv.FormatBool(c.GetBoolval().Boolval)
	case c.GetIval() != nil:
		return strconv.Itoa(int(c.GetIval().Ival))
	}
	return ""
}
