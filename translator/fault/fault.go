// Package fault says what is wrong with a statement in askpg's own words.
//
// What a server says of a statement that failed can quote the data: a cast
// that fails names the cell. So nothing of it goes on as it is, not to a model, a
// log, or a list of candidates. What goes on is made of the SQLSTATE and of words
// that stand in the statement or in the part of the catalog that the role sees.
package fault

import (
	_ "embed"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/catalog"
)

//go:embed conditions.txt
var conditionsText string

//go:embed shapes.txt
var shapesText string

// conditions are the names of PostgreSQL's SQLSTATEs.
var conditions = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for l := range lines(conditionsText) {
		code, name, _ := strings.Cut(l, " ")
		m[code] = name
	}
	return m
})

// shape is a message of the server without what it is about.
type shape struct {
	parts []string // between the words of the statement
	match *regexp.Regexp
}

var shapes = sync.OnceValue(func() []shape {
	var list []shape
	for l := range lines(shapesText) {
		parts := strings.Split(l, "%s")
		quoted := make([]string, len(parts))
		for i, p := range parts {
			quoted[i] = regexp.QuoteMeta(p)
		}
		list = append(list, shape{parts, regexp.MustCompile("(?s)^" + strings.Join(quoted, "(.{1,200}?)") + "$")})
	}
	return list
})

func lines(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for l := range strings.Lines(text) {
			if l = strings.TrimSuffix(l, "\n"); l != "" && l[0] != '#' && !yield(l) {
				return
			}
		}
	}
}

// unknown stands for a SQLSTATE that PostgreSQL does not have: whoever raises
// one may have made it of the data.
const unknown = "38000"

// advice are what askpg says of conditions that depend on the data.
var advice = map[string]string{
	"21000": "a subquery that is used as a value returns more than one row",
	"22003": "a number is out of the range of its type",
	"22007": "a text is no date or time",
	"22008": "a date or time is out of range",
	"22012": "division by zero",
	"22P02": "a text is no value of the type that it is cast to or compared as",
	"2201B": "a regular expression is not valid",
	"2201E": "a logarithm of zero or of a negative number",
	"2201F": "a root or power that is not defined",
	"2201W": "LIMIT is negative",
	"2201X": "OFFSET is negative",
	"42501": "permission denied",
}

// Of returns what may be told of an error that a statement ended with: to a
// model, in the log, among candidates. The server's error is not its cause. What askpg
// says itself (a limit, the guard's refusal) is not changed. The snapshot may be nil.
//
// Of an error of the server only the SQLSTATE counts, unless it comes from the analysis of the statement, which reads no
// row. Then the message is told as far as it has a known shape. Of what fills the shape, only words of the statement are
// told, and types and names that the role sees.
func Of(e *ask.Error, sql string, s *catalog.Snapshot) *ask.Error {
	var pg *pgconn.PgError
	if !errors.As(e, &pg) {
		return e
	}
	code := e.Code
	name, ok := conditions()[code]
	if !ok {
		code, name = unknown, conditions()[unknown]
	}
	out := &ask.Error{Code: code, Message: advice[code]}
	if out.Message == "" {
		out.Message = strings.ReplaceAll(name, "_", " ")
	}
	w := words{sql: fields(sql)}
	switch {
	case e.Early:
		w.early, w.snapshot = true, s
	case code == ask.CodeInsufficientRights: // the words of the statement alone
	default:
		return out
	}
	at := ""
	if e.Early {
		at = token(sql, e.Position)
	}
	if text := w.tell(pg.Message); text != "" {
		out.Message = text
	}
	if at != "" && !strings.Contains(out.Message, at) {
		out.Message += ` at "` + at + `"`
	}
	if e.Early {
		out.Detail, out.Hint = w.tell(pg.Detail), w.tell(pg.Hint)
	}
	return out
}

// words are those that a message may have beside its shape.
type words struct {
	sql      map[string]bool
	early    bool              // words of built-in types may be told too
	snapshot *catalog.Snapshot // and names that the role sees; may be nil
}

// tell returns a message of a known shape with the words that may be told in
// it, "" if it has none.
func (w *words) tell(message string) string {
	for _, s := range shapes() {
		m := s.match.FindStringSubmatch(message)
		if m == nil {
			continue
		}
		var b strings.Builder
		for i, part := range s.parts {
			b.WriteString(part)
			if i+1 == len(s.parts) {
				break
			}
			if w.may(m[i+1]) {
				b.WriteString(m[i+1])
			} else {
				b.WriteString("…")
			}
		}
		return b.String()
	}
	return ""
}

// may says whether every word of a text may be told.
func (w *words) may(text string) bool {
	for f := range fields(text) {
		if !w.sql[f] && !(w.early && builtin[f]) && !w.named(f) {
			return false
		}
	}
	return true
}

// named says whether a word is of a name or type that the role sees.
func (w *words) named(word string) bool {
	switch {
	case w.snapshot == nil:
		return false
	case strings.Trim(word, "0123456789") == "":
		return len(word) < 3 // the number of a column or position
	}
	for _, r := range w.snapshot.Relations {
		if strings.EqualFold(r.Name.Name, word) || strings.EqualFold(r.Schema, word) ||
			slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool {
				return !c.Private && (strings.EqualFold(c.Name, word) || fields(c.Type)[word])
			}) {
			return true
		}
	}
	return false
}

// builtin are the words of the names of built-in types and of clauses.
var builtin = func() map[string]bool {
	m := map[string]bool{}
	for f := range strings.FieldsSeq(`smallint integer bigint numeric real double precision money text character varying char name bytea boolean bit
		date time timestamp interval with without zone uuid json jsonb jsonpath xml inet cidr macaddr point line lseg box path polygon circle
		oid record unknown void regclass regtype regproc tsvector tsquery int4range int8range numrange tsrange tstzrange daterange anyelement anyarray
		where having join on group by order limit offset filter from case when union intersect except using values window partition over
		left right distinct returning lateral ties`) {
		m[f] = true
	}
	return m
}()

// fields are the words of a text, in small letters.
func fields(text string) map[string]bool {
	m := map[string]bool{}
	for _, f := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		m[f] = true
	}
	return m
}

// maxToken bounds what token returns, in characters.
const maxToken = 60

// token returns the name, number or operator of a statement at a position in
// characters from 1, "" if there is none.
func token(sql string, position int) string {
	text := []rune(sql)
	if position < 1 || position > len(text) {
		return ""
	}
	text = text[position-1:]
	end, quoted := 0, false
	word := func(r rune) bool {
		return r == '_' || r == '$' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	for end < len(text) && end < maxToken {
		switch r := text[end]; {
		case r == '"':
			quoted = !quoted
		case quoted || word(r):
		case end == 0 && strings.ContainsRune("+-*/<>=~!@#%^&|?:", r):
			for end < len(text) && strings.ContainsRune("+-*/<>=~!@#%^&|?:", text[end]) {
				end++
			}
			return string(text[:end])
		default:
			return string(text[:end])
		}
		end++
	}
	return string(text[:end])
}
