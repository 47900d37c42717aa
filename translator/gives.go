package translator

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"askpg/ask"
	"askpg/translator/prompt"
	"askpg/translator/refs"
)

// maxGiven bounds the rows that gives writes, in bytes.
const maxGiven = 1500

// gives says what a candidate that ran gave: the number of its rows and its
// columns, and the first rows where privacy lets rows go to a model.
func (s *state) gives(c *candidate, rows int) string {
	if c.result == nil { // its repair's counts for it
		return fmt.Sprintf("%d rows", max(c.Rows, 0))
	}
	private := refs.ReadsPrivate(c.SQL, s.snap, s.set.searchPath)
	var names []string
	for _, col := range c.result.Columns {
		if private {
			names = append(names, "…") // a star would tell the names of private columns
		} else {
			names = append(names, col.Name)
		}
	}
	count := fmt.Sprintf("%d rows", len(c.result.Rows))
	switch {
	case !c.result.Complete:
		count = "more than " + count
	case len(c.result.Rows) == 1:
		count = "1 row"
	}
	head := fmt.Sprintf("%s of (%s)", count, oneLine(strings.Join(names, ", "), 300))
	switch {
	case len(c.result.Rows) == 0:
		return head
	case s.t.cfg.Privacy.Values != prompt.ValuesSamples:
		return head + "; the values are not shown"
	case private:
		return head + "; private columns are read, and the values are not shown"
	}
	var b strings.Builder
	shown := 0
	for _, row := range c.result.Rows[:min(len(c.result.Rows), rows)] {
		text := written(c.result.Columns, row)
		if shown > 0 && b.Len()+len(text) > maxGiven {
			break
		}
		if shown > 0 {
			b.WriteString(", ")
		}
		b.WriteString(text)
		shown++
	}
	if shown < len(c.result.Rows) || !c.result.Complete {
		b.WriteString(", …")
	}
	return head + ": " + b.String()
}

// written writes a row as SQL would.
func written(columns []ask.Column, row [][]byte) string {
	cells := make([]string, 0, len(row))
	size := 0
	for i, v := range row {
		var cell string
		switch {
		case v == nil:
			cell = "NULL"
		case i < len(columns) && columns[i].TypeOID == pgtype.BoolOID:
			cell = map[string]string{"t": "true", "f": "false"}[string(v)]
		case i < len(columns) && numeric(columns[i].TypeOID):
			cell = prompt.Number(string(v))
		default:
			if i < len(columns) && columns[i].TypeOID == pgtype.BPCharOID {
				v = bytes.TrimRight(v, " ") // which fills it up to its type's length
			}
			cell = prompt.Literal(string(v))
		}
		if size += len(cell); size > maxGiven {
			cells = append(cells, "…")
			break
		}
		cells = append(cells, cell)
	}
	return "(" + strings.Join(cells, ", ") + ")"
}

func numeric(oid uint32) bool {
	switch oid {
	case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID, pgtype.OIDOID, pgtype.Float4OID, pgtype.Float8OID, pgtype.NumericOID:
		return true
	}
	return false
}
