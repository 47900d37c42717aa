package ask

import (
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// maxPortable bounds the tokens of the statements that are written anew:
// libpg_query walks a tree by recursion for it, as it does to parse.
const maxPortable = 4000

// Portable writes a statement anew out of its tree. Its text is read the same
// whatever standard_conforming_strings and backslash_quote of a session are. A
// string with a backslash in it becomes an E'…' in which the backslash is
// doubled. What comes of it is held against both promises; a statement for
// which they can't be kept is an *Error.
func Portable(sql string) (string, error) {
	refused := func(why string) error {
		return Errorf(CodeFeatureNotSupported, "the SQL can't be written so that every session reads it the same").WithDetail("%s", why)
	}
	tree, err := Parse(sql)
	if err != nil {
		return "", err
	}
	if scan, err := Scan(sql); err != nil || len(scan.Tokens) > maxPortable {
		return "", refused("It is too long.")
	}
	text, err := Deparse(tree)
	if err != nil {
		return "", refused("libpg_query does not know how.")
	}
	back, err := Parse(text)
	if err != nil {
		return "", refused("libpg_query writes what it can't read.")
	}
	Placeless(tree)
	Placeless(back)
	if !proto.Equal(tree, back) {
		return "", refused("libpg_query writes another statement.")
	}
	scan, err := Scan(text)
	if err != nil {
		return "", refused("libpg_query writes what it can't read.")
	}
	for _, t := range scan.Tokens {
		// In a quoted identifier a backslash is one, whatever is set.
		if token := text[t.Start:t.End]; strings.IndexByte(token, '\\') >= 0 && !strings.HasPrefix(token, "E'") && token[0] != '"' {
			return "", refused("A backslash is in a string that is no E'…'.")
		}
	}
	return text, nil
}

// Placeless takes the places in the text out of a tree.
func Placeless(tree *pg_query.ParseResult) {
	Walk(tree.ProtoReflect(), func(m protoreflect.Message) {
		fields := m.Descriptor().Fields()
		for _, name := range []protoreflect.Name{"location", "stmt_location", "stmt_len"} {
			if f := fields.ByName(name); f != nil && f.Kind() == protoreflect.Int32Kind {
				m.Clear(f)
			}
		}
	})
}
