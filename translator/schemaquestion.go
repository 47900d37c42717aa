package translator

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"askpg/ask"
	"askpg/catalog"
	"askpg/translator/grammar"
	"askpg/translator/refs"
)

// Questions about the schema itself, in the words that people use. What they
// name stands in the last group.
var (
	asksTables   = regexp.MustCompile(`(?i)^(?:please\s+)?(?:(?:(?:which|what)\s+(?:are\s+(?:the|all)\s+)?(?:tables|relations)(?:\s+and\s+views)?(?:\s+(?:are|is)\s+(?:there|available|in\s+(?:the|this)\s+(?:database|db|schema))|\s+exist|\s+do\s+(?:we|you|i)\s+have|\s+(?:can|may)\s+i\s+(?:see|read|query|use)|\s+does\s+(?:the|this)\s+database\s+(?:have|contain|hold))?)|(?:(?:list|show|show\s+me|give\s+me|display)\s+(?:me\s+)?(?:all\s+)?(?:the\s+)?(?:available\s+)?(?:tables|relations)))(?:\s+(?:in|of)\s+(?:the|this)\s+(?:database|db|schema))?$`)
	asksData     = regexp.MustCompile(`(?i)^(?:(?:which|what)\s+data\s+(?:is\s+there|are\s+there|is\s+available|do\s+(?:we|you|i)\s+have|(?:can|may)\s+i\s+(?:see|query|ask\s+about)|is\s+in\s+(?:the|this)\s+(?:database|db))|what(?:'s|\s+is)\s+in\s+(?:the|this)\s+(?:database|db)|(?:show\s+)?tables)$`)
	asksHelp     = regexp.MustCompile(`(?i)^(?:help(?:\s+me)?|what\s+(?:can|could|may|should)\s+i\s+ask(?:\s+(?:you|here|about))?|what\s+(?:questions\s+)?can\s+you\s+(?:answer|do)|how\s+(?:do|can)\s+i\s+ask(?:\s+(?:questions|a\s+question))?|(?:example|sample)\s+questions|give\s+me\s+(?:some\s+)?examples)$`)
	countsTables = regexp.MustCompile(`(?i)^how\s+many\s+(?:tables|relations)(?:\s+(?:are\s+there|exist|do\s+(?:we|you|i)\s+have|does\s+(?:the|this)\s+database\s+(?:have|contain|hold)|are\s+in\s+(?:the|this)\s+(?:database|db|schema)))?(?:\s+in\s+(?:the|this)\s+(?:database|db|schema))?$`)
	asksColumns  = regexp.MustCompile(`(?i)^(?:(?:(?:which|what)(?:\s+are\s+(?:the|all))?\s+(?:columns|fields)\s+(?:(?:are\s+)?(?:there\s+)?(?:in|of|on)\s+|does\s+|do\s+|has\s+))|(?:(?:list|show|show\s+me|give\s+me)\s+(?:me\s+)?(?:all\s+)?(?:the\s+)?(?:columns|fields)\s+(?:in|of|on|for|from)\s+)|(?:(?:the\s+)?(?:columns|fields)\s+(?:in|of|on)\s+)|describe\s+)(?:the\s+)?(?:table\s+)?([\w".]+?)(?:\s+table)?(?:\s+(?:have|has|contain|hold))?$`)
	countColumns = regexp.MustCompile(`(?i)^how\s+many\s+(?:columns|fields)\s+(?:are\s+(?:there\s+)?in|does|do|has|of)\s+(?:the\s+)?(?:table\s+)?([\w".]+?)(?:\s+table)?(?:\s+(?:have|has|contain))?$`)
)

// catalogQuestion answers questions about the schema from the catalog, so
// that what did not fit a prompt is not left out of the answer.
func catalogQuestion(ctx context.Context, s *state) error {
	if len(s.q.History) > 0 {
		return nil
	}
	sql, understood := s.schemaSQL(strings.Trim(strings.TrimSpace(s.q.Text), "?.!; \t\n"))
	if sql == "" {
		return nil
	}
	c := s.add(candidate{Candidate: ask.Candidate{SQL: sql, Origin: ask.Origin{Model: "catalog", Prompt: "schema", Sample: 1}}})
	if err := s.try(ctx, c); err != nil {
		return err
	}
	if c.result == nil {
		return c.Err
	}
	s.understood = understood
	s.choose(c, ask.SourceCatalog)
	return nil
}

// schemaSQL returns a statement that spells the answer out, "" if the
// question is about the data.
func (s *state) schemaSQL(question string) (sql, understood string) {
	question = strings.Join(strings.Fields(question), " ")
	// A table named tables or columns is data.
	if s.relationNamed("tables") != nil || s.relationNamed("columns") != nil || s.relationNamed("fields") != nil || s.relationNamed("relations") != nil {
		return "", ""
	}
	switch {
	case asksHelp.MatchString(question):
		return s.examplesSQL()
	case asksTables.MatchString(question), asksData.MatchString(question):
		return s.tablesSQL(), "the tables that role " + s.q.Session.Role + " can read"
	case countsTables.MatchString(question):
		return fmt.Sprintf("SELECT %d::bigint AS tables", len(s.snap.Relations)), "the number of tables that role " + s.q.Session.Role + " can read"
	}
	if m := asksColumns.FindStringSubmatch(question); m != nil {
		if r := s.relationNamed(m[1]); r != nil {
			return columnsSQL(r), "the columns of " + r.Schema + "." + r.Name.Name
		}
	}
	if m := countColumns.FindStringSubmatch(question); m != nil {
		if r := s.relationNamed(m[1]); r != nil {
			return fmt.Sprintf("SELECT %d::bigint AS columns", len(r.Columns)), "the number of columns of " + r.Schema + "." + r.Name.Name
		}
	}
	return "", ""
}

// relationNamed finds a relation by its name as people write it: with or without
// schema, singular or plural, any case.
func (s *state) relationNamed(name string) *catalog.Relation {
	name = strings.ToLower(strings.ReplaceAll(name, `"`, ""))
	schema, rest, qualified := strings.Cut(name, ".")
	if !qualified {
		rest = name
		if r := refs.Find(s.snap, s.set.searchPath, "", rest); r != nil {
			return r
		}
	}
	for _, exact := range []bool{true, false} {
		for _, r := range s.snap.Relations {
			if qualified && strings.ToLower(r.Schema) != schema {
				continue
			}
			n := strings.ToLower(r.Name.Name)
			if n == rest || !exact && (n == rest+"s" || n+"s" == rest || n == rest+"es" || n == strings.TrimSuffix(rest, "y")+"ies") {
				return r
			}
		}
	}
	return nil
}

// examplesSQL lists questions that the built-in engine answers, and the tables that the role may read.
func (s *state) examplesSQL() (sql, understood string) {
	l := listing{{"question", "text"}, {"about", "text"}}
	rows := [][]any{{"which tables are there", "the tables that you can read"}}
	for _, e := range grammar.Examples(s.snap, grammar.Options{Now: s.q.Asked, Location: s.set.location, SearchPath: s.set.searchPath}) {
		rows = append(rows, []any{e.Question, e.Relation.Name.Name})
	}
	return l.sql(rows), "questions that can be asked here, with a word such as: in 2025, by month, top 5; ask(more) changes the last one"
}

var kindNames = map[catalog.Kind]string{
	catalog.Table: "table", catalog.PartitionedTable: "partitioned table", catalog.View: "view",
	catalog.MaterializedView: "materialized view", catalog.ForeignTable: "foreign table",
}

func (s *state) tablesSQL() string {
	l := listing{{"schema", "text"}, {"name", "text"}, {"kind", "text"}, {"estimated_rows", "bigint"}, {"comment", "text"}}
	var rows [][]any
	for _, r := range s.snap.Relations {
		var count any
		if r.Rows >= 0 {
			count = int64(r.Rows)
		}
		rows = append(rows, []any{r.Schema, r.Name.Name, kindNames[r.Kind], count, orNull(r.Comment)})
	}
	return l.sql(rows)
}

func columnsSQL(r *catalog.Relation) string {
	l := listing{{"name", "text"}, {"type", "text"}, {"nullable", "boolean"}, {"primary_key", "boolean"}, {"comment", "text"}}
	var rows [][]any
	for _, c := range r.Columns {
		rows = append(rows, []any{c.Name, c.Type, !c.NotNull, slices.Contains(r.PrimaryKey, c), orNull(c.Comment)})
	}
	return l.sql(rows)
}

// listing is the columns, with their types, of rows that a statement spells
// out.
type listing [][2]string

// maxValues is how many rows are spelled out as VALUES: more would be more
// than the parser is given.
const maxValues = 200

func (l listing) sql(rows [][]any) string {
	var names, typed []string
	for _, c := range l {
		names = append(names, c[0])
		typed = append(typed, c[0]+" "+c[1])
	}
	if len(rows) > maxValues {
		objects := make([]map[string]any, len(rows))
		for i, row := range rows {
			objects[i] = map[string]any{}
			for j, v := range row {
				objects[i][names[j]] = v
			}
		}
		text, _ := json.Marshal(objects) // of strings, numbers and booleans: can't fail
		return "SELECT " + strings.Join(names, ", ") + " FROM json_to_recordset(" + ask.QuoteLiteral(string(text)) + "::json) AS t (" + strings.Join(typed, ", ") + ")"
	}
	var lines []string
	for _, row := range rows {
		var cells []string
		for j, v := range row {
			cell := "NULL"
			switch v := v.(type) {
			case string:
				cell = ask.QuoteLiteral(v)
			case int64, bool:
				cell = fmt.Sprint(v)
			}
			cells = append(cells, cell+"::"+l[j][1])
		}
		lines = append(lines, "("+strings.Join(cells, ", ")+")")
	}
	return "SELECT " + strings.Join(names, ", ") + " FROM (VALUES\n  " + strings.Join(lines, ",\n  ") + "\n) AS t (" + strings.Join(names, ", ") + ")"
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// choose makes a candidate the answer without a vote.
func (s *state) choose(c *candidate, source ask.Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.Fate, c.Votes = ask.FateChosen, 1
	s.chosen, s.confidence, s.source = c, 1, source
	s.asked = max(s.asked, 1)
}
