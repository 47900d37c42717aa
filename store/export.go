package store

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Format is a file format of an export.
type Format string

// The formats of an export.
const (
	JSONL Format = "jsonl" // a Record a line, candidates included
	CSV   Format = "csv"   // a translation a line; documents as JSON
)

// Export writes the translations that f selects, newest first, all pages of
// them. Kept rows and prompts are left out. Cells of a CSV that a spreadsheet would take
// for a formula begin with an apostrophe.
func (s *Store) Export(ctx context.Context, w io.Writer, format Format, f Filter) error {
	switch format {
	case JSONL:
		return jsonLines(w, func(write func(any) error) error {
			return s.eachExported(ctx, f, func(r *Record) error { return write(r.Exported()) })
		})
	case CSV:
		out := bufio.NewWriterSize(w, 64<<10)
		table := csv.NewWriter(out)
		if err := table.Write(names(recordFields)); err != nil {
			return err
		}
		if err := s.eachExported(ctx, f, func(r *Record) error { return table.Write(csvRow(r)) }); err != nil {
			return err
		}
		table.Flush()
		return errors.Join(table.Error(), out.Flush())
	}
	return fmt.Errorf("no export format %q; there are %s and %s", format, JSONL, CSV)
}

// eachExported calls visit with each translation that f selects, newest first, without kept rows and prompts.
func (s *Store) eachExported(ctx context.Context, f Filter, visit func(*Record) error) error {
	f.Order, f.Limit = NewestFirst, 500
	for {
		page, err := s.List(ctx, f)
		if err != nil {
			return err
		}
		for i := range page.Records {
			r, err := s.Get(ctx, page.Records[i].ID)
			if errors.Is(err, ErrNotFound) {
				continue // deleted meanwhile
			}
			if err != nil {
				return err
			}
			r.KeptRows, r.KeptPrompts = nil, nil
			if err := visit(r); err != nil {
				return err
			}
		}
		if page.Next == "" {
			return nil
		}
		f.Before = page.Next
	}
}

// Exported returns what an export in JSON writes of a translation: all but kept rows and prompts. cost is money there, and a
// candidate's plan_cost is the planner's.
func (r *Record) Exported() any {
	type candidate struct {
		Candidate
		Cost     *float64 `json:"cost,omitempty"` // takes the place of the embedded one
		PlanCost float64  `json:"plan_cost"`
	}
	out := struct {
		Record
		Candidates []candidate `json:"candidates,omitempty"`
	}{Record: *r}
	out.KeptRows, out.KeptPrompts, out.Seq = nil, nil, 0
	for _, c := range r.Candidates {
		out.Candidates = append(out.Candidates, candidate{Candidate: c, PlanCost: c.Cost})
	}
	return out
}

func csvRow(r *Record) []string {
	row := make([]string, len(recordFields))
	for i, f := range recordFields {
		switch p := f.at(r).(type) {
		case *string:
			row[i] = inert(*p)
		case *int64:
			row[i] = strconv.FormatInt(*p, 10)
		case *float64:
			row[i] = strconv.FormatFloat(*p, 'f', -1, 64)
		case *bool:
			row[i] = strconv.FormatBool(*p)
		case *time.Time:
			row[i] = p.Format(time.RFC3339Nano)
		case *jsonValue:
			if v, err := p.Value(); err == nil && v != nil {
				row[i] = inert(v.(string))
			}
		}
	}
	return row
}

// inert keeps a spreadsheet from running a cell as a formula (OWASP, CSV
// Injection).
func inert(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(cell)[0]) {
		return "'" + cell
	}
	return cell
}
