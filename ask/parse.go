package ask

import (
	"errors"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"github.com/pganalyze/pg_query_go/v5/parser"
)

// MaxTokens bounds the SQL texts that are parsed. PostgreSQL's parser builds
// trees as deep as the text is long (1+1+1…), and libpg_query walks them by
// recursion without a check of the stack: some 20,000 tokens end the process.
// A thread has the usual stack of 8 MB for it.
const MaxTokens = 8000

// Parse parses SQL with PostgreSQL's own parser. It is what every text that
// comes from a client or a model must go through in place of pg_query.Parse.
// The error is an *Error: 54001 if the text is too long or too deep to parse,
// else the parser's, with its position.
func Parse(sql string) (*pg_query.ParseResult, error) {
	if err := Parseable(sql); err != nil {
		return nil, err
	}
	tree, err := pg_query.Parse(sql)
	if err != nil {
		return nil, parseError(err)
	}
	return tree, nil
}

// ParseJSON parses as Parse does and returns the tree as libpg_query's JSON,
// whose names are those of the protobuf messages. It takes a fifth of the time
// of Parse: protobuf-c looks at all 260 alternatives of every Node, twice, and
// the messages are built a second time in Go.
func ParseJSON(sql string) (string, error) {
	if err := Parseable(sql); err != nil {
		return "", err
	}
	tree, err := parser.ParseToJSON(sql)
	if err != nil {
		return "", parseError(err)
	}
	return tree, nil
}

func parseError(err error) error {
	var pe *parser.Error
	if !errors.As(err, &pe) { // protobuf's limit of 10,000 levels
		return Errorf(CodeTooComplex, "the statement is nested too deeply").Because(err)
	}
	e := Errorf(CodeSyntax, "%s", pe.Message).Because(err)
	e.Position = pe.Cursorpos
	return e
}

// Parseable returns an error if parsing the text could end the process, or
// would stop before its end.
func Parseable(sql string) error {
	if strings.IndexByte(sql, 0) >= 0 {
		return Errorf(CodeInvalidEncoding, "the statement has a zero byte")
	}
	if len(sql) <= MaxTokens {
		return nil
	}
	scan, err := pg_query.Scan(sql)
	if err != nil {
		return nil // nor will it parse: the parser stops at the same place
	}
	if n := len(scan.Tokens); n > MaxTokens {
		return Errorf(CodeTooComplex, "the statement has %d tokens, and %d can be parsed", n, MaxTokens)
	}
	return nil
}
