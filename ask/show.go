package ask

import (
	"bytes"
	"strconv"
	"strings"
)

// ShowPrefix is what the names of all settings of askpg begin with.
const ShowPrefix = "askpg."

// MayShow says whether a text is worth parsing for ShowName: whether it begins
// with the word SHOW, after blanks, and mentions askpg.
func MayShow(text []byte) bool {
	text = trimBlanks(text, ";")
	for len(text) > 1 && (text[0] == '-' && text[1] == '-' || text[0] == '/' && text[1] == '*') {
		_, end, ok := nextPiece(text, 0)
		if !ok {
			return false
		}
		text = trimBlanks(text[end:], ";")
	}
	const word = "show"
	return len(text) > len(word) && bytes.EqualFold(text[:len(word)], []byte(word)) && !isWordByte(text[len(word)]) &&
		len(text) < 4<<10 && bytes.Contains(bytes.ToLower(text), []byte("askpg"))
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
			row[i] = text(v)
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
