// Package param is how a verified question stands for many. Words of the
// question are marked, and so are the constants of its SQL that they stand for.
// A later question that differs in these words only is recognised. Its words
// are put into the SQL as constants. It does no I/O.
//
// A mark is {name:what stands there now}, in the question as in the SQL:
//
//	orders of the last {period:month} in {country:Spain}
//	… WHERE c.country = {country:'Spain'} AND o.day >= now() - interval '1 {period:month}'
//
// In the question what may stand there instead can follow. It is other words
// ({period:month|week|year}), or words and the value that they stand for
// ({state:cancelled=C|paid=P}). It may also be the values of a column
// ({country:Spain|in customers.country}), or any text at all ({note:late|any}).
// A backslash before a brace, a bar, an equals sign or a backslash takes its
// meaning away.
package param

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// mark is a marked piece of a text.
type mark struct {
	name       string
	start, end int    // in the text without marks, in bytes
	body       string // of the mark, as written
}

// opening begins a mark unless an odd number of backslashes is before it.
var opening = regexp.MustCompile(`(\\*)\{([A-Za-z_][A-Za-z0-9_]*):`)

// maxName bounds the name of a parameter.
const maxName = 40

// readMarks takes the marks out of a text. shown says what of a mark's body is
// the text's own.
func readMarks(text string, shown func(body string) string) (plain string, marks []mark, err error) {
	var b strings.Builder
	for {
		m := opening.FindStringSubmatchIndex(text)
		if m == nil {
			b.WriteString(text)
			return b.String(), marks, nil
		}
		slashes := m[3] - m[2]
		b.WriteString(text[:m[0]])
		b.WriteString(strings.Repeat(`\`, slashes/2))
		if slashes%2 == 1 {
			b.WriteString(text[m[3]:m[1]])
			text = text[m[1]:]
			continue
		}
		name, rest := strings.ToLower(text[m[4]:m[5]]), text[m[1]:]
		end := unescaped(rest, "}")
		if end < 0 {
			return "", nil, fmt.Errorf("the mark {%s:… has no closing brace; write \\{%s: if it is no mark", name, name)
		}
		if len(name) > maxName {
			return "", nil, fmt.Errorf("the name %.20s… of a mark is longer than %d characters", name, maxName)
		}
		k := mark{name: name, start: b.Len(), body: rest[:end]}
		b.WriteString(shown(k.body))
		k.end = b.Len()
		if k.end == k.start {
			return "", nil, fmt.Errorf("the mark {%s:} is empty; it must hold what stands there now, as in {%s:Spain}", name, name)
		}
		marks = append(marks, k)
		text = rest[end+1:]
	}
}

// unescaped returns where one of the bytes stands that no backslash precedes.
func unescaped(s, bytes string) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case strings.IndexByte(bytes, s[i]) >= 0:
			return i
		}
	}
	return -1
}

// unescape takes away the backslashes before what would mean something.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(`{}|=\`, s[i+1]) >= 0 {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Escape writes a text without marks so that it is read as it stands.
func Escape(text string) string {
	return opening.ReplaceAllStringFunc(text, func(s string) string {
		at := strings.IndexByte(s, '{')
		return strings.Repeat(`\`, 2*at+1) + s[at:]
	})
}

// Marked says whether a text holds a mark.
func Marked(text string) bool {
	return slices.ContainsFunc(opening.FindAllStringSubmatchIndex(text, -1), func(m []int) bool { return (m[3]-m[2])%2 == 0 })
}

// rule is what a mark of the question says of its parameter.
type rule struct {
	words   string // that stand there now
	choices []Choice
	column  string
	free    bool
}

// Choice is what may stand in a parameter's place, and the value that it
// stands for.
type Choice struct {
	Words string `json:"words"`
	Value string `json:"value"`
}

// maxChoices bounds the list of a parameter.
const maxChoices = 1000

// readRule reads the body of a mark of the question.
func readRule(body string) (rule, error) {
	var r rule
	var parts []string
	for {
		i := unescaped(body, "|")
		if i < 0 {
			parts = append(parts, body)
			break
		}
		parts, body = append(parts, body[:i]), body[i+1:]
	}
	listed := len(parts) > 1
	for i, p := range parts {
		keyword := strings.TrimSpace(p)
		switch column, in := strings.CutPrefix(keyword, "in "); {
		case i > 0 && in && len(parts) == 2:
			r.column, listed = strings.TrimSpace(column), false
			continue
		case i > 0 && keyword == "any" && len(parts) == 2:
			r.free, listed = true, false
			continue
		}
		c := Choice{Words: p, Value: p}
		if at := unescaped(p, "="); at >= 0 {
			c.Words, c.Value, listed = p[:at], p[at+1:], true
		}
		c.Words, c.Value = strings.TrimSpace(unescape(c.Words)), strings.TrimSpace(unescape(c.Value))
		if c.Words == "" {
			return r, fmt.Errorf("{%s}: a choice is empty", body)
		}
		if i == 0 {
			r.words = c.Words
		}
		r.choices = append(r.choices, c)
	}
	if !listed {
		r.choices = nil
	}
	if len(r.choices) > maxChoices {
		return r, fmt.Errorf("a parameter has %d choices; at most %d can be listed, more are better a column's: {name:…|in table.column}", len(r.choices), maxChoices)
	}
	return r, nil
}

// inQuestion is what a question shows of a mark: the words, not the rule.
func inQuestion(body string) string {
	if i := unescaped(body, "|="); i >= 0 {
		body = body[:i]
	}
	return strings.TrimSpace(unescape(body))
}

// inSQL is what SQL shows of a mark: backslashes are SQL's own but before a
// closing brace.
func inSQL(body string) string { return strings.ReplaceAll(body, `\}`, `}`) }
