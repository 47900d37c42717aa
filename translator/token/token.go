// Package token estimates how many tokens a text takes up in a model's
// window. Models tokenise differently and most serve no tokeniser, so the
// estimate errs upwards: a prompt that fits by it fits.
package token

import "unicode"

// Count estimates the tokens of s. It splits s as byte-pair encodings do
// before they merge (a run of letters with the blank before it, up to three
// digits, a run of punctuation, a line break) and counts a piece of n bytes as
// one token and one more for each further four bytes; scripts without blanks
// count a token a character.
func Count(s string) int {
	n := 0
	kind, run := other, 0
	flush := func() {
		if run == 0 {
			return
		}
		switch kind {
		case letters:
			n += 1 + (run-1)/5
		case digits:
			n += (run + 2) / 3
		case punctuation:
			n += (run + 1) / 2
		case wide:
			n += run
		}
		run = 0
	}
	for _, r := range s {
		k := kindOf(r)
		if k != kind {
			flush()
			kind = k
		}
		if k == lines {
			n++
			continue
		}
		run++
	}
	flush()
	return n
}

type kind int

const (
	other kind = iota // blanks, which join the piece after them
	letters
	digits
	punctuation
	lines
	wide
)

func kindOf(r rune) kind {
	switch {
	case r == '\n':
		return lines
	case r == ' ' || r == '\t' || r == '\r':
		return other
	case r >= '0' && r <= '9':
		return digits
	case r < 0x250 && unicode.IsLetter(r):
		return letters
	case r < 0x80:
		return punctuation
	default:
		return wide
	}
}

// Cut returns the longest prefix of s that Count estimates at no more than
// max tokens, cut at a character's edge.
func Cut(s string, max int) string {
	if Count(s) <= max {
		return s
	}
	lo, hi := 0, len(s)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if Count(s[:mid]) <= max {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	for lo > 0 && lo < len(s) && s[lo]&0xC0 == 0x80 {
		lo--
	}
	return s[:lo]
}
