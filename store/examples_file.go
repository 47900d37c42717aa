package store

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"askpg/ask/param"
)

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
	if err := UnboundMarks(t); err != nil {
		return nil, err
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
	return WriteExamples(w, list)
}

// WriteExamples writes examples as ExportExamples does.
func WriteExamples(w io.Writer, list []Example) error {
	return jsonLines(w, func(write func(any) error) error {
		for i := range list {
			if err := write(list[i].line()); err != nil {
				return err
			}
		}
		return nil
	})
}

// Import says how a file of examples is read.
type Import struct {
	By       string // who imports, and so vouches for what is new; empty: whom the file names
	How      string // Reviewer.How
	Replace  bool   // the file is all there is: examples that it does not have are retired
	Database string // Replace concerns the examples of this database; empty: all

	// Check, if not nil, says why an example cannot stand. It may set the example's role.
	Check func(ctx context.Context, e *Example) error
}

// Imported counts what an import has changed.
type Imported struct{ Added, Retired int }

// numbered is an example with its line in a file.
type numbered struct {
	*Example
	line int
}

// ImportExamples reads what ExportExamples wrote and makes each line the example of its question. Lines that are so
// already change nothing. All lines are taken or none: the error tells each that cannot stand.
func (s *Store) ImportExamples(ctx context.Context, r io.Reader, how Import) (Imported, error) {
	stay := map[string]bool{} // ids of examples that stand already
	list, err := readExamples(r, stay)
	if err != nil {
		return Imported{}, err
	}
	changes, err := s.changesOf(ctx, list, how, stay)
	if err != nil {
		return Imported{}, err
	}
	done := Imported{Added: len(changes.added)}
	err = s.transact(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		done.Retired, err = s.apply(ctx, tx, changes, how, stay)
		return err
	})
	if err != nil {
		return Imported{}, err
	}
	s.changed(ctx)
	return done, nil
}

// importChanges are what an import does to the examples.
type importChanges struct {
	added    []*Example
	replaced []string // ids of those in whose place the added ones stand
}

// changesOf compares the lines of a file with the examples that stand. The ids of those that stay so go into stay.
func (s *Store) changesOf(ctx context.Context, list []numbered, how Import, stay map[string]bool) (importChanges, error) {
	var ch importChanges
	var wrong []error
	for _, e := range list {
		have, err := s.exampleReplacedBy(ctx, e.Example)
		if err != nil {
			return ch, fmt.Errorf("line %d: %w", e.line, err)
		}
		if have != nil && have.SQL == e.SQL && have.MarkedQuestion == e.MarkedQuestion && have.MarkedSQL == e.MarkedSQL {
			stay[have.ID] = true
			continue
		}
		if how.Check != nil {
			if err := how.Check(ctx, e.Example); err != nil {
				wrong = append(wrong, fmt.Errorf("line %d: %w", e.line, err))
				continue
			}
		}
		if how.By != "" {
			e.Reviewer = how.By
		}
		if have != nil {
			ch.replaced = append(ch.replaced, have.ID)
		}
		ch.added = append(ch.added, e.Example)
	}
	if len(wrong) > 0 {
		return ch, errors.Join(append([]error{fmt.Errorf("nothing is imported: %d of %d examples cannot stand", len(wrong), len(list))}, wrong...)...)
	}
	return ch, nil
}

// apply does what an import changes, and counts the examples that it retires as the file does not have them.
func (s *Store) apply(ctx context.Context, tx *sql.Tx, ch importChanges, how Import, stay map[string]bool) (retired int, err error) {
	ended := ch.replaced
	if how.Replace {
		others, err := s.retireOthers(ctx, tx, how, stay)
		if err != nil {
			return 0, err
		}
		retired = len(others)
		ended = append(ended, slices.DeleteFunc(others, func(id string) bool { return slices.Contains(ch.replaced, id) })...)
	}
	for _, id := range ended {
		if err := s.addRemark(ctx, tx, &Remark{Kind: "retire", Example: id, By: how.By, How: how.How, Reason: "by the import of a file"}); err != nil {
			return 0, err
		}
	}
	for _, e := range ch.added {
		if err := s.putExample(ctx, tx, e); err != nil {
			return 0, fmt.Errorf("example %.60q: %w", e.Question, err)
		}
		if err := s.addRemark(ctx, tx, &Remark{Kind: "import", Example: e.ID, By: e.Reviewer, How: how.How}); err != nil {
			return 0, err
		}
	}
	return retired, nil
}

// readExamples reads the lines of a file that may answer. The ids of its stale ones, which do not, go into stay.
func readExamples(r io.Reader, stay map[string]bool) (list []numbered, err error) {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), 4<<20)
	lines := map[exampleKey]int{}
	for line := 1; in.Scan(); line++ {
		if strings.TrimSpace(in.Text()) == "" {
			continue
		}
		var l exampleLine
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if l.Status != "" && l.Status != Verified {
			stay[l.ID] = l.Status == Stale
			continue
		}
		e, err := l.example()
		var key string
		if err == nil {
			key, err = e.key()
		}
		if err == nil {
			err = e.complete()
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if first := lines[exampleKey{e.Database, e.OnlyFor, key}]; first > 0 {
			return nil, fmt.Errorf("line %d: line %d has the same question", line, first)
		}
		lines[exampleKey{e.Database, e.OnlyFor, key}] = line
		list = append(list, numbered{e, line})
	}
	return list, in.Err()
}

// retireOthers retires the examples that do not stay, and returns their ids.
func (s *Store) retireOthers(ctx context.Context, tx *sql.Tx, how Import, stay map[string]bool) (ids []string, err error) {
	c := &clause{}
	c.add("status <> ?", string(Retired))
	c.equals("database", how.Database)
	if ids, err = s.texts(ctx, tx, `select id from examples`+c.String(), c.args...); err != nil {
		return nil, err
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return stay[id] })
	for _, id := range ids {
		if _, err := tx.ExecContext(ctx, s.bind(`update examples set status = 'retired', reviewer = ?, note = 'not in the file that was imported', updated = ? where id = ?`),
			how.By, s.time(time.Now()), id); err != nil {
			return nil, err
		}
	}
	return ids, nil
}
