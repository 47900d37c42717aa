package proxy

import (
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"askpg/ask"
)

// The values of askpg.annotate and of ask.annotate.
const (
	annotateOff     = "off"
	annotateColumns = "columns" // answers tell their SQL and their confidence as their last columns
)

// checkChoices refuses a value that a setting can't have: a SET within a function, or the configuration of the server, has passed by.
func (t *turn) checkChoices(q *ask.Question) error {
	for _, s := range ask.Settings {
		if value, _ := q.Setting(s.Name); s.Values != nil {
			if err := t.srv.checkValue(s.Name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// annotates says whether the answer to a question has columns about itself.
func (t *turn) annotates(q *ask.Question) bool {
	value, _ := q.Setting("annotate")
	if value == "" {
		value = t.inForce().Ask.Annotate
	}
	return strings.EqualFold(value, annotateColumns)
}

// annotate has the answer tell its SQL, NULL if that is what the catalog says of the schema, and its confidence.
func (a *answered) annotate() {
	var sql any
	if !a.translation.FromCatalog() {
		sql = a.sql
	}
	table := ask.NewTable(ask.TextColumn("askpg_sql"), ask.FloatColumn("askpg_confidence"))
	table.Add(sql, a.translation.Confidence)
	a.annotation = &table.Result
}

// composed returns SQL with the rows of the answer, to stand in a statement.
func (a *answered) composed() string {
	switch {
	case a.table != nil: // what was asked for in place of rows
		return a.table.Query()
	case a.annotation != nil:
		return a.annotation.Beside(a.sql)
	}
	return a.sql
}

// ownFormats returns the formats of the columns that the chosen SQL has, out of those of all columns of the answer.
func (a *answered) ownFormats(formats []int16) []int16 {
	if a.annotation == nil || len(formats) < 2 {
		return formats
	}
	return formats[:max(0, len(formats)-len(a.annotation.Columns))]
}

// annotated adds the columns about the answer to its rows.
func (a *answered) annotated(rows Rows, formats []int16) (Rows, error) {
	if a.annotation == nil {
		return rows, nil
	}
	encoder := tableEncoder{columns: a.annotation.Columns, formats: formats[len(formats)-min(len(formats), len(a.annotation.Columns)):], info: a.info, types: pgtype.NewMap()}
	values, err := encoder.row(a.annotation.Rows[0])
	if err != nil {
		rows.Close()
		return nil, err
	}
	return &annotatedRows{Rows: rows, columns: slices.Concat(rows.Columns(), a.annotation.Columns), values: values}, nil
}

// annotatedRows are rows with the same values at the end of each.
type annotatedRows struct {
	Rows
	columns []ask.Column
	values  [][]byte
	row     [][]byte
}

func (r *annotatedRows) Columns() []ask.Column { return r.columns }

func (r *annotatedRows) Values() [][]byte {
	r.row = append(append(r.row[:0], r.Rows.Values()...), r.values...)
	return r.row
}
