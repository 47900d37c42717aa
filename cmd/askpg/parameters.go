package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/ask/param"
	"askpg/catalog"
	"askpg/store"
	"askpg/translator"
	"askpg/translator/grammar"
	"askpg/translator/refs"
)

// reading reads the words of an asker: number words by the grammar, dates by
// his time zone and DateStyle, values of columns as far as he may see them.
func (a *app) reading(q *ask.Question) *param.Reader {
	asked := q.Asked
	if asked.IsZero() {
		asked = time.Now()
	}
	if zone, err := time.LoadLocation(q.Session.Settings["TimeZone"]); err == nil {
		asked = asked.In(zone)
	}
	return &param.Reader{
		Number: grammar.Number, Now: asked, DayFirst: strings.Contains(q.Session.Settings["DateStyle"], "DMY"),
		Column: func(ctx context.Context, column, words string) ([]string, error) {
			return a.columnValues(ctx, &q.Session, column, words)
		},
	}
}

// waitForWords is how long the words of a verified answer wait for the catalog, whose reading goes on without them.
const waitForWords = 300 * time.Millisecond

// inWords has verified answers say in plain words what they are.
func (a *app) inWords(next ask.Translator) ask.Translator {
	return ask.TranslatorFunc(func(ctx context.Context, q ask.Question) (*ask.Translation, error) {
		t, err := next.Translate(ctx, q)
		if err != nil || t.Source != ask.SourceExample {
			return t, err
		}
		bound, cancel := context.WithTimeout(ctx, waitForWords)
		defer cancel()
		if snap, err := a.catalog.SnapshotFor(bound, &q.Session); err == nil {
			t.Understood = translator.Sentence(snap, translator.SearchPath(q.Session.Settings["search_path"], q.Session.Role), t.SQL)
			t.Candidates[0].Understood = t.Understood
		}
		return t, nil
	})
}

// maxSpellings is how many values that differ in case only are looked at.
const maxSpellings = 5

// columnValues returns the values of a column, named table.column or
// schema.table.column, that are the words but for case: by the index of values
// or, where that does not hold all of them, by asking the column as the asker.
// A column that he may not see has none.
func (a *app) columnValues(ctx context.Context, s *ask.Session, column, words string) ([]string, error) {
	snap, err := a.catalog.SnapshotFor(ctx, s)
	if err != nil {
		return nil, err
	}
	c := columnNamed(snap, translator.SearchPath(s.Settings["search_path"], s.Role), column)
	if c == nil {
		return nil, nil
	}
	if len(c.Enum) > 0 {
		return slices.DeleteFunc(slices.Clone(c.Enum), func(v string) bool { return !strings.EqualFold(v, words) }), nil
	}
	values, known := snap.Values.Spellings(c, words)
	values = slices.DeleteFunc(values, func(v string) bool { return !strings.EqualFold(v, words) })
	if known || len(values) > 0 {
		return values, nil
	}
	name := pgx.Identifier{c.Name}.Sanitize()
	sql := fmt.Sprintf("SELECT DISTINCT %s::text FROM %s WHERE lower(%s::text) = lower(%s) LIMIT %d",
		name, c.Relation.QuotedName(), name, ask.QuoteLiteral(words), maxSpellings)
	_, result, _, err := a.execute(ctx, *s, sql, true)
	if err != nil {
		return nil, fmt.Errorf("values of %s: %w", column, err)
	}
	defer result.Release()
	for _, row := range result.Rows {
		if len(row) == 1 && row[0] != nil {
			values = append(values, string(row[0]))
		}
	}
	return values, nil
}

// columnNamed returns the column that a mark names, nil if the role sees none.
func columnNamed(snap *catalog.Snapshot, path []string, name string) *catalog.Column {
	parts := strings.Split(name, ".")
	schema := ""
	if len(parts) == 3 {
		schema, parts = parts[0], parts[1:]
	}
	if len(parts) != 2 {
		return nil
	}
	r := refs.Find(snap, path, schema, parts[0])
	if r == nil {
		return nil
	}
	return r.Column(parts[1])
}

// marker is how reviewers mark parameters.
type marker struct{ *app }

// Mark reads the marked texts of a translation. A text that the SQL compares
// with a column must be one of its values, unless the mark says otherwise.
func (m marker) Mark(ctx context.Context, r *store.Record, question, sql string) (*param.Template, error) {
	t, err := param.Compile(question, sql)
	if err != nil {
		return nil, err
	}
	snap, err := m.catalog.Snapshot(ctx, r.Database, r.Role)
	if err != nil {
		return nil, fmt.Errorf("the columns of %s cannot be read: %w", r.Database, err)
	}
	path := translator.SearchPath(r.Settings["search_path"], r.Role)
	for _, p := range t.Parameters {
		if p.Column != "" && columnNamed(snap, path, p.Column) == nil {
			return nil, fmt.Errorf("{%s:…|in %s}: %s sees no such column; name it as in customers.country", p.Name, p.Column, r.Role)
		}
	}
	compared := refs.Of(t.SQL, snap, path).Comparisons
	for _, name := range t.Open() {
		values := t.Compared(name)
		var of []*catalog.Column
		for _, c := range compared {
			if len(values) > 0 && slices.Contains(c.Values, values[0]) && !slices.Contains(of, c.Column) {
				of = append(of, c.Column)
			}
		}
		if len(of) != 1 {
			continue
		}
		if t, err = t.WithColumn(name, of[0].Relation.Schema+"."+of[0].Relation.Name.Name+"."+of[0].Name); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Try returns the SQL that a question of the translation's asker would get by
// the marks. Where reviewers see no rows, no column is asked: its words stand as they are written.
func (m marker) Try(ctx context.Context, r *store.Record, t *param.Template, question string) (string, error) {
	q := &ask.Question{Text: question, Asked: time.Now(), Session: ask.Session{Database: r.Database, Role: r.Role, SessionUser: r.Login, Settings: r.Settings}}
	reader := m.reading(q)
	if m.config().Admin.ShowRows == 0 {
		reader.Column = func(_ context.Context, _, words string) ([]string, error) { return []string{words}, nil }
	}
	values, match, err := t.Match(ctx, question, reader)
	switch {
	case err != nil:
		return "", err
	case match == param.None:
		return "", fmt.Errorf("this is another question: only the marked words may differ")
	case match == param.Unread:
		return "", fmt.Errorf("its words are not what the parameters take")
	case match == param.Ambiguous:
		return "", fmt.Errorf("its words can be read in several ways")
	}
	return t.Fill(values)
}
