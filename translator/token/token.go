// Package token estimates how many tokens a text takes up in a model's
// window. Models tokenise differently and most serve no tokeniser, so the
// estimate errs upwards: it is held against cl100k and o200k in a table of
// texts of all kinds that a prompt has. What neither English nor a schema
// looks like, such as random letters, may still take a model more.
package token

import "unicode/utf8"

// Count estimates the tokens of s. It goes by the rules by which byte-pair
// encodings split a text before they merge, and by what they have merged:
//
//   - a run of letters takes a token for the first seven, one more for each
//     further four (fewer if they are capitals), and one for each pair of
//     letters that English hardly has there; a small letter before a capital
//     ends a run;
//   - a digit takes a token, as in the vocabularies of Qwen and Llama 2; others
//     join up to three;
//   - of punctuation, pairs that code is full of take one token;
//   - one blank joins the letters or the punctuation after it, other blanks take
//     a token for each sixteen, and a line break takes one;
//   - beyond ASCII a character takes one to four by its script, never more
//     than its bytes.
//
// A longer text never takes less than its beginning does.
func Count(s string) int {
	var c counter
	for i := 0; i < len(s); {
		i += c.next(s[i:])
	}
	return c.total()
}

// A run of letters has its first token for so many parts, and one more for
// each further parts. A capital fills more of it than a small letter.
const first, parts, small, capital = 15, 8, 2, 3

// blanksPerToken is how many blanks in a row share a token.
const blanksPerToken = 16

// counter counts a text character by character.
type counter struct {
	halves int  // of tokens, of what is behind
	blanks int  // in a row, not yet in halves
	kind   kind // of the last character
	last   byte // the last letter in lower case, or a mark of punctuation; 0 if it closed a pair
	upper  bool // the last letter was a capital
	run    int  // letters in a row
	filled int  // parts of a token that they take beyond those counted
}

type kind uint8

const (
	punctuation kind = iota // and control characters
	letter
	digit
	blank
	newline
	wide // beyond ASCII
)

// total is the estimate of the characters so far.
func (c *counter) total() int {
	n := (c.halves + 1) / 2
	if c.blanks > 0 {
		n += 1 + (c.blanks-1)/blanksPerToken
	}
	return n
}

// next counts the first character of s and returns its length in bytes.
func (c *counter) next(s string) int {
	b := s[0]
	if b >= utf8.RuneSelf {
		r, n := utf8.DecodeRuneInString(s)
		c.pass(r <= latin)
		c.halves += halves(r)
		c.kind = wide
		return n
	}
	k := kinds[b]
	switch k {
	case letter:
		c.letter(b)
	case blank:
		c.blanks++
		if b != ' ' {
			c.blanks++ // a tab joins nothing
		}
	case punctuation:
		c.pass(true)
		if c.kind == punctuation && paired(c.last, b) {
			b = 0
		} else {
			c.halves += 2
		}
		c.last = b
	default:
		c.pass(false)
		c.halves += 2
	}
	c.kind = k
	return 1
}

func (c *counter) letter(b byte) {
	lower, upper := b|0x20, b < 'a'
	c.pass(true)
	if c.kind != letter || upper && !c.upper {
		c.halves += 2
		c.run, c.filled = 0, parts-first
	} else {
		usual := &within
		if c.run == 1 {
			usual = &begins
		}
		if usual[c.last-'a']&(1<<(lower-'a')) == 0 {
			c.halves += 2
		}
	}
	c.run++
	if c.filled += small; upper {
		c.filled += capital - small
	}
	if c.filled > parts {
		c.halves += 2
		c.filled -= parts
	}
	c.last, c.upper = lower, upper
}

// pass counts the blanks before a character that one of them may join.
func (c *counter) pass(joins bool) {
	if c.blanks > 1 || c.blanks == 1 && !joins {
		c.halves += 2 * (1 + (c.blanks-1)/blanksPerToken)
	}
	c.blanks = 0
}
