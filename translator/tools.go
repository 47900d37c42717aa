package translator

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"

	"askpg/ask"
	"askpg/catalog"
	"askpg/translator/prompt"
)

// tools are what a thought–action loop looks into the database with.
type tools struct {
	s        *state
	in       prompt.Input
	rows     int
	executed []*candidate
	last     *candidate // the last that ran
}

// run does what a written action says.
func (t *tools) run(ctx context.Context, a action, origin ask.Origin) (string, error) {
	switch a.name {
	case "SearchColumn":
		return t.searchColumn(first(arguments(a.args))), nil
	case "SearchValue":
		return t.searchValue(valueArguments(a.args)), nil
	case "FindShortestPath":
		return t.path(arguments(a.args)), nil
	case "ExecuteSQL":
		return t.execute(ctx, unquote(strings.TrimSpace(a.args)), origin)
	}
	return "there is no such tool", nil
}

// searchColumn ranks the columns by BM25 over their names and descriptions,
// and returns them with their statistics.
func (t *tools) searchColumn(semantic string) string {
	var out []string
	for _, c := range t.s.snap.Search(semantic, 4*t.rows) {
		if !c.Private && len(out) < 2*t.rows {
			out = append(out, prompt.Describe(t.in, c))
		}
	}
	if len(out) == 0 {
		return "no column comes near"
	}
	return strings.Join(out, "\n")
}

// valueArguments reads the arguments of SearchValue, in order or by name.
func valueArguments(args string) (value, table, column string) {
	list := arguments(args)
	value = first(list)
	for i, a := range list[min(1, len(list)):] {
		k, v, named := strings.Cut(a, "=")
		switch {
		case named && strings.TrimSpace(k) == "table", !named && i == 0:
			table = cmp.Or(unquote(v), a)
		case named && strings.TrimSpace(k) == "column", !named && i == 1:
			column = cmp.Or(unquote(v), a)
		}
	}
	return value, table, column
}

// searchValue finds cells that come near a value, in one table or column if
// it is named.
func (t *tools) searchValue(value, table, column string) string {
	if table == "None" {
		table = ""
	}
	if i := strings.LastIndexByte(column, '.'); i >= 0 {
		table, column = column[:i], column[i+1:]
	}
	var out []string
	for _, h := range t.s.snap.Values.Find(value) {
		c := h.Column
		if !t.s.mayShow(c) || column != "" && column != "None" && !strings.EqualFold(c.Name, column) ||
			table != "" && t.s.relationNamed(table) != c.Relation || len(out) >= 2*t.rows {
			continue
		}
		out = append(out, c.Relation.Name.Name+"."+c.Name+" holds "+prompt.Literal(h.Value))
	}
	if len(out) == 0 {
		return "no cell that is indexed comes near"
	}
	return strings.Join(out, "\n")
}

// path joins the relations of two columns along foreign keys.
func (t *tools) path(args []string) string {
	if len(args) < 2 {
		return "error: two columns are needed, each written table.column"
	}
	var ends []*catalog.Relation
	for _, a := range args[:2] {
		name := a
		r := t.s.relationNamed(name)
		if i := strings.LastIndexByte(name, '.'); r == nil && i >= 0 {
			r = t.s.relationNamed(name[:i])
		}
		if r == nil {
			return fmt.Sprintf("error: there is no table of %s", oneLine(a, 100))
		}
		ends = append(ends, r)
	}
	if ends[0] == ends[1] {
		return "both are columns of " + ends[0].Name.Name
	}
	joins, ambiguous := t.s.snap.Path(ends[0], ends[1])
	if len(joins) == 0 {
		return "no foreign keys lead from one to the other"
	}
	var out []string
	for _, j := range joins {
		for i := range j.Key.FromCols {
			out = append(out, fmt.Sprintf("%s.%s = %s.%s", j.Key.From.Name.Name, j.Key.FromCols[i].Name, j.Key.To.Name.Name, j.Key.ToCols[i].Name))
		}
	}
	if ambiguous {
		out = append(out, "another path is as short")
	}
	return strings.Join(out, "; ")
}

// execute runs SQL as any candidate runs: through the guard, in the
// question's snapshot.
func (t *tools) execute(ctx context.Context, text string, origin ask.Origin) (string, error) {
	sql := cmp.Or(extract(text).SQL, trimSQL(text))
	if sql == "" {
		return "error: there is no SQL", nil
	}
	origin.Repair = len(t.executed)
	c := t.s.add(candidate{Candidate: ask.Candidate{SQL: sql, Origin: origin}})
	t.executed = append(t.executed, c)
	if err := t.s.try(ctx, c); err != nil {
		return "", err
	}
	if c.result == nil {
		return "error: " + oneLine(c.Err.Message, 500), nil
	}
	t.last = c
	return t.s.describeResult(c, t.rows), nil
}

var argument = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^,]+)`)

// arguments splits a tool's arguments at commas outside of quotes.
func arguments(args string) []string {
	var out []string
	for _, m := range argument.FindAllStringSubmatch(args, -1) {
		a := strings.TrimSpace(m[1] + m[2] + m[3])
		if a != "" {
			out = append(out, a)
		}
	}
	return out
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	_, v, named := strings.Cut(list[0], "=")
	if named && !strings.ContainsAny(list[0][:len(list[0])-len(v)], " '\"") {
		return unquote(v)
	}
	return list[0]
}

// unquote takes the quotes off an argument and undoes their escapes.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	if rest, ok := strings.CutPrefix(s, "sql="); ok {
		s = strings.TrimSpace(rest)
	}
	for _, q := range []string{`"""`, `'''`, `"`, `'`} {
		if len(s) >= 2*len(q) && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
			return strings.NewReplacer(`\"`, `"`, `\'`, `'`, `\n`, "\n").Replace(s[len(q) : len(s)-len(q)])
		}
	}
	return s
}
