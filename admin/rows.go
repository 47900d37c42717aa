package admin

import (
	"context"
	"encoding/binary"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"askpg/ask"
	"askpg/store"
)

// maxRowsBytes bounds what a page shows of a result, in bytes.
const maxRowsBytes = 256 << 10

// shownRows are rows for a reviewer's eyes. They are in this one answer to him and nowhere else.
type shownRows struct {
	Role    string
	Replica ask.Replica
	Notices []string
	Note    string // what is to be known of a comparison
	Tables  []rowTable
}

// rowTable is a result, or a part of one.
type rowTable struct {
	Title   string
	Columns []string
	Rows    [][]*string // nil is NULL
	More    string      // why there are more rows than these; empty if there are not
}

// see shows the rows of what a reviewer has pressed: "run" is the SQL of the box, and "run 2" that of a candidate.
// "compare 2" is how the result of a candidate differs from the one that was chosen, or leads.
func (s *Server) see(w http.ResponseWriter, r *http.Request, rec *store.Record, v *verdict) {
	if s.config().ShowRows == 0 {
		answer(w, http.StatusForbidden, "Rows are not shown here. admin.show_rows lets reviewers see them.")
		return
	}
	p := translationPage{Form: v.form()}
	status := http.StatusOK
	var err error
	if p.Seen, err = s.readRows(r, rec, v); err != nil {
		p.Problem, status = because("The rows are not shown: ", err), http.StatusUnprocessableEntity
	}
	s.showTranslation(w, r, status, p)
}

func (s *Server) readRows(r *http.Request, rec *store.Record, v *verdict) (*shownRows, error) {
	statements, titles, err := s.toRun(r, rec, v)
	if err != nil {
		return nil, err
	}
	for _, sql := range statements { // nobody sees rows of which the log does not say so
		if err := s.store.NoteRows(r.Context(), rec.ID, v.by, sql); err != nil {
			return nil, &refusal{"That you see rows cannot be logged, so they are not shown: " + err.Error() + "."}
		}
	}
	ctx, cancel := context.WithTimeout(r.Context(), planTimeout)
	defer cancel()
	start := time.Now()
	results, at, err := s.Rows(ctx, rec, statements...)
	read := 0
	for _, res := range results {
		defer res.Release()
		read += len(res.Rows)
	}
	said := []any{"id", rec.ID, "by", v.by.Name, "how", v.by.How, "client", r.RemoteAddr, "role", rec.Role, "login", rec.Login, "database", rec.Database,
		"sql", strings.Join(statements, ";\n"), "rows", read, "elapsed", time.Since(start)}
	if err != nil {
		said = append(said, "error", err)
	}
	s.log.InfoContext(ctx, "a reviewer asked for rows", said...)
	if err != nil {
		return nil, err
	}
	seen := &shownRows{Role: rec.Role, Replica: at, Notices: results[0].Notices}
	if len(results) == 1 {
		seen.Tables = []rowTable{s.table(titles[0], results[0], results[0].Rows, results[0].Complete)}
		return seen, nil
	}
	s.compareRows(seen, titles, results)
	return seen, nil
}

// toRun returns the statements that a reviewer has asked to see the rows of, and their names.
func (s *Server) toRun(r *http.Request, rec *store.Record, v *verdict) (statements, titles []string, err error) {
	do, position, isCandidate := strings.Cut(v.action, " ")
	if !isCandidate {
		t, err := s.markedBy(r, rec, v)
		if err != nil {
			return nil, nil, err
		}
		if statements = []string{v.statement(t)}; statements[0] == "" {
			return nil, nil, &refusal{"There is no SQL in the box."}
		}
		return statements, []string{"The rows of the SQL in the box"}, nil
	}
	groups, _, _ := groupCandidates(rec)
	n, err := strconv.ParseInt(position, 10, 64)
	at := slices.IndexFunc(groups, func(g group) bool { return err == nil && g.Candidates[0].Position == n })
	if at < 0 || do == "compare" && at == 0 {
		return nil, nil, &refusal{"There is no such result."}
	}
	if do == "compare" {
		return []string{groups[0].Candidates[0].SQL, groups[at].Candidates[0].SQL}, []string{groups[0].Name, groups[at].Name}, nil
	}
	return []string{groups[at].Candidates[0].SQL}, []string{"The rows of " + groups[at].Name}, nil
}

// table cuts rows of a result to what a page shows. whole says that the result has no others.
func (s *Server) table(title string, res *ask.Result, rows [][][]byte, whole bool) rowTable {
	t := rowTable{Title: title}
	for _, c := range res.Columns {
		t.Columns = append(t.Columns, c.Name)
	}
	bytes := 0
	for _, row := range rows {
		cells := make([]*string, len(row))
		for i, v := range row {
			if v != nil {
				text := truncate(string(v), maxName)
				cells[i] = &text
				bytes += len(text)
			}
		}
		if len(t.Rows) == s.config().ShowRows || bytes > maxRowsBytes {
			whole = false
			break
		}
		t.Rows = append(t.Rows, cells)
	}
	switch {
	case whole:
	case res.Complete:
		t.More = fmt.Sprintf("%s of %s rows.", grouped(int64(len(t.Rows))), grouped(int64(len(rows))))
	default:
		t.More = fmt.Sprintf("%s rows of more than %s.", grouped(int64(len(t.Rows))), grouped(int64(len(rows))))
	}
	return t
}

// compareRows puts the rows that one of two results has and the other has not into two tables.
func (s *Server) compareRows(seen *shownRows, names []string, results []*ask.Result) {
	a, b := results[0], results[1]
	if len(a.Columns) != len(b.Columns) {
		seen.Note = fmt.Sprintf("%s has %d columns and %s has %d, so their rows cannot be compared.", names[0], len(a.Columns), names[1], len(b.Columns))
		for i, res := range results {
			seen.Tables = append(seen.Tables, s.table("The rows of "+names[i], res, res.Rows, res.Complete))
		}
		return
	}
	times := map[string]int{} // a row of a is there more often than in b
	for _, row := range a.Rows {
		times[rowKey(row)]++
	}
	var onlyA, onlyB [][][]byte
	for _, row := range b.Rows {
		if key := rowKey(row); times[key] > 0 {
			times[key]--
		} else {
			onlyB = append(onlyB, row)
		}
	}
	for _, row := range a.Rows {
		if key := rowKey(row); times[key] > 0 {
			times[key]--
			onlyA = append(onlyA, row)
		}
	}
	seen.Note = fmt.Sprintf("Rows in both: %s.", grouped(int64(len(a.Rows)-len(onlyA))))
	if len(onlyA)+len(onlyB) == 0 {
		seen.Note += " Nothing differs but the order, or the names of the columns."
	}
	if !a.Complete || !b.Complete {
		seen.Note += fmt.Sprintf(" Only the first %s and %s rows were compared.", grouped(int64(len(a.Rows))), grouped(int64(len(b.Rows))))
	}
	for i, only := range [][][][]byte{onlyA, onlyB} {
		if len(only) > 0 {
			seen.Tables = append(seen.Tables, s.table("Only in "+names[i], results[i], only, true))
		}
	}
}

// rowKey is equal for equal rows.
func rowKey(row [][]byte) string {
	var key []byte
	for _, v := range row {
		if v == nil {
			key = append(key, 0)
			continue
		}
		key = binary.AppendUvarint(append(key, 1), uint64(len(v)))
		key = append(key, v...)
	}
	return string(key)
}
