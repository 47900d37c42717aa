package ask

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	pg_query "github.com/pganalyze/pg_query_go/v5"
)

// redacted stands where a literal was.
const redacted = "?"

// RedactSQL puts ? in the place of every constant of a SQL text. It does so for the given literals that stand elsewhere,
// as in a column's alias. It leaves the comments out. Of a text that cannot be read as SQL, nothing is left.
func RedactSQL(sql string, literals ...string) string {
	var b strings.Builder
	at := 0
	if !eachLiteral(sql, func(start, end int, comment bool) {
		b.WriteString(sql[at:start])
		if !comment {
			b.WriteString(redacted)
		}
		at = end
	}) {
		return redacted
	}
	b.WriteString(sql[at:])
	words := slices.DeleteFunc(slices.Clone(literals), func(l string) bool { return !strings.ContainsFunc(l, unicode.IsLetter) })
	return strings.TrimSpace(replaceLiterals(b.String(), words))
}

// Literals returns the constants of a SQL text, strings without their quotes.
func Literals(sql string) []string {
	var list []string
	eachLiteral(sql, func(start, end int, comment bool) {
		text := strings.Trim(sql[start:end], "'")
		if i := strings.IndexByte(sql[start:end], '\''); i >= 0 {
			text = strings.ReplaceAll(strings.Trim(sql[start+i:end], "'"), "''", "'")
		}
		if !comment && text != "" {
			list = append(list, text)
		}
	})
	return list
}

// eachLiteral calls fn with the place of every constant and comment. It says
// whether the text could be read to its end.
func eachLiteral(sql string, fn func(start, end int, comment bool)) bool {
	if !utf8.ValidString(sql) || strings.IndexByte(sql, 0) >= 0 {
		return false
	}
	scan, err := Scan(sql)
	if err != nil {
		return false
	}
	end := 0
	for _, t := range scan.Tokens {
		// The scanner misplaces some tokens (U&'…'): such a text is not understood.
		if int(t.Start) < end || t.End <= t.Start || int(t.End) > len(sql) {
			return false
		}
		end = int(t.End)
		switch t.Token {
		case pg_query.Token_SCONST, pg_query.Token_USCONST, pg_query.Token_BCONST, pg_query.Token_XCONST, pg_query.Token_ICONST, pg_query.Token_FCONST:
			fn(int(t.Start), int(t.End), false)
		case pg_query.Token_SQL_COMMENT, pg_query.Token_C_COMMENT:
			fn(int(t.Start), int(t.End), true)
		}
	}
	return true
}

// quotedText is what stands in quotes of any kind, also where the closing one
// is missing. dataWord is a word with a digit or an @ in it.
var (
	quotedText = regexp.MustCompile(`(?s)'[^']*(?:'|$)|"[^"]*(?:"|$)|“[^”]*(?:”|$)|„[^“”]*(?:[“”]|$)|‘[^’]*(?:’|$)|«[^»]*(?:»|$)|` + "`[^`]*(?:`|$)" + `|\$\$.*?(?:\$\$|$)`)
	apostrophe = regexp.MustCompile(`(\pL)['’](\pL)`)
	dataWord   = regexp.MustCompile(`[^\s(),;=<>\[\]{}]*[\p{Nd}@][^\s(),;=<>\[\]{}]*`)
)

// RedactText puts ? in the place of what may be data in a text that people
// read, a question or a message. That is what stands in quotes, words with a
// digit or an @, and the given literals. An unquoted name that is no literal
// of the SQL looks like any other word and stays.
func RedactText(text string, literals ...string) string {
	text = replaceLiterals(text, literals)
	const kept = "\x00" // an apostrophe within a word quotes nothing
	text = apostrophe.ReplaceAllString(text, "$1"+kept+"$2")
	text = quotedText.ReplaceAllLiteralString(text, redacted)
	text = strings.ReplaceAll(text, kept, "'")
	return dataWord.ReplaceAllLiteralString(text, redacted)
}

// maxReplaced bounds the literals that a text is searched for, each by itself.
const maxReplaced = 500

// replaceLiterals puts ? in the place of literals, the longest first, whatever
// their case, or in the place of the whole text if there are too many.
func replaceLiterals(text string, literals []string) string {
	if len(literals) > maxReplaced {
		return redacted
	}
	for _, l := range slices.SortedStableFunc(slices.Values(literals), func(a, b string) int { return len(b) - len(a) }) {
		// LIKE's wildcards are not in the question.
		for _, word := range append([]string{l}, strings.FieldsFunc(l, func(r rune) bool { return r == '%' || r == '_' })...) {
			if word = strings.TrimSpace(word); utf8.RuneCountInString(word) > 1 {
				if re, err := regexp.Compile(`(?i)` + regexp.QuoteMeta(word)); err == nil {
					text = re.ReplaceAllLiteralString(text, redacted)
				}
			}
		}
	}
	return text
}
