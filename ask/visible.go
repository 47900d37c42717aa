package ask

import (
	"fmt"
	"strings"
	"unicode"
)

// Visible returns s for pages and terminals. Characters that would hide,
// reorder or control text are made to be seen: a log must not be able to lie
// about what it holds. Line feeds and tabs are left.
func Visible(s string) string {
	if !strings.ContainsFunc(s, Hidden) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !Hidden(r):
			b.WriteRune(r)
		case r < 0x20:
			b.WriteRune(0x2400 + r) // the symbols for control characters
		case r == 0x7f:
			b.WriteRune('␡')
		default:
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		}
	}
	return b.String()
}

// VisibleSQL returns SQL as a person is to see it who decides by it. It is without its comments, by
// which a model could speak as askpg. No other line of it looks like one.
func VisibleSQL(sql string) string {
	var b strings.Builder
	at := 0
	mayComment := strings.Contains(sql, "--") || strings.Contains(sql, "/*")
	if mayComment && !eachLiteral(sql, func(start, end int, comment bool) {
		if comment {
			b.WriteString(sql[at:start] + " ")
			at = end
		}
	}) {
		b.Reset()
		at = 0
	}
	b.WriteString(sql[at:])
	var lines []string
	for i, line := range strings.Split(strings.TrimSpace(b.String()), "\n") {
		switch trimmed := strings.TrimSpace(line); {
		case i > 0 && strings.HasPrefix(trimmed, "--"): // within a constant or a name
			lines[len(lines)-1] += "␊" + line
		case trimmed != "":
			lines = append(lines, strings.TrimRight(line, " \t\r"))
		}
	}
	return Visible(strings.Join(lines, "\n"))
}

// Hidden tells what Visible replaces: controls, marks of direction, characters
// without width. The zero-width joiners are left, as scripts and emoji need
// them.
func Hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || r == '\u200d' || r == '\u200c':
		return false
	case unicode.IsControl(r), unicode.In(r, unicode.Cf), r == '\u2028', r == '\u2029':
		return true
	case r >= 0xe0000 && r <= 0xe007f: // tag characters
		return true
	}
	return false
}
