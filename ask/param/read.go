package param

import (
	"context"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"askpg/ask"
)

// Type is what the words of a parameter must be.
type Type string

// The types of parameters, told from the place of the SQL constant.
const (
	typeText      Type = "text"
	typeInteger   Type = "integer"
	typeNumeric   Type = "numeric"
	typeBoolean   Type = "boolean"
	typeDate      Type = "date"
	typeTimestamp Type = "timestamp"
	typeInterval  Type = "interval"
	typeUnit      Type = "unit" // of time: month, weeks, yearly
)

// Reader reads the words of an asker. The zero value reads no number words
// and no columns.
type Reader struct {
	// Number reads number words such as "twelve" and returns digits.
	Number func(words string) (digits string, ok bool)
	// Column returns the values of a column, named as in the mark, that are the
	// words but for case, as far as the asker may see them.
	Column func(ctx context.Context, column, words string) ([]string, error)
	// Now is the asker's time in his time zone, for words such as "yesterday".
	Now time.Time
	// DayFirst reads 03/04/2026 as the third of April, as the asker's DateStyle
	// says.
	DayFirst bool
}

// maxWords bounds the words of a parameter, in characters.
const maxWords = 200

// read converts words to a value of p's type, in the form of a SQL constant
// without quotes. ok is false if they are none, or if it is not clear which.
func (p *Parameter) read(ctx context.Context, r *Reader, words string) (value string, ok bool, err error) {
	words = strings.TrimSpace(words)
	if words == "" || utf8.RuneCountInString(words) > maxWords || strings.ContainsFunc(words, ask.Hidden) || strings.ContainsFunc(words, unicode.IsControl) {
		return "", false, nil
	}
	switch {
	case len(p.Choices) > 0:
		bare := fold(unquote(words))
		for _, c := range p.Choices {
			if fold(c.Words) == bare {
				return c.Value, true, nil
			}
		}
		return "", false, nil
	case p.Column != "":
		if r.Column == nil {
			return "", false, nil
		}
		bare := unquote(words)
		values, err := r.Column(ctx, p.Column, bare)
		if err != nil {
			return "", false, err
		}
		if value, ok = stored(values, bare); ok && p.Type != typeText {
			value, ok = convert(p.Type, r, value)
		}
		return value, ok, nil
	}
	value, ok = convert(p.Type, r, words)
	return value, ok, nil
}

// stored returns the one spelling that a column has of some words; of several,
// only the one that is theirs.
func stored(values []string, words string) (string, bool) {
	if slices.Contains(values, words) {
		return words, true
	}
	if len(values) == 1 && fold(values[0]) == fold(words) {
		return values[0], true
	}
	return "", false
}

// convert reads words as a type.
func convert(t Type, r *Reader, words string) (string, bool) {
	switch t {
	case typeText:
		return unquote(words), true
	case typeInteger:
		n, ok := number(r, words)
		if !ok || strings.ContainsAny(n, ".") {
			return "", false
		}
		_, err := strconv.ParseInt(n, 10, 64)
		return n, err == nil
	case typeNumeric:
		return number(r, words)
	case typeBoolean:
		switch fold(words) {
		case "true", "yes", "on":
			return "true", true
		case "false", "no", "off":
			return "false", true
		}
		return "", false
	case typeDate:
		return date(r, unquote(words))
	case typeTimestamp:
		return timestamp(r, unquote(words))
	case typeInterval:
		return interval(r, unquote(words))
	case typeUnit:
		return unit(words)
	}
	return "", false
}

// fold makes words comparable: NFC, one blank between them, lower case.
func fold(s string) string {
	return strings.ToLower(norm.NFC.String(strings.Join(strings.Fields(s), " ")))
}

// quotes are the pairs that a text can stand in.
var quotes = map[rune]rune{'"': '"', '\'': '\'', '“': '”', '„': '“', '‘': '’', '«': '»', '`': '`'}

// unquote takes the quotation marks away that a text stands in.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	open, n := utf8.DecodeRuneInString(s)
	end, m := utf8.DecodeLastRuneInString(s)
	if want, ok := quotes[open]; ok && len(s) >= n+m && (end == want || open == '„' && end == '”') && len(s) > n {
		if inner := s[n : len(s)-m]; inner != "" && !strings.ContainsRune(inner, end) {
			return inner
		}
	}
	return s
}

var (
	plainNumber   = regexp.MustCompile(`^[+-]?\d+(\.\d+)?$`)
	groupedNumber = regexp.MustCompile(`^[+-]?\d{1,3}([,  ' ]\d{3})+(\.\d+)?$`)
)

// number reads digits, with commas or blanks between thousands, or words.
func number(r *Reader, words string) (string, bool) {
	s := strings.ReplaceAll(strings.TrimSpace(words), "−", "-")
	if groupedNumber.MatchString(s) {
		s = strings.NewReplacer(",", "", " ", "", " ", "", "'", "", " ", "").Replace(s)
	}
	if !plainNumber.MatchString(s) {
		if r.Number == nil {
			return "", false
		}
		n, ok := r.Number(s)
		if !ok || !plainNumber.MatchString(n) {
			return "", false
		}
		s = n
	}
	if len(s) > 40 {
		return "", false
	}
	s = strings.TrimPrefix(s, "+")
	if _, ok := new(big.Rat).SetString(s); !ok {
		return "", false
	}
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, fraction, has := strings.Cut(s, ".")
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if has {
		whole += "." + fraction
	}
	return sign + whole, true
}

// units are words for units of time, and what date_trunc calls them.
var units = func() map[string]string {
	m := map[string]string{"annual": "year", "annually": "year", "daily": "day"}
	for _, u := range []string{"microsecond", "millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year", "decade"} {
		m[u], m[u+"s"] = u, u
		if u != "day" {
			m[u+"ly"] = u
		}
	}
	m["century"], m["centuries"] = "century", "century"
	return m
}()

// unit reads a unit of time in any of its forms: month, months, monthly.
func unit(words string) (string, bool) {
	u, ok := units[fold(words)]
	return u, ok
}

// interval reads "3 weeks", "a year", "two months".
func interval(r *Reader, words string) (string, bool) {
	n, rest := "1", fold(words)
	if first, after, ok := strings.Cut(rest, " "); ok {
		if first != "a" && first != "an" && first != "one" {
			if at := strings.LastIndexByte(rest, ' '); at > 0 {
				first, after = rest[:at], rest[at+1:]
			}
			if n, ok = number(r, first); !ok {
				return "", false
			}
		}
		rest = after
	}
	u, ok := unit(rest)
	if !ok {
		return "", false
	}
	if u == "quarter" { // is no unit of an interval
		count, ok := new(big.Int).SetString(n, 10)
		if !ok {
			return "", false
		}
		return count.Mul(count, big.NewInt(3)).String() + " month", true
	}
	return n + " " + u, true
}
