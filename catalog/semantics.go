package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/BurntSushi/toml"
)

// semantics is what an admin says about databases beyond their catalogs: the
// content of a semantics file.
type semantics struct {
	Tables   []tableSemantics   `toml:"table"`
	Columns  []columnSemantics  `toml:"column"`
	Measures []measureSemantics `toml:"measure"`
	Terms    []termSemantics    `toml:"term"`
	Queries  []querySemantics   `toml:"query"`
	Joins    []joinSemantics    `toml:"join"`
}

// tableSemantics speaks of a table, view or other relation.
type tableSemantics struct {
	at
	Database    string   `toml:"database"`    // only in this database; empty for all that have the table
	Name        string   `toml:"name"`        // schema.table, or table if only one schema has it
	Synonyms    []string `toml:"synonyms"`    // other words for its rows
	Description string   `toml:"description"` // in place of its comment
	Time        string   `toml:"time"`        // the column that "last month" is about
	Filter      string   `toml:"filter"`      // a condition over its columns that holds unless a question says otherwise
	Agreed      string   `toml:"agreed"`      // when and by whom the filter was
	Hidden      bool     `toml:"hidden"`      // keep it out of prompts and answers
}

// columnSemantics speaks of a column.
type columnSemantics struct {
	at
	Database    string   `toml:"database"`
	Name        string   `toml:"name"` // schema.table.column or table.column
	Synonyms    []string `toml:"synonyms"`
	Description string   `toml:"description"` // in place of its comment
	Unit        string   `toml:"unit"`        // of its numbers
	Private     bool     `toml:"private"`
	Hidden      bool     `toml:"hidden"`

	Values map[string]string `toml:"values"` // what its codes mean
}

// measureSemantics names an aggregate.
type measureSemantics struct {
	at
	Database    string   `toml:"database"`
	Name        string   `toml:"name"`
	Synonyms    []string `toml:"synonyms"`
	Description string   `toml:"description"`
	Table       string   `toml:"table"`      // whose rows it aggregates
	Expression  string   `toml:"expression"` // over columns of the table, or table.column of others
	Filter      string   `toml:"filter"`     // likewise; may be empty
	Time        string   `toml:"time"`       // the column of the table that "last month" is about; the table's own if empty
	Agreed      string   `toml:"agreed"`     // when and by whom: an answer that goes by it says so
}

// termSemantics names rows that meet a condition, or a value of each row.
type termSemantics struct {
	at
	Database    string   `toml:"database"`
	Name        string   `toml:"name"`
	Synonyms    []string `toml:"synonyms"`
	Description string   `toml:"description"`
	Table       string   `toml:"table"`
	Condition   string   `toml:"condition"`  // over columns of the table, or table.column of others
	Expression  string   `toml:"expression"` // likewise, in place of the condition
	Time        string   `toml:"time"`       // the column of the table that dates are about, in place of the table's own; not beside an expression
	Agreed      string   `toml:"agreed"`     // when and by whom: an answer that goes by it says so
}

// querySemantics says by a statement how something is computed.
type querySemantics struct {
	at
	Database    string   `toml:"database"`
	Names       []string `toml:"names"` // of what it computes
	Description string   `toml:"description"`
	SQL         string   `toml:"sql"` // one SELECT; tables without a schema are of the schema public, or the only ones of their name
}

// joinSemantics says how two tables join, where the catalog does not say it or
// leaves a choice.
type joinSemantics struct {
	at
	Database string `toml:"database"`
	From     string `toml:"from"`  // table.column, several columns with commas
	To       string `toml:"to"`    // likewise
	Avoid    bool   `toml:"avoid"` // never join so; otherwise it is preferred to all others
}

// readSemantics reads a semantics file. Keys that it does not know are errors.
func readSemantics(path string) (*semantics, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("semantics file %s: there is no such file; make an empty one, or correct catalog.semantics", path)
	}
	if err != nil {
		return nil, err
	}
	s, findings := findSemantics(string(data))
	for i := range findings {
		findings[i] = fmt.Errorf("semantics file %s: %w", path, findings[i])
	}
	return s, errors.Join(findings...)
}

// CheckSemantics says why a text is no semantics file, whatever the database.
func CheckSemantics(text string) error {
	_, err := parseSemantics(text)
	return err
}

// parseSemantics parses the text of a semantics file.
func parseSemantics(text string) (*semantics, error) {
	s, findings := findSemantics(text)
	return s, errors.Join(findings...)
}

// findSemantics parses the text of a semantics file, and returns all that is wrong with it.
func findSemantics(text string) (s *semantics, findings []error) {
	s = &semantics{}
	md, err := toml.Decode(text, s)
	if err != nil {
		return nil, []error{err}
	}
	found := func(line int, err error) {
		switch {
		case err != nil && line > 0:
			findings = append(findings, fmt.Errorf("line %d: %w", line, err))
		case err != nil:
			findings = append(findings, err)
		}
	}
	unknown := map[string]bool{}
	for _, key := range md.Undecoded() {
		if unknown[key.String()] = true; len(key) > 1 && unknown[key[:len(key)-1].String()] {
			continue // of an entry that is unknown as a whole
		}
		found(keyLine(text, key), fmt.Errorf("unknown key %s", key))
	}
	s.locate(text)
	for i := range s.Tables {
		found(s.Tables[i].line, s.Tables[i].check(i))
	}
	for i := range s.Columns {
		if c := &s.Columns[i]; !strings.Contains(c.Name, ".") {
			found(c.line, fmt.Errorf("column %d needs a name like table.column, has %q", i+1, c.Name))
		}
	}
	for i := range s.Measures {
		found(s.Measures[i].line, s.Measures[i].check(i))
	}
	for i := range s.Terms {
		found(s.Terms[i].line, s.Terms[i].check(i))
	}
	for i := range s.Queries {
		q := &s.Queries[i]
		if _, err := readQuery(q.SQL); err != nil || len(q.Names) == 0 {
			found(q.line, errors.Join(fmt.Errorf("query %d (%q) needs names and sql, which is one SELECT", i+1, q.Names), err))
		}
	}
	for i := range s.Joins {
		j := &s.Joins[i]
		if n := strings.Count(j.From, ","); !strings.Contains(j.From, ".") || !strings.Contains(j.To, ".") || n != strings.Count(j.To, ",") {
			found(j.line, fmt.Errorf("join %d needs from and to like table.column, with as many columns, has %q and %q", i+1, j.From, j.To))
		}
	}
	if len(findings) > 0 {
		return nil, findings
	}
	return s, nil
}

// check says what is wrong with table number i.
func (t *tableSemantics) check(i int) error {
	if t.Name == "" {
		return fmt.Errorf("table %d has no name", i+1)
	}
	if t.Agreed != "" && t.Filter == "" {
		return fmt.Errorf("table %s: agreed is set and filter is not; give the filter, or leave agreed out", t.Name)
	}
	return checkExpression("table "+t.Name+": filter", t.Filter)
}

// check says what is wrong with measure number i.
func (m *measureSemantics) check(i int) error {
	if m.Name == "" || m.Table == "" || m.Expression == "" {
		return fmt.Errorf("measure %d (%q) needs name, table and expression", i+1, m.Name)
	}
	return cmp.Or(checkExpression("measure "+m.Name+": expression", m.Expression), checkExpression("measure "+m.Name+": filter", m.Filter))
}

// check says what is wrong with term number i.
func (t *termSemantics) check(i int) error {
	if t.Name == "" || t.Table == "" || (t.Condition == "") == (t.Expression == "") {
		return fmt.Errorf("term %d (%q) needs name, table and either condition or expression", i+1, t.Name)
	}
	if t.Time != "" && t.Condition == "" {
		return fmt.Errorf("term %d (%q): only rows have a time; leave time out, or give a condition in place of the expression", i+1, t.Name)
	}
	return cmp.Or(checkExpression("term "+t.Name+": condition", t.Condition), checkExpression("term "+t.Name+": expression", t.Expression))
}

// checkExpression says why the text of a part is no expression; it may be empty.
func checkExpression(part, text string) error {
	if text == "" {
		return nil
	}
	if _, _, err := columnRefs(text); err != nil {
		return fmt.Errorf("%s: %w", part, err)
	}
	return nil
}
