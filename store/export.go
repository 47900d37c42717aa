package store

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"askpg/ask/param"
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
	out := bufio.NewWriterSize(w, 64<<10)
	var write func(*Record) error
	flush := out.Flush
	switch format {
	case JSONL:
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		write = func(r *Record) error { return enc.Encode(r) }
	case CSV:
		table := csv.NewWriter(out)
		if err := table.Write(names(recordFields)); err != nil {
			return err
		}
		write = func(r *Record) error { return table.Write(csvRow(r)) }
		flush = func() error { table.Flush(); return errors.Join(table.Error(), out.Flush()) }
	default:
		return fmt.Errorf("no export format %q; there are %s and %s", format, JSONL, CSV)
	}
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
			r.KeptRows, r.KeptPrompts, r.Seq = nil, nil, 0
			if err := write(r); err != nil {
				return err
			}
		}
		if page.Next == "" {
			return flush()
		}
		f.Before = page.Next
	}
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

// exampleLine is an example in a file. If it has parameters, question and sql
// hold the marks, and parameters names each with its type.
type exampleLine struct {
	Example
	Types map[string]param.Type `json:"parameters,omitempty"`
}

func (e *Example) line() *exampleLine {
	l := &exampleLine{Example: *e}
	if e.MarkedQuestion == "" {
		return l
	}
	l.Question, l.SQL, l.Types = e.MarkedQuestion, e.MarkedSQL, map[string]param.Type{}
	for _, p := range e.Parameters {
		l.Types[p.Name] = p.Type
	}
	return l
}

// example reads a line of a file. Only a line that says that it has parameters
// is read for marks.
func (l *exampleLine) example() (*Example, error) {
	e := l.Example
	if len(l.Types) == 0 {
		return &e, nil
	}
	t, err := param.Compile(e.Question, e.SQL)
	if err != nil {
		return nil, err
	}
	if open := t.Open(); len(open) > 0 {
		return nil, unboundMarksError(open)
	}
	if len(t.Parameters) != len(l.Types) {
		return nil, fmt.Errorf("parameters names %d, and %d are marked", len(l.Types), len(t.Parameters))
	}
	for _, p := range t.Parameters {
		if typ, named := l.Types[p.Name]; !named || typ != "" && typ != p.Type {
			return nil, fmt.Errorf("parameters says that %s is %q, and its constant in the SQL is %q", p.Name, typ, p.Type)
		}
	}
	e.setTemplate(t)
	return &e, nil
}

// ExportExamples writes the examples that stand, sorted, one to a line, so that
// a file of them can be kept under version control.
func (s *Store) ExportExamples(ctx context.Context, w io.Writer, database string) error {
	list, err := s.Examples(ctx, database, "")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for i := range list {
		if err := enc.Encode(list[i].line()); err != nil {
			return err
		}
	}
	return out.Flush()
}

// ImportExamples reads what ExportExamples wrote and makes each line the
// example of its question. Lines that are so already change nothing. It
// returns how many it has added.
func (s *Store) ImportExamples(ctx context.Context, r io.Reader) (int, error) {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), 4<<20)
	added := 0
	for line := 1; in.Scan(); line++ {
		if strings.TrimSpace(in.Text()) == "" {
			continue
		}
		var l exampleLine
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			return added, fmt.Errorf("line %d: %w", line, err)
		}
		if l.Status != "" && l.Status != Verified {
			continue
		}
		e, err := l.example()
		if err != nil {
			return added, fmt.Errorf("line %d: %w", line, err)
		}
		have, err := s.exampleReplacedBy(ctx, e)
		if err != nil {
			return added, fmt.Errorf("line %d: %w", line, err)
		}
		if have != nil && have.SQL == e.SQL && have.MarkedQuestion == e.MarkedQuestion && have.MarkedSQL == e.MarkedSQL {
			continue
		}
		if _, err := s.addExample(ctx, *e); err != nil {
			return added, fmt.Errorf("line %d: %w", line, err)
		}
		added++
	}
	return added, in.Err()
}
