package param

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"askpg/ask"
)

// render returns the constant's value with values in the places of the parameters.
func (c *constant) render(values []string) string {
	var b strings.Builder
	for _, s := range c.segments {
		v := s.text
		if s.parameter >= 0 {
			v = values[s.parameter]
			switch {
			case c.typ == typeInterval && len(c.segments) > 1 && v == "quarter":
				// PostgreSQL's intervals have no unit "quarter": 2 quarters are written as 6 months.
				before := triple(b.String())
				b.Reset()
				b.WriteString(before)
				v = "month"
			case c.pattern == like && !c.wildcards():
				v = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(v)
			case c.pattern == regular:
				v = regexp.QuoteMeta(v)
			}
		}
		b.WriteString(v)
	}
	return b.String()
}

// wildcards says whether the whole constant is one parameter whose sample has wildcards of LIKE, so that values may have
// some too.
func (c *constant) wildcards() bool {
	return len(c.segments) == 1 && strings.ContainsAny(c.value, "%_")
}

var lastNumber = regexp.MustCompile(`(\d+)(\s*)$`)

// triple multiplies the number that a text ends with by three; without one, it appends three.
func triple(text string) string {
	m := lastNumber.FindStringSubmatchIndex(text)
	if m == nil {
		return text + "3 "
	}
	n, err := strconv.ParseInt(text[m[2]:m[3]], 10, 32)
	if err != nil {
		return text
	}
	return text[:m[2]] + strconv.FormatInt(3*n, 10) + text[m[3]:]
}

// constantValues returns the values of the constants, made of those of the parameters by their names.
func (t *Template) constantValues(named map[string]string) ([]string, error) {
	values := make([]string, len(t.Parameters))
	for i, p := range t.Parameters {
		v, ok := named[p.Name]
		if !ok {
			return nil, fmt.Errorf("parameter %s has no value", p.Name)
		}
		values[i] = v
	}
	out := make([]string, len(t.constants))
	for i := range t.constants {
		out[i] = t.constants[i].render(values)
	}
	return out, nil
}

// Fill returns the SQL with the parameters' values as constants in the places
// of the samples. What it returns parses to the same tree but for the values of
// these constants, which are just those given: else there is an error.
func (t *Template) Fill(values map[string]string) (string, error) {
	filled, err := t.constantValues(values)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	at := 0
	places, want := map[int]bool{}, map[int]string{}
	for i := range t.constants {
		c := &t.constants[i]
		b.WriteString(t.SQL[at:c.start])
		text := filled[i]
		place := b.Len()
		switch {
		case c.quoted:
			text = ask.QuoteLiteral(text)
		case strings.HasPrefix(text, "-"): // two dashes would begin a comment
			text = "(" + text + ")"
			place++
		}
		places[place], want[place] = true, filled[i]
		b.WriteString(text)
		at = c.end
	}
	b.WriteString(t.SQL[at:])
	masked, have, err := mask(b.String(), places)
	if err != nil {
		return "", fmt.Errorf("the SQL with the values: %w", err)
	}
	if masked != t.masked || len(have) != len(want) {
		return "", errors.New("the values change what the statement is")
	}
	for place, v := range want {
		if have[place] != v {
			return "", errors.New("the values are not read as they are written")
		}
	}
	return b.String(), nil
}
