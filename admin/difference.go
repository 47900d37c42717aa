package admin

import (
	"slices"
	"strings"
)

// change is a run of SQL that two statements share, or that one of them has.
type change struct {
	Op   string // "", "ins", "del"
	Text string
}

// maxCompared bounds the quadratic comparison, in tokens.
const maxCompared = 1500

// differences returns how b differs from a, by the longest common subsequence
// of their tokens, laid out as b is.
func differences(a, b string) []change {
	if len(a)+len(b) > maxFormSQL {
		return nil
	}
	x, y := spacedTokens(a), spacedTokens(b)
	if len(x) > maxCompared || len(y) > maxCompared {
		return nil
	}
	var out changes
	compare(x, y, func(a, b spaced) bool { return strings.EqualFold(a.text, b.text) }, out.add)
	return out
}

// compare calls add for each element of x and y in their order. The mark is "" for those that are in both, "del" for
// those of x alone and "ins" for those of y alone.
func compare[T any](x, y []T, same func(a, b T) bool, add func(op string, t T)) {
	common := commonLengths(x, y, same)
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		switch {
		case i < len(x) && j < len(y) && same(x[i], y[j]):
			add("", y[j])
			i, j = i+1, j+1
		case j == len(y) || i < len(x) && common[i+1][j] >= common[i][j+1]:
			add("del", x[i])
			i++
		default:
			add("ins", y[j])
			j++
		}
	}
}

// commonLengths returns for each i and j the length of the longest common subsequence of x[i:] and y[j:].
func commonLengths[T any](x, y []T, same func(a, b T) bool) [][]int16 {
	length := make([][]int16, len(x)+1)
	for i := range length {
		length[i] = make([]int16, len(y)+1)
	}
	for i, v := range slices.Backward(x) {
		for j := len(y) - 1; j >= 0; j-- {
			if same(v, y[j]) {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	return length
}

type changes []change

// add appends a token, to the last run if that has the same op. A blank between two runs belongs to neither.
func (c *changes) add(op string, t spaced) {
	n := len(*c)
	next := change{op, t.text}
	switch {
	case n == 0:
	case (*c)[n-1].Op == op:
		(*c)[n-1].Text += t.before + t.text
		return
	case (*c)[n-1].Op == "":
		(*c)[n-1].Text += t.before
	case op == "":
		next.Text = t.before + t.text
	case t.before != "":
		*c = append(*c, change{"", t.before})
	}
	*c = append(*c, next)
}

// spaced is a token with the blank before it.
type spaced struct{ before, text string }

func spacedTokens(sql string) []spaced {
	var out []spaced
	before := ""
	for _, t := range layOutTokens(tokens(sql)) {
		if t.kind == blank {
			before = t.text
			continue
		}
		out = append(out, spaced{before, t.text})
		before = ""
	}
	return out
}
