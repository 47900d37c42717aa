package admin

import (
	"html/template"
	"strings"
	"unicode"
	"unicode/utf8"

	"askpg/ask"
)

// kind is what a token of SQL is, as far as colours go.
type kind string

const (
	blank   kind = ""
	word    kind = "word"
	keyword kind = "keyword"
	literal kind = "literal"
	numeral kind = "numeral"
	quoted  kind = "quoted"
	comment kind = "comment"
	symbol  kind = "symbol"
)

type token struct {
	kind kind
	text string
}

var keywords = map[string]bool{}

func init() {
	for w := range strings.FieldsSeq(`all and any array as asc between both by case cast collate cross current_date current_time current_timestamp
		desc distinct else end except exists extract false fetch filter first following for from full group grouping having ilike in inner intersect
		interval is isnull join lateral last leading left like limit natural not notnull null nulls offset on or order outer over overlaps partition
		preceding range recursive right rollup row rows select set similar some symmetric table then ties to trailing true unbounded union unknown
		using values when where window with within`) {
		keywords[w] = true
	}
}

// tokens splits SQL for showing it. Whatever the text is, the tokens add up
// to it.
func tokens(sql string) []token {
	var out []token
	for len(sql) > 0 {
		n, k := next(sql)
		out = append(out, token{k, sql[:n]})
		sql = sql[n:]
	}
	return out
}

func next(s string) (int, kind) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case unicode.IsSpace(r):
		return run(s, unicode.IsSpace), blank
	case strings.HasPrefix(s, "--"):
		if i := strings.IndexByte(s, '\n'); i >= 0 {
			return i, comment
		}
		return len(s), comment
	case strings.HasPrefix(s, "/*"):
		if i := strings.Index(s[2:], "*/"); i >= 0 {
			return i + 4, comment
		}
		return len(s), comment
	case r == '\'':
		return closed(s, '\''), literal
	case r == '"':
		return closed(s, '"'), quoted
	case r == '$':
		if end := strings.IndexByte(s[1:], '$'); end >= 0 && strings.IndexFunc(s[1:end+1], notName) < 0 {
			tag := s[:end+2]
			if i := strings.Index(s[len(tag):], tag); i >= 0 {
				return i + 2*len(tag), literal
			}
			return len(s), literal
		}
		return 1, symbol
	case unicode.IsDigit(r):
		return run(s, func(r rune) bool { return unicode.IsDigit(r) || r == '.' || r == '_' }), numeral
	case !notName(r):
		n := run(s, func(r rune) bool { return !notName(r) })
		if keywords[strings.ToLower(s[:n])] {
			return n, keyword
		}
		return n, word
	}
	return size, symbol
}

func notName(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }

func run(s string, in func(rune) bool) int {
	if i := strings.IndexFunc(s, func(r rune) bool { return !in(r) }); i >= 0 {
		return i
	}
	return len(s)
}

// closed returns the length of a quoted token; a doubled quote does not end it.
func closed(s string, quote byte) int {
	for i := 1; i < len(s); i++ {
		if s[i] != quote {
			continue
		}
		if i+1 < len(s) && s[i+1] == quote {
			i++
			continue
		}
		return i + 1
	}
	return len(s)
}

// clauses begin a line when SQL that came on one line is laid out.
var clauses = map[string]bool{
	"select": true, "from": true, "where": true, "group": true, "having": true, "order": true, "limit": true, "offset": true, "union": true,
	"intersect": true, "except": true, "with": true, "window": true, "values": true,
	"join": true, "left": true, "right": true, "full": true, "inner": true, "cross": true, "natural": true,
}

// maxLineLength is how long a line of laid out SQL may be before it is broken at its
// commas, and at AND and OR.
const maxLineLength = 72

// layOutTokens breaks SQL that came on one line before its clauses, indented by
// parentheses, and clauses that are long at their commas and conditions. Only
// blanks change.
func layOutTokens(in []token) []token {
	for _, t := range in {
		if t.kind == comment || strings.Contains(t.text, "\n") {
			return in
		}
	}
	var out, line []token
	depth, begun, indent, previous := 0, 0, 0, ""
	for i, t := range in {
		lower := strings.ToLower(t.text)
		switch {
		case t.text == "(":
			depth++
		case t.text == ")":
			depth = max(depth-1, 0)
		case t.kind == keyword && clauses[lower] && len(line) > 0 && !continues(previous, lower) && !isCall(in, i):
			out = append(out, breakClause(trimmed(line), begun, indent)...)
			line, begun, indent = nil, depth, 2*min(depth, 20)
			out = append(out, token{blank, "\n" + strings.Repeat(" ", indent)})
		}
		if t.kind != blank {
			previous = lower
		}
		line = append(line, t)
	}
	return append(out, breakClause(line, begun, indent)...)
}

// trimmed returns a line without the blanks at its end.
func trimmed(line []token) []token {
	if n := len(line); n > 0 && line[n-1].kind == blank {
		return line[:n-1]
	}
	return line
}

// breakClause returns a clause, which begins at a depth of parentheses, over several
// lines if it is too long for one.
func breakClause(line []token, depth, indent int) []token {
	length := indent
	for _, t := range line {
		length += utf8.RuneCountInString(t.text)
	}
	if length <= maxLineLength {
		return line
	}
	within, between := depth, false
	feed := token{blank, "\n" + strings.Repeat(" ", indent+2)}
	var out []token
	for i, t := range line {
		lower := strings.ToLower(t.text)
		switch {
		case t.text == "(":
			within++
		case t.text == ")":
			within--
		case lower == "between" && t.kind == keyword:
			between = true
		case lower == "and" && between:
			between = false
		case within == depth && t.kind == keyword && (lower == "and" || lower == "or") && i > 0:
			out = append(trimmed(out), feed)
		case within == depth && t.kind == blank && i > 0 && line[i-1].text == ",":
			t = feed
		}
		out = append(out, t)
	}
	return out
}

// layout returns SQL laid out as a page shows it.
func layout(sql string) string {
	if len(sql) > maxShown {
		return sql
	}
	var b strings.Builder
	for _, t := range layOutTokens(tokens(sql)) {
		b.WriteString(t.text)
	}
	return b.String()
}

// isCall tells a function such as left(…) from a clause.
func isCall(in []token, i int) bool {
	return i+1 < len(in) && in[i+1].text == "(" && (strings.EqualFold(in[i].text, "left") || strings.EqualFold(in[i].text, "right"))
}

// continues tells whether a keyword belongs to the one before it, as in "left
// join", "within group" or "extract(year from …)".
func continues(previous, lower string) bool {
	switch lower {
	case "join":
		return previous == "left" || previous == "right" || previous == "full" || previous == "inner" || previous == "outer" || previous == "cross" || previous == "natural"
	case "group":
		return previous == "within"
	case "left", "right", "full", "inner":
		return previous == "natural"
	case "from":
		switch previous {
		case "year", "month", "day", "hour", "minute", "second", "dow", "isodow", "doy", "week", "quarter", "epoch", "century", "decade", "both", "leading", "trailing", "distinct":
			return true
		}
	}
	return false
}

// highlight returns SQL laid out, with its tokens marked for colours.
func highlight(sql string) template.HTML {
	return coloured(layOutTokens(tokens(truncate(sql, maxShown))))
}

// dense returns SQL on as few lines as it takes, with its tokens marked for colours.
func dense(sql string) template.HTML {
	all := tokens(truncate(sql, maxShown))
	for i := range all {
		if all[i].kind == blank && (i == 0 || !strings.HasPrefix(all[i-1].text, "--")) {
			all[i].text = " "
		}
	}
	return coloured(all)
}

func coloured(tokens []token) template.HTML {
	var b strings.Builder
	for _, t := range tokens {
		text := template.HTMLEscapeString(ask.Visible(t.text))
		switch t.kind {
		case blank, word, symbol:
			b.WriteString(text)
		default:
			b.WriteString(`<span class="` + string(t.kind) + `">` + text + `</span>`)
		}
	}
	return template.HTML(b.String()) //nolint:gosec // every token is escaped
}
