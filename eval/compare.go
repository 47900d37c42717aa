package eval

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"askpg/ask"
)

// Match says in which senses a result equals the gold's. Rows are compared as
// a bag, or as a list where the order counts.
type Match struct {
	Strict    bool `json:"strict"`    // columns in the gold's order
	Perm      bool `json:"perm"`      // columns in any order, as Zhong et al. 2020 (test-suite accuracy) do
	Contained bool `json:"contained"` // every column of the gold is there, further ones may be; in any order of rows
}

// Compare compares a result with the gold's. Values are equal if they are the
// same number to six significant digits (integers exactly), whether typed or
// written as text, booleans being 1 and 0; a date and its midnight; or else the
// same text.
func Compare(gold, got *ask.Result, ordered bool) Match {
	if len(gold.Rows) != len(got.Rows) {
		return Match{}
	}
	if len(gold.Rows) == 0 {
		return Match{Strict: true, Perm: true, Contained: true}
	}
	g, p := canonical(gold), canonical(got)
	var m Match
	m.Strict = len(g) == len(p) && equalRows(g, p, ordered)
	m.Contained = m.Strict || assign(g, p, false)
	m.Perm = m.Strict || m.Contained && len(g) == len(p) && (!ordered || assign(g, p, true))
	return m
}

// CompareAny returns the best match with any of the golds.
func CompareAny(golds []*ask.Result, got *ask.Result, ordered bool) Match {
	var best Match
	for _, gold := range golds {
		m := Compare(gold, got, ordered)
		best.Strict = best.Strict || m.Strict
		best.Perm = best.Perm || m.Perm
		best.Contained = best.Contained || m.Contained
	}
	return best
}

// canonical returns a result by columns, in canonical values.
func canonical(r *ask.Result) [][]string {
	columns := make([][]string, len(r.Columns))
	for c := range columns {
		for _, row := range r.Rows {
			columns[c] = append(columns[c], canonicalValue(row[c], r.Columns[c].TypeOID))
		}
	}
	return columns
}

// nullValue can't be the text of any value: PostgreSQL's text holds no zero byte.
const nullValue = "\x00"

func canonicalValue(v []byte, oid uint32) string {
	if v == nil {
		return nullValue
	}
	s := string(v)
	if oid == pgtype.BoolOID {
		switch s {
		case "t":
			return "1"
		case "f":
			return "0"
		}
	}
	if oid == pgtype.BPCharOID {
		s = strings.TrimRight(s, " ")
	}
	// A timestamp with time zone stays what it is: which date it falls on depends on who looks.
	if oid == pgtype.TimestampOID {
		s = strings.TrimSuffix(s, " 00:00:00")
	}
	if n, ok := canonicalNumber(s); ok {
		return n
	}
	return s
}

// canonicalNumber writes a decimal number so that equal ones are equal texts.
func canonicalNumber(s string) (string, bool) {
	t := strings.TrimSpace(s)
	if t == "" || len(t) > 400 || !strings.ContainsRune("+-.0123456789", rune(t[0])) || strings.Trim(t, "+-.eE0123456789") != "" {
		return "", false
	}
	if isInteger(t) {
		i, ok := new(big.Int).SetString(strings.TrimPrefix(t, "+"), 10)
		if !ok {
			return "", false
		}
		return i.String(), true
	}
	f, err := strconv.ParseFloat(t, 64)
	if err != nil {
		return "", false
	}
	if f == float64(int64(f)) && f > -1e15 && f < 1e15 {
		return strconv.FormatInt(int64(f), 10), true
	}
	six := strconv.FormatFloat(f, 'g', 6, 64)
	rounded, _ := strconv.ParseFloat(six, 64)
	if rounded == float64(int64(rounded)) && rounded > -1e15 && rounded < 1e15 {
		return strconv.FormatInt(int64(rounded), 10), true
	}
	return six, true
}

func isInteger(s string) bool {
	s = strings.TrimLeft(s, "+-")
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// equalRows reports whether the rows that the columns make are the same list
// or the same bag.
func equalRows(a, b [][]string, ordered bool) bool {
	if ordered {
		return slices.EqualFunc(a, b, slices.Equal)
	}
	counts := map[string]int{}
	for i := range a[0] {
		counts[rowKey(a, i)]++
	}
	for i := range b[0] {
		k := rowKey(b, i)
		if counts[k] == 0 {
			return false
		}
		counts[k]--
	}
	return true
}

func rowKey(columns [][]string, i int) string {
	var b strings.Builder
	for _, c := range columns {
		b.WriteString(strconv.Itoa(len(c[i])))
		b.WriteByte(':')
		b.WriteString(c[i])
	}
	return b.String()
}

// assign reports whether a column of b, each used once, can be chosen for
// every column of a so that the rows are equal. Columns whose values differ as
// bags are never tried together, which leaves few choices.
func assign(a, b [][]string, ordered bool) bool {
	if len(a) > len(b) {
		return false
	}
	signatures := func(columns [][]string) []string {
		s := make([]string, len(columns))
		for i, c := range columns {
			if !ordered {
				c = slices.Sorted(slices.Values(c))
			}
			s[i] = strings.Join(c, "\x01")
		}
		return s
	}
	sa, sb := signatures(a), signatures(b)
	var chosen [][]string
	used := make([]bool, len(b))
	tries := 0
	var place func(i int) bool
	place = func(i int) bool {
		if i == len(a) {
			tries++
			return equalRows(a, chosen, ordered)
		}
		for j := range b {
			if used[j] || sa[i] != sb[j] || tries > maxAssignments {
				continue
			}
			used[j] = true
			chosen = append(chosen, b[j])
			// Rows that differ already cannot become equal by more columns.
			if (i == 0 || equalRows(a[:i+1], chosen, ordered)) && place(i+1) {
				return true
			}
			chosen = chosen[:len(chosen)-1]
			used[j] = false
		}
		return false
	}
	return place(0)
}

// maxAssignments bounds the search among columns that hold the same values.
const maxAssignments = 5000
