package translator

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"askpg/ask"
	"askpg/catalog"
)

// Questions about the schema itself, in the words that people use. What they
// name stands in the last group.
var (
	asksTables   = regexp.MustCompile(`(?i)^(?:please\s+)?(?:(?:(?:which|what)\s+(?:are\s+(?:the|all)\s+)?(?:tables|relations)(?:\s+and\s+views)?(?:\s+(?:are|is)\s+(?:there|available|in\s+(?:the|this)\s+(?:database|db|schema))|\s+exist|\s+do\s+(?:we|you|i)\s+have|\s+(?:can|may)\s+i\s+(?:see|read|query|use)|\s+does\s+(?:the|this)\s+database\s+(?:have|contain|hold))?)|(?:(?:list|show|show\s+me|give\s+me|display)\s+(?:me\s+)?(?:all\s+)?(?:the\s+)?(?:available\s+)?(?:tables|relations)))(?:\s+(?:in|of)\s+(?:the|this)\s+(?:database|db|schema))?$`)
	countsTables = regexp.MustCompile(`(?i)^how\s+many\s+(?:tables|relations)(?:\s+(?:are\s+there|exist|do\s+(?:we|you|i)\s+have|does\s+(?:the|this)\s+database\s+(?:have|contain|hold)|are\s+in\s+(?:the|this)\s+(?:database|db|schema)))?(?:\s+in\s+(?:the|this)\s+(?:database|db|schema))?$`)
	asksColumns  = regexp.MustCompile(`(?i)^(?:(?:(?:which|what)(?:\s+are\s+(?:the|all))?\s+(?:columns|fields)\s+(?:(?:are\s+)?(?:there\s+)?(?:in|of|on)\s+|does\s+|do\s+))|(?:(?:list|show|show\s+me|give\s+me)\s+(?:me\s+)?(?:all\s+)?(?:the\s+)?(?:columns|fields)\s+(?:in|of|on|for|from)\s+)|(?:(?:the\s+)?(?:columns|fields)\s+(?:in|of|on)\s+)|describe\s+)(?:the\s+)?(?:table\s+)?([\w".]+?)(?:\s+table)?(?:\s+(?:have|has|contain|hold))?$`)
	countColumns = regexp.MustCompile(`(?i)^how\s+many\s+(?:columns|fields)\s+(?:are\s+(?:there\s+)?in|does|do|has|of)\s+(?:the\s+)?(?:table\s+)?([\w".]+?)(?:\s+table)?(?:\s+(?:have|has|contain))?$`)
)

// catalogQuestion answers questions about the schema from the catalog, so
// that what did not fit a prompt is not left out of the answer.
func catalogQuestion(ctx context.Context, s *state) (bool, error) {
	if len(s.q.History) > 0 {
		return false, nil
	}
	sql, understood := s.schemaSQL(strings.Trim(strings.TrimSpace(s.q.Text), "?.!; \t\n"))
	if sql == "" {
		return false, nil
	}
	c := s.add(candidate{Candidate: ask.Candidate{SQL: sql, Origin: ask.Origin{Model: "catalog", Prompt: "schema", Sample: 1}}})
	if err := s.try(ctx, c); err != nil {
		return false, err
	}
	if c.result == nil {
		return false, c.Err
	}
	s.understood = understood
	s.choose(c, ask.SourceCatalog)
	return true, nil
}

// schemaSQL returns a statement that spells the answer out, "" if the
// question is about the data.
func (s *state) schemaSQL(question string) (sql, understood string) {
	question = strings.Join(strings.Fields(question), " ")
	// A table named tables or columns is data.
	if s.named("tables") != nil || s.named("columns") != nil || s.named("fields") != nil || s.named("relations") != nil {
		return "", ""
	}
	switch {
	case asksTables.MatchString(question):
		return s.tablesSQL(), "the tables that role " + s.q.Session.Role + " can read"
	case countsTables.MatchString(question):
		return fmt.Sprintf("SELECT %d::bigint AS tables", len(s.snap.Relations)), "the number of tables that role " + s.q.Session.Role + " can read"
	}
	if m := asksColumns.FindStringSubmatch(question); m != nil {
		if r := s.named(m[1]); r != nil {
			return columnsSQL(r), "the columns of " + r.Schema + "." + r.Name.Name
		}
	}
	if m := countColumns.FindStringSubmatch(question); m != nil {
		if r := s.named(m[1]); r != nil {
			return fmt.Sprintf("SELECT %d::bigint AS columns", len(r.Columns)), "the number of columns of " + r.Schema + "." + r.Name.Name
		}
	}
	return "", ""
}

// named finds a relation by its name as people write it: with or without
// schema, singular or plural, any case.
func (s *state) named(name string) *catalog.Relation {
	name = strings.ToLower(strings.ReplaceAll(name, `"`, ""))
	schema, rest, qualified := strings.Cut(name, ".")
	if !qualified {
		rest = name
	}
	if !qualified {
		if r := s.relation("", rest); r != nil {
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

var kindNames = map[catalog.Kind]string{
	catalog.Table: "table", catalog.PartitionedTable: "partitioned table", catalog.View: "view",
	catalog.MaterializedView: "materialized view", catalog.ForeignTable: "foreign table",
}

func (s *state) tablesSQL() string {
	var rows []string
	for _, r := range s.snap.Relations {
		count := "NULL"
		if r.Rows >= 0 {
			count = fmt.Sprintf("%.0f", r.Rows)
		}
		rows = append(rows, fmt.Sprintf("(%s, %s, %s, %s, %s)", textLiteral(r.Schema), textLiteral(r.Name.Name),
			textLiteral(kindNames[r.Kind]), count, orNull(r.Comment)))
	}
	return "SELECT schema, name, kind, rows::bigint AS estimated_rows, comment FROM (VALUES\n  " + strings.Join(rows, ",\n  ") +
		"\n) AS t (schema, name, kind, rows, comment)"
}

func columnsSQL(r *catalog.Relation) string {
	key := map[*catalog.Column]bool{}
	for _, c := range r.PrimaryKey {
		key[c] = true
	}
	var rows []string
	for _, c := range r.Columns {
		rows = append(rows, fmt.Sprintf("(%s, %s, %t, %t, %s)", textLiteral(c.Name), textLiteral(c.Type), !c.NotNull, key[c], orNull(c.Comment)))
	}
	return "SELECT name, type, nullable, primary_key, comment FROM (VALUES\n  " + strings.Join(rows, ",\n  ") +
		"\n) AS t (name, type, nullable, primary_key, comment)"
}

func orNull(s string) string {
	if s == "" {
		return "NULL::text"
	}
	return textLiteral(s)
}

// textLiteral quotes a string whatever standard_conforming_strings is.
func textLiteral(s string) string {
	q := "'" + strings.ReplaceAll(s, "'", "''") + "'"
	if strings.Contains(s, `\`) {
		q = " E" + strings.ReplaceAll(q, `\`, `\\`)
	}
	return q + "::text"
}
