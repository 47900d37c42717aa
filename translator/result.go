package translator

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"askpg/ask"
	"askpg/ask/analysed"
	"askpg/catalog"
	"askpg/translator/prompt"
)

// maxResultText bounds the rows in a description of a result, in bytes.
const maxResultText = 1500

// describeResult says what came of a candidate that ran: the number of its rows and its
// columns, and the first rows where privacy lets rows go to a model. Of a result that is
// not known to be open it says nothing: how many rows there are can be a value too.
func (s *state) describeResult(c *candidate, rows int) string {
	if c.result == nil {
		return "a result that is not known"
	}
	if !s.open(c.result) {
		return fmt.Sprintf("a result of %d columns, which is not shown: it may depend on private columns", len(c.result.Columns))
	}
	var names []string
	for _, col := range c.result.Columns {
		names = append(names, col.Name)
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
	}
	var b strings.Builder
	shown := 0
	for _, row := range c.result.Rows[:min(len(c.result.Rows), rows)] {
		text := rowAsSQL(c.result.Columns, row)
		if shown > 0 && b.Len()+len(text) > maxResultText {
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

// open says whether a result is proved to depend on no private column: by the
// server's analysis its statement reads columns of the snapshot alone, none of them
// private. What is in no snapshot (the server's catalogs, whose statistics have values) is
// not open.
func (s *state) open(r *ask.Result) bool {
	if r.Reads == nil {
		return false
	}
	for oid, nums := range r.Reads.Columns {
		i := slices.IndexFunc(s.snap.Relations, func(r *catalog.Relation) bool { return r.OID == oid })
		if i < 0 || s.snap.Relations[i].Closed {
			return false
		}
		open := map[int16]bool{analysed.Whole: s.snap.Relations[i].Open()}
		for _, c := range s.snap.Relations[i].Columns {
			open[c.Num] = !c.Private
		}
		if slices.ContainsFunc(nums, func(n int16) bool { return !open[n] }) {
			return false
		}
	}
	return true
}

// rowAsSQL writes a row as SQL would.
func rowAsSQL(columns []ask.Column, row [][]byte) string {
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
		if size += len(cell); size > maxResultText {
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
