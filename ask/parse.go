package ask

import (
	"errors"
	"runtime"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"github.com/pganalyze/pg_query_go/v5/parser"
)

// MaxTokens bounds the SQL texts that are parsed, where threads have the stack that askpg gives them. PostgreSQL's
// parser builds trees that may be as deep as the text is long (1+1+1…, NOT NOT NOT…). libpg_query walks them by
// recursion without a check of the stack: what overflows it ends the process.
const MaxTokens = 8000

// stackPerToken is twice what a token takes of the stack in the worst texts that
// there are, when a tree is made SQL again (TestStack).
const stackPerToken = 4 << 10

// parseable is how many tokens can be parsed, whatever they are.
var parseable = min(MaxTokens, threadStack/stackPerToken)

// CheckStack returns an error that says what to do if the stacks of threads are too small
// to parse texts of MaxTokens. Longer ones than they have room for are refused.
func CheckStack() error {
	if parseable == MaxTokens {
		return nil
	}
	return Errorf(CodeTooComplex, "the stacks of threads have %d bytes: statements of more than %d tokens are refused", threadStack, parseable).
		WithHint("Run askpg on Linux with glibc, where it sets the size itself.")
}

// onStack runs f, which calls libpg_query, on a thread whose stack is of the known size.
func onStack(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if !onFirstThread() {
		f()
		return
	}
	done := make(chan struct{})
	go func() { // on another one, as this goroutine has the first
		defer close(done)
		f()
	}()
	<-done
}

// Parse parses SQL with PostgreSQL's own parser. The functions of this file are what every
// text must go through in place of pg_query's, which can end the process.
// The error is an *Error: 54001 if the text is too long or too deep to parse,
// else the parser's, with its position.
func Parse(sql string) (tree *pg_query.ParseResult, err error) { return parsed(sql, pg_query.Parse) }

// ParseJSON parses as Parse does and returns the tree as libpg_query's JSON,
// whose names are those of the protobuf messages. It takes a fifth of the time
// of Parse: protobuf-c looks at all 260 alternatives of every Node, twice, and
// the messages are built a second time in Go.
func ParseJSON(sql string) (tree string, err error) { return parsed(sql, parser.ParseToJSON) }

// Deparse makes SQL of a tree that Parse has made.
func Deparse(tree *pg_query.ParseResult) (sql string, err error) {
	onStack(func() { sql, err = pg_query.Deparse(tree) })
	return sql, err
}

// DeparseExpression makes SQL of an expression in a tree that Parse has made, "" if it can't be made.
func DeparseExpression(n *pg_query.Node) string {
	tree, err := Parse("SELECT 1")
	if err != nil || n == nil {
		return ""
	}
	tree.Stmts[0].Stmt.GetSelectStmt().TargetList[0].GetResTarget().Val = n
	sql, err := Deparse(tree)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(sql, "SELECT ")
}

// Fingerprint returns pg_query's fingerprint of a statement, which leaves constants out.
func Fingerprint(sql string) (print string, err error) { return parsed(sql, pg_query.Fingerprint) }

// parsed returns what a function of pg_query makes of a text.
func parsed[T any](sql string, parse func(string) (T, error)) (result T, err error) {
	if err := Parseable(sql); err != nil {
		return result, err
	}
	onStack(func() { result, err = parse(sql) })
	if err != nil {
		var none T
		return none, parseError(err)
	}
	return result, nil
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
	if err := scannable(sql); err != nil {
		return err
	}
	if len(sql) <= parseable {
		return nil
	}
	scan, err := pg_query.Scan(sql)
	if err != nil {
		return nil // nor will it parse: the parser stops at the same place
	}
	if n := len(scan.Tokens); n > parseable {
		return Errorf(CodeTooComplex, "the statement has %d tokens, and %d can be parsed", n, parseable)
	}
	return nil
}
