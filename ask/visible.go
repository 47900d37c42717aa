package ask

import (
	"fmt"
	"strings"
	"unicode"
)

// Visible returns s with the characters that would hide, reorder or control
// text made to be seen, for pages and terminals: a log must not be able to lie
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
