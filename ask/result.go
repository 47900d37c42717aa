package ask

import (
	"runtime"
	"strings"
	"sync"
)

// Result is a fetched result set: values in text format, nil for NULL.
type Result struct {
	Columns  []Column
	Rows     [][][]byte
	Complete bool // false if a cap cut the rows off

	Notices []string // what the asker should know about where and as whom the rows were read

	Reads *Reads // nil if it is not known what the statement reads

	release func() // see Counted; nil if nobody counts the rows
}

// Counted has Release call back, once, for memory that is counted for the rows. Rows
// that are never released are given back when nothing refers to the result any more.
func (r *Result) Counted(back func()) {
	r.release = sync.OnceFunc(back)
	runtime.AddCleanup(r, func(release func()) { release() }, r.release)
}

// Release drops the rows and gives back the memory that is counted for them. Who has a
// result calls it when nobody reads the rows any more; a nil result, and a second call, do
// nothing.
func (r *Result) Release() {
	if r == nil || r.release == nil {
		return
	}
	r.Rows = nil
	r.release()
}

// Query returns SQL that returns the result's rows as constants. Its columns are bigint, double precision or
// text. It is read the same whatever standard_conforming_strings is.
func (r *Result) Query() string {
	var b strings.Builder
	row := func(values [][]byte, isRow string) {
		b.WriteByte('(')
		for i, c := range r.Columns {
			b.WriteString(c.constant(values, i) + ", ")
		}
		b.WriteString(isRow + ")")
	}
	names := make([]string, len(r.Columns))
	for i, c := range r.Columns {
		names[i] = c.quotedName()
	}
	list := strings.Join(names, ", ")
	b.WriteString("SELECT " + list + " FROM (VALUES ")
	row(nil, "false") // VALUES needs one
	for _, values := range r.Rows {
		b.WriteString(", ")
		row(values, "true")
	}
	b.WriteString(") AS answer (" + list + `, "is a row") WHERE "is a row"`)
	return b.String()
}

// Beside returns SQL with the rows of a query, whose last columns are the values of the result's first row.
func (r *Result) Beside(query string) string {
	var b strings.Builder
	b.WriteString("SELECT answer.*")
	for i, c := range r.Columns {
		b.WriteString(", " + c.constant(r.Rows[0], i) + " AS " + c.quotedName())
	}
	// The newline ends a comment that the query may end with.
	b.WriteString(" FROM (" + query + "\n) AS answer")
	return b.String()
}

func (c *Column) quotedName() string { return `"` + strings.ReplaceAll(c.Name, `"`, `""`) + `"` }

// constant writes the value of column i of a row, NULL if there is no row.
func (c *Column) constant(row [][]byte, i int) string {
	value := "NULL"
	if row != nil && row[i] != nil {
		value = QuoteLiteral(string(row[i]))
	}
	switch c.TypeOID {
	case oidInt8:
		return value + "::pg_catalog.int8"
	case oidFloat8:
		return value + "::pg_catalog.float8"
	}
	return value + "::pg_catalog.text"
}

// QuoteLiteral writes a text as a constant that means the same whatever
// standard_conforming_strings is.
func QuoteLiteral(s string) string {
	quoted := "'" + strings.ReplaceAll(s, "'", "''") + "'"
	if strings.Contains(s, `\`) {
		return "E" + strings.ReplaceAll(quoted, `\`, `\\`)
	}
	return quoted
}
