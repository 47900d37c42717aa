package ask

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// ShowPrefix is what the names of all settings of askpg begin with.
const ShowPrefix = "askpg."

// MayShow says whether a text is worth parsing for ShowName: whether it begins
// with the word SHOW, after blanks, and mentions askpg.
func MayShow(text []byte) bool { return mayName(text, "show") }

// MayAssign says whether a text is worth parsing for Assigned.
func MayAssign(text []byte) bool {
	return mayName(text, "set") || mayName(text, "alter") || Lead(text) > 0 && mentionsAskpg(text)
}

// mayName says whether a text begins with a word, after blanks and comments, and mentions askpg.
func mayName(text []byte, word string) bool {
	text = trimBlanks(text, ";")
	for len(text) > 1 && (text[0] == '-' && text[1] == '-' || text[0] == '/' && text[1] == '*') {
		_, end, ok := nextPiece(text, 0)
		if !ok {
			return false
		}
		text = trimBlanks(text[end:], ";")
	}
	return len(text) > len(word) && bytes.EqualFold(text[:len(word)], []byte(word)) && !isWordByte(text[len(word)]) &&
		mentionsAskpg(text)
}

// mentionsAskpg reports whether a short text has the word askpg in any case. Every statement passes here, so it does not allocate.
func mentionsAskpg(text []byte) bool {
	for at := 0; len(text) < 4<<10; at++ {
		i := bytes.IndexAny(text[at:], "kK")
		if i < 0 {
			break
		}
		if at += i; at >= 2 && len(text) >= at+3 && bytes.EqualFold(text[at-2:at+3], []byte("askpg")) {
			return true
		}
	}
	return false
}

// MentionsMode says whether a text may set askpg.mode, by SET or set_config.
func MentionsMode(text []byte) bool {
	return mentionsAskpg(text) && bytes.Contains(bytes.ToLower(text), []byte("mode"))
}

// Assigned calls visit for each value that the statements of a text give a setting of askpg's, with the setting's name as
// ShowName has it, and where the statement begins: SET, and SET of ALTER ROLE or DATABASE.
func Assigned(sql string, visit func(begin int, name, value string)) {
	tree, err := Parse(sql)
	if err != nil {
		return
	}
	begin := 0
	Walk(tree.ProtoReflect(), func(m protoreflect.Message) {
		if raw, ok := m.Interface().(*pg_query.RawStmt); ok {
			begin = int(raw.StmtLocation)
		}
		set, ok := m.Interface().(*pg_query.VariableSetStmt)
		if !ok || set.Kind != pg_query.VariableSetKind_VAR_SET_VALUE {
			return
		}
		name, ok := strings.CutPrefix(strings.ToLower(set.Name), ShowPrefix)
		if !ok {
			return
		}
		var values []string
		for _, a := range set.Args {
			switch v := a.GetAConst().GetVal().(type) {
			case *pg_query.A_Const_Sval:
				values = append(values, v.Sval.Sval)
			case *pg_query.A_Const_Ival:
				values = append(values, strconv.Itoa(int(v.Ival.Ival)))
			case *pg_query.A_Const_Fval:
				values = append(values, v.Fval.Fval)
			}
		}
		visit(begin, name, strings.Join(values, ", ")) // as the server keeps a list
	})
}

// ShowName reads a statement SHOW askpg.name and returns the name without the
// prefix, in small letters as PostgreSQL compares settings. ok is false for
// anything else, also for several statements in one text.
func ShowName(sql string) (name string, ok bool) {
	tree, err := Parse(sql)
	if err != nil || len(tree.Stmts) != 1 {
		return "", false
	}
	show := tree.Stmts[0].Stmt.GetVariableShowStmt()
	if show == nil {
		return "", false
	}
	return strings.CutPrefix(strings.ToLower(show.Name), ShowPrefix)
}

// Table is a result of askpg's own making. Its columns are TextColumn and the
// like.
type Table struct{ Result }

// NewTable returns an empty table.
func NewTable(columns ...Column) *Table {
	return &Table{Result{Columns: columns, Complete: true}}
}

// Add appends a row of strings, integers and float64; nil is NULL.
func (t *Table) Add(values ...any) {
	row := make([][]byte, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case nil:
		case float64:
			row[i] = []byte(strconv.FormatFloat(v, 'g', -1, 64))
		default:
			row[i] = fmt.Append(nil, v)
		}
	}
	t.Rows = append(t.Rows, row)
}

// TextColumn returns a column of type text.
func TextColumn(name string) Column { return column(name, oidText) }

// IntColumn returns a column of type bigint.
func IntColumn(name string) Column { return column(name, oidInt8) }

// FloatColumn returns a column of type double precision.
func FloatColumn(name string) Column { return column(name, oidFloat8) }
