package admin

import (
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	pg_query "github.com/pganalyze/pg_query_go/v5"

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

// lesserKeywords are those of queries that PostgreSQL takes as the name of a column as well.
var lesserKeywords = strings.Fields("by cube filter first following last nulls over partition preceding range recursive rollup rows ties unbounded within")

// tokens splits SQL for showing it, by PostgreSQL's scanner. Whatever the text is, the tokens add up to it: one that cannot
// be scanned is a single token.
func tokens(sql string) []token {
	scan, err := ask.Scan(sql)
	if err != nil {
		return []token{{word, sql}}
	}
	var out []token
	at := 0
	add := func(k kind, end int) {
		if end > at {
			out = append(out, token{k, sql[at:end]})
			at = end
		}
	}
	for _, t := range scan.Tokens {
		start, end := int(t.Start), int(t.End)
		if start < at || end <= start || end > len(sql) || strings.TrimSpace(sql[at:start]) != "" {
			return []token{{word, sql}} // the scanner misplaces some (U&'…', U&"…")
		}
		add(blank, start)
		add(kindOf(t, sql[start:end]), end)
	}
	if strings.TrimSpace(sql[at:]) != "" {
		return []token{{word, sql}} // a zero byte, behind which nothing is scanned
	}
	add(blank, len(sql))
	return out
}

func kindOf(t *pg_query.ScanToken, text string) kind {
	switch t.Token {
	case pg_query.Token_SQL_COMMENT, pg_query.Token_C_COMMENT:
		return comment
	case pg_query.Token_SCONST, pg_query.Token_USCONST, pg_query.Token_BCONST, pg_query.Token_XCONST:
		return literal
	case pg_query.Token_ICONST, pg_query.Token_FCONST, pg_query.Token_PARAM:
		return numeral
	case pg_query.Token_IDENT, pg_query.Token_UIDENT:
		if strings.HasSuffix(text, `"`) {
			return quoted
		}
		return word
	}
	switch t.KeywordKind {
	case pg_query.KeywordKind_NO_KEYWORD:
		return symbol
	case pg_query.KeywordKind_UNRESERVED_KEYWORD:
		if !slices.Contains(lesserKeywords, strings.ToLower(text)) {
			return word
		}
	}
	return keyword
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
	selecting := map[int]bool{} // by depth: SELECT has come, and not yet its FROM
	for i, t := range in {
		lower := strings.ToLower(t.text)
		switch {
		case t.text == "(":
			depth++
			selecting[depth] = false
		case t.text == ")":
			depth = max(depth-1, 0)
		case lower == "from" && (previous == "distinct" || !selecting[depth]): // as in "is distinct from" and "extract(year from …)"
		case t.kind == keyword && clauses[lower] && len(line) > 0 && !continues(previous, lower) && !isCall(in, i):
			out = append(out, breakClause(trimmed(line), begun, indent)...)
			line, begun, indent = nil, depth, 2*min(depth, 20)
			out = append(out, token{blank, "\n" + strings.Repeat(" ", indent)})
		}
		if lower == "select" || lower == "from" && previous != "distinct" {
			selecting[depth] = lower == "select"
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
// join" or "within group".
func continues(previous, lower string) bool {
	switch lower {
	case "join":
		return previous == "left" || previous == "right" || previous == "full" || previous == "inner" || previous == "outer" || previous == "cross" || previous == "natural"
	case "group":
		return previous == "within"
	case "left", "right", "full", "inner":
		return previous == "natural"
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
